"""Dynamics with answers in closed form: what people get wrong, one small robot each."""

import numpy as np
import numpy.typing as npt
import pytest

from armwright.kinematics import RobotModel, RobotState, loads
from tests.oracles import near

pytestmark = pytest.mark.kernels

FloatArray = npt.NDArray[np.float64]
DOWN_Y = [0, -9.81, 0]
Q, V, A = [0.3, 0.5], [1.0, 0.5], [0.4, -0.7]


def test_the_com_frame_turns_the_inertia() -> None:
    # C07: R I R^T, so that the small moment is the one about the joint.
    model = loads("""
        <robot version="1.6.0">
          <joint axis="rx"/>
          <rigid-body mass="1" com_trans="0 0 0" com_rot="Ry(pi/2)"
                      ixx="0.11" iyy="0.11" izz="0.0109"/>
          <end-effector/>
        </robot>""")
    assert model.mass_matrix([0.0]) == near([[0.0109]], 1e-15)
    # Moments of the body, whose z is the joint's axis.
    xx, yy, zz = model.inertial_parameters[[4, 6, 9]]
    assert sorted([xx, yy]) == near([0.11, 0.11], 1e-15)
    assert zz == pytest.approx(0.0109, abs=1e-15)


def test_holding_efforts_hold(planar: RobotModel) -> None:
    # C35, C36: no acceleration at rest, standing or on a wall.
    turned = [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]]
    for model in (planar, planar.with_base_frame(turned)):
        tau = model.gravity_efforts(Q, DOWN_Y)
        assert model.forward_dynamics(Q, [0, 0], tau, DOWN_Y) == near([0, 0], 1e-10)
        assert model.inverse_dynamics(Q, [0, 0], [0, 0], DOWN_Y) == near(tau, 1e-12)
    wall = planar.with_base_frame(turned).inverse_dynamics(Q, [0, 0], [0, 0], DOWN_Y)
    assert wall == near([-7.557422268, -1.759315813])


def test_a_slide_bears_weight_and_accelerates() -> None:
    lift = loads('<robot version="1.6.0"><joint axis="tz"/><rigid-body mass="3"/></robot>')
    assert lift.inverse_dynamics([0.2], [5.0], [2.0]) == near([3 * (9.81 + 2)])
    assert lift.forward_dynamics([0.2], [5.0], [0.0]) == near([-9.81])
    assert lift.mass_matrix([0.7]) == near([[3.0]])
    geared = loads(
        '<robot version="1.6.0"><joint axis="tz" gear_ratio="2"/><rigid-body mass="3"/></robot>'
    )
    assert geared.mass_matrix([0.7]) == near([[0.75]])
    assert geared.inverse_dynamics([0.2], [5.0], [2.0]) == near([3 * (9.81 + 1) / 2])
    assert geared.forward_dynamics([0.2], [5.0], [0.0]) == near([-2 * 9.81])


def test_a_payload_of_zero_changes_no_bit(planar: RobotModel) -> None:
    # C38, the dynamics part.
    loaded = planar.with_payload(2, com=[0.1, 0, 0])
    # A point mass at 1 and 0.6 m: M grows by m J^T J, the efforts by those of the mass alone.
    J = planar.jacobian(Q, point=[0.1, 0, 0])[:3]
    assert loaded.mass_matrix(Q) - planar.mass_matrix(Q) == near(2 * J.T @ J, 1e-12)
    for other in (planar.with_payload(0), loaded.with_payload(0)):
        for method in ("inverse_dynamics", "forward_dynamics"):
            ours = getattr(other, method)(Q, V, A, DOWN_Y)
            assert ours.tobytes() == getattr(planar, method)(Q, V, A, DOWN_Y).tobytes()
        assert other.mass_matrix(Q).tobytes() == planar.mass_matrix(Q).tobytes()


def test_two_links_in_the_plane(planar: RobotModel) -> None:
    # C39: textbook matrices of two links with inertia.
    M = [[2.251291281, 0.331895640], [0.331895640, 0.112500000]]
    assert planar.mass_matrix(Q) == near(M)
    assert planar.coriolis(Q, V) @ V == near([-0.149820481, 0.119856385])
    c = -1.0 * 0.25 * np.sin(0.5)  # -m l1 d2 sin q2
    assert planar.coriolis(Q, V) == near([[c * 0.5, c * 1.5], [-c * 1.0, 0]], 1e-12)
    assert planar.bias_efforts(Q, V, [0, 0, 0]) == near([-0.149820481, 0.119856385])
    tau = planar.inverse_dynamics(Q, V, A, DOWN_Y)
    assert tau == near([20.970744205, 1.882537846])
    assert planar.forward_dynamics(Q, V, tau, DOWN_Y) == near(A)
    assert planar.solve_mass(Q, np.array(M) @ A) == near(A)


def test_inverse_dynamics_has_rotational_inertia() -> None:
    # C40: HEBI's compensation has not; it is a method of its own.
    model = loads("""<robot version="1.6.0"><joint axis="rz"/>
        <rigid-body mass="1" com_trans="0.5 0 0" izz="0.2"/><end-effector/></robot>""")
    assert model.inverse_dynamics([0], [0], [1], [0, 0, 0]) == near([0.45])
    assert model.point_mass_dynamics_efforts([0], [0], [0], [1]) == near([0.25], 1e-6)
    assert "approximation" in (RobotModel.inverse_dynamics.__doc__ or "")


def test_bias_accelerations(planar: RobotModel) -> None:
    # C41: Jdot qd of the end effector, all six numbers, by every public call that has it.
    expected = [-1.739131537, -1.102545809, 0, 0, 0, 0]
    assert planar.bias_acceleration(Q, V) == near(expected)
    assert planar.bias_acceleration([Q, Q], [V, V])[1] == near(expected)
    assert RobotState(planar, Q, V).bias_acceleration() == near(expected)
    base = ("input", 0)
    assert RobotState(planar, Q, V).relative_bias_acceleration(None, base) == near(expected)
    assert (planar.bias_acceleration(Q, [0.0, 0.0]) == 0.0).all()
    assert (RobotState(planar, Q).bias_acceleration() == 0.0).all()


def test_a_pendulum_swings_as_in_the_book() -> None:
    # (I + m l^2) a = -m g l cos q, about a horizontal axis; a rotor and friction add to it.
    pendulum = loads("""<robot version="1.6.0"><joint axis="-ry"/>
        <rigid-body mass="2" com_trans="0.5 0 0" iyy="0.1"/></robot>""")
    for q in (0.0, 0.4, 2.0):
        expected = -2 * 9.81 * 0.5 * np.cos(q) / 0.6
        assert pendulum.forward_dynamics([q], [3.0], [0.0]) == near([expected], 1e-12)
    driven = pendulum.with_joint_dynamics(rotor_inertia=0.4, damping=0.3, friction=0.2)
    gravity = 2 * 9.81 * 0.5
    assert driven.mass_matrix([0.3]) == near([[1.0]], 1e-15)
    assert driven.inverse_dynamics([0.0], [2.0], [1.0]) == near([1.0 + gravity + 0.6 + 0.2], 1e-12)
    assert driven.inverse_dynamics([0.0], [-2.0], [0.0]) == near([gravity - 0.6 - 0.2], 1e-12)
    assert driven.forward_dynamics([0.0], [2.0], [0.0]) == near([-gravity - 0.8], 1e-12)
    assert driven.kinetic_energy([0.0], [2.0]) == pytest.approx(2.0)


def test_a_push_at_the_tool(planar: RobotModel) -> None:
    # A force on the robot is carried by J^T; holding against it needs the opposite.
    push = {"ee": [0.0, 10.0, 0.0, 0.0, 0.0, 3.0]}
    x1, x2 = 1.303689844, 0.348353355
    carried = [10 * x1 + 3, 10 * x2 + 3]
    assert planar.external_efforts(Q, push) == near(carried, 1e-7)
    rest = planar.inverse_dynamics(Q, [0, 0], [0, 0], DOWN_Y, external_wrenches=push)
    assert rest == near(np.subtract([20.452375121, 1.708673205], carried), 1e-7)
