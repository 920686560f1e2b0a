"""``repr`` of anything public is one line of at most 200 characters, however large the thing is.

Every public class has an example here, made with long names and many parts; then all that hangs on
the examples, through public attributes, is looked at as well.
"""

import dataclasses
import enum
import importlib
import inspect
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import armwright as aw
from armwright import devices, hrdf, ik, kinematics
from armwright.errors import Problem
from armwright.reprs import LONGEST, cut_to_line, one_line_repr
from tests.project.sources import ROOT
from tests.project.test_public_names import MODULES

LONG = "a very long name\n" * 30
MANY = 40
ARMS = ROOT / "examples" / "arms"


def public_classes() -> dict[str, type]:
    """Return the public classes of which there can be an object, by name."""
    found: dict[str, type] = {}
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        names = getattr(module, "__all__", None) or vars(module)
        for name in names:
            value = getattr(module, name)
            ours = inspect.isclass(value) and value.__module__.startswith("armwright")
            if ours and not getattr(value, "_is_protocol", False):
                found.setdefault(value.__qualname__, value)
    return found


CLASSES = {name: cls for name, cls in public_classes().items() if not name.startswith("_")}


def long_robot() -> kinematics.RobotModel:
    """A robot of many joints with long names, a gear, a payload and groups."""
    builder = kinematics.ModelBuilder(LONG.replace("\n", " "))
    above = None
    for i in range(MANY):
        name = f"joint {i} " + "x" * 200
        builder.joint(name, parent=above, axis=(1, 1, i), lower=-1.0, upper=1.0, max_effort=9.0)
        builder.body(f"body {i} " + "y" * 200, parent=name, mass=1.0, com=(0.1, 0.2, 0.3))
        above = f"body {i} " + "y" * 200
    builder.frame("tool " + "z" * 200, parent=above)
    model = builder.reference_configuration("home " + "h" * 300, {}).build()
    return model.with_payload(1.0, (0.1, 0.2, 0.3), inertia=[0.1] * 3 + [0.01] * 3)


def examples() -> list[object]:
    """Return objects of all public classes, and what their calls return."""
    model, arm = long_robot(), aw.load(ARMS / "six_dof.hrdf").with_joint_dynamics("catalog")
    q, home = np.full(MANY, 1 / 3), np.full(6, 1 / 3)
    two = aw.load(ARMS / "two_armed.hrdf").with_groups(ARMS / "two_armed.groups.yaml")
    group = devices.simulate(model)
    faulty = devices.FaultyGroup(devices.simulate(arm), zeros={"J3_elbow": 0.2})
    move = devices.plan(arm, [home, 2 * home, home])
    recording = devices.follow(devices.simulate(arm, q0=home), arm, devices.plan(arm, [home, home]))
    target = ik.pose(arm.end_effector(home))
    problem = ik.IKProblem(arm, target, ik.posture(home), ik.joint_limits(-9 * home, 9 * home))
    objectives = [
        ik.position([1 / 3, 1 / 7, 1 / 9], frame="probe"),
        ik.orientation(np.eye(3)),
        ik.tip_axis([1, 2, 3]),
        ik.posture(dict.fromkeys(model.joint_names, 1 / 3)),
        ik.joint_limits(dict.fromkeys(model.joint_names, 0.0), {}),
        ik.centering(),
        ik.manipulability_goal(),
        ik.least_effort(gravity=[1 / 3, 1 / 7, 1 / 9]),
        ik.custom(2, lambda q: q[:2]),
        ik.twist([1, 2, 3, 4, 5, 6]),
    ]
    readings = devices.doctor.StillReading(home, arm.gravity_efforts(home))
    errors = [cls(LONG) for cls in CLASSES.values() if issubclass(cls, Exception) and one_text(cls)]
    return [
        *(one for cls in CLASSES.values() if issubclass(cls, enum.Enum) for one in cls),
        *errors,
        *objectives,
        Problem(LONG, 3, LONG, LONG, LONG),
        aw.errors.HrdfError([Problem(LONG, 3, LONG, LONG, LONG)] * MANY),
        kinematics.ModelBuilder(LONG.replace("\n", " ")),
        kinematics.ArmBuilder(description=LONG.replace("\n", " ")).actuator("X5-1"),
        model,
        arm,
        two,
        two.arm(0),
        model.description,
        hrdf.load_catalog(),
        devices.load_config(ARMS / "six_dof.cfg.yaml"),
        *hrdf.walk(two.description),
        *hrdf.walk(arm.description),
        hrdf.Pose(),
        hrdf.Overrides(),
        model.topology,
        model.frame("tool " + "z" * 200),
        model.frame_info(),
        model.joint_info(0),
        model.check_limits(q=9 * q)[0],
        model.check(),
        kinematics.RobotState(model, q, floating=True),
        kinematics.RobotState(arm, home, home, home),
        kinematics.static_capability(arm, home),
        kinematics.largest_payload(arm, home),
        kinematics.RobotState(two, np.zeros(two.dof)).constrained_inverse_dynamics(
            np.eye(two.dof)[:2]
        ),
        problem,
        ik.solve(arm, home, target),
        ik.solve_batch(arm, home, [arm.end_effector(home)] * 3),
        ik.solve_all(arm, arm.end_effector(home)),
        ik.track(arm, home, [arm.end_effector(home)] * 3),
        ik.Tracker(arm, home),
        ik.velocity(arm, home, ik.twist([0.1, 0, 0, 0, 0, 0])),
        ik.manipulability(arm, home),
        group,
        faulty,
        group.feedback(),
        devices.GroupCommand(position=q, velocity=q, effort=q),
        group.info(),
        move,
        devices.trajectory.Cursor(move),
        devices.trajectory.limit_violation(arm.with_max_speeds([1e-3] * 6), move),
        aw.errors.ArmFault("off track", LONG, 1 / 3, 1 / 7, 1 / 9, True),
        recording,
        readings,
        devices.doctor.diagnose(arm, [readings]),
        *diagnosed(arm, home),
        devices.plugins.GravityCompensationEffort(),
        devices.plugins.Mixer([devices.plugins.GravityCompensationEffort()], arm.max_efforts),
    ]


def diagnosed(arm: aw.RobotModel, home: Any) -> Iterator[object]:
    """Give a finding and its diagnosis."""
    q = np.array([0.0, 0.6, 0.9, -0.5, 0.7, 0.3])
    reading = devices.doctor.StillReading(q, -arm.gravity_efforts(q))
    found = devices.doctor.diagnose(arm, [reading])
    yield found
    yield from found.findings


def one_text(cls: type) -> bool:
    """Whether an error is made of one text."""
    try:
        cls(LONG)
    except (TypeError, AttributeError):
        return False
    return True


def reached(things: list[object]) -> dict[int, object]:
    """Return the things and all of ours that hangs on them, by identity."""
    found: dict[int, object] = {}
    waiting = list(things)
    while waiting and len(found) < 20_000:
        one = waiting.pop()
        if isinstance(one, tuple | list | set | frozenset) and not type(one).__module__.startswith(
            "armwright"
        ):
            waiting.extend(list(one)[:50])
            continue
        if isinstance(one, Mapping):
            waiting.extend([*one.values()][:50])
            continue
        if not type(one).__module__.startswith("armwright") or id(one) in found:
            continue
        found[id(one)] = one
        if isinstance(one, enum.Enum | BaseException):
            continue
        for name in dir(type(one)):
            if name.startswith("_") or name == "parent":
                continue
            if callable(inspect.getattr_static(one, name, None)):
                continue
            try:
                waiting.append(getattr(one, name))
            except Exception:  # what this robot or group has not
                continue
    return found


def test_one_short_line_for_all() -> None:
    things = examples()
    found = reached(things)
    made = {cls.__qualname__ for one in found.values() for cls in type(one).__mro__}
    rare = {name for name, cls in CLASSES.items() if issubclass(cls, Exception)}
    assert set(CLASSES) - rare - made == set(), "no example of these"
    wrong = {}
    for one in found.values():
        text = repr(one)
        if len(text) > LONGEST or "\n" in text:
            wrong[type(one).__qualname__] = f"{len(text)}: {text[:80]}"
    assert wrong == {}
    assert len({type(one) for one in found.values()}) > 60


def test_objects_of_the_default_repr_say_more_than_an_address() -> None:
    plain = {
        type(one).__qualname__
        for one in reached(examples()).values()
        if type(one).__repr__ is object.__repr__
    }
    assert plain == set()


@dataclasses.dataclass
class Some:
    number: float
    text: str = ""
    more: tuple[Any, ...] = ()
    array: Any = None
    hidden: int = dataclasses.field(default=1, repr=False)


def test_short_values_look_as_they_did() -> None:
    some = Some(1.5, "a'b", (1, "x"))
    assert one_line_repr(some) == repr(some)
    assert one_line_repr(Some(1.0, array=np.zeros(2))).endswith("array=array([0., 0.]))")


def test_long_values_are_cut() -> None:
    assert "shape (40, 40)" in one_line_repr(Some(1.0, array=np.zeros((40, 40))))
    assert one_line_repr(Some(1.0, LONG)).count("\n") == 0
    deep = one_line_repr(Some(1.0, "x" * 5000, tuple(range(10**6)), {i: LONG for i in range(99)}))
    assert len(deep) <= LONGEST
    assert cut_to_line("<" + "y" * 900 + ">").endswith("...>")
    assert cut_to_line("a\n  b") == "a b"
