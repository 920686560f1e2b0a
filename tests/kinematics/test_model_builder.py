"""Any tree: compared with Pinocchio, with closed forms, with itself through files; odd input."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError, HrdfError, ModelError
from armwright.hrdf import parse, write
from armwright.kinematics import ModelBuilder, RobotModel, RobotState, loads
from armwright.kinematics.transforms import rotation_matrix
from tests.kinematics.conftest import TREE
from tests.kinematics.random_trees import PinTree, build, random_rotation, random_tree

SEEDS = range(12)


@pytest.fixture(scope="module")
def pin() -> Any:
    return pytest.importorskip("pinocchio")


def pose(rng: np.random.Generator) -> Any:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = random_rotation(rng), rng.normal(size=3)
    return T


@pytest.mark.parametrize("seed", SEEDS)
def test_random_trees_agree_with_pinocchio(pin: Any, seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    base = pose(rng)
    things = random_tree(seed, 4 + 2 * seed)
    model = build(things, base=base)
    twin = PinTree(pin, things, model.joint_names, base)
    assert model.dof == twin.model.nv
    for _ in range(3):
        q, v, a = rng.uniform(-3, 3, size=(3, model.dof))
        for thing in things:
            frame = model.frame(thing.name)
            T = model.forward_kinematics(frame.frame_type, q)[frame.number]
            np.testing.assert_allclose(T, twin.pose(thing.name, q), atol=1e-12)
            J = model.jacobian(q, None, *frame)
            np.testing.assert_allclose(J, twin.jacobian(thing.name, q), atol=1e-11)
        scale = 1e-11 * max(1.0, np.abs(twin.mass_matrix(q)).max(initial=0))
        np.testing.assert_allclose(model.gravity_efforts(q), twin.gravity(q), atol=10 * scale)
        np.testing.assert_allclose(model.mass_matrix(q), twin.mass_matrix(q), atol=scale)
        ours, theirs = model.inverse_dynamics(q, v, a), twin.inverse_dynamics(q, v, a)
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_joints_are_numbered_depth_first(seed: int) -> None:
    things = random_tree(seed, 20)
    model = build(things)
    topology = model.topology
    for joint, parent in enumerate(topology.parents):
        assert parent < joint
        assert topology.subtrees[joint] == tuple(range(joint, topology.subtrees[joint][-1] + 1))
    moving: dict[int, str] = {}
    for thing in things:  # what carries a thing is what the topology says
        owner = thing.parent
        while owner is not None and not owner.moves:
            owner = owner.parent
        if thing.moves:
            joint = model.joint_index(thing.name)
            above = topology.parents[joint]
            assert (model.joint_names[above] if above >= 0 else None) == (owner and owner.name)
            moving[joint] = thing.kind
    assert topology.joint_kinds == tuple(moving[joint] for joint in range(model.dof))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_description_can_be_written_and_read(seed: int, tmp_path: Path) -> None:
    model = build(random_tree(seed, 15))
    again = RobotModel(parse(write(model.description)))
    assert again.description == model.description
    q = np.random.default_rng(seed).normal(size=model.dof)
    np.testing.assert_array_equal(again.mass_matrix(q), model.mass_matrix(q))
    model.save(tmp_path / "m.npz")
    loaded = RobotModel.load(tmp_path / "m.npz")
    assert loaded == model == pickle.loads(pickle.dumps(model))
    assert loaded.frame_names() == model.frame_names()


def test_a_joint_about_any_axis_in_closed_form() -> None:
    rng = np.random.default_rng(3)
    axis, T, p = rng.normal(size=3), pose(rng), rng.normal(size=3)
    unit = axis / np.linalg.norm(axis)
    for kind, moved in (
        ("revolute", lambda q: rotation_matrix(unit * q) @ p),
        ("prismatic", lambda q: p + unit * q),
    ):
        builder = ModelBuilder().joint("j", kind, axis=axis, placement=T)  # type: ignore[arg-type]
        model = builder.frame("tip", parent="j", placement=p).build()
        for q in (0.0, 0.7, -2.5):
            tip = model.end_effector([q])[:3, 3]
            np.testing.assert_allclose(tip, T[:3, :3] @ moved(q) + T[:3, 3], atol=1e-14)
            joint = model.frame("j", kind="joint")
            R = model.forward_kinematics(joint.frame_type, [q])[joint.number][:3, :3]
            turned = rotation_matrix(unit * q) if kind == "revolute" else np.eye(3)
            np.testing.assert_allclose(R, T[:3, :3] @ turned, atol=1e-14)


@pytest.mark.parametrize("letter", ["x", "y", "z", "-x", "-Y", "-z"])
def test_axes_by_letter_are_exact(letter: str) -> None:
    vector = np.eye(3)["xyz".index(letter[-1].lower())] * (-3.0 if "-" in letter else 3.0)
    models = [
        ModelBuilder().joint("j", axis=axis).frame("tip", parent="j").build()
        for axis in (letter, vector)
    ]
    assert models[0] == models[1]
    assert models[0].n_elements == 2  # HRDF has these axes: nothing is put in between
    expected = rotation_matrix(vector / 3 * 0.5)
    np.testing.assert_allclose(models[0].end_effector([0.5])[:3, :3], expected, atol=1e-15)


def test_a_chain_is_one_chain_of_elements() -> None:
    builder = ModelBuilder("snake")
    for i in range(150):
        parent = f"link{i - 1}" if i else None
        builder.joint(
            f"j{i}", parent=parent, placement=(0.1, 0, 0), axis=(0, 1, 1) if i % 2 else "z"
        )
        builder.body(f"link{i}", parent=f"j{i}", mass=0.1, com=(0.05, 0, 0))
    model = builder.frame("tip", parent="link149").build()
    assert model.dof == 150
    assert parse(write(model.description)) == model.description
    np.testing.assert_allclose(model.end_effector(np.zeros(150))[0, 3], 15.0)


def test_joints_on_joints_are_one_chain_too() -> None:
    builder = ModelBuilder()
    for i in range(80):
        builder.joint(f"j{i}", parent=f"j{i - 1}" if i else None, placement=(0.1, 0, 0))
        builder.body(f"link{i}", parent=f"j{i}", mass=0.1, com=(0.05, 0, 0))
    model = builder.build()
    assert model.joint_names == tuple(f"j{i}" for i in range(80))
    assert write(model.description)


def test_branches_that_nest_too_deep() -> None:
    builder = ModelBuilder()
    for i in range(60):
        builder.joint(f"j{i}", parent=f"j{i - 1}" if i else None)
        builder.frame(f"f{i}", "sensor", parent=f"j{i}", placement=(0.1, 0, 0))
    with pytest.raises(ModelError, match=r"branches nest \d+ deep, more than the limit of 50"):
        builder.build()


def test_limits_and_drives_follow_the_joints() -> None:
    builder = ModelBuilder("two")
    builder.joint("a", lower=-1, upper=2, max_speed=3, max_effort=4, friction=0.5, damping=0.25)
    builder.joint("b", parent="base", rotor_inertia=0.125, lower=-np.inf, upper=0)
    builder.joint("c", "prismatic", parent="a", max_effort=9, gear_ratio=2)  # before b in q
    for joint in "abc":
        builder.body(f"body {joint}", parent=joint, mass=1, com=(0.1, 0, 0))
    model = builder.build()
    assert model.joint_names == ("a", "c", "b")
    np.testing.assert_array_equal(model.position_limits, [[-1, *[-np.inf] * 2], [2, np.inf, 0]])
    np.testing.assert_array_equal(model.max_speeds, [3, np.inf, np.inf])
    np.testing.assert_array_equal(model.max_efforts, [4, 9, np.inf])
    np.testing.assert_array_equal(model.joint_dynamics.friction, [0.5, 0, 0])
    np.testing.assert_array_equal(model.joint_dynamics.damping, [0.25, 0, 0])
    np.testing.assert_array_equal(model.joint_dynamics.rotor_inertia, [0, 0, 0.125])
    assert [str(one).split(":")[0] for one in model.check_limits(q=[3, 0, 1], tau=[0, 10, 0])] == [
        "joint 'a'",
        "joint 'b'",
        "joint 'c'",
    ]
    moved = model.with_base_frame(np.diag([-1.0, -1, 1, 1]))
    np.testing.assert_array_equal(moved.max_speeds, model.max_speeds)
    assert model.description.description == "two"
    np.testing.assert_allclose(  # the gear
        model.mass_matrix([0, 0, 0])[1, 1], 1 / 4
    )


def test_named_configurations_keep_their_joints() -> None:
    builder = ModelBuilder().joint("a").joint("b").joint("fixed", "fixed")
    builder.reference_configuration("home", {"b": 1}).joint("c", parent="a")
    builder.reference_configuration("home", {"b": 2, "a": -1}).reference_configuration("zero", {})
    model = builder.build()
    assert model.joint_names == ("a", "c", "b")
    np.testing.assert_array_equal(model.reference_configurations["home"], [-1, 0, 2])
    np.testing.assert_array_equal(model.reference_configurations["zero"], [0, 0, 0])
    np.testing.assert_array_equal(model.from_map({"c": 3}, "home"), [-1, 3, 2])


def test_named_frames_of_every_kind() -> None:
    builder = (
        ModelBuilder().joint("j").body("b", parent="j", mass=1).joint("f", "fixed", parent="b")
    )
    builder.frame("tool", parent="f", placement=(0, 0, 1), mass=0.5, com=(0, 0, 0.1))
    builder.frame("imu", "sensor", parent="tool", placement=(0.1, 0, 0))
    model = builder.build()
    assert model.frame_names() == ("j", "b", "f", "tool", "imu")
    assert model.frame_names("joint") == ("j", "f")
    assert model.frame_names("body") == ("b",)
    assert model.frame_names("operational") == ("tool",)
    assert model.frame_names("sensor") == ("imu",)
    assert model.has_frame("imu", "sensor")
    assert not model.has_frame("imu", "body")
    assert not model.has_frame("x")
    assert model.frame("tool").frame_type == "endeffector"
    assert model.total_mass == 1.5
    imu = model.frame("imu")
    at = model.forward_kinematics(imu.frame_type, [0.0])[imu.number]
    np.testing.assert_array_equal(at[:3, 3], [0.1, 0, 1])
    efforts = model.inverse_dynamics([0], [0], [0], external_wrenches={imu: [0, 1, 0, 0, 0, 0]})
    np.testing.assert_allclose(efforts, [-0.1], atol=1e-15)
    with pytest.raises(FrameNotFoundError, match="no sensor frame 'tool'"):
        model.frame("tool", kind="sensor")
    with pytest.raises(FrameNotFoundError, match=r"no frame 'tol'.*Did you mean 'tool'"):
        model.frame("tol")
    with pytest.raises(ModelError, match=r"kind: expected one of.*Did you mean 'sensor'"):
        model.has_frame("imu", "senser")  # type: ignore[arg-type]


def test_named_frames_of_an_hrdf_robot(tree: RobotModel) -> None:
    assert tree.frame_names("joint") == tree.joint_names
    assert tree.frame_names("operational") == ("left hand", "right hand")
    assert tree.frame_names("body") == ("body", "forearm")
    q = np.linspace(-1, 1, 6)
    hand = tree.frame("right hand")
    T = tree.forward_kinematics(hand.frame_type, q)[hand.number]
    np.testing.assert_array_equal(T, tree.end_effector(q, tag="right hand"))
    unnamed = tree.frame("joint5")
    J = tree.jacobian(q, None, *unnamed)
    assert J[3:, 4].any()
    assert not J[:, 5].any()
    part = loads(TREE).subtree(tag="right")
    assert part.frame_names("joint") == part.joint_names


def test_one_name_for_two_frames() -> None:
    robot = loads(
        '<robot version="1.6.0"><joint axis="rz"/><rigid-body mass="1" tag="joint1"/></robot>'
    )
    with pytest.raises(FrameNotFoundError, match=r"name of 2 frames.*'joint', 'body'"):
        robot.frame("joint1")
    with pytest.warns(FutureWarning, match=r"\('output', 1\).*\('input', 1\)"):
        assert robot.frame("joint1", "body") == ("output", 1)
    assert robot.frame("joint1", "joint") == ("output", 0)


def test_a_part_of_a_built_robot_keeps_names_and_limits() -> None:
    builder = ModelBuilder(free_flyer=True)
    for name, parent in (("a", None), ("b", "a"), ("c", "a")):
        builder.joint(name, parent=parent, axis=(1, 1, 0), placement=(0, 0, 1), max_speed=ord(name))
    builder.frame("tool", parent="c").frame("imu", "sensor", parent="b")
    builder.reference_configuration("home", {"a": 1, "b": 2, "c": 3})
    whole = builder.build()
    part = whole.subtree(tag="c")
    assert part.frame_names() == ("c", "tool")
    np.testing.assert_array_equal(part.max_speeds, [ord("c")])
    np.testing.assert_array_equal(part.reference_configurations["home"], [3])
    np.testing.assert_array_equal(part.end_effector([0.0])[:3, 3], [0, 0, 0])
    assert (whole.topology.free_flyer, part.topology.free_flyer) == (True, False)


def test_a_free_flyer_counts_its_base() -> None:
    builder = ModelBuilder(free_flyer=True).body("hull", mass=3, inertia=(1, 1, 1, 0, 0, 0))
    builder.joint("j", parent="hull").body("arm", parent="j", mass=1, com=(0.5, 0, 0))
    topology = builder.build().topology
    assert (topology.n_joints, topology.n_q, topology.n_v) == (1, 8, 7)
    assert topology.body_names == ("hull", "arm")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_state_of_a_free_flyer_floats(seed: int) -> None:
    things = random_tree(seed, 12)
    model, fixed = build(things, free=True), build(things)
    assert model != fixed
    q = np.random.default_rng(seed).normal(size=model.dof)
    state = RobotState(model, q)
    assert (state.floating, state.size) == (True, model.topology.n_v)
    M = state.mass_matrix
    np.testing.assert_allclose(M[:3, :3], model.total_mass * np.eye(3), atol=1e-12)
    np.testing.assert_allclose(M[6:, 6:], fixed.mass_matrix(q), rtol=1e-12, atol=1e-12)
    assert not RobotState(model, q, floating=False).floating
    assert not RobotState(fixed, q).floating
    assert RobotState(fixed, q, floating=True).size == state.size


def test_the_builder_goes_on_after_building() -> None:
    builder = ModelBuilder().joint("a")
    first = builder.build()
    second = builder.joint("b", parent="a").build()
    assert (first.dof, second.dof) == (1, 2)
    assert ModelBuilder().build().dof == 0
    assert ModelBuilder("x").build() == ModelBuilder("x").build()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda b: b.joint("a"), ModelError, "'a' is taken, by a joint"),
        (lambda b: b.body("a", mass=1), ModelError, "'a' is taken, by a joint"),
        (lambda b: b.joint("base"), ModelError, "'base' stands for the base"),
        (lambda b: b.joint(""), ModelError, "expected a text, got an empty one"),
        (lambda b: b.joint(3), ModelError, "name: expected a text, got 3"),
        (lambda b: b.joint("x\0"), ModelError, "XML cannot hold"),
        (lambda b: b.joint("c", parent="bx"), FrameNotFoundError, "nothing is called 'bx'.*'b'"),
        (lambda b: b.joint("c", parent=2), FrameNotFoundError, "nothing is called 2"),
        (lambda b: b.joint("c", "revolut"), ModelError, "kind.*Did you mean 'revolute'"),
        (lambda b: b.joint("c", "spherical"), ModelError, "kind: expected one of 'revolute'"),
        (lambda b: b.joint("c", axis="w"), ModelError, "axis: expected x, y, z, -x"),
        (lambda b: b.joint("c", axis=[0, 0, 0]), ModelError, "axis: expected a direction"),
        (lambda b: b.joint("c", axis=[0, 0]), ModelError, r"axis: expected shape \(3,\)"),
        (lambda b: b.joint("c", axis=[0, 0, np.nan]), ModelError, "axis: expected finite"),
        (lambda b: b.joint("c", placement=np.eye(3)), ModelError, "placement: expected shape"),
        (
            lambda b: b.joint("c", placement=[[1, 0, 0, 0]] * 4),
            ModelError,
            "placement: expected 0 0 0 1 in the last row",
        ),
        (lambda b: b.joint("c", placement=[1e60, 0, 0]), ModelError, "beyond the limit of 1e"),
        (
            lambda b: b.joint("c", lower=2, upper=1),
            ModelError,
            "expected lower <= upper, got 2 and",
        ),
        (lambda b: b.joint("c", lower=np.inf), ModelError, "expected lower <= upper"),
        (lambda b: b.joint("c", upper=np.nan), ModelError, "upper: expected a number"),
        (lambda b: b.joint("c", upper="1"), ModelError, "upper: expected a number"),
        (
            lambda b: b.joint("c", max_speed=-1),
            ModelError,
            "max_speed: expected a number, 0 or more",
        ),
        (lambda b: b.joint("c", max_effort=np.nan), ModelError, "max_effort: expected a number"),
        (lambda b: b.joint("c", friction=-1), ModelError, "friction: expected a number, 0 or more"),
        (lambda b: b.joint("c", damping=np.inf), ModelError, "damping: expected a finite number"),
        (lambda b: b.joint("c", rotor_inertia=-0.1), ModelError, "rotor_inertia: expected"),
        (lambda b: b.joint("c", gear_ratio=0), ModelError, "gear_ratio: expected a number other"),
        (lambda b: b.body("c", mass=-1), ModelError, "mass: expected a number, 0 or more, got -1"),
        (lambda b: b.body("c", mass=True), ModelError, "mass: expected a number"),
        (lambda b: b.body("c", mass=1, com=[1]), ModelError, "com: expected shape"),
        (lambda b: b.body("c", mass=1, inertia=[1, 2]), ModelError, "inertia: expected shape"),
        (
            lambda b: b.body("c", mass=1, inertia=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]),
            ModelError,
            "inertia: expected six numbers or a symmetric",
        ),
        (lambda b: b.frame("c", "joint"), ModelError, "kind: expected one of 'operational', 'sens"),
        (lambda b: b.reference_configuration("c", {"x": 1}), FrameNotFoundError, "no joint 'x'"),
        (lambda b: b.reference_configuration("c", {"f": 1}), FrameNotFoundError, "'f' that moves"),
        (
            lambda b: b.reference_configuration("c", {"a": np.inf}),
            ModelError,
            "joint 'a': expected",
        ),
        (lambda b: b.reference_configuration("c", [1]), ModelError, "expected a mapping"),
        (lambda b: b.reference_configuration("", {}), ModelError, "name: expected a text"),
    ],
)
def test_odd_calls_change_nothing(call: Any, error: type[Exception], message: str) -> None:
    builder = ModelBuilder().joint("a").body("b", parent="a", mass=1).joint("f", "fixed")
    before = builder.build()
    with pytest.raises(error, match=message):
        call(builder)
    assert builder.build() == before
    assert not builder.has_frame("c")


def test_odd_starts() -> None:
    with pytest.raises(ModelError, match="base_frame: expected shape"):
        ModelBuilder(base_frame=np.eye(3))
    with pytest.raises(ModelError, match="free_flyer: expected True or False, got 1"):
        ModelBuilder(free_flyer=1)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="name: expected a text, got 3"):
        ModelBuilder(3)  # type: ignore[arg-type]


def test_rules_of_the_format_hold() -> None:
    builder = ModelBuilder().body("b", mass=1, inertia=(-1, 1, 1, 0, 0, 0))
    with pytest.raises(HrdfError, match="negative inertia"):
        builder.build()
