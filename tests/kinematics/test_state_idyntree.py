"""States against iDynTree: every value that both have, free base, in every representation.

One random state in each representation, or 34 in the slow run; robots and tolerances as in
``test_state_peers.py``.
"""

from typing import Any

import numpy as np
import pytest

from armwright.kinematics import RobotModel, RobotState
from tests.kinematics.peer_robots import EQUAL, ROUNDS, all_robots, joint_frame, moving
from tests.kinematics.robot_states import KINDS, FloatArray, same
from tests.pin_models import IdynTreeTwin, Tree


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
def test_everything_against_idyntree(rounds: int) -> None:
    idt = pytest.importorskip("idyntree.bindings", reason="compares with iDynTree")
    rng = np.random.default_rng(5)
    for model, tree in all_robots():
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
