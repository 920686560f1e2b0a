"""Joint values that look like degrees."""

import math

import numpy as np
import pytest

from armwright.kinematics.arrays import looks_like_degrees, warn_of_degrees

SLIDES = np.array([False, True])


@pytest.mark.parametrize(
    ("values", "degrees"),
    [
        ([0.0, 0.0], False),
        ([2 * math.pi, 0.0], False),
        ([5.0, 0.0], False),
        ([10.0, 0.0], True),
        ([10.0, 5.0], True),
        ([10.0, 1.0], False),
        ([10.1, 0.0], False),
        ([4 * math.pi, 0.3], False),
        ([4 * math.pi + 0.01, 0.3], True),
        ([-90.0, 0.3], True),
        ([math.inf, math.nan], False),
        ([math.inf, 90.0], True),
        ([[0.1, 0.2], [0.1, 45.0]], True),
        ([], False),
    ],
)
def test_what_looks_like_degrees(values: object, degrees: bool) -> None:
    assert looks_like_degrees(np.array(values, dtype=float)) == degrees


def test_sliding_joints_have_no_angles() -> None:
    assert not looks_like_degrees(np.array([0.1, 90.0]), SLIDES)
    assert looks_like_degrees(np.array([90.0, 0.1]), SLIDES)
    assert not looks_like_degrees(np.array([[0.1, 90.0], [0.1, 80.0]]), SLIDES)


def test_the_warning_names_the_angle() -> None:
    with pytest.warns(UserWarning, match=r"limits of joint 'J1': 180 rad looks like degrees"):
        warn_of_degrees("limits", np.array([-180.0, 500.0]), SLIDES, ("J1", "J2"))
