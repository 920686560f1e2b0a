"""Reading valid files: every element and attribute, order, trees, defaults, provenance."""

import pickle
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest

from armwright.hrdf import (
    Actuator,
    Bracket,
    EndEffector,
    Joint,
    Link,
    Overrides,
    Pose,
    RigidBody,
    parse,
    read,
    walk,
)
from armwright.hrdf.elements.pose import IDENTITY, rotation_about
from tests.hrdf.conftest import Robot, text_of

TREE = """
<joint axis="rz" tag="trunk"/>
<rigid-body mass="1" tag="fork">
  <output trans="0 0 1"><actuator type="X5-1"/><end-effector tag="left"/></output>
  <output rot="Rx(pi/2)">
    <bracket type="X5LightLeft"><output><actuator type="X8-9"/></output></bracket>
  </output>
  <output/>
</rigid-body>
"""


def test_elements_keep_document_order(robot: Robot) -> None:
    d = robot(
        '<joint axis="rz"/><rigid-body mass="1"/><joint axis="ry"/><rigid-body mass="2"/>'
        '<rigid-body mass="3"/><end-effector/>'
    )
    kinds = [element.kind for element in d.elements]
    assert kinds == ["joint", "rigid-body", "joint", "rigid-body", "rigid-body", "end-effector"]
    assert [p.parent for p in walk(d)] == [-1, 0, 1, 2, 3, 4]


def test_an_actuator_with_everything(robot: Robot) -> None:
    d = robot(
        '<actuator type="X8-9" tag="a" mass="pi" com_rot="Rz(pi/2)" com_trans="1 2 3" ixx="1"'
        ' iyy="1" izz="1.5" ixy="0.1" ixz="0.2" iyz="-0.1"/>'
    )
    (a,) = d.elements
    assert isinstance(a, Actuator)
    assert (a.type, a.tag, a.mass) == ("X8-9", "a", np.pi)
    assert a.com == Pose(rotation_about("z", np.pi / 2), (1, 2, 3))
    assert a.inertia == (1, 1, 1.5, 0.1, 0.2, -0.1)
    assert not a.inertia_estimated
    assert a.output_poses == (Pose(translation=(0, 0, 0.0451)),)


def test_offsets_add_to_the_part(robot: Robot) -> None:
    d = robot('<actuator type="X8-9" mass_offset="0.1" com_trans_offset="0.01 0 -0.01"/>')
    (a,) = d.elements
    assert isinstance(a, Actuator)
    assert a.mass == pytest.approx(0.58, abs=1e-15)
    assert a.com.translation == pytest.approx((-0.0045, -0.0031, 0.0142), abs=1e-15)


def test_a_single_inertia_keeps_the_others_of_the_part(robot: Robot) -> None:
    (a,) = robot('<actuator type="X8-9" iyy="0.0004"/>').elements
    assert isinstance(a, Actuator)
    assert a.inertia == (0.000246, 0.0004, 0.000463, 0.0000444, 0.0000266, 0.00000422)


def test_a_link_with_everything(robot: Robot) -> None:
    (link,) = robot(
        '<link type="R25-R8" extension="0.2+0.1" twist="pi/2" input="Inline" output="RightAngle"'
        ' tag="l" mass_offset="1"/>'
    ).elements
    assert isinstance(link, Link)
    assert (link.extension, link.twist) == (0.2 + 0.1, np.pi / 2)
    assert (link.input, link.output) == ("Inline", "RightAngle")
    assert link.mass == pytest.approx(0.525 + 0.56 * 0.3 + 0.001 + 1)
    assert (link.interface_in, link.interface_out) == ("R25-AO-B", "R8-AH-B")


def test_a_rigid_body_with_everything(robot: Robot) -> None:
    (body,) = robot(
        '<rigid-body mass="2" com_rot="Rx(1)" com_trans="1 0 0" output_rot="Ry(1)"'
        ' output_trans="0 1 0" ixx="3" iyy="3" izz="3" ixy="1" ixz="1" iyz="1" tag="b"'
        ' mesh_path="m/a.stl" mesh_rot="Rz(1)" mesh_trans="0 0 1"/>'
    ).elements
    assert body == RigidBody(
        mass=2.0,
        com=Pose(rotation_about("x", 1), (1, 0, 0)),
        inertia=(3, 3, 3, 1, 1, 1),
        outputs=body.outputs,  # type: ignore[union-attr]
        mesh_path="m/a.stl",
        mesh_pose=Pose(rotation_about("z", 1), (0, 0, 1)),
        tag="b",
    )
    assert body.output_poses == (Pose(rotation_about("y", 1), (0, 1, 0)),)


def test_what_is_not_given_has_its_default(robot: Robot) -> None:
    d = robot('<rigid-body mass="1"/><joint axis="tx"/><link type="X5" extension="0.1" twist="0"/>')
    body, joint, link = d.elements
    assert body == RigidBody(mass=1.0)
    assert joint == Joint(axis="tx", gear_ratio=1.0)
    assert isinstance(link, Link)
    assert (link.input, link.output, link.overrides) == ("RightAngle", "RightAngle", Overrides())
    assert robot("").elements == ()


@pytest.mark.parametrize("axis", ["rx", "ry", "rz", "tx", "ty", "tz"])
def test_joints_turn_and_slide_both_ways(robot: Robot, axis: str) -> None:
    d = robot(f'<joint axis="{axis}" gear_ratio="-1/2"/>')
    assert d.elements == (Joint(axis=axis, gear_ratio=-0.5),)  # type: ignore[arg-type]
    assert d.warnings == ()
    d = robot(f'\n<joint axis="-{axis}"/>')
    assert d.elements == (Joint(axis=f"-{axis}"),)  # type: ignore[arg-type]
    (warning,) = d.warnings
    assert (warning.severity, warning.line, warning.attribute) == ("warning", 2, "axis")
    assert "does not list negative axes" in warning.message


def test_end_effectors(robot: Robot) -> None:
    (custom,) = robot('<end-effector mass="1" com_trans="0 0 1" output_rot="Rx(1)"/>').elements
    assert isinstance(custom, EndEffector)
    assert (custom.type, custom.mass) == ("Custom", 1.0)
    assert custom.output_poses == (Pose(rotation_about("x", 1)),)
    assert not custom.implicit
    (gripper,) = robot('<end-effector type="X5Parallel" tag="g" output_trans="0 0 1"/>').elements
    assert isinstance(gripper, EndEffector)
    assert (gripper.mass, gripper.interface_in) == (0.2464, "X-AO-B")
    assert gripper.output_poses == (Pose(translation=(0, 0, 1)),)
    (plain,) = robot('<end-effector type="X5Parallel"/>').elements
    assert plain.output_poses == (Pose(translation=(0, 0, 0.095)),)


def test_trees_are_walked_depth_first(robot: Robot) -> None:
    d = robot(TREE)
    placed = list(walk(d))
    assert [p.element.kind for p in placed] == [
        "joint",
        "rigid-body",
        "actuator",
        "end-effector",
        "bracket",
        "actuator",
    ]
    assert [(p.parent, p.output) for p in placed] == [
        (-1, 0),
        (0, 0),
        (1, 0),
        (2, 0),
        (1, 1),
        (4, 0),
    ]
    fork, bracket = placed[1].element, placed[4].element
    assert isinstance(fork, RigidBody)
    assert fork.branched
    assert [len(output.elements) for output in fork.outputs] == [2, 1, 0]
    assert isinstance(bracket, Bracket)
    assert bracket.branched
    assert (
        placed[5].element.path == "robot/rigid-body[1]/output[2]/bracket[1]/output[1]/actuator[1]"
    )


def test_outputs_take_missing_parts_from_the_body(robot: Robot) -> None:
    d = robot(
        '<rigid-body mass="1" output_rot="Rx(pi)" output_trans="0 0 1"><output rot="Ry(1)"/>'
        '<output trans="1 0 0"/><output/></rigid-body>'
    )
    assert d.elements[0].output_poses == (
        Pose(rotation_about("y", 1), (0, 0, 1)),
        Pose(rotation_about("x", np.pi), (1, 0, 0)),
        Pose(rotation_about("x", np.pi), (0, 0, 1)),
    )


def test_base_frame_and_description(robot: Robot) -> None:
    d = robot("", attributes='rot="Rz(pi/2)" trans="1 2 3" description="An &lt;arm&gt;"')
    assert d.description == "An <arm>"
    expected = [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]
    np.testing.assert_array_equal(d.base_frame, expected)
    with pytest.raises(ValueError, match="read-only"):
        d.base_frame[0, 0] = 2


def test_enum_values_in_another_case_warn(robot: Robot) -> None:
    d = robot(
        '<actuator type="x8-9"/><link type="x5" extension="1" twist="0" input="inline"'
        ' output="RIGHTANGLE"/><actuator type="X8-9"/><bracket type="x5lightleft"/>'
        '<joint axis="RZ"/><end-effector type="CUSTOM"/>'
    )
    said = [(w.attribute, w.message.partition(".")[0]) for w in d.warnings]
    assert said == [
        ("type", "'x8-9' is read as 'X8-9'"),
        ("type", "'x5' is read as 'X5'"),
        ("input", "'inline' is read as 'Inline'"),
        ("output", "'RIGHTANGLE' is read as 'RightAngle'"),
        ("type", "'x5lightleft' is read as 'X5LightLeft'"),
        ("axis", "'RZ' is read as 'rz'"),
        ("type", "'CUSTOM' is read as 'Custom'"),
    ]
    assert {w.severity for w in d.warnings} == {"warning"}


def test_warnings_belong_to_one_read(robot: Robot) -> None:
    assert len(robot('<actuator type="x5-4"/>').warnings) == 1
    assert robot('<actuator type="X5-4"/>').warnings == ()


def test_doubtful_values_warn(robot: Robot) -> None:
    (empty_tag,) = robot('<joint axis="rz" tag=""/>').warnings
    assert "an empty tag is read as none" in empty_tag.message
    (inertia,) = robot('<rigid-body mass="1" ixx="1" iyy="1" izz="3"/>').warnings
    assert "no body has this inertia: its principal moments are 1, 1 and 3" in inertia.message
    (indefinite,) = robot(
        '<actuator type="X5-1" ixx="1" iyy="1" izz="1" ixy="2" ixz="0" iyz="0"/>'
    ).warnings
    assert "no body has this inertia" in indefinite.message
    assert robot('<rigid-body mass="1" ixx="1" iyy="1" izz="2"/>').warnings == ()
    long, turned = robot('<link type="X5" extension="325" twist="180"/>').warnings
    assert "an extension of 325 m. Is it in millimetres?" in long.message
    assert "a twist of 180 rad is more than two turns. Is it in degrees?" in turned.message
    assert robot('<link type="X5" extension="10" twist="-4 * pi"/>').warnings == ()


def test_path_bytes_and_text_give_the_same_robot(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="UTF-8"?>\n' + text_of(TREE, attributes='description="ä"')
    file = tmp_path / "ä b.hrdf"
    file.write_bytes(text.encode("utf-8"))
    robots = [
        read(file),
        read(str(file)),
        parse(text),
        parse(text.encode()),
        parse("\ufeff" + text),
    ]
    latin = text.replace("UTF-8", "latin-1").encode("latin-1")
    robots += [parse(latin), parse(text.replace("UTF-8", "utf-16").encode("utf-16"))]
    assert all(robot == robots[0] for robot in robots)
    assert all(hash(robot) == hash(robots[0]) for robot in robots)
    assert robots[0].files == (str(file),)
    assert robots[2].files == ()


def test_elements_remember_their_place_which_does_not_count(tmp_path: Path) -> None:
    file = tmp_path / "a.hrdf"
    file.write_text('<robot version="1.6.0">\n\n  <joint axis="rz"/>\n</robot>')
    d = read(file)
    (joint,) = d.elements
    assert (joint.file, joint.line, joint.path) == (str(file), 3, "robot/joint[1]")
    assert joint == Joint(axis="rz")
    assert d == parse('<robot version="1.6.0"><joint axis="rz"/></robot>')
    assert d != parse('<robot version="1.6.0" description="x"><joint axis="rz"/></robot>')


def test_descriptions_are_frozen_and_can_be_pickled(robot: Robot) -> None:
    d = robot(TREE)
    with pytest.raises(FrozenInstanceError):
        d.description = "x"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        d.elements[0].tag = "x"  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(d)) == d


def test_an_old_file_ends_in_an_implicit_end_effector(robot: Robot) -> None:
    for version in (None, "1.0.0", "1.1.0"):
        d = robot('<actuator type="X5-1"/>', version)
        actuator, end = d.elements
        assert isinstance(end, EndEffector)
        assert (end.implicit, end.type, end.mass) == (True, "Custom", 0.0)
        assert end.output_poses == (IDENTITY,)
        assert d == robot('<actuator type="X5-1"/><end-effector/>')
    assert len(robot("", "1.1.0").elements) == 1
    assert robot('<actuator type="X5-1"/>', "1.2.0").elements == (actuator,)


def test_parse_wants_text() -> None:
    with pytest.raises(TypeError, match=r"parse takes HRDF text, got PosixPath|WindowsPath"):
        parse(Path("a.hrdf"))  # type: ignore[arg-type]
