"""Tracking, jogging and batches: times per step, and how near the tool stays.

    python -m benchmarks.ik_track [--steps 20000] [--targets 100000]

Each step is timed on its own, by the thread's CPU time: on a shared machine the wall clock's p99
is that of the neighbors. Circles and Lissajous figures run at a kilohertz; other streams leave the
reach, jump, and pass singular poses. The exit code is 1 when a budget is missed twice.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # runs from a checkout, as a script too

from armwright import ik, load  # noqa: E402
from armwright.kinematics import RobotModel  # noqa: E402
from benchmarks.harness import Call, fastest, report_machine  # noqa: E402

FloatArray = npt.NDArray[np.float64]

_CORPUS = ROOT.parent / "shared" / "corpus" / "arms" / "config" / "hrdf"
KITS = ("A-2085-05", "A-2085-06", "A-2240-06", "A-2582-07")
OWN_ARM = ROOT / "examples" / "arms" / "six_dof.hrdf"
STEP_P99 = 100.0  # us, Python included
BATCH = 1.0  # s, for 100,000 poses on two cores


@dataclass(frozen=True)
class Stream:
    """Poses to follow, and where they begin."""

    what: str
    q0: FloatArray
    poses: FloatArray
    reachable: bool


def streams(model: RobotModel, steps: int) -> Iterator[Stream]:
    """Make the streams for one arm."""
    rng = np.random.default_rng(20)
    q0 = _easy_pose(model, rng)
    t = np.arange(steps) * 1e-3  # s
    T = model.end_effector(q0)
    poses = np.repeat(T[None], steps, axis=0)
    if model.dof >= 6:
        circle = poses.copy()
        circle[:, 0, 3] += 0.05 * (np.cos(2 * np.pi * t) - 1)
        circle[:, 1, 3] += 0.05 * np.sin(2 * np.pi * t)
        yield Stream("circle, 1 Hz", q0, circle, True)
        figure = poses.copy()
        for axis, hertz in enumerate((0.4, 0.6, 1.0)):
            figure[:, axis, 3] += 0.03 * np.sin(2 * np.pi * hertz * t)
        yield Stream("Lissajous", q0, figure, True)
        leaving = poses.copy()
        out = T[:3, 3] / np.linalg.norm(T[:3, 3])
        leaving[:, :3, 3] += np.abs(np.sin(np.pi * t / t[-1]))[:, None] * out
        yield Stream("out of reach and back", q0, leaving, False)
        jumps = poses.copy()
        jumps[:, :3, 3] += np.repeat(rng.uniform(-0.2, 0.2, (steps // 100 + 1, 3)), 100, 0)[:steps]
        yield Stream("jumps", q0, jumps, False)
    away = rng.uniform(-0.5, 0.5, model.dof)
    q = q0 + np.sin(2 * np.pi * 0.3 * t)[:, None] * away
    yield Stream("smooth joint path", q0, model.end_effector(q), True)
    straight = q0.copy()
    straight[2] = 0.0
    q = straight + np.sin(2 * np.pi * 0.3 * t)[:, None] * 0.4 * np.eye(model.dof)[2]
    yield Stream("through a straight elbow", straight, model.end_effector(q), False)


def follow(model: RobotModel, stream: Stream) -> tuple[FloatArray, float, float]:
    """Return CPU times per step [us], the largest position error [m], and the part met."""
    tracker = ik.Tracker(model, stream.q0, max_step=0.02)
    for _ in range(2):  # lays the problem out; compiles in the very first run
        tracker.step(stream.poses[0])
    times = np.empty(len(stream.poses))
    errors = np.empty(len(stream.poses))
    met = 0
    clock = time.thread_time_ns
    for i, T in enumerate(stream.poses):
        began = clock()
        step = tracker.step(T)
        times[i] = clock() - began
        errors[i] = step.position_error
        met += step.success
    return times / 1e3, float(errors.max()), met / len(times)


def report_streams(model: RobotModel, steps: int) -> bool:
    """Print all streams of one arm; False when a budget is missed twice."""
    good = True
    print(f"  {'stream':26} {'median':>7} {'p99':>7} {'max':>7} us   {'met':>7}   worst position")
    for stream in streams(model, steps):
        for _ in range(2):
            times, error, met = follow(model, stream)
            p99 = float(np.percentile(times, 99))
            if p99 <= STEP_P99:
                break
        word = "" if p99 <= STEP_P99 else "  OVER BUDGET"
        good &= p99 <= STEP_P99
        if stream.reachable and met < 1.0:
            good, word = False, word + "  NOT ALL MET"
        print(
            f"  {stream.what:26} {np.median(times):7.1f} {p99:7.1f} {times.max():7.0f}      "
            f"{100 * met:6.2f} %   {error:.2g} m{word}"
        )
    return good


def report_jogging(model: RobotModel) -> None:
    """Print the time of one differential step."""
    q = _easy_pose(model, np.random.default_rng(20))
    names: dict[str, Any] = {"ik": ik, "m": model, "q": q, "V": np.array([0.05, 0, 0, 0, 0, 0.1])}
    for what, call in (
        ("velocity", "ik.velocity(m, q, V, dt=0.01)"),
        ("velocity at its limits", "ik.velocity(m, q, 50 * V, dt=0.01)"),
        ("velocity sliding along", "ik.velocity(m, q, 50 * V, dt=0.01, keep_direction=False)"),
        ("manipulability", "ik.manipulability(m, q)"),
    ):
        took = fastest(Call(f"for _ in range(200): {call}", names)) / 200
        print(f"  {what:26} {1e6 * took:7.1f} us")


def report_batch(model: RobotModel, targets: int) -> bool:
    """Print the times of a batch of far poses; False when the budget is missed."""
    q = np.random.default_rng(21).uniform(-np.pi, np.pi, (targets, model.dof))
    names: dict[str, Any] = {
        "ik": ik,
        "m": model,
        "q0": np.full(model.dof, 0.3),
        "Ts": model.end_effector(q),
        "limits": ik.joint_limits(np.full(model.dof, -np.pi), np.full(model.dof, np.pi)),
    }
    found = ik.solve_batch(model, names["q0"], names["Ts"], limits=names["limits"])
    call = "ik.solve_batch(m, q0, Ts, limits=limits, threads={})"
    one = fastest(Call(call.format(1), names), repeats=3)
    two = fastest(Call(call.format(2), names), repeats=5)
    budget = BATCH * targets / 100_000
    word = "" if two <= budget else "  OVER BUDGET"
    print(
        f"  {targets} far poses: {one:.2f} s on one thread, {two:.2f} s on two; "
        f"{found.success.sum()} met{word}"
    )
    return bool(two <= budget and found.success.all())


def _easy_pose(model: RobotModel, rng: np.random.Generator) -> FloatArray:
    """Pick joint positions that are far from singular ones."""
    candidates = rng.uniform(-2, 2, (50, model.dof))
    conditions = [ik.manipulability(model, q).condition for q in candidates]
    best: FloatArray = candidates[int(np.argmin(conditions))]
    return best


def main() -> int:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--targets", type=int, default=100_000)
    options = parser.parse_args()
    report_machine(("numpy", "numba"))
    files = [OWN_ARM, *(_CORPUS / f"{kit}.hrdf" for kit in KITS)]
    good = True
    for file in files:
        if not file.is_file():
            print(f"{file.stem}: absent")
            continue
        model = load(file)
        print(f"{file.stem}, {model.dof} joints")
        good &= report_streams(model, options.steps)
        report_jogging(model)
        if model.dof >= 6:
            good &= report_batch(model, options.targets)
    print("all within their budgets" if good else "a budget was missed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
