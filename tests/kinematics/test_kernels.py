"""The kernels behind the methods: strictness, compilation on first use, and plain Python."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from armwright.kinematics import RobotModel, engine

pytestmark = pytest.mark.kernels

FRAMES = "armwright.kinematics._kernels.frames"
GRAVITY = "armwright.kinematics._kernels.gravity"

# One process without compilation: the same numbers from the same source.
PLAIN = """
import numpy as np
from armwright import load
from armwright.kinematics import engine
from numba import config
assert config.DISABLE_JIT
model = load({file!r})
Q = np.linspace(-1, 1, 3 * model.dof).reshape(3, model.dof)
q = Q[1]
results = [
    model.forward_kinematics("output", q), model.forward_kinematics("com", Q),
    model.end_effector(q, index=0), model.end_effector(Q, index=0),
    model.jacobian(q, index=0), model.jacobian(Q, index=0),
    model.jacobians("output", q), model.jacobians("com", Q, reference="body"),
    model.jacobians("com", q, reference="spatial"),
    model.gravity_efforts(q), model.gravity_efforts(Q, [1, 2, -9]),
    model.jacobian(list(q), index=0), model.gravity_efforts(q.astype("f4")),
]
for bad in ([np.nan] * model.dof, [0.0], "x"):
    try:
        model.gravity_efforts(bad)
    except ValueError as error:
        assert "expected" in str(error)
    else:
        raise AssertionError("accepted")
np.savez({out!r}, *results)
"""


@pytest.mark.parametrize("name", ["six_dof", "two_armed", "gantry"])
def test_the_same_numbers_without_compilation(name: str, root: Path, tmp_path: Path) -> None:
    file, out = root / "examples" / "arms" / f"{name}.hrdf", tmp_path / "results.npz"
    script = PLAIN.format(file=str(file), out=str(out))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment, timeout=120)
    compiled = tmp_path / "compiled.npz"
    lines = script.replace(str(out), str(compiled)).replace("assert config.DISABLE_JIT\n", "")
    exec(compile(lines, "<script>", "exec"), {})
    plain, ours = np.load(out), np.load(compiled)
    assert len(plain.files) == 13
    for key in plain.files:
        np.testing.assert_allclose(plain[key], ours[key], rtol=0, atol=1e-13)


def test_entries_are_listed() -> None:
    entries = engine.entries()
    assert (FRAMES, "poses") in entries
    assert (GRAVITY, "gravity") in entries
    assert len(entries) == len(set(entries))


def test_kernels_refuse_other_arrays(planar: RobotModel) -> None:
    gravity = engine.kernel(GRAVITY, "gravity")
    rows, q, out = planar._rows, np.zeros(2), np.empty(2)
    gravity(rows, q, out)
    q.setflags(write=False)
    gravity(rows, q, out)  # inputs may be read-only
    wrong = [
        (rows, q.astype("f4"), out),
        (rows, np.zeros(4)[::2], out),
        (rows, [0.0, 0.0], out),
        (rows, np.zeros((2, 2)), out),
        (rows, np.zeros(2, dtype=int), out),
        (rows, np.zeros(2), q),  # outputs must be writable
        (rows, q, out.astype("f4")),
        (np.asfortranarray(rows), q, out),
        (None, q, out),
        (rows, q),
    ]
    for arguments in wrong:
        with pytest.raises(TypeError):
            gravity(*arguments)
    shapes = [
        (rows, np.zeros(3), np.empty(3)),
        (rows, np.zeros(2), np.empty(3)),
        (rows[:2].copy(), np.zeros(2), np.empty(2)),
    ]
    for arguments in shapes:
        with pytest.raises(ValueError, match="shape"):
            gravity(*arguments)


@pytest.mark.parametrize(
    ("name", "shape", "wrong"),
    [
        ("poses", (5, 4, 4), (4, 4, 4)),
        ("poses_batch", (3, 5, 4, 4), (2, 5, 4, 4)),
        ("jacobians", (5, 6, 2), (5, 6, 3)),
        ("jacobians_batch", (3, 5, 6, 2), (3, 5, 2, 6)),
    ],
)
def test_kernels_of_many_frames_check_shapes(
    planar: RobotModel, name: str, shape: tuple[int, ...], wrong: tuple[int, ...]
) -> None:
    kernel = engine.kernel(FRAMES, name)
    q = np.zeros((3, 2)) if name.endswith("batch") else np.zeros(2)
    rows = planar._joined["output"][0]
    out = np.full(shape, np.nan)
    kernel(rows, q, out)
    assert np.isfinite(out).all()
    longer = np.concatenate([q, q], axis=-1)
    for arguments in ((q, np.empty(wrong)), (longer, out), (q * np.nan, out)):
        with pytest.raises(ValueError, match=r"shape|not finite"):
            kernel(rows, *arguments)


@pytest.mark.parametrize(
    ("name", "shape", "wrong"),
    [
        ("chain_pose", (4, 4), (3, 4)),
        ("chain_pose_batch", (3, 4, 4), (2, 4, 4)),
        ("chain_jacobian", (6, 2), (2, 6)),
        ("chain_jacobian_batch", (3, 6, 2), (3, 6, 1)),
    ],
)
def test_kernels_of_chains_check_shapes(
    planar: RobotModel, name: str, shape: tuple[int, ...], wrong: tuple[int, ...]
) -> None:
    kernel = engine.kernel(FRAMES, name)
    q = np.zeros((3, 2)) if name.endswith("batch") else np.zeros(2)
    out = np.full(shape, np.nan)
    kernel(planar._end_chain, q, out)
    assert np.isfinite(out).all()
    longer = np.concatenate([q, q], axis=-1)
    for arguments in ((q, np.empty(wrong)), (longer, out), (q * np.nan, out)):
        with pytest.raises(ValueError, match=r"shape|not finite"):
            kernel(planar._end_chain, *arguments)


def test_out_is_left_alone_when_a_joint_value_is_not_finite(planar: RobotModel) -> None:
    for call, shape in ((planar.jacobian, (6, 2)), (planar.end_effector, (4, 4))):
        out = np.full(shape, 7.0)
        with pytest.raises(ValueError, match="finite"):
            call(np.array([0.0, np.nan]), out)
        assert (out == 7.0).all()


def test_methods_call_compiled_kernels_directly(planar: RobotModel) -> None:
    forward = importlib.import_module("armwright.kinematics.motion.forward")
    planar.end_effector(np.zeros(2))
    assert forward._chain_pose is engine.kernel(FRAMES, "chain_pose")
