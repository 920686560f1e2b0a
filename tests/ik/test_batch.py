"""Many targets at once: the same bits as one by one, on any number of threads."""

import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import armwright as aw
from armwright import ik
from armwright.errors import FrameNotFoundError, JointVectorError, ModelError, ObjectiveError
from armwright.ik.solving import BatchResult
from tests.ik.conftest import masked

FloatArray = npt.NDArray[np.float64]
Kit = Callable[[str], tuple[aw.RobotModel, FloatArray]]


def same_as_loop(
    found: BatchResult,
    model: aw.RobotModel,
    seeds: FloatArray,
    objectives: list[tuple[Any, ...]],
    **options: Any,
) -> None:
    """Check every row against a call of ``solve``, bit by bit."""
    for i, wanted in enumerate(objectives):
        one = ik.solve(model, seeds[i] if seeds.ndim == 2 else seeds, *wanted, **options)
        assert found.q[i].tobytes() == one.q.tobytes()
        assert found.success[i] == one.success
        assert found.status[i] is one.status
        for name in ("position_error", "orientation_error"):
            np.testing.assert_array_equal(getattr(found, name)[i], getattr(one, name))
        assert found.iterations[i] == one.iterations
        assert found.restarts[i] == one.restarts


@pytest.mark.parametrize("name", ["A-2085-06", "A-2303-01"])
def test_poses_as_one_by_one(kit: Kit, name: str) -> None:
    model, seed = kit(name)
    q = np.random.default_rng(3).uniform(-np.pi, np.pi, (700, model.dof))
    Ts = model.end_effector(q)
    found = ik.solve_batch(model, seed, Ts)
    assert found.success.all()
    assert len(found) == 700
    same_as_loop(found, model, seed, [(ik.pose(T),) for T in Ts])


def test_limits_and_targets_that_cannot_be_met(kit: Kit) -> None:
    """Every status is the same too; each row has its own seed."""
    model, _ = kit("A-2085-06")
    rng = np.random.default_rng(5)
    seeds = rng.uniform(-1, 1, (60, 6))
    Ts = model.end_effector(rng.uniform(-np.pi, np.pi, (60, 6)))
    Ts[::7, :3, 3] *= 3.0
    limits = ik.joint_limits(np.full(6, -1.0), np.full(6, 1.5))
    found = ik.solve_batch(model, seeds, Ts, limits=limits, max_starts=40, threads=2)
    assert {ik.IKStatus.UNREACHABLE, ik.IKStatus.OUTSIDE_LIMITS} <= set(found.status)
    assert (found.q >= -1.0).all()
    assert (found.q <= 1.5).all()
    same_as_loop(found, model, seeds, [(ik.pose(T), limits) for T in Ts], max_starts=40)


def test_few_joints_and_positions(planar: aw.RobotModel, seven: aw.RobotModel) -> None:
    """The general kernel: positions, arms with fewer joints than a pose needs."""
    rng = np.random.default_rng(6)
    for model in (planar, seven):
        q = rng.uniform(-2, 2, (50, model.dof))
        xyz = model.end_effector(q)[:, :3, 3]
        found = ik.solve_batch(model, q[0], xyz)
        assert found.success.all()
        assert np.isnan(found.orientation_error).all()
        same_as_loop(found, model, q[0], [(ik.position(p),) for p in xyz])
    Ts = planar.end_effector(q[:, :2])
    found = ik.solve_batch(planar, [0.1, 0.2], Ts)
    same_as_loop(found, planar, np.array([0.1, 0.2]), [(ik.pose(T),) for T in Ts])


def test_rough_rotations_are_rounded_alike(kit: Kit) -> None:
    model, seed = kit("A-2085-06")
    Ts = model.end_effector(np.random.default_rng(8).uniform(-3, 3, (300, 6)))
    rough = Ts.astype(np.float32)
    rough[::3, :3, :3] *= np.float32(1 + 2e-5)
    found = ik.solve_batch(model, seed, rough)
    same_as_loop(found, model, seed, [(ik.pose(T),) for T in rough])


def test_options_are_passed_on(kit: Kit) -> None:
    model, seed = kit("A-2085-06")
    Ts = model.end_effector(np.random.default_rng(9).uniform(-3, 3, (100, 6)))
    options: dict[str, Any] = {
        "max_starts": 3, "position_tolerance": 1e-4, "orientation_tolerance": 1e-3,
    }  # fmt: skip
    found = ik.solve_batch(model, seed, Ts, **options)
    same_as_loop(found, model, seed, [(ik.pose(T),) for T in Ts], **options)
    other = ik.solve_batch(model, seed, Ts, random_seed=4)
    for i, T in enumerate(Ts):
        one = ik.solve(model, seed, ik.pose(T), random_seed=4)
        assert other.q[i].tobytes() == one.q.tobytes()
        assert other.restarts[i] == one.restarts
    frame = {"frame_type": "output", "index": 5}
    elbows = model.forward_kinematics("output", np.full((5, 6), 0.3))[:, 5, :3, 3]
    found = ik.solve_batch(model, seed, elbows, **frame)  # type: ignore[arg-type]
    assert found.success.all()
    same_as_loop(found, model, seed, [(ik.position(p, **frame),) for p in elbows])  # type: ignore[arg-type]


def test_any_number_of_threads_gives_the_same_bits(kit: Kit) -> None:
    model, seed = kit("A-2099-07")
    Ts = model.end_effector(np.random.default_rng(10).uniform(-3, 3, (1500, 7)))
    results = [ik.solve_batch(model, seed, Ts, threads=threads) for threads in (1, 2, 5, None)]
    for other in results[1:]:
        assert other.q.tobytes() == results[0].q.tobytes()
        assert other.iterations.tobytes() == results[0].iterations.tobytes()


def test_many_callers_at_once(kit: Kit) -> None:
    model, seed = kit("A-2085-06")
    Ts = model.end_effector(np.random.default_rng(11).uniform(-3, 3, (600, 6)))
    expected = ik.solve_batch(model, seed, Ts, threads=1).q
    found: list[FloatArray] = []
    callers = [
        threading.Thread(target=lambda: found.append(ik.solve_batch(model, seed, Ts).q))
        for _ in range(4)
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(found) == 4
    for q in found:
        np.testing.assert_array_equal(q, expected)


@pytest.mark.kernels
def test_a_few_without_compilation(planar: aw.RobotModel) -> None:
    xyz = [[0.5, 0.3, 0.0], [2.0, 0.0, 0.0]]
    found = ik.solve_batch(planar, [0.1, 0.4], xyz, max_starts=2)
    assert found.success.tolist() == [True, False]
    np.testing.assert_allclose(found.position_error[1], 1.0, atol=1e-6)
    Ts = planar.end_effector([[0.1, 0.4], [0.3, 0.9]])
    assert ik.solve_batch(planar, [0.1, 0.4], Ts).success.all()


def test_joints_that_cannot_move(one_joint: aw.RobotModel) -> None:
    limits = ik.joint_limits([0.5], [0.5])
    xyz = [[np.cos(0.5), np.sin(0.5), 0.0], [1.0, 0.0, 0.0]]
    found = ik.solve_batch(one_joint, [0.0], xyz, limits=limits)
    same_as_loop(found, one_joint, np.array([0.0]), [(ik.position(p), limits) for p in xyz])
    assert found.success.tolist() == [True, False]


def test_no_targets(planar: aw.RobotModel) -> None:
    for empty in (np.zeros((0, 4, 4)), np.zeros((0, 3))):
        found = ik.solve_batch(planar, [0.1, 0.2], empty, progress=True)
        assert found.q.shape == (0, 2)
        assert found.success.all()
    assert len(ik.solve_batch(planar, [0.1, 0.2], [])) == 0
    with pytest.raises(FrameNotFoundError):
        ik.solve_batch(planar, [0.1, 0.2], [], tag="hand")


def test_results_cannot_be_changed(planar: aw.RobotModel) -> None:
    found = ik.solve_batch(planar, [0.1, 0.2], [[0.5, 0.2, 0.0]])
    for name in BatchResult.__dataclass_fields__:
        assert not getattr(found, name).flags.writeable
    with pytest.raises(AttributeError):
        found.q = None  # type: ignore[misc,assignment]


def test_progress_is_shown_only_when_asked_for(
    planar: aw.RobotModel, capfd: pytest.CaptureFixture[str]
) -> None:
    xyz = np.tile([0.5, 0.2, 0.0], (900, 1))
    ik.solve_batch(planar, [0.1, 0.4], xyz)
    assert capfd.readouterr() == ("", "")
    ik.solve_batch(planar, [0.1, 0.4], xyz, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "inverse kinematics" in err
    assert "100%" in err


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_ctrl_c_ends_it(root: Path) -> None:
    """A million targets out of reach would take minutes; an interrupt ends them at once."""
    program = """
        import os, signal, sys, threading, time
        import numpy as np
        import armwright as aw
        from armwright import ik
        arm = aw.loads('<robot version="1.6.0"><joint axis="rz"/><rigid-body mass="1" '
                       'output_trans="1 0 0"/><end-effector/></robot>')
        far = np.tile([5.0, 0.0, 0.0], (1_000_000, 1))
        ik.solve_batch(arm, [0.0], far[:1])
        signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        began = time.monotonic()
        try:
            ik.solve_batch(arm, [0.0], far, threads=2)
        except KeyboardInterrupt:
            print("ended after", time.monotonic() - began)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=root,
        check=False,
    )
    assert done.stdout.startswith("ended after"), done.stderr
    assert float(done.stdout.split()[-1]) < 20.0


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        (np.eye(4), "one target must stand in a list"),
        (np.zeros((2, 5)), r"expected shape \(n, 4, 4\) or \(n, 3\), got \(2, 5\)"),
        ([np.eye(4), np.eye(4) * 2], r"targets\[1\]: pose: .* last row, got 0 0 0 2"),
        ([np.eye(4), np.diag([1.0, 1, 1.1, 1])], r"targets\[1\]: pose: expected a rotation"),
        ([np.diag([1.0, 1, -1, 1])], r"targets\[0\]: pose: .* mirror image"),
        ([[0, 0, 0], [0, np.inf, 0]], r"targets\[1\]: position, y: expected .* got inf"),
        ([[0, None, 0]], r"a free axis \(None\) is for solve alone"),
        ([[0, "x", 0]], r"targets\[0\]: position, x: expected .* got '0'"),
        ([np.eye(4), np.eye(3)], "targets: expected shape"),
        (np.zeros((1, 4, 4), dtype=complex), r"targets\[0\]: pose"),
        (3, "targets: expected shape"),
        (masked([[1.0, 2.0, 3.0]], 2.0), "targets: expected numbers, got a masked array"),
        (
            [masked(np.eye(4), 1.0)],
            r"(?s)targets: expected numbers, .* What is masked has no value",
        ),
        (
            [[0, 0, 0], [0, 0, 1e31]],
            r"targets\[1\]: position, z: expected at most 1e\+30, got 1e\+31",
        ),
    ],
)
def test_targets_that_are_none(planar: aw.RobotModel, targets: object, words: str) -> None:
    with pytest.raises(ObjectiveError, match=words):
        ik.solve_batch(planar, [0.1, 0.2], targets)  # type: ignore[arg-type]


def test_a_transposed_pose_is_recognized(planar: aw.RobotModel) -> None:
    T = planar.end_effector([0.1, 0.2])
    with pytest.raises(ObjectiveError, match=r"targets\[1\].*Is the matrix transposed"):
        ik.solve_batch(planar, [0.1, 0.2], [T, T.T])


@pytest.mark.parametrize(
    ("q0", "words"),
    [
        ([0.1], "expected 2 joint values, got 1"),
        ([[0.1, 0.2]] * 2, "expected 3, got 2"),
        ([[0.1, 0.2, 0.3]] * 3, "expected 2 joint values, got 3"),
        ([0.1, np.nan], "finite"),
        ([[0.1, 0.2], [0.1, np.inf], [0.1, 0.2]], "finite"),
        (np.zeros((3, 1, 2)), "expected 3, got 3"),
        ("seed", "expected 2 joint values"),
        (0.5, "expected 2 joint values"),
    ],
)
def test_seeds_that_are_none(planar: aw.RobotModel, q0: object, words: str) -> None:
    with pytest.raises(JointVectorError, match=words):
        ik.solve_batch(planar, q0, [[0.5, 0, 0]] * 3)  # type: ignore[arg-type]


def test_other_errors(planar: aw.RobotModel) -> None:
    with pytest.raises(ObjectiveError, match="threads: expected a whole number from 1, got 0"):
        ik.solve_batch(planar, [0.1, 0.2], [[0.5, 0, 0]], threads=0)
    with pytest.raises(ObjectiveError, match=r"threads: expected a whole number from 1, got 1\.5"):
        ik.solve_batch(planar, [0.1, 0.2], [[0.5, 0, 0]], threads=1.5)  # type: ignore[arg-type]
    with pytest.raises(ObjectiveError, match="max_starts: expected a whole number from 1, got 0"):
        ik.solve_batch(planar, [0.1, 0.2], [[0.5, 0, 0]], max_starts=0)
    with pytest.raises(ObjectiveError, match="joint_limits"):
        ik.solve_batch(planar, [0.1, 0.2], [[0.5, 0, 0]], limits=[0, 1])  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="expected a RobotModel"):
        ik.solve_batch(None, [0.1, 0.2], [[0.5, 0, 0]])  # type: ignore[arg-type]
