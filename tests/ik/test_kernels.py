"""The kernels themselves: rotation errors, Jacobians, bounds, plain Python, same bits elsewhere."""

import hashlib
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.ik._kernels import layout
from armwright.ik.program import compile_program, fill_in
from armwright.kinematics import engine, rotation_vector
from tests.ik.conftest import SEVEN, FloatArray, rotation_about

pytestmark = pytest.mark.kernels

PACKAGE = "armwright.ik._kernels"

# One process of its own: solves of every kind, hashed bit by bit or written down.
SOLVES = """
import sys
import numpy as np
import armwright as aw
from armwright import ik
from tests.ik.conftest import SEVEN

model = aw.loads(SEVEN)
rng = np.random.default_rng(3)
rows = []
for _ in range({count}):
    T = model.end_effector(rng.uniform(-1, 1, 7))
    seed = rng.uniform(-1, 1, 7)
    for objectives in (
        (ik.pose(T),),
        (ik.pose(T), ik.joint_limits([-1] * 7, [1.5] * 7)),
        (ik.position(T[:3, 3]), ik.tip_axis(T[:3, 2])),
        (ik.position(T[:3, 3]), ik.posture(np.zeros(7))),
    ):
        rows.append(ik.solve(model, seed, *objectives).q)
rows.append(ik.solve(model, seed, ik.position([9, 9, 9]), max_starts=2).q)
np.save({out!r}, rows)
"""


def run_solves(count: int, out: Path, root: Path, **environment: str) -> FloatArray:
    """Run the solves in a fresh process; return every answer."""
    variables = {**os.environ, "PYTHONPATH": str(root), **environment}
    script = SOLVES.format(count=count, out=str(out))
    subprocess.run([sys.executable, "-c", script], check=True, env=variables, timeout=300)
    answers: FloatArray = np.load(out)
    return answers


def twelve(R: FloatArray) -> tuple[float, ...]:
    """A placement as the kernels take it, with an origin that must not matter."""
    return tuple(np.hstack([R, [[0.3], [-0.2], [0.1]]]).ravel().tolist())


@pytest.mark.parametrize(
    "angle", [0.0, 1e-12, 1e-9, 4e-5, 6e-5, 1e-4, 0.5, 2.0, 3.0, math.pi - 1e-4, math.pi - 6e-10]
)
def test_rotation_errors_of_every_size(angle: float) -> None:
    turn_between = engine.load(f"{PACKAGE}.errors").turn_between
    rng = np.random.default_rng(1)
    for _ in range(20):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        R = rotation_about(rng.normal(size=3), 2.0)
        v = np.array(turn_between(twelve(R), twelve(rotation_about(axis, angle) @ R)))
        assert np.abs(v - angle * axis).max() < 1e-8
        assert np.abs(v - rotation_vector(rotation_about(axis, angle))).max() < 1e-8
        if 0.0 < angle < 1e-8:
            assert np.linalg.norm(v) == pytest.approx(angle, rel=1e-3, abs=1e-15)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (-1, 2, -3)])
def test_rotation_error_of_half_a_turn(axis: tuple[float, ...]) -> None:
    turn_between = engine.load(f"{PACKAGE}.errors").turn_between
    unit = np.array(axis) / np.linalg.norm(axis)
    R = 2.0 * np.outer(unit, unit) - np.eye(3)
    v = np.array(turn_between(twelve(np.eye(3)), twelve(R)))
    assert np.linalg.norm(v) == pytest.approx(math.pi, abs=1e-12)
    assert np.linalg.norm(np.cross(v, unit)) < 1e-9


def test_axis_errors() -> None:
    axis_error = engine.load(f"{PACKAGE}.errors").axis_error
    rng = np.random.default_rng(2)
    for _ in range(50):
        R = rotation_about(rng.normal(size=3), rng.uniform(0, 3))
        t = rng.normal(size=3)
        t /= np.linalg.norm(t)
        x, y, angle = axis_error(twelve(R), *t)
        v = R @ [x, y, 0.0]  # the turn, in world axes
        assert angle == pytest.approx(math.acos(R[:, 2] @ t))
        assert np.abs(rotation_about(v, float(np.linalg.norm(v))) @ R[:, 2] - t).max() < 1e-12
    assert axis_error(twelve(np.eye(3)), 0.0, 0.0, 1.0) == (0.0, 0.0, 0.0)
    assert axis_error(twelve(np.eye(3)), 0.0, 0.0, -1.0) == (math.pi, 0.0, math.pi)


def test_fit_by_hand() -> None:
    fit = engine.load(f"{PACKAGE}.joints").fit
    turn = 2 * math.pi
    assert fit(0.3, -1.0, 1.0, turn) == 0.3
    assert fit(0.3 + turn, -1.0, 1.0, turn) == pytest.approx(0.3)
    assert fit(0.3 - 5 * turn, -1.0, 1.0, turn) == pytest.approx(0.3)
    assert fit(1.5, -1.0, 1.0, turn) == 1.0
    assert fit(4.8, -1.0, 1.0, turn) == -1.0  # nearer on the circle
    assert fit(-4.8, -1.0, 1.0, turn) == 1.0
    assert fit(1.5, -1.0, 1.0, 0.0) == 1.0  # a slide has no circle
    assert fit(40.0, -1.0, 1.0, 0.0) == 1.0
    assert fit(-40.0, -1.0, 1.0, 0.0) == -1.0
    assert fit(1e300, -math.pi, math.pi, turn) <= math.pi


@pytest.mark.parametrize("away", [1e-3, 0.3, 2.0])
def test_rows_and_jacobian_against_differences(away: float) -> None:
    """Every kind of row on a tree with slides, gears and turned axes; second derivatives too."""
    model = aw.loads("""
      <robot version="1.6.0"><joint axis="rz" gear_ratio="2"/>
        <rigid-body mass="1"><output trans="0.1 0 0.3" rot="Rx(0.4)">
          <joint axis="-ry"/><rigid-body mass="1" output_trans="0.2 0.1 0"/>
          <joint axis="tx" gear_ratio="0.5"/><rigid-body mass="1" output_trans="0 0 0.2"/>
          <joint axis="-tz"/><joint axis="rx"/><rigid-body mass="1" output_trans="0 0.1 0.1"/>
          <end-effector/></output><output trans="0 0.4 0">
          <joint axis="rx"/><rigid-body mass="1" output_trans="0 0 0.3"/><end-effector/></output>
        </rigid-body></robot>""")
    rng = np.random.default_rng(4)
    q = rng.uniform(-1, 1, 6)
    T = model.forward_kinematics("endeffector", q + rng.normal(0, away, 6))
    objectives = (
        ik.pose(T[0], index=0, weight=0.7),
        ik.position([T[1, 0, 3], None, T[1, 2, 3]], index=1),
        ik.tip_axis(T[1, :3, 2], index=1, weight=2.0),
        ik.orientation(T[1, :3, :3], index=1),
    )
    program = compile_program(model, objectives)
    table = fill_in(program, objectives)
    table.setflags(write=False)  # as entries declare it: no second compilation
    rows = engine.load(f"{PACKAGE}.rows")
    n_rows = int(table[0, layout.N_ROWS])
    assert n_rows == 6 + 2 + 2 + 3
    state = np.zeros(program.shape)
    W = np.empty((int(table[0, layout.LONGEST]), 6))

    def evaluate(values: FloatArray, n_curved: int = 0) -> tuple[Any, ...]:
        state[1:, layout.NOW] = values
        J, e, C = np.empty((n_rows, 6)), np.empty(n_rows), np.empty((n_curved, n_curved))
        cost, position_error, orientation_error = rows.evaluate(table, state, J, e, W, C)
        return cost, position_error, orientation_error, J, e, C

    cost, position_error, orientation_error, J, e, C = evaluate(q, 6)
    assert cost == pytest.approx(0.5 * e @ e)
    residuals = ik.IKProblem(model, *objectives).solve(q, max_starts=1).residuals
    assert len(residuals) == 4
    h = 1e-6
    unit = table[1:7, layout.UNIT]
    gradient = np.zeros(6)
    curvature = np.zeros((6, 6))
    for j in range(6):
        step = np.zeros(6)
        step[j] = h / unit[j]
        ahead, behind = evaluate(q + step), evaluate(q - step)
        gradient[j] = (ahead[0] - behind[0]) / (2 * h)
        # Positions are exact; rotation errors only along themselves, which the gradient shows.
        moved = (ahead[4] - behind[4]) / (2 * h)
        lengths = [0, 1, 2, 6, 7]
        assert np.abs(moved[lengths] + J[lengths, j]).max() < 1e-8
        curvature[:, j] = (behind[3].T @ behind[4] - ahead[3].T @ ahead[4]) / (2 * h)
    assert np.abs(gradient + J.T @ e).max() < 1e-8
    assert np.abs(curvature - (J.T @ J - C)).max() < 1e-7
    there = model.forward_kinematics("endeffector", q)
    distances = [np.linalg.norm(T[0, :3, 3] - there[0, :3, 3])]
    distances.append(np.linalg.norm((T[1, :3, 3] - there[1, :3, 3])[[0, 2]]))
    assert position_error == pytest.approx(max(distances))
    angles = [np.linalg.norm(rotation_vector(T[k, :3, :3] @ there[k, :3, :3].T)) for k in (0, 1)]
    assert orientation_error == pytest.approx(max(angles))


def test_six_by_six() -> None:
    solve_6x6 = engine.load(f"{PACKAGE}.pose").solve_6x6
    rng = np.random.default_rng(5)
    for _ in range(10):
        M = rng.normal(size=(6, 6))
        A = M @ M.T + 0.1 * np.eye(6)
        b = rng.normal(size=6)
        x = solve_6x6(*A[np.tril_indices(6)], *b)
        assert np.abs(A @ x - b).max() < 1e-9


def test_linear_solver_refuses_what_is_not_positive() -> None:
    solve_in_place = engine.load(f"{PACKAGE}.rows").solve_in_place
    A = np.array([[2.0, 0, 0], [1.0, 3.0, 0], [0.5, -1.0, 4.0]])
    full = A + np.tril(A, -1).T
    b = np.array([1.0, 2.0, 3.0])
    x = b.copy()
    assert solve_in_place(A.copy(), x, 3)
    assert np.abs(full @ x - b).max() < 1e-12
    assert not solve_in_place(np.array([[1.0, 0.0], [2.0, 1.0]]), b.copy(), 2)
    assert not solve_in_place(np.array([[math.nan]]), b.copy(), 1)


def test_the_quick_kernel_and_the_general_one_take_the_same_steps(seven: aw.RobotModel) -> None:
    general = engine.kernel(f"{PACKAGE}.general", "solve_any")
    rng = np.random.default_rng(6)
    for _ in range(10):
        q = rng.uniform(-1, 1, 7)
        pose = ik.pose(seven.end_effector(q))
        seed = q + rng.normal(0, 0.2, 7)
        quick = ik.solve(seven, seed, pose)
        program = compile_program(seven, (pose,))
        assert program.direct_pose == 0
        state = np.empty(program.shape)
        assert general(fill_in(program, (pose,)), seed, state, 1e-6, 1e-5, 0, 300) == layout.REACHED
        assert np.abs(state[1:, layout.BEST] - quick.q).max() < 1e-9
        assert state[0, layout.ITERATIONS] == quick.iterations


def test_starts_fill_the_window_evenly(seven: aw.RobotModel) -> None:
    joints = engine.load(f"{PACKAGE}.joints")
    limits = ik.joint_limits([-2.0] * 7, [1.0] * 7)
    program = compile_program(seven, (ik.position([9, 9, 9]), limits))
    state = np.empty(program.shape)
    seed = np.zeros(7)
    program.table.setflags(write=False)
    seed.setflags(write=False)
    assert joints.begin(program.table, state, seed, 1e-6, 1e-5)
    starts = []
    for k in range(1, 101):
        joints.restart(program.table, state, seed, k)
        starts.append(state[1:, layout.NOW].copy())
    values = np.array(starts)
    assert values.min() >= -2.0
    assert values.max() <= 1.0
    counts = np.array([np.histogram(values[:, j], 10, (-2.0, 1.0))[0] for j in range(7)])
    assert counts.min() >= 7
    assert counts.max() <= 13


def test_the_same_without_compilation(root: Path, tmp_path: Path) -> None:
    plain = run_solves(2, tmp_path / "plain.npy", root, NUMBA_DISABLE_JIT="1")
    compiled = run_solves(2, tmp_path / "compiled.npy", root, NUMBA_DISABLE_JIT="0")
    assert plain.shape == (9, 7)
    assert np.abs(plain - compiled).max() < 1e-6


def test_the_same_bits_in_another_process(root: Path, tmp_path: Path) -> None:
    hashes = {
        hashlib.sha256(run_solves(25, tmp_path / f"{k}.npy", root).tobytes()).hexdigest()
        for k in range(2)
    }
    assert len(hashes) == 1
    assert aw.loads(SEVEN).dof == 7
