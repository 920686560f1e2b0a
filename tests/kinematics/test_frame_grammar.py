"""Frames in one grammar: whoever is asked, a name means one frame, and errors have near names."""

import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError, ModelError
from armwright.kinematics import Frame, FrameType, ModelBuilder, RobotModel, RobotState, loads
from armwright.kinematics.naming import find_frame, frame_of

Q = np.linspace(-1, 1, 6)
# Of TREE: what each name means, for a joint, an untagged joint, bodies with one output and with
# three, and an end effector.
MEANT = {
    "trunk": ("output", 0),
    "left": ("output", 2),
    "joint3": ("output", 4),
    "joint5": ("output", 9),
    "forearm": ("output", 8),
    "body": ("input", 1),
    "right hand": ("endeffector", 1),
}


def test_every_name_means_one_frame_whoever_asks(tree: RobotModel) -> None:
    assert set(MEANT) < set(tree.frame_names())
    state, wrench = RobotState(tree, Q), [1.0, 2.0, 3.0, 0.1, 0.2, 0.3]
    for name in tree.frame_names():
        frame = find_frame(tree, frame=name)
        if name in MEANT:
            assert frame == MEANT[name]
        T = tree.forward_kinematics(frame.frame_type, Q)[frame.number]
        J = tree.jacobian(Q, None, *frame)
        np.testing.assert_allclose(state.pose(name), T, atol=1e-14)
        assert tree.jacobian(Q, frame=name).tobytes() == J.tobytes()
        assert tree.jacobian(Q, frame=frame).tobytes() == J.tobytes()
        for key in (name, frame):
            np.testing.assert_allclose(tree.external_efforts(Q, {key: wrench}), J.T @ wrench)
            assert tree.with_floating_base(key).floating_base == frame
            np.testing.assert_array_equal(
                tree.jacobian_sparsity(frame=key), tree.jacobian_sparsity(*frame)
            )
            np.testing.assert_array_equal(
                tree.relative_jacobian_sparsity(key, "trunk"),
                tree.relative_jacobian_sparsity(frame, ("output", "trunk")),
            )
        assert tree.frame_name(*frame) == name
        if name in tree.tags:
            assert find_frame(tree, tag=name) == frame


def test_names_with_a_type(tree: RobotModel) -> None:
    for name, element in {**tree.tags, "joint3": 4, "joint6": 9}.items():
        for key in (("input", name), (FrameType.INPUT, element)):
            frame = find_frame(tree, frame=key)
            assert frame == ("input", element)
            assert type(frame) is Frame
            assert frame.frame_type is FrameType.INPUT
    assert find_frame(tree, frame=("CoM", "forearm")) == ("com", 4)
    assert find_frame(tree, frame=("output", "joint5")) == find_frame(tree, frame="joint5")
    assert find_frame(tree, frame=("end_effector", "left hand")) == ("endeffector", 0)
    J = tree.jacobian(Q, frame=("input", "joint3"))
    assert J.tobytes() == tree.jacobians("input", Q)[4].tobytes()


def test_one_grammar_before_the_keyword(tree: RobotModel) -> None:
    # A text is a frame type before it is a name, and a key may stand where a type does.
    assert find_frame(tree, "forearm") == ("output", 8)
    assert find_frame(tree, ("input", "forearm")) == ("input", 7)
    assert find_frame(tree, "output", 3) == ("output", 3)
    assert find_frame(tree, "output", tag="forearm") == ("output", 8)
    assert find_frame(tree, index=1) == ("endeffector", 1)
    odd = loads(
        '<robot version="1.6.0"><rigid-body mass="1" tag="output"/><joint axis="rz"/></robot>'
    )
    assert find_frame(odd, "output", 1) == ("output", 1)
    assert find_frame(odd, frame="output") == ("output", 0)


def test_bias_and_end_effector(tree: RobotModel) -> None:
    v = Q[::-1].copy()
    forearm = tree.bias_acceleration(Q, v, frame="forearm")
    expected = tree.bias_acceleration(Q, v, None, "output", 8)
    assert forearm.tobytes() == expected.tobytes()
    for frame in ("right hand", ("endeffector", 1), ("output", "right hand")):
        T = tree.end_effector(Q, frame=frame)
        assert T.tobytes() == tree.end_effector(Q, index=1).tobytes()
    with pytest.raises(FrameNotFoundError, match=r"'forearm' is no tool frame.*Known: left hand"):
        tree.end_effector(Q, frame="forearm")


@pytest.mark.parametrize("others", [{"frame_type": "output"}, {"index": 0}, {"tag": "forearm"}])
def test_a_frame_comes_alone(tree: RobotModel, others: dict[str, Any]) -> None:
    calls: list[Callable[[], object]] = [
        lambda: tree.jacobian(Q, frame="forearm", **others),
        lambda: tree.bias_acceleration(Q, Q, frame="forearm", **others),
        lambda: tree.jacobian_sparsity(frame="forearm", **others),
    ]
    if "frame_type" not in others:
        calls.append(lambda: tree.end_effector(Q, frame="left hand", **others))
    for call in calls:
        with pytest.raises(
            FrameNotFoundError, match=r"frame: expected it alone, got frame='.*with"
        ):
            call()


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ("forarm", r"there is no frame 'forarm': no element has the tag .*Did you mean 'forearm'"),
        ("joint4", "there is no frame 'joint4'.*Did you mean 'joint"),
        (("input", "forarm"), "there is no frame 'forarm'.*Did you mean 'forearm'"),
        (("inptu", "forearm"), "expected a frame type, got 'inptu'.*Did you mean 'input'"),
        (("inptu", 0), "expected a frame type, got 'inptu'.*Did you mean 'input'"),
        (("output", 13), "index: expected 0 to 12, got 13"),
        (("output", "body"), "frame: 'body' is a rigid-body with 3 output frames"),
        (("endeffector", "forearm"), "'forearm' is a rigid-body, which has no endeff"),
        ("output", r"'output', which is a type of frame: say \('output', index or name\)"),
        (3, "expected a tag or joint's name, or .*, got 3"),
        (("output", 0, 1), "expected a tag or joint's name"),
        (["output", 0], "expected a tag or joint's name"),
    ],
)
def test_what_is_no_frame(tree: RobotModel, frame: Any, message: str) -> None:
    with pytest.raises(FrameNotFoundError, match=message):
        tree.jacobian(Q, frame=frame)
    with pytest.raises(FrameNotFoundError, match=message):
        tree.with_floating_base(frame)
    if not isinstance(frame, list):
        with pytest.raises(FrameNotFoundError, match=message.replace("frame: '", "wrenches: '")):
            tree.external_efforts(Q, {frame: np.zeros(6)})
    with pytest.raises(FrameNotFoundError, match="reference: there is no frame 'x'"):
        tree.relative_jacobian_sparsity("left hand", "x")
    with pytest.raises(FrameNotFoundError, match="The robot has no names for frames"):
        frame_of(loads('<robot version="1.6.0"/>'), "x", "frame")


def test_the_tag_of_a_joint_without_one(tree: RobotModel) -> None:
    with pytest.raises(FrameNotFoundError, match="the name of a joint: say frame='joint3'"):
        tree.jacobian(Q, frame_type="output", tag="joint3")


def test_a_name_of_two_frames_is_no_name() -> None:
    robot = loads(
        '<robot version="1.6.0"><joint axis="rz"/><rigid-body mass="1" tag="joint1"/></robot>'
    )
    text = r"'joint1' is the name of 2 frames.*\('output', 0\) or \('output', 1\)"
    for call in (
        lambda: robot.jacobian([0.0], frame="joint1"),
        lambda: robot.external_efforts([0.0], {"joint1": np.zeros(6)}),
        lambda: find_frame(robot, "joint1"),
        lambda: find_frame(robot, frame=("output", "joint1")),
    ):
        with pytest.raises(FrameNotFoundError, match=text):
            call()
    assert find_frame(robot, tag="joint1") == ("output", 1)  # a tag is the one element's


def test_the_frame_of_a_body_with_one_output_changed(tree: RobotModel) -> None:
    text = r"frame\('forearm'\) is the output frame, \('output', 8\).*\('input', 7\).*'forearm'\)"
    for kind in (None, "body"):
        with pytest.warns(FutureWarning, match=text) as seen:
            assert tree.frame("forearm", kind) == ("output", 8)
        assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tree.frame(("input", "forearm")) == ("input", 7)
        assert tree.frame(("output", "forearm")) == ("output", 8)
        assert tree.frame("body") == ("input", 1)  # three outputs: as before
        assert tree.frame("trunk") == ("output", 0)
        assert tree.frame(Frame(FrameType.COM, 2)) == ("com", 2)
        tree.jacobian(Q, frame="forearm")  # meant the output before as well
        tree.external_efforts(Q, {"forearm": np.zeros(6)})
    with pytest.raises(ModelError, match="kind: goes with a name"):
        tree.frame(("input", "forearm"), kind="body")


def test_what_was_declared_is_what_is_meant() -> None:
    builder = ModelBuilder().joint("j", axis=(1, 2, 3)).body("b", parent="j", mass=1.0)
    builder.frame("imu", "sensor", parent="b", placement=(0.1, 0, 0))
    builder.frame("far", "sensor", parent="imu", placement=(0, 0, 2))  # on the imu's output
    builder.frame("tool", parent="far")
    model = builder.build()
    state = RobotState(model, [0.4])
    for name in model.frame_names():
        frame = model.frame(name)
        T = model.forward_kinematics(frame.frame_type, [0.4])[frame.number]
        assert find_frame(model, frame=name) == find_frame(model, tag=name) == frame
        np.testing.assert_allclose(state.pose(name), T, atol=1e-15)
        np.testing.assert_allclose(state.pose(tag=name), T, atol=1e-15)
    assert model.frame("imu").frame_type is FrameType.INPUT
    turned_back = state.pose("j")[:3, :3] @ [1, 2, 3]
    np.testing.assert_allclose(turned_back, [1, 2, 3], atol=1e-14)  # the axes it was declared in


def test_the_element_of_every_frame_and_joint(robot: RobotModel) -> None:
    for frame_type in FrameType:
        elements = robot.frame_elements(frame_type)
        assert len(elements) == robot.frame_count(frame_type)
        assert robot.frame_elements(frame_type.value.upper()) == elements
    assert robot.frame_elements("input") == tuple(range(robot.n_elements))
    for number in robot.frame_elements("endeffector"):
        assert robot.elements[number].kind == "end-effector"
    assert len(robot.joint_elements) == len(robot.joint_slides) == robot.dof
    for name, number, slides in zip(
        robot.joint_names, robot.joint_elements, robot.joint_slides, strict=True
    ):
        element = robot.elements[number]
        assert element.kind in ("joint", "actuator")
        assert element.tag in (None, name)
        assert slides == ("t" in getattr(element, "axis", ""))
    assert robot.joint_slides.dtype == bool
    assert not robot.joint_slides.flags.writeable
    with pytest.raises(FrameNotFoundError, match="expected a frame type"):
        robot.frame_elements("outputs")


def test_outputs_come_after_what_hangs_on_the_one_before(tree: RobotModel) -> None:
    assert tree.frame_elements("output") == (0, 1, 2, 3, 4, 5, 1, 6, 7, 8, 9, 10, 1)


def test_what_is_looked_up_is_no_part_of_a_model(tree: RobotModel) -> None:
    before = pickle.dumps(tree)
    tree.jacobian(Q, frame="forearm")
    assert pickle.dumps(tree) == before
    assert pickle.loads(before) == tree
