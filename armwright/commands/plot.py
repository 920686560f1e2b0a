"""``armwright plot``: a picture of an arm."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from armwright.commands.shared import (
    InputError,
    Line,
    Report,
    joint_values,
    load_arm,
    options,
    refuse_degrees,
    split_values,
)

Output = Annotated[
    Path,
    typer.Option("--output", metavar="F.png", help="Picture to write: png, pdf or svg."),
]
View = Annotated[
    str,
    typer.Option(
        "--view",
        metavar="VIEW",
        help="iso, top, front, side, or elevation and azimuth, such as 20deg,-60deg.",
    ),
]


def plot(arm: options.Arm, *, output: Output, q: options.Q = None, view: View = "iso") -> Report:
    """Draw an arm and save the picture.

    Without --q all joints are at the home of a configuration, else at zero.

    Example:
      armwright plot examples/arms/six_dof.hrdf --q 0,60deg,-90deg,0,0,0 --output arm.png
    """
    from armwright import gui

    angles = _view(view)
    model = load_arm(arm)
    home = q is not None or "home" in model.reference_configurations
    positions = joint_values(q, model) if home else np.zeros(model.dof)
    axes = gui.plot_model(model, positions, view=angles)
    gui.save_picture(axes, output)
    data = {"q": positions, "view": angles, "plot": output}
    return Report(data, [Line(f"picture   {output}")])


def _view(text: str) -> "str | tuple[float, float]":
    """Return a named view, or elevation and azimuth in degrees."""
    if "," not in text and not any(letter.isdigit() for letter in text):
        return text.strip().lower()
    angles = split_values(text, "--view")
    if len(angles) != 2:
        raise InputError(f"--view: expected elevation,azimuth, got {len(angles)} values")
    for i, angle in enumerate(angles, 1):
        refuse_degrees(angle, f"--view, entry {i}")
    elevation, azimuth = (float(np.degrees(angle.value)) for angle in angles)
    return elevation, azimuth
