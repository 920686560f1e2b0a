"""The change of coordinates of a state: its matrices by differences, and what must stay exact."""

from typing import Any

import numpy as np
import pytest

from armwright.kinematics import RobotModel, RobotState
from armwright.kinematics.state import coordinates as coords
from armwright.kinematics.state.bodies import root_twist, root_velocity
from tests.kinematics.robot_states import ALL_KINDS, SLOW, FloatArray, rate, same, some_state

BASES: list[Any] = [None, ("output", "right hand"), ("com", "forearm"), ("input", 0)]
ALL_BASES = pytest.mark.parametrize("base", BASES, ids=["root", "hand", "forearm", "first"])

pytestmark = pytest.mark.kernels


def floating(model: RobotModel, base: Any, kind: str) -> RobotState:
    """A random state that floats at a frame."""
    return some_state(model.with_floating_base(base), 3, floating=True, kind=kind)


def matrix(change: coords.Coordinates | None, dof: int) -> FloatArray:
    """The whole matrix B."""
    B = np.eye(dof + 6)
    if change is not None:
        B[:6, :6] = change.X
        if change.Y is not None:
            B[:6, 6:] = change.Y
    return B


def of(state: RobotState) -> FloatArray:
    """The whole matrix B of a state."""
    return matrix(coords.coordinates(state), state.model.dof)


@ALL_KINDS
@ALL_BASES
def test_velocities_and_accelerations_by_differences(
    tree: RobotModel, base: Any, kind: str
) -> None:
    state = floating(tree, base, kind)
    B, nu = of(state), state.generalized_velocity
    same(B @ nu, root_velocity(state), 1e-12)
    same(root_twist(state), state.twist(("input", 0), representation="mixed"), 1e-12)
    same(coords.root_acceleration(state), rate(root_velocity, state), SLOW)
    change = coords.coordinates(state)
    drift = np.zeros(12)
    if change is not None:
        drift[:6] = change.drift
        same(change.X @ change.X_inverse, np.eye(6), 1e-12)
        same(change.X_rate, rate(lambda s: of(s)[:6, :6], state), SLOW)
    same(drift, rate(of, state) @ nu, SLOW)
    same(coords.root_acceleration(state), B @ state.generalized_acceleration + drift, 1e-12)


@ALL_KINDS
@ALL_BASES
def test_products_are_those_with_the_whole_matrix(tree: RobotModel, base: Any, kind: str) -> None:
    state, rng = floating(tree, base, kind), np.random.default_rng(0)
    B, change = of(state), coords.coordinates(state)
    A = np.linalg.inv(B)
    J, columns, six = rng.normal(size=(4, 12)), rng.normal(size=(12, 3)), rng.normal(size=12)
    same(coords.to_columns(J, change), J @ B, 1e-12)
    for value in (columns, six):
        same(coords.to_rows(value, change), B.T @ value, 1e-12)
        same(coords.from_rows(value, change), A.T @ value, 1e-12)
        same(coords.to_velocities(value, change), A @ value, 1e-12)
    same(
        coords.to_accelerations(coords.root_acceleration(state), change),
        state.generalized_acceleration,
        1e-12,
    )


@ALL_KINDS
@ALL_BASES
def test_zeros_of_jacobians_stay_exact(tree: RobotModel, base: Any, kind: str) -> None:
    state = floating(tree, base, kind)
    zeros = 0
    for frame_type in ("output", "com", "endeffector"):
        for number in range(state.model.frame_count(frame_type)):
            pattern = state.model.jacobian_sparsity(frame_type, number)
            J = state.jacobian(frame_type, number)
            assert not J[~pattern].any()
            zeros += int((~pattern).sum())
    assert zeros > 50  # else this shows nothing


@ALL_KINDS
def test_a_fixed_base_has_none_but_writes_its_momenta(tree: RobotModel, kind: str) -> None:
    state = some_state(tree, 4, kind=kind)
    assert coords.coordinates(state) is None
    change = coords.base_coordinates(state)
    assert (change is None) == (kind == "mixed")
    if change is not None:
        assert change.Y is None
        assert not change.X_rate.any()
        assert not change.drift.any()


def test_where_nothing_changes_nothing_is_multiplied(tree: RobotModel) -> None:
    state = some_state(tree, 5, floating=True)
    assert coords.coordinates(state) is None
    value = np.ones(12)
    for function in (
        coords.to_rows,
        coords.from_rows,
        coords.to_velocities,
        coords.to_accelerations,
    ):
        assert function(value, None) is value
    assert coords.to_columns(value[None], None).base is value


def test_coordinates_are_kept(tree: RobotModel) -> None:
    state = floating(tree, ("com", "forearm"), "body")
    assert coords.coordinates(state) is coords.coordinates(state, state.representation)
    assert coords.coordinates(state) is coords.base_coordinates(state)
