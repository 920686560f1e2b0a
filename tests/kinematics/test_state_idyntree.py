"""States against iDynTree: every value that both have, free base, in every representation.

The base is the frame of the first element, and that of any other body. One random state in each
representation, or 34 in the slow run; robots and tolerances as in ``test_state_peers.py``.
"""

from typing import Any

import numpy as np
import pytest

from armwright.kinematics import RobotModel, RobotState
from armwright.kinematics.state.bodies import body_poses
from tests.kinematics.peer_robots import EQUAL, ROUNDS, all_robots, joint_frame, moving
from tests.kinematics.robot_states import KINDS, FloatArray, same
from tests.kinematics.test_state_peers import parameter_turn
from tests.pin_models import IdynTreeTwin, Tree


class Idyn:
    """A state in iDynTree, in the state's representation."""

    def __init__(self, idt: Any, tree: Tree, state: RobotState, base: str = "base") -> None:
        self.idt, self.state = idt, state
        self.twin = IdynTreeTwin(idt, tree)
        self.kindyn = self.twin.kindyn
        assert self.kindyn.setFloatingBase(base)
        assert self.kindyn.getFloatingBase() == base
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


@pytest.mark.idyntree
@ROUNDS
@pytest.mark.parametrize("elsewhere", [False, True])
def test_everything_against_idyntree(elsewhere: bool, rounds: int) -> None:
    idt = pytest.importorskip("idyntree.bindings", reason="compares with iDynTree")
    rng = np.random.default_rng(5)
    for model, tree in all_robots():
        for kind in KINDS * rounds:
            base, robot, chosen = "base", model, -1
            if elsewhere:
                chosen = int(rng.integers(model.dof))
                base = f"body{chosen}"
                robot = model.with_floating_base(joint_frame(model, chosen))
            state = moving(robot, rng, floating=True, kind=kind)
            theirs = Idyn(idt, tree, state, base)
            compare_frames(robot, state, theirs, rng)
            compare_momenta(state, theirs)
            compare_dynamics(state, theirs)
            compare_pushes(state, theirs, rng, chosen)
            compare_regressor(state, theirs)


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
    pattern = idt.MatrixDynSize(6, theirs.n + 6)
    assert kindyn.getFrameFreeFloatingJacobianSparsityPattern(index[one], pattern)
    np.testing.assert_array_equal(
        model.jacobian_sparsity(frame, floating=True), pattern.toNumPy() != 0
    )
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
    pattern = idt.MatrixDynSize(6, theirs.n)
    assert kindyn.getRelativeJacobianSparsityPattern(index[other], index[one], pattern)
    other_than_0 = model.relative_jacobian_sparsity(frame, reference)
    np.testing.assert_array_equal(other_than_0, pattern.toNumPy() != 0)
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
        return efforts_of(theirs)

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


def efforts_of(theirs: Idyn) -> FloatArray:
    """The efforts that iDynTree computed last, base first."""
    torques = theirs.twin.torques
    six, joints = numbers(torques.baseWrench()), numbers(torques.jointTorques())
    efforts: FloatArray = np.concatenate([six, joints]) * theirs.scale
    return efforts


def compare_pushes(state: RobotState, theirs: Idyn, rng: np.random.Generator, chosen: int) -> None:
    """Wrenches on three bodies, the base among them; what goes through the joints then."""
    kindyn, idt, model = theirs.kindyn, theirs.idt, state.model
    links = theirs.twin.model
    pushed, ours = idt.LinkWrenches(links), {}
    pushed.zero()
    for body in sorted({-1, 0, model.dof - 1}):
        six = rng.normal(size=6) * 5
        link = links.getLinkIndex("base" if body < 0 else f"body{body}")
        for k in range(6):
            pushed(link).setVal(k, float(six[k]))
        ours[("input", 0) if body < 0 else joint_frame(model, body)] = six
    kindyn.generalizedExternalForces(pushed, theirs.twin.torques)
    same(state.external_efforts(ours), -efforts_of(theirs), EQUAL)
    inside = idt.LinkWrenches(links)
    acceleration = idt.Vector6(theirs.base_acceleration)
    assert kindyn.inverseDynamicsWithInternalJointForceTorques(
        acceleration, idt.VectorDynSize(theirs.a), pushed, theirs.twin.torques, inside
    )
    same(state.inverse_dynamics(ours), efforts_of(theirs), EQUAL)
    turned_round = set() if chosen < 0 else set(model.topology.supports[chosen])
    wrenches = state.joint_wrenches(ours)
    for joint in range(model.dof):
        if joint in turned_round:
            continue  # there the parent is the other body
        six = numbers(inside(links.getLinkIndex(f"body{joint}")))
        if state.representation == "body":  # ours are in joint axes, z along the joint
            turn = state.joint_poses[joint, :3, :3].T @ state.orientation(joint_frame(model, joint))
            six = np.kron(np.eye(2), turn) @ six
        same(wrenches[joint], six, EQUAL)


def compare_regressor(state: RobotState, theirs: Idyn) -> None:
    """Every column, with parameters turned from our body axes to theirs and put in their order."""
    model, idt = state.model, theirs.idt
    links = theirs.twin.model
    count = model.dof + 1
    out = idt.MatrixDynSize(theirs.n + 6, 10 * count)
    assert theirs.kindyn.inverseDynamicsInertialParametersRegressor(
        idt.Vector6(theirs.base_acceleration), idt.VectorDynSize(theirs.a), out
    )
    turned = np.zeros((10 * count, 10 * count))
    for body in range(count):
        link = links.getLinkIndex(f"body{body - 1}" if body else "base")
        frame = joint_frame(model, body - 1) if body else ("input", 0)
        R = state.orientation(frame).T @ body_poses(state)[body, :, :3]
        ten = parameter_turn(R)[[0, 1, 2, 3, 4, 5, 7, 6, 8, 9]]
        turned[10 * link : 10 * link + 10, 10 * body : 10 * body + 10] = ten
    same(state.inverse_dynamics_regressor, theirs.scale[:, None] * out.toNumPy() @ turned, EQUAL)
    parameters = idt.VectorDynSize()
    links.getInertialParameters(parameters)
    same(turned @ state.inertial_parameters, numbers(parameters), EQUAL)


def numbers_of_parameters(theirs: Idyn) -> FloatArray:
    """Masses among iDynTree's inertial parameters."""
    out = theirs.idt.VectorDynSize()
    theirs.twin.model.getInertialParameters(out)
    return np.array(out.toNumPy())[::10]
