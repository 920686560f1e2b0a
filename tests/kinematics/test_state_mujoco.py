"""States against MuJoCo, base fixed and free, pushed from outside.

MuJoCo knows one representation, the mixed one, with the base's angular velocity in its own axes.
One random state of each robot in the quick run, 100 in the slow one; robots and tolerances as in
``test_state_peers.py``.
"""

from types import ModuleType

import numpy as np
import pytest

from armwright.kinematics import RobotState
from tests.kinematics.peer_robots import EQUAL, MANY, all_robots, moving, pushes
from tests.kinematics.robot_states import BOTH_BASES, same
from tests.kinematics.test_dynamics_peers import moves_nothing
from tests.pin_models import MujocoTwin, Tree

COUNT = pytest.mark.parametrize("count", [1, pytest.param(3 * MANY - 2, marks=pytest.mark.slow)])


@pytest.fixture(scope="module")
def mujoco() -> ModuleType:
    return pytest.importorskip("mujoco", reason="compares with MuJoCo")  # type: ignore[no-any-return]


@COUNT
@BOTH_BASES
def test_everything_against_mujoco(mujoco: ModuleType, floating: bool, count: int) -> None:
    rng = np.random.default_rng(6 + count)
    for model, tree in all_robots():
        twin = MujocoTwin(mujoco, tree, free=floating)
        singular = moves_nothing(tree) or (floating and tree.root.inertial()[0] < 1e-3)
        for _ in range(count):
            state = moving(model, rng, floating=floating)
            compare_efforts(state, twin, rng, singular=singular)
            compare_motion(state, twin, rng)


def compare_efforts(
    state: RobotState, twin: MujocoTwin, rng: np.random.Generator, *, singular: bool
) -> None:
    T = np.array(state.T_world_base) if state.floating else None
    nu, a = state.generalized_velocity, state.generalized_acceleration
    wrenches, theirs = pushes(state, twin.tree, rng)
    same(state.mass_matrix, twin.mass_matrix(state.q, T), EQUAL)
    efforts = twin.external_efforts(state.q, theirs, T)
    same(state.external_efforts(wrenches), efforts, EQUAL)
    tau = twin.inverse_dynamics(state.q, nu, a, T)
    same(state.inverse_dynamics(), tau, EQUAL)
    same(state.inverse_dynamics(wrenches), tau - efforts, EQUAL)
    still = np.zeros(state.size)
    same(state.bias_efforts, twin.inverse_dynamics(state.q, nu, still, T), EQUAL)
    same(state.gravity_efforts, twin.inverse_dynamics(state.q, still, still, T), EQUAL)
    if not singular:
        needed = tau - efforts
        same(state.forward_dynamics(needed, wrenches), a, 1e-8)
        # What MuJoCo makes of the same efforts; its own error grows with the condition number.
        same(twin.forward_dynamics(state.q, nu, needed + efforts, T), a, 1e-6)


def compare_motion(state: RobotState, twin: MujocoTwin, rng: np.random.Generator) -> None:
    mujoco, tree = twin.mujoco, twin.tree
    T = np.array(state.T_world_base) if state.floating else None
    nu, X = state.generalized_velocity, twin.mixing(T)
    twin.set(state.q, nu, T)
    for call in ("mj_kinematics", "mj_comPos", "mj_fwdVelocity", "mj_comVel", "mj_subtreeVel"):
        getattr(mujoco, call)(twin.model, twin.data)
    index = int(rng.integers(state.model.n_elements))
    body, placement = tree.inputs[index]
    frame = ("input", index)
    number, point = twin.point(body, placement)
    same(state.position(frame), point, EQUAL)
    R = twin.data.xmat[number].reshape(3, 3) @ placement[:3, :3]
    same(state.orientation(frame), R, EQUAL)
    J = twin.jacobian(body, placement) @ X
    same(state.jacobian(frame), J, EQUAL)
    same(state.twist(frame), J @ nu, EQUAL)
    # The rate of their Jacobian times their velocity: the base's angular velocity, in its own
    # axes, has the same rate as ours turned, so that both biases are the same.
    rate = twin.jacobian(body, placement, rate=True)
    same(state.bias_acceleration(frame), rate @ (X @ nu), EQUAL)
    if tree_mass(tree) == 0.0:
        return
    com = np.array(twin.data.subtree_com[1])
    same(state.com, com, EQUAL)
    same(state.com_velocity, twin.data.subtree_linvel[1], EQUAL)
    same(state.centroidal_momentum[3:], twin.data.subtree_angmom[1], EQUAL)
    J_com = np.zeros((3, twin.model.nv))
    mujoco.mj_jacSubtreeCom(twin.model, twin.data, J_com, 1)
    same(state.com_jacobian, J_com @ X, EQUAL)
    mujoco.mj_energyPos(twin.model, twin.data)
    mujoco.mj_energyVel(twin.model, twin.data)
    same(state.potential_energy, twin.data.energy[0], EQUAL)
    same(state.kinetic_energy, twin.data.energy[1], EQUAL)


def tree_mass(tree: Tree) -> float:
    """The mass of everything."""
    return sum(body.inertial()[0] for body in (tree.root, *tree.bodies))
