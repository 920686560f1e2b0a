"""Plugins of the control loop: what they see, what becomes of what they return, their faults."""

from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import follow, plan, simulate
from armwright.devices.plugins import ArmState, GravityCompensationEffort, Mixer, Turn
from armwright.errors import ArmFaultError, CommandRejectedError, DeviceError, PluginError
from tests.devices.test_still import Watched

HOME = np.array([0.0, 0.6, 0.9, -0.5, 0.7, 0.3])
GOAL = HOME + 0.1
MA: Any = np.ma  # not typed in every numpy
PUSH = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
FAR = np.full(6, 1e6)


@pytest.fixture
def move(six_dof: aw.RobotModel) -> devices.Trajectory:
    return plan(six_dof, [HOME, GOAL])


@pytest.fixture
def watched(six_dof: aw.RobotModel) -> Iterator[Watched]:
    with Watched(simulate(six_dof, q0=HOME)) as group:
        yield group


def turn_of(model: aw.RobotModel, *, dt: float = 0.01, q: Any = HOME) -> Turn:
    zero = np.zeros(6)
    feedback = devices.GroupFeedback(1.0, q, zero, zero)
    return Turn(1.0, dt, HOME, zero, zero, ArmState.MOVING, model, feedback)


class Counted:
    """A plugin that fails in some way at its tenth turn."""

    name = "spring"

    def __init__(self, failing: Callable[[], object]) -> None:
        self.turns: list[Turn] = []
        self.failing = failing

    def update(self, turn: Turn) -> object:
        self.turns.append(turn)
        return PUSH if len(self.turns) < 10 else self.failing()


def test_contributions_are_added_to_gravity_compensation(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory
) -> None:
    recording = follow(watched, six_dof, move, plugins=[lambda turn: PUSH, lambda turn: 2 * PUSH])
    held = six_dof.gravity_efforts(recording.measured[:-1])
    np.testing.assert_allclose(recording.commanded_effort[1:], held + 3 * PUSH, atol=1e-9)


def test_without_gravity_compensation_plugins_are_alone(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory
) -> None:
    recording = follow(watched, six_dof, move, gravity_compensation=False, plugins=[lambda _: PUSH])
    np.testing.assert_array_equal(
        recording.commanded_effort, np.tile(PUSH, (len(watched.sent) - 1, 1))
    )


def test_the_order_of_plugins_does_not_matter(six_dof: aw.RobotModel) -> None:
    turn = turn_of(six_dof)
    one, two = (lambda _: PUSH), GravityCompensationEffort()
    first = Mixer([one, two], FAR).update(turn)
    np.testing.assert_array_equal(first, Mixer([two, one], FAR).update(turn))


def test_gravity_compensation_is_where_the_arm_is_measured(six_dof: aw.RobotModel) -> None:
    plugin = GravityCompensationEffort()
    at = GOAL.copy()
    expected = six_dof.gravity_efforts(at)
    np.testing.assert_array_equal(plugin.update(turn_of(six_dof, q=at)), expected)
    at[1] = np.nan  # not reported: where it is told to be
    expected = six_dof.gravity_efforts([GOAL[0], HOME[1], *GOAL[2:]])
    np.testing.assert_array_equal(plugin.update(turn_of(six_dof, q=at)), expected)


def test_efforts_are_clipped_after_adding(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory
) -> None:
    most = six_dof.max_efforts
    push = [lambda turn: 3 * most, lambda turn: -1.5 * most]
    recording = follow(watched, six_dof, move, gravity_compensation=False, plugins=push)
    np.testing.assert_array_equal(
        recording.commanded_effort, np.tile(most, (len(watched.sent) - 1, 1))
    )
    low = Mixer([lambda turn: -2 * most], most).update(turn_of(six_dof))
    np.testing.assert_array_equal(low, -most)


def test_a_turn_says_what_was_measured_and_what_is_asked_for(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory
) -> None:
    turns: list[Turn] = []

    def watch(turn: Turn) -> Any:
        turns.append(turn)
        return np.zeros(6)

    recording = follow(watched, six_dof, move, settle=0.1, plugins=[watch])
    assert [turn.dt for turn in turns[:1]] == [0.0]
    np.testing.assert_allclose([turn.dt for turn in turns[1:]], 0.01, atol=1e-9)
    times = np.array([turn.t for turn in turns])
    np.testing.assert_allclose(times, np.arange(len(turns)) * 0.01, atol=1e-9)
    wanted = move.state(times)
    np.testing.assert_allclose([turn.goal_position for turn in turns], wanted[0])
    np.testing.assert_allclose([turn.goal_velocity for turn in turns], wanted[1])
    np.testing.assert_allclose([turn.goal_acceleration for turn in turns], wanted[2])
    np.testing.assert_array_equal([turn.q for turn in turns[1:]], recording.measured)
    np.testing.assert_array_equal([turn.v for turn in turns[1:]], recording.measured_velocity)
    np.testing.assert_array_equal([turn.effort for turn in turns[1:]], recording.measured_effort)
    states = [ArmState.MOVING if t < move.duration else ArmState.HOLDING for t in times]
    assert [turn.state for turn in turns] == states
    assert states[-1] is ArmState.HOLDING
    assert turns[0].model is six_dof
    assert turns[0].feedback.position is turns[0].q


def test_a_turn_is_never_longer_than_a_period(
    six_dof: aw.RobotModel, move: devices.Trajectory
) -> None:
    steps: list[float] = []

    def watch(turn: Turn) -> Any:
        steps.append(turn.dt)
        return np.zeros(6)

    group = simulate(six_dof, q0=HOME)
    follow(group, six_dof, move, plugins=[watch], progress=lambda _: group.step(0.035))
    assert steps[0] == 0.0
    assert max(steps) == 0.01


def test_a_turn_never_goes_back_in_time(six_dof: aw.RobotModel, move: devices.Trajectory) -> None:
    def report(count: int, feedback: devices.GroupFeedback) -> devices.GroupFeedback:
        time = feedback.time - 0.025 if count == 60 else feedback.time
        return devices.GroupFeedback(time, feedback.position, feedback.velocity, feedback.effort)

    steps: list[float] = []

    def watch(turn: Turn) -> Any:
        steps.append(turn.dt)
        return np.zeros(6)

    group = Watched(simulate(six_dof, q0=HOME), report)
    follow(group, six_dof, move, plugins=[watch])
    assert steps[59] == 0.0
    assert min(steps) >= 0.0


def test_nothing_of_a_turn_can_be_written_to(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory
) -> None:
    def check(turn: Turn) -> Any:
        for name in ("t", "goal_position", "model", "feedback"):
            with pytest.raises(FrozenInstanceError):
                setattr(turn, name, None)
        for name in ("q", "v", "effort", "goal_position", "goal_velocity", "goal_acceleration"):
            assert not getattr(turn, name).flags.writeable, name
        return np.zeros(6)

    follow(watched, six_dof, move, plugins=[check])


def raised() -> object:
    raise RuntimeError("the spring broke")


FAULTS: list[tuple[Callable[[], object], str]] = [
    (raised, "plugin 'spring' raised RuntimeError: the spring broke"),
    (lambda: PUSH[:5], "plugin 'spring', efforts: expected 6 numbers, got 5"),
    (lambda: PUSH[None], r"plugin 'spring', efforts: .* got shape \(1, 6\)"),
    (lambda: 0.5, r"plugin 'spring', efforts: .* got shape \(\)"),
    (lambda: None, "plugin 'spring', efforts: expected 6 numbers, got None"),
    (lambda: np.where(PUSH > 0.5, np.nan, PUSH), "plugin 'spring', efforts: .*nan"),
    (lambda: np.where(PUSH > 0.5, np.inf, PUSH), "plugin 'spring', efforts: .*inf"),
    (lambda: MA.masked_greater(PUSH, 0.5), "plugin 'spring', efforts: .*masked"),
]


@pytest.mark.parametrize(("failing", "said"), FAULTS)
def test_a_plugin_that_fails_is_frozen_and_the_arm_is_held(
    six_dof: aw.RobotModel,
    watched: Watched,
    move: devices.Trajectory,
    failing: Callable[[], object],
    said: str,
) -> None:
    bad = Counted(failing)
    with pytest.raises(PluginError, match=said) as caught:
        follow(watched, six_dof, move, plugins=[bad, lambda turn: 2 * turn.t * PUSH])
    assert isinstance(caught.value, DeviceError)
    assert isinstance(caught.value, ArmFaultError)
    assert caught.value.fault.kind == "plugin"
    assert (caught.value.__cause__ is not None) == (failing is raised)
    assert len(bad.turns) == 10  # cut off at once
    rows = np.array([command.for_size(6) for command in watched.sent])
    assert len(rows) - 10 == pytest.approx(25, abs=1)  # 0.25 s along the path
    np.testing.assert_array_equal(rows[-1, 1], np.zeros(6))
    places = [move.state(t)[0] for t in (0.09, 0.09 + 0.126)]
    assert (rows[-1, 0] > places[0]).all()
    assert (rows[-1, 0] < places[1]).all()
    # its last good efforts; those of the others go on
    now = 0.01 * (len(rows) - 1)
    expected = six_dof.gravity_efforts(rows[-2, 0]) + PUSH + 2 * now * PUSH
    np.testing.assert_allclose(rows[-1, 2], expected, atol=1e-9)


def test_of_several_that_fail_the_first_is_named(six_dof: aw.RobotModel) -> None:
    def one(turn: Turn) -> object:
        raise ValueError("one")

    def two(turn: Turn) -> object:
        raise ValueError("two")

    with pytest.raises(PluginError, match="plugin 'one' raised ValueError: one"):
        Mixer([one, lambda turn: PUSH, two], FAR).update(turn_of(six_dof))


def test_a_plugin_that_fails_at_once_moves_nothing(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory
) -> None:
    with pytest.raises(PluginError, match="plugin '<lambda>' raised ZeroDivisionError") as caught:
        follow(watched, six_dof, move, plugins=[lambda turn: 1 / 0])
    assert not isinstance(caught.value, ArmFaultError)
    assert "told" not in str(caught.value)  # nothing was
    assert watched.sent == []


def test_an_interrupt_is_no_fault_of_the_plugin(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory
) -> None:
    def interrupt() -> object:
        if len(plugin.turns) == 10:
            raise KeyboardInterrupt
        return PUSH

    plugin = Counted(interrupt)
    with pytest.raises(KeyboardInterrupt):
        follow(watched, six_dof, move, plugins=[plugin])
    np.testing.assert_array_equal(watched.sent[-1].for_size(6)[1], np.zeros(6))
    assert len(plugin.turns) > 20  # it acts on while the arm is stopped
    assert plugin.turns[-1].state is ArmState.STOPPING


def test_what_a_plugin_does_to_its_array_later_is_its_own_affair(six_dof: aw.RobotModel) -> None:
    mine = PUSH.copy()
    mixer = Mixer([lambda turn: mine], FAR)
    efforts = mixer.update(turn_of(six_dof))
    mine[:] = np.nan
    np.testing.assert_array_equal(efforts, PUSH)
    with pytest.raises(PluginError):
        mixer.update(turn_of(six_dof))
    np.testing.assert_array_equal(mixer.efforts, PUSH)
    assert not mixer.efforts.flags.writeable


class Ramped:
    """A plugin that comes in slowly."""

    ramp_time: Any = 0.05

    def __init__(self) -> None:
        self.started: list[Turn] = []

    def start(self, turn: Turn) -> None:
        self.started.append(turn)

    def update(self, turn: Turn) -> object:
        assert self.started
        return PUSH


def test_a_plugin_comes_in_by_its_ramp_time(six_dof: aw.RobotModel) -> None:
    plugin = Ramped()
    mixer = Mixer([plugin], FAR)
    ratios = [mixer.update(turn_of(six_dof, dt=dt))[0] / PUSH[0] for dt in (0.0, *[0.02] * 4)]
    np.testing.assert_allclose(ratios, [0.0, 0.4, 0.8, 1.0, 1.0], atol=1e-12)
    assert len(plugin.started) == 1
    assert Mixer([lambda turn: PUSH], FAR).update(turn_of(six_dof, dt=0.0))[0] == PUSH[0]


def test_what_fails_while_it_comes_in_stays_as_far_as_it_came(six_dof: aw.RobotModel) -> None:
    plugin = Ramped()
    mixer = Mixer([plugin], FAR)
    for dt in (0.0, 0.02):
        mixer.update(turn_of(six_dof, dt=dt))
    plugin.update = lambda turn: None  # type: ignore[method-assign]
    mixer._channels[0]._update = plugin.update
    with pytest.raises(PluginError, match="plugin 'Ramped'"):
        mixer.update(turn_of(six_dof, dt=0.02))
    np.testing.assert_allclose(mixer.efforts, 0.4 * PUSH)


@pytest.mark.parametrize("ramp_time", [-1.0, np.nan, np.inf, "soon", None])
def test_a_ramp_time_is_a_time(six_dof: aw.RobotModel, ramp_time: Any) -> None:
    plugin = Ramped()
    plugin.ramp_time = ramp_time
    with pytest.raises(CommandRejectedError, match="plugin 'Ramped', ramp_time: expected seconds"):
        Mixer([plugin], FAR)


@pytest.mark.parametrize(
    ("plugins", "said"),
    [
        ([3], "expected functions of a turn, or objects with update.turn., got 3"),
        ([Ramped], "Ramped'>; make one of the class"),
        ("gravity", "expected a list of plugins, got 'gravity'"),
        (lambda turn: PUSH, "expected a list of plugins, got <function"),
        (None, "expected a list of plugins, got None"),
    ],
)
def test_what_is_no_plugin_is_refused_before_anything_moves(
    six_dof: aw.RobotModel, watched: Watched, move: devices.Trajectory, plugins: Any, said: str
) -> None:
    with pytest.raises(CommandRejectedError, match=said):
        follow(watched, six_dof, move, plugins=plugins)
    assert watched.sent == []
    assert watched.read == 0
