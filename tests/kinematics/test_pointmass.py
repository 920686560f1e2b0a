"""HEBI's dynamics compensation, under its own name."""

import numpy as np
import pytest

from armwright.errors import JointVectorError, ModelError
from armwright.kinematics import RobotModel, loads
from tests import oracles


def test_one_mass_on_a_slide() -> None:
    slide = loads(
        '<robot version="1.6.0"><joint axis="tz" gear_ratio="2"/><rigid-body mass="3"/></robot>'
    )
    # The mass accelerates by a / 2, and the effort is divided by the ratio as well.
    efforts = slide.point_mass_dynamics_efforts([0], [0.1], [0.7], [4])
    assert efforts == pytest.approx([3 * 2 / 2], abs=1e-6)


def test_one_mass_on_a_rod() -> None:
    rod = loads("""
        <robot version="1.6.0"><joint axis="rz"/>
        <rigid-body mass="2" com_trans="0.5 0 0" izz="9"/></robot>""")
    # m r^2 a; the rotational inertia is left out, and speed alone pulls along the rod.
    efforts = rod.point_mass_dynamics_efforts([0.3], [0.3], [2.0], [4.0])
    assert efforts == pytest.approx([2 * 0.25 * 4], abs=1e-5)
    # Jacobians are those of the measured position: the force is that of the commanded one.
    efforts = rod.point_mass_dynamics_efforts([0.3 + np.pi / 2], [0.3], [2.0], [0.0])
    assert efforts == pytest.approx([2 * 0.5 * 0.5 * 4], abs=1e-5)


def test_the_formula(tree: RobotModel) -> None:
    rng = np.random.default_rng(5)
    measured, q, v, a = rng.normal(size=(4, 6))
    for dt in (1e-3, 1e-2):
        d = tree.description
        past, now, next_ = (
            oracles.poses(d, "com", x)[:, :3, 3]
            for x in (q - v * dt + a * dt**2 / 2, q, q + v * dt + a * dt**2 / 2)
        )
        acceleration = (past - 2 * now + next_) / dt**2
        J = oracles.jacobians(d, "com", measured)[:, :3]
        expected = np.einsum("nij,n,ni->j", J, tree.masses, acceleration)
        efforts = tree.point_mass_dynamics_efforts(measured, q, v, a, dt)
        np.testing.assert_allclose(efforts, expected, rtol=0, atol=1e-8)
    assert tree.point_mass_dynamics_efforts(measured, q, v, a).tobytes() == (
        tree.point_mass_dynamics_efforts(measured, q, v, a, 1e-3).tobytes()
    )


def test_payloads_count(planar: RobotModel) -> None:
    loaded = planar.with_payload(2, [0.1, 0, 0])
    q, v, a = np.array([[0.3, 0.5], [1.0, -2.0], [0.4, 0.6]])
    extra = loaded.point_mass_dynamics_efforts(q, q, v, a)
    extra = extra - planar.point_mass_dynamics_efforts(q, q, v, a)
    J = loaded.jacobian(q, frame_type="payload")[:3]
    step = 1e-4
    there = [
        loaded.forward_kinematics("payload", q + v * t + a * t**2 / 2)[0, :3, 3]
        for t in (-step, 0, step)
    ]
    acceleration = (there[0] - 2 * there[1] + there[2]) / step**2
    np.testing.assert_allclose(extra, 2 * J.T @ acceleration, atol=1e-4)


def test_leading_axes_broadcast(tree: RobotModel) -> None:
    rng = np.random.default_rng(6)
    measured, q, v = (rng.normal(size=(2, 3, 6)) for _ in range(3))
    a = rng.normal(size=6)
    efforts = tree.point_mass_dynamics_efforts(measured, q, v, a)
    assert efforts.shape == (2, 3, 6)
    for i in np.ndindex(2, 3):
        one = tree.point_mass_dynamics_efforts(measured[i], q[i], v[i], a)
        np.testing.assert_allclose(efforts[i], one, rtol=1e-12, atol=1e-12)
    assert tree.point_mass_dynamics_efforts(measured[0, 0], q, v, a).shape == (2, 3, 6)


def test_checks(planar: RobotModel) -> None:
    two = [0.0, 0.0]
    for place, name in enumerate(("q_feedback", "q", "v", "a")):
        arguments: list[list[float]] = [two] * 4
        arguments[place] = [0.0, 0.0, 0.0]
        q_feedback, q, v, a = arguments
        with pytest.raises(JointVectorError, match=f"^{name}: expected 2 joint values, got 3"):
            planar.point_mass_dynamics_efforts(q_feedback, q, v, a)
    for dt in (0.0, -1e-3, np.nan, np.inf, "x", [1e-3]):
        with pytest.raises(ModelError, match="dt: expected a positive number of seconds, got"):
            planar.point_mass_dynamics_efforts(two, two, two, two, dt)  # type: ignore[arg-type]
    with pytest.raises(
        JointVectorError, match=r"broadcast, got \(2,\), \(3, 2\), \(2, 2\), \(2,\)"
    ):
        planar.point_mass_dynamics_efforts(two, np.zeros((3, 2)), np.zeros((2, 2)), two)


def test_a_robot_without_joints_or_masses() -> None:
    for inside in ("", '<joint axis="rz"/>', '<rigid-body mass="1"/>'):
        model = loads(f'<robot version="1.6.0">{inside}</robot>')
        zeros = np.zeros(model.dof)
        efforts = model.point_mass_dynamics_efforts(zeros, zeros, zeros, zeros)
        assert efforts.tolist() == zeros.tolist()
