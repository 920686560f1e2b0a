"""Labels: each near its point, none over another."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from armwright import gui
from armwright.gui.labels import LabelArtist, _best_place
from tests.gui.robots import Q_SIX, arm

FloatArray = npt.NDArray[np.float64]


def boxes(axes: Any) -> FloatArray:
    """Draw, and return the boxes of the joint labels, shape (n, 4) [pixels]: x0, y0, x1, y1."""
    found: list[FloatArray] = []
    artist = next(a for a in axes.get_children() if isinstance(a, LabelArtist))
    draw_labels = artist._draw_labels

    def spy(renderer: Any, point: float, taken: list[FloatArray]) -> None:
        first = len(taken)
        draw_labels(renderer, point, taken)
        found.extend(taken[first:])

    artist._draw_labels = spy  # type: ignore[method-assign]
    axes.figure.canvas.draw()
    return np.array(found)


@pytest.mark.parametrize("view", ["iso", "top", "side"])
@pytest.mark.parametrize("name", ["six_dof", "seven_dof", "two_armed"])
def test_labels_cover_no_other_and_stay_on_the_canvas(name: str, view: str) -> None:
    model = arm(name)
    axes = gui.plot_model(model, np.linspace(0.2, 1.0, model.dof), view=view)
    found = boxes(axes)
    assert len(found) == model.dof
    for i, one in enumerate(found):
        for other in found[:i]:
            overlap = np.minimum(one[2:], other[2:]) - np.maximum(one[:2], other[:2])
            assert (overlap <= 0).any()
    width, height = axes.figure.bbox.size
    assert (found[:, :2] >= 0).all()
    assert (found[:, 2:] <= (width, height)).all()


def test_labels_are_given_up_for_robots_with_many_joints_unless_asked_for() -> None:
    many = "<robot version='1.6.0'>" + "<joint axis='rz'/>" * 13 + "</robot>"
    import armwright as aw

    model = aw.loads(many)
    count = {}
    for labels in (None, True, False):
        axes = gui.plot_model(model, np.zeros(13), labels=labels)
        artist = next(a for a in axes.get_children() if isinstance(a, LabelArtist))
        count[labels] = len(artist.labels)
    assert count == {None: 0, True: 13, False: 0}
    assert len(boxes(gui.plot_model(arm("six_dof"), Q_SIX))) == 6


def test_a_free_place_next_to_the_point_is_taken() -> None:
    anchor = np.array([200.0, 200.0])
    half = np.array([20.0, 6.0])
    canvas = np.array([0.0, 0.0, 400.0, 400.0])
    free = _best_place(anchor, half, np.zeros(2), anchor[None], [], canvas, 1.0)
    assert np.linalg.norm(free - anchor) < 40
    blocked = [np.concatenate((free - half, free + half))]
    other = _best_place(anchor, half, np.zeros(2), anchor[None], blocked, canvas, 1.0)
    assert (np.abs(other - free) >= 2 * half).any()


def test_letters_of_a_target_that_is_reached_are_not_doubled() -> None:
    model = arm("six_dof")
    reached = model.end_effector(Q_SIX)
    missed = reached.copy()
    missed[0, 3] += 0.1
    for target, count in ((reached, 6), (missed, 9), (reached[:3, 3], 6)):  # base and tool: 6
        axes = gui.plot_model(model, Q_SIX, target=target)
        artist = next(a for a in axes.get_children() if isinstance(a, LabelArtist))
        assert len(artist.letters) == count
    axes = gui.plot_model(model, Q_SIX, target=reached, triads=False)
    artist = next(a for a in axes.get_children() if isinstance(a, LabelArtist))
    assert len(artist.letters) == 3
