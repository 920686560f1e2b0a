"""Rotations and poses as arrays: log, exp, errors, adjoints, and the checks of matrices."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.errors import ModelError
from armwright.kinematics import pose_error, rotation_vector
from armwright.kinematics.arrays import as_pose
from armwright.kinematics.transforms import adjoint, invert, rotation_matrix, skew

UNIT = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1)


def random_poses(shape: tuple[int, ...], seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    T = np.zeros((*shape, 4, 4))
    T[..., :3, :3] = rotation_matrix(rng.uniform(-1.5, 1.5, (*shape, 3)))
    T[..., :3, 3] = rng.normal(size=(*shape, 3))
    T[..., 3, 3] = 1
    return T


@given(UNIT, st.floats(0, np.pi) | st.floats(0, 1e-6) | st.floats(0, 1e-6).map(lambda x: np.pi - x))
def test_log_undoes_exp_at_every_angle(axis: tuple[float, ...], angle: float) -> None:
    v = np.array(axis) / np.linalg.norm(axis) * angle
    back = rotation_vector(rotation_matrix(v))
    if angle > np.pi - 1e-9:  # v and -v turn to within rounding of each other
        back = back if np.dot(back, v) > 0 else -back
    np.testing.assert_allclose(back, v, rtol=1e-9, atol=1e-15)
    assert np.linalg.norm(back) <= np.pi + 1e-15


@given(UNIT, st.floats(0, np.pi), st.integers(0, 1000))
def test_a_matrix_that_is_a_little_off_gives_a_vector_nearby(
    axis: tuple[float, ...], angle: float, seed: int
) -> None:
    v = np.array(axis) / np.linalg.norm(axis) * angle
    dirt = np.random.default_rng(seed).uniform(-1e-6, 1e-6, (3, 3))
    back = rotation_vector(rotation_matrix(v) + dirt)
    assert np.isfinite(back).all()
    apart = rotation_matrix(back) - rotation_matrix(v)
    assert np.abs(apart).max() < 1e-5


@pytest.mark.parametrize("axis", range(3))
def test_half_turns_are_exact(axis: int) -> None:
    R = -np.eye(3)
    R[axis, axis] = 1
    expected = np.zeros(3)
    expected[axis] = np.pi
    assert rotation_vector(R).tolist() == expected.tolist()


def test_half_turns_about_slanted_axes_have_the_first_component_positive() -> None:
    for n in ([0, 3, -4], [-1, 2, 2], [0.0, -1, 1], [-2, 0, 1]):
        unit = np.array(n) / np.linalg.norm(n)
        R = 2 * np.outer(unit, unit) - np.eye(3)
        v = rotation_vector(R)
        assert np.linalg.norm(v) == pytest.approx(np.pi, abs=1e-15)
        first = v[np.abs(v) > 1e-9][0]
        assert first > 0
        assert np.abs(np.cross(v, unit)).max() < 1e-14


def test_leading_axes_are_kept() -> None:
    v = np.random.default_rng(2).uniform(-1, 1, (2, 5, 3))
    np.testing.assert_allclose(rotation_vector(rotation_matrix(v)), v, atol=1e-14)
    assert rotation_vector(np.zeros((0, 3, 3)) + np.eye(3)).shape == (0, 3)
    assert rotation_vector(np.eye(3).tolist()).tolist() == [0, 0, 0]


def test_pose_error_takes_a_to_b_in_world_axes() -> None:
    T_a, T_b = random_poses((7,), 3), random_poses((7,), 4)
    e = pose_error(T_a, T_b)
    assert e.shape == (7, 6)
    np.testing.assert_allclose(T_a[:, :3, 3] + e[:, :3], T_b[:, :3, 3], atol=1e-15)
    np.testing.assert_allclose(
        rotation_matrix(e[:, 3:]) @ T_a[:, :3, :3], T_b[:, :3, :3], atol=1e-14
    )
    assert pose_error(T_a[0], T_b).shape == (7, 6)  # leading axes broadcast
    assert pose_error(T_a[0], T_a[0]).tolist() == pytest.approx([0] * 6, abs=1e-15)
    assert pose_error(np.eye(4).tolist(), np.eye(4)).tolist() == [0] * 6


def test_invert_and_adjoint() -> None:
    T = random_poses((4,), 5)
    np.testing.assert_allclose(invert(T) @ T, np.broadcast_to(np.eye(4), T.shape), atol=1e-14)
    # A twist of B seen from A: the same motion of every point.
    V_B = np.array([0.1, -0.2, 0.3, 0.4, 0.5, -0.6])
    V_A = adjoint(T) @ V_B
    p_B = np.array([0.7, 0.8, 0.9])
    velocity_B = V_B[:3] + np.cross(V_B[3:], p_B)
    p_A = T[:, :3, :3] @ p_B + T[:, :3, 3]
    velocity_A = V_A[:, :3] + np.cross(V_A[:, 3:], p_A)
    np.testing.assert_allclose(velocity_A, T[:, :3, :3] @ velocity_B, atol=1e-14)
    np.testing.assert_allclose(
        adjoint(invert(T)) @ adjoint(T), np.eye(6) + 0 * adjoint(T), atol=1e-14
    )
    np.testing.assert_allclose(skew([1, 2, 3]) @ [4, 5, 6], np.cross([1, 2, 3], [4, 5, 6]))


def test_a_transposed_pose_is_asked_about() -> None:
    T = random_poses(())
    T[:3, 3] = [1, 2, 3]
    calls: list[Callable[[], Any]] = [
        lambda: as_pose(T.T, "target"),
        lambda: pose_error(T.T, T),
        lambda: invert(T.T),
    ]
    for call in calls:
        with pytest.raises(ModelError, match=r"got 1 2 3 1. Is the matrix transposed"):
            call()
    assert as_pose(T, "target").tolist() == T.tolist()
    T[3, 0] = 1e-12  # what products leave
    assert as_pose(T, "target")[3].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("T", "words"),
    [
        (np.diag([2.0, 1, 1, 1]), "expected a rotation, got .* off from unit length .* by 3"),
        (np.diag([-1.0, 1, 1, 1]), "mirror image"),
        (np.eye(3), r"expected shape \(4, 4\), got \(3, 3\)"),
        (np.zeros((2, 4, 4)) + np.eye(4), r"expected shape \(4, 4\), got \(2, 4, 4\)"),
        (np.eye(4) * np.nan, "expected finite numbers .* got nan"),
        ("pose", "expected numbers .* got 'pose'"),
        (None, "got None"),
        ([[1, 2], [3]], "expected numbers"),
        (np.eye(4) > 0, "got an array of bool"),
        (1.0, r"got \(\)"),
        ("x" * 80, r"xxx\.\.\."),
    ],
)
def test_what_is_not_a_pose_is_refused(T: Any, words: str) -> None:
    with pytest.raises(ModelError, match=f"^base: .*{words}"):
        as_pose(T, "base")


def test_rotation_vector_refuses_what_is_not_a_matrix() -> None:
    wrong: list[Any] = [np.zeros(3), np.full((3, 3), np.nan), "R", None, np.eye(4)]
    for bad in wrong:
        with pytest.raises(ModelError, match=r"^R: expected"):
            rotation_vector(bad)


@pytest.mark.parametrize(
    ("R", "words"),
    [
        (np.diag([1.0, 1.0, -1.0]), "a mirror image"),  # it has no angle, not the angle 0
        (-np.eye(3), "a mirror image"),
        (np.zeros((3, 3)), "right angles by 1, "),
        (1000.0 * np.eye(3), "right angles by 1e\\+06"),
        (1e200 * np.eye(3), "right angles by inf"),
        (np.stack([np.eye(3), np.diag([-1.0, 1.0, 1.0])]), "a mirror image"),
    ],
)
def test_what_is_no_rotation_has_no_rotation_vector(R: Any, words: str) -> None:
    with pytest.raises(ModelError, match=f"^R: expected a rotation, got .*{words}"):
        rotation_vector(R)


def test_few_digits_are_enough_for_an_angle() -> None:
    R = np.round(rotation_matrix([0.2, -0.4, 0.7]), 2)
    np.testing.assert_allclose(rotation_vector(R), [0.2, -0.4, 0.7], atol=0.02)
    assert rotation_vector(np.zeros((0, 3, 3))).shape == (0, 3)


def test_numbers_under_a_mask_are_not_taken() -> None:
    ma: Any = np.ma  # untyped in numpy 1
    T = ma.array(np.eye(4), mask=np.eye(4) == 0)
    with pytest.raises(ModelError, match=r"T_a: expected numbers .*got a masked array"):
        pose_error(T, np.eye(4))
