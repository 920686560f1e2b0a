"""Objectives and model in, one flat table for the kernels out (``_kernels/layout.py``).

Lengths and angles are made comparable by one number per problem: w = 2 / reach radians count like
one metre, where the reach is the length of the longest chain involved: the distances between its
joints, and to the frame, plus the travel of limited slides, as far as that is comparable. The
largest weight counts as 1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from armwright.errors import ObjectiveError
from armwright.ik._kernels import layout
from armwright.ik.objectives import (
    KernelRow,
    Objective,
    PrimaryObjective,
    SecondaryObjective,
    TargetObjective,
)
from armwright.kinematics import FrameType, RobotModel
from armwright.kinematics._kernels.layout import CHAIN_JOINT, CHAIN_SCALE, CHAIN_SLIDES
from armwright.kinematics.arrays import FloatArray, whole_number

from .limits import combine_limits
from .rows import LEAST_IN_SEARCH, LEAST_WEIGHT, WEIGHTS, lay_out_rows
from .secondary import Secondary, add_up_secondary
from .starts import offsets, strides
from .target import Target, find_targets, known_at

GENERAL = -1
MERGED = -2

POSITION_TOLERANCE = 1e-6  # where a search stops when nobody says [m] ...
SMALL = 0.1  # ... but for arms that reach less than this [m]: for them in proportion to the reach


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A problem as the kernels need it, but for the targets, which ``fill_in`` puts in.

    Attributes:
        model: The robot.
        table: Shape (rows, 32), see ``_kernels/layout.py``; starts for random_seed 0.
        shape: Of the state.
        direct_pose: Number of the pose objective if the kernel for one pose can do it; GENERAL
            when the general kernel must; MERGED when the pose is a position and an orientation.
        merged: Numbers of a position and an orientation of the same frame that were taken as one
            pose, or None.
        is_general: Whether there is an objective that the kernels do not know: then none is in the
            table, and least squares must do.
        plain: Whether one search is all: joints that move, nothing general, nothing secondary.
        position_tolerance: Where a search stops when nobody says [m].
        quick: Whether it is plain, and stops where ``solve`` says in its signature.
        targets: The frame objectives, in the order of their rows.
        limits: Shape (2, dof).
        n_rows: Error rows of all primary objectives.
        n_moving: Joints that some objective depends on and that have room to move.
        length_weight: Radians that count like one metre [1/m].
        top_weight: The largest weight, which counts as 1.
        compromise: Weights of position and orientation for each objective of the table, shape
            (n_objectives, 2), to be used when not all can be met; None when they are in the table.
        secondary: The secondary goals.
    """

    model: RobotModel
    table: FloatArray
    shape: tuple[int, int]
    direct_pose: int
    merged: tuple[int, int] | None
    is_general: bool
    plain: bool
    position_tolerance: float
    quick: bool
    targets: tuple[Target, ...]
    limits: FloatArray
    n_rows: int
    n_moving: int
    length_weight: float
    top_weight: float
    compromise: FloatArray | None
    secondary: Secondary


def compile_program(model: RobotModel, objectives: Sequence[Objective]) -> Program:
    """Look up the frames, intersect the limits, lay out the table.

    Raises:
        ObjectiveError: If there is nothing to solve for, or a length does not fit the model.
        FrameNotFoundError: If a frame is not found.
    """
    n = model.dof
    limits = combine_limits(model, objectives)
    targets = find_targets(model, objectives, limits)
    primary = [o for o in objectives if isinstance(o, PrimaryObjective)]
    if not primary and not any(isinstance(o, SecondaryObjective) for o in objectives):
        raise ObjectiveError(
            "nothing to solve for; add an objective such as ik.position([0.3, 0.1, 0.2])"
        )
    is_general = not all(isinstance(o, TargetObjective) for o in primary)
    known = [] if is_general else [known_at(objectives, target).kernel_row() for target in targets]
    reach = max((target.reach for target in targets), default=0.0)
    length_weight = 2.0 / reach if reach > 1e-6 else 2.0
    top_weight = max((objective.weight for objective in primary), default=1.0)

    moves = np.full(n, 1.0 if is_general else 0.0)
    for target in targets:
        moves[target.chain[:-1, CHAIN_JOINT].astype(np.intp)] = 1.0
    merged = _find_merged(targets, known)
    in_table = () if is_general else targets
    weighing = (length_weight, top_weight)
    heads, chains = lay_out_rows(in_table, known, merged is not None, n, *weighing, LEAST_IN_SEARCH)
    compromise = None
    if known and any(o.weight < LEAST_IN_SEARCH * top_weight for o in primary):
        weighed, _ = lay_out_rows(in_table, known, merged is not None, n, *weighing, LEAST_WEIGHT)
        compromise = weighed[::2, WEIGHTS]
    motions = _joint_motions(model, targets)
    unit = _units(motions, length_weight)
    extra = add_up_secondary(model, objectives, limits, unit, length_weight)
    first_goal = 1 + n + len(heads) + len(chains)
    table = np.zeros((first_goal + len(extra.manipulabilities), layout.WIDTH))
    header, joints = table[0], table[1 : n + 1]
    header[layout.N_OBJECTIVES] = len(heads) // 2
    header[layout.N_ROWS] = sum(row.n_errors for row in known)
    header[layout.LENGTH_WEIGHT] = length_weight
    header[layout.LONGEST] = max((len(target.chain) for target in targets), default=1)
    _lay_out_joints(joints, motions, limits, moves, length_weight)
    table[n + 1 : n + 1 + len(heads), :16] = heads
    table[n + 1 + len(heads) : first_goal, :16] = chains
    extra.put(table, first_goal)
    direct_pose = _find_direct_pose(targets, known, merged, n)
    if direct_pose != GENERAL:
        table[1 : n + 1, layout.DIRECT :] = targets[0].chain[:-1]
        table[0, layout.DIRECT :] = targets[0].chain[-1]
    n_moving = _count_moving(joints)
    plain = not (is_general or extra.asked) and n_moving > 0
    tolerance = _tolerance(reach)
    return Program(
        model=model,
        table=table,
        shape=(n + 1, layout.STATE_WIDTH),
        direct_pose=direct_pose,
        merged=merged,
        is_general=is_general,
        plain=plain,
        position_tolerance=tolerance,
        quick=plain and tolerance == POSITION_TOLERANCE,
        targets=targets,
        limits=limits,
        n_rows=sum(
            whole_number(one.count_errors(), f"{one.name}, count_errors", 1, ObjectiveError)
            for one in primary
        ),
        n_moving=n_moving,
        length_weight=length_weight,
        top_weight=top_weight,
        compromise=compromise,
        secondary=extra,
    )


def with_limits(
    program: Program, model: RobotModel, objectives: Sequence[Objective]
) -> Program | None:
    """Return a program with the limits of these objectives, which differ in nothing else.

    None when limits are more than limits: the travel of a slide counts for the reach, and the
    middle of the limits can be a goal.
    """
    if program.secondary.needs_limits or any(
        target.chain[:-1, CHAIN_SLIDES].any() for target in program.targets
    ):
        return None
    limits = combine_limits(model, objectives)
    table = program.table.copy()
    joints = table[1 : model.dof + 1]
    joints[:, layout.LOWER] = limits[0]
    joints[:, layout.UPPER] = limits[1]
    n_moving = _count_moving(joints)
    plain = n_moving > 0 and not program.secondary.asked
    return replace(
        program,
        table=table,
        limits=limits,
        n_moving=n_moving,
        plain=plain,
        quick=plain and program.position_tolerance == POSITION_TOLERANCE,
    )


def fill_in(program: Program, objectives: Sequence[Objective]) -> FloatArray:
    """Return a copy of the table with the targets of these objectives."""
    table = program.table.copy()
    row = program.limits.shape[1] + 2
    if program.merged is not None:
        table[row, layout.TARGET : 16] = pose_of(program, objectives)[:3].ravel()
        return table
    if program.is_general:
        return table
    for target in program.targets:
        table[row, layout.TARGET : 16] = known_at(objectives, target).target[:3].ravel()
        row += 2
    return table


def pose_of(program: Program, objectives: Sequence[Objective]) -> FloatArray:
    """Return the pose that the kernel for one pose is to reach, shape (4, 4)."""
    if program.merged is None:
        return known_at(objectives, program.targets[0]).target
    position, orientation = program.merged
    pose: FloatArray = objectives[orientation].target.copy()  # type: ignore[attr-defined]
    pose[:3, 3] = objectives[position].target[:3, 3]  # type: ignore[attr-defined]
    return pose


def with_seed(table: FloatArray, n: int, random_seed: int) -> FloatArray:
    """Return a copy of a table with the starts of another seed."""
    copy = table.copy()
    copy[1 : n + 1, layout.OFFSET] = offsets(random_seed, n)
    return copy


def with_compromise(table: FloatArray, program: Program) -> FloatArray:
    """Return a copy of a table with the weights that count when not all can be met."""
    copy = table.copy()
    assert program.compromise is not None
    first = program.limits.shape[1] + 1
    rows = copy[first : first + 2 * len(program.compromise) : 2]
    rows[:, WEIGHTS] = program.compromise
    return copy


def without_limits(table: FloatArray, n: int) -> FloatArray:
    """Return a copy of a table without joint limits."""
    copy = table.copy()
    copy[1 : n + 1, layout.LOWER] = -np.inf
    copy[1 : n + 1, layout.UPPER] = np.inf
    return copy


def _tolerance(reach: float) -> float:
    """Return where a search stops when nobody says [m]: tiny arms want tiny errors."""
    return POSITION_TOLERANCE * min(reach / SMALL, 1.0) if reach > 1e-6 else POSITION_TOLERANCE


def _count_moving(joints: FloatArray) -> int:
    """Count the joints that some objective depends on and that have room to move."""
    room = joints[:, layout.UPPER] > joints[:, layout.LOWER]
    return int(np.count_nonzero(room & (joints[:, layout.MOVES] != 0.0)))


def _joint_motions(model: RobotModel, targets: Sequence[Target]) -> FloatArray:
    """Whether each joint slides, and its motion per unit of q, shape (dof, 2)."""
    motion = [CHAIN_SLIDES, CHAIN_SCALE]
    motions = np.full((model.dof, 2), np.nan)
    for target in targets:
        motions[target.chain[:-1, CHAIN_JOINT].astype(np.intp)] = target.chain[:-1, motion]
    i_frame = 0
    while np.isnan(motions).any():  # every joint leads to some output frame
        chain = model._chain(FrameType.OUTPUT, i_frame)
        motions[chain[:-1, CHAIN_JOINT].astype(np.intp)] = chain[:-1, motion]
        i_frame += 1
    return motions


def _units(motions: FloatArray, length_weight: float) -> FloatArray:
    """Joint units per unit of q, shape (dof,)."""
    scale: FloatArray = np.abs(motions[:, 1]) * np.where(motions[:, 0] != 0.0, length_weight, 1.0)
    return scale


def _lay_out_joints(
    rows: FloatArray,
    motions: FloatArray,
    limits: FloatArray,
    moves: FloatArray,
    length_weight: float,
) -> None:
    """Fill the joint rows, all but the secondary goals."""
    n = len(motions)
    slides = motions[:, 0] != 0.0
    scale = np.abs(motions[:, 1])
    rows[:, layout.LOWER] = limits[0]
    rows[:, layout.UPPER] = limits[1]
    rows[:, layout.TURN] = np.where(slides, 0.0, 2.0 * math.pi / scale)
    rows[:, layout.UNIT] = _units(motions, length_weight)
    rows[:, layout.TRAVEL] = 2.0 / length_weight / scale
    rows[:, layout.MOVES] = moves
    rows[:, layout.OFFSET] = offsets(0, n)
    rows[moves != 0.0, layout.STRIDE] = strides(int(np.count_nonzero(moves)))


def _find_merged(targets: Sequence[Target], known: Sequence[KernelRow]) -> tuple[int, int] | None:
    """Find a position and an orientation of the same frame, when there is no more."""
    if (
        len(known) != 2
        or (targets[0].frame_type, targets[0].index) != (targets[1].frame_type, targets[1].index)
        or sum(row.n_errors for row in known) != 6
    ):
        return None
    numbers = {row.code: target.number for target, row in zip(targets, known, strict=True)}
    if set(numbers) != {layout.POSITION, layout.ORIENTATION}:
        return None
    return numbers[layout.POSITION], numbers[layout.ORIENTATION]


def _find_direct_pose(
    targets: Sequence[Target],
    known: Sequence[KernelRow],
    merged: tuple[int, int] | None,
    n: int,
) -> int:
    """Find the one pose of a chain that moves all joints in order, at least six; else GENERAL."""
    if merged is None and [row.code for row in known] != [layout.POSE]:
        return GENERAL
    moved = targets[0].chain[:-1, CHAIN_JOINT].tolist()
    if n < 6 or moved != list(range(n)):
        return GENERAL
    return MERGED if merged is not None else targets[0].number
