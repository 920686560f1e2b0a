"""Makes a simulated group of a model: checks what was given, and says what the modules are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from armwright.devices.kinds import check_model, listed
from armwright.devices.messages import GroupInfo
from armwright.errors import ModelError
from armwright.kinematics.arrays import FloatArray, JointValues, joint_vector, warn_of_degrees
from armwright.reprs import short

from .group import SimulatedGroup
from .ideal import IdealPhysics

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel


def simulate(
    model: RobotModel,
    *,
    physics: Literal["ideal"] = "ideal",
    real_time: bool = False,
    names: Sequence[str] | None = None,
    q0: JointValues | None = None,
    seed: int = 0,
) -> SimulatedGroup:
    """Make a group of simulated modules, one per joint of a model.

    It gives feedback from the first moment, 100 times per second, and commands act for 0.25 s;
    both are attributes of the group. What the joints do is told in ``simulation/ideal.py``: they
    follow positions and velocities within the model's limits, and fall or rise under efforts.

    Args:
        model: The arm.
        physics: "ideal" is the one there is.
        real_time: Let ``feedback`` and ``step`` wait for the wall clock.
        names: Names of the modules, in the order of q; the model's joint names when None.
        q0: Where the arm starts, shape (dof,) [rad or m]; when None, 0 or the position limit
            that is nearest to it.
        seed: Seed of whatever is random.

    Returns:
        The group; close it, or use it in a ``with`` statement.

    Raises:
        ModelError: If the physics is unknown, or names or q0 do not fit the model.

    Example:
        >>> from armwright import ArmBuilder
        >>> model = ArmBuilder().actuator("X5-4").bracket("X5LightRight").actuator("X5-1").build()
        >>> with simulate(model, names=["base", "wrist"]) as group:
        ...     group.feedback(timeout=0.1)
        GroupFeedback(time=0.01, position=[0.0, 0.0], velocity=[0.0, 0.0], effort=[0.0, 0.0])
    """
    check_model(model, "simulate")
    if not isinstance(physics, str) or physics != "ideal":
        raise ModelError(f'simulate, physics: expected "ideal", got {short(physics)}')
    given = model.joint_names if names is None else names
    chosen = tuple(listed(given, "simulate, names", "texts", ModelError))
    odd = [name for name in chosen if not isinstance(name, str) or not name]
    if odd:
        raise ModelError(f"simulate, names: expected texts that are not empty, got {short(odd[0])}")
    if len(chosen) != model.dof:
        raise ModelError(
            f"simulate, names: expected {model.dof}, got {len(chosen)} {short(list(chosen))}; "
            "one name per joint"
        )
    if len(set(chosen)) != len(chosen):
        raise ModelError(f"simulate, names: expected different names, got {short(chosen)}")
    info = GroupInfo(
        names=chosen,
        families=("simulated",) * model.dof,
        types=_joint_types(model),
        position_limits=model.position_limits,
    )
    start = _start(model, q0)
    return SimulatedGroup(IdealPhysics(model, start), info, real_time=real_time, seed=seed)


def _joint_types(model: RobotModel) -> tuple[str, ...]:
    """Return the type of the actuator behind each joint; "" for a plain joint."""
    return tuple(getattr(model.elements[n], "type", "") for n in model.joint_elements)


def _start(model: RobotModel, q0: JointValues | None) -> FloatArray:
    """Return the first joint positions, checked against the position limits."""
    lower, upper = model.position_limits
    if q0 is None:
        nearest: FloatArray = np.clip(np.zeros(model.dof), lower, upper)
        return nearest
    start = joint_vector(q0, model.dof, "q0", joints=model.joint_names)
    warn_of_degrees("simulate, q0", start, model.joint_slides, model.joint_names)
    outside = np.flatnonzero((start < lower) | (start > upper))
    if len(outside):
        i = int(outside[0])
        raise ModelError(
            f"simulate, q0, joint {model.joint_names[i]!r}: expected {lower[i]:g} to {upper[i]:g}, "
            f"got {start[i]:g}"
        )
    return start
