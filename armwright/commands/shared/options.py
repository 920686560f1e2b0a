"""Arguments and options that several commands share, as typer annotations.

Positions of joints are one comma-separated value (``--q -10deg,0.2``), so that a leading minus is
no option; vectors take three or four values of their own (``--xyz 0.3 -0.1 0.2``).
"""

from pathlib import Path
from typing import Annotated

import typer

Three = tuple[str, str, str]
Four = tuple[str, str, str, str]

Arm = Annotated[
    Path,
    typer.Argument(
        metavar="ARM",
        help="Robot description (HRDF), robot configuration (*.cfg.yaml) or saved model (.npz).",
    ),
]
Q = Annotated[
    str | None,
    typer.Option(
        "--q",
        metavar="Q1,Q2,...",
        help="Joint positions, one comma-separated value; rad, m for joints that slide, "
        "or with a unit: 10deg,0.2,-90deg,pi/2. When not given: the home of a configuration.",
    ),
]
Qs = Annotated[
    list[str] | None,
    typer.Option(
        "--q",
        metavar="Q1,Q2,...",
        help="Joint positions, one comma-separated value; rad, m for joints that slide, "
        "or with a unit: 10deg,0.2,-90deg,pi/2. Again for every further pose. When not given: the "
        "home of a configuration.",
    ),
]
Poses = Annotated[
    Path | None,
    typer.Option(
        "--poses",
        metavar="FILE",
        help="Text file of poses, one a line, written as for --q; # begins a comment.",
    ),
]
SeedQ = Annotated[
    str | None,
    typer.Option(
        "--seed-q",
        metavar="Q1,Q2,...",
        help="Joint positions to start from, written as for --q; when not given the ik_seed or "
        "home of a configuration, else zeros.",
    ),
]
StartQ = Annotated[
    str | None,
    typer.Option(
        "--seed-q",
        metavar="Q1,Q2,...",
        help="Joint positions to start from, written as for --q; when not given, the "
        "home_position of --config, or of ARM where it is a configuration, or of the configuration "
        "beside ARM that names it, else zeros.",
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="F.cfg.yaml", help="Robot configuration whose home_position counts."
    ),
]
Xyz = Annotated[
    Three, typer.Option("--xyz", metavar="X Y Z", help="Target position in the world [m].")
]
Rpy = Annotated[
    Three | None,
    typer.Option(
        "--rpy",
        metavar="R P Y",
        help="Target orientation: roll, pitch, yaw about the fixed x, y, z axes of the world, "
        "in that order; rad, or with a unit: 180deg 0 pi/2.",
    ),
]
Quat = Annotated[
    Four | None,
    typer.Option(
        "--quat", metavar="W X Y Z", help="Target orientation as a unit quaternion, W first."
    ),
]
Axis = Annotated[
    Three | None,
    typer.Option(
        "--axis", metavar="X Y Z", help="World direction that the tool's z axis shall have."
    ),
]
Limits = Annotated[
    str | None,
    typer.Option(
        "--limits",
        metavar="L:U,L:U,...",
        help="Limits within those of the arm, lower:upper for every joint, one comma-separated "
        "value, in rad, m or with deg: -90deg:90deg,0:1.5,:,... A blank side sets no limit.",
    ),
]
AllSolutions = Annotated[
    bool,
    typer.Option("--all", help="List every posture that reaches the pose, the nearest first."),
]
Picture = Annotated[
    Path | None,
    typer.Option("--plot", metavar="F.png", help="Picture to write: png, pdf or svg."),
]
Gravity = Annotated[
    Three | None,
    typer.Option(
        "--gravity",
        metavar="X Y Z",
        help="Acceleration of gravity in the world [m/s^2]; 0 0 -9.81 when not given.",
    ),
]
Payload = Annotated[
    float | None, typer.Option("--payload", metavar="KG", help="Mass at the end effector [kg].")
]
Com = Annotated[
    Three | None,
    typer.Option(
        "--com",
        metavar="X Y Z",
        help="Center of mass of the payload, from the end effector's input frame and in its axes "
        "[m]; 0 0 0 when not given.",
    ),
]
Tag = Annotated[
    str | None,
    typer.Option("--tag", help="Tag of the end effector, where the arm has several."),
]
Frame = Annotated[
    str | None,
    typer.Option(
        "--frame",
        metavar="FRAME",
        help="Frame instead of the end effector: its name (of a joint or a tagged element), "
        "type:number or type:name, such as elbow, output:3 or com:forearm.",
    ),
]
FrameList = Annotated[
    list[str] | None,
    typer.Option(
        "--frame",
        metavar="FRAME",
        help="Frame to show, instead of --frames: its name (of a joint or a tagged element), "
        "type:number or type:name, such as elbow, output:3 or com:forearm. Again for every "
        "further one.",
    ),
]
Index = Annotated[
    int | None,
    typer.Option("--index", help="Number of the end effector, from 0, instead of its tag."),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object, in SI units, for programs.")
]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
