"""Every rule of the format has an error that says where, what, and what to try."""

import math
import pickle
import re
from typing import Any

import pytest

from armwright.errors import (
    HrdfError,
    HrdfSyntaxError,
    HrdfVersionError,
    InterfaceMismatchError,
    Problem,
    UnknownPartError,
)
from armwright.hrdf import parse
from armwright.hrdf.findings import Findings, Spot
from armwright.hrdf.limits import MAX_NEAR
from tests.hrdf.conftest import Errors, text_of

# What is written, then: element, attribute, what the message has in it; "-" is the robot.
RULES = r"""
<actuator/>
    actuator[1] @type: missing; actuator needs it
<link type="X5" twist="0"/>
    link[1] @extension: missing; link needs it
<rigid-body/>
    rigid-body[1] @mass: missing; rigid-body needs it
<joint/>
    joint[1] @axis: missing; joint needs it
<include/>
    include[1] @path: missing; include needs it
<actuator typ="X5-1"/>
    actuator[1] @typ: unknown attribute 'typ' of actuator.*'type'
<joint axis="rz" mass="1"/>
    joint[1] @mass: unknown attribute 'mass' of joint
<rigid-body mass="1" mass_offset="1"/>
    rigid-body[1] @mass_offset: A rigid-body has no offsets: give the value itself
<Joint axis="rz"/>
    Joint[1]: unknown element 'Joint' in robot.*mean 'joint'
<robot/>
    robot[1]: unknown element 'robot' in robot
<output/>
    output[1]: output cannot stand in robot; it belongs into a rigid-body
<joint axis="rz"><joint axis="rz"/></joint>
    joint[1]/joint[1]: joint holds no elements, got 'joint'. Move it behind the joint
<actuator type="X5-1"><output/></actuator>
    actuator[1]/output[1]: output cannot stand in actuator.*has one output that needs no element
<rigid-body mass="1"><joint axis="rz"/></rigid-body>
    rigid-body[1]/joint[1]: joint cannot stand in rigid-body itself. Put it into an <output>
<joint axis="rw"/>
    joint[1] @axis: unknown axis 'rw'. Known: rx, .*Did you mean 'r
<joint axis="+rz"/>
    joint[1] @axis: unknown axis '\+rz'.*Did you mean
<link type="X5" extension="1" twist="0" input="Inlin"/>
    link[1] @input: unknown input 'Inlin'. Known: RightAngle, Inline. Did you mean 'Inline'
<rigid-body mass="-1"/>
    rigid-body[1] @mass: negative mass -1.0 kg
<actuator type="X5-1" mass="-1"/>
    actuator[1] @mass: negative mass -1.0 kg
<actuator type="X5-1" mass_offset="-0.4"/>
    actuator[1] @mass_offset: -0.4 kg would make a negative mass: the part itself weighs 0.315 kg
<bracket type="X5LightLeft" mass="1" mass_offset="1"/>
    bracket[1] @mass_offset: mass and mass_offset exclude each other
<end-effector com_trans="0 0 0" com_trans_offset="0 0 0"/>
    end-effector[1] @com_trans_offset: com_trans and com_trans_offset exclude each other
<link type="X5" extension="-0.1" twist="0"/>
    link[1] @extension: negative extension -0.1 m
<link type="R25-R8" extension="1" twist="0" output="Inline"/>
    link[1] @output: link R25-R8 has no RightAngle input with Inline output
<rigid-body mass="1" iyy="-1"/>
    rigid-body[1] @iyy: negative inertia -1.0 kg m
<actuator type="X5-1" ixx="-1"/>
    actuator[1] @ixx: negative inertia -1.0 kg m
<joint axis="rz" gear_ratio="0"/>
    joint[1] @gear_ratio: a gear ratio of 0
<joint axis="rz" gear_ratio="1e-310"/>
    joint[1] @gear_ratio: a gear ratio of 0
<joint axis="rz" gear_ratio="-1e-51"/>
    joint[1] @gear_ratio: a gear ratio of 0
<link type="X5" extension="1e200" twist="0"/>
    link[1] @extension: 1e\+200 is beyond the limit of 1e\+50, in SI units
<rigid-body mass="1" output_trans="0 -1e51 0"/>
    rigid-body[1] @output_trans: \(0.0, -1e\+51, 0.0\) is beyond the limit of 1e\+50
<joint axis="rz" gear_ratio="1/0"/>
    joint[1] @gear_ratio: not finite: division by zero
<end-effector/><joint axis="rz"/><joint axis="rz"/>
    joint[1]: joint cannot follow an end-effector; it has no output
<end-effector/><end-effector/>
    end-effector[2]: 'Custom' cannot follow an end-
<rigid-body mass="1"><output/></rigid-body><joint axis="rz"/>
    joint[1]: joint cannot follow a rigid-body that has output children
<bracket type="X5LightLeft"><output/></bracket><joint axis="rz"/>
    joint[1]: joint cannot follow a bracket that has output children
<bracket type="X5LightLeft"><output/><output/></bracket>
    bracket[1]: 'X5LightLeft' has 1 output, got 2 output children. Use a rigid-body
<bracket type="X5LightLeft"><output rot="Rx(1)"/></bracket>
    bracket[1]/output[1] @rot: an output of a bracket has no attributes
<rigid-body mass="1"><output tag="x"/></rigid-body>
    rigid-body[1]/output[1] @tag: unknown attribute 'tag' of output. Known: rot, trans
<rigid-body mass="1" mesh_rot="Rx(1)"/>
    rigid-body[1] @mesh_rot: needs a mesh_path
<rigid-body mass="1" mesh_trans="0 0 1"/>
    rigid-body[1] @mesh_trans: needs a mesh_path
<rigid-body mass="1" mesh_path="/a.stl"/>
    rigid-body[1] @mesh_path: must be relative
<rigid-body mass="1" mesh_path="C:/a.stl"/>
    rigid-body[1] @mesh_path: must be relative
<rigid-body mass="1" mesh_path="ftp://a/b"/>
    rigid-body[1] @mesh_path: http or https
<joint axis="rz" tag="a"/><end-effector tag="a"/>
    end-effector[1] @tag: tag 'a' is taken by joint \(<text>:1, robot/joint\[1\]\)
<actuator type="X5-1"><!-- c --></actuator> hello
    -: text 'hello' between elements. Write remarks as <!-- ... -->
<actuator type="X5-1">on</actuator>
    actuator[1]: text 'on' between elements
<rigid-body mass="1"><output>1</output></rigid-body>
    rigid-body[1]/output[1]: text '1' between elements
<include path="a.hrdf"/>
    include[1] @path: text has no folder
"""


def rules() -> list[tuple[str, str, str, str]]:
    """Read the pairs of lines of ``RULES``."""
    lines = RULES.strip().splitlines()
    found = []
    for content, wanted in zip(lines[::2], lines[1::2], strict=True):
        place, _, message = wanted.strip().partition(": ")
        element, _, attribute = place.partition(" @")
        found.append((content, element.strip("-"), attribute, message))
    return found


@pytest.mark.parametrize(("content", "element", "attribute", "message"), rules())
def test_each_rule(
    errors: Errors, content: str, element: str, attribute: str, message: str
) -> None:
    (problem,) = errors(content)
    path = f"robot/{element}" if element else "robot"
    assert (problem.element, problem.attribute) == (path, attribute)
    assert re.search(message, problem.message)
    assert (problem.file, problem.line, problem.severity) == ("<text>", 1, "error")


def test_an_include_holds_nothing(errors: Errors) -> None:
    first, second = errors('<include path="x"><joint axis="rz"/></include>')
    assert first.message.startswith("include holds no elements, got 'joint'")
    assert second.attribute == "path"


def test_a_tag_is_taken_by_what_the_file_calls_it(errors: Errors) -> None:
    _, taken = errors('<actuator type="X0" tag="a"/><end-effector tag="a"/>')
    assert taken.message.startswith("tag 'a' is taken by actuator (<text>:1, robot/actuator[1])")


def test_the_message_reads_as_in_the_house_style(errors: Errors) -> None:
    (problem,) = errors('\n<actuator type="X5-99"/>')
    assert str(problem).startswith(
        "<text>:2, robot/actuator[1], type: unknown actuator type 'X5-99'. Known: X5-1, X5-4, "
        "X5-9, X8-3,"
    )
    assert str(problem).endswith("Did you mean 'X5-9'?")


def test_all_problems_come_at_once_in_document_order() -> None:
    with pytest.raises(HrdfError) as info:
        parse(
            text_of(
                '\n<actuator type="X5-99" mass="-" com_trans="1"/>'
                '\n<joint axis="-rz"/>'
                '\n<link type="X5" extension="1,5" twist="0"/>'
                '\n<rigid-body mass="1"><output>'
                '\n  <joint axis="q" speed="1"/></output></rigid-body>'
                "\ntext",
            )
        )
    lines = [(p.line, p.attribute, p.severity) for p in info.value.problems]
    assert lines == [
        (2, "type", "error"),
        (2, "mass", "error"),
        (2, "com_trans", "error"),
        (3, "axis", "warning"),
        (4, "extension", "error"),
        (6, "speed", "error"),
        (6, "axis", "error"),
        (7, "", "error"),
    ]
    assert len(str(info.value).splitlines()) == 7  # warnings are carried, not shown


def test_text_is_reported_where_it_stands(errors: Errors) -> None:
    found = errors('\n<joint axis="q"/>\nmotor\n<joint axis="w"/>\n')
    assert [(p.line, p.message.partition(" ")[0]) for p in found] == [
        (2, "unknown"),
        (3, "text"),
        (4, "unknown"),
    ]


def test_an_error_causes_no_others(errors: Errors) -> None:
    assert len(errors('<link type="X99" extension="1" twist="0"/><actuator type="X5-1"/>')) == 1
    assert (
        len(errors('<actuator type="X5-1"/><foo/><link type="R8" extension="1" twist="0"/>')) == 2
    )
    assert len(errors('<end-effector type="Z"/><joint axis="rz"/>')) == 2
    assert len(errors('<bracket type="Z"><output><actuator type="X5-1"/></output></bracket>')) == 1
    assert len(errors('<actuator type="X5-1" mass="x" mass_offset="y"/>')) == 2
    assert len(errors('<joint axis="rz" gear_ratio="x"/>')) == 1


@pytest.mark.parametrize(
    ("content", "version", "cls"),
    [
        ("<", "1.6.0", HrdfSyntaxError),
        ("", "1.7.0", HrdfVersionError),
        ('<joint axis="rz" gear_ratio="2"/><joint axis="rz" tag="a"/>', "1.3.0", HrdfVersionError),
        ('<actuator type="Z9"/><bracket type="Q"/>', "1.6.0", UnknownPartError),
        ('<actuator type="X5-1"/><actuator type="X5-1"/>', "1.6.0", InterfaceMismatchError),
        ('<actuator type="Z9"/><joint axis="rz" gear_ratio="0"/>', "1.6.0", HrdfError),
        ('<actuator type="Z9"/>', "1.7.0", HrdfError),
    ],
)
def test_errors_of_one_kind_have_their_own_class(
    content: str, version: str, cls: type[HrdfError]
) -> None:
    with pytest.raises(HrdfError) as info:
        parse(text_of(content, version))
    assert type(info.value) is cls
    assert isinstance(info.value, ValueError)
    copy = pickle.loads(pickle.dumps(info.value))
    assert (type(copy), copy.problems) == (cls, info.value.problems)


def test_a_root_that_is_no_robot_is_one_error() -> None:
    with pytest.raises(HrdfError, match="the root element is 'Robot'; expected 'robot'") as info:
        parse('<Robot version="9"><foo/>text</Robot>')
    assert len(info.value.problems) == 1


@pytest.mark.parametrize(
    "content",
    [
        '<link type="X5" extension="1e200" twist="0"/>',
        '<link type="X5" extension="1e308" twist="0" mass="1"/>',
        '<actuator type="R25-8" mass="1.7e308" mass_offset="0"/>',
        '<end-effector type="X5Parallel" com_trans_offset="1e308 0 0" mass="1e308"/>',
        '<rigid-body mass="1e308" ixx="1e308" iyy="1e308" izz="1e308" ixy="1e-320"/>',
        '<rigid-body mass="0" ixx="5e-324" iyy="5e-324" izz="5e-324"/>',
        '<joint axis="rz" gear_ratio="1e-309"/>',
    ],
)
def test_huge_numbers_never_overflow(content: str) -> None:
    error = ""
    elements: tuple[Any, ...] = ()
    try:
        elements = parse(text_of(content)).elements
    except HrdfError as caught:
        error = str(caught)
    assert elements or re.search("beyond the limit|exclude|gear ratio of 0", error)
    for element in elements:
        assert all(map(math.isfinite, (element.mass, *element.inertia)))


def test_the_root_has_its_attributes_alone(errors: Errors) -> None:
    (problem,) = errors("", attributes='name="x"')
    assert (problem.element, problem.attribute) == ("robot", "name")
    (problem,) = errors("", attributes='trans="1 2"')
    assert "has 2 numbers" in problem.message
    (problem,) = errors("", attributes='rot="1 0 0 0 1 0 0 0 -1"')
    assert "it mirrors" in problem.message


def test_very_many_problems_are_counted() -> None:
    with pytest.raises(HrdfError, match="and 100 more errors") as info:
        parse(text_of('<joint axis="q"/>\n' * 300))
    assert len(info.value.problems) == 201
    d = parse(text_of('<joint axis="-rz"/>\n' * 300))
    assert len(d.elements) == 300
    assert d.warnings[-1].message == "and 100 more warnings"
    with pytest.raises(HrdfError, match="unknown axis 'q'"):  # not crowded out by warnings
        parse(text_of('<joint axis="-rz"/>\n' * 300 + '<joint axis="q"/>'))


def test_near_names_are_told_for_so_many_errors() -> None:
    findings = Findings()
    for i in range(MAX_NEAR):
        assert findings.near("elbw", ["elbow"]) == " Known: elbow. Did you mean 'elbow'?"
        findings.error(Spot("a.hrdf", i + 1), "unknown")
    assert findings.near("elbw", ["elbow"]) == ""
    text = "".join(f"<actuatr{i}/>" for i in range(MAX_NEAR + 10))
    with pytest.raises(HrdfError) as info:
        parse(f'<robot version="1.6.0">{text}</robot>')
    told = ["Did you mean 'actuator'?" in problem.message for problem in info.value.problems]
    assert told == [True] * MAX_NEAR + [False] * 10


def test_no_terminal_obeys_a_problem() -> None:
    odd = Problem("a.hrdf", 3, "groups/\u202earm", "tag", "got 'a\x1b[2J\nb\ud800'")
    assert str(odd) == "a.hrdf:3, groups/\\u202earm, tag: got 'a\\x1b[2J\\nb\\ud800'"
    assert "\n" in odd.message  # the value is as it was found
    assert str(HrdfError([odd, odd])).count("\n") == 1
