"""Words for a failed search: what to change."""

import math
from collections.abc import Sequence

import numpy as np

from armwright.ik._kernels import layout
from armwright.ik.objectives import FrameObjective, Objective, PrimaryObjective
from armwright.ik.program import Program, Target, objective_at
from armwright.kinematics import RobotModel
from armwright.kinematics.arrays import FloatArray

from .span import nearest_distance, spans

POINT = 1e-3  # of the reach: a point to which the frame comes as near as this can be reached
_ADVICE = "leave an axis of a position free (None) or drop an objective"

_MANY = 50.0  # reaches; a target in millimetres is up to a thousand of them away


def unreachable_words(
    model: RobotModel, program: Program, objectives: Sequence[Objective], q: FloatArray
) -> str:
    """Say why a target may be out of reach, as far as counting and measuring tell.

    Args:
        model: The robot.
        program: The objectives, laid out.
        objectives: What was to be reached.
        q: The closest joint positions, shape (dof,).
    """
    if program.n_moving == 0:
        return "; no joint moves it"
    points = [
        (target, xyz)
        for target in program.targets
        if (xyz := objective_at(objectives, target).wanted_point()) is not None
    ]
    words = "".join(_distance_words(model, program, target, xyz) for target, xyz in points)
    if "frame reaches" not in words and program.n_moving < program.n_rows:
        advices = [o.advice for o in objectives if isinstance(o, PrimaryObjective) and o.advice]
        words += (
            f"; {program.n_moving} joint{'s' if program.n_moving > 1 else ''} cannot meet "
            f"{program.n_rows} constraints; {advices[0] if advices else _ADVICE}"
        )
    if not words and len(points) == 1:
        words = _point_words(model, program, objectives, *points[0], q)
    return words


def _distance_words(model: RobotModel, program: Program, target: Target, xyz: FloatArray) -> str:
    """Say that a point is farther than the frame reaches, or nearer than it comes, or nothing."""
    for span in spans(model, target, program.limits):
        distance = float(np.linalg.norm(xyz - span.point))
        slack = 0.1 * POINT * target.reach
        if distance > span.most + slack:
            bound, does = span.most, "reaches"
        elif distance < span.least - slack:
            bound, does = span.least, "comes no nearer to it than"
        else:
            continue
        digits = max(3, 2 - math.floor(math.log10(target.reach)))  # more for small arms
        while f"{distance:.{digits}f}" == f"{bound:.{digits}f}":
            digits += 1
        return (
            f"; the target is {distance:.{digits}f} m from {span.name}, and the "
            f"{target.frame_type.value} frame {does} {bound:.{digits}f} m"
            f"{millimetres_words(distance, target.reach)}"
        )
    return ""


def _point_words(
    model: RobotModel,
    program: Program,
    objectives: Sequence[Objective],
    target: Target,
    xyz: FloatArray,
    q: FloatArray,
) -> str:
    """Say whether it is the point or the orientation that is out of reach."""
    turned = any(
        o.orientation_rows is not None for o in objectives if isinstance(o, FrameObjective)
    )
    if not turned:
        here = model.forward_kinematics(target.frame_type, q)[target.index, :3, 3]
        nearest = ", ".join(f"{value:.4g}" for value in here.round(6) + 0.0)
        return (
            f"; the nearest point that the {target.frame_type.value} frame reaches is ({nearest})"
        )
    distance = nearest_distance(target, program.limits, xyz)
    if distance < POINT * target.reach:
        return "; the point alone can be reached, but not with this orientation"
    if distance < np.inf:
        return f"; the point alone is out of reach, too, by {distance:.3g} m"
    return ""


def millimetres_words(distance: float, reach: float) -> str:
    """Ask about the unit of a target that is many reaches away [m]; "" for others."""
    return ": millimetres?" if distance > _MANY * reach else ""


def uncontrolled_words(model: RobotModel, program: Program, q: FloatArray) -> str:
    """Name the motions of a frame that too few joints leave out, where the search ended.

    They are perpendicular to all that the joints can do, metres counting like radians as in the
    search; in world axes, for a turn of 1 rad where they turn at all.
    """
    frames = {(target.frame_type, target.index): target for target in program.targets}
    if len(frames) != 1 or program.n_rows != 6 or not 0 < program.n_moving < 6:
        return ""
    target = program.targets[0]
    J = model.jacobian(q, frame_type=target.frame_type, index=target.index)
    scale = np.array([program.length_weight] * 3 + [1.0] * 3)[:, np.newaxis]
    U, _, _ = np.linalg.svd(scale * J)
    words = []
    for u in U.T[program.n_moving :]:
        V = u / scale[:, 0]
        turn, shift = float(np.linalg.norm(V[3:])), float(np.linalg.norm(V[:3]))
        if turn < 1e-6:
            words.append(f"a shift along {_three(V[:3] / shift)}")
            continue
        V /= turn
        more = f" with a shift of {_three(V[:3])} m per rad" if shift > 1e-3 * turn else ""
        words.append(f"a turn about {_three(V[3:])}{more}")
    return f"; not controllable there, in world axes: {'; '.join(words)}"


def _three(values: FloatArray) -> str:
    """Three numbers, short and without a minus in front of zero."""
    return "(" + ", ".join(f"{value:.2f}" for value in (values + 0.0).round(2) + 0.0) + ")"


def outside_words(model: RobotModel, program: Program, q: FloatArray | None) -> str:
    """Name the joints that would leave their limits, for one solution without limits."""
    if q is None:
        return ""
    words = []
    turn = program.table[1 : model.dof + 1, layout.TURN]
    for j, value in enumerate(q.tolist()):
        low, high = program.limits[:, j].tolist()
        if turn[j] > 0.0:  # the twin nearest to the middle of the limits
            middle = np.clip(value, low, high) if np.isinf(low + high) else 0.5 * (low + high)
            value -= float(turn[j] * np.round((value - middle) / turn[j]))
        if not low <= value <= high:
            words.append(f"{model.joint_names[j]} at {value:.4g} (limits {low:.4g} to {high:.4g})")
    return f"; without limits, for example, {', '.join(words)}" if words else ""
