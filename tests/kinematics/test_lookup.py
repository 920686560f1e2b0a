"""Naming frames: kinds in any spelling, tags, indices; and what is said when there is none."""

import numpy as np
import pytest

from armwright.errors import ArmwrightError, FrameNotFoundError, ModelError
from armwright.kinematics import ArmBuilder, FrameType, RobotModel, loads


@pytest.mark.parametrize(
    ("spelling", "kind"),
    [
        ("output", FrameType.OUTPUT),
        ("OUTPUT", FrameType.OUTPUT),
        (" Input ", FrameType.INPUT),
        ("CoM", FrameType.COM),
        ("com", FrameType.COM),
        ("center_of_mass", FrameType.COM),
        ("CenterOfMass", FrameType.COM),
        ("EndEffector", FrameType.END_EFFECTOR),
        ("end_effector", FrameType.END_EFFECTOR),
        ("end-effector", FrameType.END_EFFECTOR),
        ("END EFFECTOR", FrameType.END_EFFECTOR),
        ("Mesh", FrameType.MESH),
        ("payload", FrameType.PAYLOAD),
        (FrameType.MESH, FrameType.MESH),
    ],
)
def test_spellings(spelling: str, kind: FrameType, tree: RobotModel) -> None:
    assert FrameType.parse(spelling) is kind
    q = np.zeros(tree.dof)
    expected = tree.forward_kinematics(kind, q)
    assert tree.forward_kinematics(spelling, q).tobytes() == expected.tobytes()
    assert tree.jacobians(spelling, q).shape == (len(expected), 6, tree.dof)
    assert tree.frame_count(spelling) == len(expected)


def test_a_frame_type_is_its_name() -> None:
    name: str = FrameType.COM
    assert name == "com"
    assert {FrameType.COM: 1}["com"] == 1  # type: ignore[index]


@pytest.mark.parametrize("wrong", ["outputs", "", "tip", None, 3, ["output"], {}, b"output"])
def test_unknown_kinds_name_the_known_ones(wrong: object, planar: RobotModel) -> None:
    q = np.zeros(2)
    for call in (
        lambda: planar.forward_kinematics(wrong, q),  # type: ignore[arg-type]
        lambda: planar.jacobians(wrong, q),  # type: ignore[arg-type]
        lambda: planar.frame_count(wrong),  # type: ignore[arg-type]
    ):
        with pytest.raises(FrameNotFoundError, match=r"expected a frame type, got .*endeffector"):
            call()
    with pytest.raises(FrameNotFoundError, match="Did you mean 'output'"):
        planar.forward_kinematics("outptu", q)


def test_counts(tree: RobotModel) -> None:
    assert tree.n_elements == 11
    assert tree.frame_count("input") == 11
    assert tree.frame_count("output") == 13  # the body has three outputs
    assert tree.frame_count("com") == tree.frame_count("mesh") == len(tree.masses) == 6
    assert tree.frame_count("endeffector") == tree.frame_count("payload") == 2
    assert tree.dof == 6


def test_output_frames_come_after_what_hangs_on_the_output_before(tree: RobotModel) -> None:
    T = tree.with_base_frame(np.eye(4)).forward_kinematics("output", np.zeros(6))
    z = 0.5 + T[0, 2, 3]
    assert T[1, 1, 3] == pytest.approx(0.2)  # first output of the body
    assert T[6, 1, 3] == pytest.approx(-0.2)  # second, after the left arm
    assert T[12, 2, 3] == pytest.approx(z)  # third, after the right arm


def test_frames_without_any(planar: RobotModel) -> None:
    bare = loads('<robot version="1.6.0"><joint axis="rz"/></robot>')
    for kind in ("com", "mesh", "payload", "endeffector"):
        assert bare.forward_kinematics(kind, [0.0]).shape == (0, 4, 4)
        assert bare.jacobians(kind, [0.0]).shape == (0, 6, 1)
        assert bare.jacobians(kind, np.zeros((2, 3, 1)), reference="body").shape == (2, 3, 0, 6, 1)
    empty = loads('<robot version="1.6.0"/>')
    assert empty.forward_kinematics("output", []).shape == (0, 4, 4)
    assert empty.gravity_efforts([]).shape == (0,)
    assert empty.total_mass == 0.0


def test_no_end_effector_suggests_one() -> None:
    bare = loads('<robot version="1.6.0"><joint axis="rz"/></robot>')
    for call in (bare.end_effector, bare.jacobian):
        for q in (np.zeros(1), [0.0], np.zeros((2, 1))):
            with pytest.raises(FrameNotFoundError, match="<end-effector/>"):
                call(q)
    with pytest.raises(FrameNotFoundError, match="<end-effector/>"):
        bare.end_effector([0.0], index=0)
    with pytest.raises(FrameNotFoundError, match="<end-effector/>"):
        bare.with_payload(1)
    with pytest.raises(FrameNotFoundError, match=r"no com frame\.$"):
        bare.jacobian([0.0], frame_type="com")


def test_several_end_effectors_are_listed(tree: RobotModel) -> None:
    words = r"2 endeffector frames: 0 \(tag 'left hand'\), 1 \(tag 'right hand'\).*index= or tag="
    for call in (tree.end_effector, tree.jacobian):
        for q in (np.zeros(6), [0] * 6):
            with pytest.raises(FrameNotFoundError, match=words):
                call(q)
    with pytest.raises(FrameNotFoundError, match=words):
        tree.with_payload(1)
    with pytest.raises(
        FrameNotFoundError, match=r"13 output frames: 0 \(tag 'trunk'\), .*, \.\.\."
    ):
        tree.jacobian(np.zeros(6), frame_type="output")


def test_an_untagged_frame_is_described_by_its_element() -> None:
    two = loads("""
        <robot version="1.6.0"><rigid-body mass="1"><output><end-effector/></output>
        <output><end-effector/></output></rigid-body></robot>""")
    with pytest.raises(FrameNotFoundError, match=r"0 \(element 1, end-effector\), 1 \(element 2"):
        two.end_effector([])


@pytest.mark.parametrize("index", [2, -1, 100, 10**30])
def test_indices_outside_say_the_count(tree: RobotModel, index: int) -> None:
    with pytest.raises(FrameNotFoundError, match=f"expected 0 to 1, got {index}; .* 2 endeffector"):
        tree.end_effector(np.zeros(6), index=index)


@pytest.mark.parametrize("index", [1.0, "1", True, np.bool_(True), [1], np.float64(0)])
def test_indices_are_whole_numbers(tree: RobotModel, index: object) -> None:
    with pytest.raises(FrameNotFoundError, match="expected a whole number from 0, got"):
        tree.end_effector(np.zeros(6), index=index)  # type: ignore[arg-type]


def test_indices_of_numpy_are_taken(tree: RobotModel) -> None:
    q = np.zeros(6)
    for index in (np.int64(1), np.uint8(1)):
        T = tree.end_effector(q, index=index)  # type: ignore[arg-type]
        assert T.tobytes() == tree.end_effector(q, tag="right hand").tobytes()


def test_tags(tree: RobotModel) -> None:
    q = np.full(6, 0.3)
    number = tree.tags["forearm"]
    J = tree.jacobian(q, frame_type="input", tag="forearm")
    assert J.tobytes() == tree.jacobians("input", q)[number].tobytes()
    with pytest.raises(FrameNotFoundError, match=r"no element has the tag 'forarm'.*'forearm'"):
        tree.jacobian(q, frame_type="input", tag="forarm")
    with pytest.raises(FrameNotFoundError, match="no element has the tag 3"):
        tree.jacobian(q, tag=3)  # type: ignore[arg-type]
    with pytest.raises(FrameNotFoundError, match=r"'forearm' is a rigid-body, which has no endeff"):
        tree.end_effector(q, tag="forearm")
    arm = ArmBuilder().actuator("X5-4", tag="wrist").end_effector(tag="tool").build()
    with pytest.raises(
        FrameNotFoundError,
        match=r"'wrist' is an actuator, which has no endeffector frame; ask for "
        "frame_type='output'. Known: tool",
    ):
        arm.jacobian([0.0], frame_type="endeffector", tag="wrist")
    J = arm.jacobian([0.0], frame_type="output", tag="wrist")
    assert arm.jacobian([0.0], tag="wrist").tobytes() == J.tobytes()
    with pytest.raises(
        FrameNotFoundError, match=r"'body' is a rigid-body with 3 output.*: 1, 6, 12"
    ):
        tree.jacobian(q, frame_type="output", tag="body")
    with pytest.raises(FrameNotFoundError, match="index or tag, got both"):
        tree.end_effector(q, index=0, tag="left hand")
    bare = loads('<robot version="1.6.0"><end-effector/></robot>')
    with pytest.raises(FrameNotFoundError, match="The robot has no tags"):
        bare.end_effector([], tag="tip")


def test_tags_are_a_mapping_that_knows_near_names(tree: RobotModel) -> None:
    assert tree.elements[tree.tags["forearm"]].tag == "forearm"
    with pytest.raises(FrameNotFoundError, match=r"^tag: no element has the tag 'forarm'.*forearm"):
        tree.tags["forarm"]
    with pytest.raises(KeyError):  # as any mapping
        tree.tags["forarm"]
    assert tree.tags.get("forarm") is None
    assert "forarm" not in tree.tags
    with pytest.raises(TypeError):
        tree.tags["forarm"] = 1  # type: ignore[index]


def test_the_errors_are_lookup_errors_and_value_errors(planar: RobotModel) -> None:
    with pytest.raises(LookupError):
        planar.end_effector([0, 0], tag="x")
    with pytest.raises(ValueError, match="no element"):
        planar.end_effector([0, 0], tag="x")
    with pytest.raises(ArmwrightError):
        planar.end_effector([0, 0], tag="x")


def test_mesh_paths(tree: RobotModel) -> None:
    assert [tree.mesh_path(i) for i in range(6)] == ["", "", "arm.stl", "", "", ""]
    with pytest.raises(FrameNotFoundError, match="expected 0 to 5, got 6"):
        tree.mesh_path(6)


def test_unknown_references_name_the_known_ones(planar: RobotModel) -> None:
    for wrong in ("wrld", "lcl", None):
        if wrong is not None:
            with pytest.raises(ModelError, match="expected one of 'world', 'body', 'spatial', got"):
                planar.jacobian([0, 0], reference=wrong)  # type: ignore[arg-type]
        with pytest.raises(ModelError, match="reference: expected one of"):
            planar.jacobians("com", [0, 0], reference=wrong)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="Did you mean 'world'"):
        planar.jacobian([0, 0], reference="wrld")  # type: ignore[arg-type]
    body = planar.jacobian([0, 1], reference="BODY")  # type: ignore[arg-type]
    assert body.tobytes() == planar.jacobian([0, 1], reference="body").tobytes()
