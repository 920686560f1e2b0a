"""Each file is read by its own version's rules; what is newer is an error that names both."""

import pytest

from armwright.errors import HrdfVersionError
from armwright.hrdf import parse, write
from armwright.hrdf.specification import VERSIONS
from tests.hrdf.conftest import Errors, Robot, text_of

FEATURES = [
    ('<actuator type="X5-1"/>', "1.0.0", ""),
    ('<actuator type="X8-16"/>', "1.0.0", ""),
    ('<link type="X5" extension="pi/10" twist="-pi"/>', "1.0.0", ""),
    ('<bracket type="X5HeavyLeftInside"/>', "1.0.0", ""),
    ('<joint axis="rz"/>', "1.0.0", ""),
    (
        '<rigid-body mass="1" com_rot="1 0 0 0 1 0 0 0 1" com_trans="0 0 1"'
        ' output_rot="1 0 0 0 1 0 0 0 1" output_trans="0 0 1"/>',
        "1.0.0",
        "",
    ),
    ('<actuator type="X5-1" mass="1"/>', "1.1.0", "attribute 'mass' of actuator"),
    ('<actuator type="X5-1" mass_offset="1"/>', "1.1.0", "attribute 'mass_offset' of actuator"),
    ('<bracket type="X5LightLeft" com_rot="1 0 0 0 1 0 0 0 1"/>', "1.1.0", "attribute 'com_rot'"),
    ('<bracket type="X5LightLeft" com_trans="0 0 1"/>', "1.1.0", "attribute 'com_trans'"),
    ('<link type="X5" extension="1" twist="0" com_trans_offset="0 0 1"/>', "1.1.0", "attribute"),
    ('<actuator type="X5-1" ixy="0"/>', "1.1.0", "attribute 'ixy' of actuator"),
    ('<rigid-body mass="1" ixx="1" iyy="1" izz="1"/>', "1.1.0", "attribute 'ixx' of rigid-body"),
    ('<rigid-body mass="1" output_rot="Rx(1)"/>', "1.1.0", "a rotation formula"),
    ('<actuator type="R8-3"/>', "1.2.0", "actuator type 'R8-3'"),
    ('<link type="R8" extension="1" twist="0"/>', "1.2.0", "link type 'R8'"),
    ('<bracket type="R8LightLeft"/>', "1.2.0", "bracket type 'R8LightLeft'"),
    ('<link type="X5" extension="1" twist="0" input="Inline"/>', "1.2.0", "attribute 'input'"),
    ('<link type="X5" extension="1" twist="0" output="Inline"/>', "1.2.0", "attribute 'output'"),
    ("<end-effector/>", "1.2.0", "element end-effector"),
    ('<rigid-body mass="1"><output/></rigid-body>', "1.3.0", "element output"),
    ('<bracket type="X5LightLeft"><output/></bracket>', "1.3.0", "element output"),
    ('<rigid-body mass="1" mesh_path="a.stl"/>', "1.3.0", "attribute 'mesh_path'"),
    ('<actuator type="T5-1"/>', "1.4.0", "actuator type 'T5-1'"),
    ('<actuator type="T8-16"/>', "1.4.0", "actuator type 'T8-16'"),
    ('<joint axis="rz" tag="a"/>', "1.4.0", "attribute 'tag' of joint"),
    ('<joint axis="rz" gear_ratio="2"/>', "1.5.0", "attribute 'gear_ratio' of joint"),
    ('<actuator type="R25-8"/>', "1.6.0", "actuator type 'R25-8'"),
    ('<actuator type="T25-40"/>', "1.6.0", "actuator type 'T25-40'"),
    ('<link type="R25" extension="1" twist="0"/>', "1.6.0", "link type 'R25'"),
    ('<link type="R25-R8" extension="1" twist="0"/>', "1.6.0", "link type 'R25-R8'"),
    ('<bracket type="R25HeavyLeftInside"/>', "1.6.0", "bracket type 'R25HeavyLeftInside'"),
]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("content", "since", "what"), FEATURES)
def test_every_feature_in_every_version(content: str, since: str, what: str, version: str) -> None:
    text = text_of(content, version)
    if since <= version:
        parse(text)
        return
    with pytest.raises(HrdfVersionError) as info:
        parse(text)
    messages = [problem.message for problem in info.value.problems]
    assert any(what in message or "'mesh_path'" in message for message in messages)
    assert all(f"but this file has version {version}" in message for message in messages)
    assert any(f"is new in version {since}" in m or "mesh_path" in m for m in messages)
    assert all("Raise the robot's version to" in message for message in messages)


@pytest.mark.parametrize("version", VERSIONS)
def test_mesh_urls_of_older_files_are_a_warning(version: str) -> None:
    text = text_of('<rigid-body mass="1" mesh_path="https://a.b/c.obj"/>', version)
    if version < "1.3.0":  # no meshes at all
        with pytest.raises(HrdfVersionError, match="attribute 'mesh_path' of rigid-body is new"):
            parse(text)
        return
    d = parse(text)
    assert [problem.attribute for problem in d.warnings] == ["mesh_path"] * (version < "1.4.0")
    assert parse(write(d)) == d
    assert 'version="1.4.0"' in write(d, version="lowest")


def test_the_description_is_as_old_as_1_2(errors: Errors, robot: Robot) -> None:
    assert robot("", "1.2.0", 'description="x"').description == "x"
    (problem,) = errors("", "1.1.0", 'description="x"')
    assert "attribute 'description' of robot is new in version 1.2.0" in problem.message


def test_a_base_frame_is_in_every_version(robot: Robot) -> None:
    assert robot("", None, 'trans="1 2 3"').base.translation == (1, 2, 3)


def test_no_version_means_1_0_0(errors: Errors, robot: Robot) -> None:
    assert robot("", None).version == "1.0.0"
    (problem,) = errors('<actuator type="X5-1" mass="1"/>', None)
    assert "but this file has version 1.0.0 (as files that name none)" in problem.message


def test_a_later_format_is_nearest_to_the_latest() -> None:
    with pytest.raises(HrdfVersionError, match=r"Did you mean '1.6.0'"):
        parse('<robot version="2.0"/>')


@pytest.mark.parametrize(
    "version", ["1.7.0", "1.6", "2.0.0", "", " 1.6.0", "1.6.0 ", "v1.6.0", "1,6"]
)
def test_unknown_versions(version: str) -> None:
    with pytest.raises(HrdfVersionError, match=r"unknown version .* Known: 1.0.0, 1.1.0,") as info:
        parse(text_of('<joint axis="rz" gear_ratio="2"/>', None, f'version="{version}"'))
    (problem,) = info.value.problems  # read on by the latest rules
    assert (problem.element, problem.attribute) == ("robot", "version")
