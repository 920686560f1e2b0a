"""The builder: every element and attribute, one validation with the reader, nothing half done."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from armwright import hrdf
from armwright.errors import HrdfError, InterfaceMismatchError, ModelError, UnknownPartError
from armwright.hrdf.elements.pose import rotation_about
from armwright.kinematics.building import ArmBuilder, arguments
from tests.strategies import descriptions

Call = Callable[[ArmBuilder], Any]


def turned(axis: str, angle: float, xyz: tuple[float, float, float] = (0, 0, 0)) -> Any:
    """Return a homogeneous matrix."""
    T = np.eye(4)
    T[:3, :3] = np.reshape(rotation_about(axis, angle), (3, 3))
    T[:3, 3] = xyz
    return T


def rebuilt(builder: ArmBuilder, chain: tuple[hrdf.Element, ...]) -> ArmBuilder:
    """Build a chain again by the public methods."""
    for e in chain:
        common: dict[str, Any] = {"tag": e.tag}
        if isinstance(e, hrdf.Actuator | hrdf.Link | hrdf.Bracket | hrdf.EndEffector):
            o = e.overrides
            common |= {"mass": o.mass, "mass_offset": o.mass_offset, "com_rot": o.com_rot}
            common |= {"com_trans": o.com_trans, "com_offset": o.com_trans_offset}
            common |= dict(zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), o.inertia, strict=True))
        if isinstance(e, hrdf.Actuator):
            builder.actuator(e.type, **common)
        elif isinstance(e, hrdf.Link):
            lengths: dict[str, Any] = {"extension": e.extension, "twist": e.twist}
            builder.link(e.type, input=e.input, output=e.output, **lengths, **common)
        elif isinstance(e, hrdf.Bracket):
            builder.bracket(e.type, **common)
        elif isinstance(e, hrdf.Joint):
            builder.joint(e.axis, gear_ratio=e.gear_ratio, tag=e.tag)
        elif isinstance(e, hrdf.EndEffector):
            tool = e.output_poses[0].matrix()
            builder.end_effector(e.type, output=tool, **common)
        else:
            poses = [output.pose.matrix() for output in e.outputs]
            where: dict[str, Any] = {"outputs": poses} if e.branched else {"output": poses[0]}
            frame = None if e.mesh_path is None else e.mesh_pose.matrix()
            builder.rigid_body(
                mass=e.mass,
                com=e.com.matrix(),
                inertia=e.inertia,
                mesh=e.mesh_path,
                mesh_frame=frame,
                tag=e.tag,
                **where,
            )
        if isinstance(e, hrdf.Bracket | hrdf.RigidBody) and e.branched:
            for number, output in enumerate(e.outputs):
                builder.branch(number, rebuilt(ArmBuilder(), output.elements))
    return builder


@given(descriptions())
def test_every_robot_of_the_format_can_be_built(d: hrdf.RobotDescription) -> None:
    builder = ArmBuilder(base_frame=d.base_frame, description=d.description)
    with mock.patch.object(arguments, "FARTHEST", np.inf):  # the format has no such bound
        built = rebuilt(builder, d.elements).describe()
    assert hrdf.write(hrdf.parse(hrdf.write(built))) == hrdf.write(built)
    assert len(list(hrdf.walk(built))) == len(list(hrdf.walk(d)))
    for one, other in zip(hrdf.walk(built), hrdf.walk(d), strict=True):
        assert (one.parent, one.output) == (other.parent, other.output)
        assert one.element.output_poses == other.element.output_poses
        if not isinstance(one.element, hrdf.EndEffector | hrdf.Bracket | hrdf.RigidBody):
            assert one.element == other.element
        if not isinstance(one.element, hrdf.Joint) and not isinstance(other.element, hrdf.Joint):
            assert one.element.com == other.element.com
            assert (one.element.mass, one.element.inertia) == (
                other.element.mass,
                other.element.inertia,
            )
    assert (built.base, built.description) == (d.base, d.description)


def test_paths_are_those_of_the_written_file() -> None:
    sub = ArmBuilder().joint("rz").joint("rx").end_effector()
    inner = ArmBuilder().rigid_body(mass=1, outputs=[np.eye(4)]).branch(0, sub)
    built = (
        ArmBuilder()
        .joint("rz")
        .rigid_body(mass=1, outputs=[np.eye(4), [0, 0, 1]])
        .branch(1, inner)
        .branch(0, sub)
        .describe()
    )
    again = hrdf.parse(hrdf.write(built))
    assert again == built
    paths = [placed.element.path for placed in hrdf.walk(built)]
    assert paths == [placed.element.path for placed in hrdf.walk(again)]
    assert paths[-1] == "robot/rigid-body[1]/output[2]/rigid-body[1]/output[1]/end-effector[1]"


def test_the_builder_and_the_reader_give_the_same_description() -> None:
    built = (
        ArmBuilder(base_frame=turned("z", np.pi / 2, (0, 0, 1)), description="An arm")
        .actuator("X8-9", tag="base", mass_offset=0.1, com_offset=[0.01, 0, 0])
        .bracket("X5HeavyRightOutside", mass=0.3)
        .actuator("X8-16", inertia=[1, 1, 1, 0, 0, 0])
        .link("X5", extension=0.325, twist=np.pi, output="Inline", com=(0, 0, 0.1))
        .joint("-tx", gear_ratio=2, tag="slide")
        .rigid_body(mass=1, com=turned("x", np.pi / 2), output=[0, 0, 1], mesh="m/a.stl")
        .end_effector("X5Parallel", output=[0, 0, 0.2], com_rot=np.eye(3), izz=0.1)
        .describe()
    )
    read = hrdf.parse(
        '<robot version="1.6.0" rot="Rz(pi/2)" trans="0 0 1" description="An arm">'
        '<actuator type="X8-9" tag="base" mass_offset="0.1" com_trans_offset="0.01 0 0"/>'
        '<bracket type="X5HeavyRightOutside" mass="0.3"/>'
        '<actuator type="X8-16" ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        '<link type="X5" extension="0.325" twist="pi" output="Inline" com_trans="0 0 0.1"/>'
        '<joint axis="-tx" gear_ratio="2" tag="slide"/>'
        '<rigid-body mass="1" com_rot="Rx(pi/2)" output_trans="0 0 1" mesh_path="m/a.stl"/>'
        '<end-effector type="X5Parallel" output_trans="0 0 0.2" izz="0.1"'
        ' com_rot="1 0 0 0 1 0 0 0 1"/></robot>'
    )
    assert built == read
    assert built.version == "1.6.0"


@pytest.mark.shared
def test_p04_the_case_can_be_built(cases: dict[str, Any]) -> None:
    case = cases["P04"]
    built = (
        ArmBuilder()
        .actuator("R25-20", tag="base")
        .link("R25-R8", extension=0.4, twist=np.pi / 2, input="Inline")
        .actuator("R8-9", mass_offset=0.1)
        .bracket("R8HeavyLeftInside")
        .actuator("T5-4")
        .rigid_body(mass=0.2, outputs=[[0, 0, 0.1], [0.1, 0, 0]])
        .branch(0, ArmBuilder().joint("rz", gear_ratio=2).end_effector(output=[0, 0, 0.05]))
        .branch(1, ArmBuilder().end_effector())
        .describe()
    )
    assert hrdf.parse(hrdf.write(built)) == hrdf.parse(case["input"]["build_then_write_then_read"])
    with pytest.raises(InterfaceMismatchError) as info:
        ArmBuilder().actuator("X5-4").link("R8", extension=0.1, twist=0)
    assert all(word in str(info.value) for word in case["expect"]["misfit"]["says"])


def test_build_gives_a_model() -> None:
    model = ArmBuilder().actuator("X8-9").end_effector().build()
    assert (model.dof, model.n_elements) == (1, 2)
    np.testing.assert_allclose(model.end_effector([0.0])[2, 3], 0.0451)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float32(0.5), 0.5),
        (np.int64(2), 2.0),
        (np.array(0.25), 0.25),
        (3, 3.0),
    ],
)
def test_numbers_of_any_kind(value: Any, expected: float) -> None:
    (body,) = ArmBuilder().rigid_body(mass=value).describe().elements
    assert body.mass == expected  # type: ignore[union-attr]
    assert type(body.mass) is float  # type: ignore[union-attr]


def test_arrays_of_any_kind_are_copied() -> None:
    T = np.asfortranarray(np.eye(4, dtype=np.float32))
    T.setflags(write=False)
    com = [1, 2, 3]
    six = np.repeat([1.0, 0.0], 6)[::2]
    builder = ArmBuilder().rigid_body(mass=1, com=com, output=T, inertia=six)
    com[0] = 9
    (body,) = builder.describe().elements
    assert body.com.translation == (1.0, 2.0, 3.0)  # type: ignore[union-attr]


def branching() -> ArmBuilder:
    return ArmBuilder().joint("rz", tag="j").rigid_body(mass=1, outputs=[np.eye(4), [0, 0, 1]])


def test_a_branch_is_a_copy_and_can_be_used_again() -> None:
    sub = ArmBuilder().joint("ry")
    builder = branching().branch(0, sub)
    sub.joint("rx")
    builder.branch(1, sub)
    body = builder.describe().elements[1]
    assert isinstance(body, hrdf.RigidBody)
    assert [len(output.elements) for output in body.outputs] == [1, 2]
    assert body.outputs[1].pose.translation == (0, 0, 1)
    assert body.outputs[0] == hrdf.Output(elements=(hrdf.Joint(axis="ry"),))


def test_words_in_another_case_warn_as_in_the_reader() -> None:
    builder = ArmBuilder()
    with pytest.warns(UserWarning, match="'x5-1' is read as 'X5-1'") as shown:
        builder.actuator("x5-1")
    with pytest.warns(UserWarning, match="'inline' is read as 'Inline'"):
        builder.link("X5", extension=1, twist=0, input="inline").joint("RZ")
    with pytest.warns(UserWarning, match="'custom' is read as 'Custom'"):
        builder.end_effector("custom")
    messages = [warning.message.partition(".")[0] for warning in builder.describe().warnings]
    assert messages == [
        "'x5-1' is read as 'X5-1'",
        "'inline' is read as 'Inline'",
        "'RZ' is read as 'rz'",
        "'custom' is read as 'Custom'",
    ]
    assert builder.describe().warnings[0].element == "robot/actuator[1]"
    assert {one.filename for one in shown} == {__file__}


def test_negative_axes_warn_as_in_the_reader() -> None:
    (warning,) = ArmBuilder().joint("-rz").describe().warnings
    assert "does not list negative axes" in warning.message


def test_include_takes_files_and_descriptions(tmp_path: Path) -> None:
    file = tmp_path / "leaf.hrdf"
    file.write_text(
        '<robot version="1.1.0" trans="9 9 9"><joint axis="-rz"/><rigid-body mass="1"/></robot>'
    )
    builder = ArmBuilder().joint("rx").include(file).include(str(file))
    builder.include(ArmBuilder(base_frame=[0, 0, 1]).joint("ry").describe())
    d = builder.describe()
    assert [element.kind for element in d.elements] == [
        *("joint", "joint", "rigid-body", "joint", "rigid-body", "joint"),
    ]  # the implicit end effector of an old file is not included
    assert d.base.translation == (0, 0, 0)
    assert [(e.file, e.path) for e in d.elements[1:3]] == [
        (str(file), "robot/joint[1]"),
        (str(file), "robot/rigid-body[1]"),
    ]
    assert d.elements[5].path == "robot/joint[4]"
    assert len(d.warnings) == 1
    assert d.files == (str(file),)
    assert hrdf.parse(hrdf.write(d)) == d


def test_a_catalog_adds_parts(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(
        "brackets:\n  Wedge: {interface_in: X-AO-B, interface_out: X-AH-B, mass_kg: 0.2,\n"
        "    com_m: [0, 0, 0], output_m: [0, 0, 0.02], inertia_radius_m: 0.03}\n"
    )
    arm = tmp_path / "arm.hrdf"
    arm.write_text('<robot version="1.6.0"><bracket type="Wedge"/></robot>')
    builder = (
        ArmBuilder(catalog=file).actuator("X5-1").bracket("Wedge").actuator("X5-1").include(arm)
    )
    assert builder.describe().elements[1].mass == 0.2  # type: ignore[union-attr]
    with pytest.raises(UnknownPartError, match="Known: X5LightLeft"):
        ArmBuilder().bracket("Wedge")
    with pytest.raises(InterfaceMismatchError, match="bracket Wedge"):
        ArmBuilder(catalog=file).actuator("X5-1").actuator("X5-1")
    with pytest.raises(HrdfError, match="the catalog cannot be read"):
        ArmBuilder(catalog=tmp_path / "none.yaml")


def test_arguments_of_the_builder_itself() -> None:
    with pytest.raises(ModelError, match="base_frame: expected 0 0 0 1 in the last row"):
        ArmBuilder(base_frame=turned("z", 1, (1, 0, 0)).T)
    with pytest.raises(ModelError, match="description: expected a text, got 3"):
        ArmBuilder(description=3)  # type: ignore[arg-type]
    with pytest.raises(HrdfError, match=r"description: .*which XML cannot hold"):
        hrdf.write(ArmBuilder(description="\x00").describe())


def test_descriptions_do_not_change_when_the_builder_goes_on() -> None:
    builder = ArmBuilder().joint("rz")
    before = builder.describe()
    builder.joint("rx")
    assert len(before.elements) == 1
    assert ArmBuilder().describe() == hrdf.RobotDescription()


def test_overrides_that_are_none_are_not_said() -> None:
    (actuator,) = ArmBuilder().actuator("X5-1", mass=None, com_rot=None).describe().elements
    assert isinstance(actuator, hrdf.Actuator)
    assert actuator.overrides == hrdf.Overrides()
