"""You will see joint positions that reach a target, and an honest answer where none do.

A target is a list of objectives: a position, an orientation, the direction of the tool, limits
of the joints. Not reaching it is no exception but a value: the result says how it ended and how
far it is off, judged from the pose of the joints it returns. Run with:
python examples/04_inverse_kinematics.py
"""

from pathlib import Path

import numpy as np

import armwright as aw
from armwright import ik

ARM = Path(__file__).parent / "arms" / "six_dof.hrdf"


def report(name: str, result: ik.IKResult) -> None:
    """Print one result."""
    print(f"{name}: {result.status.name}")
    print(f"  q {np.round(np.degrees(result.q), 1) + 0.0} deg")
    print(f"  position error {result.position_error * 1000:.4f} mm; {result.message}\n")


def main() -> None:
    """Solve for a point, a point with a direction, within limits, and out of reach."""
    model = aw.load(ARM)
    seed = np.radians([0, 60, 80, 0, 30, 0])
    point = [0.35, 0.10, 0.25]

    report("a point", ik.solve(model, seed, ik.position(point)))

    down = ik.tip_axis([0, 0, -1])  # the tool's z axis looks down
    result = ik.solve(model, seed, ik.position(point), down)
    report("a point from above", result)
    print(f"  the tool looks along {np.round(model.end_effector(result.q)[:3, 2], 4) + 0.0}\n")

    # Limits are hard: the result is always inside them.
    limits = ik.joint_limits(np.radians([-75] * 6), np.radians([75] * 6))
    report("within 75 degrees", ik.solve(model, seed, ik.position(point), limits))

    # None leaves an axis free: anywhere on this horizontal line will do.
    report("a line", ik.solve(model, seed, ik.position([None, 0.1, 0.3])))

    far = ik.solve(model, seed, ik.position([2.0, 0.0, 0.3]))
    report("out of reach", far)
    closest = model.end_effector(far.q)[:3, 3]
    print(f"  closest point {np.round(closest, 3)}; success is {far.success}")


if __name__ == "__main__":
    main()
