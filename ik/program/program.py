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
from armwright.ik.checks import FloatArray
from armwright.ik.objectives import (
    FRAME_OBJECTIVES,
    CustomObjective,
    FrameObjective,
    JointLimits,
    Objective,
    OrientationObjective,
    PoseObjective,
    PositionObjective,
)
from armwright.kinematics import FrameType, RobotModel

from .limits import combined_limits
from .rows import (
    LEAST_IN_SEARCH,
    LEAST_WEIGHT,
    WEIGHTS,
    kind_of,
    n_rows,
    objective_rows,
)
from .secondary import Secondary, secondary
from .starts import offsets, strides
from .target import Target, frame_objective

# Limits far out stand for none: counted whole, they would make metres weigh nothing against turns.
MOST_TRAVEL = 100.0  # of one slide, in lengths of the links

GENERAL = -1
MERGED = -2


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A problem as the kernels need it, but for the targets, which ``filled`` puts in.

    Attributes:
        model: The robot.
        table: Shape (rows, 32), see ``_kernels/layout.py``; starts for random_seed 0.
        shape: Of the state.
        quick: Number of the pose objective if the kernel for one pose can do it; GENERAL when the
            general kernel must; MERGED when the pose is a position and an orientation.
        merged: Whether a position and an orientation of the same frame were taken as one pose.
        plain: Whether one search is all: joints that move, nothing custom, nothing secondary.
        targets: The frame objectives, in the order of their rows.
        limits: Shape (2, n_dof).
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
    quick: int
    merged: bool
    plain: bool
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
    limits = combined_limits(model, [o for o in objectives if isinstance(o, JointLimits)])
    customs = [o for o in objectives if isinstance(o, CustomObjective)]
    targets = _targets(model, objectives, limits)
    framed = [frame_objective(objectives, target) for target in targets]
    anything = any(not isinstance(o, JointLimits) for o in objectives)
    if not anything:
        raise ObjectiveError(
            "nothing to solve for; add an objective such as ik.position([0.3, 0.1, 0.2])"
        )
    reach = max((target.reach for target in targets), default=0.0)
    length_weight = 2.0 / reach if reach > 1e-6 else 2.0
    top_weight = max([o.weight for o in framed] + [o.weight for o in customs], default=1.0)

    moves = np.full(n, 1.0 if customs else 0.0)
    for target in targets:
        moves[target.chain[:-1, 0].astype(np.intp)] = 1.0
    merged = _is_one_pose(targets, framed)
    weighing = (length_weight, top_weight)
    heads, chains = objective_rows(targets, framed, merged, n, *weighing, LEAST_IN_SEARCH)
    compromise = None
    if any(o.weight < LEAST_IN_SEARCH * top_weight for o in framed):
        weighed, _ = objective_rows(targets, framed, merged, n, *weighing, LEAST_WEIGHT)
        compromise = weighed[::2, WEIGHTS]
    kinds = _joint_kinds(model, targets)
    unit = _units(kinds, length_weight)
    goals = secondary(model, objectives, limits, unit, length_weight)
    first_goal = 1 + n + len(heads) + len(chains)
    table = np.zeros((first_goal + len(goals.goals), layout.WIDTH))
    header, joints = table[0], table[1 : n + 1]
    header[layout.N_OBJECTIVES] = len(heads) // 2
    header[layout.N_ROWS] = sum(n_rows(kind_of(objective)) for objective in framed)
    header[layout.LENGTH_WEIGHT] = length_weight
    header[layout.LONGEST] = max((len(target.chain) for target in targets), default=1)
    _lay_out_joints(joints, kinds, limits, moves, length_weight)
    table[n + 1 : n + 1 + len(heads), :16] = heads
    table[n + 1 + len(heads) : first_goal, :16] = chains
    goals.put(table, first_goal)
    quick = _quick(targets, framed, merged, n)
    if quick != GENERAL:
        table[1 : n + 1, layout.DIRECT :] = targets[0].chain[:-1]
        table[0, layout.DIRECT :] = targets[0].chain[-1]
    n_moving = _count_moving(joints)
    return Program(
        model=model,
        table=table,
        shape=(n + 1, layout.STATE_WIDTH),
        quick=quick,
        merged=merged,
        plain=not (customs or goals.asked) and n_moving > 0,
        targets=targets,
        limits=limits,
        n_rows=int(header[layout.N_ROWS]) + sum(custom.n_errors for custom in customs),
        n_moving=n_moving,
        length_weight=length_weight,
        top_weight=top_weight,
        compromise=compromise,
        secondary=goals,
    )


def with_limits(
    program: Program, model: RobotModel, objectives: Sequence[Objective]
) -> Program | None:
    """Return a program with the limits of these objectives, which differ in nothing else.

    None when limits are more than limits: the travel of a slide counts for the reach, and the
    middle of the limits can be a goal.
    """
    if program.secondary.needs_limits or any(
        target.chain[:-1, 1].any() for target in program.targets
    ):
        return None
    limits = combined_limits(model, [o for o in objectives if isinstance(o, JointLimits)])
    table = program.table.copy()
    joints = table[1 : model.dof + 1]
    joints[:, layout.LOWER] = limits[0]
    joints[:, layout.UPPER] = limits[1]
    n_moving = _count_moving(joints)
    return replace(
        program,
        table=table,
        limits=limits,
        n_moving=n_moving,
        plain=n_moving > 0 and not program.secondary.asked,
    )


def filled(program: Program, objectives: Sequence[Objective]) -> FloatArray:
    """Return a copy of the table with the targets of these objectives."""
    table = program.table.copy()
    row = program.limits.shape[1] + 2
    if program.merged:
        table[row, layout.TARGET : 16] = pose_of(program, objectives)[:3].ravel()
        return table
    for target in program.targets:
        goal = frame_objective(objectives, target).goal
        table[row, layout.TARGET : 16] = goal[:3].ravel()
        row += 2
    return table


def pose_of(program: Program, objectives: Sequence[Objective]) -> FloatArray:
    """Return the pose that the quick kernel is to reach, shape (4, 4)."""
    if not program.merged:
        return frame_objective(objectives, program.targets[0]).goal
    one, two = (frame_objective(objectives, target) for target in program.targets)
    if isinstance(one, OrientationObjective):
        one, two = two, one
    goal = two.goal.copy()
    goal[:3, 3] = one.goal[:3, 3]
    return goal


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
        targets.append(Target(number, frame_type, index, chain, reach))
    return tuple(sorted(targets, key=lambda target: (target.frame_type.value, target.index)))


def _reach(chain: FloatArray, limits: FloatArray) -> float:
    """Length of a chain from its first joint on: links, and the travel of limited slides [m]."""
    links = total = math.fsum(math.hypot(*p) for p in chain[1:, [7, 11, 15]].tolist())
    most = MOST_TRAVEL * links if links > 1e-6 else math.inf
    for joint, slides, scale in chain[:-1, :3].tolist():
        travel = abs(scale) * float(limits[1, int(joint)] - limits[0, int(joint)])
        if slides and travel < math.inf:
            total += min(travel, most)
    return total


def _count_moving(joints: FloatArray) -> int:
    """Count the joints that some objective depends on and that have room to move."""
    room = joints[:, layout.UPPER] > joints[:, layout.LOWER]
    return int(np.count_nonzero(room & (joints[:, layout.MOVES] != 0.0)))


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


def _units(kinds: FloatArray, length_weight: float) -> FloatArray:
    """Joint units per unit of q, shape (n_dof,)."""
    scale: FloatArray = np.abs(kinds[:, 1]) * np.where(kinds[:, 0] != 0.0, length_weight, 1.0)
    return scale


def _lay_out_joints(
    rows: FloatArray,
    kinds: FloatArray,
    limits: FloatArray,
    moves: FloatArray,
    length_weight: float,
) -> None:
    """Fill the joint rows, all but the secondary goals."""
    n = len(kinds)
    slides = kinds[:, 0] != 0.0
    scale = np.abs(kinds[:, 1])
    rows[:, layout.LOWER] = limits[0]
    rows[:, layout.UPPER] = limits[1]
    rows[:, layout.TURN] = np.where(slides, 0.0, 2.0 * math.pi / scale)
    rows[:, layout.UNIT] = _units(kinds, length_weight)
    rows[:, layout.TRAVEL] = 2.0 / length_weight / scale
    rows[:, layout.MOVES] = moves
    rows[:, layout.OFFSET] = offsets(0, n)
    rows[moves != 0.0, layout.STRIDE] = strides(int(np.count_nonzero(moves)))


def _is_one_pose(targets: Sequence[Target], framed: Sequence[FrameObjective]) -> bool:
    """Whether there are a position and an orientation of the same frame, and no more."""
    if len(targets) != 2 or targets[0].index != targets[1].index:
        return False
    kinds = {type(objective) for objective in framed}
    fixed = [o.fixed for o in framed if isinstance(o, PositionObjective)]
    return (
        targets[0].frame_type is targets[1].frame_type
        and kinds == {PositionObjective, OrientationObjective}
        and all(fixed[0])
    )


def _quick(
    targets: Sequence[Target], framed: Sequence[FrameObjective], merged: bool, n: int
) -> int:
    """Whether there is one pose of a chain that moves all joints in order, at least six."""
    if not merged and not (len(framed) == 1 and isinstance(framed[0], PoseObjective)):
        return GENERAL
    moved = targets[0].chain[:-1, 0].tolist()
    if n < 6 or moved != list(range(n)):
        return GENERAL
    return MERGED if merged else targets[0].number
