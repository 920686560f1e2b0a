"""How objectives stand in the table of the kernels, and what their weights count.

Weights say what to give up when not everything can be met. Where all can be, they only hinder: a
search that hardly sees one of its objectives stops far from the target. So a search takes no weight
as less than a hundredth of the largest; only when it fails, the weights count as they are.
"""

from collections.abc import Sequence

import numpy as np

from armwright.ik._kernels import layout
from armwright.ik.checks import FloatArray
from armwright.ik.objectives import (
    FrameObjective,
    OrientationObjective,
    PoseObjective,
    PositionObjective,
)

from .target import Target

# Relative to the largest weight.
LEAST_IN_SEARCH = 1e-2
LEAST_WEIGHT = 1e-5  # squares of smaller ones vanish beside rounding
WEIGHTS = (layout.WEIGHT_POSITION, layout.WEIGHT_ORIENTATION)


def relative_weight(weight: float, top_weight: float, least: float) -> float:
    """Return a weight relative to the largest one, but not below the least; 0 stays 0."""
    return max(weight / top_weight, least) if weight > 0.0 else 0.0


def objective_rows(
    targets: Sequence[Target],
    framed: Sequence[FrameObjective],
    merged: bool,
    n: int,
    length_weight: float,
    top_weight: float,
    least: float,
) -> tuple[FloatArray, FloatArray]:
    """Lay out objectives (two rows each, without targets), and the chains that follow them."""
    entries = list(zip(targets, map(kind_of, framed), strict=True))
    if merged:  # the two weights of the two become the two weights of one pose
        (target, (_, *one)), (_, (_, *two)) = entries
        wp, wo, x, y, z = (max(a, b) for a, b in zip(one, two, strict=True))
        entries = [(target, (layout.POSE, wp, wo, x, y, z))]
    rows = np.zeros((2 * len(entries), 16))
    chains: list[FloatArray] = [np.zeros((0, 16))]
    row_of_chain = 1 + n + len(rows)
    first_row = 0
    before = None
    for head, (target, kind) in zip(rows[::2], entries, strict=True):
        here = (target.frame_type, target.index)
        if here != before:
            row_of_chain += len(chains[-1])
            chains.append(target.chain)
        head[layout.KIND] = kind[0]
        head[layout.WEIGHT_POSITION] = length_weight * relative_weight(kind[1], top_weight, least)
        head[layout.WEIGHT_ORIENTATION] = relative_weight(kind[2], top_weight, least)
        head[layout.CHAIN] = row_of_chain
        head[layout.N_JOINTS] = len(target.chain) - 1
        head[layout.FIRST_ROW] = first_row
        head[layout.FIXED : layout.FIXED + 3] = kind[3:]
        head[layout.SAME_CHAIN] = float(here == before)
        before = here
        first_row += n_rows(kind)
    return rows, np.concatenate(chains)


_Kind = tuple[float, float, float, float, float, float]


def kind_of(objective: FrameObjective) -> _Kind:
    """Kind, weight of the position, weight of the orientation, and which axes are wanted."""
    weight = objective.weight
    if isinstance(objective, PoseObjective):
        return layout.POSE, weight, weight, 1.0, 1.0, 1.0
    if isinstance(objective, PositionObjective):
        x, y, z = map(float, objective.fixed)
        return layout.POSITION, weight, 0.0, x, y, z
    if isinstance(objective, OrientationObjective):
        return layout.ORIENTATION, 0.0, weight, 0.0, 0.0, 0.0
    return layout.TIP_AXIS, 0.0, weight, 0.0, 0.0, 0.0


def n_rows(kind: _Kind) -> int:
    """Count the error rows of a kind of objective."""
    turns = {layout.POSITION: 0, layout.TIP_AXIS: 2}.get(kind[0], 3)
    return turns + int(sum(kind[3:]))
