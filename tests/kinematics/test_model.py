"""What a model holds: names, masses, limits; that nothing of it can be changed; copies."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

from armwright.errors import HrdfError, JointVectorError, ModelError
from armwright.hrdf import RobotDescription, parse, read
from armwright.kinematics import RobotModel, load, loads
from armwright.kinematics.naming import resolve_frame
from tests import oracles
from tests.kinematics.conftest import PLANAR, TREE

PUBLIC_ARRAYS = (
    "masses",
    "max_speeds",
    "max_efforts",
    "position_limits",
    "base_frame",
    "inertial_parameters",
)


def test_metadata(tree: RobotModel) -> None:
    assert tree.joint_names == ("trunk", "left", "joint3", "right", "joint5", "joint6")
    assert dict(tree.tags) == {
        "trunk": 0,
        "body": 1,
        "left": 2,
        "left hand": 5,
        "right": 6,
        "forearm": 7,
        "right hand": 10,
    }
    kinds = [element.kind for element in tree.elements]
    assert kinds[:4] == ["actuator", "rigid-body", "joint", "rigid-body"]
    assert kinds[4:] == [
        "joint", "end-effector", "joint", "rigid-body", "joint", "joint", "end-effector",
    ]  # fmt: skip
    expected = [e.mass for e in tree.elements if e.kind != "joint"]  # type: ignore[union-attr]
    assert tree.masses.tolist() == expected
    assert tree.total_mass == pytest.approx(sum(expected))
    assert tree.max_efforts.tolist() == [tree.elements[0].part.max_effort] + [np.inf] * 5  # type: ignore[union-attr]
    assert np.isfinite(tree.max_speeds).tolist() == [True] + [False] * 5
    assert tree.position_limits.tolist() == [[-np.inf] * 6, [np.inf] * 6]
    assert tree.base_frame.tolist() == tree.description.base_frame.tolist()
    assert tree.warnings == tree.description.warnings
    assert len(tree.warnings) == 3  # negative axes


def test_elements_remember_where_they_came_from(tree: RobotModel) -> None:
    assert tree.elements[0].line == 3
    assert tree.elements[5].path == "robot/rigid-body[1]/output[1]/end-effector[1]"


def test_joint_names_are_unique_whatever_the_tags() -> None:
    model = loads("""
        <robot version="1.6.0"><joint axis="rx"/><joint axis="rx" tag="joint1"/>
        <joint axis="rx" tag="joint1_"/><joint axis="rx"/></robot>""")
    assert model.joint_names == ("joint1__", "joint1", "joint1_", "joint4")


def test_repr_is_one_line(tree: RobotModel, planar: RobotModel) -> None:
    assert repr(planar) == "<RobotModel: 2 dof, 5 elements, 3.000 kg; joints j1, j2>"
    assert "\n" not in repr(tree)
    many = '<robot version="1.6.0">' + '<joint axis="rz"/>' * 20 + "</robot>"
    assert repr(loads(many)).endswith("joint8, ...>")
    assert repr(loads('<robot version="1.6.0"/>')).endswith("joints none>")


def test_public_arrays_cannot_be_written(robot: RobotModel) -> None:
    values = {name: getattr(robot, name) for name in dir(robot) if not name.startswith("_")}
    arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    assert set(arrays) >= {
        "base_frame",
        "masses",
        "max_efforts",
        "max_speeds",
        "position_limits",
    }
    for array in (*arrays.values(), robot.description.base_frame):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0


def test_a_model_cannot_be_changed(planar: RobotModel) -> None:
    for name in ("dof", "masses", "description", "_rows", "new"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(planar, name, 1)
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(planar, name)
    with pytest.raises(TypeError):
        planar.tags["x"] = 1  # type: ignore[index]
    assert not hasattr(planar, "__dict__")


def test_results_are_the_callers_own(planar: RobotModel) -> None:
    q = np.zeros(2)
    for call in (planar.end_effector, planar.jacobian, planar.gravity_efforts):
        first = call(q)
        first[...] = 7.0
        assert not (call(q) == 7.0).any()
    limits = planar._chain  # a chain is fresh too
    limits(resolve_frame(planar, None)[0], 0)[...] = 0.0
    assert planar.end_effector(q)[0, 3] == 1.5


def test_pickling_and_copying(tree: RobotModel) -> None:
    model = (
        tree.with_position_limits([-1] * 6, [1] * 6)
        .with_payload(1, [0.1, 0, 0], index=0, frame="output")
        .with_base_frame(np.eye(4))
    )
    q = np.linspace(-1, 1, 6)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(model, protocol))
        assert back.description == model.description
        assert back.position_limits.tolist() == model.position_limits.tolist()
        assert not back.position_limits.flags.writeable
        for kind in ("output", "payload"):
            expected = model.forward_kinematics(kind, q)
            assert back.forward_kinematics(kind, q).tobytes() == expected.tobytes()
        assert back.gravity_efforts(q).tobytes() == model.gravity_efforts(q).tobytes()
    assert copy.copy(model) is model
    assert copy.deepcopy({"model": model})["model"] is model


def test_a_subclass_stays_what_it_is() -> None:
    class Mine(RobotModel):
        __slots__ = ()

    model = Mine(parse(PLANAR))
    assert type(model.with_payload(1).with_base_frame(np.eye(4)).subtree(index=0)) is Mine


# Base frame


def test_base_frame_moves_everything(tree: RobotModel) -> None:
    T = oracles.motion("r", np.array([0, 0, 1.0]), 0.7)
    T[:3, 3] = [1, 2, 3]
    moved, at_origin = tree.with_base_frame(T), tree.with_base_frame(np.eye(4))
    q = np.linspace(-1, 1, 6)
    for kind in ("output", "input", "com", "endeffector", "mesh", "payload"):
        expected = T @ at_origin.forward_kinematics(kind, q)
        np.testing.assert_allclose(moved.forward_kinematics(kind, q), expected, atol=1e-13)
    assert moved.base_frame.tolist() == T.tolist()
    assert moved.description.base_frame.tolist() == T.tolist()
    again = tree.with_base_frame(tree.base_frame)
    assert (
        again.forward_kinematics("com", q).tobytes() == tree.forward_kinematics("com", q).tobytes()
    )


def test_base_frames_are_checked(planar: RobotModel) -> None:
    T = np.eye(4)
    T[:3, 3] = [1, 2, 3]
    with pytest.raises(
        ModelError, match=r"base frame: .* got 1 2 3 1\. Is the matrix transposed\?"
    ):
        planar.with_base_frame(T.T)
    with pytest.raises(ModelError, match="base frame: expected a rotation"):
        planar.with_base_frame(np.diag([2.0, 2, 2, 1]))
    with pytest.raises(ModelError, match=r"base frame: expected shape \(4, 4\), got \(3,\)"):
        planar.with_base_frame([0, 0, 1])
    T[0, 0] += 1e-6  # as loose as the file format
    planar.with_base_frame(T)


# Position limits


def test_position_limits(planar: RobotModel) -> None:
    model = planar.with_position_limits([-1, -np.inf], (2, 0))
    assert model.position_limits.tolist() == [[-1, -np.inf], [2, 0]]
    assert planar.position_limits.tolist() == [[-np.inf] * 2, [np.inf] * 2]
    with pytest.raises(ValueError, match="read-only"):
        model.position_limits[0, 0] = 5
    assert model.with_payload(1).position_limits.tolist() == model.position_limits.tolist()
    held = planar.with_position_limits([0.5, 0], [0.5, 0])
    assert held.position_limits[:, 0].tolist() == [0.5, 0.5]
    lower = np.zeros(2)
    model = planar.with_position_limits(lower, [1, 1])
    lower[:] = 9
    assert model.position_limits[0].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("lower", "upper", "words"),
    [
        (
            [0, 1],
            [1, 0],
            r"joint 'j2': expected lower <= upper, got lower 1 and upper 0\. .*swapped",
        ),
        ([0, np.nan], [1, 1], "lower position limits of joint 'j2': expected a number, got nan"),
        ([0, 0], [np.nan, 1], "upper position limits of joint 'j1': expected a number, got nan"),
        ([0], [1, 1], "lower position limits: expected 2 numbers, got 1$"),
        ([0, 0], [1, 1, 1], "upper position limits: expected 2 numbers, got 3$"),
        ([[0, 0]], [1, 1], r"lower position limits: expected 2 numbers, got shape \(1, 2\)"),
        (0, [1, 1], r"lower position limits: expected 2 numbers, got shape \(\)"),
        (["a", "b"], [1, 1], r"lower position limits: expected 2 numbers, got \['a', 'b'\]"),
        (None, [1, 1], "expected 2 numbers, got None"),
        ([np.inf, 0], [np.inf, 1], "joint 'j1': expected -inf or a number as lower"),
        ([-np.inf, 0], [-np.inf, 1], "joint 'j1': expected -inf or a number as lower"),
    ],
)
def test_bad_position_limits(planar: RobotModel, lower: object, upper: object, words: str) -> None:
    with pytest.raises(JointVectorError, match=words):
        planar.with_position_limits(lower, upper)  # type: ignore[arg-type]


# Payloads


def test_payload_frame_and_efforts(planar: RobotModel) -> None:
    tool = loads(PLANAR.replace('<end-effector tag="ee"/>',
        '<end-effector output_trans="0.2 0 0" output_rot="Rz(pi/2)"/>'))  # fmt: skip
    q, g = [0.3, 0.5], [0, -9.81, 0]
    start = tool.gravity_efforts(q, g)
    at_input = tool.with_payload(2, [0.1, 0, 0])
    at_tool = tool.with_payload(2, [0, 0.1, 0], frame="output")
    for loaded, frame, com in ((at_input, "input", [0.1, 0, 0]), (at_tool, "output", [0, 0.1, 0])):
        T = loaded.forward_kinematics(frame, q)[-1]
        point = T[:3, :3] @ com + T[:3, 3]
        np.testing.assert_allclose(loaded.forward_kinematics("payload", q)[0, :3, 3], point)
        J = tool.jacobian(q, frame_type=frame, index=4, point=com)[:3]
        np.testing.assert_allclose(loaded.gravity_efforts(q, g) - start, -J.T @ g * 2, atol=1e-12)
        np.testing.assert_allclose(loaded.jacobian(q, frame_type="payload")[:3], J, atol=1e-14)
    (T,) = tool.forward_kinematics("payload", q)  # the input's origin, the tool's axes
    np.testing.assert_allclose(T[:3, 3], tool.forward_kinematics("input", q)[-1, :3, 3])
    np.testing.assert_allclose(T[:3, :3], tool.end_effector(q)[:3, :3])
    assert at_input.masses.tolist() == tool.masses.tolist()
    assert at_input.total_mass == tool.total_mass


def test_each_end_effector_has_its_own_payload(tree: RobotModel) -> None:
    q = np.linspace(-1, 1, 6)
    start = tree.gravity_efforts(q)
    left = tree.with_payload(1, tag="left hand").gravity_efforts(q) - start
    right = tree.with_payload(2, [0, 0, 0.1], index=1).gravity_efforts(q) - start
    assert np.abs(left[3:]).max() == 0
    assert np.abs(right[1:3]).max() == 0
    both = tree.with_payload(1, tag="left hand").with_payload(2, [0, 0, 0.1], tag="right hand")
    np.testing.assert_allclose(both.gravity_efforts(q) - start, left + right, atol=1e-13)
    only_right = both.with_payload(0, tag="left hand")
    np.testing.assert_array_equal(
        only_right.gravity_efforts(q), tree.with_payload(2, [0, 0, 0.1], index=1).gravity_efforts(q)
    )
    assert only_right.with_payload(0, index=1).gravity_efforts(q).tobytes() == start.tobytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mass": -1}, "payload mass: expected a number of kg, 0 or more, got -1"),
        ({"mass": np.nan}, "got nan"),
        ({"mass": np.inf}, "got inf"),
        ({"mass": "1"}, "got '1'"),
        ({"mass": None}, "got None"),
        ({"mass": True}, "got True"),
        ({"mass": [1.0]}, r"got \[1.0\]"),
        ({"mass": 1, "com": [0, 0]}, r"payload com: expected shape \(3,\), got \(2,\)"),
        ({"mass": 1, "com": [[0, 0, 0]]}, r"payload com: expected shape \(3,\), got \(1, 3\)"),
        ({"mass": 1, "com": [0, 0, np.nan]}, "payload com: expected finite"),
        ({"mass": 1, "frame": "tool"}, "frame: expected one of 'input', 'output', got 'tool'"),
        ({"mass": 1, "index": 1}, "expected 0 to 0, got 1"),
        ({"mass": 1, "tag": "x"}, "no element has the tag 'x'"),
    ],
)
def test_bad_payloads(planar: RobotModel, arguments: dict[str, object], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        planar.with_payload(**arguments)  # type: ignore[arg-type]


# Subtrees


def test_subtree_is_the_element_and_all_that_hangs_on_it(tree: RobotModel) -> None:
    arm = tree.subtree(tag="right")
    assert [e.tag for e in arm.elements] == ["right", "forearm", None, None, "right hand"]
    assert arm.joint_names == ("right", "joint2", "joint3")
    assert arm.base_frame.tolist() == tree.base_frame.tolist()
    q = np.linspace(-1, 1, 6)
    T_world_base = tree.base_frame
    T_world_right = tree.forward_kinematics("input", q)[6]
    expected = T_world_base @ np.linalg.inv(T_world_right)
    np.testing.assert_allclose(
        arm.end_effector(q[3:]), expected @ tree.end_effector(q, tag="right hand"), atol=1e-13
    )
    assert tree.subtree(index=6).description == arm.description
    assert tree.subtree(index=0).description == tree.description
    body = tree.subtree(tag="body")
    assert body.n_elements == 10
    assert body.dof == 5
    last = tree.subtree(index=10)
    assert (last.n_elements, last.dof) == (1, 0)


def test_subtrees_keep_limits_and_payloads(tree: RobotModel) -> None:
    model = tree.with_position_limits(-np.arange(1, 7), np.arange(1, 7))
    model = model.with_payload(3, index=1).with_payload(1, index=0)
    arm = model.subtree(tag="right")
    assert arm.position_limits.tolist() == [[-4, -5, -6], [4, 5, 6]]
    alone = tree.subtree(tag="right").with_payload(3)
    assert (
        arm.gravity_efforts([0.1, 0.2, 0.3]).tobytes()
        == alone.gravity_efforts([0.1, 0.2, 0.3]).tobytes()
    )


def test_every_subtree_of_a_tree_counts_right(tree: RobotModel) -> None:
    sizes = [tree.subtree(index=i).n_elements for i in range(tree.n_elements)]
    assert sizes == [11, 10, 4, 3, 2, 1, 5, 4, 3, 2, 1]


def test_subtree_needs_one_element(tree: RobotModel) -> None:
    with pytest.raises(ModelError, match="expected 0 to 10, got 11"):
        tree.subtree(index=11)
    with pytest.raises(ModelError, match=r"no element has the tag 'rigth'.*Did you mean 'right'"):
        tree.subtree(tag="rigth")
    with pytest.raises(ModelError, match="index or tag, got both"):
        tree.subtree(index=1, tag="body")
    with pytest.raises(ModelError, match="Say which one by index= or tag="):
        tree.subtree()


# Loading


def test_load_and_loads_give_the_same(tmp_path: Path) -> None:
    file = tmp_path / "tree.hrdf"
    file.write_text(TREE)
    model = load(file)
    assert model.description == loads(TREE).description == loads(TREE.encode()).description
    assert load(str(file)).description == read(file)
    (tmp_path / "outer.hrdf").write_text(
        '<robot version="1.6.0"><include path="tree.hrdf"/></robot>'
    )
    text = (tmp_path / "outer.hrdf").read_text()
    assert loads(text, folder=tmp_path).dof == 6
    with pytest.raises(HrdfError, match="include"):
        loads(text)


def test_a_robot_longer_than_the_stack_scratch(planar: RobotModel) -> None:
    rod = (
        '<joint axis="rz"/><rigid-body mass="0.01" com_trans="0.005 0 0" output_trans="0.01 0 0"/>'
    )
    for count in (62, 63, 64, 150):
        text = '<robot version="1.6.0">' + rod * count + "<end-effector/></robot>"
        model = loads(text)
        q = np.random.default_rng(count).uniform(-1, 1, count)
        d = model.description
        np.testing.assert_allclose(
            model.end_effector(q), oracles.poses(d, "endeffector", q)[0], atol=1e-12
        )
        expected = oracles.jacobians(d, "output", q)
        np.testing.assert_allclose(model.jacobians("output", q), expected, atol=1e-12)
        np.testing.assert_allclose(model.jacobian(q), expected[-1], atol=1e-12)
        g = [0, -9.81, 0]
        expected = oracles.holding_efforts(d, q, g)
        np.testing.assert_allclose(model.gravity_efforts(q, g), expected, atol=1e-11)


def test_description_may_be_made_by_hand() -> None:
    empty = RobotModel(RobotDescription())
    assert (empty.dof, empty.n_elements, empty.frame_count("output")) == (0, 0, 0)
    for wrong in ("arm.hrdf", None, 3):
        with pytest.raises(ModelError, match=r"expected a RobotDescription, got .*load\(path\)"):
            RobotModel(wrong)  # type: ignore[arg-type]
