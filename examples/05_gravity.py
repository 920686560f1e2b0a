"""You will see what it takes to hold an arm up, and how much it can carry, pose by pose.

The efforts that hold the arm still are what gravity compensation sends to the actuators. An
actuator can give its peak effort for a moment and its continuous effort for long; what is left
of that carries a payload. Run with: python examples/05_gravity.py
"""

from pathlib import Path

import numpy as np

import armwright as aw
from armwright import kinematics

ARM = Path(__file__).parent / "arms" / "six_dof.hrdf"


def main() -> None:
    """Print holding efforts, then the payload that each pose leaves room for."""
    model = aw.load(ARM)
    q = np.radians([0, 20, -30, 0, 0, 0])
    efforts = model.gravity_efforts(q)
    print("joint         holding   of peak   of continuous")
    limits = zip(model.max_efforts, model.continuous_efforts, strict=True)
    for name, effort, (peak, long) in zip(model.joint_names, efforts, limits, strict=True):
        share_peak, share_long = abs(effort) / peak, abs(effort) / long
        print(
            f"{name:12s} {round(effort, 2) + 0.0:6.2f} N m   {share_peak:6.0%}   {share_long:6.0%}"
        )

    # A payload is part of the model: with_payload gives another model, the first stays.
    loaded = model.with_payload(1.0)
    print(f"\nwith 1 kg in hand: {np.round(loaded.gravity_efforts(q), 2) + 0.0} N m")

    # Holding efforts grow in a straight line with the payload, so the largest one is exact.
    print("\nshoulder   payload it holds for long")
    for shoulder in range(0, 91, 15):
        q[1] = np.radians(shoulder)
        limit = kinematics.largest_payload(model, q)
        print(f"{shoulder:4d} deg   {limit.mass:5.2f} kg ({limit.joint})")

    # The same question for all these poses and one payload: who cannot hold it, and where?
    poses = np.tile(q, (7, 1))
    poses[:, 1] = np.radians(range(0, 91, 15))
    report = kinematics.static_capability(model, poses, payload=2.0)
    print(f"\nwith 2 kg at all of these poses:\n{report}")


if __name__ == "__main__":
    main()
