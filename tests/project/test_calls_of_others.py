"""The tables from other systems' calls to ours in docs/dynamics.md: every call of ours is there.

Where the systems' own pages are at hand, every call on them must be in a table, except those that
belong to hardware, files or their own types.
"""

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from armwright import kinematics
from armwright.kinematics import ModelBuilder, RobotModel, RobotState, Topology
from tests.project.sources import ROOT

TEXT = (ROOT / "docs" / "dynamics.md").read_text(encoding="utf-8")
SECTION = TEXT.split("## From other libraries")[1].split("\n## ")[0]
OWNERS: dict[str, Any] = {
    "state": RobotState,
    "topology": Topology,
    "ModelBuilder": ModelBuilder,
    "RobotModel": RobotModel,
    "RobotState": RobotState,
    "": RobotModel,
}
# Of the state, these are set at its making; of the topology, all are fields.
STATE = ("model", "q", "v", "a", "T_world_base", "base_twist", "representation", "floating")
NOT_DYNAMICS = {
    "XBotInterface ModelInterface JointIdMap JointNameMap init getConfigOptions getPathToConfig",
    "getUrdf getUrdfPath getUrdfString getSrdf getSrdfPath getSrdfString link_name target_frame",
    "getMotorPosition getMotorVelocity setMotorPosition setMotorVelocity getJointEffort state",
    "setJointEffort getStiffness setStiffness getDamping setDamping getTemperature setTemperature",
    "getPositionReference getVelocityReference getEffortReference setPositionReference",
    "setVelocityReference setEffortReference getForceTorque getImu getHand initLog log",
    "printTracking",
}


def rows() -> list[tuple[str, str]]:
    """Return the two cells of every row of the tables."""
    found = []
    for line in SECTION.splitlines():
        cells = line.strip().strip("|").split(" | ")
        if line.startswith("| `"):
            assert len(cells) == 2, line
            found.append((cells[0], cells[1]))
    return found


def snippets(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0][:40])
def test_every_call_of_ours_exists(row: tuple[str, str]) -> None:
    calls = [text for text in snippets(row[1]) if text != "=="]
    for text in calls:
        match = re.match(r"-?(?:(\w+)\.)?(\w+)(\(.*)?", text)
        assert match is not None, text
        owner, name, arguments = match.groups()
        if owner is None and hasattr(kinematics, name):
            function = getattr(kinematics, name).__init__
        elif text.endswith("=") and arguments is None:
            assert name in inspect.signature(RobotModel.inverse_dynamics).parameters
            continue
        else:
            cls = OWNERS[owner or ""]
            fields = STATE if cls is RobotState else getattr(cls, "__dataclass_fields__", ())
            assert hasattr(cls, name) or name in fields, text
            function = getattr(cls, name, None)
        if arguments and callable(function):
            check_arguments(function, arguments, text)


def check_arguments(function: Any, arguments: str, text: str) -> None:
    """Names of keywords exist, and there are no more arguments than the call takes."""
    parameters = inspect.signature(function).parameters
    for keyword in re.findall(r"(\w+)=", arguments):
        assert keyword in parameters, text
    assert arguments.count(",") < len(parameters), text


def pages(shared: Path, name: str) -> str:
    return (shared / "reference" / name).read_text(encoding="utf-8")


def missing(names: set[str], heading: str) -> set[str]:
    """Return the names that are in no left cell of one system's table."""
    table = SECTION.split(f"### {heading}")[1].split("\n### ")[0]
    left = [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| `")]
    there = {match for cell in left for match in re.findall(r"operator\(\)|\w+", cell)}
    return names - there


@pytest.mark.shared
def test_every_call_of_idyntree_is_there(shared: Path) -> None:
    text = pages(shared, "idyntree-kindyn-computations.txt")
    names = set(re.findall(r"(?:auto|void) (\w+)\(", text))
    # The later ones of the page have no heads, only words.
    names |= set(re.findall(r"\b((?:get|inverse|generalized)[A-Z]\w+)\b(?!::)", text))
    names -= {"getNrOfPosCoords", "getNrOfDOFs", "getNrOfDOFS"}  # of its model
    assert len(names) > 35
    assert not missing(names, "iDynTree KinDynComputations")


@pytest.mark.shared
def test_every_call_of_xbot_is_there(shared: Path) -> None:
    text = pages(shared, "xbot-model-interface.txt")
    start, end = (text.index(mark) for mark in ("Public Member F", "Static Public Member F"))
    names = set(re.findall(r"(operator\(\)|\w+) \(", text[start:end]))
    names -= {name for line in NOT_DYNAMICS for name in line.split()}
    assert len(names) > 80
    assert not missing(names, "XBot ModelInterface")


@pytest.mark.shared
def test_every_call_and_member_of_pinocchio_s_model_is_there(shared: Path) -> None:
    text = pages(shared, "pinocchio-model.txt")
    functions = text[text.index("Public Functions") : text.index("Protected Functions")]
    names = set(
        re.findall(r"^(?:inline )?[\w:<>, ]+ (\w+)\([^)]*\)(?: const)?;?$", functions, re.M)
    )
    members = text[text.index("Public Members") :]
    names |= set(re.findall(r"^[\w:<>]+(?:<[\w:, ]+>)? (\w+)$", members, re.M))
    names -= {"ModelTpl", "Scalar", "PINOCCHIO_ALIGNED_STD_VECTOR", "Functions", "Members"}
    assert {"addJoint", "nq", "supports", "hasConfigurationLimit"} <= names
    assert len(names) > 35
    assert not missing(names, "Pinocchio")


@pytest.mark.shared
def test_hebi_s_dynamics_is_there(shared: Path) -> None:
    names = {"getGravCompEfforts", "getMasses"}
    assert all(name in pages(shared, "hebi-robot-model.txt") for name in names)
    assert not missing(names, "hebi-py")
