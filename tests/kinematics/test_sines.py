"""Sines and cosines of all joints at once, against the library's in extended precision."""

import numpy as np
import numpy.typing as npt
import pytest

from armwright import loads

pytestmark = pytest.mark.kernels

ANGLES = {
    "a few turns": np.random.default_rng(5).uniform(-30, 30, 20_000),
    "quarters": np.arange(-400, 401) * (np.pi / 2),
    "beside the quarters": (np.arange(-400, 401) * (np.pi / 2))[:, None] + [-1e-9, 1e-13, 2e-5],
    "between the quarters": (np.arange(-400, 401) + 0.5) * (np.pi / 2),
    "thousands of turns": np.random.default_rng(6).uniform(-1e5, 1e5, 20_000),
    "far": np.concatenate(
        [
            [1e5, 1.0000001e5, 2.0**99, -1e22],
            10.0 ** np.arange(5, 50),
            np.random.default_rng(8).uniform(1e5, 1e8, 200),
        ]
    ),
    "small": np.concatenate([10.0 ** -np.arange(1, 320, 7), [5e-324, 0.0]]),
}


def table(angles: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Angles, sines and cosines by the kernel."""
    from armwright.kinematics._kernels.sines import fill, room

    out = np.full((3, room(len(angles))), 7.0)
    out[0, : len(angles)] = angles
    with np.errstate(all="ignore"):  # as the entries do where nothing is compiled
        fill(out, len(angles))
    return out[:, : len(angles)]


@pytest.mark.parametrize("kind", ANGLES)
def test_against_extended_precision(kind: str) -> None:
    if np.finfo(np.longdouble).eps > 1e-18:
        pytest.skip("long double is double here")
    angles = ANGLES[kind].ravel()
    # A far angle is by itself: one of them has its whole table done by the library.
    parts = len(angles) if kind == "far" else 1 + len(angles) // 500
    for part in np.array_split(angles, parts):
        T, exact = table(part), part.astype(np.longdouble)
        assert np.abs(T[1] - np.sin(exact)).max() < 1.7e-16
        assert np.abs(T[2] - np.cos(exact)).max() < 1.7e-16


def test_exact_where_it_counts() -> None:
    assert table(np.zeros(3))[1:].tolist() == [[0, 0, 0], [1, 1, 1]]
    assert table(np.array([5e-324, -1e-300]))[1].tolist() == [5e-324, -1e-300]
    assert np.isnan(table(np.array([np.nan, np.inf, -np.inf]))[1:]).all()


def test_each_angle_as_if_it_were_alone() -> None:
    angles = np.random.default_rng(7).uniform(-9, 9, 61)
    together = table(angles)
    for i, angle in enumerate(angles):
        assert table(np.array([angle])).tobytes() == together[:, i : i + 1].tobytes()


def test_a_far_joint_leaves_the_others_at_their_place() -> None:
    arm = loads('<robot version="1.6.0"><joint axis="rz"/><joint axis="rz"/></robot>')
    pose = arm.forward_kinematics("output", [0.5, 1e6])[-1]
    total = 0.5 + 1e6 - 2 * np.pi * round(1e6 / (2 * np.pi))
    assert pose[0, 0] == pytest.approx(np.cos(total), abs=1e-9)
