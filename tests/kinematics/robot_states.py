"""What the tests of states share: random ones, and how one moves on in time."""

import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pytest

from armwright.kinematics import RobotModel, RobotState
from tests.kinematics.dynamics_robots import pose
from tests.oracles import rotation_about

FloatArray = npt.NDArray[np.float64]
Found = TypeVar("Found")
KINDS = ("mixed", "body", "inertial")
STEP = 1e-4  # s; differences of fourth order are good to 1e-11 with it, and rounding as well
ALL_KINDS = pytest.mark.parametrize("kind", KINDS)
BOTH_BASES = pytest.mark.parametrize("floating", [False, True])
SLOW = 1e-7  # relative to the largest number: what differences may be off


def some_state(
    model: RobotModel, seed: int = 0, *, floating: bool = False, kind: str = "mixed"
) -> RobotState:
    """A random state that moves and accelerates, under a gravity askew, away from the origin."""
    rng = np.random.default_rng(seed)
    q, v, a = rng.uniform(-1.5, 1.5, size=(3, model.dof))
    twist, acceleration = rng.uniform(-1.5, 1.5, size=(2, 6))
    state = RobotState(
        model,
        q,
        v,
        a,
        T_world_base=pose(rng),
        base_twist=twist if floating else None,
        base_acceleration=acceleration if floating else None,
        gravity=[1.0, -3.0, -9.0],
        floating=floating,
    )
    return state.with_(representation=kind)


def floating_at(root: RobotState, frame: Any) -> RobotState:
    """The same motion, of a robot that floats at another frame."""
    return RobotState(
        root.model.with_floating_base(frame),
        root.q,
        root.v,
        root.a,
        T_world_base=root.pose(frame),
        base_twist=root.twist(frame),
        base_acceleration=root.acceleration(frame),
        gravity=root.gravity,
        representation=root.representation,
    )


def check_pushes(state: RobotState, pushes: Mapping[Any, Any]) -> FloatArray:
    """Pushes are the sum of J^T w, and dynamics take them; returns the efforts with them."""
    efforts = state.external_efforts(pushes)
    expected = np.zeros(state.size)
    for key, wrench in pushes.items():
        J = state.jacobian(tag=key) if isinstance(key, str) else state.jacobian(key)
        expected += J.T @ np.array(wrench)
    same(efforts, expected)
    tau = state.inverse_dynamics(pushes)
    same(tau, state.inverse_dynamics() - efforts)
    same(state.forward_dynamics(tau, pushes), state.generalized_acceleration, 1e-9)
    return tau


def in_six_threads(ask: Callable[[], Found]) -> list[Found]:
    """What six threads get that ask at the same moment."""
    found: list[Found] = []
    start = threading.Barrier(6)

    def run() -> None:
        start.wait()
        found.append(ask())

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    return found


def later(state: RobotState, t: float) -> RobotState:
    """The state a moment t later, to second order, by its acceleration."""
    kind = state.representation
    mixed = state.with_(representation="mixed")
    T = np.array(state.T_world_base)
    V, A = mixed.base_twist, mixed.base_acceleration
    way = V * t + 0.5 * A * t * t
    T[:3, :3] = turn(way[3:]) @ T[:3, :3]
    T[:3, 3] += way[:3]
    q = state.q + state.v * t + 0.5 * state.a * t * t
    moved = mixed.with_(q=q, v=state.v + state.a * t, T_world_base=T, base_twist=V + A * t)
    return moved.with_(representation=kind)


def rate(of: Callable[[RobotState], npt.ArrayLike], state: RobotState) -> FloatArray:
    """Time derivative of something, by central differences of fourth order."""
    after, before, far, farther = (np.asarray(of(moment)) for moment in around(state))
    difference: FloatArray = (8 * (after - before) - (far - farther)) / (12 * STEP)
    return difference


@lru_cache(maxsize=16)
def around(state: RobotState) -> tuple[RobotState, ...]:
    """The state a moment later and earlier, and twice as much."""
    return tuple(later(state, step) for step in (STEP, -STEP, 2 * STEP, -2 * STEP))


def turn(w: FloatArray) -> FloatArray:
    """Rotation by a rotation vector: Rodrigues."""
    return rotation_about(w, float(np.linalg.norm(w)))


def twist_of(T: FloatArray, T_rate: FloatArray, kind: str) -> FloatArray:
    """Twist of a pose from its time derivative: the definition of each representation."""
    if kind == "body":
        M = np.linalg.inv(T) @ T_rate
    elif kind == "inertial":
        M = T_rate @ np.linalg.inv(T)
    else:
        M = np.zeros((4, 4))
        M[:3, :3] = T_rate[:3, :3] @ T[:3, :3].T
        M[:3, 3] = T_rate[:3, 3]
    return np.array([*M[:3, 3], M[2, 1], M[0, 2], M[1, 0]])


def same(ours: npt.ArrayLike, other: npt.ArrayLike, tolerance: float = 1e-10) -> None:
    """Compare, relative to the largest number or absolutely below 1."""
    other = np.asarray(other)
    scale = max(1.0, float(np.abs(other).max(initial=0.0)))
    np.testing.assert_allclose(np.asarray(ours) / scale, other / scale, rtol=0, atol=tolerance)


def inertias(model: RobotModel) -> list[tuple[float, FloatArray]]:
    """Mass and inertia of every part with a com frame, in that frame."""
    found = []
    for number in model._compiled.frame_elements["com"]:  # type: ignore[index]
        element = model.elements[number]
        xx, yy, zz, xy, xz, yz = element.inertia  # type: ignore[union-attr]
        found.append((element.mass, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])))  # type: ignore[union-attr]
    return found
