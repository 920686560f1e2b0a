"""The plot of a recording: every joint, both lines, units on every axis."""

from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices, gui
from armwright.errors import DrawingError

ARM = """<robot version="1.6.0">
  <actuator type="X5-4" tag="base"/><joint axis="tz" tag="lift"/>
</robot>"""


@pytest.fixture(scope="module")
def recording() -> devices.Recording:
    model = aw.loads(ARM)
    move = devices.minimum_jerk([0.0, 0.5], [[0.0, 0.0], [0.4, 0.1]])
    with devices.simulate(model) as group:
        return devices.follow(group, model, move, settle=0.0)


def test_each_joint_has_axes_with_its_name_and_unit(recording: devices.Recording) -> None:
    axes = recording.plot()
    assert [ax.get_ylabel() for ax in axes] == ["base [rad]", "lift [m]"]
    assert [ax.get_xlabel() for ax in axes] == ["", "time [s]"]
    for joint, ax in enumerate(axes):
        told, was = ax.lines
        assert (told.get_label(), was.get_label()) == ("commanded", "measured")
        np.testing.assert_array_equal(told.get_xdata(), recording.times)
        np.testing.assert_array_equal(told.get_ydata(), recording.commanded[:, joint])
        np.testing.assert_array_equal(was.get_ydata(), recording.measured[:, joint])


def test_it_can_be_saved_and_nothing_is_shown(recording: devices.Recording, tmp_path: Any) -> None:
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    gui.save_picture(recording.plot()[0], tmp_path / "recording.png")
    assert (tmp_path / "recording.png").stat().st_size > 5000
    assert plt.get_fignums() == before


def test_axes_of_the_caller_are_drawn_into(recording: devices.Recording) -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots(2, 1)
    assert recording.plot(axes)[1] is axes[1]
    assert len(axes[1].lines) == 2
    with pytest.raises(DrawingError, match=r"axes: got shape \(1,\), expected one for each of 2"):
        recording.plot(axes[0])


def test_a_recording_without_names_is_numbered(recording: devices.Recording) -> None:
    arrays = [getattr(recording, name) for name in devices.Recording.__slots__[:7]]
    axes = gui.plot_recording(devices.Recording(*arrays))
    assert [ax.get_ylabel() for ax in axes] == ["joint 0 [rad or m]", "joint 1 [rad or m]"]


def test_nothing_to_draw_is_said(recording: devices.Recording) -> None:
    none = np.empty((3, 0))
    empty = devices.Recording(np.arange(3.0), none, none, none, none, none, none)
    with pytest.raises(DrawingError, match="a recording of no joints"):
        empty.plot()
