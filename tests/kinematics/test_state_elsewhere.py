"""States that float at another frame than the first element: the same motion, other six numbers."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError
from armwright.kinematics import RobotModel, RobotState
from tests.kinematics.dynamics_robots import with_drives
from tests.kinematics.robot_states import (
    ALL_KINDS,
    KINDS,
    SLOW,
    FloatArray,
    check_pushes,
    floating_at,
    rate,
    same,
    some_state,
)
from tests.kinematics.test_state_dynamics import PUSHES
from tests.kinematics.test_state_frames import PAIRS, check_motion
from tests.kinematics.test_state_momentum import LINEAR, check_rates

BASES: list[tuple[str, Any]] = [("output", "right hand"), ("com", "forearm"), ("input", 0)]
ALL_BASES = pytest.mark.parametrize("base", BASES)


def both(
    model: RobotModel, base: tuple[str, Any], seed: int, kind: str
) -> tuple[RobotState, RobotState]:
    """One moment for the frame of the first element, and for the chosen one."""
    root = some_state(model, seed, floating=True, kind=kind)
    return root, floating_at(root, base)


@ALL_KINDS
@ALL_BASES
def test_it_is_the_same_motion(tree: RobotModel, base: tuple[str, Any], kind: str) -> None:
    root, state = both(with_drives(tree), base, 1, kind)
    assert (state.floating, state.size, state.representation) == (True, 12, kind)
    frames: list[tuple[str, Any]] = [("input", 0), ("com", "forearm"), ("output", "left hand")]
    for frame in frames:
        same(state.pose(frame), root.pose(frame))
        same(state.twist(frame), root.twist(frame))
        same(state.acceleration(frame), root.acceleration(frame))
    same(state.pose(base), state.T_world_base)
    same(state.twist(base), state.base_twist)
    same(state.acceleration(base), state.base_acceleration)
    same(state.poses("com"), root.poses("com"))
    for frame, reference in PAIRS:
        for name in ("pose", "twist", "acceleration", "bias_acceleration", "jacobian"):
            ours, theirs = (getattr(s, f"relative_{name}")(frame, reference) for s in (state, root))
            same(ours, theirs)
    for name in ("com", "com_velocity", "com_acceleration", "kinetic_energy", "potential_energy"):
        same(getattr(state, name), getattr(root, name))
    assert state.mass == root.mass
    power = state.generalized_velocity @ state.inverse_dynamics()
    same(power, root.generalized_velocity @ root.inverse_dynamics())
    if base == ("input", 0):  # where the first element is attached: nothing differs at all
        for name in ("mass_matrix", "coriolis", "bias_efforts", "momentum", "average_velocity"):
            same(getattr(state, name), getattr(root, name), 1e-9)


@ALL_KINDS
@ALL_BASES
def test_frames_by_differences(tree: RobotModel, base: tuple[str, Any], kind: str) -> None:
    _, state = both(tree, base, 2, kind)
    for frame_type, index in [("output", 3), ("com", 0), ("endeffector", 1)]:
        check_motion(state, (frame_type, index), kind)
    J = state.jacobian(base)
    same(J, np.eye(6, 12))
    same(state.bias_acceleration(base), np.zeros(6))
    pattern = state.model.jacobian_sparsity(("com", "forearm"))
    assert not state.jacobian(("com", "forearm"))[~pattern].any()


@ALL_KINDS
@ALL_BASES
def test_momenta_by_differences(tree: RobotModel, base: tuple[str, Any], kind: str) -> None:
    root, state = both(tree, base, 3, kind)
    nu = state.generalized_velocity
    for name in LINEAR:
        check_rates(state, name)
    same(state.com_jacobian @ nu, state.com_velocity)
    same(state.com_bias_acceleration, rate(lambda s: s.com_jacobian, state) @ nu, SLOW)
    same(state.locked_inertia @ state.average_velocity, state.momentum)
    same(state.locked_inertia, state.mass_matrix[:6, :6])
    if kind == "inertial":  # about the world's origin, whatever the base
        same(state.momentum, root.momentum)
    if kind != "body":
        same(state.centroidal_locked_inertia, root.centroidal_locked_inertia)


@ALL_KINDS
@ALL_BASES
def test_the_equation_of_motion(tree: RobotModel, base: tuple[str, Any], kind: str) -> None:
    _, state = both(with_drives(tree), base, 4, kind)
    nu, a = state.generalized_velocity, state.generalized_acceleration
    M, C, tau = state.mass_matrix, state.coriolis, state.inverse_dynamics()
    same(M @ a + state.bias_efforts, tau)
    drives = state.model.joint_dynamics
    friction = np.r_[np.zeros(6), drives.damping * state.v + drives.friction * np.sign(state.v)]
    same(C @ nu + state.gravity_efforts + friction, state.bias_efforts)
    same(C @ nu, state.coriolis_efforts)
    same(rate(lambda s: s.mass_matrix, state), C + C.T, SLOW)
    same(0.5 * nu @ M @ nu, state.kinetic_energy)
    same(state.forward_dynamics(tau), a, 1e-9)
    same(state.solve_mass(tau - state.bias_efforts), a, 1e-9)
    same(M @ state.solve_mass(np.eye(12)), np.eye(12), 1e-9)
    same(state.inverse_dynamics_regressor @ state.inertial_parameters, _bare(state))
    same(rate(lambda s: s.potential_energy, state), nu @ state.gravity_efforts, SLOW)


def _bare(state: RobotState) -> FloatArray:
    drives = state.model.joint_dynamics
    plain = state.model.with_joint_dynamics(rotor_inertia=0, damping=0, friction=0)
    assert drives.rotor_inertia.any()
    return state.with_(model=plain).inverse_dynamics()


@ALL_KINDS
@ALL_BASES
def test_pushes_and_wrenches(tree: RobotModel, base: tuple[str, Any], kind: str) -> None:
    for index in (0, 1):  # so that every joint moves inertia
        tree = tree.with_payload(0.3, [0.1, 0.05, 0.02], index=index)
    root, state = both(tree, base, 5, kind)
    tau = check_pushes(state, PUSHES)
    # What carries the base acts on that frame: with it as a push, the first element needs nothing.
    carried = state.base_wrench(PUSHES)
    same(carried, tau[:6])
    more: dict[Any, Any] = {**PUSHES, state.model.floating_base: np.ones(6)}
    for pushes in (PUSHES, more):
        whole = [*pushes.items(), (base, state.base_wrench(pushes))]
        total = sum((root.external_efforts({key: w}) for key, w in whole), np.zeros(12))
        needed = root.inverse_dynamics() - total
        same(needed[:6], np.zeros(6), 1e-9)
        same(needed[6:], state.inverse_dynamics(pushes)[6:])
        along = state.with_(representation="body").joint_wrenches(_in_own_axes(state, pushes))
        slides = tree._rows[1:, 1] != 0
        axial = np.where(slides, along[:, 2], along[:, 5]) * tree._rows[1:, 30]
        same(axial, needed[6:], 1e-9)


def _in_own_axes(state: RobotState, pushes: Any) -> dict[Any, FloatArray]:
    """The same pushes in the axes of their frames, about their origins."""
    found = {}
    for key, wrench in pushes.items():
        F = np.array(wrench, dtype=float)
        T = state.pose(tag=key) if isinstance(key, str) else state.pose(key)
        if state.representation == "inertial":
            F[3:] -= np.cross(T[:3, 3], F[:3])
        if state.representation != "body":
            F = np.kron(np.eye(2), T[:3, :3].T) @ F
        found[key] = F
    return found


def test_constraints_carry_another_base(tree: RobotModel) -> None:
    _, state = both(tree, BASES[1], 6, "mixed")
    J = np.vstack([state.jacobian(tag="left hand"), state.jacobian(tag="right hand")])
    found = state.constrained_inverse_dynamics(J)
    same(np.r_[np.zeros(6), found.efforts] + J.T @ found.forces, state.inverse_dynamics())


def test_where_it_is_when_nobody_says(tree: RobotModel) -> None:
    q = np.linspace(-1, 1, tree.dof)
    walker = tree.with_floating_base("right hand")
    assert walker.floating_base == tree.frame("right hand")
    state = RobotState(walker, q)
    assert state.floating
    same(state.T_world_base, RobotState(tree, q).pose(tag="right hand"), 1e-14)
    same(state.pose(("input", 0)), tree.base_frame, 1e-14)
    there = state.with_(q=-q)  # the base stays, all else moves about it
    np.testing.assert_array_equal(there.T_world_base, state.T_world_base)
    fixed = state.with_(floating=False)
    assert type(fixed) is RobotState
    same(fixed.T_world_base, tree.base_frame, 1e-14)
    same(fixed.mass_matrix, tree.mass_matrix(q), 1e-13)
    again = fixed.with_(floating=True)
    same(again.T_world_base, state.T_world_base, 1e-14)
    imu = fixed.with_base_from_imu(np.eye(3), frame="right hand")
    same(imu.pose(tag="right hand")[:3, :3], np.eye(3), 1e-14)
    same(imu.T_world_base[:3, 3], state.T_world_base[:3, 3], 1e-14)
    plain = state.with_(model=tree)
    assert type(plain) is RobotState
    same(plain.pose(("input", 0)), state.T_world_base, 1e-14)  # numbers stay


@ALL_KINDS
def test_copies_and_pickles(tree: RobotModel, kind: str) -> None:
    _, state = both(tree, BASES[0], 7, kind)
    assert copy.deepcopy(state) is state
    again = pickle.loads(pickle.dumps(state))
    for name in ("mass_matrix", "bias_efforts", "base_twist", "T_world_base", "momentum"):
        np.testing.assert_array_equal(getattr(again, name), getattr(state, name))
        with pytest.raises(ValueError, match="read-only"):
            getattr(state, name)[...] = 0.0
    for other in KINDS:
        turned = state.with_(representation=other)
        assert turned.kinetic_energy == pytest.approx(state.kinetic_energy, rel=1e-12)
        same(turned.with_(representation=kind).base_acceleration, state.base_acceleration, 1e-12)


def test_the_model_keeps_everything_else(tree: RobotModel, tmp_path: Path) -> None:
    walker = tree.with_floating_base(("endeffector", 1))
    assert walker != tree
    assert walker.topology.free_flyer
    assert walker.topology.n_v == tree.dof + 6
    q = np.linspace(-1, 1, tree.dof)
    assert walker.mass_matrix(q).tobytes() == tree.mass_matrix(q).tobytes()
    assert walker.joint_names == tree.joint_names
    standing = tree.with_floating_base()
    assert standing.floating_base is None
    state = RobotState(standing, q)
    same(state.mass_matrix, RobotState(tree, q, floating=True).mass_matrix, 1e-15)
    assert walker.subtree(tag="left").floating_base is None
    assert walker.with_payload(1.0, index=0).floating_base == walker.floating_base
    assert walker.with_floating_base() == standing
    walker.save(tmp_path / "walker.npz")
    for again in (RobotModel.load(tmp_path / "walker.npz"), pickle.loads(pickle.dumps(walker))):
        assert again == walker
        assert again.floating_base == walker.floating_base
        same(RobotState(again, q).mass_matrix, RobotState(walker, q).mass_matrix, 1e-15)


@pytest.mark.parametrize(
    ("frame", "text"),
    [("right hnad", "right hand"), (("output", 99), "expected 0 to"), (3, "as key, got 3")],
)
def test_no_such_frame(tree: RobotModel, frame: object, text: str) -> None:
    with pytest.raises(FrameNotFoundError, match=text):
        tree.with_floating_base(frame)  # type: ignore[arg-type]
