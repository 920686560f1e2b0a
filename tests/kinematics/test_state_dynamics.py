"""Dynamics of a state: identities that hold whatever the base and the representation."""

from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError, ModelError
from armwright.kinematics import RobotModel, RobotState, loads
from armwright.kinematics.naming import resolve_frame
from armwright.kinematics.state.bodies import body_poses
from tests.kinematics.dynamics_robots import with_drives
from tests.kinematics.robot_states import (
    ALL_KINDS,
    BOTH_BASES,
    KINDS,
    SLOW,
    FloatArray,
    check_pushes,
    inertias,
    rate,
    same,
    some_state,
)

PUSHES: dict[str | tuple[str, int | str], list[float]] = {
    "left hand": [1.0, -2.0, 3.0, 0.5, 0.2, -0.1],
    ("com", "forearm"): [-1.0, 0.3, 0.7, 0.0, 0.4, 0.6],
    ("input", 0): [2.0, 1.0, -5.0, 0.3, 0.1, 0.2],
}


@ALL_KINDS
@BOTH_BASES
def test_the_equation_of_motion(wide: RobotModel, floating: bool, kind: str) -> None:
    state = some_state(with_drives(wide), 1, floating=floating, kind=kind)
    nu, a = state.generalized_velocity, state.generalized_acceleration
    M, C, tau = state.mass_matrix, state.coriolis, state.inverse_dynamics()
    same(M @ a + state.bias_efforts, tau)
    drives = state.model.joint_dynamics
    friction = np.zeros(state.size)
    friction[state.size - wide.dof :] = drives.damping * state.v + drives.friction * np.sign(
        state.v
    )
    same(C @ nu + state.gravity_efforts + friction, state.bias_efforts)
    same(C @ nu, state.coriolis_efforts)
    np.testing.assert_array_equal(M, M.T)
    assert np.linalg.eigvalsh(M)[0] > 0
    same(rate(lambda s: s.mass_matrix, state), C + C.T, SLOW)
    same(0.5 * nu @ M @ nu, state.kinetic_energy)
    same(state.forward_dynamics(tau), a, 1e-9)
    same(state.solve_mass(tau - state.bias_efforts), a, 1e-9)
    same(M @ state.solve_mass(np.eye(state.size)), np.eye(state.size), 1e-9)


@ALL_KINDS
@BOTH_BASES
def test_power_becomes_energy(robot: RobotModel, floating: bool, kind: str) -> None:
    state = some_state(robot, 2, floating=floating, kind=kind)
    power = state.generalized_velocity @ state.inverse_dynamics()
    same(rate(lambda s: s.energy, state), power, SLOW)
    holding = state.generalized_velocity @ state.gravity_efforts
    same(rate(lambda s: s.potential_energy, state), holding, SLOW)
    assert state.energy == state.kinetic_energy + state.potential_energy


@ALL_KINDS
@BOTH_BASES
def test_pushes_from_outside(tree: RobotModel, floating: bool, kind: str) -> None:
    state = some_state(with_drives(tree), 3, floating=floating, kind=kind)
    check_pushes(state, PUSHES)
    # One push is the same push in every representation.
    mixed = state.with_(representation="mixed")
    hand = state.pose(tag="left hand")
    change = {"body": np.kron(np.eye(2), hand[:3, :3].T), "mixed": np.eye(6)}
    change["inertial"] = np.eye(6)
    change["inertial"][3:, :3] = np.cross(hand[:3, 3], np.eye(3)).T
    push = np.array(PUSHES["left hand"])
    ours = state.external_efforts({"left hand": change[kind] @ push})
    same(ours[-tree.dof :], mixed.external_efforts({"left hand": push})[-tree.dof :])
    same(ours @ state.generalized_velocity, push @ mixed.twist(tag="left hand"))


@BOTH_BASES
def test_joint_wrenches_by_newton_and_euler(tree: RobotModel, floating: bool) -> None:
    state = some_state(tree, 4, floating=floating)
    wrenches = state.joint_wrenches(PUSHES)
    assert wrenches.shape == (tree.dof, 6)
    joints = body_poses(state)[:, :, 3]
    for row in range(tree.dof + 1):
        expected = np.zeros(6)
        for i, (mass, own) in enumerate(inertias(tree)):
            body = int(tree._compiled.frames["com"][i, 0])  # type: ignore[index]
            if not row <= body <= (tree._rows[row, 29] if row else tree.dof):
                continue
            T, V, A = state.pose("com", i), state.twist("com", i), state.acceleration("com", i)
            I_world = T[:3, :3] @ own @ T[:3, :3].T
            force = mass * (A[:3] - state.gravity)
            moment = I_world @ A[3:] + np.cross(V[3:], I_world @ V[3:])
            expected += wrench_about(joints[row], T[:3, 3], force, moment)
        for key, push in PUSHES.items():
            frame = ("output", key) if isinstance(key, str) else key
            kind, index = resolve_frame(
                tree, frame[0], *([None, frame[1]] if isinstance(frame[1], str) else [frame[1]])
            )
            body = int(tree._compiled.frames[kind][index, 0])
            if row <= body <= (tree._rows[row, 29] if row else tree.dof):
                p = state.position(frame)
                expected -= wrench_about(joints[row], p, np.array(push[:3]), np.array(push[3:]))
        same(wrenches[row - 1] if row else state.base_wrench(PUSHES), expected)


def wrench_about(
    origin: FloatArray, point: FloatArray, force: FloatArray, moment: FloatArray
) -> FloatArray:
    return np.concatenate([force, moment + np.cross(point - origin, force)])


@BOTH_BASES
def test_joint_wrenches_hold_the_efforts_and_change_with_the_representation(
    tree: RobotModel, floating: bool
) -> None:
    mixed = some_state(tree, 5, floating=floating)
    body, inertial = (mixed.with_(representation=kind) for kind in KINDS[1:])
    wrenches, in_world = body.joint_wrenches(), mixed.joint_wrenches()
    along = np.where(tree._rows[1:, 1] != 0, wrenches[:, 2], wrenches[:, 5])
    same(along * tree._rows[1:, 30], mixed.inverse_dynamics()[-tree.dof :])
    for i in range(tree.dof):
        R, p = mixed.joint_poses[i, :3, :3], mixed.joint_poses[i, :3, 3]
        same(in_world[i], np.kron(np.eye(2), R) @ wrenches[i])
        origin = np.zeros(3)
        same(
            inertial.joint_wrenches()[i],
            wrench_about(origin, p, in_world[i, :3], in_world[i, 3:]),
        )
    R, p = mixed.T_world_base[:3, :3], mixed.T_world_base[:3, 3]
    same(np.kron(np.eye(2), R) @ body.base_wrench(), mixed.base_wrench())
    base = mixed.base_wrench()
    same(inertial.base_wrench(), wrench_about(np.zeros(3), p, base[:3], base[3:]))
    if floating:
        for state in (mixed, body, inertial):
            same(state.base_wrench(PUSHES), state.inverse_dynamics(PUSHES)[:6])


@BOTH_BASES
def test_the_base_wrench_changes_the_momentum(tree: RobotModel, floating: bool) -> None:
    state = some_state(tree, 6, floating=floating, kind="inertial")
    weight = np.concatenate([state.mass * state.gravity, np.zeros(3)])
    weight[3:] = np.cross(state.com, weight[:3])
    same(rate(lambda s: s.momentum, state), state.base_wrench() + weight, SLOW)


@ALL_KINDS
@BOTH_BASES
def test_efforts_are_linear_in_the_parameters(robot: RobotModel, floating: bool, kind: str) -> None:
    state = some_state(robot, 7, floating=floating, kind=kind)
    Y, parameters = state.inverse_dynamics_regressor, state.inertial_parameters
    assert Y.shape == (state.size, len(parameters))
    assert len(parameters) == 10 * (robot.dof + floating)
    same(Y @ parameters, state.inverse_dynamics())
    np.testing.assert_array_equal(parameters[-10 * robot.dof :], robot.inertial_parameters)
    if floating:
        assert parameters[::10].sum() == pytest.approx(state.mass)


def test_a_fixed_base_agrees_with_the_model(robot: RobotModel) -> None:
    model = with_drives(robot)
    q, v, a = np.random.default_rng(8).uniform(-1, 1, size=(3, robot.dof))
    state = RobotState(model, q, v, a)
    pairs: list[tuple[Any, Any]] = [
        (state.mass_matrix, model.mass_matrix(q)),
        (state.coriolis, model.coriolis(q, v)),
        (state.bias_efforts, model.bias_efforts(q, v)),
        (state.gravity_efforts, model.gravity_efforts(q)),
        (state.inverse_dynamics(), model.inverse_dynamics(q, v, a)),
        (state.forward_dynamics(a), model.forward_dynamics(q, v, a)),
        (state.solve_mass(a), model.solve_mass(q, a)),
        (state.kinetic_energy, model.kinetic_energy(q, v)),
        (state.potential_energy, model.potential_energy(q)),
        (state.inverse_dynamics_regressor, model.inverse_dynamics_regressor(q, v, a)),
    ]
    for ours, theirs in pairs:
        same(ours, theirs, 1e-12)
    # Another pose of the base is another base frame.
    moved = some_state(model, 9)
    there = model.with_base_frame(moved.T_world_base)
    g = moved.gravity
    same(moved.bias_efforts, there.bias_efforts(moved.q, moved.v, g))
    same(moved.gravity_efforts, there.gravity_efforts(moved.q, g))
    same(moved.inverse_dynamics(), there.inverse_dynamics(moved.q, moved.v, moved.a, g))


def test_a_falling_robot_needs_nothing(tree: RobotModel) -> None:
    for kind in KINDS:
        state = some_state(with_drives(tree), 10, floating=True, kind=kind)
        free = state.forward_dynamics(np.zeros(state.size))
        falling = state.with_(a=free[6:], base_acceleration=free[:6])
        same(falling.inverse_dynamics(), np.zeros(state.size), 1e-9)
        plain = state.with_(model=tree, v=np.zeros(tree.dof))
        rest = plain.with_(
            base_twist=np.zeros(6), base_acceleration=[0.0] * 6, a=np.zeros(tree.dof)
        )
        falls = rest.with_(representation="mixed", base_acceleration=[*rest.gravity, 0, 0, 0])
        same(falls.inverse_dynamics(), np.zeros(state.size))
        same(falls.com_acceleration, rest.gravity)


@ALL_KINDS
def test_feet_carry_a_free_base(tree: RobotModel, kind: str) -> None:
    state = some_state(tree, 11, floating=True, kind=kind)
    J = np.vstack([state.jacobian(tag="left hand"), state.jacobian(tag="right hand")])
    weights = np.linspace(1, 3, tree.dof)
    plain = state.constrained_inverse_dynamics(J)
    heavy = state.constrained_inverse_dynamics(J, weights, {("input", 0): np.ones(6)})
    needed = state.inverse_dynamics()
    same(np.r_[np.zeros(6), plain.efforts] + J.T @ plain.forces, needed)
    pushed = state.inverse_dynamics({("input", 0): np.ones(6)})
    same(np.r_[np.zeros(6), heavy.efforts] + J.T @ heavy.forces, pushed)
    # No other forces that carry the base need smaller efforts.
    _, _, V = np.linalg.svd(J[:, :6].T)
    for direction in V[6:]:
        slope = J[:, 6:].T @ direction
        assert abs(slope @ plain.efforts) < 1e-9 * np.abs(needed).max()
        assert abs(slope @ (weights * heavy.efforts)) < 1e-9 * np.abs(needed).max()


def test_constraints_of_a_fixed_base(tree: RobotModel) -> None:
    state = some_state(tree, 12)
    needed = state.inverse_dynamics()
    J = state.jacobian(tag="right hand")[:3]
    found = state.constrained_inverse_dynamics(J)
    same(found.efforts + J.T @ found.forces, needed)
    same(J @ found.efforts, np.zeros(3))
    assert np.linalg.norm(found.efforts) < np.linalg.norm(needed)
    none = state.constrained_inverse_dynamics(np.zeros((0, tree.dof)))
    same(none.efforts, needed)
    assert none.forces.shape == (0,)
    twice = state.constrained_inverse_dynamics(np.vstack([J, J]))  # one constraint, said twice
    same(twice.efforts, found.efforts, 1e-8)
    for array in (found.efforts, found.forces):
        assert not array.flags.writeable


@ALL_KINDS
def test_forces_that_cannot_spare_efforts_stay_small(tree: RobotModel, kind: str) -> None:
    # Both frames are on one body: what they can push against each other moves no joint.
    for seed in range(4):
        state = some_state(tree, seed, floating=True, kind=kind)
        one = state.jacobian(tag="left hand")
        J = np.vstack([one, one, state.jacobian(tag="left hand", point=[0.1, 0.2, 0.3])])
        found, needed = state.constrained_inverse_dynamics(J), state.inverse_dynamics()
        same(np.r_[np.zeros(6), found.efforts] + J.T @ found.forces, needed)
        assert np.abs(found.forces).max() < 1e3 * np.abs(needed).max()


def test_constraints_that_cannot_be(tree: RobotModel) -> None:
    state = some_state(tree, 13, floating=True)
    J = state.jacobian(tag="left hand")
    with pytest.raises(ModelError, match="J: no constraint forces give the free base"):
        state.constrained_inverse_dynamics(J[:3])
    with pytest.raises(ModelError, match="no constraint forces"):
        state.constrained_inverse_dynamics(J[:0])
    with pytest.raises(ModelError, match="weights: expected positive numbers, got -1"):
        state.constrained_inverse_dynamics(J, [1.0] * 5 + [-1.0])
    with pytest.raises(ModelError, match="weights: expected 6 numbers, got 5"):
        state.constrained_inverse_dynamics(J, np.ones(5))
    with pytest.raises(ModelError, match=r"J: expected shape \(..., 12\), got \(6, 6\)"):
        state.constrained_inverse_dynamics(J[:, 6:])
    with pytest.raises(ModelError, match=r"J: expected shape \(k, 12\), got \(12,\)"):
        state.constrained_inverse_dynamics(J[0])


def test_what_moves_no_inertia_is_named() -> None:
    bare = loads(
        '<robot version="1.6.0"><rigid-body mass="1" ixx="0.1" iyy="0.1" izz="0.1"/>'
        '<joint axis="rz" tag="wrist"/></robot>'
    )
    for floating in (False, True):
        state = RobotState(bare, [0.1], floating=floating)
        with pytest.raises(ModelError, match="joint 'wrist' moves no inertia"):
            state.forward_dynamics(np.zeros(state.size))
        with pytest.raises(ModelError, match="joint 'wrist' moves no inertia"):
            state.solve_mass(np.zeros(state.size))
    point = loads('<robot version="1.6.0"><rigid-body mass="1"/></robot>')
    with pytest.raises(ModelError, match="free base moves no inertia"):
        RobotState(point, [], floating=True).solve_mass(np.zeros(6))


def test_wrong_efforts_and_wrenches(tree: RobotModel) -> None:
    state = some_state(tree, 14, floating=True)
    with pytest.raises(ModelError, match="tau: expected 12 numbers, got 6"):
        state.forward_dynamics(np.zeros(6))
    with pytest.raises(ModelError, match="tau: expected 12 finite numbers, got nan at index 3"):
        state.forward_dynamics(np.r_[np.zeros(3), np.nan, np.zeros(8)])
    with pytest.raises(ModelError, match="tau: expected 12 numbers, got None"):
        state.forward_dynamics(None)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=r"b: expected shape \(12,\) or \(12, k\), got \(6,\)"):
        state.solve_mass(np.zeros(6))
    with pytest.raises(ModelError, match="finite"):
        state.solve_mass(np.full(12, np.inf))
    with pytest.raises(FrameNotFoundError, match="forearmm"):
        state.inverse_dynamics({"forearmm": np.zeros(6)})
    with pytest.raises(ModelError, match="external wrench at 'forearm'"):
        state.joint_wrenches({"forearm": np.zeros(5)})
