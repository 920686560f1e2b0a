"""Every way to reach a pose: all solutions of an arm of at most six joints.

Two methods. Arms whose axes 2, 3, 4 are parallel while axes 5 and 6 meet, and arms with a
spherical wrist, also when it is the arm seen from its tool that is built so, have a closed form. It
is used on the chain with its nearly parallel axes made parallel, then every solution is brought
onto the true chain and verified there. All other arms, and targets for which the closed form is
uncertain, are searched from independent starts until the rarest solution was found twelve times.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from armwright.errors import ObjectiveError
from armwright.ik._kernels import all_layout as layout
from armwright.ik.objectives import named_frame, pose
from armwright.ik.program import check_model
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray, JointValues, frozen, words
from armwright.kinematics.engine import lazy
from armwright.kinematics.naming import FrameKey
from armwright.reprs import cut_to_line

from .chain import Arm, compile_arm

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.ik._kernels import all_search as _all_search_kernels  # noqa: F401
    from armwright.ik._kernels import closed as _closed_kernels  # noqa: F401

_solve_closed = lazy(__name__, "_solve_closed", "armwright.ik._kernels.closed")
_search_all = lazy(__name__, "_search_all", "armwright.ik._kernels.all_search")

CLOSED = "closed form"
NUMERIC = "numeric"
BOTH = "closed form and numeric"

MOST_STARTS = 2000
CHECK_STARTS = 1000  # where a closed form is uncertain
GIVE_UP = 200  # starts without any solution
WEAK = 1e-5  # smallest singular value below which a solution is singular

# The chains looked up last.
_recent: dict[tuple[RobotModel, str, int | None, str | None, FrameKey | None], Arm] = {}
_MOST_RECENT = 16

_ndarray = np.ndarray
_empty = np.empty
_set = object.__setattr__


class AllSolutions:
    """All solutions for one pose, nearest to the reference first; frozen.

    Iterating, indexing and ``len`` go over the solutions.

    Attributes:
        solutions: Joint positions, shape (n, dof) [rad or m], read-only, inside the limits. No
            two are within 1e-3 of each other in every joint, whole turns left aside: each posture
            comes once, as the twin that is nearest to the reference.
        pose_errors: Distance [m] and angle [rad] from the pose, shape (n, 2), read-only; by the
            forward kinematics of every solution.
        distances: Euclidean distance from the reference, shape (n,) [rad or m], read-only.
        expected_missed: How many solutions the method is expected to have missed. 0 for a closed
            form, which is complete. For a search the sum of (1 - p)^starts, where p is how often
            one start found a solution, and at least the number that is missing for certain: six
            turning joints without limits have as many solutions of one hand (sign of the
            Jacobian's determinant) as of the other. 0 when ``starts`` starts found none. inf when
            the solutions form a curve; then ``solutions`` are points of it.
        method: "closed form", "numeric", or "closed form and numeric" where a closed form was
            uncertain and a search looked again.
        singular: Whether some solution stands where the arm cannot move in every direction.
        outside_limits: How many more postures reach the pose, but not within the limits.
        starts: Starts of the search; 0 without one.
    """

    __slots__ = ("_state", "method", "solutions")

    solutions: FloatArray
    method: str
    _state: FloatArray

    def __init__(self, method: str, state: FloatArray) -> None:
        """Take over the state of a kernel (``_kernels/all_layout.py``); ``solve_all`` does."""
        rows = int(state[0, layout.COUNT]) + 1
        solutions = state[1:rows, layout.Q :].copy()
        solutions.setflags(write=False)
        _set(self, "solutions", solutions)
        _set(self, "method", method)
        _set(self, "_state", state[:rows].copy())  # not what is behind them

    @property
    def pose_errors(self) -> FloatArray:
        """Distance [m] and angle [rad] from the pose, shape (n, 2)."""
        columns = slice(layout.POSITION_ERROR, layout.ORIENTATION_ERROR + 1)
        return frozen(self._state[1 : len(self) + 1, columns].copy())

    @property
    def distances(self) -> FloatArray:
        """Euclidean distance from the reference, shape (n,)."""
        return frozen(self._state[1 : len(self) + 1, layout.DISTANCE].copy())

    @property
    def expected_missed(self) -> float:
        """How many solutions were missed, as far as one can expect."""
        return float(self._state[0, layout.MISSED])

    @property
    def singular(self) -> bool:
        """Whether some solution stands where the arm cannot move in every direction."""
        return bool(self._state[0, layout.SINGULAR] < WEAK)

    @property
    def outside_limits(self) -> int:
        """How many more postures reach the pose, but not within the limits."""
        return int(self._state[0, layout.OUTSIDE])

    @property
    def starts(self) -> int:
        """Starts of the search; 0 without one."""
        return int(self._state[0, layout.STARTS])

    @property
    def message(self) -> str:
        """What was found, in words."""
        n = len(self)
        if n == 0 and self.outside_limits:
            return (
                f"no solution within the limits; {_postures(self.outside_limits)} outside them"
                f" ({self.method})"
            )
        if n == 0:
            after = f" after {self.starts} starts" if self.starts else ""
            return f"no solution{after}: the pose is out of reach ({self.method})"
        words = f"{n} solution{'s' if n > 1 else ''} ({self.method})"
        if self.expected_missed == np.inf:
            words += " of infinitely many: the pose leaves the arm a motion of its own"
        elif self.expected_missed >= 1e-3:
            words += f", about {self.expected_missed:.2g} missed"
        if self.outside_limits:
            words += f"; {_postures(self.outside_limits)} outside the limits"
        return words

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[FloatArray]:
        return iter(self.solutions)

    def __getitem__(self, i: Any) -> Any:
        return self.solutions[i]

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __reduce__(self) -> tuple[type[AllSolutions], tuple[str, FloatArray]]:
        return AllSolutions, (self.method, self._state)

    def __repr__(self) -> str:
        return cut_to_line(f"AllSolutions({self.message}, solutions={self.solutions.tolist()})")


def solve_all(
    model: RobotModel,
    T: npt.ArrayLike,
    *,
    reference: JointValues | None = None,
    frame_type: str = "endeffector",
    index: int | None = None,
    tag: str | None = None,
    frame: FrameKey | None = None,
) -> AllSolutions:
    """Find every posture that puts a frame at a pose, within the joint limits.

    For arms of at most six joints; joints whose limits leave no room do not count, so that a
    redundant arm can be asked with some joints locked. Joints that do not move the frame stay at
    the reference. Arms of fewer than six joints reach few poses, and have no solution for others.

    Args:
        model: The robot.
        T: T_world_frame, shape (4, 4) [m].
        reference: Joint positions, shape (dof,) [rad or m], from which distances are measured,
            and to which the whole turns of each joint come nearest. None: the middle of the
            limits, and for a joint that lacks one of them zero, or the limit nearest to zero.
        frame_type: Kind of frame; this and the next three as in ``ik.position``.
        index: Number of the frame, or None.
        tag: Tag of the frame's element, or None.
        frame: The frame by itself, or None.

    Returns:
        The solutions, nearest first; none when the pose is out of reach. The same inputs give the
        same bits.

    Raises:
        ObjectiveError: If T is not a pose, or more than six joints move the frame.
        JointVectorError: If reference has the wrong length or is not finite.
        FrameNotFoundError: If the frame does not exist.

    Example:
        >>> T_world_tool = model.end_effector([0.3, 0.9, 1.2, 0.4, 1.1, -0.5])
        >>> found = solve_all(model, T_world_tool, reference=[0.0, 1.0, 1.0, 0.0, 1.0, 0.0])
        >>> found.message
        '8 solutions (closed form)'
        >>> nearest, *others = found
        >>> nearest
        array([ 0.3,  0.9,  1.2,  0.4,  1.1, -0.5])
    """
    try:
        arm = _recent[model, frame_type, index, tag, frame]
    except (KeyError, TypeError):
        arm = _prepared(model, frame_type, index, tag, frame)
    q_ref = arm.reference if reference is None else model._joint_vector(reference, "reference")
    state = _empty((layout.MOST + 2, layout.Q + model.dof))
    code, method = layout.BAD_TARGET, CLOSED
    if T.__class__ is _ndarray:
        with contextlib.suppress(TypeError):  # an array of another type or layout
            code, method = _solve(arm, T, q_ref, state)
    if code == layout.BAD_TARGET:
        # Checked, and its rotation made one to the last digit.
        T = np.ascontiguousarray(pose(T).T_world_frame)
        code, method = _solve(arm, T, q_ref, state)
    if code == layout.BAD_REFERENCE:
        raise ObjectiveError(
            f"reference: expected numbers of at most {layout.FARTHEST:g}, got "
            f"{words(q_ref.tolist())}; so many turns away, whole turns cannot be told apart"
        )
    return AllSolutions(method, state)


def _solve(arm: Arm, T: Any, q_ref: FloatArray, state: FloatArray) -> tuple[int, str]:
    """Run the closed form, or the search, or both; return how it went and which."""
    if arm.constants is None:
        code = _search_all(arm.table, T, q_ref, state, 0, GIVE_UP, MOST_STARTS)
        return code, NUMERIC
    code = _solve_closed(arm.table, arm.constants, T, q_ref, state, arm.family)
    if code == layout.DOUBTFUL:
        given = int(state[0, layout.COUNT])
        code = _search_all(arm.table, T, q_ref, state, given, GIVE_UP, CHECK_STARTS)
        return code, BOTH
    return code, CLOSED


def _prepared(
    model: RobotModel,
    frame_type: str,
    index: int | None,
    tag: str | None,
    frame: FrameKey | None,
) -> Arm:
    """Look up the chain and remember it."""
    check_model(model)
    arm = compile_arm(model, *named_frame(model, frame_type, index, tag, frame))
    if len(_recent) >= _MOST_RECENT:
        _recent.clear()
    _recent[model, frame_type, index, tag, frame] = arm
    return arm


def _postures(n: int) -> str:
    """Write how many more postures reach."""
    return "1 more posture reaches" if n == 1 else f"{n} more postures reach"
