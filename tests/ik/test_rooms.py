"""The rooms of this folder stand above one another, and are entered through their doors."""

import pytest

from tests.project.sources import ROOT, imports, name, python_files

ROOMS = ("objectives", "program", "solving", "tracking", "rates", "all_solutions")  # lowest first
BELOW = ("_kernels",)  # what every room may import
HERE = "armwright.ik"


def test_the_rooms_are_these() -> None:
    folders = {path.parent.name for path in (ROOT / "ik").glob("*/__init__.py")}
    assert folders == {*ROOMS, "_kernels"}


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_downwards_through_doors(room: str) -> None:
    doors = {f"{HERE}.{lower}" for lower in ROOMS[: ROOMS.index(room)]}
    wrong = []
    for path in python_files(f"ik/{room}"):
        for found in imports(path):
            if not f"{found.module}.".startswith(f"{HERE}."):
                continue
            inside = found.module[len(HERE) + 1 :].split(".")
            if inside[0] not in (room, *BELOW) and found.module not in doors:
                wrong.append(f"{name(path)}:{found.line} imports {found.module}")
    assert not wrong


@pytest.mark.parametrize("room", ROOMS)
def test_no_circle_of_files(room: str) -> None:
    package = f"{HERE}.{room}"
    files = {path.stem: path for path in python_files(f"ik/{room}") if path.stem != "__init__"}
    wanted = {
        stem: {
            found.module[len(package) + 1 :]
            for found in imports(path)
            if found.module.startswith(f"{package}.")
        }
        for stem, path in files.items()
    }
    while wanted:
        free = [stem for stem, others in wanted.items() if not others & set(wanted)]
        assert free, f"these import each other: {sorted(wanted)}"
        for stem in free:
            del wanted[stem]


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_are_neither_closets_nor_halls(room: str) -> None:
    files = [path for path in python_files(f"ik/{room}") if path.stem != "__init__"]
    assert 3 <= len(files) <= 14
