"""Names on the picture: placed when it is drawn, so that they keep clear of each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox, IdentityTransform

from .artist import project, root_figure
from .palette import TEXT
from .solids import FloatArray

_DISTANCES = (9.0, 20.0, 34.0, 50.0, 70.0)
_DIRECTIONS = 12
_GAP = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """A text at a point.

    Attributes:
        point: Shape (3,) [m, world].
        text: What it says.
    """

    point: FloatArray
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Letter:
    """A letter at the tip of an axis of a frame.

    Attributes:
        origin: Where the axis begins, shape (3,) [m, world].
        tip: Where it ends, shape (3,) [m, world].
        text: The letter.
        color: Its color.
    """

    origin: FloatArray
    tip: FloatArray
    text: str
    color: str


class LabelArtist(Artist):
    """Writes letters just beyond the tips of axes, and labels near their points.

    Args:
        labels: Labels; each is put where it covers no other, with a thin line to its point.
        letters: Letters; left out where the axis points at the viewer.
        font_size: [points].
    """

    def __init__(
        self, labels: Sequence[Label], letters: Sequence[Letter], font_size: float = 7.5
    ) -> None:
        super().__init__()
        self.labels = tuple(labels)
        self.letters = tuple(letters)
        self.font_size = font_size

    def draw(self, renderer: Any) -> None:
        """Draw on a renderer; called by Matplotlib."""
        if not self.get_visible():
            return
        point = float(renderer.points_to_pixels(1.0))
        taken = self._draw_letters(renderer, point)
        self._draw_labels(renderer, point, taken)
        self.stale = False

    def get_tightbbox(self, renderer: Any = None) -> Bbox:
        """Return the box around all points [pixels], for tight layouts."""
        points = [label.point for label in self.labels] + [letter.tip for letter in self.letters]
        if not points:
            return Bbox.null()
        screen = project(self.axes, np.array(points))[:, :2]
        return Bbox([screen.min(axis=0), screen.max(axis=0)])

    def get_window_extent(self, renderer: Any = None) -> Bbox:
        """Return the same box."""
        return self.get_tightbbox(renderer)

    def _draw_letters(self, renderer: Any, point: float) -> list[FloatArray]:
        """Draw the letters and return the boxes that they take [pixels]: x0, y0, x1, y1."""
        taken = []
        for letter in self.letters:
            start, tip = project(self.axes, np.array([letter.origin, letter.tip]))[:, :2]
            length = float(np.linalg.norm(tip - start))
            taken.append(np.concatenate((np.minimum(start, tip), np.maximum(start, tip))))
            if not length > 7 * point:
                continue
            x, y = tip + (tip - start) / length * 6.5 * point
            text = self._text(x, y, letter.text, letter.color, weight="bold")
            text.draw(renderer)
            taken.append(np.array(text.get_window_extent(renderer).extents))
        return taken

    def _draw_labels(self, renderer: Any, point: float, taken: list[FloatArray]) -> None:
        """Draw each label at the best place that is left."""
        if not self.labels:
            return
        anchors = project(self.axes, np.array([label.point for label in self.labels]))[:, :2]
        canvas = np.array([0.0, 0.0, *root_figure(self).bbox.size])
        middle = anchors.mean(axis=0)
        boxed = {"boxstyle": "square,pad=0.2", "fc": "white", "ec": "none", "alpha": 0.8}
        # From the outside in: labels at the rim have room, those in the middle take what is left.
        order = np.argsort(-np.linalg.norm(anchors - middle, axis=1), kind="stable")
        for number in order:
            anchor = anchors[number]
            text = self._text(0.0, 0.0, self.labels[number].text, TEXT, bbox=boxed)
            extent = text.get_window_extent(renderer)
            half = np.array([extent.width, extent.height]) / 2 + _GAP * point
            center = _best_place(anchor, half, middle, anchors, taken, canvas, point)
            taken.append(np.concatenate((center - half, center + half)))
            end = np.clip(anchor, center - half, center + half)
            line = Line2D([anchor[0], end[0]], [anchor[1], end[1]], color=TEXT, lw=0.6, alpha=0.7)
            dot = Line2D(
                [anchor[0]], [anchor[1]], marker="o", ms=2.6, mfc="white", mec=TEXT, mew=0.7
            )
            for mark in (line, dot):
                self._adopt(mark)
                mark.draw(renderer)
            text.set_position((center[0], center[1]))
            text.draw(renderer)

    def _text(self, x: float, y: float, words: str, color: str, **more: Any) -> Text:
        """Make a text centered at a pixel."""
        text = Text(x, y, words, color=color, size=self.font_size, ha="center", va="center", **more)
        self._adopt(text)
        return text

    def _adopt(self, artist: Artist) -> None:
        """Let an artist be drawn in our figure, in pixels."""
        artist.set_figure(self.figure)
        artist.set_transform(IdentityTransform())


def _best_place(
    anchor: FloatArray,
    half: FloatArray,
    middle: FloatArray,
    anchors: FloatArray,
    taken: Sequence[FloatArray],
    canvas: FloatArray,
    point: float,
) -> FloatArray:
    """Return the center [pixels] for a box that covers least and is near its point."""
    outward = np.arctan2(*(anchor - middle)[::-1]) if np.any(anchor != middle) else 0.0
    best, least = anchor, np.inf
    boxes = np.array(taken).reshape(-1, 4)
    for distance in _DISTANCES:
        for turn in range(_DIRECTIONS):
            angle = 2 * np.pi * turn / _DIRECTIONS
            direction = np.array([np.cos(angle), np.sin(angle)])
            center = anchor + direction * (half + distance * point)
            low, high = center - half, center + half
            overlap = np.minimum(high, boxes[:, 2:]) - np.maximum(low, boxes[:, :2])
            covered = float(np.prod(np.clip(overlap, 0.0, None), axis=1).sum())
            hidden = int(((anchors > low) & (anchors < high)).all(axis=1).sum())
            outside = np.clip(canvas[:2] - low, 0, None) + np.clip(high - canvas[2:], 0, None)
            away = 1.0 - np.cos(angle - outward)
            cost = covered + (40 * hidden + 3 * distance / 10 + 4 * away) * point**2
            cost += 1000 * float(outside.sum()) * point
            if cost < least:
                best, least = center, cost
    return best
