"""You will see a table of the parts of a six-axis arm, and its mass, joints and limits.

A robot description (HRDF) lists the parts of an arm in the order in which they are bolted
together. Loading it gives a model: frozen, in SI units, ready for every question of the next
lessons. Run with: python examples/01_load_an_arm.py
"""

from pathlib import Path

import numpy as np

import armwright as aw

ARM = Path(__file__).parent / "arms" / "six_dof.hrdf"


def main() -> None:
    """Load the arm and print what it is made of."""
    model = aw.load(ARM)

    print(f"{model.description.description}: {model.n_elements} elements")
    for number, element in enumerate(model.elements):
        # Every element remembers the line of the file that it came from.
        print(f"{number:3d}  {element.kind:13s} {element.tag or '':12s} line {element.line}")

    print(f"\nmass         {model.total_mass:.3f} kg")
    print(f"joints       {', '.join(model.joint_names)}")  # the order of q, everywhere
    print(f"top speeds   {np.round(model.max_speeds, 2)} rad/s")
    print(f"peak efforts {np.round(model.max_efforts, 1)} N m")
    print(f"elbow        is element {model.tags['J3_elbow']}")

    # A mistake in a file is an error that lists every problem, with its line and what to try.
    try:
        aw.loads('<robot version="1.6.0">\n  <actuator type="X5-99"/>\n</robot>')
    except aw.ArmwrightError as error:
        print(f"\nA wrong file says:\n{error}")


if __name__ == "__main__":
    main()
