"""Does the arm fit its model? Measured and modelled efforts of an arm that stands still.

A still arm holds itself against gravity, so the effort of every joint is known beforehand, if
signs, zeros and masses are what the model says. ``examine`` reads a group, real or simulated,
where it stands, and ``diagnose`` says which joints do not fit, and what explains it:

- sign: a joint reports the effort with the wrong sign: measured is minus one times modelled;
- direction: it counts backwards, so that position and effort have the wrong sign;
- zero: the joint is not where it says, by an angle that puts all efforts right;
- payload: a mass at an end effector, which shows in all joints that carry it.

Sets of up to three such faults are fitted and compared; the smallest that explains every effort
within the tolerance is reported, and those that do so as well are named beside it. A set with as
many unknowns as there are efforts fits anything and is no finding, only a possibility. What gravity
does not load cannot be judged: a joint about the vertical holds nothing. More poses tell more.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from armwright.errors import CommandRejectedError, did_you_mean
from armwright.hrdf import Actuator

from .diagnosis import WELL_KNOWN, Diagnosis, Finding, Verdict
from .evidence import Evidence, Fault, FaultKind
from .explain import Fit, explanations
from .group import ActuatorGroup
from .messages import FloatArray
from .still import SAMPLES, StillReading, read_still, visit

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

__all__ = [
    "Diagnosis",
    "FaultKind",
    "Finding",
    "StillReading",
    "Verdict",
    "diagnose",
    "examine",
    "read_still",
    "tolerances_of",
    "visit",
]

RELATIVE = 0.05
"""Part of a modelled effort that masses and effort sensors may be off by."""

UNKNOWN_FRICTION = 0.5
"""Tolerance where nothing is known of a joint [N m or N]."""

MOST_ALTERNATIVES = 5
"""So many other explanations are named."""

_ABSURD = 1e50  # an effort that no module measures [N m or N]; squares beyond it overflow
_FINEST = 1e-12  # a tolerance below which rounding would be a fault [N m or N]
_AT_PEAK = 0.999  # of the peak: what is measured there may be more in truth
_ZEROS = np.geomspace(1e-3, np.pi / 2, 120)  # errors of a zero that are tried [rad]
_SLIDES = np.geomspace(1e-4, 0.5, 120)  # likewise [m]


def examine(
    group: ActuatorGroup,
    model: "RobotModel",
    *,
    poses: npt.ArrayLike | None = None,
    samples: int = SAMPLES,
    gravity: npt.ArrayLike | None = None,
    offset: npt.ArrayLike | None = None,
    ignore: Sequence[str | int] = (),
    tolerance: npt.ArrayLike | None = None,
) -> Diagnosis:
    """Read an arm that stands still, and say how it fits its model.

    Nothing moves, unless poses are given. The arm must hang free: nothing may touch it.

    Args:
        group: The modules, one per joint, in the order of q.
        model: The arm as its file says.
        poses: When given, the arm MOVES to these reported positions, shape (n, dof) [rad or m],
            slowly, and is read at each; see ``visit``. None: it is read where it stands.
        samples: Feedbacks per reading.
        gravity: As for ``diagnose``, and so are the others.
        offset: Efforts that something else asks of the joints.
        ignore: Joints whose efforts do not count.
        tolerance: What efforts may differ by.

    Returns:
        The diagnosis.

    Raises:
        CommandRejectedError: If group and model differ in size, or an argument is wrong.
        DeviceError: If the arm moves, or does not answer; see ``read_still``.
        TrajectoryError: If there is no way to a pose.

    Example:
        >>> from armwright import devices
        >>> q = [0, 0.6, 0.9, -0.5, 0.7, 0.3]
        >>> with devices.simulate(model.with_payload(0.8), q0=q) as group:
        ...     diagnosis = devices.doctor.examine(group, model, tolerance=0.02)
        >>> print(diagnosis)
        end effector probe: it carries 0.800 kg (within 0.006) more than the model
        cannot be judged at these poses: J1_base, J6_wrist3
    """
    if group.size != model.dof:
        raise CommandRejectedError(
            f"examine: expected one module per joint, got a group of {group.size} and a model "
            f"of {model.dof}"
        )
    if poses is None:
        readings = [read_still(group, samples=samples)]
    else:
        readings = list(visit(group, model, poses, samples=samples))
    return diagnose(
        model,
        readings,
        names=group.names,
        gravity=gravity,
        offset=offset,
        ignore=ignore,
        tolerance=tolerance,
    )


def diagnose(
    model: "RobotModel",
    readings: Sequence[StillReading],
    *,
    names: Sequence[str] | None = None,
    gravity: npt.ArrayLike | None = None,
    offset: npt.ArrayLike | None = None,
    ignore: Sequence[str | int] = (),
    tolerance: npt.ArrayLike | None = None,
) -> Diagnosis:
    """Say how the efforts of a still arm fit its model.

    Args:
        model: The arm as its file says.
        readings: What it reported, at one pose or, better, at several.
        names: Names of the modules in the order of q; the model's joint names when None.
        gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]; None is
            (0, 0, -9.81).
        offset: Efforts that something else asks of the joints, such as a gas spring that pushes
            with 7 N m: -7 there; one number or shape (dof,) [N m or N].
        ignore: Names or numbers of joints whose efforts do not count, such as those that a
            second module helps.
        tolerance: What measured and modelled efforts may differ by, one number or shape (dof,)
            [N m or N]. None: see ``tolerances_of``.

    Returns:
        The diagnosis.

    Raises:
        CommandRejectedError: If there is no reading, or an argument does not fit the model.
        ModelError: If gravity is not three finite numbers.
    """
    called = tuple(model.joint_names if names is None else names)
    readings = _readings(readings)
    _check(model, readings, called)
    Q = np.stack([reading.position for reading in readings])
    reported = np.stack([reading.effort for reading in readings])
    spread = np.stack([reading.spread for reading in readings])
    added = np.zeros(model.dof) if offset is None else _row(offset, model.dof, "offset")
    held = model.gravity_efforts(Q, gravity)
    tolerances = _tolerances(model, held, tolerance) + 3.0 * np.nan_to_num(spread)
    sizes = np.abs(reported)
    counts = sizes < _ABSURD
    counts[:, _numbers(ignore, called)] = False
    at_peak = counts & (sizes >= _AT_PEAK * model.max_efforts)
    used = counts & ~at_peak
    evidence = Evidence(
        model=model,
        Q=Q,
        measured=np.where(used | at_peak, reported - added, 0.0),
        tolerances=tolerances,
        used=used,
        peak_signs=np.where(at_peak, np.sign(reported), 0.0),
        gravity=np.array([0.0, 0.0, -9.81] if gravity is None else gravity, dtype=np.float64),
        scales=_scales(model),
        slides=_slides(model),
        ends=tuple(i for i, e in enumerate(model.elements) if e.kind == "end-effector"),
    )
    differences = np.where(used, reported - added - held, 0.0)
    shown: list[Fit] = []
    others: list[Fit] = []
    beyond = (np.abs(differences) > tolerances) | evidence.below_peaks(held)
    if beyond.any() and used.any():
        shown, others = explanations(evidence)
    leftover = shown[0].residuals * tolerances if shown else differences
    return Diagnosis(
        names=called,
        units=tuple("N" if slides else "N m" for slides in evidence.slides),
        q=_kept(Q),
        measured=_kept(reported),
        modelled=_kept(held + added),
        tolerances=_kept(tolerances),
        used=_kept(used),
        at_peak=_kept(at_peak),
        findings=_findings(evidence, shown[0], called) if shown else (),
        alternatives=tuple(
            _findings(evidence, fit, called) for fit in [*shown[1:], *others][:MOST_ALTERNATIVES]
        ),
        leftover=_kept(np.where(used, leftover, np.nan)),
        sign_judged=_kept(((2.0 * np.abs(held) > tolerances) & used).any(axis=0)),
        smallest_zeros=_kept(_smallest_zeros(evidence)),
        smallest_payload=_smallest_payload(evidence),
    )


def tolerances_of(model: "RobotModel", q: npt.ArrayLike) -> FloatArray:
    """Return what efforts of real modules may differ by from those of the model.

    The Coulomb friction of the part catalogue, which can hold a standing joint without effort;
    5 % of the continuous effort where that is not known, 0.5 where neither is. And 5 % of the
    modelled effort, for masses and effort sensors.

    Args:
        model: The arm.
        q: Joint positions, shape (..., dof) [rad or m].

    Returns:
        Shape (..., dof) [N m or N].
    """
    return _tolerances(model, model.gravity_efforts(q), None)


def _tolerances(model: "RobotModel", held: FloatArray, given: npt.ArrayLike | None) -> FloatArray:
    """Return the tolerances of modelled efforts, in the shape of these."""
    if given is not None:
        row = _row(given, model.dof, "tolerance")
        if not (row >= _FINEST).all():
            raise CommandRejectedError(
                f"tolerance: expected more than 0, got {row.tolist()}; at least {_FINEST:g}"
            )
        return np.broadcast_to(row, held.shape).copy()
    friction = np.full(model.dof, UNKNOWN_FRICTION)
    moving = [element for element in model.elements if element.kind in ("actuator", "joint")]
    for joint, element in enumerate(moving):
        if isinstance(element, Actuator):
            if element.part.friction is not None:
                friction[joint] = element.part.friction
            elif element.part.continuous_effort is not None:
                friction[joint] = RELATIVE * element.part.continuous_effort
    tolerances: FloatArray = friction + RELATIVE * np.abs(held)
    return tolerances


def _findings(evidence: Evidence, fit: Fit, names: tuple[str, ...]) -> tuple[Finding, ...]:
    """Put the numbers of a fit into words, in the order of the joints."""
    zeros = iter(zip(fit.zeros.tolist(), fit.zero_spread.tolist(), strict=True))
    payloads = iter(zip(fit.payloads, fit.payload_spread, strict=True))
    found = []
    for fault in fit.faults:
        if fault.kind == "payload":
            payload, spread = next(payloads)
            found.append(_payload(evidence, fault, payload, spread))
        elif fault.kind == "zero":
            value, about = next(zeros)
            unit = "m" if evidence.slides[fault.index] else "rad"
            name = names[fault.index]
            found.append(Finding("zero", name, fault.index, value, about, None, unit))
        else:
            found.append(Finding(fault.kind, names[fault.index], fault.index))
    return tuple(sorted(found, key=lambda one: (one.kind == "payload", one.index)))


def _payload(evidence: Evidence, fault: Fault, payload: FloatArray, spread: FloatArray) -> Finding:
    """Put a fitted payload into words."""
    mass = float(payload[0])
    known = spread[1:] <= WELL_KNOWN * abs(mass)
    x, y, z = np.where(known, payload[1:] / (mass or 1.0), np.nan).tolist()
    tag = evidence.model.elements[evidence.ends[fault.index]].tag
    number = f" {fault.index}" if len(evidence.ends) > 1 else ""
    name = f"end effector {tag}" if tag else f"end effector{number}"
    return Finding("payload", name, fault.index, mass, float(spread[0]), (x, y, z), "kg")


def _smallest_zeros(evidence: Evidence) -> FloatArray:
    """Return the smallest error of each zero that some effort would show, shape (dof,)."""
    alone = evidence.predicted((), np.zeros((1, 0)))
    smallest = np.full(evidence.Q.shape[1], np.inf)
    for joint in range(len(smallest)):
        sizes = _SLIDES if evidence.slides[joint] else _ZEROS / abs(evidence.scales[joint])
        shows = np.ones(len(sizes), dtype=bool)
        for way in (1.0, -1.0):
            moved = evidence.predicted((Fault("zero", joint),), way * sizes[:, None]) - alone
            shows &= np.abs(evidence.weigh(moved)).max(axis=1, initial=0.0) > 1.0
        if shows.any():
            smallest[joint] = sizes[int(np.argmax(shows))]
    return smallest


def _smallest_payload(evidence: Evidence) -> float:
    """Return the smallest mass at an end effector that some effort would show [kg]."""
    largest = 0.0
    for number in range(len(evidence.ends)):
        Y = evidence.regressors((Fault("payload", number),), np.zeros((1, 0)))
        largest = max(largest, float(np.abs(evidence.weigh(Y[..., 0])).max(initial=0.0)))
    return 1.0 / largest if largest > 1e-6 else np.inf


def _check(model: "RobotModel", readings: Sequence[StillReading], names: tuple[str, ...]) -> None:
    """Refuse what does not fit the model."""
    if not len(readings):
        raise CommandRejectedError("diagnose: expected at least one reading, got none")
    for number, reading in enumerate(readings):
        if len(reading.position) != model.dof:
            raise CommandRejectedError(
                f"diagnose, reading {number}: expected {model.dof} joints, "
                f"got {len(reading.position)}"
            )
    if len(names) != model.dof:
        raise CommandRejectedError(f"diagnose, names: expected {model.dof}, got {len(names)}")


def _row(values: npt.ArrayLike, dof: int, what: str) -> FloatArray:
    """Return one number per joint."""
    try:
        row = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        row = np.full(1 + dof, np.nan)
    if row.shape not in ((), (dof,)) or not (np.abs(row) < _ABSURD).all():
        raise CommandRejectedError(
            f"diagnose, {what}: expected one finite number or {dof}, got {values!r}"
        )
    return np.broadcast_to(row, (dof,)).copy()


def _readings(given: Any) -> list[StillReading]:
    """Return readings as a list; a single one is one."""
    if isinstance(given, StillReading):
        return [given]
    readings = list(given) if isinstance(given, Iterable) else [given]
    for reading in readings:
        if not isinstance(reading, StillReading):
            raise CommandRejectedError(f"diagnose: expected StillReadings, got {reading!r}")
    return readings


def _numbers(ignore: Any, names: tuple[str, ...]) -> list[int]:
    """Return the numbers of joints; a single name is one."""
    return [_number(joint, names) for joint in ([ignore] if isinstance(ignore, str) else ignore)]


def _number(joint: object, names: tuple[str, ...]) -> int:
    """Return the number of a joint."""
    if isinstance(joint, str) and joint in names:
        return names.index(joint)
    if isinstance(joint, int | np.integer) and not isinstance(joint, bool):
        number = int(joint)
        if 0 <= number < len(names):
            return number
    hint = did_you_mean(str(joint), names)
    raise CommandRejectedError(f"diagnose, ignore: there is no joint {joint!r}.{hint}")


def _scales(model: "RobotModel") -> FloatArray:
    """Return the motion of each joint per unit of q, shape (dof,)."""
    moving = [element for element in model.elements if element.kind in ("actuator", "joint")]
    return np.array([1.0 / getattr(element, "gear_ratio", 1.0) for element in moving])


def _slides(model: "RobotModel") -> npt.NDArray[np.bool_]:
    """Return which joints slide, shape (dof,)."""
    moving = [element for element in model.elements if element.kind in ("actuator", "joint")]
    return np.array(["t" in getattr(element, "axis", "") for element in moving], dtype=bool)


def _kept(array: Any) -> Any:
    """Return an array that cannot be written to."""
    array.setflags(write=False)
    return array
