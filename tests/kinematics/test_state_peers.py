"""States against Pinocchio and iDynTree, whose models the tests make from the description.

Robots of the corpus and random trees of every kind of joint, base fixed and free; one random state
in each representation, or 34 in the slow run. Tolerances are relative to the largest entry, or
absolute below 1; all random numbers are seeded.
"""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from armwright.kinematics import RobotModel, RobotState, load
from tests.kinematics.dynamics_robots import pose
from tests.kinematics.robot_states import KINDS, FloatArray, same
from tests.kinematics.test_dynamics_peers import (
    PAYLOAD,
    loaded,
    moves_nothing,
    random_robot,
    some_wrenches,
)
from tests.pin_models import IdynTreeTwin, PinTwin, Tree, tree_of

EQUAL = 1e-9
Robots = list[tuple[RobotModel, Tree]]
ROUNDS = pytest.mark.parametrize("rounds", [1, pytest.param(34, marks=pytest.mark.slow)])


@pytest.fixture(scope="module")
def robots(request: pytest.FixtureRequest) -> Robots:
    """Random trees, and the corpus where it is there."""
    found: Robots = []
    for seed in range(4):
        description = random_robot(np.random.default_rng(seed), 4 + 3 * seed)
        found.append((RobotModel(description), tree_of(description)))
    shared = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
    for file in sorted(shared.rglob("*.hrdf")):
        model = loaded(load(file))
        if model.dof:
            found.append((model, tree_of(model.description, PAYLOAD)))
    return found


def moving(
    model: RobotModel, rng: np.random.Generator, *, floating: bool, kind: str = "mixed"
) -> RobotState:
    q, v, a = rng.uniform(-2, 2, size=(3, model.dof))
    twist, acceleration = rng.uniform(-2, 2, size=(2, 6)) if floating else (None, None)
    T = pose(rng) if floating else None
    base = {"T_world_base": T, "base_twist": twist, "base_acceleration": acceleration}
    return RobotState(model, q, v, a, **base, floating=floating).with_(representation=kind)  # type: ignore[arg-type]


def joint_frame(model: RobotModel, joint: int) -> tuple[str, int]:
    """The output frame of a joint: the frame of the body that it moves."""
    element = model._compiled.joint_elements[joint]
    return "output", model._compiled.frame_elements["output"].index(element)  # type: ignore[index]


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
        frame = self.pin.Frame(name, parent, place, self.pin.FrameType.OP_FRAME)
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
@pytest.mark.parametrize("floating", [False, True])
def test_frames_against_pinocchio(
    robots: Robots, pin: ModuleType, floating: bool, rounds: int
) -> None:
    rng = np.random.default_rng(1)
    for model, tree in robots:
        for kind in KINDS * rounds:
            state = moving(model, rng, floating=floating, kind=kind)
            theirs = Pin(pin, tree, state)
            model_, data, reference = theirs.twin.model, theirs.twin.data, theirs.kinds[kind]
            joint = int(rng.integers(model.dof))
            point = rng.normal(size=3)
            placement = np.eye(4)
            placement[:3, 3] = point
            number = theirs.frame(joint, placement)
            data = theirs.twin.data
            ours = joint_frame(model, joint)
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
@pytest.mark.parametrize("floating", [False, True])
def test_momentum_against_pinocchio(
    robots: Robots, pin: ModuleType, floating: bool, rounds: int
) -> None:
    rng = np.random.default_rng(2)
    for model, tree in robots:
        for kind in KINDS * rounds:
            state = moving(model, rng, floating=floating, kind=kind)
            # The mass of a fixed base counts for us, so that Pinocchio gets it as a free one.
            free = state.with_(floating=True)
            theirs = Pin(pin, tree, free)
            base, six = theirs.base(), free.size - state.size
            model_, data, q, v, a = (
                theirs.twin.model,
                theirs.twin.data,
                theirs.q,
                theirs.v,
                theirs.a,
            )
            pin.centerOfMass(model_, data, q, v, a)
            same(state.com, data.com[0], EQUAL)
            same(state.com_velocity, data.vcom[0], EQUAL)
            same(state.com_acceleration, data.acom[0], EQUAL)
            J = pin.jacobianCenterOfMass(model_, data, q) @ base
            same(state.com_jacobian, J[:, six:], EQUAL)
            assert state.mass == pytest.approx(pin.computeTotalMass(model_), rel=1e-12)
            pin.computeCentroidalMomentumTimeVariation(model_, data, q, v, a)
            turn = np.eye(6)
            if kind == "body":
                turn = np.kron(np.eye(2), state.T_world_base[:3, :3].T)
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
@pytest.mark.parametrize("floating", [False, True])
def test_dynamics_against_pinocchio(
    robots: Robots, pin: ModuleType, floating: bool, rounds: int
) -> None:
    rng = np.random.default_rng(3)
    for model, tree in robots:
        singular = moves_nothing(tree)
        for kind in KINDS * rounds:
            state = moving(model, rng, floating=floating, kind=kind)
            theirs = Pin(pin, tree, state)
            base = theirs.base()
            model_, data, q, v, a = (
                theirs.twin.model,
                theirs.twin.data,
                theirs.q,
                theirs.v,
                theirs.a,
            )
            tau = pin.rnea(model_, data, q, v, a)
            same(state.inverse_dynamics(), base.T @ tau, EQUAL)
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
            b = rng.normal(size=state.size)
            x = np.linalg.solve(base, np.linalg.solve(M_theirs, np.linalg.solve(base.T, b)))
            same(state.solve_mass(b), x, 1e-8)


def test_pushed_and_with_another_gravity_against_pinocchio(robots: Robots, pin: ModuleType) -> None:
    rng = np.random.default_rng(4)
    for model, tree in robots:
        wrenches = some_wrenches(model, rng)
        flat = [one for outputs in tree.outputs for one in outputs]
        if [body for body, _ in flat] != list(model._compiled.frames["output"][:, 0] - 1):  # type: ignore[index]
            continue  # a tree, whose output frames come in another order
        g = rng.normal(size=3) * 5
        state = moving(model, rng, floating=True).with_(gravity=g)
        theirs = Pin(pin, tree, state)
        theirs.twin.gravity(g)
        pushes = [(*flat[i], w) for (_, i), w in wrenches.items()]
        T = np.array(state.T_world_base)
        # Pinocchio's free base bears pushes as well; the twin's helper turns them all.
        forces = theirs.twin.forces(state.q, pushes, T)
        expected = theirs.twin.inverse_dynamics(
            state.q, state.generalized_velocity, state.generalized_acceleration, T=T, forces=forces
        )
        same(state.inverse_dynamics(wrenches), expected, EQUAL)


class Idyn:
    """A state in iDynTree, in the state's representation."""

    def __init__(self, idt: Any, tree: Tree, state: RobotState) -> None:
        self.idt, self.state = idt, state
        self.twin = IdynTreeTwin(idt, tree)
        self.kindyn = self.twin.kindyn
        free = state.with_(floating=True)
        self.n, self.scale = state.model.dof, np.r_[np.ones(6), tree.scale]
        kinds = {
            "mixed": idt.MIXED_REPRESENTATION,
            "body": idt.BODY_FIXED_REPRESENTATION,
            "inertial": idt.INERTIAL_FIXED_REPRESENTATION,
        }
        self.kindyn.setFrameVelocityRepresentation(kinds[state.representation.value])
        T, gravity = np.array(state.T_world_base), np.array(state.gravity)
        q, v = state.q * tree.scale, state.v * tree.scale
        assert self.kindyn.setRobotState(T, q, np.array(free.base_twist), v, gravity)
        self.base_acceleration = np.array(free.base_acceleration)
        self.a = state.a * tree.scale

    def matrix(
        self, name: str, rows: int, *arguments: Any, columns: int | None = None
    ) -> FloatArray:
        """A Jacobian or matrix, in our joint values."""
        out = self.idt.MatrixDynSize(rows, columns or self.n + 6)
        getattr(self.kindyn, name)(*arguments, out)
        found: FloatArray = out.toNumPy() * self.scale[-out.cols() :]
        return found


def numbers(value: Any) -> FloatArray:
    """Six numbers of iDynTree."""
    return np.array(value.toNumPy())


@ROUNDS
def test_everything_against_idyntree(robots: Robots, rounds: int) -> None:
    idt = pytest.importorskip("idyntree.bindings", reason="compares with iDynTree")
    rng = np.random.default_rng(5)
    for model, tree in robots:
        for kind in KINDS * rounds:
            state = moving(model, rng, floating=True, kind=kind)
            theirs = Idyn(idt, tree, state)
            compare_frames(model, state, theirs, rng)
            compare_momenta(state, theirs)
            compare_dynamics(state, theirs)


def compare_frames(
    model: RobotModel, state: RobotState, theirs: Idyn, rng: np.random.Generator
) -> None:
    one, other, third, fourth = (int(i) for i in rng.integers(model.dof, size=4))
    kindyn, idt = theirs.kindyn, theirs.idt
    frame, reference = joint_frame(model, one), joint_frame(model, other)
    name, seen_from = f"body{one}", f"body{other}"
    index = {i: kindyn.getFrameIndex(f"body{i}") for i in (one, other, third, fourth)}
    same(
        state.pose(frame), kindyn.getWorldTransform(name).asHomogeneousTransform().toNumPy(), EQUAL
    )
    same(state.twist(frame), numbers(kindyn.getFrameVel(name)), EQUAL)
    acceleration = kindyn.getFrameAcc(
        name, idt.Vector6(theirs.base_acceleration), idt.VectorDynSize(theirs.a)
    )
    same(state.acceleration(frame), numbers(acceleration), EQUAL)
    same(state.bias_acceleration(frame), numbers(kindyn.getFrameBiasAcc(name)), EQUAL)
    J = theirs.matrix("getFrameFreeFloatingJacobian", 6, name)
    same(state.jacobian(frame), J, EQUAL)
    T = kindyn.getRelativeTransform(seen_from, name).asHomogeneousTransform().toNumPy()
    same(state.relative_pose(frame, reference), T, EQUAL)
    explicit = kindyn.getRelativeTransformExplicit(
        index[other], index[third], index[one], index[fourth]
    )
    ours = state.relative_pose_explicit(
        frame, joint_frame(model, fourth), reference, joint_frame(model, third)
    )
    same(ours, explicit.asHomogeneousTransform().toNumPy(), EQUAL)
    if one == other:
        return
    J = theirs.matrix("getRelativeJacobian", 6, index[other], index[one], columns=theirs.n)
    same(state.relative_jacobian(frame, reference), J, EQUAL)
    J = theirs.matrix(
        "getRelativeJacobianExplicit",
        6,
        *(index[i] for i in (other, one, third, fourth)),
        columns=theirs.n,
    )
    origin, axes = joint_frame(model, third), joint_frame(model, fourth)
    same(state.relative_jacobian_explicit(frame, reference, origin=origin, axes=axes), J, EQUAL)


def compare_momenta(state: RobotState, theirs: Idyn) -> None:
    kindyn = theirs.kindyn
    if np.linalg.eigvalsh(state.centroidal_locked_inertia)[0] < 1e-12:
        return  # all masses on one line: iDynTree then gives NaN, even for the center of mass
    for ours, call in [
        ("com", "getCenterOfMassPosition"),
        ("com_velocity", "getCenterOfMassVelocity"),
        ("com_bias_acceleration", "getCenterOfMassBiasAcc"),
        ("average_velocity", "getAverageVelocity"),
        ("centroidal_average_velocity", "getCentroidalAverageVelocity"),
        ("momentum", "getLinearAngularMomentum"),
        ("centroidal_momentum", "getCentroidalTotalMomentum"),
    ]:
        same(getattr(state, ours), numbers(getattr(kindyn, call)()), EQUAL)
    for ours, call, rows in [
        ("com_jacobian", "getCenterOfMassJacobian", 3),
        ("average_velocity_jacobian", "getAverageVelocityJacobian", 6),
        ("centroidal_average_velocity_jacobian", "getCentroidalAverageVelocityJacobian", 6),
        ("momentum_jacobian", "getLinearAngularMomentumJacobian", 6),
        ("centroidal_momentum_jacobian", "getCentroidalTotalMomentumJacobian", 6),
    ]:
        same(getattr(state, ours), theirs.matrix(call, rows), EQUAL)
    for ours, call in [
        ("locked_inertia", "getRobotLockedInertia"),
        ("centroidal_locked_inertia", "getCentroidalRobotLockedInertia"),
    ]:
        same(getattr(state, ours), getattr(kindyn, call)().asMatrix().toNumPy(), EQUAL)


def compare_dynamics(state: RobotState, theirs: Idyn) -> None:
    kindyn, idt, scale = theirs.kindyn, theirs.idt, theirs.scale
    torques, wrenches = theirs.twin.torques, theirs.twin.wrenches

    def result() -> FloatArray:
        six, joints = numbers(torques.baseWrench()), numbers(torques.jointTorques())
        efforts: FloatArray = np.concatenate([six, joints]) * scale
        return efforts

    M = theirs.matrix("getFreeFloatingMassMatrix", theirs.n + 6)
    same(state.mass_matrix, scale[:, None] * M, EQUAL)
    acceleration = idt.Vector6(theirs.base_acceleration)
    kindyn.inverseDynamics(acceleration, idt.VectorDynSize(theirs.a), wrenches, torques)
    same(state.inverse_dynamics(), result(), EQUAL)
    kindyn.generalizedBiasForces(torques)
    same(state.bias_efforts, result(), EQUAL)
    kindyn.generalizedGravityForces(torques)
    same(state.gravity_efforts, result(), EQUAL)
    same(numbers_of_parameters(theirs).sum(), state.inertial_parameters[::10].sum(), EQUAL)


def numbers_of_parameters(theirs: Idyn) -> FloatArray:
    """Masses among iDynTree's inertial parameters."""
    out = theirs.idt.VectorDynSize()
    theirs.twin.model.getInertialParameters(out)
    return np.array(out.toNumPy())[::10]
