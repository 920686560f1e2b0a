"""Objectives and model in, one flat table for the kernels out (``_kernels/layout.py``).

Lengths and angles are made comparable by one number per problem: w = 2 / reach radians count like
one metre, where the reach is the length of the longest chain involved: the distances between its
joints, and to the frame, plus the travel of limited slides. The largest weight counts as 1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armwright.errors import ObjectiveError
from armwright.kinematics import FrameType, RobotModel

from ._kernels import layout
from .checks import FloatArray
from .limits import combined_limits
from .objectives import (
    FRAME_OBJECTIVES,
    CustomObjective,
    FrameObjective,
    JointLimits,
    Objective,
    OrientationObjective,
    PoseObjective,
    PositionObjective,
    PostureObjective,
)

_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """One frame objective, with its frame looked up.

    Attributes:
        objective: The objective.
        number: Its place in the list of objectives.
        frame_type: Kind of its frame.
        index: Number of its frame.
        chain: Joints on the way there and the frame itself, shape (k + 1, 16).
        reach: Length of that chain [m].
    """

    objective: FrameObjective
    number: int
    frame_type: FrameType
    index: int
    chain: FloatArray
    reach: float


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A problem as the kernels need it.

    Attributes:
        table: Shape (rows, 16), see ``_kernels/layout.py``; starts for random_seed 0.
        targets: The frame objectives, in the order of their rows.
        customs: The custom objectives.
        limits: Shape (2, n_dof).
        quick: Whether the kernel for one pose can do it.
        has_posture: Whether there is a secondary goal.
        n_rows: Error rows of the frame objectives.
        n_moving: Joints that some objective depends on and that have room to move.
        length_weight: Radians that count like one metre [1/m].
        top_weight: The largest weight, which counts as 1.
        q_ref: Posture, shape (n_dof,); zeros when there is none.
    """

    table: FloatArray
    targets: tuple[Target, ...]
    customs: tuple[CustomObjective, ...]
    limits: FloatArray
    quick: bool
    has_posture: bool
    n_rows: int
    n_moving: int
    length_weight: float
    top_weight: float
    q_ref: FloatArray


def compile_program(model: RobotModel, objectives: Sequence[Objective]) -> Program:
    """Look up the frames, intersect the limits, lay out the table.

    Raises:
        ObjectiveError: If there is nothing to solve for, or a length does not fit the model.
        FrameNotFoundError: If a frame is not found.
    """
    n = model.dof
    limits = combined_limits(model, [o for o in objectives if isinstance(o, JointLimits)])
    customs = tuple(o for o in objectives if isinstance(o, CustomObjective))
    postures = [o for o in objectives if isinstance(o, PostureObjective)]
    targets = _targets(model, objectives, limits)
    if not (targets or customs or postures):
        raise ObjectiveError(
            "nothing to solve for; add an objective such as ik.position([0.3, 0.1, 0.2])"
        )
    reach = max((target.reach for target in targets), default=0.0)
    length_weight = 2.0 / reach if reach > 1e-6 else 2.0
    weights = [target.objective.weight for target in targets] + [o.weight for o in customs]
    top_weight = max(weights, default=1.0)
    q_ref = _posture(n, postures)

    moves = np.zeros(n)
    for target in targets:
        moves[target.chain[:-1, 0].astype(np.intp)] = 1.0
    if customs:
        moves[:] = 1.0
    joints = _joint_rows(_joint_kinds(model, targets), limits, moves, length_weight)
    joints[:, layout.REFERENCE] = q_ref
    rows, chains = _objective_rows(targets, n, length_weight, top_weight)

    header = np.zeros((1, layout.WIDTH))
    total_rows = sum(n_rows(target.objective) for target in targets)
    header[0, layout.N_OBJECTIVES] = len(rows) // 2
    header[0, layout.N_ROWS] = total_rows
    header[0, layout.LENGTH_WEIGHT] = length_weight
    header[0, layout.HAS_POSTURE] = float(bool(postures))
    header[0, layout.LONGEST] = max((len(target.chain) for target in targets), default=1)
    table = np.concatenate([header, joints, rows, chains])
    room = limits[1] > limits[0]
    return Program(
        table=table,
        targets=targets,
        customs=customs,
        limits=limits,
        quick=_is_quick(table, n) and not customs,
        has_posture=bool(postures),
        n_rows=total_rows,
        n_moving=int(np.count_nonzero(room & (moves != 0.0))),
        length_weight=length_weight,
        top_weight=top_weight,
        q_ref=q_ref,
    )


def with_seed(table: FloatArray, n: int, random_seed: int) -> FloatArray:
    """Return a copy of a table with the starts of another seed."""
    copy = table.copy()
    copy[1 : n + 1, layout.OFFSET] = _offsets(random_seed, n)
    return copy


def without_limits(table: FloatArray, n: int) -> FloatArray:
    """Return a copy of a table without joint limits."""
    copy = table.copy()
    copy[1 : n + 1, layout.LOWER] = -np.inf
    copy[1 : n + 1, layout.UPPER] = np.inf
    return copy


def _targets(
    model: RobotModel, objectives: Sequence[Objective], limits: FloatArray
) -> tuple[Target, ...]:
    """Look up the frames; objectives of the same frame come to stand side by side."""
    targets = []
    for number, objective in enumerate(objectives):
        if not isinstance(objective, FRAME_OBJECTIVES):
            continue
        frame_type, index = model._frame(objective.frame_type, objective.index, objective.tag)
        chain = model._chain(frame_type, index)
        reach = _reach(chain, limits)
        targets.append(Target(objective, number, frame_type, index, chain, reach))
    return tuple(sorted(targets, key=lambda target: (target.frame_type.value, target.index)))


def _reach(chain: FloatArray, limits: FloatArray) -> float:
    """Length of a chain from its first joint on: links, and the travel of limited slides [m]."""
    total = float(np.sqrt((chain[1:, [7, 11, 15]] ** 2).sum(axis=1)).sum())
    for joint, slides, scale in chain[:-1, :3].tolist():
        travel = abs(scale) * float(limits[1, int(joint)] - limits[0, int(joint)])
        if slides and travel < math.inf:
            total += travel
    return total


def _posture(n: int, postures: Sequence[PostureObjective]) -> FloatArray:
    """Weighted mean of the postures, shape (n,)."""
    total = np.zeros(n)
    for asked in postures:
        if asked.q_ref.size != n:
            raise ObjectiveError(
                f"posture: one number per joint: expected {n}, got {asked.q_ref.size}"
            )
        total += asked.weight * asked.q_ref
    return total / max(sum(asked.weight for asked in postures), 1e-300)


def _joint_kinds(model: RobotModel, targets: Sequence[Target]) -> FloatArray:
    """Whether each joint slides, and its motion per unit of q, shape (n_dof, 2)."""
    kinds = np.full((model.dof, 2), np.nan)
    for target in targets:
        kinds[target.chain[:-1, 0].astype(np.intp)] = target.chain[:-1, 1:3]
    i_frame = 0
    while np.isnan(kinds).any():  # every joint leads to some output frame
        chain = model._chain(FrameType.OUTPUT, i_frame)
        kinds[chain[:-1, 0].astype(np.intp)] = chain[:-1, 1:3]
        i_frame += 1
    return kinds


def _joint_rows(
    kinds: FloatArray, limits: FloatArray, moves: FloatArray, length_weight: float
) -> FloatArray:
    """Lay out the joints, shape (n_dof, 16)."""
    n = len(kinds)
    rows = np.zeros((n, layout.WIDTH))
    slides = kinds[:, 0] != 0.0
    scale = np.abs(kinds[:, 1])
    rows[:, layout.LOWER] = limits[0]
    rows[:, layout.UPPER] = limits[1]
    rows[:, layout.TURN] = np.where(slides, 0.0, 2.0 * math.pi / scale)
    rows[:, layout.UNIT] = np.where(slides, length_weight * scale, scale)
    rows[:, layout.TRAVEL] = 2.0 / length_weight / scale
    rows[:, layout.MOVES] = moves
    rows[:, layout.OFFSET] = _offsets(0, n)
    rows[moves != 0.0, layout.STRIDE] = _strides(int(np.count_nonzero(moves)))
    return rows


def _strides(n: int) -> FloatArray:
    """Steps of an additive recurrence that fills the n-dimensional cube evenly, shape (n,).

    g^-1 to g^-n, g the positive root of g^(n + 1) = g + 1 (Roberts, "The unreasonable
    effectiveness of quasirandom sequences", 2018).
    """
    g = 1.5
    for _ in range(64):
        g = (1.0 + g) ** (1.0 / (n + 1))
    strides: FloatArray = g ** -np.arange(1.0, n + 1.0)
    return strides


def _offsets(random_seed: int, n: int) -> FloatArray:
    """Numbers in [0, 1) from a seed, shape (n,); splitmix64."""
    state = random_seed & _MASK
    offsets = []
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
        offsets.append(((z ^ (z >> 31)) >> 11) / float(1 << 53))
    return np.array(offsets)


def n_rows(objective: FrameObjective) -> int:
    """Count the error rows of a frame objective."""
    if isinstance(objective, PositionObjective):
        return sum(objective.fixed)
    if isinstance(objective, OrientationObjective):
        return 3
    return 6 if isinstance(objective, PoseObjective) else 2


def _objective_rows(
    targets: Sequence[Target], n: int, length_weight: float, top_weight: float
) -> tuple[FloatArray, FloatArray]:
    """Lay out objectives (two rows each) and chains; the chains begin where the objectives end."""
    merged = _as_one_pose(targets)
    entries = [merged] if merged else [_entry(target) for target in targets]
    rows = np.zeros((2 * len(entries), layout.WIDTH))
    chains: list[FloatArray] = []
    row_of_chain = 1 + n + len(rows)
    first_row = 0
    before = None
    for i, (target, kind, position_weight, orientation_weight, fixed, matrix) in enumerate(entries):
        here = (target.frame_type, target.index)
        if here != before:
            row_of_chain += len(chains[-1]) if chains else 0
            chains.append(target.chain)
        head = rows[2 * i]
        head[layout.KIND] = kind
        head[layout.WEIGHT_POSITION] = length_weight * position_weight / top_weight
        head[layout.WEIGHT_ORIENTATION] = orientation_weight / top_weight
        head[layout.CHAIN] = row_of_chain
        head[layout.N_JOINTS] = len(target.chain) - 1
        head[layout.FIRST_ROW] = first_row
        head[layout.FIXED : layout.FIXED + 3] = fixed
        head[layout.SAME_CHAIN] = float(here == before)
        rows[2 * i + 1, layout.TARGET :] = matrix[:3].ravel()
        before = here
        first_row += 6 if merged else n_rows(target.objective)
    empty = np.zeros((0, layout.WIDTH))
    return rows, np.concatenate([empty, *chains])


_Entry = tuple[Target, float, float, float, tuple[float, ...], FloatArray]


def _entry(target: Target) -> _Entry:
    """Kind, weights, fixed axes and target matrix of one objective."""
    objective = target.objective
    weight = objective.weight
    matrix = np.eye(4)
    if isinstance(objective, PoseObjective):
        return target, layout.POSE, weight, weight, (1.0, 1.0, 1.0), objective.T_world_frame
    if isinstance(objective, PositionObjective):
        matrix[:3, 3] = objective.xyz
        return target, layout.POSITION, weight, 0.0, tuple(map(float, objective.fixed)), matrix
    if isinstance(objective, OrientationObjective):
        matrix[:3, :3] = objective.R_world_frame
        return target, layout.ORIENTATION, 0.0, weight, (0.0, 0.0, 0.0), matrix
    matrix[:3, 2] = objective.axis
    return target, layout.TIP_AXIS, 0.0, weight, (0.0, 0.0, 0.0), matrix


def _as_one_pose(targets: Sequence[Target]) -> _Entry | None:
    """Take a position and an orientation of the same frame, and no more, as one pose."""
    if len(targets) != 2 or targets[0].index != targets[1].index:
        return None
    if targets[0].frame_type is not targets[1].frame_type:
        return None
    one, two = targets[0].objective, targets[1].objective
    if isinstance(one, OrientationObjective):
        one, two = two, one
    if not isinstance(one, PositionObjective) or not isinstance(two, OrientationObjective):
        return None
    if not all(one.fixed):
        return None
    matrix = np.eye(4)
    matrix[:3, :3] = two.R_world_frame
    matrix[:3, 3] = one.xyz
    return targets[0], layout.POSE, one.weight, two.weight, (1.0, 1.0, 1.0), matrix


def _is_quick(table: FloatArray, n: int) -> bool:
    """Whether there is one pose, of a chain that moves all joints in order, at least six."""
    if table[0, layout.N_OBJECTIVES] != 1.0 or n < 6:
        return False
    head = table[1 + n]
    if head[layout.KIND] != layout.POSE or head[layout.N_JOINTS] != n:
        return False
    first = int(head[layout.CHAIN])
    return bool((table[first : first + n, 0] == np.arange(n)).all())
