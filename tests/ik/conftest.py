"""Small arms whose answers are known by hand, and the kits of the corpus with their seeds."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import armwright as aw
from tests.oracles import rotation_about as rotation_about
from tests.robots import PLANAR as PLANAR

FloatArray = npt.NDArray[np.float64]
Kit = Callable[[str], tuple[aw.RobotModel, FloatArray]]

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
