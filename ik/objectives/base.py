"""What every objective is, and what the solver asks it; each has a file of its own beside this.

A small frozen value, checked when it is made, as far as that is possible without a model; frames
are looked up when it meets one. All targets are in world axes and metres.

There are three sorts: limits (``joint_limits``), primary objectives, which a search drives to zero,
and secondary ones (``secondary.py``), which use what freedom is left. A new primary objective
derives from ``PrimaryObjective``, or from ``FrameObjective`` when it speaks of a frame, says its
residual, and is solved by least squares; one whose row the kernels know is a ``TargetObjective``
(``target.py``) and takes microseconds.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from armwright.errors import ObjectiveError
from armwright.kinematics import Frame, RobotModel
from armwright.kinematics.arrays import (
    POSITIVE,
    FloatArray,
    JointValues,
    frozen,
    got,
    number,
    numeric,
    short,
    values_by_name,
)
from armwright.kinematics.naming import FrameKey, find_frame

DEFAULT_FRAME_TYPE = "endeffector"
LARGEST = 1e30  # of targets and errors: squares and joint values stay far from overflow


def check_weight(maker: str, weight: object) -> float:
    """Return a weight as a positive float.

    Raises:
        ObjectiveError: If it is none; to switch an objective off is to leave it out.
    """
    expected = "a positive number (leave the objective out to switch it off)"
    return number(weight, f"{maker}, weight", expected, low=POSITIVE, error=ObjectiveError)


def split_names(values: JointValues, name: str) -> tuple[tuple[str, ...], npt.ArrayLike]:
    """Return names and numbers of a mapping; () and the values themselves when it is none.

    Raises:
        ObjectiveError: If a key is no name, or a value no number.
    """
    if not isinstance(values, Mapping):
        return (), values
    joints = tuple(values)
    for joint in joints:
        if not isinstance(joint, str):
            raise ObjectiveError(f"{name}: expected names of joints as keys, got {short(joint)}")
    numbers = values_by_name(values, joints, name, ObjectiveError)
    assert numbers is not None
    return joints, numbers


class Objective:
    """What can be asked for.

    Attributes:
        name: What its maker is called.
        position_rows: Which rows of the residual are a distance [m], judged by the solver's
            tolerance of position and part of ``position_error``; None: none.
        orientation_rows: The same for an angle [rad].
    """

    __slots__ = ()

    name: ClassVar[str]
    position_rows: ClassVar[slice | None] = None
    orientation_rows: ClassVar[slice | None] = None

    @property
    def key(self) -> Hashable:
        """What a solver must look up and lay out anew when it differs.

        Objectives that differ in their targets alone have the same key.
        """
        return self

    @property
    def key_but_limits(self) -> Hashable:
        """The same, but one for all limits."""
        return self.key

    def narrow(self, model: RobotModel, limits: FloatArray) -> None:
        """Narrow joint limits, shape (2, dof), in place; most objectives do not."""

    def residual(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return what a result shows: what is still to go, unweighted, target minus actual.

        Args:
            model: The robot.
            q: Joint positions, shape (dof,).
            limits: The joint limits of the whole problem, shape (2, dof).
        """
        raise NotImplementedError


# The classes between have no slots, so that each objective has all of its own in one place: with
# some at every level it would take a tenth longer to make.
@dataclass(frozen=True, eq=False, kw_only=True)
class PrimaryObjective(Objective):
    """What a search drives to zero.

    Attributes:
        weight: Factor on the errors.
        advice: What to change when there are fewer joints than errors; "" for the usual words.
    """

    __slots__ = ()

    advice: ClassVar[str] = ""

    weight: float

    def count_errors(self) -> int:
        """Return how many independent numbers are to become zero."""
        raise NotImplementedError

    def is_met(self, residual: FloatArray, factor: float) -> bool:
        """Whether a residual is within ``factor`` times the objective's own tolerance.

        True where the solver's tolerances judge: all rows are distances or angles.
        """
        if self.position_rows is None and self.orientation_rows is None:
            raise NotImplementedError
        return True

    def to_go(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return the errors of a search, unweighted, target minus actual; see ``residual``."""
        return self.residual(model, q, limits)

    def slope(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return how fast a step d lowers the errors, shape (rows, dof): ``to_go`` falls by it d.

        By central differences, unless an objective knows better.
        """
        return differences(self, model, q, limits)


@dataclass(frozen=True, eq=False, kw_only=True)
class FrameObjective(PrimaryObjective):
    """What is asked of one frame of the robot.

    Attributes:
        weight: Factor on the error.
        frame_type: Kind of frame.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
        frame: The frame by itself, in one of the ways of ``model.frame``, or None.
    """

    __slots__ = ()

    frame_type: str
    index: int | None
    tag: str | None
    frame: FrameKey | None = None

    def find_frame(self, model: RobotModel) -> Frame:
        """Look up the frame.

        Raises:
            FrameNotFoundError: If the model has no such frame, or there are two ways to name it.
        """
        return named_frame(model, self.frame_type, self.index, self.tag, self.frame)

    def wanted_point(self) -> FloatArray | None:
        """Return where the frame's origin is to be, shape (3,) [m]; None if that is left open."""
        return None

    def error_of(self, T_world_frame: FloatArray) -> FloatArray:
        """Return what is still to go from where the frame is, unweighted, target minus actual."""
        raise NotImplementedError

    def slope_of(self, T_world_frame: FloatArray, J_world_frame: FloatArray) -> FloatArray | None:
        """Return how fast a step lowers ``error_of``, from the Jacobian (6, dof), world axes.

        None: by differences.
        """
        return None

    def residual(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return ``error_of`` the frame, by the model's own forward kinematics.

        Raises:
            ObjectiveError: If ``error_of`` returns no vector of finite numbers, fewer than
                ``count_errors``, or none in the rows that are judged.
        """
        frame_type, index = self.find_frame(model)
        T_world_frame = frozen(model.forward_kinematics(frame_type, q)[index])
        errors = check_returned(self.error_of(T_world_frame), f"{self.name}, error_of", None)
        count = self.count_errors()
        if len(errors) < count:
            raise ObjectiveError(
                f"{self.name}, error_of: expected it to return {count} errors or more, as "
                f"count_errors says, got {len(errors)}"
            )
        for what in ("position_rows", "orientation_rows"):
            rows = getattr(self, what)
            if rows is not None and not (isinstance(rows, slice) and errors[rows].size):
                raise ObjectiveError(
                    f"{self.name}, {what}: expected a slice of the {len(errors)} errors, got "
                    f"{short(rows)}"
                )
        return errors

    def slope(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return ``slope_of`` the frame."""
        frame_type, index = self.find_frame(model)
        T_world_frame = frozen(model.forward_kinematics(frame_type, q)[index])
        rows = self.slope_of(T_world_frame, frozen(model.jacobian(q, None, frame_type, index)))
        if rows is None:
            return differences(self, model, q, limits)
        n_errors = len(self.error_of(T_world_frame))
        return check_returned(rows, f"{self.name}, slope_of", (n_errors, model.dof))


def check_returned(
    given: object, what: str, shape: tuple[int, ...] | None, where: str = ""
) -> FloatArray:
    """Check what a user's function or method returned; return it as a fresh array.

    Args:
        given: What it returned.
        what: Which one it is, for messages.
        shape: What is expected; None: a vector of any length but 0.
        where: What to add to a message about one number, such as " at q = [0.1, 0.5]".

    Raises:
        ObjectiveError: If it is something else than finite numbers of that shape.
    """
    value = numeric(given)
    if value is None:
        raise ObjectiveError(f"{what}: expected it to return numbers, got {got(given)}")
    if shape is None:
        if value.ndim != 1 or value.size == 0:
            raise ObjectiveError(
                f"{what}: expected it to return a vector of errors, got shape {value.shape}"
            )
    elif value.ndim == 0 and shape == (1,):
        value = value.reshape(1)
    elif value.shape != shape:
        if value.ndim == len(shape) == 1:
            raise ObjectiveError(f"{what}: expected {shape[0]}, got {value.size} errors returned")
        raise ObjectiveError(f"{what}: expected it to return shape {shape}, got {value.shape}")
    if not (np.abs(value) <= LARGEST).all():
        first = value[~(np.abs(value) <= LARGEST)][0]
        raise ObjectiveError(
            f"{what}: expected it to return finite numbers of at most {LARGEST:g}, "
            f"got {first:g}{where}"
        )
    return value


def named_frame(
    model: RobotModel, frame_type: object, index: object, tag: object, frame: object
) -> Frame:
    """Look up a frame by the four arguments that makers take.

    The default of ``frame_type`` counts as not given beside ``frame``: who passes just that text
    cannot be told from who passes nothing.

    Raises:
        FrameNotFoundError: If there is no such frame, or ``frame`` came with one of the others.
    """
    if frame is not None and frame_type == DEFAULT_FRAME_TYPE:
        frame_type = None
    return find_frame(model, frame_type, index, tag, frame)


def differences(
    objective: PrimaryObjective, model: RobotModel, q: FloatArray, limits: FloatArray
) -> FloatArray:
    """Return central differences of what is to go, negated, shape (rows, dof).

    They stay inside the limits, (2, dof): a function of the user's need not work beyond them.
    """
    J: FloatArray | None = None
    for j in range(q.size):
        step = 6e-6 * max(1.0, abs(q[j]))  # the cube root of machine precision
        ahead, behind = q.copy(), q.copy()
        ahead[j] = min(q[j] + step, limits[1, j])
        behind[j] = max(q[j] - step, limits[0, j])
        if ahead[j] > behind[j]:  # else the joint has no room
            left = objective.to_go(model, ahead, limits)
            fall = objective.to_go(model, behind, limits) - left
            if J is None:
                J = np.zeros((len(fall), q.size))
            J[:, j] = fall / (ahead[j] - behind[j])
    return np.zeros((objective.count_errors(), q.size)) if J is None else J
