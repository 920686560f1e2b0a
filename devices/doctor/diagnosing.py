"""Say how the efforts of a still arm fit its model: from readings to findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from armwright.devices.kinds import check_model, listed
from armwright.errors import CommandRejectedError
from armwright.kinematics.arrays import FloatArray, as_array, frozen
from armwright.reprs import short

from .arguments import ABSURD, as_readings, check_sizes, joint_numbers, one_per_joint
from .diagnosis import WELL_KNOWN, Diagnosis, Finding
from .evidence import Evidence, Fault
from .explain import Fit, explanations
from .still import StillReading
from .tolerances import around as tolerances_around

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

MOST_ALTERNATIVES = 5
"""So many other explanations are named."""

_AT_PEAK = 0.999  # of the peak: what is measured there may be more in truth
_ZEROS = np.geomspace(1e-3, np.pi / 2, 120)  # errors of a zero that are tried [rad]
_SLIDES = np.geomspace(1e-4, 0.5, 120)  # likewise [m]


def diagnose(
    model: RobotModel,
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
            the model's.
        offset: Efforts that something else asks of the joints, such as a gas spring that pushes
            with 7 N m: -7 there; one number or shape (dof,) [N m or N].
        ignore: Names or numbers of joints whose efforts do not count, such as those that a
            second module helps.
        tolerance: What measured and modeled efforts may differ by, one number or shape (dof,)
            [N m or N]. None: see ``tolerances_of``.

    Returns:
        The diagnosis.

    Raises:
        CommandRejectedError: If there is no reading, or an argument does not fit the model.
        ModelError: If gravity is not three finite numbers.
    """
    check_model(model, "diagnose")
    wanted = "names of modules"
    called = model.joint_names
    if names is not None:
        called = tuple(listed(names, "diagnose, names", wanted))
        if not all(isinstance(name, str) for name in called):
            raise CommandRejectedError(f"diagnose, names: expected texts, got {short(names)}")
    readings = as_readings(readings)
    check_sizes(model, readings, called)
    Q = np.stack([reading.position for reading in readings])
    reported = np.stack([reading.effort for reading in readings])
    spread = np.stack([reading.spread for reading in readings])
    added = np.zeros(model.dof) if offset is None else one_per_joint(offset, model.dof, "offset")
    held = model.gravity_efforts(Q, gravity)
    tolerances = tolerances_around(model, held, tolerance) + 3.0 * np.nan_to_num(spread)
    sizes = np.abs(reported)
    counts = sizes < ABSURD
    counts[:, joint_numbers(ignore, called)] = False
    at_peak = counts & (sizes >= _AT_PEAK * model.max_efforts)
    used = counts & ~at_peak
    evidence = Evidence(
        model=model,
        Q=Q,
        measured=np.where(used | at_peak, reported - added, 0.0),
        tolerances=tolerances,
        used=used,
        peak_signs=np.where(at_peak, np.sign(reported), 0.0),
        gravity=as_array(model.gravity if gravity is None else gravity, (3,), "gravity"),
        scales=1.0 / model.gear_ratios,
        slides=model.joint_slides,
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
        units=tuple("N" if one else "N m" for one in evidence.slides),
        q=frozen(Q),
        measured=frozen(reported),
        modeled=frozen(held + added),
        tolerances=frozen(tolerances),
        used=frozen(used),
        at_peak=frozen(at_peak),
        findings=_findings(evidence, shown[0], called) if shown else (),
        alternatives=tuple(
            _findings(evidence, fit, called) for fit in [*shown[1:], *others][:MOST_ALTERNATIVES]
        ),
        leftover=frozen(np.where(used, leftover, np.nan)),
        sign_judged=frozen(np.any((2.0 * np.abs(held) > tolerances) & used, axis=0)),
        smallest_zeros=frozen(_smallest_zeros(evidence)),
        smallest_payload=_smallest_payload(evidence),
    )


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
    alone = evidence.predict((), np.zeros((1, 0)))
    smallest = np.full(evidence.Q.shape[1], np.inf)
    for joint in range(len(smallest)):
        sizes = _SLIDES if evidence.slides[joint] else _ZEROS / abs(evidence.scales[joint])
        shows = np.ones(len(sizes), dtype=bool)
        for way in (1.0, -1.0):
            moved = evidence.predict((Fault("zero", joint),), way * sizes[:, None]) - alone
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
