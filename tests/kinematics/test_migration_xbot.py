"""Every row of the table from XBot's calls to ours, our side run against what XBot's manual says.

XBot does not install with pip. What its manual says of each call is written out here with numpy
from poses, Jacobians and differences in time.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from armwright import load
from armwright.kinematics import RobotModel, RobotState
from tests.kinematics.migration import Table
from tests.kinematics.robot_states import FloatArray, later, rate, same, some_state
from tests.project.sources import ROOT

table = Table("dynamics.md", "### XBot ModelInterface")
CLOSE = 1e-10
ARMS = ROOT / "examples" / "arms"


class Robot:
    """A robot with two arms and groups, standing and floating."""

    def __init__(self) -> None:
        model = load(ARMS / "two_armed.hrdf").with_groups(ARMS / "two_armed.groups.yaml")
        self.model: RobotModel = model.with_joint_dynamics(rotor_inertia=0.01)
        self.fixed = some_state(self.model, 3)
        self.floating = some_state(self.model, 4, floating=True)
        self.source, self.target = ("endeffector", 0), ("output", 2)

    def same(self, ours: Any, theirs: Any, close: float = CLOSE) -> None:
        same(np.asarray(ours), np.asarray(theirs), close)


@pytest.fixture(scope="module")
def robot() -> Robot:
    return Robot()


def test_every_row_is_run() -> None:
    assert table.missing() == set()


@pytest.mark.parametrize("key", table.rows)
def test_a_row(robot: Robot, key: str) -> None:
    table.runs[key](robot)


@table("chain")
def _(robot: Robot) -> None:
    model = robot.model
    assert len(model.arms) >= 2
    assert model.arm(0) == model.arms[0] == model.chain(model.arms[0].name)
    assert model.legs == ()


@table("getModelOrderedJoints")
def _(robot: Robot) -> None:
    names = robot.floating.velocity_names
    assert names[6:] == robot.model.joint_names  # the first six are virtual
    assert len(names) == robot.floating.size == robot.model.dof + 6
    assert robot.fixed.velocity_names == robot.model.joint_names


@table("getEnabledJointNames")
def _(robot: Robot) -> None:
    assert len(robot.model.joint_names) == robot.model.dof


@table("hasJoint")
def _(robot: Robot) -> None:
    for joint, name in enumerate(robot.model.joint_names):
        assert robot.model.has_frame(name, "joint")
        assert robot.model.joint_index(name) == joint
        assert robot.model.joint_info(name).index == joint
        assert robot.model.joint_info(joint).name == name
    name = robot.model.frame_names("body")[0]
    assert robot.model.frame_name(*robot.model.frame(robot.model.frame_info(name).frame)) == name


@table("getDofIndex")
def _(robot: Robot) -> None:
    chain = robot.model.arms[1]
    nu = robot.floating.generalized_velocity
    places = list(robot.model.joint_indices(chain, full=True))
    robot.same(nu[places], robot.floating.v[list(robot.model.joint_indices(chain))])


@table("getRobotState(state_name)")
def _(robot: Robot) -> None:
    for q in robot.model.reference_configurations.values():
        assert q.shape == (robot.model.dof,)
    assert len(robot.model.reference_configurations) > 0


@table("syncFrom")
def _(robot: Robot) -> None:
    said: Any = SimpleNamespace(position=robot.fixed.q, velocity=robot.fixed.v)
    state = RobotState.from_feedback(robot.model, said, fields=("position",))
    robot.same(state.q, robot.fixed.q)
    assert not state.v.any()
    robot.same(state.replace(v=robot.fixed.v).v, robot.fixed.v)


@table("getJointPosition")
def _(robot: Robot) -> None:
    q, v, a = np.arange(27.0).reshape(3, 9)[:, : robot.model.dof]
    state = robot.fixed.replace(q=q, v=v, a=a)
    for ours, theirs in ((state.q, q), (state.v, v), (state.a, a)):
        robot.same(ours, theirs)


@table("eigenToMap")
def _(robot: Robot) -> None:
    chain = robot.model.arms[0]
    some = robot.model.to_map(robot.fixed.q, chain)
    assert list(some) == list(chain.joint_names)
    numbers = robot.model.to_map(robot.fixed.q, by="number")
    robot.same(robot.model.from_map(numbers), robot.fixed.q)
    robot.same(robot.model.from_map(some, default=robot.fixed.q), robot.fixed.q)


@table("isFloatingBase")
def _(robot: Robot) -> None:
    assert (robot.floating.floating, robot.fixed.floating) == (True, False)
    assert robot.model.with_floating_base(robot.target).floating_base == robot.target


@table("getFloatingBasePose")
@table("setFloatingBasePose")
def _(robot: Robot) -> None:
    T, twist = robot.floating.T_world_base, np.arange(6.0)
    state = robot.fixed.with_base(T, twist)
    robot.same(state.T_world_base, T)
    robot.same(state.pose(("input", 0)), T)
    robot.same(state.twist(("input", 0)), twist)
    again = state.replace(T_world_base=np.eye(4), base_twist=-twist)
    robot.same(again.twist(("input", 0)), -twist)


@table("setFloatingBaseOrientation")
def _(robot: Robot) -> None:
    R, w = robot.fixed.orientation(robot.source), np.array([0.1, 0.2, 0.3])
    E = robot.fixed.orientation(robot.target)
    told = robot.floating.with_base_from_imu(R, w, frame=robot.target, offset=E)
    robot.same(told.orientation(robot.target), E @ R)  # premultiplied by the offset
    robot.same(told.twist(robot.target, representation="body")[3:], w)
    plain = robot.floating.with_base_from_imu(R)
    robot.same(plain.T_world_base[:3, :3], R)
    robot.same(plain.T_world_base[:3, 3], robot.floating.T_world_base[:3, 3])


@table("setFloatingBaseAngularVelocity")
def _(robot: Robot) -> None:
    omega = np.array([0.4, -0.5, 0.6])
    twist = [*robot.floating.base_twist[:3], *omega]
    state = robot.floating.replace(base_twist=twist)
    robot.same(state.twist(("input", 0))[3:], omega)  # of the base, world axes
    robot.same(state.T_world_base, robot.floating.T_world_base)


def relative(robot: Robot, state: RobotState) -> FloatArray:
    T = np.linalg.inv(state.pose(robot.target)) @ state.pose(robot.source)
    return np.asarray(T)


@table("getPose")
def _(robot: Robot) -> None:
    robot.same(
        robot.floating.relative_pose(robot.source, robot.target), relative(robot, robot.floating)
    )


@table("getOrientation")
def _(robot: Robot) -> None:
    state, p = robot.floating, np.array([0.1, 0.2, 0.3])
    T = relative(robot, state)
    robot.same(state.orientation(robot.source, reference=robot.target), T[:3, :3])
    world = state.pose(robot.source)
    robot.same(state.position(robot.source, point=p), world[:3, :3] @ p + world[:3, 3])
    there = state.position(robot.source, point=p, reference=robot.target)
    robot.same(there, T[:3, :3] @ p + T[:3, 3])


@table("getJacobian(link, point)")
def _(robot: Robot) -> None:
    state, p = robot.floating, np.array([0.1, 0.2, 0.3])
    nu = state.generalized_velocity
    moves = rate(lambda s: s.position(robot.source, point=p), state)
    robot.same((state.jacobian(robot.source, point=p) @ nu)[:3], moves, 1e-7)
    R = state.orientation(robot.target)
    J = state.jacobian(robot.source)
    turned = np.vstack([R.T @ J[:3], R.T @ J[3:]])
    robot.same(state.jacobian(robot.source, expressed_in=robot.target), turned)
    robot.same(state.postural_jacobian @ nu, state.v)
    robot.same(robot.fixed.postural_jacobian, np.eye(robot.model.dof))


def seen(robot: Robot, state: RobotState) -> FloatArray:
    """How the source moves as seen from the target, by differences in time."""
    T, T_rate = relative(robot, state), rate(lambda s: relative(robot, s), state)
    W = T_rate[:3, :3] @ T[:3, :3].T
    return np.array([*T_rate[:3, 3], W[2, 1], W[0, 2], W[1, 0]])


@table("getRelativeJacobian")
def _(robot: Robot) -> None:
    state = robot.floating
    both = robot.source, robot.target
    J = state.relative_jacobian(*both, full=True)
    assert J.shape == (6, state.size)
    robot.same(J @ state.generalized_velocity, state.relative_twist(*both))
    robot.same(state.relative_twist(*both), seen(robot, state), 1e-7)
    grows = rate(lambda s: s.relative_twist(*both), state)
    robot.same(state.relative_acceleration(*both), grows, 1e-7)


@table("getVelocityTwist")
def _(robot: Robot) -> None:
    state, p = robot.floating, np.array([0.1, 0.2, 0.3])
    J = state.jacobian(robot.source)
    robot.same(state.twist(robot.source), J @ state.generalized_velocity)
    grows = rate(lambda s: s.twist(robot.source), state)
    robot.same(state.acceleration(robot.source), grows, 1e-7)
    of_point = rate(lambda s: s.twist(robot.source, point=p), state)
    robot.same(state.acceleration(robot.source, point=p), of_point, 1e-7)


@table("getVelocityTwist(source, target)")
def _(robot: Robot) -> None:
    """v = J qdot, where J is the relative Jacobian of the two, in the target's axes."""
    state = robot.floating
    J = state.relative_jacobian(robot.source, robot.target)
    ours = state.relative_twist(robot.source, robot.target)
    robot.same(ours, J @ state.v)
    robot.same(ours, seen(robot, state), 1e-7)
    turned = state.twist(robot.source, expressed_in=robot.target)  # is something else
    assert np.abs(turned - ours).max() > 0.1


@table("computeJdotQdot")
def _(robot: Robot) -> None:
    p = np.array([0.1, 0.2, 0.3])
    for state in (robot.floating, robot.fixed):
        nu = state.generalized_velocity
        Jdot = rate(lambda s: s.jacobian(robot.source, point=p), state)
        robot.same(state.bias_acceleration(robot.source, point=p), Jdot @ nu, 1e-7)
        Jdot = rate(lambda s: s.relative_jacobian(robot.source, robot.target), state)
        ours = state.relative_bias_acceleration(robot.source, robot.target)
        robot.same(ours, Jdot @ state.v, 1e-7)
    still = RobotState(robot.model, robot.fixed.q, robot.fixed.v)
    ours = robot.model.bias_acceleration(still.q, still.v, frame=robot.source, point=p)
    robot.same(ours, still.bias_acceleration(robot.source, point=p))


@table("getCOM")
def _(robot: Robot) -> None:
    state = robot.floating
    nu, nu_rate = state.generalized_velocity, state.generalized_acceleration
    T = state.pose(robot.target)
    robot.same(state.com_in(robot.target), T[:3, :3].T @ (state.com - T[:3, 3]))
    robot.same(state.com_velocity, rate(lambda s: s.com, state), 1e-7)
    robot.same(state.com_jacobian @ nu, state.com_velocity)
    robot.same(state.com_acceleration, rate(lambda s: s.com_velocity, state), 1e-7)
    robot.same(state.com_jacobian @ nu_rate + state.com_bias_acceleration, state.com_acceleration)


@table("getCentroidalMomentum")
def _(robot: Robot) -> None:
    state = robot.floating
    A, nu = state.centroidal_momentum_jacobian, state.generalized_velocity
    robot.same(A @ nu, state.centroidal_momentum)
    A_rate = rate(lambda s: s.centroidal_momentum_jacobian, state)
    robot.same(state.centroidal_momentum_bias, A_rate @ nu, 1e-7)


@table("getMass")
def _(robot: Robot) -> None:
    state = robot.floating
    robot.same(state.mass, robot.model.total_mass)
    R = state.orientation(robot.target)
    robot.same(state.gravity_in(robot.target), R.T @ state.gravity)
    g = np.array([1.0, 2.0, 3.0])
    told = state.replace(gravity=state.orientation(robot.target) @ g)
    robot.same(told.gravity_in(robot.target), g)


@table("getInertiaMatrix")
def _(robot: Robot) -> None:
    for state in (robot.floating, robot.fixed):
        M, b = state.mass_matrix, np.arange(2.0 * state.size).reshape(-1, 2)
        robot.same(
            0.5 * state.generalized_velocity @ M @ state.generalized_velocity, state.kinetic_energy
        )
        robot.same(M @ state.solve_mass(b), b, 1e-8)
        robot.same(M @ state.solve_mass(b[:, 0]), b[:, 0], 1e-8)
    q = robot.fixed.q
    robot.same(robot.model.solve_mass(q, q), robot.fixed.solve_mass(q), 1e-8)


@table("computeGravityCompensation")
def _(robot: Robot) -> None:
    state = robot.fixed
    rises = [
        (
            state.replace(q=state.q + step).potential_energy
            - state.replace(q=state.q - step).potential_energy
        )
        / 2e-5
        for step in 1e-5 * np.eye(robot.model.dof)
    ]
    robot.same(state.gravity_efforts, rises, 1e-6)
    ours = robot.model.with_base_frame(state.T_world_base).gravity_efforts(state.q, state.gravity)
    robot.same(ours, state.gravity_efforts)


@table("computeNonlinearTerm")
def _(robot: Robot) -> None:
    state = robot.floating
    robot.same(state.coriolis_efforts, state.coriolis @ state.generalized_velocity)
    robot.same(state.bias_efforts, state.coriolis_efforts + state.gravity_efforts)
    q, v = robot.fixed.q, robot.fixed.v
    still = RobotState(robot.model, q, v)
    ours = robot.model.bias_efforts(q, v)
    robot.same(ours, still.coriolis_efforts + still.gravity_efforts)


@table("computeInverseDynamics")
def _(robot: Robot) -> None:
    state = robot.floating
    efforts = state.mass_matrix @ state.generalized_acceleration + state.bias_efforts
    robot.same(state.inverse_dynamics(), efforts)
    foot = state.jacobian(("endeffector", 0))
    weights = np.linspace(1, 2, robot.model.dof)
    found = state.constrained_inverse_dynamics(foot, weights)
    whole = np.r_[np.zeros(6), found.efforts] + foot.T @ found.forces
    robot.same(whole, efforts, 1e-8)


@table("getChainSelectionMatrix")
def _(robot: Robot) -> None:
    chain = robot.model.arms[0]
    places = list(robot.model.joint_indices(chain))
    robot.same(robot.model.selection(chain) @ robot.fixed.q, robot.fixed.q[places])
    S = robot.model.selection(chain, full=True)
    robot.same(S @ robot.floating.generalized_velocity, robot.floating.v[places])
    one = robot.model.selection(robot.model.joint_names[1])
    robot.same(one @ robot.fixed.q, robot.fixed.q[1:2])


@table("maskJacobian(chain, J)")
def _(robot: Robot) -> None:
    """The columns of the chain become 0."""
    chain = robot.model.arms[0]
    for state in (robot.fixed, robot.floating):
        J = state.jacobian(robot.source)
        places = np.array(robot.model.joint_indices(chain)) + state.size - robot.model.dof
        theirs = J.copy()
        theirs[:, places] = 0.0
        robot.same(robot.model.mask_jacobian(J, drop=chain), theirs)
        robot.same(robot.model.mask_jacobian(J, keep=chain), J - theirs)


@table("getJointLimits")
def _(robot: Robot) -> None:
    assert robot.model.position_limits.shape == (2, robot.model.dof)
    assert robot.model.max_speeds.shape == robot.model.max_efforts.shape == (robot.model.dof,)


@table("checkJointLimits")
@table("enforceJointLimits")
def _(robot: Robot) -> None:
    count = robot.model.dof
    limited = robot.model.with_position_limits([-0.1] * count, [0.1] * count)
    q = np.zeros(count)
    q[2] = 0.3
    (found,) = limited.check_limits(q=q)
    assert found.joint == limited.joint_names[2]
    clipped = limited.clip(q, "position")
    assert clipped[2] == 0.1
    assert limited.check_limits(q=clipped) == ()
    fast = 2 * np.where(np.isfinite(limited.max_speeds), limited.max_speeds, 0.0)
    robot.same(limited.clip(fast, "velocity"), 0.5 * fast)


@table("print")
def _(robot: Robot) -> None:
    text = robot.model.describe(q=robot.fixed.q, v=robot.fixed.v, tau=robot.fixed.v)
    assert all(name in text for name in robot.model.joint_names)
    assert later(robot.fixed, 0.0).model is robot.model
