"""A function of the joint positions to drive to zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from armwright.copies import stays_read_only
from armwright.errors import ObjectiveError
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import (
    POSITIVE,
    FloatArray,
    frozen,
    number,
    short,
    true_or_false,
    whole_number,
)
from armwright.reprs import one_line_repr

from .base import PrimaryObjective, check_returned, check_weight, differences

CustomFunction = Callable[[FloatArray], npt.ArrayLike]


@stays_read_only
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CustomObjective(PrimaryObjective):
    """A function of the joint positions to drive to zero; made by ``custom``.

    Attributes:
        n_errors: How many numbers the function returns.
        function: Takes q, shape (dof,), returns the errors, shape (n_errors,).
        weight: Factor on the errors.
        jacobian: Takes q, returns the derivatives, shape (n_errors, dof); None: by differences.
        tolerance: In the function's own units.
        check_jacobian: Whether the derivatives are compared with differences at every call.
    """

    name: ClassVar[str] = "custom"

    n_errors: int
    function: CustomFunction
    jacobian: CustomFunction | None
    tolerance: float
    check_jacobian: bool = False

    def count_errors(self) -> int:
        """Return how many numbers the function returns."""
        return self.n_errors

    def is_met(self, residual: FloatArray, factor: float) -> bool:
        """Whether the largest error is within ``factor`` times the tolerance."""
        return float(np.abs(residual).max()) <= factor * self.tolerance

    def residual(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return the errors as the function gives them, shape (n_errors,)."""
        return _call(self.function, "objective", q, (self.n_errors,))

    def to_go(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return the errors negated: target, which is zero, minus actual."""
        return -self.residual(model, q, limits)

    def slope(self, model: RobotModel, q: FloatArray, limits: FloatArray) -> FloatArray:
        """Return d errors / d q, shape (n_errors, dof): the user's, or central differences.

        Raises:
            ObjectiveError: If the user's is to be checked, and is not what the differences are.
        """
        if self.jacobian is None:
            return differences(self, model, q, limits)
        J = _call(self.jacobian, "jacobian", q, (self.n_errors, q.size))
        if self.check_jacobian:
            _compare(J, differences(self, model, q, limits), q, limits)
        return J

    __repr__ = one_line_repr


def custom(
    n_errors: int,
    function: CustomFunction,
    *,
    weight: float = 1.0,
    jacobian: CustomFunction | None = None,
    tolerance: float = 1e-6,
    check_jacobian: bool = False,
) -> CustomObjective:
    """Drive a function of the joint positions to zero.

    Solved with SciPy, in milliseconds instead of microseconds. Exceptions of the function come
    out of ``solve`` unchanged.

    Args:
        n_errors: How many numbers the function returns, at least 1.
        function: Takes q, a read-only copy of shape (dof,); returns the errors, (n_errors,).
        weight: Positive factor on the errors.
        jacobian: Takes q, returns d errors / d q, shape (n_errors, dof). None: by differences.
        tolerance: The search stops when the largest |error| is below it; met within 10 times it.
        check_jacobian: For debugging: compare every Jacobian with central differences, and make
            the solve raise an ObjectiveError that names the entry that is off the most, if one is
            by more than 1e-5 and 1e-4 of the largest in its row. Costs 2 dof calls each time.

    Returns:
        The objective; n_errors rows.

    Raises:
        ObjectiveError: If an argument is not usable.

    Example:
        >>> custom(1, lambda q: [q[0] + q[1]]).tolerance
        1e-06
    """
    count = whole_number(n_errors, "custom, n_errors", 1, ObjectiveError)
    for name, value in (("function", function), ("jacobian", jacobian)):
        if not callable(value) and not (name == "jacobian" and value is None):
            raise ObjectiveError(f"custom, {name}: expected a function of q, got {short(value)}")
    check_jacobian = true_or_false(check_jacobian, "custom, check_jacobian", ObjectiveError)
    if check_jacobian and jacobian is None:
        raise ObjectiveError("custom: check_jacobian=True needs a jacobian to check")
    limit = number(tolerance, "custom, tolerance", low=POSITIVE, error=ObjectiveError)
    return CustomObjective(
        n_errors=count,
        function=function,
        weight=check_weight("custom", weight),
        jacobian=jacobian,
        tolerance=limit,
        check_jacobian=check_jacobian,
    )


def _compare(J: FloatArray, expected: FloatArray, q: FloatArray, limits: FloatArray) -> None:
    """Compare a Jacobian of the user's with differences; both (n_errors, dof)."""
    largest = np.maximum(np.abs(J), np.abs(expected)).max(axis=1, initial=0.0)
    excess = np.abs(J - expected) - (1e-4 * largest + 1e-5)[:, None]
    excess[:, limits[1] <= limits[0]] = -1.0  # a joint without room has no differences
    if excess.size and excess.max() > 0.0:
        i, j = (int(k) for k in np.unravel_index(excess.argmax(), excess.shape))
        raise ObjectiveError(
            f"custom: jacobian[{i}, {j}] is {J[i, j]:.6g}, but the function's differences give "
            f"{expected[i, j]:.6g} at q = {q.tolist()}; is it d error[{i}] / d q[{j}]?"
        )


def _call(function: CustomFunction, what: str, q: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Call a user's function; its exceptions pass unchanged."""
    given = function(frozen(q.copy()))
    return check_returned(given, f"custom, {what}", shape, f" at q = {q.tolist()}")
