from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import minimum_jerk, plan
from armwright.errors import TrajectoryError


def test_a_move_is_at_rest_at_both_ends_and_within_speeds(six_dof: aw.RobotModel) -> None:
    goal = np.array([1.0, 0.5, -0.8, 0.3, 2.0, -3.0])
    move = plan(six_dof, [np.zeros(6), goal], start_time=2.0)
    assert move.start_time == 2.0
    np.testing.assert_allclose(move.state(move.start_time)[0], 0.0)
    position, velocity, acceleration = move.state(move.end_time)
    np.testing.assert_allclose(position, goal)
    np.testing.assert_allclose([velocity, acceleration], 0.0, atol=1e-9)
    assert (move.max_speeds() <= six_dof.max_speeds * (1 + 1e-9)).all()


def test_limits_of_the_caller_hold(six_dof: aw.RobotModel) -> None:
    goal = np.linspace(0.5, 1.0, 6)
    move = plan(six_dof, [np.zeros(6), goal], max_speeds=0.2, max_accelerations=0.01)
    assert move.max_speeds().max() <= 0.2 + 1e-12
    assert move.max_accelerations().max() <= 0.01 + 1e-12
    quick = plan(six_dof, [np.zeros(6), goal], max_speeds=0.2)
    assert quick.max_accelerations().max() > 0.01


def test_joints_without_limits_move_at_most_at_the_default(lift: aw.RobotModel) -> None:
    move = plan(lift, [[0.0], [100.0], [0.0]])
    assert move.max_speeds()[0] <= 1.0 + 1e-9


def test_a_waypoint_outside_the_limits_is_named(one_joint: aw.RobotModel) -> None:
    limited = one_joint.with_position_limits([-1.0], [1.0])
    with pytest.raises(TrajectoryError, match=r"waypoint 1, joint 'only': expected -1 to 1, got 2"):
        plan(limited, [[0.0], [2.0]])
    assert plan(limited, [[-1.0], [1.0]]).position_range()[1, 0] == pytest.approx(1.0)


def test_a_curve_that_swings_over_a_limit_is_named(one_joint: aw.RobotModel) -> None:
    limited = one_joint.with_position_limits([-1.0], [1.0])
    with pytest.raises(TrajectoryError, match=r"on the way joint 'only'"):
        plan(limited, [[0.0], [0.99], [1.0], [0.99], [-1.0]])


ARM = """<robot version="1.6.0"><rigid-body mass="0" output_rot="Rx(pi/2)"/>
  <actuator type="X5-4" tag="shoulder"/>
  <rigid-body mass="{mass}" com_trans="0.3 0 0"/></robot>"""


def test_a_joint_too_weak_to_hold_the_arm_is_named() -> None:
    heavy = aw.loads(ARM.format(mass=3))
    assert heavy.gravity_efforts([0.0])[0] == pytest.approx(8.829)
    says = r"'shoulder': cannot hold the arm at .* asks for 8.8\d* and its limit is 7;"
    with pytest.raises(TrajectoryError, match=says):
        plan(heavy, [[-1.5], [1.5]])
    plan(heavy, [[-1.57], [-1.2]])  # hanging it is light enough


def test_a_move_is_slowed_down_until_its_efforts_fit() -> None:
    arm = aw.loads(ARM.format(mass=2.37))
    limit, hold = arm.max_efforts[0], arm.gravity_efforts([0.0])[0]
    assert 0.99 < hold / limit < 1.0
    light = plan(aw.loads(ARM.format(mass=0.1)), [[-0.5], [0.5]])
    move = plan(arm, [[-0.5], [0.5]])
    assert move.duration > 1.05 * light.duration
    t = np.linspace(0, move.duration, 5001)
    efforts = arm.inverse_dynamics(*move.state(t))
    assert limit * (1.0 - 1e-5) < np.abs(efforts).max() <= limit


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_letting_down_is_not_slowed_by_what_lifting_would_ask_for(side: float) -> None:
    arm = aw.loads(ARM.format(mass=2.37))  # stretched out, 1 % of its effort is left to lift
    if side < 0:
        arm = arm.with_base_frame(np.diag([1.0, -1.0, -1.0, 1.0]))  # upside down: other signs
    light = plan(aw.loads(ARM.format(mass=0.1)), [[0.0], [1.0]], max_accelerations=4.0)
    down = plan(arm, [[0.0], [-side]], max_accelerations=4.0)
    assert down.duration == pytest.approx(light.duration, rel=1e-9)
    up = plan(arm, [[-side], [0.0]], max_accelerations=4.0)
    assert up.duration == pytest.approx(light.duration, rel=1e-9)


@pytest.mark.parametrize(("beyond", "fine"), [(1e-10, True), (1e-7, False)])
def test_rounding_at_a_limit_is_no_fault(
    one_joint: aw.RobotModel, beyond: float, fine: bool
) -> None:
    limited = one_joint.with_position_limits([-1.0], [1.0])
    if fine:
        assert plan(limited, [[0.0], [1.0 + beyond]]).size == 1
        return
    with pytest.raises(TrajectoryError, match="waypoint 1, joint 'only'"):
        plan(limited, [[0.0], [1.0 + beyond]])


def test_a_joint_without_effort_to_spare_is_named() -> None:
    arm = aw.loads(ARM.format(mass=2))
    mass = 2 * arm.max_efforts[0] / arm.gravity_efforts([0.0])[0]  # all but holds it
    tight = aw.loads(ARM.format(mass=f"{mass * (1 - 1e-7):.12f}"))
    assert tight.gravity_efforts([0.0])[0] < tight.max_efforts[0]
    with pytest.raises(TrajectoryError, match="leaves nothing to move with"):
        plan(tight, [[-0.0005], [0.0005]], max_accelerations=1e9)


# ---- the full dynamics (C50)

FLYWHEEL = """<robot version="1.6.0"><actuator type="X5-1" tag="a"/>
  <rigid-body mass="3" ixx="0.25" iyy="0.25" izz="0.25"/></robot>"""
LIGHT = """<robot version="1.6.0"><actuator type="X5-1" tag="a"/>
  <rigid-body mass="0.3" com_trans="0.02 0 0" ixx="0.001" iyy="0.001" izz="0.001"/></robot>"""


def largest_effort(model: aw.RobotModel, move: devices.Trajectory) -> float:
    states = move.state(np.linspace(move.start_time, move.end_time, 2001))
    return float(np.abs(model.inverse_dynamics(*states)).max())


def test_link_inertia_is_accelerated_within_the_effort() -> None:
    wheel = aw.loads(FLYWHEEL)
    move = plan(wheel, [[0.0], [0.3]])
    assert 2.5 * (1.0 - 1e-5) < largest_effort(wheel, move) <= 2.5
    assert move.duration == pytest.approx(np.sqrt(0.25 * 10 / np.sqrt(3) * 0.3 / 2.5), rel=1e-6)


@pytest.mark.parametrize(
    "drive", [{}, {"rotor_inertia": 0.5}, {"damping": 1.0}, {"damping": 1.0, "friction": 1.5}]
)
def test_drives_are_moved_within_the_effort(drive: dict[str, float]) -> None:
    arm = aw.loads(LIGHT).with_joint_dynamics(**drive)  # type: ignore[arg-type]
    move = plan(arm, [[0.0], [1.5]])
    assert largest_effort(arm, move) <= 2.5
    if drive:
        assert move.duration > 1.01 * plan(aw.loads(LIGHT), [[0.0], [1.5]]).duration
        assert largest_effort(arm, move) >= 2.5 * (1.0 - 1e-4)  # and not more slowly than needed


def test_a_joint_too_weak_for_its_friction_is_named() -> None:
    arm = aw.loads(LIGHT).with_joint_dynamics(friction=2.6)
    says = r"joint 'a': cannot move the arm at .* gravity and friction ask for 2.6\d* and its limit"
    with pytest.raises(TrajectoryError, match=says):
        plan(arm, [[0.0], [1.5]])


def test_a_payload_makes_a_plan_slower(six_dof: aw.RobotModel) -> None:
    q = np.array([0.0, 0.9, 1.6, -0.7, 0.2, 0.0])
    loaded = six_dof.with_payload(1.0)
    most = np.abs(loaded.gravity_efforts([q, q + 0.3, q + 0.5])).max(axis=0) + 0.05
    moves = [plan(one, [q, q + 0.5], max_efforts=most) for one in (six_dof, loaded)]
    assert moves[1].duration > 1.05 * moves[0].duration
    efforts = loaded.inverse_dynamics(*moves[1].state(np.linspace(0, moves[1].duration, 2001)))
    assert (np.abs(efforts) <= most).all()


def test_efforts_of_the_caller_hold(six_dof: aw.RobotModel) -> None:
    q = np.array([0.0, 0.9, 1.6, -0.7, 0.2, 0.0])
    most = np.abs(six_dof.gravity_efforts([q, q + 0.5])).max(axis=0) + 0.1
    move = plan(six_dof, [q, q + 0.5], max_efforts=most)
    efforts = six_dof.inverse_dynamics(*move.state(np.linspace(0, move.duration, 2001)))
    assert (np.abs(efforts) <= most).all()
    assert (np.abs(efforts) / most).max() == pytest.approx(1.0, rel=1e-5)


# ---- dense rows cost nothing (C51)


@pytest.mark.parametrize("rate", [20, 100, 200, 500, 1000])
def test_dense_rows_cost_nothing(six_dof: aw.RobotModel, rate: int) -> None:
    q = np.array([0.0, 0.9, 1.6, -0.7, 0.2, 0.0])
    whole = plan(six_dof, [q, q + 0.5])
    rows = whole.state(np.arange(0.0, whole.duration, 1.0 / rate))[0]
    move = plan(six_dof, rows)
    assert 1.5 < move.duration < 2.2
    assert (move.max_speeds() <= six_dof.max_speeds).all()
    assert move.max_accelerations().max() < whole.max_accelerations().max()
    assert len(move.times) == len(rows)
    np.testing.assert_allclose(move.state(move.times)[0], rows, atol=1e-9)
    smaller = plan(six_dof, rows, max_accelerations=0.5)
    assert smaller.max_accelerations().max() <= 0.5 + 1e-9


@pytest.mark.parametrize("rate", [50, 500])
def test_a_dense_path_that_turns_round_stops_there_by_itself(
    six_dof: aw.RobotModel, rate: int
) -> None:
    q = np.array([0.0, 0.9, 1.6, -0.7, 0.2, 0.0])
    whole = plan(six_dof, [q, q + 0.5, q], stop="stop")
    rows = whole.state(np.arange(0.0, whole.duration, 1.0 / rate))[0]
    move = plan(six_dof, rows)
    assert move.duration == pytest.approx(4.05, abs=0.06)
    assert move.max_accelerations().max() < 2.0
    turn = int(np.argmax(rows[:, 0]))
    assert np.abs(move.state(move.times[turn])[1]).max() < 0.02


def test_rows_that_repeat_take_little_time(six_dof: aw.RobotModel) -> None:
    q = np.array([0.0, 0.9, 1.6, -0.7, 0.2, 0.0])
    rows = np.linspace(q, q + 0.5, 100)
    held = np.vstack((rows[:50], np.tile(rows[50], (100, 1)), rows[50:]))
    assert plan(six_dof, held).duration < plan(six_dof, rows).duration + 0.15
    noisy = rows + np.random.default_rng(0).normal(0.0, 1e-4, rows.shape)
    assert plan(six_dof, noisy).duration < 2.2


# ---- stops and swings

ZIGZAG = [[0.0], [0.2], [1.0], [0.9], [0.9], [-0.6]]


@pytest.mark.parametrize("stop", ["stop", "turn"])
def test_a_joint_that_turns_round_at_its_waypoints_stays_within_them(
    lift: aw.RobotModel, stop: Any
) -> None:
    move = plan(lift, ZIGZAG, stop=stop)
    assert move.position_range()[:, 0] == pytest.approx([-0.6, 1.0])
    velocity, acceleration = move.waypoints[2:-1, 1, 0], move.waypoints[2:-1, 2, 0]
    np.testing.assert_allclose(velocity, 0.0, atol=1e-12)
    assert (np.abs(acceleration) < 1e-12).all() == (stop == "stop")


def test_a_flow_that_swings_is_warned_about_once(lift: aw.RobotModel) -> None:
    said = r"joint 'lift' swings 0\.\d+ m beyond waypoints \d and \d, .* stop=\"turn\" lets"
    with pytest.warns(UserWarning, match=said) as caught:
        move = plan(lift, ZIGZAG)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert move.position_range()[1, 0] > 1.02
    plan(lift, [[0.0], [0.5], [1.0]])  # nothing to say
    plan(lift, [[0.0], [1.0]])


def test_waypoints_are_passed_one_by_one_as_it_is_said(lift: aw.RobotModel) -> None:
    places = [[0.0], [0.5], [1.0], [1.5]]
    move = plan(lift, places, stop=["flow", "stop", "flow", "flow"])
    assert move.waypoints[1, 1, 0] == 0.0
    assert move.waypoints[2, 1, 0] > 0.1
    turning = plan(lift, places, stop="turn")  # goes on in one direction: nothing turns
    np.testing.assert_allclose(turning.waypoints, plan(lift, places).waypoints, atol=1e-12)


@pytest.mark.parametrize(
    ("stop", "says"),
    [
        ("halt", "stop: expected one of 'flow', 'turn', 'stop', got 'halt'"),
        (["flow", "stop"], "stop: expected one word, or 3, one per waypoint, ends included, got 2"),
        (["flow", "halt", "flow"], "stop, waypoint 1: expected one of"),
        (3, 'stop: expected "flow", "turn" or "stop", or a list of them, got 3'),
    ],
)
def test_words_that_are_none_are_refused(lift: aw.RobotModel, stop: Any, says: str) -> None:
    with pytest.raises(TrajectoryError, match=says):
        plan(lift, [[0.0], [0.5], [1.0]], stop=stop)
    with pytest.raises(TrajectoryError, match=says):
        minimum_jerk([0, 1, 2], [[0.0], [0.5], [1.0]], stop=stop)


def test_stops_of_a_trajectory_leave_what_is_given() -> None:
    nan = float("nan")
    move = minimum_jerk([0, 1, 2], [0.0, 1.0, 0.0], [0.0, 0.3, 0.0], stop="stop")
    np.testing.assert_allclose(move.waypoints[1, :, 0], [1.0, 0.3, 0.0], atol=1e-12)
    turned = minimum_jerk([0, 1, 2], [0.0, 1.0, 0.0], [0.0, nan, 0.0], stop="turn")
    np.testing.assert_allclose(turned.waypoints[1, :2, 0], [1.0, 0.0], atol=1e-12)


# ---- waypoints as hebi-py has them


def test_columns_are_waypoints_where_that_is_said(six_dof: aw.RobotModel) -> None:
    rows = np.linspace(np.zeros(6), np.full(6, 0.5), 4)
    move = plan(six_dof, rows)
    ported = plan(six_dof, rows.T, joints_first=True)
    np.testing.assert_array_equal(ported.waypoints, move.waypoints)
    curve = minimum_jerk(move.times, rows, 0 * rows)
    other = minimum_jerk(move.times, rows.T, 0 * rows.T, joints_first=True)
    np.testing.assert_array_equal(other.waypoints, curve.waypoints)
    with pytest.raises(TrajectoryError, match=r"shape \(6, 4\). joints_first=True takes one"):
        plan(six_dof, rows.T)
    with pytest.raises(TrajectoryError, match=r"at least 2 columns, .*6, m.*Without joints_first"):
        plan(six_dof, rows, joints_first=True)
    with pytest.raises(TrajectoryError, match=r"per waypoint; joints_first=True takes one column"):
        minimum_jerk(move.times, rows.T)
    with pytest.raises(TrajectoryError, match="joints_first: expected True or False, got 1"):
        plan(six_dof, rows, joints_first=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [[0.0] * 6, [[0.0] * 6], [[0.0] * 5] * 2, [["a"] * 6] * 2])
def test_waypoints_of_the_wrong_shape_are_refused(six_dof: aw.RobotModel, bad: object) -> None:
    with pytest.raises(TrajectoryError, match="plan, waypoints"):
        plan(six_dof, bad)  # type: ignore[arg-type]


def test_a_plan_is_a_trajectory_like_any_other(lift: aw.RobotModel) -> None:
    move = plan(lift, [[0.0], [1.0]])
    same = minimum_jerk(move.times, [[0.0], [1.0]])
    np.testing.assert_allclose(move.state(0.4)[0], same.state(0.4)[0], atol=1e-12)


@pytest.mark.parametrize("what", ["max_speeds", "max_accelerations", "max_efforts"])
def test_limits_by_the_names_of_the_joints(six_dof: aw.RobotModel, what: str) -> None:
    rows = [np.zeros(6), np.linspace(0.5, 1.0, 6)]
    bounds = {
        "max_speeds": np.linspace(0.1, 0.2, 6),
        "max_accelerations": np.linspace(0.01, 0.02, 6),
        "max_efforts": 0.9 * six_dof.max_efforts,
    }[what]
    names = six_dof.joint_names
    backwards = dict(reversed(list(zip(names, bounds.tolist(), strict=True))))
    given: Any = {what: bounds}
    named: Any = {what: backwards}
    by_row, by_name = plan(six_dof, rows, **given), plan(six_dof, rows, **named)
    np.testing.assert_array_equal(by_name.times, by_row.times)

    backwards.pop(names[1])
    with pytest.raises(TrajectoryError, match=f"plan, {what}: expected 6 joints, got 5; missing: "):
        plan(six_dof, rows, **named)
    near = {what: {names[0] + "x": 1.0}}
    with pytest.raises(TrajectoryError, match=f"plan, {what}: there is no joint .*Did you mean"):
        plan(six_dof, rows, **near)  # type: ignore[arg-type]


UPRIGHT = np.array([0.0, 1.0, 1.0, 0.0, 0.0, 0.0])


@pytest.mark.filterwarnings("ignore:.*swings")
@pytest.mark.parametrize("stop", ["flow", "turn", "stop"])
def test_the_fastest_move_reaches_a_limit_and_keeps_all(six_dof: aw.RobotModel, stop: Any) -> None:
    rng = np.random.default_rng(11)
    for _ in range(5):
        rows = UPRIGHT + rng.uniform(-0.6, 0.6, (4, 6))
        move = plan(six_dof, rows, stop=stop)
        quick = plan(six_dof, rows, stop=stop, fastest=True)
        assert quick.duration < 0.9 * move.duration
        # The same path, and as exactly on its waypoints.
        for part in np.linspace(0.0, 1.0, 101):
            there, here = (
                one.state(one.start_time + part * one.duration)[0] for one in (move, quick)
            )
            np.testing.assert_allclose(here, there, atol=1e-9)
        if stop == "stop":
            np.testing.assert_array_equal(quick.waypoints[:, 1:], 0.0)
        assert devices.trajectory.limit_violation(six_dof, quick) is None
        efforts = six_dof.inverse_dynamics(*quick.state(np.linspace(0.0, quick.duration, 4001)))
        shares = (
            (quick.max_speeds() / six_dof.max_speeds).max(),
            (quick.max_accelerations() / (2.0 * six_dof.max_speeds)).max(),
            (np.abs(efforts) / six_dof.max_efforts).max(),
        )
        assert max(shares) == pytest.approx(1.0, abs=1e-3)


def test_the_fastest_move_within_the_limits_of_the_caller(six_dof: aw.RobotModel) -> None:
    rows = UPRIGHT + np.outer([0.0, 1.0, 0.0], np.linspace(0.5, 1.0, 6))
    both: dict[str, Any] = {"max_speeds": 0.2, "max_accelerations": 9.0}
    one: dict[str, Any] = {"max_accelerations": 0.01}
    for asked in (both, one):
        quick = plan(six_dof, rows, fastest=True, **asked)
        speeds = np.minimum(six_dof.max_speeds, asked.get("max_speeds", np.inf))
        shares = (
            (quick.max_speeds() / speeds).max(),
            quick.max_accelerations().max() / asked["max_accelerations"],
        )
        assert max(shares) == pytest.approx(1.0, rel=1e-9)
    holding = np.abs(six_dof.gravity_efforts(rows)).max(axis=0)
    bounds = np.minimum(six_dof.max_efforts, 1.05 * holding + 0.1)
    quick = plan(six_dof, rows, fastest=True, max_efforts=bounds)
    efforts = six_dof.inverse_dynamics(*quick.state(np.linspace(0.0, quick.duration, 4001)))
    assert (np.abs(efforts) / bounds).max() == pytest.approx(1.0, abs=1e-3)


def test_fastest_with_nothing_to_move_and_odd_words(six_dof: aw.RobotModel) -> None:
    rows = np.array([UPRIGHT, UPRIGHT])
    assert plan(six_dof, rows, fastest=True).duration == plan(six_dof, rows).duration
    with pytest.raises(TrajectoryError, match="plan, fastest"):
        plan(six_dof, rows, fastest="yes")  # type: ignore[arg-type]


def test_a_short_stay_at_the_limit_swings_little_and_the_worst_place_is_named(
    six_dof: aw.RobotModel,
) -> None:
    """Case C61. Where nothing moves a segment is short, and the curve through it hardly swings."""
    limited = six_dof.with_position_limits([-1.0] * 6, [2.0] * 6)
    rows = np.array([[-1, 0.5, 1, 0, 0, 0], [2, 0.5, 1, 0, 0, 0]])
    stay = np.array([rows[0], rows[1], rows[1], rows[0]])
    move = plan(six_dof, stay)
    assert np.diff(move.times)[1] == pytest.approx(0.01)
    assert move.position_range()[1, 0] < 2.0001
    stay[2, 1] = 0.6  # another joint moves, which takes its time, and the first flows on
    free = minimum_jerk(devices.estimate_times(stay, six_dof.max_speeds), stay)
    furthest = free.position_range()[1, 0]
    assert 2.04 < furthest < 2.05
    with pytest.raises(TrajectoryError, match=rf"'J1_base': expected -1 to 2, got {furthest:.6g}"):
        plan(limited, stay)
    for stop in ("turn", "stop"):
        assert plan(limited, stay, stop=stop).position_range()[1, 0] <= 2.0 + 1e-9
