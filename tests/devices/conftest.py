"""Arms and real groups for the tests of devices."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import armwright as aw
from armwright import devices
from tests.devices.drives import GOAL, START
from tests.devices.test_still import Watched

ONE_JOINT = """<robot version="1.6.0"><actuator type="X5-4" tag="only"/></robot>"""

# A vertical arm: the shoulder lifts 2 kg at 0.3 m, 5.886 N m when stretched out.
PENDULUM = """<robot version="1.6.0">
  <rigid-body mass="0" output_rot="Rx(pi/2)"/>
  <joint axis="rz" tag="swing"/>
  <rigid-body mass="2" com_trans="0.3 0 0" output_trans="0.3 0 0"/>
</robot>"""

# A prismatic joint without limits that lifts 3 kg: 29.43 N.
LIFT = """<robot version="1.6.0">
  <joint axis="tz" tag="lift"/>
  <rigid-body mass="3"/>
</robot>"""


@pytest.fixture(scope="session")
def six_dof(root: Path) -> aw.RobotModel:
    return aw.load(root / "examples" / "arms" / "six_dof.hrdf")


@pytest.fixture(scope="session")
def one_joint() -> aw.RobotModel:
    return aw.loads(ONE_JOINT)


@pytest.fixture(scope="session")
def pendulum() -> aw.RobotModel:
    return aw.loads(PENDULUM)


@pytest.fixture(scope="session")
def lift() -> aw.RobotModel:
    return aw.loads(LIFT)


@pytest.fixture
def group(six_dof: aw.RobotModel) -> Iterator[devices.SimulatedGroup]:
    with devices.simulate(six_dof, names=[f"J{i}" for i in range(1, 7)]) as group:
        yield group


@pytest.fixture
def move(six_dof: aw.RobotModel) -> devices.Trajectory:
    return devices.plan(six_dof, [START, GOAL])


@pytest.fixture
def watched(six_dof: aw.RobotModel) -> Watched:
    return Watched(devices.simulate(six_dof, q0=START))
