"""A minute without friction: the energy that forward dynamics lets in or out is not visible.

The integrator is Gragg's midpoint rule, extrapolated to order eight (Bulirsch and Stoer). Its own
error is below what the tests allow; an error of the accelerations would not be.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from armwright.kinematics import RobotModel, load, loads

FloatArray = npt.NDArray[np.float64]
MINUTE = 60.0  # s
SPLITS = (2, 4, 6, 8)


def one_step(model: RobotModel, state: FloatArray, dt: float) -> FloatArray:
    """Advance (q, v), shape (2, dof), by one step of free motion."""
    zero = np.zeros(model.dof)

    def rate(at: FloatArray) -> FloatArray:
        return np.array([at[1], model.forward_dynamics(at[0], at[1], zero)])

    start = rate(state)
    column: list[FloatArray] = []  # of the extrapolation table, newest first
    for k, count in enumerate(SPLITS):
        h = dt / count
        before, now = state, state + h * start
        for _ in range(count - 1):
            before, now = now, before + 2.0 * h * rate(now)
        fresh = [0.5 * (before + now + h * rate(now))]
        for j, older in enumerate(column):
            ratio = (count / SPLITS[k - 1 - j]) ** 2
            fresh.append(fresh[j] + (fresh[j] - older) / (ratio - 1.0))
        column = fresh
    return column[-1]


def largest_drift(model: RobotModel, q: FloatArray, v: FloatArray, dt: float) -> float:
    """Integrate a minute of free motion; return the largest energy error over the energy moved."""
    state = np.array([q, v])
    states = [state]
    for _ in range(round(MINUTE / dt)):
        state = one_step(model, state, dt)
        states.append(state)
    path = np.array(states)
    energy = model.energy(path[:, 0], path[:, 1])
    kinetic = model.kinetic_energy(path[:, 0], path[:, 1])
    assert np.ptp(kinetic) > 0.5  # J: it does move
    return float(np.abs(energy - np.ravel(energy)[0]).max() / np.max(kinetic))


def test_a_pendulum_keeps_its_energy() -> None:
    pendulum = loads("""
        <robot version="1.6.0"><joint axis="ry"/>
        <rigid-body mass="1" com_trans="0.5 0 0" izz="0.02" iyy="0.02"/></robot>""")
    assert largest_drift(pendulum, np.array([-0.4]), np.array([0.0]), 0.03) < 1e-8


def test_a_six_axis_arm_keeps_its_energy(root: Path) -> None:
    # Rotors as in real modules: without them a free wrist whips round within milliseconds.
    arm = load(root / "examples" / "arms" / "six_dof.hrdf")
    arm = arm.with_payload(0.5, (0.05, 0.03, 0.05)).with_joint_dynamics(rotor_inertia=0.05)
    q, v = np.random.default_rng(4).uniform(-1, 1, size=(2, 6))
    assert largest_drift(arm, q, v, 8e-3) < 1e-8
