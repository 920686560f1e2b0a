"""``armwright doctor`` with configurations that do not fit, and with efforts that say nothing."""

from typing import Any

import numpy as np
import pytest


@pytest.mark.parametrize(
    "home",
    ["[0, pi/6, 0, 0, 0, 0]", "[0, true, 0, 0, 0, 0]", "[0, 1]", "0.5", "[.nan, 0, 0, 0, 0, 0]"],
)
def test_a_home_position_that_cannot_be_used(doctor: Any, write: Any, home: str) -> None:
    # It was taken for zeros, and the arm was judged where it does not stand.
    changed = write(("[0.0, 0.6, 0.9, -0.5, 0.7, 0.3]", home))
    outcome = doctor(config=changed)
    assert outcome.code == 2
    assert "home_position: expected " in outcome.err
    assert "Traceback" not in outcome.err
    assert doctor("--q", "0,0.6,0.9,-0.5,0.7,0.3", config=changed).code == 0


def test_offsets_may_be_formulas(doctor: Any, write: Any) -> None:
    plugin = "\nplugins:\n  - {type: EffortOffset, offset: [0, -7*2, 0, 0, 1e1, 0]}\n"
    data = doctor("--json", config=write(more=plugin)).json
    change = np.subtract(data["modeled_efforts"], doctor("--json").json["modeled_efforts"])
    np.testing.assert_allclose(change[0], [0, -14, 0, 0, 10, 0], atol=1e-12)


def test_an_overloaded_arm_does_not_fit(doctor: Any) -> None:
    # All loaded joints are at their peaks; it was said that every effort fits.
    outcome = doctor("--fault", "payload=200")
    assert outcome.code == 1
    assert "efforts do not fit: J2_shoulder, J3_elbow" in outcome.out
    assert "gravity does not load them here: J1_base, J6_wrist3\n" in outcome.out


def test_without_efforts_nothing_fits(doctor: Any, write: Any) -> None:
    helped = "".join(f"  - {{type: DoubledJoint, index: {i}}}\n" for i in range(6))
    config = write(more=f"\nplugins:\n{helped}")
    outcome = doctor("--fault", "sign=J2_shoulder", config=config)
    assert outcome.code == 1
    assert "no effort to judge by" in outcome.out
    assert "every effort fits" not in outcome.out
    assert doctor("--json", config=config).json["status"] == "UNSEEN"
