"""States write into arrays of the caller; full width and names with a free base."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from armwright.errors import ModelError
from armwright.kinematics import RobotModel, RobotState
from tests.kinematics.dynamics_robots import with_drives
from tests.kinematics.robot_states import KINDS, some_state

HAND, ELBOW = ("output", 2), ("output", 0)
PUSH = {HAND: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}
CALLS: dict[str, Callable[..., Any]] = {
    "pose": lambda s, **o: s.pose(HAND, **o),
    "poses": lambda s, **o: s.poses("output", **o),
    "poses of a list": lambda s, **o: s.poses([HAND, ELBOW], **o),
    "position": lambda s, **o: s.position(HAND, **o),
    "position there": lambda s, **o: s.position(HAND, reference=ELBOW, **o),
    "orientation": lambda s, **o: s.orientation(HAND, **o),
    "orientation there": lambda s, **o: s.orientation(HAND, reference=ELBOW, **o),
    "twist": lambda s, **o: s.twist(HAND, **o),
    "twist of a point": lambda s, **o: s.twist(HAND, point=[1, 2, 3], **o),
    "acceleration": lambda s, **o: s.acceleration(HAND, **o),
    "bias_acceleration": lambda s, **o: s.bias_acceleration(HAND, **o),
    "jacobian": lambda s, **o: s.jacobian(HAND, **o),
    "jacobian in": lambda s, **o: s.jacobian(HAND, expressed_in=ELBOW, **o),
    "relative_pose": lambda s, **o: s.relative_pose(HAND, ELBOW, **o),
    "relative_pose_explicit": lambda s, **o: s.relative_pose_explicit(HAND, HAND, ELBOW, HAND, **o),
    "relative_twist": lambda s, **o: s.relative_twist(HAND, ELBOW, **o),
    "relative_acceleration": lambda s, **o: s.relative_acceleration(HAND, ELBOW, **o),
    "relative_bias": lambda s, **o: s.relative_bias_acceleration(HAND, ELBOW, **o),
    "relative_jacobian": lambda s, **o: s.relative_jacobian(HAND, ELBOW, **o),
    "relative_jacobian full": lambda s, **o: s.relative_jacobian(HAND, ELBOW, full=True, **o),
    "relative_jacobian_explicit": lambda s, **o: s.relative_jacobian_explicit(
        HAND, ELBOW, origin=ELBOW, axes=HAND, **o
    ),
    "solve_mass": lambda s, **o: s.solve_mass(np.ones((s.size, 2)), **o),
    "inverse_dynamics": lambda s, **o: s.inverse_dynamics(PUSH, **o),
    "forward_dynamics": lambda s, **o: s.forward_dynamics(np.ones(s.size), PUSH, **o),
    "external_efforts": lambda s, **o: s.external_efforts(PUSH, **o),
    "joint_wrenches": lambda s, **o: s.joint_wrenches(PUSH, **o),
    "base_wrench": lambda s, **o: s.base_wrench(PUSH, **o),
}


@pytest.mark.parametrize("call", CALLS)
def test_out_is_filled_and_returned(wide: RobotModel, call: str) -> None:
    robot = with_drives(wide)
    states = [some_state(robot, floating=f, kind=k) for f in (False, True) for k in KINDS]
    states.append(RobotState(robot, np.full(robot.dof, 0.3), np.full(robot.dof, 0.2)))
    for state in states:
        expected = CALLS[call](state)
        out = np.full(expected.shape, np.nan)
        assert CALLS[call](state, out=out) is out
        np.testing.assert_array_equal(out, expected)
        assert expected.base is None or expected.flags.writeable  # the caller's own
        with pytest.raises(ModelError, match="out: expected a writable C-contiguous float64"):
            CALLS[call](state, out=np.zeros(expected.shape, dtype=np.float32))
        with pytest.raises(ModelError, match="out: expected"):
            CALLS[call](state, out=np.zeros((*expected.shape, 2)))


@pytest.mark.parametrize("floating", [False, True])
def test_relative_jacobians_of_full_width(wide: RobotModel, floating: bool) -> None:
    robot = wide
    for kind in KINDS:
        state = some_state(robot, floating=floating, kind=kind)
        J = state.relative_jacobian(HAND, ELBOW, full=True)
        assert J.shape == (6, state.size)
        np.testing.assert_allclose(
            J @ state.generalized_velocity, state.relative_twist(HAND, ELBOW), atol=1e-12
        )
        narrow = state.relative_jacobian(HAND, ELBOW)
        np.testing.assert_array_equal(J[:, state.size - robot.dof :], narrow)
        if floating:
            assert (J[:, :6] == 0).all()
            pattern = robot.relative_jacobian_sparsity(HAND, ELBOW, full=True)
            assert pattern.shape == J.shape
            assert not (J[~pattern] != 0).any()
        W = state.relative_jacobian_explicit(HAND, ELBOW, origin=HAND, axes=ELBOW, full=True)
        assert W.shape == (6, state.size)
    with pytest.raises(ModelError, match="full: expected True or False"):
        state.relative_jacobian(HAND, ELBOW, full=1)  # type: ignore[arg-type]


def test_places_and_names_of_the_velocities_of_a_state(robot: RobotModel) -> None:
    names = robot.joint_names
    for model in (robot, robot.with_floating_base()):
        for floating in (False, True):
            state = some_state(model, floating=floating)
            nu = state.generalized_velocity
            tree = state.topology
            assert tree.free_flyer is floating
            assert tree.n_v == state.size
            np.testing.assert_array_equal(nu[list(tree.v_starts)], state.v)
            assert state.velocity_names == tree.velocity_names
            named = dict(zip(state.velocity_names, nu.tolist(), strict=True))
            assert [named[name] for name in names] == state.v.tolist()
            places = model.joint_indices(list(names[::-1]), full=floating)
            np.testing.assert_array_equal(nu[list(places)], state.v[::-1])
            S = model.selection(list(names[::-1]), full=floating)
            np.testing.assert_array_equal(S @ nu, state.v[::-1])
            if floating:
                twist = [named[name] for name in state.velocity_names[:6]]
                assert twist == state.base_twist.tolist()
    floating_names = some_state(robot, floating=True).velocity_names[:6]
    assert floating_names[0] == "base_linear_x"
    assert floating_names[5] == "base_angular_z"


def test_efforts_of_a_free_base_by_name(wide: RobotModel) -> None:
    robot = with_drives(wide)
    state = some_state(robot, floating=True)
    tau = np.linspace(-1, 1, state.size)
    named = dict(zip(state.velocity_names, tau.tolist(), strict=True))
    np.testing.assert_array_equal(state.forward_dynamics(named), state.forward_dynamics(tau))
    named.pop("base_linear_z")
    with pytest.raises(ModelError, match=r"tau: expected .*missing: base_linear_z"):
        state.forward_dynamics(named)
