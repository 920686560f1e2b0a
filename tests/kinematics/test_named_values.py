"""Joint values by the names of the joints, wherever a call takes joint values."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices, ik, kinematics
from armwright.errors import JointVectorError, ModelError, ObjectiveError, TrajectoryError
from armwright.kinematics import RobotModel, RobotState

Call = Callable[[RobotModel, Any, Any, Any], Any]
B = [0.1, 0.2, 0.3, -0.4, 0.5, -0.6]
CALLS: dict[str, Call] = {
    "forward_kinematics": lambda m, q, v, a: m.forward_kinematics("output", q),
    "end_effector": lambda m, q, v, a: m.end_effector(q, index=0),
    "jacobians": lambda m, q, v, a: m.jacobians("output", q),
    "jacobian": lambda m, q, v, a: m.jacobian(q, frame=("endeffector", 0)),
    "jacobian body": lambda m, q, v, a: m.jacobian(q, frame=("output", 1), reference="body"),
    "bias_acceleration": lambda m, q, v, a: m.bias_acceleration(q, v, frame=("output", 1)),
    "gravity_efforts": lambda m, q, v, a: m.gravity_efforts(q),
    "inverse_dynamics": lambda m, q, v, a: m.inverse_dynamics(q, v, a),
    "bias_efforts": lambda m, q, v, a: m.bias_efforts(q, v),
    "forward_dynamics": lambda m, q, v, a: m.forward_dynamics(q, v, a),
    "mass_matrix": lambda m, q, v, a: m.mass_matrix(q),
    "solve_mass": lambda m, q, v, a: m.solve_mass(q, B),
    "coriolis": lambda m, q, v, a: m.coriolis(q, v),
    "external_efforts": lambda m, q, v, a: m.external_efforts(q, {("output", 1): B}),
    "point_mass": lambda m, q, v, a: m.point_mass_dynamics_efforts(q, q, v, a),
    "kinetic_energy": lambda m, q, v, a: m.kinetic_energy(q, v),
    "potential_energy": lambda m, q, v, a: m.potential_energy(q),
    "energy": lambda m, q, v, a: m.energy(q, v),
    "momentum_matrix": lambda m, q, v, a: m.momentum_matrix(q),
    "regressor": lambda m, q, v, a: m.inverse_dynamics_regressor(q, v, a),
    "to_map": lambda m, q, v, a: list(m.to_map(q).values()),
    "clip": lambda m, q, v, a: (
        [*dict(m.to_map(m.clip(q))).values()]
        if not isinstance(q, dict)
        else [m.clip(q)[name] for name in m.joint_names]
    ),
    "check_limits": lambda m, q, v, a: len(m.check_limits(q=q, v=v, tau=a)),
    "describe": lambda m, q, v, a: len(m.describe(q=q)),
    "state": lambda m, q, v, a: RobotState(m, q, v, a).inverse_dynamics(),
    "replace": lambda m, q, v, a: RobotState(m, B).replace(q=q, v=v, a=a).inverse_dynamics(),
    "capability": lambda m, q, v, a: kinematics.static_capability(m, q).efforts,
    "solve": lambda m, q, v, a: ik.solve(m, q, ik.position([0.3, 0.2, 0.4])).q,
    "manipulability": lambda m, q, v, a: ik.manipulability(m, q).measure,
    "posture": lambda m, q, v, a: ik.solve(m, B, ik.posture(q)).q,
    "simulate": lambda m, q, v, a: devices.simulate(m, q0=q).feedback().position,
    "plan": lambda m, q, v, a: devices.plan(m, [q, v]).waypoints[:, 0],
}


@pytest.fixture
def arm(root: Any) -> RobotModel:
    model = aw.load(root / "examples" / "arms" / "six_dof.hrdf")
    return model.with_joint_dynamics(rotor_inertia=0.1)


@pytest.mark.parametrize("call", CALLS)
def test_mappings_are_what_vectors_are(arm: RobotModel, call: str) -> None:
    values = np.random.default_rng(0).uniform(-0.8, 0.8, size=(3, 6))
    named = [dict(zip(arm.joint_names[::-1], row[::-1].tolist(), strict=True)) for row in values]
    want, got = CALLS[call](arm, *values), CALLS[call](arm, *named)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("call", CALLS)
def test_unknown_and_missing_names_are_errors(arm: RobotModel, call: str) -> None:
    good = arm.to_map(np.zeros(6))
    misspelt = {**good, "J3_elbwo": 0.0}
    with pytest.raises(ValueError, match=r"no joint 'J3_elbwo'.*Did you mean 'J3_elbow'\?"):
        CALLS[call](arm, misspelt, good, good)
    if call in ("clip", "check_limits"):  # these speak of some joints as well
        return
    good.pop("J3_elbow")
    with pytest.raises(ValueError, match=r"expected 6 joints, got 5; missing: J3_elbow"):
        CALLS[call](arm, good, good, good)


def test_lists_of_mappings_are_batches(arm: RobotModel) -> None:
    Q = np.random.default_rng(1).uniform(-1, 1, size=(4, 6))
    named = [arm.to_map(q) for q in Q]
    np.testing.assert_array_equal(arm.gravity_efforts(named), arm.gravity_efforts(Q))  # type: ignore[arg-type]
    with pytest.raises(JointVectorError, match=r"q, row 1: there is no joint 'x'"):
        arm.gravity_efforts([named[0], {"x": 1.0}])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"J1_base": "1"}, "q, joint 'J1_base': expected a number, got '1'"),
        ({"J1_base": [1.0, 2.0]}, "joint 'J1_base': expected a number"),
        ({3: 1.0}, "there is no joint 3"),
        ({"J1_base": float("nan")}, "missing"),
    ],
)
def test_what_is_wrong_in_a_mapping(arm: RobotModel, wrong: Any, words: str) -> None:
    with pytest.raises(JointVectorError, match=words):
        arm.gravity_efforts(wrong)
    with pytest.raises(JointVectorError, match="expected 6 finite joint values, got nan"):
        arm.gravity_efforts({**arm.to_map(np.zeros(6)), "J1_base": float("nan")})


def test_a_robot_without_joints_takes_an_empty_mapping() -> None:
    model = aw.loads('<robot version="1.6.0"><rigid-body mass="1"/></robot>')
    with pytest.raises(JointVectorError, match="expected 0 joint values"):
        model.gravity_efforts({"a": 1.0})


def test_drives_of_some_joints(arm: RobotModel) -> None:
    damped = arm.with_joint_dynamics(damping={"J3_elbow": 1.5})
    assert damped.joint_dynamics.damping.tolist() == [0, 0, 1.5, 0, 0, 0]
    assert damped.joint_dynamics.rotor_inertia.tolist() == [0.1] * 6
    known = arm.with_joint_dynamics("catalog", friction={"J1_base": 9.0}).joint_dynamics.friction
    from_catalog = arm.with_joint_dynamics("catalog").joint_dynamics.friction
    assert known.tolist() == [9.0, *from_catalog[1:].tolist()]
    with pytest.raises(ModelError, match=r"damping: there is no joint 'elbow'.*J3_elbow"):
        arm.with_joint_dynamics(damping={"elbow": 1.0})
    with pytest.raises(ModelError, match="damping of joint 'J3_elbow': expected a finite number"):
        arm.with_joint_dynamics(damping={"J3_elbow": -1.0})


def test_position_limits_of_some_joints(arm: RobotModel) -> None:
    one = arm.with_position_limits({"J1_base": -1.0}, {"J1_base": 2.0, "J3_elbow": 3.0})
    assert one.position_limits[:, 0].tolist() == [-1.0, 2.0]
    assert one.position_limits[:, 2].tolist() == [arm.position_limits[0, 2], 3.0]
    assert (one.position_limits[:, 3:] == arm.position_limits[:, 3:]).all()
    with pytest.raises(JointVectorError, match="lower position limits: there is no joint 'J1'"):
        arm.with_position_limits({"J1": 0.0}, {})


def test_limits_of_a_search_by_name(arm: RobotModel) -> None:
    limits = ik.joint_limits({"J2_shoulder": 0.1}, {"J2_shoulder": 0.2, "J1_base": 0.3})
    found = ik.solve(arm, np.zeros(6), ik.position([0.3, 0.2, 0.4]), limits)
    low, high = [-np.inf] * 6, [np.inf] * 6
    low[1], high[1], high[0] = 0.1, 0.2, 0.3
    same = ik.solve(arm, np.zeros(6), ik.position([0.3, 0.2, 0.4]), ik.joint_limits(low, high))
    np.testing.assert_array_equal(found.q, same.q)
    assert 0.1 <= found.q[1] <= 0.2
    with pytest.raises(ObjectiveError, match="both limits by name, or neither"):
        ik.joint_limits({"J2_shoulder": 0.1}, high)
    with pytest.raises(ObjectiveError, match="joint_limits: there is no joint 'J2'"):
        ik.solve(arm, np.zeros(6), ik.joint_limits({"J2": 0.0}, {}))


def test_postures_by_name_are_not_mixed_up(arm: RobotModel) -> None:
    q = np.linspace(-0.5, 0.5, 6)
    for names in (arm.joint_names, arm.joint_names[::-1]):  # one order after the other
        posture = ik.posture(dict(zip(names, q.tolist(), strict=True)))
        want = dict(zip(names, q.tolist(), strict=True))
        got = arm.to_map(ik.solve(arm, np.zeros(6), posture).q)
        assert all(abs(got[name] - value) < 1e-9 for name, value in want.items())


def test_waypoints_by_name_name_the_waypoint(arm: RobotModel) -> None:
    with pytest.raises(TrajectoryError, match="plan, waypoints, row 1: expected 6 joints, got 0"):
        devices.plan(arm, [arm.to_map(np.zeros(6)), {}])


def test_limits_of_some_joints_alone(arm: RobotModel) -> None:
    narrow = arm.with_position_limits([-1.0] * 6, [1.0] * 6)
    (found,) = narrow.check_limits(q={"J3_elbow": 1.5, "J1_base": 0.2})
    assert (found.joint, found.excess) == ("J3_elbow", 0.5)
    clipped = narrow.clip({"J3_elbow": 1.5, "J1_base": 0.2})
    assert clipped == {"J3_elbow": 1.0, "J1_base": 0.2}
    assert narrow.check_limits(q=clipped) == ()
    with pytest.raises(JointVectorError, match="q of joint 'J3_elbow': expected a finite number"):
        narrow.check_limits(q={"J3_elbow": float("nan")})


def test_speeds_steps_and_efforts_of_some_joints(arm: RobotModel) -> None:
    q, each = np.full(6, 0.3), np.full(6, np.inf)
    each[2] = 0.01
    named: Any = {"J3_elbow": 0.01}
    twist = ik.twist([0.1, 0, 0, 0, 0, 0])
    slow = ik.velocity(arm, q, twist, max_speed=named)
    np.testing.assert_array_equal(slow.v, ik.velocity(arm, q, twist, max_speed=each).v)
    assert abs(slow.v[2]) <= 0.01
    poses = [arm.end_effector(q + t) for t in (0.0, 0.005, 0.02)]
    tracked = ik.track(arm, q, poses, max_step=named)
    np.testing.assert_array_equal(tracked.q, ik.track(arm, q, poses, max_step=each).q)
    with pytest.raises(ObjectiveError, match=r"max_step: there is no joint 'elbow'"):
        ik.Tracker(arm, q, max_step={"elbow": 1.0})
    report = kinematics.static_capability(arm, q, continuous_efforts={"J3_elbow": 0.5})
    wanted = arm.continuous_efforts.copy()
    wanted[2] = 0.5
    np.testing.assert_array_equal(report.continuous_efforts, wanted)
