"""The house keeps its order: rooms of a few files, entered by their doors, no circle anywhere.

``python -m tests.project.rooms`` prints what is measured here.
"""

import ast

import pytest

from tests.project.rooms import (
    arrows_between_files,
    arrows_between_rooms,
    circles,
    files_in,
    folders,
    modules,
    room_of,
)
from tests.project.sources import FOLDERS, ROOT, name, python_files, tree

# Lowest first: a room asks only rooms that stand before it.
ORDER = """
    reprs copies errors hooks examples
    hrdf.limits hrdf.files hrdf.specification hrdf.elements hrdf.findings hrdf.formula
    hrdf.sizes hrdf.yaml_tree hrdf.catalog hrdf.checking hrdf.reading hrdf.writer
    hrdf.semantics hrdf.robot_config hrdf
    kinematics.engine kinematics._kernels kinematics.arrays kinematics.hebi_names
    kinematics.transforms
    kinematics.batches kinematics.frame_types kinematics.representation
    kinematics.robot kinematics.saved kinematics.naming kinematics.motion kinematics.dynamics
    kinematics.variants kinematics.reports kinematics.model kinematics.capability
    kinematics.building kinematics.state kinematics.loading kinematics
    ik._kernels ik.objectives ik.program ik.solving ik.tracking ik.rates
    ik.all_solutions ik
    devices.messages devices.kinds devices.group devices.imu devices.plugins
    devices.trajectory devices.driving devices.simulation devices.hebi devices.doctor devices
    gui._kernels gui.solids gui.shapes gui.palette gui.raster gui.artist gui.framing gui.labels
    gui.floor gui.scene gui.style gui.drawing gui.recording_plot gui.save gui.plot gui
    commands cli __main__
"""
ROOMS = ORDER.split()
FEWEST, MOST = 3, 14


def test_no_circle_between_files() -> None:
    assert circles(arrows_between_files()) == []


def test_no_circle_between_rooms() -> None:
    assert circles(arrows_between_rooms()) == []


def test_every_room_has_its_place_in_the_order() -> None:
    there = {room.removeprefix("armwright.") for room in arrows_between_rooms()} | {*FOLDERS}
    assert there == set(ROOMS)
    assert len(ROOMS) == len(set(ROOMS))


def test_rooms_ask_only_those_before_them() -> None:
    place = {f"armwright.{room}": number for number, room in enumerate(ROOMS)}
    wrong = [
        f"{room} asks {other}"
        for room, others in arrows_between_rooms().items()
        for other in others
        if place.get(other, -1) > place[room]
    ]
    assert not wrong


@pytest.mark.parametrize("folder", folders(), ids=name)
def test_folders_have_a_few_files(folder) -> None:  # type: ignore[no-untyped-def]
    count = len(files_in(folder))
    assert count <= MOST, f"a room holds {MOST} files beside its door: split it first"
    if folder.parent != ROOT and folder.name not in FOLDERS:
        assert count >= FEWEST, "a room of one or two files belongs to another one"


def test_rooms_are_entered_by_their_doors() -> None:
    wrong = []
    for module, path in modules().items():
        for other in arrows_between_files()[module]:
            here, there = room_of(module), room_of(other)
            inside = other != there and here != there and not module.startswith(f"{there}.")
            if inside and "_kernels" not in there and there != "armwright.commands":
                wrong.append(f"{name(path)} imports {other}: take it from {there}")
    assert not wrong


def test_no_object_changes_its_class() -> None:
    wrong = [
        f"{name(path)}:{node.lineno}"
        for path in python_files("armwright", *FOLDERS)
        for node in ast.walk(tree(path))
        if (isinstance(node, ast.Constant) and node.value == "__class__")
        or (
            isinstance(node, ast.Attribute)
            and node.attr == "__class__"
            and isinstance(node.ctx, ast.Store)
        )
    ]
    assert not wrong


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"d"}}
    assert circles(graph) == [["a", "b", "c"]]
    assert circles({"a": {"b"}, "b": set()}) == []


@pytest.mark.parametrize("module", sorted(modules()))
def test_kernels_named_by_texts_are_imported_for_tools(module: str) -> None:
    if module == "armwright.kinematics.engine":
        return  # where `lazy` is defined
    calls = {
        node.lineno
        for node in ast.walk(tree(modules()[module]))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lazy"
    }
    followed = [
        node
        for outer in tree(modules()[module]).body
        if isinstance(outer, ast.If) and getattr(outer.test, "id", "") == "TYPE_CHECKING"
        for node in ast.walk(outer)
        if isinstance(node, ast.ImportFrom) and str(node.module).endswith("_kernels")
    ]
    assert bool(calls) == bool(followed)
