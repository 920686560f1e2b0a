"""Small arms whose answers are known by hand, and the kits of the corpus with their seeds."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import armwright as aw

FloatArray = npt.NDArray[np.float64]
Kit = Callable[[str], tuple[aw.RobotModel, FloatArray]]

PLANAR = """
<robot version="1.6.0">
  <joint axis="rz"/>
  <rigid-body mass="1" com_trans="0.25 0 0" output_trans="0.5 0 0"/>
  <joint axis="rz"/>
  <rigid-body mass="1" com_trans="0.25 0 0" output_trans="0.5 0 0"/>
  <end-effector/>
</robot>
"""
ONE_JOINT = """
<robot version="1.6.0">
  <joint axis="rz"/><rigid-body mass="1" output_trans="1 0 0"/><end-effector/>
</robot>
"""
SEVEN = """
<robot version="1.6.0">
  <joint axis="rz" tag="base"/><rigid-body mass="1" output_trans="0 0 0.3"/>
  <joint axis="ry"/><rigid-body mass="1" output_trans="0 0 0.2"/>
  <joint axis="rz"/><rigid-body mass="1" output_trans="0.02 0 0.2"/>
  <joint axis="ry" tag="elbow"/><rigid-body mass="1" output_trans="-0.02 0 0.2"/>
  <joint axis="rz"/><rigid-body mass="1" output_trans="0 0 0.15"/>
  <joint axis="ry"/><rigid-body mass="1" output_trans="0.05 0 0.05"/>
  <joint axis="rz"/><rigid-body mass="1" output_trans="0 0 0.1"/><end-effector/>
</robot>
"""


def masked(values: npt.ArrayLike, hidden: float) -> Any:
    """Array in which every entry of one value is masked."""
    ma: Any = np.ma  # not typed in every numpy
    return ma.masked_equal(values, hidden)


def rotation_about(axis: npt.ArrayLike, angle: float) -> FloatArray:
    """Rotation by an angle about an axis of any length, (3, 3); the unit matrix for none."""
    v = np.asarray(axis, dtype=np.float64)
    length = float(np.linalg.norm(v))
    if length == 0.0:
        return np.eye(3)
    x, y, z = v / length
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    R: FloatArray = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
    return R


@pytest.fixture(scope="session")
def planar() -> aw.RobotModel:
    """Two joints about z, two links of 0.5 m along x."""
    return aw.loads(PLANAR)


@pytest.fixture(scope="session")
def one_joint() -> aw.RobotModel:
    """One joint about z, a link of 1 m along x."""
    return aw.loads(ONE_JOINT)


@pytest.fixture(scope="session")
def seven() -> aw.RobotModel:
    """Seven joints, redundant for a pose."""
    return aw.loads(SEVEN)


@pytest.fixture(scope="session")
def kit(corpus: list[Path]) -> Kit:
    """Load a kit of the corpus: its model, and the seed its configuration gives."""
    import yaml

    def load(name: str) -> tuple[aw.RobotModel, FloatArray]:
        file = next(path for path in corpus if path.stem == name)
        model = aw.load(file)
        config = file.parent.parent / f"{name}.cfg.yaml"
        data = yaml.safe_load(config.read_text("utf-8"))
        seed = data.get("user_data", {}).get("ik_seed_pos", [0.0] * model.dof)
        return model, np.array(seed, dtype=np.float64)

    return load
