"""Copies of a model with other named configurations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy.typing as npt

from armwright.errors import ModelError
from armwright.kinematics.arrays import joint_vector, short
from armwright.kinematics.naming import joint_index
from armwright.kinematics.robot import ModelT

Positions = npt.ArrayLike | Mapping[str | int, float]


def with_reference_configurations(
    model: ModelT, configurations: Mapping[str, Positions | None]
) -> ModelT:
    """Return the same robot with further named configurations.

    Args:
        configurations: Name to joint positions, shape (dof,) [rad or m], or to positions by
            joint name or number; joints that are not named are at 0. A name that is there
            already gets the new positions; None takes it away.

    Raises:
        ModelError: If a name is no text or empty, or None stands for a name that is not there.
        JointVectorError: If positions are of the wrong length or not finite.
        FrameNotFoundError: If there is no joint of a name.

    Example:
        >>> named = model.with_reference_configurations({"bent": {"J3_elbow": 1.5}})
        >>> named.reference_configurations["bent"].tolist()
        [0.0, 0.0, 1.5, 0.0, 0.0, 0.0]
    """
    if not isinstance(configurations, Mapping):
        raise ModelError(
            "reference configurations: expected a mapping from names to joint positions, got "
            f"{short(configurations)}"
        )
    found = dict(model._annotations.configurations)
    for name, positions in configurations.items():
        if not isinstance(name, str) or not name.strip():
            raise ModelError(
                f"reference configurations: expected a text as name, got {short(name)}"
            )
        if positions is None:
            if found.pop(name, None) is None:
                raise ModelError(f"reference configurations: there is no {short(name)}")
            continue
        what = f"reference configuration {short(name)}"
        if isinstance(positions, Mapping):
            listed = [0.0] * model.dof
            for joint, value in positions.items():
                listed[joint_index(model, joint)] = value
            positions = listed
        found[name] = tuple(joint_vector(positions, model.dof, what).tolist())
    annotations = replace(model._annotations, configurations=tuple(found.items()))
    return model._variant(annotations=annotations)
