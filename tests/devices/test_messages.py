import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

from armwright.devices import GroupCommand, GroupFeedback, GroupInfo
from armwright.errors import ArmwrightError, CommandRejectedError

NAN = float("nan")


@pytest.mark.parametrize(
    "given",
    [
        [1, 2, 3],
        (1.0, 2.0, 3.0),
        np.array([1, 2, 3], dtype=np.float32),
        np.array([1.0, 0, 2, 0, 3, 0])[::2],
    ],
)
def test_numbers_of_every_kind_become_rows_of_float64(given: Any) -> None:
    row = GroupCommand(position=given).position
    assert row is not None
    assert row.dtype == np.float64
    assert row.flags.c_contiguous
    assert row.tolist() == [1.0, 2.0, 3.0]


def test_arrays_are_copied_in_and_cannot_be_written() -> None:
    mine = np.array([1.0, 2.0])
    command = GroupCommand(velocity=mine)
    feedback = GroupFeedback(0.5, mine)
    info = GroupInfo(("a", "b"), ("f", "f"), ("", ""), np.zeros((2, 2)))
    mine[0] = 9.0
    assert command.velocity is not None
    assert command.velocity[0] == feedback.position[0] == 1.0
    for array in (command.velocity, info.position_limits):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    names = [name for name in GroupFeedback.__slots__[1:] if not name.startswith("_")]
    for name in [*names, "accelerometer", "gyro", "orientation"]:
        with pytest.raises(ValueError, match="read-only"):
            getattr(feedback, name)[0] = 1.0


def test_rows_are_contiguous_whatever_was_given() -> None:
    table = np.arange(12.0).reshape(3, 4)
    for given in (table[:, 1], table[1, ::-2], table.T[2], np.arange(3.0)[::-1]):
        row = GroupCommand(position=given).position
        assert row is not None
        assert row.flags.c_contiguous
        assert row.tolist() == given.tolist()


def test_fields_cannot_be_replaced() -> None:
    with pytest.raises(AttributeError):
        GroupCommand(position=[1.0]).position = None  # type: ignore[misc]
    with pytest.raises(AttributeError):
        GroupFeedback(0.0, [1.0]).time = 1.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"position": [[1.0]]}, r"got shape \(1, 1\)"),
        ({"position": ["1"]}, "expected a row of numbers"),
        ({"position": [1 + 2j]}, "expected a row of numbers"),
        ({"position": [True]}, "expected a row of numbers"),
        ({"position": [None]}, "expected a row of numbers"),
        (
            {"position": [[1.0], [1.0, 2.0]]},
            "expected a row of numbers, got .* rows differ in length",
        ),
        ({"velocity": [0.0, np.inf]}, "velocity, module 1: expected a finite number"),
        ({"effort": [-np.inf]}, "effort, module 0"),
        ({"position": [0.0, 1.0], "effort": [0.0]}, "effort: expected 2, got 1"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(CommandRejectedError, match=says) as caught:
        GroupCommand(**given)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, ArmwrightError)


def test_the_size_of_a_command_is_that_of_its_fields() -> None:
    assert GroupCommand().size is None
    assert GroupCommand(effort=[1, 2]).size == 2


def test_a_command_as_rows_has_nan_where_nothing_is_commanded() -> None:
    rows = GroupCommand(velocity=[1.0, NAN]).for_size(2)
    np.testing.assert_array_equal(rows, [[NAN, NAN], [1.0, NAN], [NAN, NAN]])
    assert np.isnan(GroupCommand().for_size(3)).all()


def test_a_command_for_another_size_is_refused() -> None:
    with pytest.raises(CommandRejectedError, match="expected 6, got 5"):
        GroupCommand(position=np.zeros(5)).for_size(6)


def test_what_a_module_does_not_report_is_nan() -> None:
    feedback = GroupFeedback(1.5, [1.0, 2.0], effort=[3, 4])
    assert feedback.size == 2
    assert feedback.effort.tolist() == [3.0, 4.0]
    assert np.isnan(feedback.velocity).all()
    assert np.isnan(feedback.position_command).all()


def test_feedback_of_mixed_lengths_is_refused() -> None:
    with pytest.raises(ValueError, match="velocity: expected 2 numbers, got 3"):
        GroupFeedback(0.0, [1.0, 2.0], [1.0, 2.0, 3.0])


def test_info_checks_its_limits() -> None:
    with pytest.raises(ValueError, match=r"expected shape \(2, 1\)"):
        GroupInfo(("a",), ("f",), ("",), np.zeros(2))


def test_reprs_show_what_is_there() -> None:
    assert repr(GroupCommand(position=[0.5, NAN])) == "GroupCommand(position=[0.5, nan])"
    assert repr(GroupFeedback(0.25, [-0.0], [2])) == (
        "GroupFeedback(time=0.25, position=[0.0], velocity=[2.0])"
    )
    assert "shoulder" in repr(GroupInfo(("shoulder",), ("f",), ("X5-4",), np.zeros((2, 1))))


@pytest.mark.parametrize("cross", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_messages_survive_copies_and_pickles_read_only(cross: Any) -> None:
    command = cross(GroupCommand(position=[1.0, NAN]))
    feedback = cross(GroupFeedback(2.0, [1.0], effort=[3.0]))
    info = cross(GroupInfo(("a",), ("f",), ("X5-1",), np.zeros((2, 1))))
    assert command.position[0] == 1.0
    assert command.velocity is None
    assert (feedback.time, feedback.effort[0]) == (2.0, 3.0)
    assert info.types == ("X5-1",)
    assert not command.position.flags.writeable
    assert not feedback.effort.flags.writeable
    assert not info.position_limits.flags.writeable


def test_replace_keeps_what_is_not_replaced() -> None:
    feedback = GroupFeedback(2.0, [1.0], effort=[3.0], accelerometer=[[0, 0, 9.81]])
    later = dataclasses.replace(feedback, time=3.0, velocity=np.array([0.5]))
    assert (later.time, later.position[0], later.velocity[0], later.effort[0]) == (3, 1, 0.5, 3)
    assert later.accelerometer.tolist() == [[0.0, 0.0, 9.81]]
    assert np.isnan(later.gyro).all()
    turning: Any = {"gyro": [[1.0, 0.0, 0.0]]}
    turned = dataclasses.replace(feedback, **turning)
    assert turned.gyro.tolist() == [[1.0, 0.0, 0.0]]
    assert turned.accelerometer.tolist() == [[0.0, 0.0, 9.81]]
    assert np.isnan(feedback.gyro).all()
    command = dataclasses.replace(GroupCommand([1.0], effort=[2.0]), position=np.array([4.0]))
    assert command.for_size(1)[::2].tolist() == [[4.0], [2.0]]


def test_one_number_is_for_all_modules() -> None:
    command = GroupCommand(position=[1, 2, 3], velocity=0.5, effort=NAN)
    assert command.size == 3
    assert command.velocity is not None
    assert command.velocity.tolist() == [0.5, 0.5, 0.5]
    assert not command.velocity.flags.writeable
    rows = GroupCommand(velocity=0.5).for_size(2)
    np.testing.assert_array_equal(rows, [[NAN] * 2, [0.5] * 2, [NAN] * 2])


def test_one_number_alone_fits_any_group() -> None:
    command = GroupCommand(np.float32(0.5))
    assert command.size is None
    assert repr(command) == "GroupCommand(position=0.5)"
    for size in (1, 4):
        assert command.for_size(size)[0].tolist() == [0.5] * size
    again = pickle.loads(pickle.dumps(command))
    assert again.for_size(2)[0].tolist() == [0.5, 0.5]
    with pytest.raises(CommandRejectedError, match="GroupCommand, effort"):
        GroupCommand(effort=float("inf"))
    with pytest.raises(ArmwrightError, match="expected a row of numbers, got 'fast'"):
        GroupCommand(velocity="fast")
