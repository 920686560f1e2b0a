"""Patterns of Jacobians: never 0 where a Jacobian is not, and no column too many."""

from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError
from armwright.kinematics import RobotModel, RobotState
from tests.kinematics.robot_states import KINDS, FloatArray, some_state

FRAMES: list[tuple[str, int]] = [("output", 3), ("input", 0), ("com", 2), ("endeffector", 1)]
PAIRS: list[tuple[Any, Any]] = [
    ("left hand", "right hand"),
    (("com", "forearm"), ("output", "trunk")),
    (("output", "left"), ("input", "body")),
    (("input", 0), "right hand"),
]


def seen(jacobians: list[FloatArray]) -> Any:
    """Where any of the Jacobians is other than 0 by more than rounding."""
    return np.abs(jacobians).max(axis=0) > 1e-12


@pytest.mark.parametrize("floating", [False, True])
def test_what_moves_and_how(tree: RobotModel, floating: bool) -> None:
    for frame in FRAMES:
        pattern = tree.jacobian_sparsity(*frame, floating=floating)
        assert pattern.dtype == bool
        assert pattern.shape == (6, tree.dof + 6 * floating)
        states = [
            some_state(tree, seed, floating=floating, kind=kind)
            for seed in range(4)
            for kind in KINDS
        ]
        # Askew bases fill what can be filled: the pattern is that of three axes at once.
        axes: list[Any] = [("output", i) for i in range(tree.frame_count("output"))]
        some = [s.jacobian(frame) for s in states]
        some += [s.jacobian(frame, expressed_in=other) for s in states for other in axes]
        some += [s.jacobian(frame, point=[0.1, -0.2, 0.3]) for s in states]
        np.testing.assert_array_equal(pattern, seen(some))


def test_a_tree_by_hand(tree: RobotModel) -> None:
    # trunk - left - joint3 (slides), and trunk - right (slides) - joint5 - joint6
    left = tree.jacobian_sparsity(tag="left hand").astype(int)
    np.testing.assert_array_equal(left[:3], [[1, 1, 1, 0, 0, 0]] * 3)
    np.testing.assert_array_equal(left[3:], [[1, 1, 0, 0, 0, 0]] * 3)
    pattern = tree.relative_jacobian_sparsity("left hand", "right hand").astype(int)
    np.testing.assert_array_equal(pattern[:3], [[0, 1, 1, 1, 1, 1]] * 3)
    np.testing.assert_array_equal(pattern[3:], [[0, 1, 0, 0, 1, 1]] * 3)
    free = tree.jacobian_sparsity(tag="left hand", floating=True).astype(int)
    np.testing.assert_array_equal(free[:3, :6], np.ones((3, 6)))
    np.testing.assert_array_equal(free[3:, :6], [[0, 0, 0, 1, 1, 1]] * 3)
    np.testing.assert_array_equal(free[:, 6:], left)


def test_relative_motion(tree: RobotModel) -> None:
    for frame, reference in PAIRS:
        pattern = tree.relative_jacobian_sparsity(frame, reference)
        states = [some_state(tree, seed, kind=kind) for seed in range(6) for kind in KINDS]
        some = [s.relative_jacobian(frame, reference) for s in states]
        away: list[Any] = [("output", i) for i in range(tree.frame_count("output"))]
        some += [
            s.relative_jacobian_explicit(frame, reference, origin=other, axes=other)
            for s in states
            for other in away
        ]
        np.testing.assert_array_equal(pattern, seen(some))
        back = tree.relative_jacobian_sparsity(reference, frame)
        np.testing.assert_array_equal(pattern, back)
    assert not tree.relative_jacobian_sparsity("left hand", ("input", "left"))[:, 0].any()


def test_a_base_elsewhere(tree: RobotModel) -> None:
    walker = tree.with_floating_base("right hand")
    pattern = walker.jacobian_sparsity(tag="left hand")
    assert pattern.shape == (6, tree.dof + 6)
    relative = tree.relative_jacobian_sparsity("left hand", "right hand")
    np.testing.assert_array_equal(pattern[:, 6:], relative)
    states = [RobotState(walker, q) for q in np.random.default_rng(0).normal(size=(6, tree.dof))]
    J = [state.jacobian(tag="left hand") for state in states]
    assert not (seen(J) & ~pattern).any()
    still = walker.jacobian_sparsity(tag="left hand", floating=False)
    np.testing.assert_array_equal(still, tree.jacobian_sparsity(tag="left hand"))


def test_wrong_frames(tree: RobotModel) -> None:
    with pytest.raises(FrameNotFoundError, match="2 endeffector frames"):
        tree.jacobian_sparsity()
    with pytest.raises(FrameNotFoundError, match="alone"):
        tree.jacobian_sparsity(("output", 0), 0)
    with pytest.raises(FrameNotFoundError, match="2 endeffector frames"):
        tree.relative_jacobian_sparsity(None, "left hand")
    with pytest.raises(FrameNotFoundError, match="left hand"):
        tree.relative_jacobian_sparsity("left hnd", "right hand")
