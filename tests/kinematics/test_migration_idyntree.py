"""Every row of the table from iDynTree's calls to ours, run on both sides; it needs numpy 2."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from armwright.kinematics import RobotModel
from tests.kinematics.migration import Table
from tests.kinematics.peer_robots import joint_frame, moving
from tests.kinematics.robot_states import same
from tests.kinematics.test_dynamics_peers import random_robot
from tests.kinematics.test_state_idyntree import (
    Idyn,
    compare_dynamics,
    compare_frames,
    compare_momenta,
    compare_pushes,
    compare_regressor,
    efforts_of,
    numbers,
)
from tests.pin_models import tree_of

table = Table("dynamics.md", "### iDynTree KinDynComputations")
CLOSE = 1e-10


class Pair:
    """The same robot and floating, mixed state in both."""

    def __init__(self, idt: Any) -> None:
        description = random_robot(np.random.default_rng(2), 8)
        self.idt, self.model = idt, RobotModel(description)
        self.tree = tree_of(description)
        self.rng = np.random.default_rng(3)
        self.state = moving(self.model, self.rng, floating=True)
        self.theirs = Idyn(idt, self.tree, self.state)
        self.kindyn = self.theirs.kindyn
        self.frame, self.reference = joint_frame(self.model, 6), joint_frame(self.model, 2)
        self.names = "body6", "body2"

    def same(self, ours: Any, theirs: Any) -> None:
        same(np.asarray(ours), np.asarray(theirs), CLOSE)


@pytest.fixture(scope="module")
def pair() -> Pair:
    return Pair(pytest.importorskip("idyntree.bindings", reason="compares with iDynTree"))


def test_every_row_is_run() -> None:
    assert table.missing() == set()


@pytest.mark.idyntree
@pytest.mark.parametrize("key", table.rows)
def test_a_row_on_both_sides(pair: Pair, key: str) -> None:
    table.runs[key](pair)


@table("loadRobotModel")
def _(pair: Pair) -> None:
    assert pair.kindyn.isValid()
    assert pair.state.model is pair.model
    assert pair.kindyn.model().getNrOfDOFs() == pair.state.model.dof


@table("getDescriptionOfDegreeOfFreedom")
def _(pair: Pair) -> None:
    for joint, name in enumerate(pair.model.joint_names):
        assert pair.kindyn.getDescriptionOfDegreeOfFreedom(joint) != ""
        assert repr(name) in str(pair.model.joint_info(joint))
        assert name in pair.model.describe()


@table("getNrOfDegreesOfFreedom")
def _(pair: Pair) -> None:
    assert pair.model.dof == pair.kindyn.getNrOfDegreesOfFreedom()
    assert pair.model.topology.n_bodies == pair.kindyn.getNrOfLinks()
    assert pair.kindyn.getNrOfFrames() == pair.kindyn.getNrOfLinks()  # none was added to theirs
    kinds = ("input", "output", "com", "endeffector", "mesh", "payload")
    assert pair.model.topology.n_frames == sum(map(pair.model.frame_count, kinds))


@table("setFloatingBase")
def _(pair: Pair) -> None:
    model = pair.model.with_floating_base(pair.frame)
    state = moving(model, pair.rng, floating=True)
    theirs = Idyn(pair.idt, pair.tree, state, pair.names[0])
    assert theirs.kindyn.getFloatingBase() == pair.names[0]
    assert model.floating_base == pair.frame
    T = theirs.kindyn.getWorldTransform(pair.names[1]).asHomogeneousTransform().toNumPy()
    pair.same(state.pose(pair.reference), T)


@table("setRobotState")
def _(pair: Pair) -> None:
    for kind in ("mixed", "body", "inertial"):
        state = moving(pair.model, pair.rng, floating=True, kind=kind)
        theirs = Idyn(pair.idt, pair.tree, state)
        pair.same(state.twist(pair.frame), numbers(theirs.kindyn.getFrameVel(pair.names[0])))
        other = state.replace(q=state.q + 0.1, T_world_base=np.eye(4))
        theirs = Idyn(pair.idt, pair.tree, other)
        pair.same(other.twist(pair.frame), numbers(theirs.kindyn.getFrameVel(pair.names[0])))


@table("getRobotState")
def _(pair: Pair) -> None:
    count = pair.model.dof
    q, v = pair.idt.VectorDynSize(count), pair.idt.VectorDynSize(count)
    T, V, g = pair.idt.Transform(), pair.idt.Twist(), pair.idt.Vector3()
    pair.kindyn.getRobotState(T, q, V, v, g)
    pair.same(pair.state.q * pair.tree.scale, q.toNumPy())
    pair.same(pair.state.v * pair.tree.scale, v.toNumPy())
    pair.same(pair.state.T_world_base, T.asHomogeneousTransform().toNumPy())
    pair.same(pair.state.base_twist, numbers(V))
    pair.same(pair.state.gravity, g.toNumPy())
    assert pair.kindyn.getFrameVelocityRepresentation() == pair.idt.MIXED_REPRESENTATION
    assert pair.state.representation == "mixed"


@table("getModelVel")
def _(pair: Pair) -> None:
    velocity = pair.idt.VectorDynSize(pair.model.dof + 6)
    assert pair.kindyn.getModelVel(velocity)
    pair.same(pair.state.generalized_velocity * pair.theirs.scale, velocity.toNumPy())


@table("getFrameIndex")
def _(pair: Pair) -> None:
    index = pair.kindyn.getFrameIndex(pair.names[0])
    assert pair.kindyn.getFrameName(index) == pair.names[0]
    name = pair.model.joint_names[6]
    assert pair.model.frame_name(*pair.model.frame(name)) == name
    assert pair.model.frame(name) == pair.frame


@table("getWorldTransform")
def _(pair: Pair) -> None:
    each = [pair.kindyn.getWorldTransform(n).asHomogeneousTransform().toNumPy() for n in pair.names]
    pair.same(pair.state.pose(pair.frame), each[0])
    pair.same(pair.state.poses([pair.frame, pair.reference]), np.array(each))


def of_frames(pair: Pair) -> None:
    for _ in range(4):
        compare_frames(pair.model, pair.state, pair.theirs, pair.rng)


for _key in (
    "getFrameVel",
    "getFrameFreeFloatingJacobianSparsityPattern",
    "getRelativeTransform(reference, frame)",
    "getRelativeJacobian(reference, frame)",
):
    table(_key)(of_frames)


def of_momenta(pair: Pair) -> None:
    compare_momenta(pair.state, pair.theirs)
    J = pair.theirs.matrix("getCentroidalTotalMomentumJacobian", 6)
    still = pair.model.with_base_frame(pair.state.T_world_base)
    pair.same(still.momentum_matrix(pair.state.q), J[:, 6:])


for _key in (
    "getCenterOfMassPosition",
    "getLinearAngularMomentum",
    "getCentroidalTotalMomentum",
    "getAverageVelocity",
    "getCentroidalAverageVelocity",
    "getRobotLockedInertia",
):
    table(_key)(of_momenta)


def of_dynamics(pair: Pair) -> None:
    compare_dynamics(pair.state, pair.theirs)


@table("getFreeFloatingMassMatrix")
def _(pair: Pair) -> None:
    of_dynamics(pair)
    pair.same(pair.state.mass_matrix[6:, 6:], pair.model.mass_matrix(pair.state.q))


@table("inverseDynamics")
def _(pair: Pair) -> None:
    of_dynamics(pair)
    model, q, v, a = pair.model, pair.state.q, pair.state.v, pair.state.a
    still = moving(model, np.random.default_rng(8), floating=False).replace(q=q, v=v, a=a)
    theirs = Idyn(pair.idt, pair.tree, still)
    kindyn, torques = theirs.kindyn, theirs.twin.torques
    calls: list[tuple[Any, Callable[[], object]]] = [
        (
            model.inverse_dynamics(q, v, a),
            lambda: kindyn.inverseDynamics(
                pair.idt.Vector6(np.zeros(6)),
                pair.idt.VectorDynSize(theirs.a),
                theirs.twin.wrenches,
                torques,
            ),
        ),
        (model.bias_efforts(q, v), lambda: kindyn.generalizedBiasForces(torques)),
        (model.gravity_efforts(q), lambda: kindyn.generalizedGravityForces(torques)),
    ]
    for ours, call in calls:
        call()
        pair.same(ours, efforts_of(theirs)[6:])


def of_pushes(pair: Pair) -> None:
    compare_pushes(pair.state, pair.theirs, pair.rng, -1)


for _key in ("generalizedExternalForces", "inverseDynamicsWithInternalJointForceTorques"):
    table(_key)(of_pushes)


@table("inverseDynamicsInertialParametersRegressor")
def _(pair: Pair) -> None:
    compare_regressor(pair.state, pair.theirs)
