"""Writing: parse(write(d)) == d, canonical text, versions, files whole or untouched."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from armwright import hrdf
from armwright.errors import HrdfError, HrdfVersionError, InterfaceMismatchError
from armwright.hrdf.elements.parts import EndEffectorPart
from armwright.hrdf.limits import MAX_ELEMENTS, MAX_OUTPUT_DEPTH
from tests.strategies import descriptions


@given(descriptions())
def test_random_robots_come_back_equal(d: hrdf.RobotDescription) -> None:
    assert hrdf.parse(hrdf.write(d)) == d


@given(descriptions())
def test_the_lowest_version_that_is_chosen_holds_the_robot(d: hrdf.RobotDescription) -> None:
    text = hrdf.write(d, version="lowest")
    back = hrdf.parse(text)
    assert back == d
    assert back.version <= "1.6.0"


@given(descriptions())
def test_writing_is_canonical(d: hrdf.RobotDescription) -> None:
    text = hrdf.write(d)
    assert hrdf.write(hrdf.parse(text)) == text


@pytest.mark.shared
def test_every_corpus_file_comes_back_equal(corpus: list[Path]) -> None:
    for path in corpus:
        d = hrdf.read(path)
        assert hrdf.parse(hrdf.write(d)) == d, path
        assert hrdf.parse(hrdf.write(d, version="lowest")) == d, path


def test_the_text_is_canonical() -> None:
    text = (
        '<robot description="&quot;a&quot; &lt;b&gt;&#10;c" version="1.4.0" trans="1 0 2e-3">'
        '<!-- gone --><actuator tag="t" type="x8-9" mass_offset="1/4"/><rigid-body mesh_path=""'
        ' mass="1"><output trans="0 0 1"><joint axis="rx"/><end-effector/></output><output/>'
        "</rigid-body></robot>"
    )
    assert hrdf.write(hrdf.parse(text)) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<robot version="1.6.0" trans="1.0 0.0 0.002" description="&quot;a&quot; &lt;b&gt;&#10;c"'
        ">\n"
        '  <actuator type="X8-9" tag="t" mass_offset="0.25"/>\n'
        '  <rigid-body mass="1.0" mesh_path="">\n'
        '    <output trans="0.0 0.0 1.0">\n'
        '      <joint axis="rx"/>\n'
        "      <end-effector/>\n"
        "    </output>\n"
        "    <output/>\n"
        "  </rigid-body>\n"
        "</robot>\n"
    )


def test_numbers_are_written_by_repr_and_minus_zero_as_zero() -> None:
    text = hrdf.write(
        hrdf.RobotDescription(
            elements=(
                hrdf.RigidBody(mass=1e-7, com=hrdf.Pose(translation=(-0.0, 0.1 + 0.2, 1e22))),
            )
        )
    )
    assert 'mass="1e-07" com_trans="0.0 0.30000000000000004 1e+22"' in text


def test_an_implicit_end_effector_is_written_when_the_version_has_one() -> None:
    d = hrdf.parse('<robot><actuator type="X5-1"/></robot>')
    assert "<end-effector/>" in hrdf.write(d)
    assert "<end-effector/>" in hrdf.write(d, version="1.2.0")
    assert "end-effector" not in hrdf.write(d, version="1.1.0")
    assert 'version="1.0.0"' in hrdf.write(d, version="lowest")
    assert hrdf.parse(hrdf.write(d)) == d == hrdf.parse(hrdf.write(d, version="1.1.0"))


@pytest.mark.parametrize(
    ("content", "lowest"),
    [
        ("<end-effector/>", "1.0.0"),
        ("", "1.2.0"),
        ('<actuator type="X5-1"/>', "1.2.0"),
        ('<actuator type="X5-1" mass="1"/><end-effector/>', "1.1.0"),
        ('<actuator type="R8-3"/><end-effector/>', "1.2.0"),
        ('<end-effector type="X5Parallel"/>', "1.2.0"),
        ('<end-effector output_trans="0 0 1"/>', "1.2.0"),
        ('<rigid-body mass="1"><output><end-effector/></output></rigid-body>', "1.3.0"),
        ('<rigid-body mass="1" mesh_path="a"/>', "1.3.0"),
        ('<rigid-body mass="1" mesh_path="http://a.b/c"/>', "1.4.0"),
        ('<joint axis="rz" tag="a"/>', "1.4.0"),
        ('<joint axis="rz" gear_ratio="2"/>', "1.5.0"),
        ('<actuator type="R25-8"/>', "1.6.0"),
    ],
)
def test_the_lowest_version(content: str, lowest: str) -> None:
    d = hrdf.parse(f'<robot version="1.6.0">{content}</robot>')
    text = hrdf.write(d, version="lowest")
    assert f'version="{lowest}"' in text
    assert hrdf.parse(text) == d


def test_a_version_that_cannot_hold_the_robot_says_what_it_lacks() -> None:
    d = hrdf.parse(
        '<robot version="1.6.0" description="x"><actuator type="R25-8" tag="a"/>'
        '<rigid-body mass="1" ixx="1" iyy="1" izz="1" mesh_path="http://a.b/c"><output/></rigid-body></robot>'
    )
    with pytest.raises(HrdfVersionError) as info:
        hrdf.write(d, version="1.0.0")
    messages = [problem.message for problem in info.value.problems]
    end = "and cannot be written in version 1.0.0"
    assert messages[0].startswith("files before 1.2.0 always end in a plain end-effector")
    assert messages[1:] == [
        f"attribute 'description' of robot is new in version 1.2.0, {end}",
        f"attribute 'tag' of actuator is new in version 1.4.0, {end}",
        f"actuator type 'R25-8' is new in version 1.6.0, {end}",
        f"attribute 'ixx' of rigid-body is new in version 1.1.0, {end}",
        f"attribute 'iyy' of rigid-body is new in version 1.1.0, {end}",
        f"attribute 'izz' of rigid-body is new in version 1.1.0, {end}",
        f"attribute 'mesh_path' of rigid-body is new in version 1.3.0, {end}",
        f"element output is new in version 1.3.0, {end}",
        f"a mesh URL is new in version 1.4.0, {end}",
    ]


@pytest.mark.parametrize("version", ["1.7.0", "1.6", "low", ""])
def test_unknown_versions_are_not_written(version: str) -> None:
    with pytest.raises(HrdfVersionError, match=r"unknown version .* Known: 1.0.0, .*, lowest"):
        hrdf.write(hrdf.RobotDescription(), version=version)


def test_a_misfit_of_an_old_file_can_be_written_in_its_version_only() -> None:
    d = hrdf.parse('<robot version="1.1.0"><actuator type="X5-1"/><actuator type="X5-1"/></robot>')
    assert hrdf.parse(hrdf.write(d, version="1.1.0")) == d
    assert hrdf.parse(hrdf.write(d, version="lowest")) == d
    with pytest.raises(InterfaceMismatchError, match="does not fit on"):
        hrdf.write(d)


@pytest.mark.parametrize(
    ("element", "message"),
    [
        (hrdf.RigidBody(mass=-1.0), "negative mass"),
        (hrdf.RigidBody(mass=float("nan")), "mass: nan is not finite"),
        (hrdf.RigidBody(mass=1.0, com=hrdf.Pose((2.0,) * 9)), "com_rot: not a rotation"),
        (
            hrdf.RigidBody(mass=1.0, com=hrdf.Pose(translation=(0, float("inf"), 0))),
            "com_trans: .*not finite",
        ),
        (hrdf.RigidBody(mass=1.0, outputs=()), "at least one output"),
        (hrdf.RigidBody(mass=1.0, outputs=(hrdf.Output(), hrdf.Output())), "need branched=True"),
        (
            hrdf.RigidBody(mass=1.0, outputs=(hrdf.Output(elements=(hrdf.Joint(axis="rz"),)),)),
            "need branched=True",
        ),
        (hrdf.RigidBody(mass=1.0, mesh_pose=hrdf.Pose(translation=(1, 0, 0))), "need a mesh_path"),
        (hrdf.RigidBody(mass=1.0, mesh_path="/a"), "must be relative"),
        (hrdf.RigidBody(mass=1.0, mesh_path="a\x00b"), r"mesh_path: .*which XML cannot hold"),
        (hrdf.RigidBody(mass=1.0, tag="\ud800"), "tag: .*which XML cannot hold"),
        (hrdf.RigidBody(mass=1.0, tag=""), "a tag must be a text that is not empty"),
        (
            hrdf.RigidBody(mass=1.0, tag="x" * 10001),
            "tag: longer than the limit of 10000 characters",
        ),
        (hrdf.RigidBody(mass=1.0, inertia=(1, 1, float("nan"), 0, 0, 0)), "izz: nan is not finite"),
        (hrdf.Joint(axis="rq"), "unknown axis 'rq'"),  # type: ignore[arg-type]
        (hrdf.Joint(axis="rz", gear_ratio=float("inf")), "gear_ratio: inf is not finite"),
    ],
)
def test_a_description_that_breaks_a_rule_is_not_written(
    element: hrdf.RigidBody | hrdf.Joint, message: str
) -> None:
    with pytest.raises(HrdfError, match=message):
        hrdf.write(hrdf.RobotDescription(elements=(element,)))


def test_rules_for_elements_with_parts_hold_for_descriptions_made_in_code() -> None:
    bracket = hrdf.parse('<robot version="1.6.0"><bracket type="X5LightLeft"/></robot>').elements[0]
    assert isinstance(bracket, hrdf.Bracket)
    moved = replace(bracket, outputs=(hrdf.Output(pose=hrdf.Pose(translation=(1, 0, 0))),))
    with pytest.raises(HrdfError, match="the bracket itself places its output"):
        hrdf.write(hrdf.RobotDescription(elements=(moved,)))
    link = hrdf.parse(
        '<robot version="1.6.0"><link type="X5" extension="1" twist="0"/></robot>'
    ).elements[0]
    assert isinstance(link, hrdf.Link)
    with pytest.raises(HrdfError, match=r"unknown style 'Round'. Known: RightAngle, Inline"):
        hrdf.write(hrdf.RobotDescription(elements=(replace(link, input="Round"),)))  # type: ignore[arg-type]
    odd = replace(link, input="Round", overrides=hrdf.Overrides(mass_offset=-9.0))  # type: ignore[arg-type]
    with pytest.raises(HrdfError, match="unknown style"):
        hrdf.write(hrdf.RobotDescription(elements=(odd,)))
    end = replace(hrdf.EndEffector(part=EndEffectorPart("Custom")), output_rot=(0.0,) * 9)
    with pytest.raises(HrdfError, match="output_rot: not a rotation"):
        hrdf.write(hrdf.RobotDescription(elements=(end,)))
    with pytest.raises(HrdfError, match=r"description: .*which XML cannot hold"):
        hrdf.write(hrdf.RobotDescription(description="\x01"))


def test_bounds_hold_for_descriptions_made_in_code() -> None:
    element: hrdf.RigidBody = hrdf.RigidBody(mass=0.0)
    for _ in range(MAX_OUTPUT_DEPTH + 1):
        element = hrdf.RigidBody(
            mass=0.0, branched=True, outputs=(hrdf.Output(elements=(element,)),)
        )
    with pytest.raises(
        HrdfError, match=f"outputs nest deeper than the limit of {MAX_OUTPUT_DEPTH}"
    ):
        hrdf.write(hrdf.RobotDescription(elements=(element,)))
    many = (hrdf.Joint(axis="rz"),) * (MAX_ELEMENTS + 1)
    with pytest.raises(HrdfError, match=f"more elements than the limit of {MAX_ELEMENTS}"):
        hrdf.write(hrdf.RobotDescription(elements=many))
    assert (
        hrdf.parse(hrdf.write(hrdf.RobotDescription(elements=many[:9999]))).elements == many[:9999]
    )


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.hrdf"
    d = hrdf.parse('<robot version="1.6.0" description="ä"><joint axis="rz"/></robot>')
    text = hrdf.write(d, file)
    assert file.read_bytes() == text.encode("utf-8")
    assert hrdf.read(file) == d
    file.chmod(0o640)
    other = hrdf.RobotDescription(description="other")
    hrdf.write(other, str(file))
    assert hrdf.read(file) == other
    assert stat.S_IMODE(file.stat().st_mode) == 0o640

    def fail(*_arguments: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        hrdf.write(d, file)
    assert hrdf.read(file) == other
    assert [path.name for path in tmp_path.iterdir()] == ["a.hrdf"]
    with pytest.raises(HrdfError):
        hrdf.write(hrdf.RobotDescription(description="\x01"), file)
    assert hrdf.read(file) == other


def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    file, link = tmp_path / "a.hrdf", tmp_path / "b.hrdf"
    file.write_text("")
    link.symlink_to(file)
    hrdf.write(hrdf.RobotDescription(description="x"), link)
    assert link.is_symlink()
    assert hrdf.read(file).description == "x"


def test_a_folder_that_is_missing_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no such folder: '.*none'"):
        hrdf.write(hrdf.RobotDescription(), tmp_path / "none" / "a.hrdf")


def test_what_is_no_description_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="write takes a RobotDescription, got str"):
        hrdf.write("<robot/>")  # type: ignore[arg-type]
    with pytest.raises(HrdfVersionError, match=r"unknown version 1.6"):
        hrdf.write(hrdf.RobotDescription(), version=1.6)  # type: ignore[arg-type]
