"""Words for a failed search: what to change."""

from collections.abc import Sequence

import numpy as np

from armwright.ik._kernels import layout
from armwright.ik.objectives import FrameObjective, Objective, PrimaryObjective
from armwright.ik.program import CHAIN_ORIGIN, Program, Target, objective_at
from armwright.kinematics import RobotModel
from armwright.kinematics._kernels.layout import CHAIN_SLIDES
from armwright.kinematics.arrays import FloatArray

_ADVICE = "leave an axis of a position free (None) or drop an objective"

_MANY = 50.0  # reaches; a target in millimetres is up to a thousand of them away


def unreachable_words(program: Program, objectives: Sequence[Objective]) -> str:
    """Say why a target may be out of reach, as far as counting and measuring tell."""
    if program.n_moving == 0:
        return "; no joint moves it"
    words = ""
    for target in program.targets:
        distance = _distance(target, objective_at(objectives, target))
        if distance is not None and distance > target.reach:
            words += (
                f"; the target is {distance:.3f} m from the first joint, and the "
                f"{target.frame_type.value} frame reaches {target.reach:.3f} m"
                f"{millimetres_words(distance, target.reach)}"
            )
    if not words and program.n_moving < program.n_rows:
        advices = [o.advice for o in objectives if isinstance(o, PrimaryObjective) and o.advice]
        words = (
            f"; {program.n_moving} joint{'s' if program.n_moving > 1 else ''} cannot meet "
            f"{program.n_rows} constraints; {advices[0] if advices else _ADVICE}"
        )
    return words


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


def _distance(target: Target, objective: FrameObjective) -> float | None:
    """Distance of a position target from the first joint [m]; None when slides or axes differ."""
    xyz = objective.wanted_point()
    if xyz is None or len(target.chain) == 1 or target.chain[:-1, CHAIN_SLIDES].any():
        return None
    return float(np.linalg.norm(xyz - target.chain[0, CHAIN_ORIGIN]))
