"""What the dynamics kernels refuse, and the small ones among them."""

import numpy as np
import numpy.typing as npt
import pytest

from armwright.errors import ModelError
from armwright.kinematics import loads
from tests.kinematics.conftest import TREE
from tests.kinematics.dynamics_robots import MODULES, kernel

pytestmark = pytest.mark.kernels

FloatArray = npt.NDArray[np.float64]


@pytest.fixture
def rows() -> FloatArray:
    return loads(TREE)._rows


def arguments(name: str, rows: FloatArray) -> list[FloatArray]:
    """Good arguments of a kernel; the last is what it fills, T is a pose."""
    n = 6
    q, v, a = np.zeros(n), np.zeros(n), np.zeros(n)
    V, A, T = np.zeros(n + 6), np.zeros(n + 6), np.eye(4)
    F, w = np.zeros((2, 13)), np.zeros((2, 6))
    return {
        "inverse_dynamics": [rows, q, v, a, np.empty(n)],
        "inverse_dynamics_free": [rows, T, q, V, A, np.empty(n + 6)],
        "joint_wrenches": [rows, q, v, a, np.zeros((n + 1, 6)), np.empty((n + 1, 6))],
        "joint_wrenches_free": [rows, T, q, V, A, np.zeros((n + 1, 6)), np.empty((n + 1, 6))],
        "regressor_free": [rows, T, q, V, A, np.empty((n + 6, 10 * n + 10))],
        "forward_dynamics": [rows, q, v, a, np.empty(n)],
        "forward_dynamics_free": [rows, T, q, V, A, np.empty(n + 6)],
        "mass_matrix": [rows, q, np.empty((n, n))],
        "mass_matrix_free": [rows, T, q, np.empty((n + 6, n + 6))],
        "solve_mass": [rows, q, np.zeros((n, 2)), np.empty((n, 2))],
        "solve_mass_one": [rows, q, v, np.empty(n)],
        "momentum_matrix": [rows, q, np.empty((6, n))],
        "coriolis": [rows, q, v, np.empty((n, n))],
        "energies": [rows, q, v, np.empty(2)],
        "wrench_efforts": [rows, F, q, w, np.empty(n)],
        "body_wrenches": [rows, F, q, w, np.empty((n + 1, 6))],
        "regressor": [rows, q, v, a, np.empty((n, 10 * n))],
        "state": [rows, q, v, np.empty((n + 1, 68 + n))],
        "terms": [rows, q, v, np.empty((35 + n + 4, n))],
        "frame_pose": [rows, np.zeros((35 + n + 4, n)), np.zeros(13), np.empty((4, 4))],
        "frame_jacobian": [rows, np.zeros((35 + n + 4, n)), np.zeros(13), np.empty((6, n))],
        "state_free": [rows, T, np.zeros(6), q, v, np.empty((n + 1, 68 + n))],
    }[name]


NAMES = [name for names in MODULES.values() for name in names if name != "friction"]


@pytest.mark.parametrize("name", NAMES)
def test_kernels_refuse_what_does_not_fit(rows: FloatArray, name: str) -> None:
    run = kernel(name)
    good = arguments(name, rows)
    run(*good)
    for place, value in enumerate(good):
        longer = np.zeros([*value.shape[:-1], value.shape[-1] + 1])
        more = np.zeros([value.shape[0] + 1, *value.shape[1:]])
        for wrong in [more] if place == 0 else [longer, more]:
            if name in ("solve_mass", "wrench_efforts", "body_wrenches") and wrong.ndim == 2:
                continue  # how many columns or frames there are is free; both must agree
            with pytest.raises(ValueError, match="shape"):
                run(*good[:place], wrong, *good[place + 1 :])
        if 0 < place < len(good) - 1 and value.shape not in ((2, 13), (7, 6), (45, 6), (13,)):
            for bad in (np.nan, np.inf):
                broken = value.copy()
                broken.flat[-1] = bad
                with pytest.raises(ValueError, match="not finite"):
                    run(*good[:place], broken, *good[place + 1 :])


def test_columns_and_frames_must_agree(rows: FloatArray) -> None:
    q = np.zeros(6)
    with pytest.raises(ValueError, match="shape"):
        kernel("solve_mass")(rows, q, np.zeros((6, 2)), np.empty((6, 3)))
    for name in ("wrench_efforts", "body_wrenches"):
        good = arguments(name, rows)
        with pytest.raises(ValueError, match="shape"):
            kernel(name)(rows, np.zeros((3, 13)), *good[2:])


def test_friction(rows: FloatArray) -> None:
    P = np.array([[0.5, 0.0, 1.0], [0.1, 0.2, 0.3]])
    out = np.ones(3)
    kernel("friction")(P, np.array([2.0, -1.0, 0.0]), -1.0, out)
    np.testing.assert_allclose(out, [1 - 1.1, 1 + 0.2, 1.0])
    with pytest.raises(ValueError, match="shape"):
        kernel("friction")(P, np.zeros(2), 1.0, out)


def test_the_model_names_the_joint_that_the_kernel_found() -> None:
    model = loads('<robot version="1.6.0"><joint axis="rz"/><joint axis="rx"/></robot>')
    out = np.empty(2)
    zero = np.zeros(2)
    assert kernel("forward_dynamics")(model._rows, zero, zero, zero, out) == 2
    assert kernel("solve_mass")(model._rows, zero, np.zeros((2, 1)), np.empty((2, 1))) == 2
    with pytest.raises(ModelError, match="joint 'joint2'"):
        model.forward_dynamics(zero, zero, zero)
