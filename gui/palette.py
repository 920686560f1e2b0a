"""Colors of parts, edges, frames and paper.

Kinds differ in lightness as well as in hue: they stay apart for color-blind readers and in gray
print. Orange marks what turns.
"""

from dataclasses import dataclass

from .shapes import Role

Rgb = tuple[float, float, float]


def rgb(text: str) -> Rgb:
    """Turn "#rrggbb" into three numbers from 0 to 1."""
    return (int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255)


ROLE_COLORS: dict[Role, str] = {
    "actuator": "#4a5663",
    "tool": "#00745c",
    "body": "#a08563",
    "bracket": "#5aa9dc",
    "face": "#f0a202",
    "mark": "#22272e",
    "link": "#dde2e7",
    "adapter": "#aab4be",
    "joint": "#6b7784",
    "rail": "#c3cad1",
}
LEGEND: dict[Role, str] = {
    "actuator": "actuator",
    "joint": "plain joint",
    "face": "output face (turns)",
    "link": "link",
    "bracket": "bracket",
    "body": "rigid body",
    "tool": "end effector",
}
"""What the legend says; roles that are not here are parts of others."""

EDGE = "#22272e"
GHOST = "#7a4fa3"
TARGET = "#c4390c"
AXES = ("#d55e00", "#009e73", "#0072b2")
"""Axes x, y, z of a frame."""
GRID = "#c5cbd1"
GRID_TEXT = "#5b646e"
TEXT = "#22272e"
AXIS = "#8c2d04"


@dataclass(frozen=True, slots=True)
class Palette:
    """How surfaces are colored.

    Attributes:
        ambient: Brightness of a surface that gets no light, 0 to 1.
        whiten: How far colors are mixed with white, 0 to 1.
        edge_width: Width of edges [points].
    """

    ambient: float = 0.58
    whiten: float = 0.0
    edge_width: float = 0.7

    def color(self, role: Role) -> Rgb:
        """Return the color of a role."""
        r, g, b = rgb(ROLE_COLORS[role])
        w = self.whiten
        return (r + (1 - r) * w, g + (1 - g) * w, b + (1 - b) * w)


SOLID = Palette()
PRINT = Palette(ambient=0.9, whiten=0.78, edge_width=0.9)
