"""Random arms of six joints by family, a brute search over starts, and solutions compared."""

import math

import numpy as np

import armwright as aw
from armwright import ik
from tests.ik.conftest import FloatArray, rotation_about

# What makes the family: which placements after joint i (from 0) keep axes parallel, or meeting.
PARALLEL_AFTER = {"parallel": (1, 2), "parallel reversed": (2, 3), "wrist, 1 along 2": (0,)}
MEET_AFTER = {
    "parallel": (4,),
    "parallel reversed": (0,),
    "wrist": (3, 4),
    "wrist, 1 meets 2": (0, 3, 4),
    "wrist, 1 along 2": (3, 4),
    "shoulder": (0, 1),
    "free": (),
}
FAMILIES = sorted(MEET_AFTER)
CLOSED = [family for family in FAMILIES if family != "free"]


def random_rotation(rng: np.random.Generator) -> FloatArray:
    """A rotation, about any axis by any angle."""
    return rotation_about(rng.normal(size=3), rng.uniform(0.2, math.pi))


def placement(R: FloatArray, p: FloatArray) -> FloatArray:
    """A homogeneous matrix."""
    T = np.eye(4)
    T[:3, :3] = R
    T[:3, 3] = p
    return T


def random_arm(rng: np.random.Generator, family: str, *, gears: bool = True) -> aw.RobotModel:
    """An arm of six turning joints: any base, any tool, negative axes, gears of either sign."""
    arm = aw.ArmBuilder(base_frame=placement(random_rotation(rng), rng.uniform(-1, 1, 3)))
    for i in range(6):
        gear = float(rng.uniform(0.5, 2.0) * rng.choice([-1.0, 1.0])) if gears else 1.0
        arm.joint(str(rng.choice(["rz", "-rz"])), gear_ratio=gear)
        R = random_rotation(rng)
        p = rng.uniform(0.05, 0.4, 3) * rng.choice([-1.0, 1.0], 3)
        if i in PARALLEL_AFTER.get(family, ()):
            R = np.eye(3)
        if i in MEET_AFTER[family]:
            p = np.zeros(3)
        arm.rigid_body(mass=1.0, output=placement(R, p))
    tool = placement(random_rotation(rng), rng.uniform(-0.2, 0.2, 3))
    return arm.end_effector(output=tool).build()


def turns(model: aw.RobotModel) -> FloatArray:
    """Joint positions of one whole turn of every output, shape (dof,)."""
    return 2.0 * math.pi * np.array([abs(getattr(e, "gear_ratio", 1.0)) for e in joints(model)])


def joints(model: aw.RobotModel) -> list[object]:
    """The elements that move."""
    return [e for e in model.elements if e.kind in ("joint", "actuator")]


def difference(model: aw.RobotModel, a: FloatArray, b: FloatArray) -> FloatArray:
    """Largest joint difference [rad of the output], whole turns left aside; over the last axis."""
    share = (a - b) / turns(model)
    largest: FloatArray = 2.0 * math.pi * np.abs(share - np.round(share)).max(axis=-1)
    return largest


def holds(model: aw.RobotModel, solutions: FloatArray, q: FloatArray) -> bool:
    """Whether q is among the solutions."""
    return len(solutions) > 0 and bool(difference(model, solutions, q).min() < 2e-3)


def random_joints(rng: np.random.Generator, model: aw.RobotModel) -> FloatArray:
    """Joint positions anywhere within one turn."""
    q: FloatArray = rng.uniform(-0.5, 0.5, model.dof) * turns(model)
    return q


def brute_force(
    rng: np.random.Generator, model: aw.RobotModel, T: FloatArray, starts: int
) -> list[FloatArray]:
    """Every solution that many independent random starts of ``ik.solve`` find."""
    problem = ik.IKProblem(model, ik.pose(T))
    found: list[FloatArray] = []
    for _ in range(starts):
        result = problem.solve(
            random_joints(rng, model),
            max_starts=1,
            position_tolerance=1e-9,
            orientation_tolerance=1e-9,
        )
        exact = result.position_error < 1e-8 and result.orientation_error < 1e-8
        if exact and not holds(model, np.array(found), result.q):
            found.append(result.q)
    return found
