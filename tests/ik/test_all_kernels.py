"""Kernels for all solutions: equations in one angle, weakest direction, twins, plain Python."""

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armwright.ik._kernels import all_layout as layout
from armwright.ik.all_solutions.chain import compile_arm
from armwright.ik.all_solutions.closed_forms import closed_form
from armwright.kinematics import FrameType, engine
from tests.ik.all_arms import CLOSED, FAMILIES, random_arm, random_joints

pytestmark = pytest.mark.kernels

PACKAGE = "armwright.ik._kernels"

# One process of its own: an arm of every family.
SOLVES = """
import numpy as np
from armwright import ik
from tests.ik.all_arms import FAMILIES, random_arm, random_joints

answers = []
for number, family in enumerate(FAMILIES):
    rng = np.random.default_rng(number)
    model = random_arm(rng, family)
    found = ik.solve_all(model, model.end_effector(random_joints(rng, model)))
    answers += [found.solutions, found.pose_errors]
np.savez({out!r}, *answers)
"""


def run_solves(out: Path, root: Path, **environment: str) -> list[Any]:
    """Run the solves in a fresh process; return every array."""
    variables = {**os.environ, "PYTHONPATH": str(root), **environment}
    script = SOLVES.format(out=str(out))
    subprocess.run([sys.executable, "-c", script], check=True, env=variables, timeout=300)
    with np.load(out) as answers:
        return [answers[name] for name in answers.files]


def kernels(module: str) -> Any:
    """A module of kernels."""
    return engine.load(f"{PACKAGE}.{module}")


def test_plain_python_and_other_processes_agree(tmp_path: Path, root: Path) -> None:
    compiled = run_solves(tmp_path / "a.npz", root)
    again = run_solves(tmp_path / "b.npz", root)
    plain = run_solves(tmp_path / "c.npz", root, NUMBA_DISABLE_JIT="1")
    assert len(compiled) == 2 * len(FAMILIES)
    assert all(len(solutions) > 0 for solutions in compiled[::2])
    for one, two, three in zip(compiled, again, plain, strict=True):
        assert one.tobytes() == two.tobytes()
        np.testing.assert_allclose(three, one, atol=1e-8)


def test_waves() -> None:
    waves = kernels("closed_vectors").waves
    rng = np.random.default_rng(1)
    for _ in range(100):
        a, b, x = rng.uniform(-2, 2, 3)
        n, first, second, certain = waves(a, b, a * math.cos(x) + b * math.sin(x))
        assert (n, certain) == (2, True)
        for root in (first, second):
            value = a * math.cos(root) + b * math.sin(root)
            assert value == pytest.approx(a * math.cos(x) + b * math.sin(x), abs=1e-12)
        assert min(abs(math.sin(0.5 * (root - x))) for root in (first, second)) < 1e-7
    assert waves(1.0, 0.0, 1.1)[0::3] == (0, True)  # out of reach
    assert waves(1.0, 0.0, 1.00005) == (1, 0.0, 0.0, False)  # a double root, perhaps
    assert waves(0.0, -1.0, 1.00005)[3] is False
    assert waves(0.0, 0.0, 0.0)[0::3] == (0, False)  # any angle
    assert waves(0.0, 0.0, 0.5)[0::3] == (0, True)  # none


def test_double_waves() -> None:
    double_waves = kernels("closed_wrist").double_waves
    rng = np.random.default_rng(2)
    counts = set()
    for _ in range(300):
        f0, *f = rng.uniform(-1, 1, 5).tolist()
        x = np.linspace(-math.pi, math.pi, 20001)
        values = f0 + f[0] * np.cos(x) + f[1] * np.sin(x) + f[2] * np.cos(2 * x)
        values += f[3] * np.sin(2 * x)
        crossings = x[:-1][np.sign(values[:-1]) != np.sign(values[1:])]
        n, roots, certain = double_waves(f0, *f)
        if certain:
            assert n == len(crossings)
            np.testing.assert_allclose(np.sort(roots[:n]), crossings, atol=1e-3)
        counts.add(n)
    assert counts == {0, 2, 4}
    # Without the double angle it is the simple equation.
    n, roots, certain = double_waves(-0.5, 1.0, 0.0, 0.0, 0.0)
    assert (n, certain) == (2, True)
    np.testing.assert_allclose(np.abs(roots[:2]), math.pi / 3)
    # (1 + cos x)^2 = 1.5 + 2 cos x + 0.5 cos 2x: all four roots are pi. Found or not, it is said.
    assert double_waves(1.5, 2.0, 0.0, 0.5, 0.0)[2] is False


def test_the_weakest_direction_is_about_right() -> None:
    newton = kernels("all_newton")
    rng = np.random.default_rng(3)
    model = random_arm(rng, "free")
    arm = compile_arm(model, FrameType.END_EFFECTOR, 0)
    T = tuple(np.eye(4)[:3].ravel().tolist())
    J = np.zeros((6, 8))
    unit = arm.table[1:7, layout.UNIT]
    w = arm.table[0, layout.LENGTH_WEIGHT]
    for _ in range(30):
        q = random_joints(rng, model)
        newton.evaluate(arm.table, T, q * unit, J)
        ours = model.jacobian(q) / unit * np.array([[w], [w], [w], [1], [1], [1]])
        np.testing.assert_allclose(J[:, :6], ours, atol=1e-12)
        smallest = np.linalg.svd(ours, compute_uv=False)[-1]
        assert smallest < 1.01 * newton.weakest(J, 6) < 30.0 * smallest


@pytest.mark.parametrize(
    ("q", "lower", "upper", "turn", "reference", "expected"),
    [
        (0.5, -1.0, 1.0, 2.0, 0.0, 0.5),
        (0.5, -1.0, 1.0, 0.0, 9.0, 0.5),  # a sliding joint has no twins
        (1.5, -1.0, 1.0, 0.0, 0.0, None),
        (1.0 + 5e-10, -1.0, 1.0, 9.0, 0.0, 1.0),  # rounding
        (-1.0 - 5e-10, -1.0, 1.0, 9.0, 0.0, -1.0),
        (1.0 + 5e-9, -1.0, 1.0, 9.0, 0.0, None),
        (3.0, 0.0, 1.9, 2.0, 0.2, 1.0),
        (1.95, 0.0, 1.9, 2.0, 0.2, None),
        (0.3, -math.inf, math.inf, 2.0, 7.0, 6.3),
        (0.3, 3.0, math.inf, 2.0, 0.0, 4.3),
    ],
)
def test_twins(
    q: float, lower: float, upper: float, turn: float, reference: float, expected: float | None
) -> None:
    value, fits = kernels("all_finish").inside(q, lower, upper, turn, reference)
    assert fits == (expected is not None)
    if expected is not None:
        assert value == pytest.approx(expected, abs=1e-12)
        assert lower <= value <= upper


@pytest.mark.parametrize("family", FAMILIES)
def test_families_are_recognized(family: str) -> None:
    model = random_arm(np.random.default_rng(11), family)
    arm = compile_arm(model, FrameType.END_EFFECTOR, 0)
    wrist = 0.0 if family == "free" else layout.WRIST
    assert arm.family == (layout.PARALLEL if family.startswith("parallel") else wrist)
    backwards = family in ("parallel reversed", "shoulder")
    assert arm.table[0, layout.REVERSED] == float(backwards)
    if family.startswith("wrist"):
        assert arm.constants is not None
        kinds = {"wrist, 1 meets 2": layout.MEET, "wrist, 1 along 2": layout.ALONG}
        assert arm.constants[layout.KIND] == kinds.get(family, layout.GENERAL)


@pytest.mark.parametrize("family", CLOSED)
def test_small_errors_of_the_geometry_are_made_good(family: str) -> None:
    # As far off as a pi of single precision leaves parts; far more has no closed form.
    from armwright.ik.all_solutions.chain import _zero_pose

    model = random_arm(np.random.default_rng(12), family)
    chain = model._chain(FrameType.END_EFFECTOR, 0)
    for size, known in ((1e-7, True), (1e-3, False)):
        rng = np.random.default_rng(13)
        zero = _zero_pose(chain, 1.0)
        h = zero.h + size * rng.normal(size=(6, 3))
        h /= np.linalg.norm(h, axis=1)[:, None]
        o = zero.o + size * rng.normal(size=(6, 3))
        assert (closed_form(zero._replace(h=h, o=o)) is not None) == known
