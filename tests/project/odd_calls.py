"""Every public callable with arguments that do, so that one at a time can be another.

What is public is read from the lists of the doors, and the parameters from the signatures. Where
an argument has to be given, ``SENSIBLE`` has one by the name of the parameter, or by
``owner.parameter`` where the name means several things.
"""

import importlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Protocol

import numpy as np

import armwright
from armwright import devices, hrdf, ik, kinematics
from armwright.devices import doctor, plugins
from armwright.devices import trajectory as paths
from armwright.hrdf import Pose
from tests.project.sources import ROOT

DOORS = (
    "armwright",
    "armwright.examples",
    "armwright.hrdf",
    "armwright.kinematics",
    "armwright.ik",
    "armwright.devices",
    "armwright.devices.trajectory",
    "armwright.devices.plugins",
    "armwright.devices.doctor",
    "armwright.gui",
)
ARM = ROOT / "examples/arms/six_dof.hrdf"
CONFIG = ROOT / "examples/arms/six_dof.cfg.yaml"
Q = [0.0, 0.6, 0.9, -0.5, 0.7, 0.3]


@cache
def model() -> Any:
    """The arm of all calls."""
    return armwright.load(ARM).with_joint_dynamics("catalog", rotor_inertia=[0.01] * 6)


@cache
def two_armed() -> Any:
    """An arm with groups."""
    arm = armwright.load(ROOT / "examples/arms/two_armed.hrdf")
    return arm.with_groups(ROOT / "examples/arms/two_armed.groups.yaml")


@cache
def floating() -> Any:
    """A state that has everything."""
    return kinematics.RobotState(model(), Q, [0.1] * 6, [0.1] * 6, floating=True)


def group() -> devices.SimulatedGroup:
    """A new group, which calls may close."""
    return devices.simulate(model(), q0=Q)


@cache
def move() -> devices.Trajectory:
    """A short move."""
    return devices.plan(model(), [Q, [x + 0.05 for x in Q]])


@cache
def feedback() -> devices.GroupFeedback:
    """What the group says."""
    return group().feedback()


@cache
def recording() -> devices.Recording:
    """A drive."""
    return devices.follow(group(), model(), move())


def turn() -> plugins.Turn:
    """A turn of a loop."""
    return plugins.Turn(
        0.0, 0.01, *(np.zeros(6),) * 3, plugins.ArmState.MOVING, model(), feedback()
    )


def pose() -> Any:
    """Where the tool is."""
    return model().end_effector(Q)


def drawn() -> Any:
    """Axes with nothing in them."""
    from matplotlib.figure import Figure

    return Figure(figsize=(1, 1)).add_subplot()


INSTANCES: dict[type, Callable[[], Any]] = {
    armwright.ArmBuilder: lambda: armwright.ArmBuilder().actuator("X5-4"),
    armwright.RobotModel: model,
    kinematics.RobotState: floating,
    kinematics.ModelBuilder: lambda: kinematics.ModelBuilder("arm").joint("j", upper=2.0),
    kinematics.Topology: lambda: model().topology,
    kinematics.Group: lambda: two_armed().arm(0),
    hrdf.Catalog: hrdf.load_catalog,
    hrdf.Overrides: hrdf.Overrides,
    hrdf.Pose: Pose,
    hrdf.RobotConfig: lambda: hrdf.load_config(CONFIG),
    ik.IKProblem: lambda: ik.IKProblem(model(), ik.pose(pose())),
    ik.IKResult: lambda: ik.solve(model(), Q, ik.pose(pose())),
    ik.Tracker: lambda: ik.Tracker(model(), Q),
    devices.FaultyGroup: lambda: devices.FaultyGroup(group()),
    devices.GroupCommand: lambda: devices.GroupCommand(position=Q),
    devices.Recording: recording,
    devices.SimulatedGroup: group,
    devices.Trajectory: move,
    paths.Cursor: lambda: paths.Cursor(move()),
    paths.Violation: lambda: paths.Violation("speed", 0, 0.0, 2.0, -1.0, 1.0),
    plugins.GravityCompensationEffort: plugins.GravityCompensationEffort,
    plugins.Mixer: lambda: plugins.Mixer([plugins.GravityCompensationEffort()], np.ones(6)),
}
"""Who has the methods."""

SENSIBLE: dict[str, Callable[[], Any]] = {
    # Numbers and vectors
    **dict.fromkeys(("q", "q0", "q_feedback", "q_ref", "values", "position", "start"), lambda: Q),
    **dict.fromkeys(("v", "a", "tau", "b"), lambda: [0.1] * 6),
    **dict.fromkeys(("mass", "extension", "gear_ratio"), lambda: 1.0),
    **dict.fromkeys(("dt", "seconds", "s", "t", "time", "time_constant", "at"), lambda: 0.01),
    **dict.fromkeys(("twist", "factor", "value", "limit", "excess"), lambda: 1.5),
    **dict.fromkeys(("joint", "other", "index", "module", "size", "n", "number"), lambda: 0),
    **dict.fromkeys(("efforts", "max_efforts", "speeds", "max_speeds"), lambda: [0.5] * 6),
    **dict.fromkeys(("T", "T_a", "T_b", "T_world_base", "target", "placement"), pose),
    "size": lambda: 6,
    "n": lambda: 1,
    "n_errors": lambda: 1,
    "lower": lambda: [-1.0] * 6,
    "upper": lambda: [1.0] * 6,
    "J": lambda: np.ones((6, 6)),
    "constrained_inverse_dynamics.J": lambda: np.eye(6, 12),
    "RobotState.forward_dynamics.tau": lambda: [0.1] * 12,
    "RobotState.solve_mass.b": lambda: [0.1] * 12,
    "R": lambda: np.eye(3),
    "xyz": lambda: [0.3, 0.1, 0.4],
    "axis": lambda: [0, 0, 1],
    "V": lambda: [0.1] * 6,
    "com": lambda: (0.0, 0.0, 0.0),
    "inertia": lambda: (0.1, 0.1, 0.1, 0.0, 0.0, 0.0),
    "gravity": lambda: [0, 0, -9.81],
    "orientation": lambda: [1, 0, 0, 0],
    "poses": lambda: [Q, [x + 0.02 for x in Q]],
    "track.poses": lambda: pose()[None],
    "targets": lambda: pose()[None],
    "times": lambda: [0.0, 1.0],
    **dict.fromkeys(("positions", "waypoints"), lambda: [Q, [x + 0.05 for x in Q]]),
    # Names
    "frame_type": lambda: "output",
    "frame": lambda: ("output", 3),
    "reference": lambda: ("output", 1),
    "origin": lambda: ("output", 2),
    "axes": lambda: ("output", 2),
    "reference_origin": lambda: ("output", 2),
    "reference_axes": lambda: ("output", 2),
    "name": lambda: "J3_elbow",
    "chain.name": lambda: "left_arm",
    "ModelBuilder.name": lambda: "new",
    "body.name": lambda: "new",
    "joint.name": lambda: "new",
    "ModelBuilder.frame.name": lambda: "new",
    "reference_configuration.name": lambda: "new",
    "reference_configuration.values": lambda: {"j": 0.5},
    "has_frame.name": lambda: "j",
    "type": lambda: "X5-1",
    "bracket.type": lambda: "X5LightRight",
    "link.type": lambda: "X5",
    "kind": lambda: "actuator",
    "joint.axis": lambda: "rz",
    "joints": lambda: [0, 1],
    "joint_info.joint": lambda: 1,
    "joint_index.joint": lambda: 1,
    "names": lambda: list("abcdef"),
    "families": lambda: ["Arm"],
    "configurations": lambda: {"bent": Q},
    "quantity": lambda: "position",
    "interface_out": lambda: "X5",
    "from_map.values": lambda: dict.fromkeys(model().joint_names, 0.5),
    "external_wrenches": lambda: {("output", 3): [0.1] * 6},
    "module": lambda: 0,
    # Files
    "path": lambda: ARM,
    "save.path": lambda: "saved.npz",
    "write.path": lambda: "written.hrdf",
    "save_picture.path": lambda: "picture.png",
    "load_config.path": lambda: CONFIG,
    "check_config.path": lambda: CONFIG,
    "load_catalog.path": lambda: None,
    "with_groups.path": lambda: None,
    "text": lambda: '<robot version="1.6.0"/>',
    "what": lambda: ARM,
    "examples.path.name": lambda: "six_dof",
    "file": lambda: CONFIG,
    # What is ours
    "model": model,
    "state": floating,
    **dict.fromkeys(("d", "description"), lambda: model().description),
    "ArmBuilder.description": lambda: "",
    "objectives": lambda: ik.pose(pose()),
    "twists": lambda: [0.01] * 6,
    "function": lambda: lambda q: [q[0]],
    "step.target": pose,
    "types": lambda: "gravity",
    "output": lambda: 0,
    "branch.output": lambda: 0,
    "end_effector.output": lambda: None,
    "link.output": lambda: "RightAngle",
    "rigid_body.output": lambda: None,
    "sub": lambda: armwright.ArmBuilder().joint("rz"),
    "group": group,
    "command": lambda: devices.GroupCommand(position=Q),
    "feedback": feedback,
    **dict.fromkeys(("trajectory", "move"), move),
    "recording": recording,
    "turn": turn,
    "plugins": lambda: [plugins.GravityCompensationEffort()],
    "effort": lambda: [0.1] * 6,
    "readings": lambda: [doctor.StillReading(Q, model().gravity_efforts(Q))],
    "ax": drawn,
    "physics": lambda: devices.simulation.IdealPhysics(model(), np.array(Q)),
    "simulate.physics": lambda: "ideal",
    "info": lambda: group().info(),
    "parts": lambda: {},
    "part": lambda: hrdf.load_catalog().find("actuator", "X5-1"),
    "Link.part": lambda: hrdf.load_catalog().find("link", "X5"),
    "Bracket.part": lambda: hrdf.load_catalog().find("bracket", "X5LightRight"),
    "EndEffector.part": lambda: hrdf.load_catalog().find("end-effector", "X5Parallel"),
    "element": lambda: model().elements[0],
    "parent": lambda: 0,
    "body.parent": lambda: "j",
    "frame.parent": lambda: "j",
    "version": lambda: "1.6.0",
    "resolve_inertia.inertia": lambda: (0.1, 0.1, 0.1, 0.0, 0.0, 0.0),
}
KEYWORDS = {
    "plot_model": (
        *("style", "view", "labels", "joint_axes", "triads", "shadow", "floor", "legend"),
        *("title", "ghosts", "target", "path", "size"),
    ),
    "ArmBuilder.actuator": ("inertia_xy", "nothing"),
    "ArmBuilder.bracket": ("mass", "com", "nothing"),
    "ArmBuilder.link": ("mass", "com_offset"),
    "ArmBuilder.end_effector": ("mass", "inertia"),
}
"""Keywords of those that take any."""

RECORDS = {
    # What calls return: plain records, whose fields nobody checks.
    *("FrameInfo", "JointInfo", "LimitViolation", "PayloadLimit", "StaticCapability", "Topology"),
    *("Group", "AllSolutions", "IKResult", "Recording", "GroupInfo", "Diagnosis", "Finding"),
    *("Violation", "Turn", "Placed", "Frame", "Problem", "RobotConfig", "Trajectory"),
    # Elements of descriptions: checked where a description becomes a model or a file.
    *("Actuator", "Bracket", "EndEffector", "Joint", "Link", "Output", "Overrides", "Pose"),
    *("RigidBody", "RobotDescription", "Catalog"),
    "Mixer",
}


@dataclass(frozen=True)
class Call:
    """One public callable.

    Attributes:
        name: Such as "kinematics.RobotModel.jacobian".
        function: Makes what is called, with everything that may change anew.
        parameters: What may be odd.
        needed: The arguments that have to be given.
    """

    name: str
    function: Callable[[], Callable[..., object]]
    parameters: tuple[inspect.Parameter, ...]

    def arguments(self, odd: str) -> tuple[list[Any], dict[str, Any]]:
        """Return sensible arguments, without the odd one."""
        row: list[Any] = []
        named: dict[str, Any] = {}
        names = {p.name for p in self.parameters}
        for p in self.parameters:
            if p.name == odd:
                if p.kind is p.POSITIONAL_ONLY:
                    row.append(None)
                continue
            helps = odd in ("index", "reference", "point", "representation") and (
                p.name == "frame_type" and p.default is None and "frame" in names
            )
            if p.kind is p.VAR_POSITIONAL or p.kind is p.VAR_KEYWORD:
                continue
            if p.default is p.empty or helps:
                named[p.name] = sensible(self.name, p.name)()
        return row, named

    def __call__(self, odd: str, value: Any) -> object:
        """Call it with one odd argument; a star before its name: one more of a row."""
        _, named = self.arguments(odd)
        function = self.function()
        starred = next((p.name for p in self.parameters if p.kind is p.VAR_POSITIONAL), None)
        if starred is None:
            return function(**named, **{odd: value})
        before = []
        for p in self.parameters:
            if p.kind is p.POSITIONAL_OR_KEYWORD:
                before.append(value if p.name == odd else named.pop(p.name))
        if odd == starred:
            return function(*before, value, **named)
        more = {} if odd in [p.name for p in self.parameters][: len(before)] else {odd: value}
        return function(*before, sensible(self.name, starred)(), **named, **more)


def sensible(owner: str, parameter: str) -> Callable[[], Any]:
    """Return what makes an argument that will do."""
    parts = owner.split(".")
    for start in range(len(parts)):
        key = ".".join([*parts[start:], parameter])
        if key in SENSIBLE:
            return SENSIBLE[key]
    return SENSIBLE[parameter]


def calls() -> list[Call]:
    """Return every public callable once."""
    seen: set[int] = set()
    found: list[Call] = []
    for door in DOORS:
        module = importlib.import_module(door)
        for name in module.__all__:
            value = getattr(module, name)
            if id(value) in seen or inspect.ismodule(value) or not callable(value):
                continue
            seen.add(id(value))
            short = f"{door.rpartition('armwright.')[2]}.{name}"
            if inspect.isclass(value):
                found += _of_class(short, value)
            elif inspect.isroutine(value):
                found.append(_call(short, lambda value=value: value))  # type: ignore[misc]
    return found


def _of_class(name: str, cls: type) -> Iterator[Call]:
    exempt = (Enum, BaseException)
    if issubclass(cls, exempt) or cls is Protocol or getattr(cls, "_is_protocol", False):
        return
    if name.rpartition(".")[2] not in RECORDS:
        yield _call(name, lambda: cls)
    for member in sorted(dir(cls)):
        fixed = inspect.getattr_static(cls, member)
        if member.startswith("_"):
            continue
        if isinstance(fixed, classmethod | staticmethod):
            yield _call(f"{name}.{member}", lambda member=member: getattr(cls, member))  # type: ignore[misc]
        elif inspect.isfunction(fixed):
            yield _call(
                f"{name}.{member}",
                lambda member=member: getattr(_owner(cls, member), member),  # type: ignore[misc]
                list(inspect.signature(fixed).parameters.values())[1:],
            )


def _owner(cls: type, member: str) -> Any:
    """Return who has the method; groups are asked of a robot that has some."""
    return two_armed() if member in ("arm", "chain") else INSTANCES[cls]()


def _call(
    name: str,
    function: Callable[[], Any],
    parameters: list[inspect.Parameter] | None = None,
) -> Call:
    if parameters is None:
        parameters = list(inspect.signature(function()).parameters.values())
    rows = [p for p in parameters if p.kind is not p.VAR_KEYWORD and not p.name.startswith("_")]
    more = next((words for tail, words in KEYWORDS.items() if name.endswith(tail)), ())
    rows += [inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY, default=None) for word in more]
    return Call(name, function, tuple(rows))
