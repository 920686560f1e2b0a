"""How objectives stand in the table of the kernels, and what their weights count.

Weights say what to give up when not everything can be met. Where all can be, they only hinder: a
search that hardly sees one of its objectives stops far from the target. So a search takes no weight
as less than a hundredth of the largest; only when it fails, the weights count as they are.
"""

from collections.abc import Sequence

import numpy as np

from armwright.ik._kernels import layout
from armwright.ik.objectives import KernelRow
from armwright.kinematics.arrays import FloatArray

from .target import Target

# Relative to the largest weight.
LEAST_IN_SEARCH = 1e-2
LEAST_WEIGHT = 1e-5  # squares of smaller ones vanish beside rounding
WEIGHTS = (layout.WEIGHT_POSITION, layout.WEIGHT_ORIENTATION)


def relative_weight(weight: float, top_weight: float, least: float) -> float:
    """Return a weight relative to the largest one, but not below the least; 0 stays 0."""
    return max(weight / top_weight, least) if weight > 0.0 else 0.0


def lay_out_rows(
    targets: Sequence[Target],
    known: Sequence[KernelRow],
    merged: bool,
    n: int,
    length_weight: float,
    top_weight: float,
    least: float,
) -> tuple[FloatArray, FloatArray]:
    """Lay out objectives (two rows each, without targets), and the chains that follow them."""
    entries = list(zip(targets, known, strict=True))
    if merged:  # the two weights of the two become the two weights of one pose
        (target, one), (_, two) = entries
        wp, wo, x, y, z = (max(a, b) for a, b in zip(one[2:], two[2:], strict=True))
        entries = [(target, KernelRow(layout.POSE, 6, wp, wo, x, y, z))]
    rows = np.zeros((2 * len(entries), 16))
    chains: list[FloatArray] = [np.zeros((0, 16))]
    row_of_chain = 1 + n + len(rows)
    first_row = 0
    before = None
    for head, (target, row) in zip(rows[::2], entries, strict=True):
        here = (target.frame_type, target.index)
        if here != before:
            row_of_chain += len(chains[-1])
            chains.append(target.chain)
        head[layout.KIND] = row.code
        head[layout.WEIGHT_POSITION] = length_weight * relative_weight(
            row.weight_position, top_weight, least
        )
        head[layout.WEIGHT_ORIENTATION] = relative_weight(row.weight_orientation, top_weight, least)
        head[layout.CHAIN] = row_of_chain
        head[layout.N_JOINTS] = len(target.chain) - 1
        head[layout.FIRST_ROW] = first_row
        head[layout.FIXED : layout.FIXED + 3] = row.x, row.y, row.z
        head[layout.SAME_CHAIN] = float(here == before)
        before = here
        first_row += row.n_errors
    return rows, np.concatenate(chains)
