"""Every row of the table from Pinocchio's calls to ours, run on both sides.

The robot, and the rows about models, are in ``pinocchio_rows.py``; here are those that compute.
"""

from typing import Any

import numpy as np
import pytest

from armwright.kinematics import RobotState
from tests.kinematics.pinocchio_rows import Pair, table
from tests.kinematics.random_trees import build
from tests.kinematics.robot_states import FloatArray


@pytest.fixture(scope="module")
def pair() -> Pair:
    return Pair(pytest.importorskip("pinocchio"))


def test_every_row_is_run() -> None:
    assert table.missing() == set()


@pytest.mark.parametrize("key", table.rows)
def test_a_row_on_both_sides(pair: Pair, key: str) -> None:
    table.runs[key](pair)


@table("rnea(model, data, q, v, a)")
def _(pair: Pair) -> None:
    ours = pair.ours.inverse_dynamics(pair.q, pair.v, pair.a)
    pair.same(ours, pair.theirs.inverse_dynamics(pair.q, pair.v, pair.a))


@table("rnea(model, data, q, v, a, fext)")
def _(pair: Pair) -> None:
    pin, six = pair.pin, np.array([1.0, -2.0, 3.0, 0.5, -0.4, 0.3])
    frame = pair.model.frames[pair.number]
    joint = frame.parentJoint if hasattr(frame, "parentJoint") else frame.parent
    R = pair.data.oMf[pair.number].rotation
    local = frame.placement.act(pin.Force(R.T @ six[:3], R.T @ six[3:]))
    forces = pin.StdVec_Force()
    for one in range(pair.model.njoints):
        forces.append(local if one == joint else pin.Force.Zero())
    theirs = pin.rnea(pair.model, pair.data, pair.q, pair.v, pair.a, forces)
    ours = pair.ours.inverse_dynamics(pair.q, pair.v, pair.a, external_wrenches={pair.name: six})
    pair.same(ours, theirs)


@table("nonLinearEffects")
def _(pair: Pair) -> None:
    theirs = pair.pin.nonLinearEffects(pair.model, pair.data, pair.q, pair.v)
    pair.same(pair.ours.bias_efforts(pair.q, pair.v), theirs)
    pair.same(pair.ours.gravity_efforts(pair.q), pair.theirs.gravity(pair.q))


@table("crba")
def _(pair: Pair) -> None:
    pair.same(pair.ours.mass_matrix(pair.q), pair.theirs.mass_matrix(pair.q))


@table("aba")
def _(pair: Pair) -> None:
    theirs = pair.pin.aba(pair.model, pair.data, pair.q, pair.v, pair.a)
    pair.same(pair.ours.forward_dynamics(pair.q, pair.v, pair.a), theirs, 1e-8)


@table("computeMinverse(model, data, q) @ b")
def _(pair: Pair) -> None:
    upper = np.triu(pair.pin.computeMinverse(pair.model, pair.data, pair.q))
    inverse = upper + np.triu(upper, 1).T
    pair.same(pair.ours.solve_mass(pair.q, pair.v), inverse @ pair.v, 1e-8)


@table("computeCoriolisMatrix")
def _(pair: Pair) -> None:
    theirs = pair.pin.computeCoriolisMatrix(pair.model, pair.data, pair.q, pair.v)
    pair.same(pair.ours.coriolis(pair.q, pair.v), theirs)


@table("computeKineticEnergy")
def _(pair: Pair) -> None:
    pin, data = pair.pin, pair.model.createData()
    pin.forwardKinematics(pair.model, data, pair.q, pair.v)
    pair.same(pair.ours.kinetic_energy(pair.q, pair.v), pin.computeKineticEnergy(pair.model, data))
    theirs = pin.computePotentialEnergy(pair.model, data)
    base = pair.model.inertias[0]  # the base's mass counts here
    theirs += 9.81 * base.mass * base.lever[2]
    pair.same(pair.ours.potential_energy(pair.q), theirs)


@table("computeCentroidalMap")
def _(pair: Pair) -> None:
    theirs = pair.pin.computeCentroidalMap(pair.model, pair.data, pair.q)
    ours = pair.ours.momentum_matrix(pair.q)
    pair.same(ours[:3], theirs[:3])
    if pair.model.inertias[0].mass == 0.0:
        pair.same(ours[3:], theirs[3:])


@table("computeJointTorqueRegressor")
def _(pair: Pair) -> None:
    Y = pair.pin.computeJointTorqueRegressor(pair.model, pair.data, pair.q, pair.v, pair.a)
    ten = [own.toDynamicParameters() for own in list(pair.model.inertias)[1:]]
    ours = pair.ours.inverse_dynamics_regressor(pair.q, pair.v, pair.a)
    pair.same(ours @ pair.ours.inertial_parameters, Y @ np.concatenate(ten))
    assert ours.shape == Y.shape
    pair.same(pair.ours.inertial_parameters[::10], np.array(ten)[:, 0])


@table("updateFramePlacement")
def _(pair: Pair) -> None:
    theirs = pair.pin.updateFramePlacement(pair.model, pair.data, pair.number)
    pair.same(pair.state.pose(pair.name), theirs.homogeneous)


def kinds(pair: Pair) -> list[tuple[str, Any]]:
    frames = pair.pin.ReferenceFrame
    return [
        ("mixed", frames.LOCAL_WORLD_ALIGNED),
        ("body", frames.LOCAL),
        ("inertial", frames.WORLD),
    ]


@table("getFrameVelocity")
def _(pair: Pair) -> None:
    pin, model, data = pair.pin, pair.model, pair.data
    pin.forwardKinematics(model, data, pair.q, pair.v, pair.a)
    pin.computeJointJacobians(model, data, pair.q)
    pin.updateFramePlacements(model, data)
    for word, theirs in kinds(pair):
        V = pin.getFrameVelocity(model, data, pair.number, theirs).vector
        pair.same(pair.state.twist(pair.name, representation=word), V)
        J = pin.getFrameJacobian(model, data, pair.number, theirs)
        pair.same(pair.state.jacobian(pair.name, representation=word), J)


@table("getFrameClassicalAcceleration(..., LOCAL_WORLD_ALIGNED)")
def _(pair: Pair) -> None:
    pin, model, data = pair.pin, pair.model, pair.data
    pin.forwardKinematics(model, data, pair.q, pair.v, pair.a)
    for word, theirs in kinds(pair):
        call = pin.getFrameAcceleration
        if word == "mixed":
            call = pin.getFrameClassicalAcceleration
        A = call(model, data, pair.number, theirs).vector
        pair.same(pair.state.acceleration(pair.name, representation=word), A)


@table("getFrameJacobianTimeVariation(...) @ v")
def _(pair: Pair) -> None:
    pin, model, data = pair.pin, pair.model, pair.data
    pin.computeJointJacobiansTimeVariation(model, data, pair.q, pair.v)
    pin.updateFramePlacements(model, data)
    old = int(pin.__version__.split(".")[0]) < 4
    for word, theirs in kinds(pair):
        rate = pin.getFrameJacobianTimeVariation(model, data, pair.number, theirs) @ pair.v
        ours = pair.state.bias_acceleration(pair.name, representation=word)
        if word == "mixed" and old:
            V = pair.state.twist(pair.name)
            rate = rate + np.r_[np.cross(V[3:], V[:3]), np.zeros(3)]
        pair.same(ours, rate)
    again = pair.ours.bias_acceleration(pair.q, pair.v, frame=pair.name)
    pair.same(again, pair.state.bias_acceleration(pair.name))


def with_base_weight(pair: Pair) -> tuple[RobotState, Any, Any]:
    """A floating robot in both, as theirs knows nothing of a fixed base's mass."""
    ours = build(pair.things, free=True)
    pin = pair.pin
    theirs = pin.Model()
    root = theirs.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "root")
    joints = [root]
    for joint in range(1, pair.model.njoints):
        parent = joints[pair.model.parents[joint]]
        number = theirs.addJoint(
            parent, pair.model.joints[joint], pair.model.jointPlacements[joint], f"j{joint}"
        )
        joints.append(number)
    for joint, own in enumerate(pair.model.inertias):
        theirs.appendBodyToJoint(joints[joint], own, pin.SE3.Identity())
    T = pin.SE3.Random()
    rng = np.random.default_rng(4)
    twist, acceleration = rng.uniform(-1, 1, size=(2, 6))
    state = RobotState(
        ours,
        pair.q,
        pair.v,
        pair.a,
        T_world_base=T.homogeneous,
        base_twist=twist,
        base_acceleration=acceleration,
        floating=True,
        representation="body",
    )
    q = np.concatenate([pin.SE3ToXYZQUAT(T), pair.q])
    return state, theirs, q


@table("centerOfMass")
def _(pair: Pair) -> None:
    state, theirs, q = with_base_weight(pair)
    pin, data = pair.pin, theirs.createData()
    nu, rate = state.generalized_velocity, state.generalized_acceleration
    pin.centerOfMass(theirs, data, q, nu, rate)
    pair.same(state.com, data.com[0])
    pair.same(state.com_velocity, data.vcom[0])
    pair.same(state.com_acceleration, data.acom[0])
    pair.same(state.com_jacobian, pin.jacobianCenterOfMass(theirs, data, q))


@table("ccrba")
def _(pair: Pair) -> None:
    state, theirs, q = with_base_weight(pair)
    data = theirs.createData()
    pair.pin.ccrba(theirs, data, q, state.generalized_velocity)
    mixed = state.replace(representation="mixed")
    pair.same(mixed.centroidal_momentum, data.hg.vector)
    pair.same(mixed.centroidal_momentum_jacobian @ mixed.generalized_velocity, data.hg.vector)
    pair.same(mixed.centroidal_momentum_jacobian[:, 6:], data.Ag[:, 6:])
    pair.same(mixed.centroidal_locked_inertia, data.Ig.matrix())


@table("computeCentroidalMomentumTimeVariation")
def _(pair: Pair) -> None:
    state, theirs, q = with_base_weight(pair)
    data = theirs.createData()
    nu, rate = state.generalized_velocity, state.generalized_acceleration
    pair.pin.computeCentroidalMomentumTimeVariation(theirs, data, q, nu, rate)
    mixed = state.replace(representation="mixed")
    ours = mixed.centroidal_momentum_jacobian @ mixed.generalized_acceleration
    pair.same(ours + mixed.centroidal_momentum_bias, data.dhg.vector)


@table("JointModelFreeFlyer")
def _(pair: Pair) -> None:
    state, theirs, q = with_base_weight(pair)
    data = theirs.createData()
    tau = pair.pin.rnea(theirs, data, q, state.generalized_velocity, state.generalized_acceleration)
    pair.same(state.inverse_dynamics(), tau)
    other = build(pair.things).with_floating_base()
    assert RobotState(other, pair.q).floating
    told = RobotState(pair.ours, pair.q, floating=True, representation="body")
    assert told.size == theirs.nv


@table("data.f")
def _(pair: Pair) -> None:
    pair.pin.rnea(pair.model, pair.data, pair.q, pair.v, pair.a)
    wrenches = pair.state.joint_wrenches()
    for joint in range(pair.ours.dof):
        R = pair.data.oMi[joint + 1].rotation
        six = pair.data.f[joint + 1].vector
        theirs: FloatArray = np.concatenate([R @ six[:3], R @ six[3:]])
        pair.same(wrenches[joint], theirs)
