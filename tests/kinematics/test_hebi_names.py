"""hebi-py's names on our objects: an error that names ours, at no cost to what is there."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices, ik
from armwright.kinematics.hebi_names import OURS


def things() -> dict[str, Any]:
    model = aw.load(aw.examples.path("six_dof"))
    group = devices.simulate(model)
    return {
        "RobotModel": model,
        "ArmBuilder": aw.ArmBuilder().actuator("X8-9").end_effector(),
        "GroupCommand": devices.GroupCommand(np.zeros(6)),
        "GroupFeedback": group.feedback(),
        "GroupInfo": group.info(),
        "ContextOfGroup": group,
        "Trajectory": devices.minimum_jerk([0, 1], [[0.0], [1.0]]),
        "armwright": aw,
        "armwright.devices": devices,
        "armwright.ik": ik,
    }


THINGS = things()
NAMES = [(owner, name) for owner, names in OURS.items() for name in names]


@pytest.mark.parametrize(("owner", "name"), NAMES, ids=[f"{o}.{n}" for o, n in NAMES])
def test_the_error_names_what_is_there(owner: str, name: str) -> None:
    thing, ours = THINGS[owner], OURS[owner][name]
    with pytest.raises(AttributeError, match=r"hebi-py's name; here it is ") as caught:
        getattr(thing, name)
    assert str(caught.value).endswith(ours)
    assert not hasattr(thing, name)
    assert getattr(thing, name, None) is None
    # What it says first is there: an attribute of the thing, or a path from the package.
    said = re.match(r"(?:GroupCommand|armwright\.|ArmBuilder\(\)\.|len\()?\.?([\w.]+)", ours)
    assert said is not None
    found: Any = aw.ArmBuilder() if ours.startswith("ArmBuilder") else thing
    if ours.startswith(("armwright.", "GroupCommand")):
        found = aw if ours.startswith("armwright.") else devices
    for part in said.group(1).split(".") if not ours.startswith("GroupCommand") else []:
        found = getattr(found, part)


@pytest.mark.parametrize("owner", [owner for owner in OURS if not owner.startswith("armwright")])
def test_dir_lists_only_what_is_there(owner: str) -> None:
    listed = dir(THINGS[owner])
    assert not set(listed) & set(OURS[owner])
    for name in listed:
        if not name.startswith("_"):
            getattr(THINGS[owner], name)


def test_other_names_are_errors_as_ever() -> None:
    for thing in THINGS.values():
        with pytest.raises(AttributeError, match=r"no attribute 'nothing_like_it'$"):
            thing.nothing_like_it  # noqa: B018


def test_no_class_looks_up_attributes_the_slow_way() -> None:
    for owner, thing in THINGS.items():
        if not owner.startswith("armwright"):
            assert not hasattr(type(thing), "__getattr__")


@pytest.mark.hebi
def test_the_names_are_those_of_hebi_py() -> None:
    hebi = pytest.importorskip("hebi")
    group = hebi.util.create_imitation_group(2)
    line = hebi.trajectory.create_trajectory([0, 1], [[0, 1], [0, 1]])
    theirs: dict[str, Callable[[str], bool]] = {
        "RobotModel": lambda n: hasattr(hebi.robot_model.RobotModel, n) or n.startswith("import_"),
        "ArmBuilder": lambda n: hasattr(hebi.robot_model.RobotModel, n),
        "GroupCommand": lambda n: hasattr(hebi.GroupCommand, n),
        "GroupFeedback": lambda n: hasattr(hebi.GroupFeedback, n),
        "GroupInfo": lambda n: hasattr(hebi.GroupInfo, n),
        "ContextOfGroup": lambda n: hasattr(group, n),
        "Trajectory": lambda n: hasattr(line, n),
        "armwright.ik": lambda n: hasattr(hebi.robot_model, n) or n.startswith("solve_"),
    }
    for owner, there in theirs.items():
        assert [name for name in OURS[owner] if not there(name)] == []
    # And nothing that its users call on models and trajectories is forgotten.
    model = set(dir(hebi.robot_model.RobotModel)) - set(dir(THINGS["RobotModel"]))
    known = set(OURS["RobotModel"]) | {"finalized", "force_delete"}
    assert {name for name in model - known if not name.startswith("_")} == set()
    moves = set(dir(line)) - set(dir(THINGS["Trajectory"])) - set(OURS["Trajectory"])
    assert {name for name in moves if not name.startswith("_")} == set()
