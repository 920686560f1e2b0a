"""You will see two pictures appear: an arm reaching for a point, and a two-armed robot.

Drawing needs no display and never waits: ``plot_model`` returns Matplotlib axes, to which
anything can be added. The pictures are saved in the folder you name, or where you are. Run with:
python examples/07_plot.py [FOLDER]
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import armwright as aw
from armwright import gui, ik

ARMS = Path(__file__).parent / "arms"


def main(argv: Sequence[str] | None = None) -> None:
    """Draw an arm on its way to a target, and a tree."""
    arguments = sys.argv[1:] if argv is None else argv
    folder = Path(arguments[0]) if arguments else Path.cwd()

    model = aw.load(ARMS / "six_dof.hrdf")
    start = np.radians([-60, 80, 60, 0, 30, 0])
    target = np.array([0.35, 0.10, 0.25])
    goal = ik.solve(model, start, ik.position(target)).raise_for_status().q

    # The way of the tool, the pose it came from as a ghost, and the target.
    way = start + np.linspace(0, 1, 50)[:, None] * (goal - start)  # (50, dof)
    path = model.end_effector(way)[:, :3, 3]
    ax = gui.plot_model(model, goal, target=target, path=path, ghosts=[start], title="Reach")
    print(f"wrote {gui.save_picture(ax, folder / 'reach.png')}")

    # A tree, from the front. Everything that Matplotlib can do with axes works on top.
    robot = aw.load(ARMS / "two_armed.hrdf")
    q = np.radians([0, 30, 40, -60, 0, -30, -40, 60, 0])
    ax = gui.plot_model(robot, q, view="front", legend=True)
    for tag in ("left_tool", "right_gripper"):
        x, y, z = robot.end_effector(q, tag=tag)[:3, 3]
        box = {"facecolor": "white", "edgecolor": "#00745c", "alpha": 0.9}
        ax.text(x, y, z - 0.13, tag, ha="center", bbox=box)
    print(f"wrote {gui.save_picture(ax, folder / 'two_armed.png')}")


if __name__ == "__main__":
    main()
