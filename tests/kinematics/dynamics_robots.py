"""What the tests of dynamics share: motions, free bases, the kernels by name."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.kinematics import RobotModel, engine

FloatArray = npt.NDArray[np.float64]
MODULES = {
    "inverse": (
        "inverse_dynamics",
        "inverse_dynamics_free",
        "joint_wrenches",
        "joint_wrenches_free",
    ),
    "forward": ("forward_dynamics", "forward_dynamics_free"),
    "mass": (
        "mass_matrix",
        "mass_matrix_free",
        "solve_mass",
        "solve_mass_one",
        "momentum_matrix",
    ),
    "coriolis": ("coriolis", "energies"),
    "external": ("wrench_efforts", "body_wrenches", "regressor", "regressor_free", "friction"),
    "state": ("state", "state_free"),
    "terms": ("terms", "frame_pose", "frame_jacobian"),
}


def kernel(name: str) -> Callable[..., Any]:
    """Return a dynamics kernel by name."""
    module = next(module for module, names in MODULES.items() if name in names)
    return engine.kernel(f"armwright.kinematics._kernels.dynamics_{module}", name)


def motion(model: RobotModel, seed: int = 0, count: int = 1) -> FloatArray:
    """Return q, v, a, shape (count, 3, dof)."""
    return np.random.default_rng(seed).uniform(-2, 2, size=(count, 3, model.dof))


def with_drives(model: RobotModel) -> RobotModel:
    """Return the robot with a drive in every joint, so that every joint moves inertia."""
    drives = np.linspace(0.1, 0.5, model.dof)
    return model.with_joint_dynamics(rotor_inertia=drives, damping=drives / 2, friction=drives / 3)


def pose(rng: np.random.Generator) -> FloatArray:
    """Return a random pose, (4, 4)."""
    T = np.eye(4)
    T[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    T[:3, :3] *= np.sign(np.linalg.det(T[:3, :3]))
    T[:3, 3] = rng.normal(size=3)
    return T
