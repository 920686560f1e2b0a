"""States against Pinocchio, whose models the tests make from the description.

Robots of the corpus and random trees of every kind of joint, base fixed and free; one random state
in each representation, or 34 in the slow run. Tolerances are relative to the largest entry, or
absolute below 1; all random numbers are seeded.
"""

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from armwright.kinematics import RobotState
from armwright.kinematics.state.bodies import body_poses
from tests.kinematics.peer_robots import (
    EQUAL,
    ROUNDS,
    all_robots,
    joint_frame,
    moving,
    moving_robots,
    pushes,
)
from tests.kinematics.robot_states import ALL_KINDS, BOTH_BASES, FloatArray, same
from tests.kinematics.test_dynamics_peers import moves_nothing
from tests.pin_models import PinTwin, Tree


class Pin:
    """A state in Pinocchio, whose base twist is that of the body."""

    def __init__(self, pin: ModuleType, tree: Tree, state: RobotState) -> None:
        self.pin, self.state = pin, state
        self.twin = twin = PinTwin(pin, tree, free=state.floating)
        self.kinds = {
            "mixed": pin.LOCAL_WORLD_ALIGNED,
            "body": pin.LOCAL,
            "inertial": pin.WORLD,
        }
        body = state.with_(representation="body")
        self.q = twin.place(state.q, np.array(state.T_world_base))
        self.scale = np.r_[np.ones(state.size - state.model.dof), tree.scale]
        self.v = body.generalized_velocity * self.scale
        self.a = body.generalized_acceleration * self.scale
        pin.forwardKinematics(twin.model, twin.data, self.q, self.v, self.a)
        pin.computeJointJacobians(twin.model, twin.data, self.q)

    def inputs(self) -> tuple[Any, Any, FloatArray, FloatArray, FloatArray]:
        """Model, data and motion, as its functions take them."""
        return self.twin.model, self.twin.data, self.q, self.v, self.a

    def base(self) -> FloatArray:
        """From the state's velocities to Pinocchio's."""
        X = np.diag(self.scale)
        if self.state.floating:
            T = self.state.T_world_base
            if self.state.representation == "mixed":
                X[:6, :6] = np.kron(np.eye(2), T[:3, :3].T)
            elif self.state.representation == "inertial":
                X[:6, :6] = self.pin.SE3(np.array(T)).inverse().action
        return X

    def frame(self, joint: int, placement: FloatArray) -> int:
        """Add a frame of a body; returns its number."""
        parent = self.twin.joints[joint]
        name = f"frame{len(self.twin.model.frames)}"
        place = self.pin.SE3(placement)
        frame = self.pin.Frame(name, parent, 0, place, self.pin.FrameType.OP_FRAME)
        number = self.twin.model.addFrame(frame)
        self.twin.data = self.twin.model.createData()
        self.pin.forwardKinematics(self.twin.model, self.twin.data, self.q, self.v, self.a)
        self.pin.computeJointJacobians(self.twin.model, self.twin.data, self.q)
        self.pin.updateFramePlacements(self.twin.model, self.twin.data)
        return int(number)


@pytest.fixture(scope="module")
def pin() -> ModuleType:
    return pytest.importorskip("pinocchio", reason="compares with Pinocchio")  # type: ignore[no-any-return]


@ROUNDS
@BOTH_BASES
def test_frames_against_pinocchio(pin: ModuleType, floating: bool, rounds: int) -> None:
    rng = np.random.default_rng(1)
    for tree, state, kind in moving_robots(rng, floating=floating, rounds=rounds):
        theirs = Pin(pin, tree, state)
        model_, data, reference = theirs.twin.model, theirs.twin.data, theirs.kinds[kind]
        joint = int(rng.integers(state.model.dof))
        point = rng.normal(size=3)
        placement = np.eye(4)
        placement[:3, 3] = point
        number = theirs.frame(joint, placement)
        data = theirs.twin.data
        ours = joint_frame(state.model, joint)
        same(state.position(ours, point=point), data.oMf[number].translation, EQUAL)
        same(state.pose(ours)[:3, :3], data.oMf[number].rotation, EQUAL)
        arguments = (model_, data, number, reference)
        twist = pin.getFrameVelocity(*arguments).vector
        same(state.twist(ours, point=point), twist, EQUAL)
        derivative = (
            pin.getFrameClassicalAcceleration if kind == "mixed" else pin.getFrameAcceleration
        )
        acceleration = derivative(*arguments).vector
        same(state.acceleration(ours, point=point), acceleration, EQUAL)
        J = pin.getFrameJacobian(*arguments).reshape(6, -1) @ theirs.base()
        same(state.jacobian(ours, point=point), J, EQUAL)
        if kind == "body":
            pin.computeJointJacobiansTimeVariation(model_, data, theirs.q, theirs.v)
            rate = pin.getFrameJacobianTimeVariation(*arguments).reshape(6, -1)
            same(state.bias_acceleration(ours, point=point), rate @ theirs.v, EQUAL)


@ROUNDS
@BOTH_BASES
def test_momentum_against_pinocchio(pin: ModuleType, floating: bool, rounds: int) -> None:
    rng = np.random.default_rng(2)
    for tree, state, kind in moving_robots(rng, floating=floating, rounds=rounds):
        # The mass of a fixed base counts for us, so that Pinocchio gets it as a free one.
        free = state.with_(floating=True)
        theirs = Pin(pin, tree, free)
        base, six = theirs.base(), free.size - state.size
        model_, data, q, v, a = theirs.inputs()
        pin.centerOfMass(model_, data, q, v, a)
        same(state.com, data.com[0], EQUAL)
        same(state.com_velocity, data.vcom[0], EQUAL)
        same(state.com_acceleration, data.acom[0], EQUAL)
        J = pin.jacobianCenterOfMass(model_, data, q) @ base
        same(state.com_jacobian, J[:, six:], EQUAL)
        assert state.mass == pytest.approx(pin.computeTotalMass(model_), rel=1e-12)
        pin.computeCentroidalMomentumTimeVariation(model_, data, q, v, a)
        turn: FloatArray = np.eye(6)
        if kind == "body":
            turn = np.asarray(np.kron(np.eye(2), state.T_world_base[:3, :3].T), float)
        momentum, rate = data.hg.vector.copy(), data.dhg.vector.copy()
        same(state.centroidal_momentum, turn @ momentum, EQUAL)
        nu_rate = state.generalized_acceleration
        ours = state.centroidal_momentum_jacobian @ nu_rate + state.centroidal_momentum_bias
        if kind == "body":
            turning = state.twist(("input", 0), representation="mixed")[3:]
            rate -= np.r_[np.cross(turning, momentum[:3]), np.cross(turning, momentum[3:])]
        same(ours, turn @ rate, EQUAL)
        Ag = pin.computeCentroidalMap(model_, data, q) @ base
        same(state.centroidal_momentum_jacobian, turn @ Ag[:, six:], EQUAL)
        pin.ccrba(model_, data, q, v)
        Ig = np.array(data.Ig.matrix())
        Ig[:3, 3:] = Ig[3:, :3] = 0.0
        same(state.centroidal_locked_inertia, turn @ Ig @ turn.T, EQUAL)
        same(state.kinetic_energy, pin.computeKineticEnergy(model_, data, q, v), EQUAL)
        same(state.potential_energy, pin.computePotentialEnergy(model_, data, q), EQUAL)


@ROUNDS
@BOTH_BASES
def test_dynamics_against_pinocchio(pin: ModuleType, floating: bool, rounds: int) -> None:
    rng = np.random.default_rng(3)
    for tree, state, kind in moving_robots(rng, floating=floating, rounds=rounds):
        singular = moves_nothing(tree)
        theirs = Pin(pin, tree, state)
        base = theirs.base()
        model_, data, q, v, a = theirs.inputs()
        wrenches, pushed = pushes(state, tree, rng)
        fext = theirs.twin.forces(state.q, pushed, np.array(state.T_world_base))
        needed = pin.rnea(model_, data, q, v, a, fext).copy()
        same(state.inverse_dynamics(wrenches), base.T @ needed, EQUAL)
        compare_wrenches(theirs, state, wrenches)
        tau = pin.rnea(model_, data, q, v, a)
        same(state.inverse_dynamics(), base.T @ tau, EQUAL)
        same(state.external_efforts(wrenches), base.T @ (tau - needed), EQUAL)
        compare_regressor(theirs, state)
        forces = [data.f[i].vector.copy() for i in theirs.twin.joints]
        for i, force in enumerate(forces):
            M = data.oMi[theirs.twin.joints[i]]
            wrench = np.kron(np.eye(2), M.rotation) @ force
            mixed = state.with_(representation="mixed").joint_wrenches()[i]
            same(mixed, wrench, EQUAL)
        g = pin.computeGeneralizedGravity(model_, data, q)
        same(state.gravity_efforts, base.T @ g, EQUAL)
        upper = np.triu(pin.crba(model_, data, q))
        M_theirs = upper + np.triu(upper, 1).T
        same(state.mass_matrix, base.T @ M_theirs @ base, EQUAL)
        still = np.zeros_like(a)
        if kind == "body" or not floating:
            bias = pin.nonLinearEffects(model_, data, q, v)
            same(state.bias_efforts, base.T @ bias, EQUAL)
            C = pin.computeCoriolisMatrix(model_, data, q, v)
            same(state.coriolis @ state.generalized_velocity, base.T @ C @ v, EQUAL)
            if not floating:
                same(state.coriolis, base.T @ C @ base, EQUAL)
        if singular or (floating and tree.root.inertial()[0] < 1e-3):
            continue
        free = pin.aba(model_, data, q, v, still)
        ours = state.forward_dynamics(np.zeros(state.size))
        expected = state.with_(representation="body").forward_dynamics(np.zeros(state.size))
        same(expected * theirs.scale, free, 1e-8)
        if kind == "body" or not floating:
            same(ours, expected, 1e-12)
            moved = pin.aba(model_, data, q, v, needed, fext)
            pushed_by = state.forward_dynamics(base.T @ needed, wrenches)
            same(pushed_by * theirs.scale, moved, 1e-8)
        b = rng.normal(size=state.size)
        x = np.linalg.solve(base, np.linalg.solve(M_theirs, np.linalg.solve(base.T, b)))
        same(state.solve_mass(b), x, 1e-8)


def compare_wrenches(
    theirs: Pin, state: RobotState, wrenches: dict[tuple[str, int], FloatArray]
) -> None:
    """The wrenches through the joints, in joint axes, after their inverse dynamics."""
    data = theirs.twin.data
    ours = state.joint_wrenches(wrenches)
    for i, joint in enumerate(theirs.twin.joints):
        M, force = data.oMi[joint], data.f[joint].vector.copy()
        mixed = np.kron(np.eye(2), M.rotation) @ force
        if state.representation == "mixed":
            same(ours[i], mixed, EQUAL)
        elif state.representation == "inertial":
            mixed[3:] += np.cross(M.translation, mixed[:3])
            same(ours[i], mixed, EQUAL)
        else:
            turn = state.joint_poses[i, :3, :3]
            same(ours[i], np.kron(np.eye(2), turn.T) @ mixed, EQUAL)


def compare_regressor(theirs: Pin, state: RobotState) -> None:
    """Every column, with parameters turned from our body axes (z along the joint) to theirs."""
    pin, twin = theirs.pin, theirs.twin
    Y = pin.computeJointTorqueRegressor(twin.model, twin.data, theirs.q, theirs.v, theirs.a)
    Y = Y.reshape(state.size, -1)
    joints = ([twin.root] if state.floating else []) + twin.joints
    bodies = range(0 if state.floating else 1, state.model.dof + 1)
    turned = np.zeros((Y.shape[1], 10 * len(joints)))
    for block, (joint, body) in enumerate(zip(joints, bodies, strict=True)):
        R = twin.data.oMi[joint].rotation.T @ body_poses(state)[body, :, :3]
        rows = slice(10 * (joint - 1), 10 * joint)
        turned[rows, 10 * block : 10 * block + 10] = parameter_turn(R)
    same(state.inverse_dynamics_regressor, theirs.base().T @ Y @ turned, EQUAL)
    own = [twin.model.inertias[joint].toDynamicParameters() for joint in joints]
    same(turned @ state.inertial_parameters, np.concatenate(own), EQUAL)


def parameter_turn(R: FloatArray) -> FloatArray:
    """What turns the ten parameters of a body into other axes: m, h, Ixx Ixy Iyy Ixz Iyz Izz."""
    places = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)]
    turn = np.zeros((10, 10))
    turn[0, 0], turn[1:4, 1:4] = 1.0, R
    for k, (row, column) in enumerate(places):
        unit = np.zeros((3, 3))
        unit[row, column] = unit[column, row] = 1.0
        I_turned = R @ unit @ R.T
        turn[4:, 4 + k] = [I_turned[place] for place in places]
    return turn


@pytest.mark.filterwarnings("ignore:.*points up")  # any direction will do
@ALL_KINDS
@BOTH_BASES
def test_pushed_and_with_another_gravity_against_pinocchio(
    pin: ModuleType, floating: bool, kind: str
) -> None:
    rng = np.random.default_rng(4)
    for model, tree in all_robots():
        g = rng.normal(size=3) * 5
        state = moving(model, rng, floating=floating, kind=kind).with_(gravity=g)
        wrenches, pushed = pushes(state, tree, rng)
        theirs = Pin(pin, tree, state)
        theirs.twin.gravity(g)
        forces = theirs.twin.forces(state.q, pushed, np.array(state.T_world_base))
        tau = pin.rnea(theirs.twin.model, theirs.twin.data, theirs.q, theirs.v, theirs.a, forces)
        same(state.inverse_dynamics(wrenches), theirs.base().T @ tau, EQUAL)
        g_efforts = pin.computeGeneralizedGravity(theirs.twin.model, theirs.twin.data, theirs.q)
        same(state.gravity_efforts, theirs.base().T @ g_efforts, EQUAL)
