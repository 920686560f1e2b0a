"""``frame=`` names a frame in every call, in every way that models take."""

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.errors import FrameNotFoundError
from armwright.kinematics import Frame, FrameType

SIX = aw.load("examples/arms/six_dof.hrdf")
Q = np.array([0.1, 0.9, 1.2, -0.4, 0.2, 0.3])
JOINT = SIX.joint_names[3]
WHERE = SIX.frame(JOINT, kind="joint")
WAYS = [JOINT, tuple(WHERE), ("output", JOINT), WHERE, (FrameType.OUTPUT, WHERE.number)]
T = SIX.forward_kinematics(WHERE.frame_type, Q)[WHERE.number]

MAKERS: dict[str, Callable[..., Any]] = {
    "position": lambda **frame: ik.position(T[:3, 3], **frame),
    "orientation": lambda **frame: ik.orientation(T[:3, :3], **frame),
    "pose": lambda **frame: ik.pose(T, **frame),
    "tip_axis": lambda **frame: ik.tip_axis(T[:3, 2], **frame),
    "manipulability_goal": lambda **frame: ik.manipulability_goal(rows="position", **frame),
}
CALLS: dict[str, Callable[..., Any]] = {
    "manipulability": lambda **frame: ik.manipulability(SIX, Q, **frame).singular_values,
    "velocity": lambda **frame: ik.velocity(SIX, Q, [0.01, 0.0, 0.02], **frame).v,
    "twist": lambda **frame: ik.velocity(SIX, Q, ik.twist([0.01, 0.0, 0.02], **frame)).v,
    "solve_batch": lambda **frame: ik.solve_batch(SIX, Q + 0.1, [T[:3, 3]], **frame).q,
    "no targets": lambda **frame: ik.solve_batch(SIX, Q, [], **frame).q,
    "solve_all": lambda **frame: ik.solve_all(SIX, T, **frame).solutions,
    "track": lambda **frame: ik.track(SIX, Q + 0.01, [T[:3, 3]], **frame).q,
    "Tracker": lambda **frame: ik.Tracker(SIX, Q + 0.01, **frame).step(T).q,
}


def test_all_that_speak_of_a_frame_are_tried_here() -> None:
    offered = {name: getattr(ik, name) for name in ik.__all__ if name.islower()}
    functions = {name: one for name, one in offered.items() if inspect.isfunction(one)}
    speak = {name for name, f in functions.items() if "frame" in inspect.signature(f).parameters}
    assert speak == {*MAKERS, *CALLS} - {"no targets", "Tracker"}


@pytest.mark.parametrize("way", WAYS, ids=map(repr, WAYS))
@pytest.mark.parametrize("name", MAKERS)
def test_makers_take_every_way_to_name_a_frame(name: str, way: Any) -> None:
    others = (ik.position([0.3, 0.1, 0.2]),) if name == "manipulability_goal" else ()
    by_number = MAKERS[name](frame_type="output", index=WHERE.number)
    by_frame = MAKERS[name](frame=way)
    one = ik.solve(SIX, Q + 0.1, *others, by_number)
    two = ik.solve(SIX, Q + 0.1, *others, by_frame)
    assert one.q.tolist() == two.q.tolist()
    assert one.residuals[-1].tolist() == two.residuals[-1].tolist()
    prepared = ik.IKProblem(SIX, *others, by_frame).solve(Q + 0.1)
    assert prepared.q.tolist() == one.q.tolist()


@pytest.mark.parametrize("way", WAYS, ids=map(repr, WAYS))
@pytest.mark.parametrize("name", CALLS)
def test_calls_take_every_way_to_name_a_frame(name: str, way: Any) -> None:
    expected = CALLS[name](frame_type="output", index=WHERE.number)
    np.testing.assert_array_equal(CALLS[name](frame=way), expected)
    if name not in ("no targets", "solve_all"):
        assert not np.array_equal(CALLS[name](frame=SIX.joint_names[1]), expected)


def test_the_programs_of_two_frames_are_two() -> None:
    for name in (*SIX.joint_names[2:5], *SIX.joint_names[2:5]):
        where = SIX.frame(name, kind="joint")
        xyz = SIX.forward_kinematics(where.frame_type, Q)[where.number][:3, 3]
        found = ik.solve(SIX, Q + 0.05, ik.position(xyz, frame=name))
        reached = SIX.forward_kinematics(where.frame_type, found.q)[where.number][:3, 3]
        assert np.abs(reached - xyz).max() < 1e-5


@pytest.mark.parametrize("name", [*MAKERS, *(set(CALLS) - {"twist"})])
@pytest.mark.parametrize("other", [{"index": 0}, {"tag": "probe"}, {"frame_type": "output"}])
def test_a_frame_stands_alone(name: str, other: dict[str, Any]) -> None:
    def ask() -> None:
        if name in MAKERS:
            ik.solve(SIX, Q, ik.posture(Q), MAKERS[name](frame=JOINT, **other))
        else:
            CALLS[name](frame=JOINT, **other)

    with pytest.raises(FrameNotFoundError, match="frame: expected it alone"):
        ask()


def test_the_default_type_in_words_cannot_be_told_from_none() -> None:
    target = ik.pose(T, frame=WHERE, frame_type="endeffector")
    assert target.find_frame(SIX) == WHERE


def test_unknown_names_are_refused_with_near_ones() -> None:
    with pytest.raises(FrameNotFoundError, match=f"Did you mean {JOINT!r}"):
        ik.solve(SIX, Q, ik.pose(T, frame=JOINT + "x"))
    with pytest.raises(FrameNotFoundError, match="expected a tag or joint's name"):
        ik.solve_all(SIX, T, frame=[3])  # type: ignore[arg-type]


@pytest.mark.parametrize("frame", [{}, {"frame": JOINT}, {"frame_type": "output", "index": 2}])
@pytest.mark.parametrize("name", [name for name in MAKERS if name != "manipulability_goal"])
def test_objectives_say_copy_and_pickle_what_they_are(name: str, frame: dict[str, Any]) -> None:
    for twin in (
        copy.deepcopy(MAKERS[name](**frame)),
        pickle.loads(pickle.dumps(MAKERS[name](**frame))),
        MAKERS[name](**frame),
    ):
        expected = {"frame_type": "endeffector", "index": None, "tag": None, "frame": None, **frame}
        for key, value in expected.items():
            assert getattr(twin, key) == value
            assert f"{key}={value!r}" in repr(twin)
        assert twin.weight == 1.0
        assert twin.key == MAKERS[name](**frame).key


def test_a_frame_is_a_frame() -> None:
    assert ik.pose(T, frame=JOINT).find_frame(SIX) == Frame(FrameType.OUTPUT, WHERE.number)


def test_a_twist_in_every_reference() -> None:
    # One motion of the tool, said in three ways.
    v = np.array([0.1, -0.2, 0.3, 0.1, 0.2, -0.1])
    for word in ("world", "body", "spatial", "LOCAL", "WORLD", "mixed"):
        V = SIX.jacobian(Q, reference=word) @ v
        step = ik.velocity(SIX, Q, V, reference=word)
        assert step.success
        np.testing.assert_allclose(step.v, v, atol=1e-9)
        other = ik.velocity(SIX, Q, ik.twist(V, representation=word))
        assert other.v.tolist() == step.v.tolist()
