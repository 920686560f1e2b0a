"""Friction of the joints, as part of the efforts of a motion."""

from typing import TYPE_CHECKING

from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.engine import lazy
from armwright.kinematics.robot import ModelData

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_external as _dynamics_external_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.dynamics_external"
_friction = lazy(__name__, "_friction", _KERNELS)
_friction_batch = lazy(__name__, "_friction_batch", _KERNELS)


def add_friction(model: ModelData, V: FloatArray, sign: float, efforts: FloatArray) -> None:
    """Add the friction of checked velocities to efforts of the same shape, in place."""
    if model._friction is None:
        return
    if V.ndim == 1:
        _friction(model._friction, V, sign, efforts)
    else:
        rows = (-1, model.dof)
        _friction_batch(model._friction, V.reshape(rows), sign, efforts.reshape(rows))
