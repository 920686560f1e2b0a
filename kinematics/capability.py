"""What an arm can hold: holding efforts at poses against what its actuators give for long.

An actuator gives its peak effort for a moment and its continuous effort for long. Who holds a
pose stays below the second. Holding efforts are those of gravity alone: friction, which helps a
standing arm, is left out. They grow in a straight line with the mass of a payload, so the largest
payload is exact. Where nobody says what a joint can hold for long, the report names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from armwright.copies import stays_read_only
from armwright.errors import ModelError
from armwright.reprs import one_line_repr

from .arrays import (
    FloatArray,
    JointValues,
    as_array,
    check_each,
    joint_vectors,
    read_only,
    row,
    short,
    some_by_name,
)
from .model import RobotModel
from .naming import end_effector_number

_NO_LEVER = 1e-9  # N m that a kilogram may cause at a joint that it does not load


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class StaticCapability:
    """Holding efforts at poses, against what the joints can give; arrays are read-only.

    Attributes:
        joint_names: Names of the joints.
        units: Unit of the efforts of each joint, "N m" or "N".
        q: The poses, shape (n, dof) [rad or m].
        efforts: Holding efforts, shape (n, dof).
        continuous_efforts: What each joint can hold for long, shape (dof,); nan: nobody says.
        max_efforts: Peak of each joint, shape (dof,); inf: without limit.
        margins: Continuous effort less the size of the holding effort, shape (n, dof); below 0
            it is exceeded; nan: nobody says.
        ratios: Size of the holding effort over the continuous effort, shape (n, dof); above 1 it
            is exceeded.
        peak_margins: As margins, of the peak; inf for a joint without limit.
        peak_ratios: As ratios, of the peak; 0 for a joint without limit.
        worst_poses: For each joint the number of the pose that asks most of it, shape (dof,).
    """

    joint_names: tuple[str, ...]
    units: tuple[str, ...]
    q: FloatArray
    efforts: FloatArray
    continuous_efforts: FloatArray
    max_efforts: FloatArray
    margins: FloatArray
    ratios: FloatArray
    peak_margins: FloatArray
    peak_ratios: FloatArray
    worst_poses: npt.NDArray[np.intp]

    @property
    def exceeding(self) -> tuple[str, ...]:
        """Names of the joints that some pose asks for more than they can hold for long.

        A joint beyond its peak is among them, whether its continuous effort is known or not.
        """
        return self._names(_somewhere(self.margins < 0) | _somewhere(self.peak_margins < 0))

    @property
    def exceeding_peak(self) -> tuple[str, ...]:
        """Names of the joints that cannot even reach some pose: beyond their peak."""
        return self._names(_somewhere(self.peak_margins < 0))

    @property
    def not_judged(self) -> tuple[str, ...]:
        """Names of the joints of which nobody says what they can hold for long.

        Those beyond their peak are judged all the same, and not among these.
        """
        unknown = np.isnan(self.continuous_efforts)
        return self._names(unknown & ~_somewhere(self.peak_margins < 0))

    @property
    def holds(self) -> bool:
        """Whether every joint is known to hold every pose for long."""
        return not self.exceeding and not self.not_judged

    def __str__(self) -> str:
        """Return one line for each joint at its worst pose, and the verdict."""
        wide = max((len(name) for name in self.joint_names), default=0)
        lines = []
        for j, (name, unit) in enumerate(zip(self.joint_names, self.units, strict=True)):
            k = int(self.worst_poses[j])
            line = f"{name:{wide}}  pose {k}: {_shown(self.efforts[k, j])} {unit}"
            limit, peak = float(self.continuous_efforts[j]), float(self.max_efforts[j])
            if np.isnan(limit):
                line += ", continuous effort not known"
            else:
                line += f" of {limit:g} ({self.ratios[k, j]:.0%}), margin "
                line += f"{_shown(self.margins[k, j])}"
            lines.append(line + (f"; peak {peak:g}" if np.isfinite(peak) else ""))
        if self.exceeding:
            lines.append(f"exceeding: {', '.join(self.exceeding)}")
        if self.not_judged:
            lines.append(f"cannot be judged: {', '.join(self.not_judged)}")
        return "\n".join(lines or ["no joints, nothing to hold"])

    def _names(self, chosen: npt.NDArray[np.bool_]) -> tuple[str, ...]:
        """Return the names of chosen joints."""
        return tuple(self.joint_names[j] for j in np.flatnonzero(chosen).tolist())

    __repr__ = one_line_repr


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False)
class PayloadLimit:
    """The largest payload that an arm holds for long at all poses; arrays are read-only.

    Attributes:
        mass: [kg]; inf when nothing limits it, nan when there is no mass that can be held, not
            even 0.
        least: Smallest mass that can be held [kg]: 0, but for arms that need the payload as a
            counterweight; nan with ``mass``.
        joint: Name of the joint that limits it, or that cannot hold the arm itself; "" for none.
        pose: Number of the pose at which it does; -1 for none.
        masses: The largest mass of each pose for itself, shape (n,) [kg]; inf and nan likewise.
        not_judged: Names of the joints of which nobody says what they hold for long. They limit
            the mass by their peak, where they have one, so it can be too large.
    """

    mass: float
    least: float
    joint: str
    pose: int
    masses: FloatArray
    not_judged: tuple[str, ...]

    __repr__ = one_line_repr


def static_capability(
    model: RobotModel,
    q: JointValues,
    *,
    payload: float | None = None,
    com: npt.ArrayLike = (0.0, 0.0, 0.0),
    frame: Literal["input", "output"] = "input",
    index: int | None = None,
    tag: str | None = None,
    gravity: npt.ArrayLike | None = None,
    continuous_efforts: JointValues | None = None,
) -> StaticCapability:
    """Compare holding efforts at poses with what the joints can give for long.

    Args:
        model: The arm.
        q: One pose, shape (dof,), or several, shape (n, dof) [rad or m].
        payload: Mass at an end effector [kg], in place of its payload; None: the model as it is.
        com: Center of mass of the payload, shape (3,) [m], as for ``with_payload``.
        frame: Where com is measured, as for ``with_payload``.
        index: Which end effector, from 0; not needed when there is only one.
        tag: The same by its tag.
        gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]; None is
            the model's.
        continuous_efforts: What each joint can hold for long, shape (dof,) [N m or N], nan where
            it is not known; None: ``model.continuous_efforts``, from the part catalog.

    Returns:
        The report.

    Raises:
        JointVectorError: If a pose has the wrong length or is not finite.
        ModelError: If there is no pose, or another argument is wrong.
        FrameNotFoundError: If there is not that end effector.

    Example:
        >>> from armwright import kinematics
        >>> report = kinematics.static_capability(model, np.zeros((1, 6)), payload=2.5)
        >>> report.exceeding, report.not_judged
        (('J2_shoulder', 'J3_elbow'), ())
        >>> print(str(report).splitlines()[1])
        J2_shoulder  pose 0: 22.77 N m of 16 (142%), margin -6.77; peak 44
    """
    poses = _poses(model, q)
    if payload is not None:
        model = model.with_payload(payload, com, frame=frame, index=index, tag=tag)
    elif index is not None or tag is not None or not np.array_equal(com, (0.0, 0.0, 0.0)):
        raise ModelError("com, index and tag say where a payload is: give payload= too")
    limits = _limits(model, continuous_efforts)
    efforts = model.gravity_efforts(poses, gravity)
    sizes = np.abs(efforts)
    return StaticCapability(
        joint_names=model.joint_names,
        units=tuple("N" if sliding else "N m" for sliding in model.joint_slides),
        q=read_only(poses),
        efforts=read_only(efforts),
        continuous_efforts=read_only(limits),
        max_efforts=model.max_efforts,
        margins=read_only(limits - sizes),
        ratios=read_only(_over(sizes, limits)),
        peak_margins=read_only(model.max_efforts - sizes),
        peak_ratios=read_only(_over(sizes, model.max_efforts)),
        worst_poses=_frozen(np.argmax(sizes, axis=0)),
    )


def largest_payload(
    model: RobotModel,
    q: JointValues,
    *,
    com: npt.ArrayLike = (0.0, 0.0, 0.0),
    frame: Literal["input", "output"] = "input",
    index: int | None = None,
    tag: str | None = None,
    gravity: npt.ArrayLike | None = None,
    continuous_efforts: JointValues | None = None,
) -> PayloadLimit:
    """Find the largest payload that every joint can hold for long at every pose.

    Exact: a holding effort is a straight line in the mass.

    Args:
        model: The arm; a payload that this end effector has is left out.
        q: One pose, shape (dof,), or several, shape (n, dof) [rad or m].
        com: As for ``static_capability``, and so are the others.
        frame: Where com is measured.
        index: Which end effector, from 0.
        tag: The same by its tag.
        gravity: Acceleration of free fall [m/s^2].
        continuous_efforts: What each joint can hold for long, shape (dof,), nan where not known.

    Returns:
        The mass, and the joint and the pose that limit it.

    Raises:
        JointVectorError: If a pose has the wrong length or is not finite.
        ModelError: If there is no pose, or another argument is wrong.
        FrameNotFoundError: If there is not that end effector.

    Example:
        >>> from armwright import kinematics
        >>> limit = kinematics.largest_payload(model, np.zeros(6))
        >>> round(limit.mass, 3), limit.joint
        (1.222, 'J2_shoulder')
    """
    poses = _poses(model, q)
    where = {"frame": frame, "index": index, "tag": tag}
    empty = model.with_payload(0.0, com, **where)  # type: ignore[arg-type]
    loaded = model.with_payload(1.0, com, **where)  # type: ignore[arg-type]
    known = _limits(model, continuous_efforts)
    limits = np.where(np.isnan(known), model.max_efforts, known)
    alone = empty.gravity_efforts(poses, gravity)
    # A kilogram weighs minus g at the payload frame, so it takes -J^T g to hold it.
    g = as_array(model.gravity if gravity is None else gravity, (3,), "gravity")
    end = end_effector_number(model, index, tag)
    per_kilogram = -np.einsum("nij,i->nj", loaded.jacobians("payload", poses)[:, end, :3], g)
    least, most = _ranges(alone, per_kilogram, limits)
    not_judged = tuple(model.joint_names[j] for j in np.flatnonzero(np.isnan(known)).tolist())
    low, high = least.max(axis=1, initial=0.0), most.min(axis=1, initial=np.inf)  # (n,)
    masses = read_only(np.where(low <= high, high, np.nan))
    if low.max() > high.min():  # no mass suits all joints at all poses
        excess = np.abs(alone) - limits
        pose, joint = np.unravel_index(int(np.argmax(excess)), excess.shape)
        name = model.joint_names[int(joint)]
        return PayloadLimit(np.nan, np.nan, name, int(pose), masses, not_judged)
    mass = float(high.min())
    if mass == np.inf:
        return PayloadLimit(mass, float(low.max()), "", -1, masses, not_judged)
    pose, joint = np.unravel_index(int(np.argmin(most)), most.shape)
    name = model.joint_names[int(joint)]
    return PayloadLimit(mass, float(low.max()), name, int(pose), masses, not_judged)


def _ranges(
    alone: FloatArray, per_kilogram: FloatArray, limits: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest mass of each pose and joint, shape (n, dof) each.

    |alone + mass * per_kilogram| <= limit holds between two masses. Where none does, the least
    is above the largest.
    """
    moved = np.abs(per_kilogram) > _NO_LEVER
    slope = np.where(moved, per_kilogram, 1.0)
    ends = np.stack([(-limits - alone) / slope, (limits - alone) / slope])
    held = np.abs(alone) <= limits
    least = np.where(moved, ends.min(axis=0), np.where(held, 0.0, np.inf))
    most = np.where(moved, ends.max(axis=0), np.where(held, np.inf, -np.inf))
    return np.maximum(least, 0.0), most


def _poses(model: RobotModel, q: JointValues) -> FloatArray:
    """Return one or more poses, shape (n, dof)."""
    if not isinstance(model, RobotModel):
        raise ModelError(f"model: expected a RobotModel, got {short(model)}")
    poses = joint_vectors(q, model.dof, joints=model.joint_names)
    if poses.ndim > 2 or (poses.ndim == 2 and not len(poses)):
        raise ModelError(
            f"q: expected one pose, shape ({model.dof},), or several, shape (n, {model.dof}), "
            f"got shape {poses.shape}"
        )
    return np.atleast_2d(poses)


def _limits(model: RobotModel, given: JointValues | None) -> FloatArray:
    """Return what each joint can hold for long, shape (dof,); nan where not known."""
    if given is None:
        return model.continuous_efforts
    if isinstance(given, Mapping):
        known = model.continuous_efforts
        limits = some_by_name(given, model.joint_names, known, "continuous_efforts", ModelError)
    else:
        limits = row(given, model.dof, "continuous_efforts")
    wanted = "0 or more, or nan where it is not known"
    check_each(limits, ~(limits < 0), "continuous_efforts", wanted, joints=model.joint_names)
    return limits


def _over(sizes: FloatArray, limits: FloatArray) -> FloatArray:
    """Return sizes over limits; 0 over 0 is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = sizes / limits
    return np.where((sizes == 0) & (limits == 0), 0.0, ratios)


def _somewhere(chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which joints are chosen at some pose, shape (dof,)."""
    joints: npt.NDArray[np.bool_] = np.any(chosen, axis=0)
    return joints


def _frozen(numbers: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return whole numbers that cannot be written to."""
    numbers.setflags(write=False)
    return numbers


def _shown(value: float) -> str:
    """Return a number with two decimals, never "-0.00"."""
    return f"{round(float(value), 2) + 0.0:.2f}"
