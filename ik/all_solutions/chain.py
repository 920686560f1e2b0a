"""One chain of a model as the kernels for all solutions need it.

Joints that cannot move, because their limits leave no room, become part of the placements around
them: a redundant arm with a locked joint is an arm of six joints.
"""

import math
from typing import NamedTuple

import numpy as np

from armwright.errors import ObjectiveError
from armwright.ik._kernels import all_layout as layout
from armwright.ik.program import CHAIN_ORIGIN
from armwright.kinematics import FrameType, RobotModel
from armwright.kinematics._kernels.layout import (
    CHAIN_JOINT,
    CHAIN_PLACEMENT,
    CHAIN_SCALE,
    CHAIN_SLIDES,
)
from armwright.kinematics.arrays import FloatArray, frozen

from .closed_forms import ZeroPose, closed_form

MOST_JOINTS = 6


class Arm(NamedTuple):
    """A chain and how its solutions are found.

    Attributes:
        table: The arm of ``_kernels/all_layout.py``.
        family: Of its closed form; 0 when there is none.
        constants: Of its closed form, shape (64,); None when there is none.
        reference: Where distances are measured from unless something else is said, shape (dof,).
        n_joints: Joints of the chain that can move.
    """

    table: FloatArray
    family: float
    constants: FloatArray | None
    reference: FloatArray
    n_joints: int


def compile_arm(model: RobotModel, frame_type: FrameType, index: int) -> Arm:
    """Lay out the chain to a frame.

    Raises:
        ObjectiveError: If more than six of its joints can move.
    """
    lower, upper = model.position_limits
    chain = _without_locked(model._chain(frame_type, index), lower, upper)
    k = len(chain) - 1
    if k > MOST_JOINTS:
        names = ", ".join(model.joint_names[int(joint)] for joint in chain[:-1, CHAIN_JOINT])
        raise ObjectiveError(
            f"solve_all: {k} joints move the frame ({names}); a pose has six numbers, so a "
            f"redundant arm reaches it in infinitely many ways. Lock {_joints(k - MOST_JOINTS)} by "
            "equal limits, model.with_position_limits(lower, upper), and ask again; or ask "
            "ik.solve for one solution, with ik.posture for the one that is wanted"
        )
    lengths = np.sqrt((chain[1:, CHAIN_ORIGIN] ** 2).sum(axis=1))
    reach = float(lengths.sum())
    for joint, slides, scale in chain[:-1, [CHAIN_JOINT, CHAIN_SLIDES, CHAIN_SCALE]].tolist():
        travel = abs(scale) * float(upper[int(joint)] - lower[int(joint)])
        if slides and travel < math.inf:
            reach += travel
    reach = reach if reach > 1e-6 else 1.0
    w = 2.0 / reach

    table = np.zeros((k + 2 + model.dof, 16))
    table[0, layout.N_JOINTS] = k
    table[0, layout.N_DOF] = model.dof
    table[0, layout.LENGTH_WEIGHT] = w
    table[0, layout.INVERSE_REACH] = 1.0 / reach
    rows = table[1 : k + 2]
    rows[:, layout.PLACEMENT :] = chain[:, CHAIN_PLACEMENT:]
    rows[:k, layout.JOINT] = chain[:k, CHAIN_JOINT]
    slides = chain[:k, CHAIN_SLIDES] != 0.0
    rows[:k, layout.SLIDES] = slides
    rows[:k, layout.UNIT] = chain[:k, CHAIN_SCALE] * np.where(slides, w, 1.0)
    rows[:k, layout.MOTION] = np.where(slides, 1.0 / w, 1.0)
    reference = _middle(lower, upper)
    _put_joints(table, k, lower, upper, reference)

    found = None
    if k == MOST_JOINTS and not slides.any():
        found = closed_form(_zero_pose(chain, reach))
    if found is not None:
        table[0, layout.REVERSED] = float(found.reversed)
    constants = found.constants if found else None
    return Arm(table, found.family if found else 0.0, constants, frozen(reference), k)


def _joints(n: int) -> str:
    """Write how many joints."""
    return "one joint" if n == 1 else f"{n} joints"


def _middle(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Middle of the limits; zero, or the limit nearest to it, where a joint has less than two."""
    both = np.isfinite(lower) & np.isfinite(upper)
    low, high = np.where(both, lower, 0.0), np.where(both, upper, 0.0)
    middle: FloatArray = np.where(both, low + 0.5 * (high - low), np.clip(0.0, lower, upper))
    return middle


def _put_joints(
    table: FloatArray, k: int, lower: FloatArray, upper: FloatArray, reference: FloatArray
) -> None:
    """Fill the rows of the joints of the model."""
    joints = table[k + 2 :]
    joints[:, layout.LOWER] = lower
    joints[:, layout.UPPER] = upper
    g = 1.5  # root of g^(k + 1) = g + 1: the starts fill the k-dimensional cube evenly
    for _ in range(64):
        g = (1.0 + g) ** (1.0 / (k + 1))
    for i in range(k):
        _, slides, unit = table[1 + i, [layout.JOINT, layout.SLIDES, layout.UNIT]].tolist()
        j = int(table[1 + i, layout.JOINT])
        row = joints[j]
        row[layout.ROW] = 1 + i
        row[layout.STRIDE] = g ** -(i + 1.0)
        row[layout.OFFSET] = 0.5
        if slides:
            free = 4.0 / abs(unit)  # an unlimited slide is searched two reaches either way
            low = lower[j] if lower[j] > -math.inf else min(upper[j], reference[j]) - free
            high = upper[j] if upper[j] < math.inf else max(lower[j], reference[j]) + free
            row[layout.START] = low * unit
            row[layout.SPAN] = (high - low) * unit
        else:
            row[layout.TURN] = 2.0 * math.pi / abs(unit)
            row[layout.SPAN] = 2.0 * math.pi


def _without_locked(chain: FloatArray, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Merge joints without room into the placements that follow them, shape (k + 1, 16)."""
    rows = []
    before = np.eye(4)
    for row in chain:
        row = row.copy()
        placement = before @ _matrix(row[CHAIN_PLACEMENT:])
        row[CHAIN_PLACEMENT:] = placement[:3].ravel()
        j = int(row[CHAIN_JOINT])
        if j >= 0 and lower[j] == upper[j]:
            before = placement @ _motion(row, lower[j])
            continue
        before = np.eye(4)
        rows.append(row)
    return np.array(rows)


def _motion(row: FloatArray, q: float) -> FloatArray:
    """Motion of one joint about or along its z axis, shape (4, 4)."""
    T = np.eye(4)
    x = row[CHAIN_SCALE] * q
    if row[CHAIN_SLIDES]:
        T[2, 3] = x
    else:
        T[0, 0] = T[1, 1] = math.cos(x)
        T[1, 0] = math.sin(x)
        T[0, 1] = -T[1, 0]
    return T


def _matrix(twelve: FloatArray) -> FloatArray:
    """Return the homogeneous matrix of twelve numbers."""
    T = np.eye(4)
    T[:3] = twelve.reshape(3, 4)
    return T


def _zero_pose(chain: FloatArray, reach: float) -> ZeroPose:
    """Axes and points of a chain with every joint at zero; lengths in units of the reach."""
    T = np.eye(4)
    axes, points = [], []
    for row in chain[:-1]:
        T = T @ _matrix(row[CHAIN_PLACEMENT:])
        axes.append(T[:3, 2])
        points.append(T[:3, 3] / reach)
    T = T @ _matrix(chain[-1, CHAIN_PLACEMENT:])
    return ZeroPose(np.array(axes), np.array(points), T[:3, :3], T[:3, 3] / reach)
