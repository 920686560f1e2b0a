"""Robots that the tests of this folder share."""

from pathlib import Path

import pytest

from armwright.kinematics import RobotModel, load, loads

PLANAR = """
<robot version="1.6.0">
  <joint axis="rz" tag="j1"/>
  <rigid-body mass="2" com_trans="0.5 0 0" izz="0.2" output_trans="1 0 0" tag="b1"/>
  <joint axis="rz" tag="j2"/>
  <rigid-body mass="1" com_trans="0.25 0 0" izz="0.05" output_trans="0.5 0 0" tag="b2"/>
  <end-effector tag="ee"/>
</robot>
"""
TREE = """
<robot version="1.6.0" rot="Rx(0.4)*Rz(1)" trans="0.1 -0.2 0.3">
  <actuator type="X8-9" tag="trunk"/>
  <rigid-body mass="1" com_trans="0 0 0.1" com_rot="Ry(0.3)" tag="body">
    <output trans="0 0.2 0" rot="Rx(pi/2)">
      <joint axis="-ry" gear_ratio="2" tag="left"/>
      <rigid-body mass="0.7" com_trans="0.2 0.1 0" output_trans="0.4 0 0" mesh_path="arm.stl"
                  mesh_trans="0 0 0.05" mesh_rot="Rz(0.2)"/>
      <joint axis="tx" gear_ratio="-0.5"/>
      <end-effector mass="0.2" com_trans="0 0.02 0" output_trans="0.1 0 0" tag="left hand"/>
    </output>
    <output trans="0 -0.2 0">
      <joint axis="-tz" tag="right"/>
      <rigid-body mass="0.5" output_trans="0.3 0 0.1" output_rot="Ry(1)" tag="forearm"/>
      <joint axis="rx"/>
      <joint axis="-rz"/>
      <end-effector output_rot="Rz(0.5)" output_trans="0 0 0.2" tag="right hand"/>
    </output>
    <output trans="0 0 0.5"/>
  </rigid-body>
</robot>
"""


@pytest.fixture
def planar() -> RobotModel:
    """Two links in the plane, with tags."""
    return loads(PLANAR)


@pytest.fixture
def tree() -> RobotModel:
    """Two arms of turning and sliding joints, negative axes, gears, a base that is turned."""
    return loads(TREE)


@pytest.fixture(params=["planar", "tree", "six_dof", "gantry", "two_armed"])
def robot(request: pytest.FixtureRequest, root: Path) -> RobotModel:
    """Robots of different kinds, one after the other."""
    texts = {"planar": PLANAR, "tree": TREE}
    if request.param in texts:
        return loads(texts[request.param])
    return load(root / "examples" / "arms" / f"{request.param}.hrdf")


@pytest.fixture(params=["tree", "six_dof", "gantry", "two_armed"])
def wide(request: pytest.FixtureRequest, root: Path) -> RobotModel:
    """Robots whose masses are not all on one line, one after the other."""
    if request.param == "tree":
        return loads(TREE)
    return load(root / "examples" / "arms" / f"{request.param}.hrdf")
