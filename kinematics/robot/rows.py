"""Model rows as Python uses them: their columns, chains and tables of frames, masses.

The columns are those of ``_kernels/layout.py``: numbers where one column is meant, slices where
several are.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from armwright.hrdf.elements import Inertia
from armwright.kinematics._kernels import layout
from armwright.kinematics.arrays import FloatArray

PARENT = layout.PARENT
SLIDES = layout.SLIDES
ROTOR = layout.ROTOR
SUBTREE_MASS = layout.SUBTREE_MASS
PLACEMENT = slice(layout.PLACEMENT, layout.PLACEMENT + 12)
MASS = layout.MASS
FIRST_MOMENT = slice(layout.FIRST_MOMENT, layout.FIRST_MOMENT + 3)
SECOND_MOMENTS = slice(layout.SECOND_MOMENTS, layout.SECOND_MOMENTS + 6)
AUGMENTED_MOMENT = slice(layout.AUGMENTED_MOMENT, layout.AUGMENTED_MOMENT + 3)
LAST = layout.LAST
SCALE = layout.SCALE
GRAVITY = slice(layout.GRAVITY, layout.GRAVITY + 3)
WIDTH = layout.ROW_WIDTH
STANDARD_GRAVITY = (0.0, 0.0, -9.81)

FRAME_BODY = layout.FRAME_BODY
FRAME_PLACEMENT = slice(layout.FRAME_PLACEMENT, layout.FRAME_WIDTH)
CHAIN_PLACEMENT = slice(layout.CHAIN_PLACEMENT, layout.CHAIN_WIDTH)

_ORIGIN = [layout.PLACEMENT + k for k in (3, 7, 11)]


def base_row(T_world_base: FloatArray) -> FloatArray:
    """Return row 0 with the base frame and standard gravity."""
    row = np.zeros(WIDTH)
    row[PLACEMENT] = to_twelve(T_world_base)
    row[GRAVITY] = STANDARD_GRAVITY
    return row


def frame_table(frames: list[tuple[int, FloatArray]]) -> FloatArray:
    """Return a table of frames, shape (k, 13)."""
    table = np.zeros((len(frames), layout.FRAME_WIDTH))
    for i, (row, T_body_frame) in enumerate(frames):
        table[i, FRAME_BODY] = row
        table[i, FRAME_PLACEMENT] = to_twelve(T_body_frame)
    return table


def joined(rows: FloatArray, frames: FloatArray) -> FloatArray:
    """Return the model rows with one row for each frame of a table below, shape (n+1+k, 32)."""
    together = np.zeros((len(rows) + len(frames), WIDTH))
    together[: len(rows)] = rows
    together[len(rows) :, PARENT] = frames[:, FRAME_BODY]
    together[len(rows) :, PLACEMENT] = frames[:, FRAME_PLACEMENT]
    return together


def chain_to(rows: FloatArray, frame: FloatArray) -> FloatArray:
    """Return the joints on the way from the world to one frame, merged.

    Args:
        rows: Model rows.
        frame: One row of a table of frames.

    Returns:
        A chain, shape (k+1, 16), k joints on the path; its columns are in ``_kernels/layout.py``.
        The last row has the placement in the last joint frame, or in the world when there is no
        joint.
    """
    path = []
    row = int(frame[FRAME_BODY])
    while row:
        path.append(row)
        row = int(rows[row, PARENT])
    path.reverse()
    chain = np.zeros((len(path) + 1, layout.CHAIN_WIDTH))
    chain[:-1, layout.CHAIN_JOINT] = np.subtract(path, 1)
    chain[:-1, layout.CHAIN_SLIDES] = rows[path, SLIDES]
    chain[:-1, layout.CHAIN_SCALE] = rows[path, SCALE]
    chain[:-1, CHAIN_PLACEMENT] = rows[path, PLACEMENT]
    chain[-1, layout.CHAIN_JOINT] = -1.0
    chain[-1, layout.CHAIN_DOF] = len(rows) - 1
    chain[-1, CHAIN_PLACEMENT] = frame[FRAME_PLACEMENT]
    first = to_matrix(rows[0, PLACEMENT]) @ to_matrix(chain[0, CHAIN_PLACEMENT])
    chain[0, CHAIN_PLACEMENT] = to_twelve(first)
    return chain


_MOST_KEPT = 100_000  # rows of chains


def end_chains(rows: FloatArray, frames: FloatArray) -> Sequence[FloatArray]:
    """Return the chains to all end effectors, made at once unless there are very many."""
    if len(rows) * len(frames) > _MOST_KEPT:
        return _ChainsWhenAsked(rows, frames)
    return tuple(chain_to(rows, frame) for frame in frames)


class _ChainsWhenAsked(Sequence[FloatArray]):
    """The chains to many frames, each made when it is asked for: together they fill the memory."""

    def __init__(self, rows: FloatArray, frames: FloatArray) -> None:
        self._rows = rows
        self._frames = frames

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, number: Any) -> Any:
        return chain_to(self._rows, self._frames[number])


def under_gravity(rows: FloatArray, gravity: Sequence[float] | FloatArray) -> FloatArray:
    """Return a copy of the model rows with another acceleration of free fall."""
    changed = rows.copy()
    changed[0, GRAVITY] = gravity
    return changed


def add_mass(
    rows: FloatArray, row: int, mass: float, T_body_com: FloatArray, inertia: Inertia
) -> None:
    """Add a mass to a body: m, m c and the second moments about the body's origin.

    Args:
        rows: Model rows, changed; ``sum_subtrees`` must follow.
        row: The body.
        mass: [kg].
        T_body_com: Com frame in the body, shape (4, 4).
        inertia: Six numbers [kg m^2] about the center of mass, in the com frame.
    """
    R, c = T_body_com[:3, :3], T_body_com[:3, 3]
    xx, yy, zz, xy, xz, yz = inertia
    I_com = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    moments = 0.5 * np.trace(I_com) * np.eye(3) - I_com + mass * np.outer(c, c)
    rows[row, MASS] += mass
    rows[row, FIRST_MOMENT] += mass * c
    rows[row, SECOND_MOMENTS] += moments[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def sum_subtrees(rows: FloatArray) -> None:
    """Fill the columns that follow from the others: SUBTREE_MASS, AUGMENTED_MOMENT and LAST."""
    rows[:, SUBTREE_MASS] = rows[:, MASS]
    rows[:, AUGMENTED_MOMENT] = rows[:, FIRST_MOMENT]
    rows[1:, LAST] = np.arange(1, len(rows))
    for row in range(len(rows) - 1, 0, -1):
        parent = int(rows[row, PARENT])
        rows[parent, SUBTREE_MASS] += rows[row, SUBTREE_MASS]
        rows[parent, AUGMENTED_MOMENT] += rows[row, SUBTREE_MASS] * rows[row, _ORIGIN]
        if parent:
            rows[parent, LAST] = max(rows[parent, LAST], rows[row, LAST])


def to_twelve(T: FloatArray) -> FloatArray:
    """Return the rows of the 3x4 matrix, flat."""
    return T[:3].ravel()


def to_matrix(twelve: FloatArray) -> FloatArray:
    """Return the homogeneous matrix of 12 numbers."""
    T = np.eye(4)
    T[:3] = twelve.reshape(3, 4)
    return T
