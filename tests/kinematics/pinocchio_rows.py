"""The rows of the table from Pinocchio to us that are about models; the same robot in both.

A random tree of joints about any axis, bodies and frames, told to both; Pinocchio's joints in our
order. Tolerances are relative to the largest number, or absolute below 1.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armwright import loads
from armwright.errors import FrameNotFoundError, ModelError
from armwright.kinematics import GRAVITY, ModelBuilder, RobotModel, RobotState, pose_error
from tests.kinematics.migration import Table
from tests.kinematics.random_trees import PinTree, build, random_tree
from tests.kinematics.robot_states import same

table = Table("dynamics.md", "### Pinocchio")
CLOSE = 1e-10


class Pair:
    """The same robot and state in both."""

    def __init__(self, pin: Any) -> None:
        self.pin = pin
        self.things = random_tree(3, 24)
        self.ours = build(self.things)
        self.theirs = PinTree(pin, self.things, self.ours.joint_names, np.eye(4))
        self.model, self.data = self.theirs.model, self.theirs.data
        rng = np.random.default_rng(1)
        self.q, self.v, self.a = rng.uniform(-1, 1, size=(3, self.ours.dof))
        self.state = RobotState(self.ours, self.q, self.v, self.a)
        self.name = self.things[-1].name
        self.number = self.theirs.frames[self.name]
        self.place = self.ours.frame(self.name)
        pin.forwardKinematics(self.model, self.data, self.q, self.v, self.a)
        pin.computeJointJacobians(self.model, self.data, self.q)
        pin.updateFramePlacements(self.model, self.data)

    def same(self, ours: Any, theirs: Any, close: float = CLOSE) -> None:
        same(np.asarray(ours), np.asarray(theirs), close)


URDF = """<robot name="pendulum"><link name="base"/><link name="arm"><inertial>
<origin xyz="0.3 0.1 0"/><mass value="2"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0"
iyz="0"/></inertial></link><joint name="j" type="revolute"><parent link="base"/><child link="arm"/>
<origin xyz="0 0 1"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="3" velocity="4"/>
</joint></robot>"""
PENDULUM = """<robot version="1.6.0" trans="0 0 1"><joint axis="ry" tag="j"/><rigid-body mass="2"
com_trans="0.3 0.1 0" ixx="0.1" iyy="0.2" izz="0.25"/></robot>"""


@table("buildModelFromUrdf")
def _(pair: Pair) -> None:
    theirs = pair.pin.buildModelFromXML(URDF)
    data = theirs.createData()
    q, v, a = np.array([[0.3], [0.4], [0.5]])
    pair.same(loads(PENDULUM).inverse_dynamics(q, v, a), pair.pin.rnea(theirs, data, q, v, a))


@table("neutral(model)")
def _(pair: Pair) -> None:
    pin, model = pair.pin, pair.model
    pair.same(np.zeros(pair.ours.dof), pin.neutral(model))
    pair.same(pair.q + pair.v, pin.integrate(model, pair.q, pair.v))
    pair.same(pair.v - pair.q, pin.difference(model, pair.q, pair.v))


@table("forwardKinematics")
def _(pair: Pair) -> None:
    pair.pin.framesForwardKinematics(pair.model, pair.data, pair.q)
    for thing in pair.things:
        kind, number = pair.ours.frame(thing.name)
        ours = pair.ours.forward_kinematics(kind, pair.q)[number]
        pair.same(ours, pair.data.oMf[pair.theirs.frames[thing.name]].homogeneous)


@table("computeFrameJacobian")
def _(pair: Pair) -> None:
    frames = pair.pin.ReferenceFrame
    for words, theirs in (
        ((None, "LOCAL_WORLD_ALIGNED"), frames.LOCAL_WORLD_ALIGNED),
        (("body", "LOCAL"), frames.LOCAL),
        (("spatial", "WORLD"), frames.WORLD),
    ):
        J = pair.pin.computeFrameJacobian(pair.model, pair.data, pair.q, pair.number, theirs)
        for word in words:
            pair.same(pair.ours.jacobian(pair.q, frame=pair.name, reference=word), J)  # type: ignore[arg-type]


@table("log6")
def _(pair: Pair) -> None:
    pin = pair.pin
    A, B = pin.SE3.Random(), pin.SE3.Random()
    error = pose_error(A.homogeneous, B.homogeneous)
    pair.same(error[:3], B.translation - A.translation)
    pair.same(error[3:], pin.log3(B.rotation @ A.rotation.T))
    # log6 has the same turn, in the axes of A; its first half is another way to the same place.
    pair.same(A.rotation.T @ error[3:], pin.log6(A.actInv(B)).angular)


@table("addJoint")
def _(pair: Pair) -> None:
    pin = pair.pin
    theirs = pin.Model()
    T = pin.SE3.Random()
    theirs.addJoint(0, pin.JointModelRY(), T, "a")
    ours = ModelBuilder().joint("a", "revolute", parent=None, placement=T.homogeneous, axis="y")
    model = ours.build()
    pair.same(model.joint_placements[0], theirs.jointPlacements[1].homogeneous)
    assert list(model.joint_names) == list(theirs.names)[1:]


@table("appendBodyToJoint")
def _(pair: Pair) -> None:
    theirs = pair.pin.computeTotalMass(pair.model) + pair.model.inertias[0].mass  # the base's
    pair.same(pair.ours.total_mass, theirs)


@table("addFrame")
def _(pair: Pair) -> None:
    for thing in pair.things:
        assert pair.ours.has_frame(thing.name)
        assert pair.model.existFrame(f"frame {thing.name}")
    builder = ModelBuilder().body("b", mass=1.0)
    with pytest.raises(ModelError, match="b"):  # a name that is taken is an error here
        builder.frame("b", parent="b")


@table("getFrameId")
def _(pair: Pair) -> None:
    for name in pair.ours.joint_names:
        assert pair.ours.joint_index(name) + 1 == pair.model.getJointId(name)
    assert pair.model.getFrameId("nowhere") == pair.model.nframes
    with pytest.raises(FrameNotFoundError):
        pair.ours.frame("nowhere")


@table("existFrame")
def _(pair: Pair) -> None:
    name = pair.ours.joint_names[0]
    assert pair.ours.has_frame(name, kind="joint")
    assert pair.model.existJointName(name)
    assert not pair.ours.has_frame("nowhere")
    assert not pair.model.existFrame("nowhere")
    assert not pair.model.existBodyName("nowhere")


@table("nq")
def _(pair: Pair) -> None:
    tree, model = pair.ours.topology, pair.model
    assert (tree.n_q, tree.n_v) == (model.nq, model.nv)
    assert tree.n_joints == model.njoints - 1  # the world is one there
    assert tree.n_bodies == pair.ours.dof + 1
    free = build(pair.things, free=True).topology
    root = pair.pin.JointModelFreeFlyer()
    assert (free.n_q - free.n_joints, free.n_v - free.n_joints) == (root.nq, root.nv)


@table("idx_qs")
def _(pair: Pair) -> None:
    tree, model = pair.ours.topology, pair.model
    assert list(tree.q_starts) == list(model.idx_qs)[1:]
    assert list(tree.v_starts) == list(model.idx_vs)[1:]
    assert list(tree.joint_sizes) == list(model.nqs)[1:] == list(model.nvs)[1:]
    floating = pair.state.replace(floating=True)
    assert list(floating.topology.v_starts) == [6 + i for i in list(model.idx_vs)[1:]]


@table("joints")
def _(pair: Pair) -> None:
    tree, model = pair.ours.topology, pair.model
    assert [p + 1 for p in tree.parents] == list(model.parents)[1:]
    assert list(pair.ours.joint_names) == list(model.names)[1:]
    for joint, (kind, theirs) in enumerate(
        zip(tree.joint_kinds, list(model.joints)[1:], strict=True)
    ):
        assert kind.capitalize() in theirs.shortname()
        assert [0, *(i + 1 for i in tree.supports[joint])] == list(model.supports[joint + 1])
        assert {i + 1 for i in tree.subtrees[joint]} == set(model.subtrees[joint + 1])


@table("jointPlacements")
def _(pair: Pair) -> None:
    theirs = np.array([T.homogeneous for T in pair.model.jointPlacements[1:]])
    pair.same(pair.ours.joint_placements, theirs)
    for joint, axis in enumerate(pair.ours.joint_axes):
        local = pair.pin.ReferenceFrame.LOCAL
        J = pair.pin.getJointJacobian(pair.model, pair.data, joint + 1, local)
        told = pair.ours.joint_info(joint)
        pair.same(axis, J[3:, joint] if told.kind == "revolute" else J[:3, joint])
        pair.same(told.placement, theirs[joint])


@table("frames")
def _(pair: Pair) -> None:
    for thing in pair.things:
        told, frame = pair.ours.frame_info(thing.name), None
        frame = pair.model.frames[pair.theirs.frames[thing.name]]
        parent = frame.parentJoint if hasattr(frame, "parentJoint") else frame.parent
        assert (told.parent or "universe") == pair.model.names[parent]
        pair.same(told.placement, frame.placement.homogeneous)
    assert len(pair.ours.frame_names()) == len(pair.things)


@table("inertias")
def _(pair: Pair) -> None:
    ten = pair.ours.inertial_parameters.reshape(-1, 10)
    for joint, own in enumerate(list(pair.model.inertias)[1:]):
        pair.same(ten[joint, 0], own.mass)
        R = pair.state.joint_poses[joint, :3, :3].T @ pair.data.oMi[joint + 1].rotation
        pair.same(ten[joint, 1:4], R @ (own.mass * own.lever))  # z along the joint


@table("referenceConfigurations")
def _(pair: Pair) -> None:
    home = dict(zip(pair.ours.joint_names, pair.q.tolist(), strict=True))
    builder = ModelBuilder()
    builder.joint("a", axis="z").joint("b", parent="a", axis="x")
    model = builder.reference_configuration("home", {"a": 0.1, "b": 0.2}).build()
    theirs = pair.pin.Model()
    theirs.referenceConfigurations["home"] = np.array([0.1, 0.2])
    pair.same(model.reference_configurations["home"], theirs.referenceConfigurations["home"])
    assert len(home) == pair.ours.dof


@table("rotorInertia")
def _(pair: Pair) -> None:
    count, theirs = pair.ours.dof, pair.model.copy()
    rotors, ratios = np.linspace(1, 2, count), np.linspace(3, 4, count)
    theirs.rotorInertia, theirs.rotorGearRatio = rotors, ratios
    theirs.damping = np.linspace(0.1, 0.2, count)
    driven = pair.ours.with_joint_dynamics(
        rotor_inertia=theirs.rotorInertia * theirs.rotorGearRatio**2,
        damping=theirs.damping,
    )
    M = np.diag(driven.mass_matrix(pair.q) - pair.ours.mass_matrix(pair.q))
    pair.same(M, rotors * ratios**2, 1e-9)
    pair.same(driven.joint_dynamics.damping, theirs.damping)
    if hasattr(theirs, "armature"):  # from version 3 on it is in their matrix as well
        theirs.armature = theirs.rotorInertia * theirs.rotorGearRatio**2
        upper = np.triu(pair.pin.crba(theirs, theirs.createData(), pair.q))
        pair.same(driven.mass_matrix(pair.q), upper + np.triu(upper, 1).T)
    assert (pair.ours.gear_ratios == 1.0).all()


@table("effortLimit")
def _(pair: Pair) -> None:
    theirs = pair.pin.buildModelFromXML(URDF)
    ours = ModelBuilder().joint("j", axis="y", lower=-1, upper=2, max_effort=3, max_speed=4).build()
    pair.same(ours.max_efforts, theirs.effortLimit)
    pair.same(ours.max_speeds, theirs.velocityLimit)
    limits = [theirs.lowerPositionLimit, theirs.upperPositionLimit]
    pair.same(ours.position_limits, np.array(limits))
    pair.same(loads(PENDULUM).with_position_limits(*limits).position_limits, np.array(limits))


@table("hasConfigurationLimit")
def _(pair: Pair) -> None:
    theirs = pair.pin.buildModelFromXML(URDF)
    ours = ModelBuilder().joint("j", axis="y", lower=-1, upper=2).build()
    assert list(ours.has_position_limits) == list(theirs.hasConfigurationLimit())
    assert list(ours.has_position_limits) == list(theirs.hasConfigurationLimitInTangent())


@table("gravity")
def _(pair: Pair) -> None:
    theirs = pair.model.copy()
    pair.same(pair.ours.gravity, theirs.gravity.linear)
    if hasattr(theirs, "gravity981"):  # of C++; Python has it in some versions alone
        pair.same(GRAVITY, theirs.gravity981)
    pair.same(GRAVITY, pair.pin.Model().gravity.linear)
    theirs.gravity.linear = np.array([1.0, 2.0, 3.0])
    tau = pair.pin.computeGeneralizedGravity(theirs, theirs.createData(), pair.q)
    pair.same(pair.ours.with_gravity([1, 2, 3]).gravity_efforts(pair.q), tau)
    pair.same(pair.ours.gravity_efforts(pair.q, gravity=[1, 2, 3]), tau)
    theirs.name = "random"
    assert pair.ours.name == theirs.name


@table("cast")
def _(pair: Pair) -> None:
    single = pair.q.astype(np.float32)
    pair.same(pair.ours.gravity_efforts(single), pair.theirs.gravity(single.astype(float)))
    assert pair.model.check(pair.data)
    assert all(problem.severity == "warning" for problem in pair.ours.check())


@table("==")
def _(pair: Pair) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        pair.ours.save(Path(folder) / "m.npz")
        assert RobotModel.load(Path(folder) / "m.npz") == pair.ours
        pair.model.saveToBinary(f"{folder}/m.bin")
        again = pair.pin.Model()
        again.loadFromBinary(f"{folder}/m.bin")
        assert again == pair.model
