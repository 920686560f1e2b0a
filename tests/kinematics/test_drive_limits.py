"""Models with other largest speeds and efforts."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright.errors import JointVectorError


@pytest.fixture(scope="module")
def arm(root: Path) -> aw.RobotModel:
    return aw.load(root / "examples" / "arms" / "six_dof.hrdf")


@pytest.mark.parametrize("name", ["max_speeds", "max_efforts"])
def test_limits_are_those_that_were_said(arm: aw.RobotModel, name: str, tmp_path: Path) -> None:
    change = getattr(aw.RobotModel, f"with_{name}")
    given = np.array([1.0, 2.0, 3.0, np.inf, 5.0, 6.0])
    changed = change(arm, given)
    np.testing.assert_array_equal(getattr(changed, name), given)
    np.testing.assert_array_equal(getattr(change(arm, 0.5), name), np.full(6, 0.5))
    assert changed != arm
    assert change(arm, getattr(arm, name)) == change(arm, list(getattr(arm, name)))
    other = "max_efforts" if name == "max_speeds" else "max_speeds"
    np.testing.assert_array_equal(getattr(changed, other), getattr(arm, other))
    # it goes on through other changes, files and pickles
    loaded = changed.with_payload(1.0).with_position_limits([-1] * 6, [1] * 6)
    np.testing.assert_array_equal(getattr(loaded, name), given)
    changed.save(tmp_path / "arm.npz")
    assert aw.RobotModel.load(tmp_path / "arm.npz") == changed
    assert pickle.loads(pickle.dumps(changed)) == changed
    part = changed.subtree(tag="J3_elbow")
    np.testing.assert_array_equal(getattr(part, name), given[2:])


@pytest.mark.parametrize("name", ["max_speeds", "max_efforts"])
@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ([1.0] * 5, "expected one number or 6 numbers, got 5"),
        ([1.0, 1.0, 0.0, 1.0, 1.0, 1.0], "of joint 'J3_elbow': expected a limit above 0, got 0"),
        ([1.0, 1.0, -2.0, 1.0, 1.0, 1.0], "of joint 'J3_elbow': expected a limit above 0, got -2"),
        ([1.0, 1.0, 1.0, 1.0, 1.0, float("nan")], "of joint 'J6_wrist3': expected a limit above 0"),
        ("fast", "expected one number or 6 numbers"),
    ],
)
def test_limits_that_are_none_are_refused(
    arm: aw.RobotModel, name: str, bad: Any, says: str
) -> None:
    with pytest.raises(JointVectorError, match=f"{name.replace('_', ' ')}.*{says}"):
        getattr(arm, f"with_{name}")(bad)
