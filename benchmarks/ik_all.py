"""All solutions of a pose: how many are found, and how long it takes.

    python benchmarks/ik_all.py [ARM ...] [--targets 2000] [--oracle 200] [--arms 10] [--seed S]

Kits with three parallel axes (closed form), then random arms of six joints: with a spherical
wrist (closed form), and without anything special (search). Targets come from joints uniform within
plus or minus pi, fresh ones with every seed. Three counts of what was missed: the joints that made
the target; the branches that an exhaustive multistart finds (``--oracle`` targets, 400 random
starts of ``ik.solve`` each); and, where EAIK is installed and knows the geometry, its branches.
Times are CPU times of the thread, per call from Python, less the cost of reading the clock. The
exit code is 1 when a budget is missed.
"""

import argparse
import importlib.util
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from time import thread_time_ns
from typing import Any

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # runs from a checkout, as a script too

from armwright import ik  # noqa: E402
from armwright.kinematics import ArmBuilder, FrameType, RobotModel, load  # noqa: E402
from armwright.kinematics.engine import kernel  # noqa: E402
from benchmarks.harness import report_machine  # noqa: E402

FloatArray = npt.NDArray[np.float64]

KITS = ROOT.parent / "shared" / "corpus" / "arms" / "config" / "hrdf"
KIT_NAMES = ("A-2085-06", "A-2240-06", "A-2580-06")
OWN_ARM = ROOT / "examples" / "arms" / "six_dof.hrdf"
ORACLE_STARTS = 400
CLOSED_BUDGET = (15.0, 0.9999)  # us at the median, share of the branches
SEARCH_BUDGET = (1500.0, 0.999)
SAME = 2e-3  # rad: solutions nearer than this are one


@dataclass(frozen=True)
class Group:
    """What was measured on one kind of arm.

    Attributes:
        name: Of the kind.
        closed: Whether it has a closed form.
        times: Per call [us].
        solutions: How many were found.
        unsure: Targets where the closed form asked the search.
        own_lost: Targets whose own joints were not found.
        branches: Found by the oracle.
        branches_lost: Of these, not found.
        eaik: Branches found by EAIK, and not by us; None when it was not asked.
        worst: Largest pose error of a solution [m or rad].
    """

    name: str
    closed: bool
    times: FloatArray
    solutions: int
    unsure: int
    own_lost: int
    branches: int
    branches_lost: int
    eaik: tuple[int, int] | None
    worst: float

    @property
    def within_budget(self) -> bool:
        """Whether time and completeness are as demanded."""
        longest, share = CLOSED_BUDGET if self.closed else SEARCH_BUDGET
        may_miss = 1.0 - share + 1e-9
        return bool(
            np.median(self.times) <= longest
            and self.own_lost <= may_miss * self.times.size
            and self.branches_lost <= may_miss * self.branches
        )


def measure(
    name: str, models: list[RobotModel], targets: int, oracle: int, rng: np.random.Generator
) -> Group:
    """Run the targets, shared out among the arms of one kind."""
    times, solutions, unsure, own_lost, branches, branches_lost = [], 0, 0, 0, 0, 0
    theirs = theirs_only = 0
    asked_eaik = False
    worst = 0.0
    clock = _clock_cost()
    for model in models:
        robot = _eaik(model)
        asked_eaik = asked_eaik or robot is not None
        joints = rng.uniform(-math.pi, math.pi, (targets // len(models), model.dof))
        poses = [model.end_effector(q) for q in joints]
        kernel("armwright.ik._kernels.all_search", "search_all")
        ik.solve_all(model, poses[0])  # looks the arm up, loads or compiles
        answers = []
        for T in poses:
            begin = thread_time_ns()
            found = ik.solve_all(model, T)
            begin -= thread_time_ns()
            times.append((-begin - clock) / 1e3)
            answers.append(found)
        for i, (q, T, found) in enumerate(zip(joints, poses, answers, strict=True)):
            solutions += len(found)
            unsure += found.method == "closed form and numeric"
            own_lost += not holds(found.solutions, q)
            worst = max(worst, float(found.pose_errors.max(initial=0.0)))
            problem = ik.IKProblem(model, ik.pose(T))
            if robot is not None:
                there = robot.branches(problem, model, T)
                theirs += len(there)
                theirs_only += sum(not holds(found.solutions, a) for a in there)
            if i < oracle // len(models):
                there = brute_force(rng, problem)
                branches += len(there)
                branches_lost += sum(not holds(found.solutions, a) for a in there)
    closed = found.method != "numeric"
    eaik = (theirs, theirs_only) if asked_eaik else None
    return Group(
        name, closed, np.array(times), solutions, unsure, own_lost, branches, branches_lost, eaik,
        worst,
    )  # fmt: skip


def holds(solutions: FloatArray, q: FloatArray) -> bool:
    """Whether q is among the solutions, whole turns left aside."""
    difference = np.remainder(solutions - q + math.pi, 2.0 * math.pi) - math.pi
    return bool((np.abs(difference).max(axis=1, initial=0.0) < SAME).any())


def brute_force(rng: np.random.Generator, problem: ik.IKProblem) -> list[FloatArray]:
    """Every branch that independent random starts of the solver for one solution find."""
    found: list[FloatArray] = []
    for _ in range(ORACLE_STARTS):
        result = problem.solve(
            rng.uniform(-math.pi, math.pi, problem.model.dof),
            max_starts=1,
            position_tolerance=1e-9,
            orientation_tolerance=1e-9,
        )
        exact = result.position_error < 1e-8 and result.orientation_error < 1e-8
        if exact and not (found and holds(np.array(found), result.q)):
            found.append(result.q)
    return found


def random_arm(rng: np.random.Generator, *, wrist: bool) -> RobotModel:
    """Six turning joints, turned and placed at random; with a wrist the last three axes meet."""
    arm = ArmBuilder()
    for i in range(6):
        T = np.eye(4)
        T[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        T[:3, :3] *= np.linalg.det(T[:3, :3])
        if not (wrist and i in (3, 4)):
            T[:3, 3] = rng.uniform(0.02, 0.4, 3) * rng.choice([-1.0, 1.0], 3)
        arm.joint("rz").rigid_body(mass=1.0, output=T)
    return arm.end_effector().build()


def _clock_cost() -> int:
    """Return what reading the clock twice costs [ns]."""
    costs = []
    for _ in range(2000):
        begin = thread_time_ns()
        costs.append(thread_time_ns() - begin)
    return int(np.median(costs))


@dataclass(frozen=True)
class Eaik:
    """An arm in EAIK.

    Attributes:
        robot: EAIK's own object.
        signs: -1 for an axis that was turned round: EAIK takes axes 2, 3, 4 for parallel when two
            of them are opposite, and then answers with wrong poses.
        R_zero: Turn of the tool in the zero position, which EAIK wants taken out of targets.
    """

    robot: Any
    signs: FloatArray
    R_zero: FloatArray

    def branches(self, problem: ik.IKProblem, model: RobotModel, T: FloatArray) -> list[FloatArray]:
        """Return its answers, polished, without those that are none."""
        seen = T.copy()
        seen[:3, :3] = T[:3, :3] @ self.R_zero.T
        found = []
        for q in np.atleast_2d(self.robot.IK(seen).Q):
            if q.size != model.dof or np.abs(model.end_effector(self.signs * q) - T).max() > 1e-3:
                continue
            result = problem.solve(
                self.signs * q, max_starts=1, position_tolerance=1e-9, orientation_tolerance=1e-9
            )
            if result.position_error < 1e-8 and result.orientation_error < 1e-8:
                found.append(result.q)
        return found


def _eaik(model: RobotModel) -> Eaik | None:
    """Return the arm in EAIK, if it is installed and knows the geometry."""
    if importlib.util.find_spec("eaik") is None:
        return None
    axes, points = [], [np.zeros(3)]
    T = np.eye(4)
    for row in model._chain(FrameType.END_EFFECTOR, 0)[:-1]:
        T = T @ np.vstack([row[4:].reshape(3, 4), [0.0, 0.0, 0.0, 1.0]])
        axes.append(T[:3, 2].round(6))  # what is parallel up to 1e-7 is not parallel to it
        points.append(T[:3, 3].round(6))
    signs = np.array([-1.0 if np.linalg.norm(axes[1] + h) < 1e-5 else 1.0 for h in axes])
    T_zero = model.end_effector(np.zeros(model.dof))
    points.append(T_zero[:3, 3])
    make = importlib.import_module("eaik.IK_HP").HPRobot
    robot = make(np.array(axes) * signs[:, None], np.diff(points, axis=0))
    return Eaik(robot, signs, T_zero[:3, :3]) if robot.hasKnownDecomposition() else None


def report(group: Group) -> None:
    """Print one line."""
    times = group.times
    parts = [
        f"{group.name:24} {np.median(times):7.1f} {times.mean():7.1f}",
        f"{np.percentile(times, 99):7.1f} {times.max():8.0f}",
        f"{group.solutions / times.size:6.2f} {group.unsure:6d}",
        f"{group.own_lost:4d} of {times.size:<6d}",
        f"{group.branches_lost:3d} of {group.branches:<6d}",
        f"{group.eaik[1]} of {group.eaik[0]}" if group.eaik else "-",
        f"{group.worst:.0e}",
        "ok" if group.within_budget else "MISSED",
    ]
    print("  ".join(parts), flush=True)


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("arms_to_load", nargs="*", type=Path, metavar="ARM")
    parser.add_argument("--targets", type=int, default=2000, help="per kind of arm")
    parser.add_argument("--oracle", type=int, default=200, help="of them against brute force")
    parser.add_argument("--arms", type=int, default=10, help="random arms of each kind")
    parser.add_argument("--seed", type=int, default=None, help="of the targets; fresh without")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else np.random.SeedSequence().entropy
    rng = np.random.default_rng(seed)

    report_machine(["numpy", "numba", "EAIK"])
    print(f"seed {seed}, {options.targets} targets per row; times in us")
    head = ("median", "mean", "p99", "max", "each", "unsure", "own lost", "branches lost", "EAIK's")
    print(f"{'arm':24} {'  '.join(head)}  worst error")
    files = options.arms_to_load or [KITS / f"{name}.hrdf" for name in KIT_NAMES]
    groups = {file.stem: [load(file)] for file in files if file.is_file()} or {
        OWN_ARM.stem: [load(OWN_ARM)]
    }
    groups["random, wrist"] = [random_arm(rng, wrist=True) for _ in range(options.arms)]
    groups["random"] = [random_arm(rng, wrist=False) for _ in range(options.arms)]
    measured = []
    for name, models in groups.items():
        measured.append(measure(name, models, options.targets, options.oracle, rng))
        report(measured[-1])
    return 0 if all(group.within_budget for group in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
