"""Choices: checked before anything is drawn, with errors that say what would do."""

import re
from typing import Any

import numpy as np
import pytest

from armwright.errors import ArmwrightError, DrawingError
from armwright.gui.style import read_style

MISFITS = [
    ({"labls": True}, "unknown style 'labls'.*Did you mean 'labels'"),
    ({"style": "wire"}, "style: got 'wire', expected one of solid, print, stick"),
    ({"view": "bottom"}, "view: got 'bottom', expected one of iso, top, front, side, or"),
    ({"view": (1, 2, 3)}, r"view: got shape \(3,\)"),
    ({"view": (np.nan, 0)}, "all finite"),
    ({"labels": "yes"}, "labels: got 'yes', expected True, False or None"),
    ({"shadow": None}, "shadow: got None, expected True or False"),
    ({"title": 5}, "title: got 5, expected a text or None"),
    ({"size": (0, 5)}, "size: got .*0.5 to 100 inches"),
    ({"size": "large"}, "size: got 'large', expected width and height"),
    ({"target": [1, 2]}, r"target: got shape \(2,\), expected a point of 3 numbers"),
    ({"path": [1, 2, 3]}, r"path: got shape \(3,\), expected points, shape \(n, 3\)"),
    ({"ghosts": 3}, "ghosts: got 3, expected a list of joint positions"),
    ({"ghosts": "home"}, "ghosts: got 'home'"),
]


@pytest.mark.parametrize(("choices", "text"), MISFITS)
def test_a_misfit_says_what_was_expected(choices: dict[str, Any], text: str) -> None:
    with pytest.raises(DrawingError, match=f"^plot_model: .*{text}") as caught:
        read_style(choices)
    assert isinstance(caught.value, ArmwrightError)
    assert isinstance(caught.value, ValueError)
    assert not re.search(r"\n", str(caught.value))


def test_defaults_and_conversions() -> None:
    style = read_style({})
    assert (style.angles, style.perspective) == ((22.0, -55.0), True)
    style = read_style({"view": "TOP", "target": [1, 2, 3], "ghosts": None, "size": [4, 3]})
    assert (style.angles, style.perspective) == ((90.0, -90.0), False)
    assert style.target is not None
    assert style.target.dtype == np.float64
    assert style.ghosts == ()
    assert style.size == (4.0, 3.0)
    assert read_style({"view": (10, 20)}).angles == (10.0, 20.0)
