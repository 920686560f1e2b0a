"""Minimum-jerk trajectories: closed forms, optimality, limits, errors, and hebi-py as oracle."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.devices.trajectory import Trajectory, estimate_times, minimum_jerk
from armwright.errors import TrajectoryError

NAN = float("nan")
Floats = npt.NDArray[np.float64]


def random_waypoints(seed: int) -> tuple[Floats, Floats, np.random.Generator]:
    """Times and positions of 2 to 11 waypoints, 1 to 7 joints, segments of 0.2 to 3 s."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(2, 12)), int(rng.integers(1, 8))
    times = np.cumsum(rng.uniform(0.2, 3.0, m)) + rng.uniform(-10.0, 10.0)
    return times, rng.normal(size=(m, n)), rng


def squared_jerk(move: Trajectory) -> Floats:
    """Integrate the squared jerk of each joint: differences of accelerations, midpoint rule."""
    total = np.zeros(move.size)
    for start, end in zip(move.times[:-1], move.times[1:], strict=True):
        t = np.linspace(start, end, 201)
        jerk = np.diff(move.state(t)[2], axis=0) / np.diff(t)[:, None]
        total += (jerk**2).mean(axis=0) * (end - start)
    return total


def test_rest_to_rest_is_the_known_quintic() -> None:
    move = minimum_jerk([1.0, 3.5], [[0.2, -1.0], [1.2, 3.0]])
    t = np.linspace(1.0, 3.5, 101)
    s = ((t - 1.0) / 2.5)[:, None]
    way = np.array([1.0, 4.0])
    position, velocity, acceleration = move.state(t)
    np.testing.assert_allclose(
        position, [0.2, -1.0] + way * (10 * s**3 - 15 * s**4 + 6 * s**5), atol=1e-14
    )
    np.testing.assert_allclose(
        velocity, way / 2.5 * (30 * s**2 - 60 * s**3 + 30 * s**4), atol=1e-13
    )
    np.testing.assert_allclose(
        acceleration, way / 2.5**2 * (60 * s - 180 * s**2 + 120 * s**3), atol=1e-13
    )
    np.testing.assert_allclose(move.max_speeds(), 1.875 * way / 2.5)
    np.testing.assert_allclose(move.max_accelerations(), 10 / np.sqrt(3) * way / 2.5**2)
    np.testing.assert_allclose(move.position_range(), [[0.2, -1.0], [1.2, 3.0]])


@given(st.integers(0, 10_000))
def test_waypoints_are_met_and_everything_is_continuous(seed: int) -> None:
    times, positions, _ = random_waypoints(seed)
    move = minimum_jerk(times, positions)
    np.testing.assert_allclose(move.state(times)[0], positions, atol=1e-12)
    for t in times[1:-1]:
        before, after = move.state(t - 1e-9), move.state(t + 1e-9)
        for a, b in zip(before, after, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-6 * (1 + np.abs(a).max()))
    for t in times[[0, -1]]:
        np.testing.assert_allclose(move.state(t)[1:], 0.0, atol=1e-9)


@given(st.integers(0, 10_000), st.floats(0.05, 0.95))
def test_velocity_and_acceleration_are_derivatives(seed: int, where: float) -> None:
    times, positions, _ = random_waypoints(seed)
    move = minimum_jerk(times, positions)
    inside = times[:-1] + where * np.diff(times)
    h = 1e-6
    (p1, v1, _), (p0, v0, _) = move.state(inside + h), move.state(inside - h)
    _, v, a = move.state(inside)
    size = 1 + np.abs(a).max()
    np.testing.assert_allclose((p1 - p0) / (2 * h), v, atol=1e-7 * size)
    np.testing.assert_allclose((v1 - v0) / (2 * h), a, atol=1e-6 * size)


@given(st.integers(0, 10_000))
def test_no_other_free_values_have_less_jerk(seed: int) -> None:
    times, positions, rng = random_waypoints(seed)
    best = minimum_jerk(times, positions)
    cost = squared_jerk(best)
    for _ in range(3):
        other = best.waypoints + 0.05 * rng.normal(size=best.waypoints.shape)
        other[:, 0] = positions
        other[[0, -1]] = best.waypoints[[0, -1]]
        changed = minimum_jerk(times, positions, other[:, 1], other[:, 2])
        assert (squared_jerk(changed) >= cost * (1 - 1e-3)).all()


def test_given_values_are_kept_and_others_are_free() -> None:
    velocities = np.array([[0.0], [0.7], [NAN]])
    accelerations = np.array([[0.1], [NAN], [0.0]])
    move = minimum_jerk([0, 1, 3], [0, 1, 0], velocities[:, 0], accelerations)
    assert move.state(1.0)[1][0] == pytest.approx(0.7)
    assert move.state(0.0)[2][0] == pytest.approx(0.1)
    assert abs(move.state(3.0)[1][0]) > 0.1
    assert np.isfinite(move.waypoints).all()


def test_joints_may_differ_in_what_is_given() -> None:
    """One free joint, one given in full, one that stands."""
    velocities = np.array([[0.0, 0.0, 0.0], [NAN, 0.3, 0.0], [0.0, 0.0, 0.0]])
    accelerations = np.array([[0.0, 0.0, 0.0], [NAN, -0.2, 0.0], [0.0, 0.0, 0.0]])
    positions = np.array([[0.0, 0.0, 2.0], [1.0, 1.0, 2.0], [0.5, 0.5, 2.0]])
    move = minimum_jerk([0, 1, 2], positions, velocities, accelerations)
    for joint in range(3):
        alone = minimum_jerk(
            [0, 1, 2], positions[:, joint], velocities[:, joint], accelerations[:, joint]
        )
        np.testing.assert_allclose(move.state(0.8)[0][joint], alone.state(0.8)[0][0], atol=1e-14)
    assert move.waypoints[1, 1:, 1].tolist() == [0.3, -0.2]
    assert move.max_speeds()[2] == move.max_accelerations()[2] == 0.0


def test_a_free_position_is_where_there_is_least_jerk() -> None:
    with_gap = minimum_jerk([0, 1, 2], [[0.0], [NAN], [1.0]], free_positions=True)
    straight = minimum_jerk([0, 2], [[0.0], [1.0]])
    t = np.linspace(0, 2, 21)
    np.testing.assert_allclose(with_gap.state(t)[0], straight.state(t)[0], atol=1e-12)


def test_outside_its_time_a_trajectory_stands() -> None:
    move = minimum_jerk([0, 1], [[0.0], [1.0]], [[0.5], [0.7]])
    assert move.state(1.0)[1][0] == pytest.approx(0.7)
    for t, place in ((-1.0, 0.0), (1.001, 1.0), (1e9, 1.0)):
        position, velocity, acceleration = move.state(t)
        assert (position[0], velocity[0], acceleration[0]) == (pytest.approx(place), 0.0, 0.0)


def test_shapes_follow_the_times() -> None:
    move = minimum_jerk([0, 1], [[0.0, 1.0], [1.0, 2.0]])
    for t, shape in ((0.5, (2,)), ([0.5], (1, 2)), (np.zeros(5), (5, 2)), ([], (0, 2))):
        assert all(part.shape == shape for part in move.state(t))
    for bad in (NAN, [[0.0]], "now", [0.0, np.inf]):
        with pytest.raises(TrajectoryError, match="state, t"):
            move.state(bad)


def test_properties_and_frozen_arrays() -> None:
    move = minimum_jerk([2, 3, 5], np.zeros((3, 4)))
    assert (move.start_time, move.end_time, move.duration, move.size) == (2.0, 5.0, 3.0, 4)
    assert repr(move) == "Trajectory(3 waypoints, 4 joints, 2 to 5 s)"
    for array in (move.times, move.waypoints):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_what_was_handed_over_is_not_touched() -> None:
    times, positions = np.arange(3.0), np.array([[0.0], [1.0], [0.5]])
    velocities = np.array([[0.0], [NAN], [0.0]])
    move = minimum_jerk(times, positions, velocities)
    assert np.isnan(velocities[1, 0])
    times[0] = positions[0, 0] = 9.0
    assert (move.start_time, move.state(0.0)[0][0]) == (0.0, 0.0)


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_other_dtypes_and_strides_give_the_same_curve(dtype: Any) -> None:
    positions = np.array([[0, 5, 1], [3, 5, 2], [1, 5, 4]])[:, ::2]
    other = np.asfortranarray(positions.astype(dtype))
    a, b = minimum_jerk([0, 1, 2], positions), minimum_jerk(range(3), other)
    np.testing.assert_array_equal(a.state(0.7)[0], b.state(0.7)[0])


# ---- slowing down


def test_rescaling_keeps_the_path() -> None:
    times, positions, _ = random_waypoints(5)
    move = minimum_jerk(times, positions)
    slow = move.rescale(2.5)
    assert slow.start_time == move.start_time
    assert slow.duration == pytest.approx(2.5 * move.duration)
    t = np.linspace(0, move.duration, 50)
    p, v, a = move.state(move.start_time + t)
    P, V, A = slow.state(move.start_time + 2.5 * t)
    np.testing.assert_allclose(P, p, atol=1e-12)
    np.testing.assert_allclose(2.5 * V, v, atol=1e-10)
    np.testing.assert_allclose(2.5**2 * A, a, atol=1e-9)
    inner = slow.state(slow.times[1:-1])  # the waypoints say the same as the curve
    np.testing.assert_allclose(slow.waypoints[1:-1], np.stack(inner, axis=1), atol=1e-9)
    for bad in (0, -1.0, NAN, np.inf, "2"):
        with pytest.raises(TrajectoryError, match="factor above 0"):
            move.rescale(bad)  # type: ignore[arg-type]


@given(st.integers(0, 10_000))
def test_peaks_are_those_of_a_dense_sampling(seed: int) -> None:
    times, positions, _ = random_waypoints(seed)
    move = minimum_jerk(times, positions)
    t = np.linspace(times[0], times[-1], 20_001)
    p, v, a = move.state(t)
    for exact, sampled in (
        (move.max_speeds(), np.abs(v).max(axis=0)),
        (move.max_accelerations(), np.abs(a).max(axis=0)),
        (move.position_range()[1], p.max(axis=0)),
        (-move.position_range()[0], -p.min(axis=0)),
    ):
        assert (exact >= sampled - 1e-9).all()
        np.testing.assert_allclose(exact, sampled, atol=2e-2 * np.abs(sampled).max())


@given(st.integers(0, 10_000), st.floats(0.05, 2.0), st.floats(0.05, 2.0))
def test_limits_are_reached_exactly(seed: int, speed: float, acceleration: float) -> None:
    times, positions, _ = random_waypoints(seed)
    move = minimum_jerk(times, positions)
    kept = move.within_limits(speed, acceleration)
    use = max((kept.max_speeds() / speed).max(), (kept.max_accelerations() / acceleration).max())
    assert use <= 1 + 1e-9
    if kept is not move:
        assert use == pytest.approx(1.0, abs=1e-9)


def test_limits_never_speed_up_and_may_be_infinite() -> None:
    move = minimum_jerk([0, 1], [[0.0, 0.0], [0.1, 1.0]])
    assert move.within_limits(100.0) is move
    assert move.within_limits([np.inf, 100.0], np.inf) is move
    assert move.within_limits([np.inf, 0.9375]).duration == pytest.approx(2.0)
    assert move.within_limits(100.0, [1e-9, np.inf]).duration > 1000.0


@pytest.mark.parametrize("bad", [0.0, -1.0, NAN, [1.0], [[1.0, 1.0]], "fast", [1.0, 0.0]])
def test_limits_that_make_no_sense_are_refused(bad: Any) -> None:
    move = minimum_jerk([0, 1], [[0.0, 0.0], [0.1, 1.0]])
    with pytest.raises(TrajectoryError, match="max_speeds"):
        move.within_limits(bad)
    with pytest.raises(TrajectoryError, match="max_accelerations"):
        move.within_limits(1.0, bad)


# ---- estimated times


def test_times_are_those_of_the_slowest_joint() -> None:
    positions = [[0.0, 0.0], [0.1, -1.0], [0.1, -1.0]]
    times = estimate_times(positions, [2.0, 1.5], [8.0, 3.0], start_time=3.0)
    d, v, a = 1.0, 1.5, 3.0
    expected = 2 * d / v * (1 + 6.5 * (v / a) * np.exp(-2 * d / v))
    assert times[0] == 3.0
    assert times[1] - times[0] == pytest.approx(expected, rel=1e-15)
    assert times[2] - times[1] == pytest.approx(0.01)  # as its docstring says


def test_joints_without_limits_have_defaults() -> None:
    np.testing.assert_allclose(
        estimate_times([0.0, 2.0], np.inf), estimate_times([0.0, 2.0], 1.0, 2.0)
    )
    np.testing.assert_allclose(
        estimate_times([0.0, 2.0], 3.0, np.inf), estimate_times([0.0, 2.0], 3.0, 6.0)
    )


@pytest.mark.parametrize(
    ("positions", "speeds", "says"),
    [
        ([[0.0]], 1.0, "at least 2 waypoints"),
        (0.0, 1.0, "at least 2 waypoints"),
        ([0.0, NAN], 1.0, "positions, waypoint 1, joint 0: expected a finite number, got nan"),
        ([0.0, 1.0], 0.0, "max_speeds, joint 0: expected a limit above 0"),
        ([0.0, 1.0], [1.0, 1.0], "max_speeds: expected one number or 1 numbers, got 2"),
    ],
)
def test_estimates_that_make_no_sense_are_refused(positions: Any, speeds: Any, says: str) -> None:
    with pytest.raises(TrajectoryError, match=says):
        estimate_times(positions, speeds)


# ---- errors


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (([0.0], [[1.0]]), "at least 2 waypoints"),
        ((0.0, [[1.0]]), "at least 2 waypoints"),
        (([0.0, 1.0, 1.0], [0, 1, 2]), "waypoint 2: expected a time after 1 s of waypoint 1"),
        (([0.0, 2.0, 1.0], [0, 1, 2]), "waypoint 2: expected a time after 2 s"),
        (([0.0, NAN, 1.0], [0, 1, 2]), "times, waypoint 1: expected a finite number, got nan"),
        (([0.0, np.inf], [0, 1]), "times, waypoint 1"),
        (([0.0, 1.0], [0, 1, 2]), "expected 2 waypoints"),
        (([0.0, 1.0], [[[0]], [[1]]]), "expected 2 waypoints"),
        (([0.0, 1.0], [[0.0, 1.0], [NAN, 1.0]]), "positions, waypoint 1, joint 0.*free_positions"),
        (([0.0, 1.0], [[0.0], [np.inf]]), "positions, waypoint 1, joint 0"),
        (
            ([0.0, 1.0], [[0.0], [1.0, 2.0]]),
            "positions: expected numbers, got .* rows differ in length",
        ),
        (([0.0, 1.0], ["a", "b"]), "positions: expected numbers"),
        (("soon", [0, 1]), "times: expected numbers"),
        (([0.0, 1.0], [0, 1], [0, 1, 2]), r"velocities: expected shape \(2, 1\)"),
        (([0.0, 1.0], [0, 1], None, [[0, 1], [1, 2]]), r"accelerations: expected shape \(2, 1\)"),
        (([0.0, 1.0], [0, 1], [0, -np.inf]), "velocities, waypoint 1, joint 0"),
    ],
)
def test_waypoints_that_make_no_sense_are_refused(arguments: Any, says: str) -> None:
    with pytest.raises(TrajectoryError, match=says) as caught:
        minimum_jerk(*arguments)
    assert isinstance(caught.value, ValueError)


def test_too_little_to_determine_a_curve_is_an_error() -> None:
    free = [NAN, NAN]
    with pytest.raises(TrajectoryError, match="too little is given"):
        minimum_jerk([0, 1], [0, 1], free, free)
    with pytest.raises(TrajectoryError, match="too little is given"):
        minimum_jerk([0, 1, 2], [NAN, NAN, NAN], free_positions=True)


# ---- hebi-py as oracle


@pytest.fixture(scope="module")
def hebi() -> Any:
    return pytest.importorskip("hebi")


@pytest.mark.hebi
@pytest.mark.parametrize("kind", ["defaults", "some given", "free end", "free positions"])
def test_curves_agree_with_hebi(hebi: Any, kind: str) -> None:
    for seed in range(25):
        times, positions, rng = random_waypoints(seed)
        m, n = positions.shape
        velocities: Floats | None = None
        accelerations: Floats | None = None
        if kind in ("some given", "free end"):
            velocities, accelerations = np.full((2, m, n), NAN)
            if kind == "some given":
                chosen = rng.random((2, m, n)) < 0.5
                velocities[chosen[0]] = rng.normal(size=chosen[0].sum())
                accelerations[chosen[1]] = rng.normal(size=chosen[1].sum())
                velocities[-1] = accelerations[-1] = 0.0
            velocities[0] = accelerations[0] = 0.0
        if kind == "free positions":
            positions[1:-1][rng.random((m - 2, n)) < 0.4] = NAN
        ours = minimum_jerk(times, positions, velocities, accelerations, free_positions=True)
        # hebi-py wants one contiguous row per joint
        rows = [None if x is None else x.T.copy() for x in (positions, velocities, accelerations)]
        theirs = hebi.trajectory.create_trajectory(times.copy(), *rows)
        at = np.linspace(times[0], times[-1], 40)
        expected = np.array([theirs.get_state(t) for t in at])  # (40, 3, n)
        for i, part in enumerate(ours.state(at)):
            size = np.abs(expected[:, i]).max()
            np.testing.assert_allclose(part, expected[:, i], atol=1e-9 * size, rtol=0)


@pytest.mark.hebi
def test_limits_agree_with_hebi(hebi: Any) -> None:
    times, positions, _ = random_waypoints(7)
    n = positions.shape[1]
    theirs = hebi.trajectory.create_trajectory(times.copy(), positions.T.copy())
    ours = minimum_jerk(times, positions).within_limits(np.full(n, 0.4))
    peak = max(
        np.abs(theirs.get_state(t)[1]).max() for t in np.linspace(times[0], times[-1], 20_001)
    )
    assert ours.duration == pytest.approx(theirs.duration * max(1.0, peak / 0.4), rel=1e-5)


@pytest.mark.parametrize(
    ("times", "positions", "says"),
    [
        ([0, 1e-300], [0, 1], r"times: expected segments of 1e-100 to 1e\+100 s, got 1e-300"),
        ([0, 1e300], [0, 1], r"times: expected segments of 1e-100 to 1e\+100 s, got 1e\+300"),
        ([-1e308, 1e308], [0, 1], "times: expected segments"),
        ([0, 1e-60], [0, 1e200], "accelerations are not finite"),
        ([0, 1], [-1.7e308, 1.7e308], "accelerations are not finite"),
        ([0, 1e-9, 1e9], [0, 1, 0], r"segments of 1e-09 s and 1e\+09 s are too different"),
    ],
)
def test_curves_beyond_double_precision_are_refused(times: Any, positions: Any, says: str) -> None:
    with pytest.raises(TrajectoryError, match=says):
        minimum_jerk(times, positions)


@pytest.mark.parametrize("times", [[0.0, 1e-9], [0.0, 1e9], [0.0, 1e-3, 1.0], [1e9, 1e9 + 1]])
def test_times_far_from_one_second_are_met(times: list[float]) -> None:
    positions = np.arange(len(times), dtype=float)
    reached, velocity, _ = minimum_jerk(times, positions).state(times)
    np.testing.assert_allclose(reached[:, 0], positions, atol=1e-9)
    step = positions.max() / min(np.diff(times))
    np.testing.assert_allclose(velocity[[0, -1], 0], 0.0, atol=1e-9 * step)


@pytest.mark.parametrize("factor", [1e-300, 1e-101, 1e300])
def test_rescaling_beyond_double_precision_is_refused(factor: float) -> None:
    with pytest.raises(TrajectoryError, match="times: expected segments"):
        minimum_jerk([0, 1], [0.0, 1.0]).rescale(factor)
    with pytest.raises(TrajectoryError, match="times: expected segments"):
        minimum_jerk([1e9, 1e9 + 1], [0.0, 1.0]).rescale(1e-12)  # both times would be the same


@pytest.mark.parametrize("start", [NAN, math.inf, [0.0, 1.0]])
def test_estimates_start_at_a_finite_time(start: Any) -> None:
    with pytest.raises(TrajectoryError, match="start_time: expected a finite number"):
        estimate_times([0.0, 1.0], 1.0, start_time=start)
