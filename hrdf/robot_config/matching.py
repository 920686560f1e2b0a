"""Which module is which joint: by tag where there are tags, else by the order of the joints.

A configuration's lists follow its names; the joints of a robot are numbered depth first. In trees
the two orders differ, so that a tree without tags is doubtful.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from armwright.hrdf.elements import (
    Actuator,
    Bracket,
    Joint,
    RigidBody,
    RobotDescription,
    walk,
)
from armwright.hrdf.findings import Findings, Spot
from armwright.hrdf.formula import shorten

from .contents import REFERENCES, RobotConfig
from .values import is_finite


@dataclass(frozen=True, slots=True)
class Modules:
    """The modules of a configuration at the joints of a robot.

    Attributes:
        of_joints: Number of each joint's module, depth first; None for a joint that has none.
        joint_names: Name of each joint: its module's, None where it has none.
        configurations: Names and joint positions, depth first; 0 where there is no module.
    """

    of_joints: tuple[int | None, ...]
    joint_names: tuple[str | None, ...]
    configurations: dict[str, tuple[float, ...]]


def match_modules(
    config: RobotConfig, robot: RobotDescription, findings: Findings
) -> Modules | None:
    """Find the module of every joint; None when they do not fit, which is noted.

    Args:
        config: The configuration.
        robot: The robot that it names.
        findings: Where problems are noted.
    """
    where = Spot(str(config.file), 0, "names")
    joints = [one.element for one in walk(robot) if isinstance(one.element, Actuator | Joint)]
    names = config.names
    taken = _by_tag(names, [joint.tag for joint in joints])
    found = set(taken.values())
    rest = [number for number in range(len(names)) if number not in found]
    motors = [i for i, joint in enumerate(joints) if isinstance(joint, Actuator)]
    free = [i for i in motors if i not in taken]
    if rest and len(rest) != len(free):
        free = [i for i in range(len(joints)) if i not in taken]
    if rest and len(rest) != len(free):
        listed = ", ".join(joint.tag or f"joint{i}" for i, joint in enumerate(joints, 1))
        findings.error(
            where,
            f"expected {len(motors)} modules, one for each joint of {config.hrdf} "
            f"({shorten(listed, 200)[1:-1] or 'none'}), got {len(names)} "
            f"({shorten(', '.join(names), 200)[1:-1]})",
        )
        return None
    _doubt(robot, joints, taken, rest, where, findings)
    taken.update(zip(free, rest, strict=False))
    if names and not rest and set(motors) - taken.keys():
        lonely = [joints[i].tag or f"joint{i + 1}" for i in motors if i not in taken]
        text = f"no module is named for {shorten(', '.join(lonely), 200)[1:-1]}; they stay at 0"
        findings.warning(where, text)
    of_joints = tuple(taken.get(i) for i in range(len(joints)))
    times = Counter(names)
    called = tuple(None if one is None else _name(config, one, times) for one in of_joints)
    _check_tags(robot, joints, called, where, findings)
    return Modules(of_joints, called, _configurations(config, of_joints))


def _by_tag(names: Sequence[str], tags: Sequence[str | None]) -> dict[int, int]:
    """Return joint to module of those whose tag is the name of one module."""
    numbers: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        numbers.setdefault(name, []).append(number)
    return {
        joint: numbers[tag][0]
        for joint, tag in enumerate(tags)
        if tag is not None and len(numbers.get(tag, ())) == 1
    }


def _doubt(
    robot: RobotDescription,
    joints: Sequence[Actuator | Joint],
    taken: dict[int, int],
    rest: Sequence[int],
    where: Spot,
    findings: Findings,
) -> None:
    """Say what is doubtful when modules go by the order of the joints."""
    if not rest:
        return
    if any(
        isinstance(one.element, Bracket | RigidBody) and len(one.element.outputs) > 1
        for one in walk(robot)
    ):
        text = (
            "the robot is a tree, and its joints have no tags of these names: modules are taken "
            "in the order of the file, depth first. Give the joints their modules' names as tags"
        )
        findings.warning(where, text)
    elif taken or all(joint.tag for joint in joints):
        what = "some modules are" if taken else "no module is"
        text = f"{what} named like the tag of a joint: the others are taken in the order of joints"
        findings.warning(where, text if taken else text.replace("the others", "they"))


def _name(config: RobotConfig, number: int, times: Counter[str]) -> str:
    """Return the name of a module; with its family where another module has the same."""
    name = config.names[number]
    if times[name] == 1 or number >= len(config.families):  # too few of them are noted elsewhere
        return name
    return f"{config.families[number]}/{name}"


def _check_tags(
    robot: RobotDescription,
    joints: Sequence[Actuator | Joint],
    called: Sequence[str | None],
    where: Spot,
    findings: Findings,
) -> None:
    """Note names of modules that are the tag of something else: a name means one frame."""
    tags = {one.element.tag: one.element for one in walk(robot) if one.element.tag}
    for joint, name in zip(joints, called, strict=True):
        other = None if name is None else tags.get(name)
        if other is not None and other is not joint:
            text = f"module {shorten(str(name))} has the name of another element, {other.path}"
            findings.error(where, text + ". Give the joint this tag, or the element another")


def _configurations(
    config: RobotConfig, of_joints: Sequence[int | None]
) -> dict[str, tuple[float, ...]]:
    """Return the configurations of the user's data that fit; others were noted by the reader."""
    found = {}
    for key, name in REFERENCES.items():
        values = config.user_data.get(key)
        if not isinstance(values, list) or len(values) != len(config.names):
            continue
        if all(map(is_finite, values)):
            found[name] = tuple(0.0 if i is None else float(values[i]) for i in of_joints)
    return found
