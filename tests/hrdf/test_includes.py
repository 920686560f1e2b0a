"""Includes: flattened, relative to their file, safe paths, loops named, versions of their own."""

import os
from pathlib import Path
from typing import Any

import pytest

from armwright.errors import HrdfError, HrdfSyntaxError
from armwright.hrdf import RigidBody, check, parse, read, walk
from armwright.hrdf import limits as bounds
from armwright.hrdf.elements.parts import ActuatorPart
from tests.hrdf.conftest import text_of


class Folder:
    """A folder of HRDF files."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, content: str, version: str | None = "1.6.0") -> Path:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text_of(content, version), "utf-8")
        return file

    def error(self, name: str) -> str:
        with pytest.raises(HrdfError) as info:
            read(self.path / name)
        (problem,) = info.value.problems
        return problem.message


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path)


def test_elements_of_the_file_take_the_place_of_the_include(folder: Folder) -> None:
    folder.write("a.hrdf", '<joint axis="rz"/><include path="b.hrdf"/><joint axis="rx"/>')
    folder.write("b.hrdf", '<joint axis="ry"/>\n<rigid-body mass="1"/>')
    d = read("a.hrdf")
    assert [(e.kind, e.file, e.line, e.path) for e in d.elements] == [
        ("joint", "a.hrdf", 1, "robot/joint[1]"),
        ("joint", "b.hrdf", 1, "robot/joint[1]"),
        ("rigid-body", "b.hrdf", 2, "robot/rigid-body[1]"),
        ("joint", "a.hrdf", 1, "robot/joint[2]"),
    ]
    assert d.files == ("a.hrdf", "b.hrdf")
    flat = '<joint axis="rz"/><joint axis="ry"/><rigid-body mass="1"/><joint axis="rx"/>'
    assert d == parse(text_of(flat))


def test_includes_in_outputs_and_of_includes(folder: Folder) -> None:
    folder.write(
        "a.hrdf", '<rigid-body mass="1"><output><include path="x/b.hrdf"/></output></rigid-body>'
    )
    folder.write("x/b.hrdf", '<include path="../y/c.hrdf"/>')
    folder.write("y/c.hrdf", '<joint axis="rz"/>')
    d = read("a.hrdf")
    assert [p.element.kind for p in walk(d)] == ["rigid-body", "joint"]
    assert d.files == ("a.hrdf", "x/b.hrdf", "y/c.hrdf")


def test_attributes_of_the_included_robot_are_ignored(folder: Folder) -> None:
    (folder.path / "leaf.hrdf").write_text(
        '<robot version="1.6.0" trans="9 9 9" description="leaf"><joint axis="rz"/></robot>'
    )
    folder.write("a.hrdf", '<include path="leaf.hrdf"/><include path="./leaf.hrdf"/>')
    d = read("a.hrdf")
    assert len(d.elements) == 2
    assert (d.base.translation, d.description) == ((0, 0, 0), "")
    assert d.files == ("a.hrdf", "leaf.hrdf")


def test_paths_are_relative_to_the_file_wherever_it_is_read_from(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("arm/a.hrdf", '<include path="parts/b.hrdf"/>')
    folder.write("arm/parts/b.hrdf", '<include path="../../c.hrdf"/>')
    folder.write("c.hrdf", '<joint axis="rz"/>')
    assert read("arm/a.hrdf").files == ("arm/a.hrdf", "arm/parts/b.hrdf", "c.hrdf")
    monkeypatch.chdir(folder.path / "arm")
    assert len(read("a.hrdf").elements) == 1
    assert len(read(folder.path / "arm" / "a.hrdf").elements) == 1


def test_text_needs_a_folder(folder: Folder) -> None:
    folder.write("b.hrdf", '<joint axis="rz"/>')
    text = text_of('<include path="b.hrdf"/>')
    assert len(parse(text, folder=folder.path).elements) == 1
    assert len(parse(text, folder=".").elements) == 1
    with pytest.raises(HrdfError, match=r"text has no folder .* Give folder="):
        parse(text)


def test_relative_mesh_paths_are_rebased_to_the_root_file(folder: Folder) -> None:
    names = ["m.stl", "../m.stl", "", "https://a.b/m.stl", "HTTP://a.b/m.stl"]
    bodies = "".join(f'<rigid-body mass="1" mesh_path="{name}"/>' for name in names)
    folder.write("arm/a.hrdf", f'{bodies}<include path="x/y/b.hrdf"/><include path="../c.hrdf"/>')
    folder.write("arm/x/y/b.hrdf", bodies)
    folder.write("c.hrdf", '<rigid-body mass="1" mesh_path="m.stl"/>')
    found = [e.mesh_path for e in read("arm/a.hrdf").elements if isinstance(e, RigidBody)]
    assert found[:5] == names
    assert found[5:10] == ["x/y/m.stl", "x/m.stl", *names[2:]]
    assert found[10:] == ["../m.stl"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("", "the path is empty"),
        ("  ", "the path is empty"),
        ("x\\b.hrdf", r"has backslashes. Write forward slashes"),
        ("\\\\server\\b.hrdf", "has backslashes"),
        ("/etc/b.hrdf", "is an absolute path; expected one relative to this file"),
        ("//server/b.hrdf", "is an absolute path"),
        ("C:/b.hrdf", "is an absolute path"),
        ("c:b.hrdf", "is an absolute path"),
        ("file:///b.hrdf", "is an absolute path"),
        ("file:b.hrdf", "is a URL"),
        ("https://a.b/c.hrdf", "is an absolute path"),
        ("none.hrdf", "no such file: 'none.hrdf' .looked for none.hrdf"),
        ("a.hrdf/b.hrdf", "no such file: 'a.hrdf/b.hrdf'"),
        ("sub", "'sub' is a folder; expected an HRDF file"),
        (".", "'.' is a folder"),
        ("x" * 5000, "cannot be read: File name too long"),
    ],
)
def test_paths_that_are_refused_say_why(folder: Folder, path: str, message: str) -> None:
    (folder.path / "sub").mkdir()
    folder.write("a.hrdf", f'<include path="{path}"/>')
    with pytest.raises(HrdfError, match=message) as info:
        read("a.hrdf")
    (problem,) = info.value.problems
    assert (problem.element, problem.attribute) == ("robot/include[1]", "path")


def test_loops_are_printed(folder: Folder) -> None:
    folder.write("self.hrdf", '<include path="self.hrdf"/>')
    assert "includes itself: " in folder.error("self.hrdf")
    folder.write("a.hrdf", '<include path="sub/b.hrdf"/>')
    folder.write("sub/b.hrdf", '<include path="../a.hrdf"/>')
    with pytest.raises(
        HrdfError, match=r"includes itself: a.hrdf -> sub/b.hrdf -> a.hrdf. Remove"
    ) as info:
        read("a.hrdf")
    (problem,) = info.value.problems
    assert (problem.file, problem.element) == ("sub/b.hrdf", "robot/include[1]")
    folder.write("entry.hrdf", '<include path="a.hrdf"/>')
    with pytest.raises(HrdfError, match=r"itself: a.hrdf -> sub/b.hrdf -> a.hrdf"):
        read("entry.hrdf")


def test_loops_through_links_are_found(folder: Folder) -> None:
    folder.write("a.hrdf", '<include path="link.hrdf"/>')
    (folder.path / "link.hrdf").symlink_to("a.hrdf")
    assert "includes itself" in folder.error("a.hrdf")
    folder.write("h.hrdf", '<include path="hard.hrdf"/>')
    os.link(folder.path / "h.hrdf", folder.path / "hard.hrdf")
    assert "includes itself" in folder.error("h.hrdf")
    (folder.path / "p.hrdf").symlink_to("q.hrdf")
    (folder.path / "q.hrdf").symlink_to("p.hrdf")
    folder.write("r.hrdf", '<include path="p.hrdf"/>')
    assert "its symbolic links form a loop" in folder.error("r.hrdf")


def test_links_lead_to_the_file_that_the_system_opens(folder: Folder) -> None:
    folder.write("far/away/b.hrdf", '<joint axis="ry"/>')
    folder.write("far/c.hrdf", '<joint axis="rx"/>')
    folder.write("c.hrdf", '<joint axis="rz"/>')
    (folder.path / "near").symlink_to("far/away")
    folder.write("a.hrdf", '<include path="near/../c.hrdf"/>')
    (joint,) = read("a.hrdf").elements
    assert joint == read("far/c.hrdf").elements[0]


def test_what_is_no_ordinary_file_is_not_opened(folder: Folder) -> None:
    os.mkfifo(folder.path / "pipe.hrdf")
    folder.write("a.hrdf", '<include path="pipe.hrdf"/>')
    assert "'pipe.hrdf' is not an ordinary file" in folder.error("a.hrdf")


def test_problems_of_included_files_name_them(folder: Folder) -> None:
    folder.write("a.hrdf", '<joint axis="q"/>\n<include path="b.hrdf"/><include path="b.hrdf"/>')
    folder.write("b.hrdf", '\n<joint axis="w"/>')
    with pytest.raises(HrdfError) as info:
        read("a.hrdf")
    assert [(p.file, p.line, p.element) for p in info.value.problems] == [
        ("a.hrdf", 1, "robot/joint[1]"),
        ("b.hrdf", 2, "robot/joint[1]"),  # once, though the file is included twice
    ]


def test_one_file_under_two_names_keeps_both(folder: Folder) -> None:
    folder.write("b.hrdf", '<joint axis="rz"/>')
    (folder.path / "c.hrdf").symlink_to("b.hrdf")
    folder.write("a.hrdf", '<include path="b.hrdf"/><include path="c.hrdf"/>' * 2)
    d = read(os.fsencode("a.hrdf"))  # type: ignore[arg-type]
    assert [element.file for element in d.elements] == ["b.hrdf", "c.hrdf"] * 2
    assert d.files == ("a.hrdf", "b.hrdf", "c.hrdf")


def test_a_broken_included_file_is_one_error(folder: Folder) -> None:
    folder.write("a.hrdf", '<joint axis="q"/><include path="b.hrdf"/>')
    (folder.path / "b.hrdf").write_text("<robot>\n<x")
    with pytest.raises(HrdfSyntaxError, match=r"b.hrdf:2: not well-formed XML") as info:
        read("a.hrdf")
    assert len(info.value.problems) == 1
    (folder.path / "b.hrdf").write_text("<robots/>")
    with pytest.raises(HrdfError, match=r"b.hrdf:1, robots: the root element is 'robots'"):
        read("a.hrdf")


def test_a_failed_include_causes_no_other_errors(folder: Folder) -> None:
    folder.write("a.hrdf", '<actuator type="X5-1"/><include path="b.hrdf"/><actuator type="X5-1"/>')
    assert "no such file" in folder.error("a.hrdf")


def test_neighbors_across_files_must_fit(folder: Folder) -> None:
    folder.write("a.hrdf", '<actuator type="X5-1"/><include path="b.hrdf"/>')
    folder.write("b.hrdf", '<actuator type="X5-4"/>')
    assert "actuator 'X5-4' (input X-AH-A) does not fit on actuator 'X5-1'" in folder.error(
        "a.hrdf"
    )
    folder.write("b.hrdf", "<end-effector/>")
    folder.write("a.hrdf", '<include path="b.hrdf"/><joint axis="rz"/>')
    assert "joint cannot follow an end-effector" in folder.error("a.hrdf")


def test_tags_are_unique_over_all_files(folder: Folder) -> None:
    folder.write("a.hrdf", '<include path="b.hrdf"/><include path="b.hrdf"/>')
    folder.write("b.hrdf", '<joint axis="rz" tag="j"/>')
    message = folder.error("a.hrdf")
    assert message.startswith("tag 'j' is taken by joint (")
    assert "b.hrdf:1, robot/joint[1])" in message


def test_each_file_is_read_by_its_own_version(folder: Folder) -> None:
    folder.write("a.hrdf", '<include path="b.hrdf"/>', "1.6.0")
    folder.write("b.hrdf", '<actuator type="X5-1"/>', "1.1.0")
    d = read("a.hrdf")
    (actuator,) = d.elements  # no implicit end effector: that closes root files alone
    assert isinstance(getattr(actuator, "part", None), ActuatorPart)
    (warning,) = d.warnings
    assert "'b.hrdf' has version 1.1.0, this file 1.6.0" in warning.message
    assert (warning.file, warning.element, warning.attribute) == (
        "a.hrdf",
        "robot/include[1]",
        "path",
    )
    folder.write("b.hrdf", '<joint axis="rz" gear_ratio="2"/>', "1.4.0")
    with pytest.raises(
        HrdfError, match=r"b.hrdf:1.*new in version 1.5.0, but this file has version 1.4.0"
    ):
        read("a.hrdf")
    folder.write("b.hrdf", '<joint axis="rz" gear_ratio="2"/>', "1.5.0")
    folder.write("a.hrdf", '<include path="b.hrdf"/>', "1.3.0")
    assert read("a.hrdf").version == "1.3.0"


def test_includes_are_bounded(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("leaf.hrdf", "")
    folder.write("ten.hrdf", '<include path="leaf.hrdf"/>' * 10)
    folder.write("hundred.hrdf", '<include path="ten.hrdf"/>' * 10)
    folder.write("thousand.hrdf", '<include path="hundred.hrdf"/>' * 10)
    with pytest.raises(
        HrdfSyntaxError, match=f"more includes than the limit of {bounds.MAX_INCLUDES}"
    ):
        read("thousand.hrdf")
    folder.write("leaf.hrdf", '<joint axis="rz"/>' * 200)
    with pytest.raises(
        HrdfSyntaxError, match=f"more elements than the limit of {bounds.MAX_ELEMENTS}"
    ):
        read("hundred.hrdf")
    for n in range(bounds.MAX_INCLUDE_DEPTH + 2):
        folder.write(f"d{n}.hrdf", f'<include path="d{n + 1}.hrdf"/>')
    with pytest.raises(
        HrdfSyntaxError, match=f"nest deeper than the limit of {bounds.MAX_INCLUDE_DEPTH}"
    ):
        read("d0.hrdf")
    inner = '<rigid-body mass="0"><output>' * 30
    closing = "</output></rigid-body>" * 30
    folder.write("deep.hrdf", f'{inner}<include path="deeper.hrdf"/>{closing}')
    folder.write("deeper.hrdf", inner + closing)
    with pytest.raises(
        HrdfSyntaxError, match=f"outputs nest deeper than the limit of {bounds.MAX_OUTPUT_DEPTH}"
    ):
        read("deep.hrdf")
    monkeypatch.setattr("armwright.hrdf.reading.files.MAX_TOTAL_BYTES", 200)
    with pytest.raises(HrdfSyntaxError, match="the files are larger than the limit of 200 bytes"):
        read("ten.hrdf")


def test_a_missing_root_file_is_an_error_and_a_finding(folder: Folder) -> None:
    with pytest.raises(HrdfError, match=r"^none.hrdf: no such file$") as info:
        read("none.hrdf")
    assert type(info.value) is HrdfError
    (problem,) = check("none.hrdf")
    assert (problem.file, problem.line, problem.severity) == ("none.hrdf", 0, "error")
    with pytest.raises(HrdfError, match=r": is a folder; expected an HRDF file$"):
        read(folder.path)
    folder.write("six_axis.hrdf", text_of(""))
    with pytest.raises(HrdfError, match=r"^sixaxis.hrdf: no such file. Did you mean .*six_axis"):
        read("sixaxis.hrdf")
    with pytest.raises(HrdfError, match=r"^arm.hrdf: no such file$"):
        read("arm.hrdf")
    with pytest.raises(HrdfError, match=r"Text is read by armwright.loads\(\) or"):
        read(text_of(""))
    with pytest.raises(HrdfError, match="cannot be read"):
        read("a\0b")


def test_check_lists_errors_and_warnings_of_all_files(folder: Folder) -> None:
    folder.write("a.hrdf", '<include path="b.hrdf"/>\n<joint axis="q"/>')
    folder.write("b.hrdf", '<joint axis="-rz"/>')
    assert [(p.file, p.severity) for p in check("a.hrdf")] == [
        ("b.hrdf", "warning"),
        ("a.hrdf", "error"),
    ]
    folder.write("a.hrdf", '<include path="b.hrdf"/>')
    assert [p.severity for p in check(str(folder.path / "a.hrdf"))] == ["warning"]
    folder.write("b.hrdf", '<joint axis="rz"/>')
    assert check(folder.path / "a.hrdf") == ()
    (folder.path / "a.hrdf").write_text("<robot><joint axis='q'/>")
    (only,) = check("a.hrdf")
    assert "not well-formed XML" in only.message


@pytest.mark.parametrize("path", ["leaf.hrdf/", "leaf.hrdf/.", ".", "..", "sub/"])
def test_an_include_names_a_file(folder: Folder, path: str) -> None:
    folder.write("leaf.hrdf", '<joint axis="rz"/>')
    folder.write("a.hrdf", f'<include path="{path}"/>')
    assert "is a folder; expected an HRDF file" in folder.error("a.hrdf")


def test_meshes_behind_linked_folders_are_found(folder: Folder) -> None:
    # real/deep/ is also called link/, so link/.. is real/ and not the root folder.
    body = '<rigid-body mass="1" mesh_path="../m.stl"/>'
    folder.write("real/deep/leaf.hrdf", body)
    folder.write("real/deep/up.hrdf", '<include path="../other/leaf.hrdf"/>')
    folder.write("real/other/leaf.hrdf", body)
    (folder.path / "real" / "m.stl").touch()
    try:
        (folder.path / "link").symlink_to("real/deep")
    except OSError:
        pytest.skip("no symbolic links here")
    folder.write("a.hrdf", '<include path="link/leaf.hrdf"/><include path="link/up.hrdf"/>')
    for robot in (read(folder.path / "a.hrdf"), read("a.hrdf")):
        for element in robot.elements:
            assert isinstance(element, RigidBody)
            assert element.mesh_path is not None
            assert os.path.samefile(folder.path / element.mesh_path, folder.path / "real" / "m.stl")


def test_tags_of_a_file_that_is_included_twice(folder: Folder) -> None:
    folder.write("leaf.hrdf", '<joint axis="rz" tag="j"/>')
    folder.write("a.hrdf", '<include path="leaf.hrdf"/><include path="leaf.hrdf"/>')
    assert "whose file is included more than once" in folder.error("a.hrdf")


def test_a_folder_may_be_bytes(folder: Folder) -> None:
    folder.write("leaf.hrdf", '<joint axis="rz"/>')
    text = text_of('<include path="leaf.hrdf"/>')
    given: Any = os.fsencode(folder.path)
    assert parse(text, folder=given) == parse(text, folder=folder.path)


def test_what_is_wrong_in_a_file_that_is_included_twice(folder: Folder) -> None:
    # The second time its problem is known, but the link has no mass all the same.
    link = '<link type="R25-R8" extension="0.1" twist="0" output="Inline"/>'
    folder.write("leaf.hrdf", link, "1.6.0")
    bodies = '<rigid-body mass="1"><output>{}</output><output>{}</output></rigid-body>'
    folder.write("a.hrdf", bodies.format(*['<include path="leaf.hrdf"/>'] * 2))
    assert "has no RightAngle input with Inline output" in folder.error("a.hrdf")
