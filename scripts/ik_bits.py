"""Print a hash of the answers to many inverse kinematics problems.

``scripts/test`` compares it between environments: the same inputs give the same bits with numpy
1.26 and 2 on one platform.
"""

import hashlib
from pathlib import Path

import numpy as np

from armwright import ik, load

ARMS = Path(__file__).resolve().parent.parent / "examples" / "arms"


def main() -> None:
    """Solve far poses of two arms, the seeds and targets drawn from a fixed generator."""
    rng = np.random.default_rng(20261130)
    digest = hashlib.sha256()
    for name in ("six_dof", "seven_dof"):
        model = load(ARMS / f"{name}.hrdf")
        joints = rng.uniform(-np.pi, np.pi, (1000, model.dof))
        limits = ik.joint_limits([-np.pi] * model.dof, [np.pi] * model.dof)
        for q0, T in zip(joints[::-1], model.end_effector(joints), strict=True):
            digest.update(ik.solve(model, q0, ik.pose(T), limits).q.tobytes())
    print(digest.hexdigest())


if __name__ == "__main__":
    main()
