"""You will see an arm driven to a point: planned, commanded and measured, step by step.

By default the group is simulated and takes no real time. On real modules the same loop runs:
python examples/06_drive_a_group.py --hebi Arm J1_base J2_shoulder J3_elbow J4_wrist1 J5_wrist2
J6_wrist3 (a family, then the names in the order of the joints). Keep clear of the arm: it moves.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import armwright as aw
from armwright import devices, ik

ARM = Path(__file__).parent / "arms" / "six_dof.hrdf"


def main(argv: Sequence[str] | None = None) -> None:
    """Drive the arm from where it stands to a point, and measure where it ends."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--hebi", nargs="+", metavar=("FAMILY", "NAME"), help="real modules")
    modules = parser.parse_args(argv).hebi
    model = aw.load(ARM)
    target = [0.35, 0.10, 0.25]

    with open_group(model, modules) as group:
        start = group.feedback(timeout=1.0).position
        result = ik.solve(model, start, ik.position(target)).raise_for_status()

        # Real arms go at a fifth of their speed here, whatever the actuators could do.
        speeds = model.max_speeds * (0.2 if modules else 1.0)
        move = devices.plan(model, [start, result.q], max_speeds=speeds)
        print(
            f"planned: {move.duration:.2f} s from {np.round(start, 2)} to {np.round(result.q, 2)}"
        )

        # At every feedback: the position of that moment, and the efforts that hold the arm.
        record = devices.follow(group, model, move)

    print("  time   joint 2 commanded   measured   effort")
    for row in range(0, len(record.times), max(1, len(record.times) // 10)):
        told, seen = record.commanded[row, 1], record.measured[row, 1]
        effort = record.measured_effort[row, 1]
        print(f"{record.times[row]:6.2f} s   {told:10.3f} rad   {seen:8.3f}   {effort:6.2f} N m")
    ended = model.end_effector(record.measured[-1])[:3, 3]
    print(f"target   {target} m\nmeasured {np.round(ended, 4)} m")
    print(f"error    {np.linalg.norm(ended - target) * 1000:.3f} mm")


def open_group(model: aw.RobotModel, modules: list[str] | None) -> devices.ActuatorGroup:
    """Return real modules when they are named, else a simulated group."""
    if modules:
        return devices.connect(modules[0], modules[1:])
    return devices.simulate(model, q0=np.radians([0, 60, 80, 0, 30, 0]))


if __name__ == "__main__":
    main()
