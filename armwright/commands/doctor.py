"""``armwright doctor``: whether an arm that stands still fits its model, joint by joint."""

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from armwright.commands.shared import (
    FloatArray,
    InputError,
    Report,
    com_of,
    complain,
    end_effector_number,
    faults_of,
    gravity_of,
    heavier,
    home_of,
    joints,
    load_arm,
    options,
    poses_of,
    refuse_degrees,
    report_of,
    typed_value,
    with_payload,
)
from armwright.errors import ConfigError

if TYPE_CHECKING:
    from armwright.devices import RobotConfig
    from armwright.kinematics import RobotModel

SIMULATED_TOLERANCE = 0.02  # N m or N: simulated modules have no friction and no noise

Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="CFG",
        help="Robot configuration: which modules. Not needed where ARM is one.",
    ),
]
Around = Annotated[
    str | None,
    typer.Option(
        "--around",
        metavar="ANGLE",
        help="Also MOVE the simulated arm this far to both sides of each pose, one joint after "
        "the other, and read it there: 20deg.",
    ),
]
Tolerance = Annotated[
    float | None,
    typer.Option(
        "--tolerance",
        metavar="EFFORT",
        help="What measured and modeled efforts may differ by [N m or N]. When not given: 0.02 "
        "for a simulated arm, for a real one friction and 5 % of the effort.",
    ),
]
FaultList = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar="FAULT",
        help="Give the simulated arm a fault: sign=JOINT, direction=JOINT, zero=JOINT:10deg or "
        "payload=KG. Again for every further one.",
    ),
]
Actual = Annotated[
    Path | None,
    typer.Option(
        "--actual",
        metavar="FILE",
        help="HRDF of what the simulated arm really is; ARM when not given.",
    ),
]
Hebi = Annotated[
    bool,
    typer.Option(
        "--hebi", help="Read the real modules of CFG through hebi-py, where they stand. No moves."
    ),
]


def doctor(
    arm: options.Arm,
    *,
    config: Config = None,
    q: options.Qs = None,
    poses: options.Poses = None,
    around: Around = None,
    gravity: options.Gravity = None,
    payload: options.Payload = None,
    com: options.Com = None,
    tag: options.Tag = None,
    index: options.Index = None,
    tolerance: Tolerance = None,
    fault: FaultList = None,
    actual: Actual = None,
    hebi: Hebi = False,
) -> Report:
    """Say whether an arm that stands still fits its model.

    Compares measured and modeled efforts, names the joints whose sign, zero or payload does not
    fit, as far as the poses tell, and says what cannot be judged. The modules are simulated, at
    the poses of --q and --poses, else at the home_position of the configuration, else at zero;
    with --hebi they are real, and nothing is moved: stand the arm where gravity loads it,
    touching nothing. The exit code is 1 when something does not fit.

    Example:
      armwright doctor examples/arms/six_dof.cfg.yaml
    """
    from armwright import devices

    acceleration = gravity_of(gravity)
    if tolerance is not None and not 0 < tolerance < math.inf:
        raise InputError(f"--tolerance: expected more than 0 N m, got {tolerance:g}")
    settings = devices.load_config(_config(arm, config))
    model = with_payload(load_arm(arm), payload, com, tag, index)
    _check_config(settings, model, arm)
    settings = _in_order(settings, model)
    options: dict[str, Any] = {
        "gravity": acceleration,
        "offset": _offset(settings, model),
        "ignore": _doubled_joints(settings),
        "tolerance": tolerance,
    }
    if hebi:
        _refuse_for_real(q=q, poses=poses, around=around, fault=fault, actual=actual)
        with devices.connect(settings.families, settings.names) as group:
            _set_up(group, settings)
            diagnosis = devices.doctor.examine(group, model, **options)
    else:
        if tolerance is None:
            options["tolerance"] = SIMULATED_TOLERANCE
        Q = _places(settings, q, poses, around, model)
        really = model if actual is None else _actual(actual, model, payload, com, tag, index)
        faults = faults_of(fault or (), model, settings.names)
        if faults.payload:
            really = heavier(really, end_effector_number(really, tag, index), faults.payload)
        with devices.simulate(really, names=settings.names) as nowhere:
            start = faults.put_on(nowhere).truth(Q[0])
        simulated = devices.simulate(really, names=settings.names, q0=start)
        with faults.put_on(simulated) as group:
            _set_up(group, settings)
            diagnosis = devices.doctor.examine(group, model, poses=Q, **options)
    return report_of(diagnosis, model, settings, simulated=not hebi)


def _config(arm: Path, typed: Path | None) -> Path:
    """Return the configuration: that of --config, else ARM when it is one."""
    if typed is not None:
        return typed
    from armwright.hrdf.files import CONFIG, UnreadableError, look_at

    try:
        found = look_at(arm)
    except UnreadableError:
        found = CONFIG  # whose reader says what is wrong
    if found is not CONFIG:
        raise InputError(
            "--config is missing: it says which modules the arm has, such as "
            "--config arm.cfg.yaml; a configuration can also stand in the place of ARM"
        )
    return arm


def _in_order(settings: "RobotConfig", model: "RobotModel") -> "RobotConfig":
    """Return a configuration of as many modules, in the order of the joints that they are."""
    from armwright.hrdf.findings import Findings
    from armwright.hrdf.robot_config import match_modules

    findings = Findings()
    modules = match_modules(settings, model.description, findings)
    if modules is None or findings.error_count:
        raise ConfigError(findings.problems)
    complain([str(problem) for problem in findings.warnings], level="warning")
    order = [number for number in modules.of_joints if number is not None]

    def sorted_row(values: object) -> object:
        there = isinstance(values, list) and len(values) == len(order)
        return [values[i] for i in order] if there else values  # type: ignore[index]

    plugins = []
    for plugin in settings.plugins:
        own = dict(plugin.settings)
        if "offset" in own:
            own["offset"] = sorted_row(own["offset"])
        if plugin.type.startswith("DoubledJoint"):
            own["index"] = order.index(int(str(own["index"])))
        plugins.append(replace(plugin, settings=own))
    data = dict(settings.user_data)
    if "home_position" in data:
        data["home_position"] = sorted_row(data["home_position"])
    return replace(
        settings,
        families=tuple(settings.families[i] for i in order),
        names=tuple(settings.names[i] for i in order),
        plugins=tuple(plugins),
        user_data=data,
    )


def _check_config(settings: "RobotConfig", model: "RobotModel", arm: Path) -> None:
    """Refuse a configuration of another arm, and say what is doubtful about it."""
    complain([str(problem) for problem in settings.warnings], level="warning")
    if len(settings.names) != model.dof:
        raise InputError(
            f"{settings.file}, names: expected {model.dof} modules, one for each joint of {arm} "
            f"({', '.join(model.joint_names) or 'none'}), got {len(settings.names)} "
            f"({', '.join(settings.names)})"
        )
    if settings.hrdf is not None and arm.resolve() not in (
        settings.hrdf.resolve(),
        settings.file.resolve(),
    ):
        complain([f"{settings.file} is for {settings.hrdf}; compared with {arm}"], level="note")
    for plugin in settings.active("GravityCompensationEffort"):
        if "imu_feedback_index" in plugin.settings:
            complain(
                [
                    f"{settings.file}: the arm takes gravity from a module's sensor; here it is "
                    "what --gravity says"
                ],
                level="note",
            )


def _offset(settings: "RobotConfig", model: "RobotModel") -> FloatArray:
    """Return the efforts that plug-ins of the configuration add, shape (dof,)."""
    total = np.zeros(model.dof)
    for plugin in settings.active("EffortOffset"):
        total += np.array(plugin.settings.get("offset", 0.0), dtype=np.float64)
    return total


def _doubled_joints(settings: "RobotConfig") -> list[str]:
    """Return the names of the joints that a second module helps."""
    plugins = settings.active("DoubledJoint", "DoubledJointMirror")
    return [settings.names[int(str(plugin.settings["index"]))] for plugin in plugins]


def _refuse_for_real(**given: object) -> None:
    """Refuse what would move, or fake, real modules."""
    for name, value in given.items():
        if value is not None:
            raise InputError(
                f"--{name} is for simulated arms; with --hebi nothing is moved. Put the arm where "
                "you want it, and run this again there"
            )


def _set_up(group: Any, settings: "RobotConfig") -> None:
    """Give a group the settings of the configuration."""
    if settings.feedback_frequency:
        group.feedback_frequency = settings.feedback_frequency
    if settings.command_lifetime is not None:
        group.command_lifetime = settings.command_lifetime


def _places(
    settings: "RobotConfig",
    q: list[str] | None,
    poses: Path | None,
    around: str | None,
    model: "RobotModel",
) -> FloatArray:
    """Return the poses at which the simulated arm is read, shape (n, dof)."""
    given = bool(q) or poses is not None
    Q = poses_of(q, poses, model) if given else home_of(settings, model)[None]
    if around is None:
        return Q
    typed = typed_value(around, "--around")
    refuse_degrees(typed, "--around")
    size = typed.value
    if not 0 < size <= math.pi / 2:
        raise InputError(f"--around: expected an angle above 0, up to 90deg, got {around}")
    steps = [
        way * size * np.eye(model.dof)[j]
        for j, joint in enumerate(joints(model))
        if not joint.slides
        for way in (1.0, -1.0)
    ]
    return np.array([place for pose in Q for place in (pose, *(pose + step for step in steps))])


def _actual(
    file: Path,
    model: "RobotModel",
    payload: float | None,
    com: Any,
    tag: str | None,
    index: int | None,
) -> "RobotModel":
    """Return what the simulated arm really is."""
    really = load_arm(file)
    if really.dof != model.dof:
        raise InputError(
            f"--actual {file}: expected an arm of {model.dof} joints like the other, "
            f"got {really.dof}"
        )
    if payload is None:
        return really
    return really.with_payload(payload, com_of(com), index=end_effector_number(really, tag, index))
