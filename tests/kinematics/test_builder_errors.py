"""What the builder refuses: each call says why, and changes nothing."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from armwright.errors import HrdfError, InterfaceMismatchError, ModelError, UnknownPartError
from armwright.hrdf import Joint, RobotDescription
from armwright.hrdf.limits import MAX_ELEMENTS, MAX_OUTPUT_DEPTH
from armwright.kinematics.building import ArmBuilder

Call = Callable[[ArmBuilder], Any]

MA: Any = np.ma  # untyped in numpy 1
MASKED = MA.masked_greater([1.0, 2, 3], 2)
# Not symmetric, so that its transpose is no placement.
PLACEMENT = np.array([[0.0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda b: b.actuator("X8-10"),
            UnknownPartError,
            r"unknown actuator type 'X8-10'.*mean 'X8-16'",
        ),
        (lambda b: b.actuator(9), HrdfError, "the type must be a text, got 9"),
        (
            lambda b: b.actuator("X8-9"),
            InterfaceMismatchError,
            r"actuator 'X8-9' \(input X-AH-A\) does not fit on actuator 'X5-1' \(output X-AO-A\). "
            "On X-AO-A fit: link X5, ",
        ),
        (lambda b: b.end_effector("R8Parallel"), InterfaceMismatchError, "input R8-AO-B"),
        (
            lambda b: b.bracket("X5LightLeft", mas=1),
            TypeError,
            r"bracket: unknown keyword 'mas'.*mean 'mass'",
        ),
        (lambda b: b.bracket("X5LightLeft", mass=-1), HrdfError, "negative mass"),
        (
            lambda b: b.bracket("X5LightLeft", mass=float("nan")),
            ModelError,
            "mass: expected a finite number, got nan",
        ),
        (
            lambda b: b.bracket("X5LightLeft", mass="1"),
            ModelError,
            "mass: expected a number, got '1'",
        ),
        (
            lambda b: b.bracket("X5LightLeft", mass=True),
            ModelError,
            "mass: expected a number, got True",
        ),
        (
            lambda b: b.bracket("X5LightLeft", mass=1, mass_offset=1),
            HrdfError,
            "exclude each other",
        ),
        (
            lambda b: b.bracket("X5LightLeft", mass_offset=-1),
            HrdfError,
            "the part itself weighs 0.1 kg",
        ),
        (
            lambda b: b.bracket("X5LightLeft", com=[0, 0, 0], com_offset=[0, 0, 0]),
            HrdfError,
            "exclude each other",
        ),
        (
            lambda b: b.bracket("X5LightLeft", com=[0, 0, 0], com_trans=[0, 0, 0]),
            ModelError,
            "com and com_trans exclude",
        ),
        (
            lambda b: b.bracket("X5LightLeft", com=np.eye(4), com_rot=np.eye(3)),
            ModelError,
            "com and com_rot exclude",
        ),
        (
            lambda b: b.bracket("X5LightLeft", com_offset=[0, 0, 0], com_trans_offset=[0, 0, 0]),
            ModelError,
            "exclude",
        ),
        (
            lambda b: b.bracket("X5LightLeft", inertia=[1] * 6, ixx=1),
            ModelError,
            "inertia and ixx exclude",
        ),
        (lambda b: b.bracket("X5LightLeft", ixx=-1), HrdfError, "negative inertia"),
        (
            lambda b: b.bracket("X5LightLeft", com_rot=np.eye(3) * 2),
            ModelError,
            "com_rot: expected a rotation, got .* Divided by 2 it is a rotation",
        ),
        (
            lambda b: b.bracket("X5LightLeft", com_rot=[1, 2]),
            ModelError,
            r"com_rot: expected shape \(3, 3\) or \(9,\), got \(2,\)",
        ),
        (lambda b: b.link("X5", extension=-1, twist=0), HrdfError, "negative extension"),
        (
            lambda b: b.link("X5", extension=1, twist=float("inf")),
            ModelError,
            "twist: expected a finite number",
        ),
        (
            lambda b: b.link("X5", extension=[1], twist=0),
            ModelError,
            r"extension: expected a number, got \[1\]",
        ),
        (
            lambda b: b.link("X5", extension=1, twist=0, input="Round"),
            HrdfError,
            "unknown input 'Round'",
        ),
        (
            lambda b: b.link("X5", extension=1, twist=0, output=None),
            HrdfError,
            "unknown output 'None'",
        ),
        (
            lambda b: b.link("X5", extension=325, twist=0),
            ModelError,
            r"extension: expected metres, at most 10, got 325: millimetres\? Write 0\.325\.",
        ),
        (
            lambda b: b.link("X5", extension=0.325, twist=180),
            ModelError,
            r"twist: expected radians, got 180: degrees\? Write np\.radians\(180\)",
        ),
        (
            lambda b: b.rigid_body(mass=500),
            ModelError,
            r"mass: expected kilograms, at most 100, got 500: grams\? Write 0\.5\.",
        ),
        (lambda b: b.bracket("X5LightLeft", mass=120), ModelError, r"mass: .* grams\?"),
        (lambda b: b.bracket("X5LightLeft", mass_offset=-120), ModelError, r"mass_offset: .*grams"),
        (
            lambda b: b.rigid_body(mass=1, com=[0, 0, 50]),
            ModelError,
            r"com: .* got 50: millimetres\? Write 0\.05\.",
        ),
        (lambda b: b.rigid_body(mass=1, output=[0, -80, 0]), ModelError, "output: .*millimetres"),
        (
            lambda b: b.rigid_body(mass=1, outputs=[[0, 0, 80]]),
            ModelError,
            r"outputs\[0\]: .*milli",
        ),
        (lambda b: b.end_effector(output=[0, 0, 80]), ModelError, "output: .*millimetres"),
        (
            lambda b: b.bracket("X5LightLeft", com_offset=[0, 0, 80]),
            ModelError,
            "com_offset: .*mil",
        ),
        (
            lambda b: b.link("X5", 0.325, np.pi),
            TypeError,
            r"link takes 1 argument by place, got 3; the others have names\. "
            r"Write link\('X5', extension=0\.325, twist=3\.14159",
        ),
        (
            lambda b: b.link("X5", 0.3, 0.0, "Inline", "RightAngle"),
            TypeError,
            "twist=0.0, input='Inline', output='RightAngle'",
        ),
        (
            lambda b: b.bracket("X5-HeavyBracket", "right-outside"),
            TypeError,
            r"Write bracket\('X5HeavyRightOutside'\)",
        ),
        (
            lambda b: b.bracket("R8-LightBracket", "left"),
            TypeError,
            r"Write bracket\('R8LightLeft'\)",
        ),
        (
            lambda b: b.rigid_body([0, 0, 0], [0] * 6, 1.0, np.eye(4)),
            TypeError,
            r"Write rigid_body\(com=\[0, 0, 0\], inertia=\[0, .*\], mass=1.0, output=an array",
        ),
        (lambda b: b.joint("rz", 2.0), TypeError, r"Write joint\('rz', gear_ratio=2\.0\)"),
        (lambda b: b.joint("rw"), HrdfError, "unknown axis 'rw'"),
        (lambda b: b.joint("rz", gear_ratio=0), HrdfError, "a gear ratio of 0"),
        (
            lambda b: b.joint("rz", tag="base"),
            HrdfError,
            r"tag 'base' is taken by actuator 'X5-1' \(robot/actuator\[1\]\)",
        ),
        (lambda b: b.joint("rz", tag=""), HrdfError, "not empty"),
        (lambda b: b.joint("rz", tag=7), HrdfError, "a tag must be a text"),
        (
            lambda b: b.rigid_body(mass=1, output=np.eye(4), outputs=[np.eye(4)]),
            ModelError,
            "output and outputs exclude",
        ),
        (lambda b: b.rigid_body(mass=1, outputs=3), ModelError, "a list of placements, got 3"),
        (lambda b: b.rigid_body(mass=1, mesh=3), ModelError, "mesh: expected a path or URL, got 3"),
        (lambda b: b.joint("rz", tag=["a"]), HrdfError, "a tag must be a text"),
        (
            lambda b: b.rigid_body(mass=1, outputs=[]),
            ModelError,
            "expected at least 1 placement, got 0",
        ),
        (
            lambda b: b.rigid_body(mass=1, outputs=[np.eye(4), np.eye(3)]),
            ModelError,
            r"outputs\[1\]: expected shape \(4, 4\) or \(3,\), got \(3, 3\)",
        ),
        (
            lambda b: b.rigid_body(mass=1, inertia=np.eye(3)),
            ModelError,
            r"inertia: expected shape \(6,\), got \(3, 3\)\. They are ixx, iyy, izz, ixy, ixz, iyz",
        ),
        (
            lambda b: b.rigid_body(mass=1, com=[[1, 2], [3]]),
            ModelError,
            "com: .*rows differ in length",
        ),
        (lambda b: b.rigid_body(mass=1, com=[1, None, 2]), ModelError, "com: expected numbers"),
        (
            lambda b: b.rigid_body(mass=1, com=MASKED),
            ModelError,
            r"com: expected numbers of shape \(4, 4\) or \(3,\), got a masked array",
        ),
        (
            lambda b: b.rigid_body(mass=1, com=[1, np.nan, 2]),
            ModelError,
            "com: expected finite numbers",
        ),
        (
            lambda b: b.rigid_body(mass=1, output=PLACEMENT.T),
            ModelError,
            r"output: expected 0 0 0 1 in the last row, got 1 2 3 1\. Is the matrix transposed\?",
        ),
        (
            lambda b: b.rigid_body(mass=1, output=np.diag([1, 1, -1, 1])),
            ModelError,
            "output: expected a rotation, got a mirror",
        ),
        (
            lambda b: b.rigid_body(mass=1, mesh_frame=np.eye(4)),
            ModelError,
            "mesh_frame needs a mesh",
        ),
        (lambda b: b.rigid_body(mass=1, mesh="/a.stl"), HrdfError, "must be relative"),
        (lambda b: b.include(3), ModelError, "expected a path or a RobotDescription, got 3"),
        (lambda b: b.include("none.hrdf"), HrdfError, "no such file"),
        (
            lambda b: b.include(ArmBuilder().joint("rz", tag="base").describe()),
            HrdfError,
            "is taken by",
        ),
        (
            lambda b: b.include(ArmBuilder().actuator("X5-1").describe()),
            InterfaceMismatchError,
            "does not fit",
        ),
        (
            lambda b: b.branch(0, ArmBuilder()),
            ModelError,
            "needs a rigid-body or bracket added before; the last element is: actuator",
        ),
        (lambda b: b.branch(0, "x"), ModelError, "expected an ArmBuilder, got 'x'"),
    ],
)
def test_a_call_that_fails_says_why_and_changes_nothing(
    call: Call, error: type[Exception], message: str
) -> None:
    builder = ArmBuilder().actuator("X5-1", tag="base")
    before, warnings = builder.describe(), builder.describe().warnings
    with pytest.raises(error, match=message):
        call(builder)
    assert builder.describe() == before
    assert builder.describe().warnings == warnings
    builder.link("X5", extension=1, twist=0).joint("rz", tag="other")  # and it goes on


def branching() -> ArmBuilder:
    return ArmBuilder().joint("rz", tag="j").rigid_body(mass=1, outputs=[np.eye(4), [0, 0, 1]])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda b: b.branch(2, ArmBuilder()),
            ModelError,
            "has 2 outputs, numbered from 0; expected 0 to 1, got 2",
        ),
        (lambda b: b.branch(-1, ArmBuilder()), ModelError, "expected 0 to 1, got -1"),
        (
            lambda b: b.branch(True, ArmBuilder()),
            ModelError,
            "the number of an output, got True",
        ),
        (
            lambda b: b.branch(0.5, ArmBuilder()),
            ModelError,
            "expected the number of an output, got 0.5",
        ),
        (
            lambda b: b.branch(0, ArmBuilder(base_frame=[0, 0, 1])),
            ModelError,
            "has a base frame, which a branch cannot have",
        ),
        (lambda b: b.branch(0, ArmBuilder().joint("rz", tag="j")), HrdfError, "tag 'j' is taken"),
        (
            lambda b: b.joint("rz"),
            HrdfError,
            "joint cannot follow a rigid-body that has output children",
        ),
        (lambda b: b.end_effector(), HrdfError, "cannot follow a rigid-body"),
        (
            lambda b: b.branch(0, ArmBuilder().joint("ry")).branch(0, ArmBuilder()),
            ModelError,
            "output 0 of the rigid-body holds a branch already",
        ),
    ],
)
def test_branches_that_do_not_work(call: Call, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call(branching())


def test_a_branch_needs_something_to_hang_on() -> None:
    with pytest.raises(ModelError, match="there is none yet"):
        ArmBuilder().branch(0, ArmBuilder())


def test_after_a_branch_the_chain_cannot_go_on() -> None:
    builder = branching().branch(0, ArmBuilder().joint("ry"))
    with pytest.raises(HrdfError, match="cannot follow a rigid-body that has output children"):
        builder.joint("rz")
    single = ArmBuilder().rigid_body(mass=1, output=[0, 0, 1]).branch(0, ArmBuilder().joint("ry"))
    with pytest.raises(HrdfError, match="cannot follow"):
        single.joint("rz")
    bracket = ArmBuilder().bracket("X5LightLeft").branch(0, ArmBuilder().actuator("X5-1"))
    with pytest.raises(HrdfError, match="cannot follow a bracket"):
        bracket.joint("rz")
    with pytest.raises(ModelError, match="the bracket has 1 outputs"):
        ArmBuilder().bracket("X5LightLeft").branch(1, ArmBuilder())
    with pytest.raises(InterfaceMismatchError, match="does not fit on bracket"):
        ArmBuilder().bracket("X5LightLeft").branch(0, ArmBuilder().bracket("X5LightLeft"))


def test_nothing_follows_an_end_effector() -> None:
    with pytest.raises(HrdfError, match="joint cannot follow an end-effector"):
        ArmBuilder().end_effector().joint("rz")


def test_bounds_hold_in_the_builder_too() -> None:
    builder = ArmBuilder().joint("rz")
    for _ in range(MAX_OUTPUT_DEPTH):
        builder = ArmBuilder().rigid_body(mass=0).branch(0, builder)
    with pytest.raises(HrdfError, match="outputs nest deeper than the limit"):
        ArmBuilder().rigid_body(mass=0).branch(0, builder)
    many = RobotDescription(elements=(Joint(axis="rz"),) * MAX_ELEMENTS)
    full = ArmBuilder().include(many)
    with pytest.raises(HrdfError, match="more elements than the limit"):
        full.joint("rz")
    with pytest.raises(HrdfError, match="more elements than the limit"):
        full.include(ArmBuilder().joint("rz").describe())


def test_a_description_that_no_file_can_hold_is_refused_at_once() -> None:
    with pytest.raises(HrdfError, match=r"robot, description: .* which XML cannot hold"):
        ArmBuilder(description="a\x00b")
