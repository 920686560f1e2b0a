"""Copies of a model whose joints have rotor inertia and friction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from armwright.errors import ModelError
from armwright.hrdf import Actuator
from armwright.kinematics import arrays
from armwright.kinematics.arrays import FloatArray, JointValues, check_each, read_only, row
from armwright.kinematics.robot import JointDynamics, ModelData, ModelT
from armwright.reprs import short


def with_joint_dynamics(
    model: ModelT,
    source: JointDynamics | Literal["catalog"] | None = None,
    *,
    rotor_inertia: JointValues | None = None,
    damping: JointValues | None = None,
    friction: JointValues | None = None,
) -> ModelT:
    """Return the same robot with rotor inertia and friction in its joints.

    They count in inverse and forward dynamics, in bias efforts and, as far as the rotors go,
    in the mass matrix and kinetic energy. ``gravity_efforts``, ``coriolis`` and
    ``momentum_matrix`` are those of the bodies alone. A model has no drives to begin with.

    Args:
        source: What to start from: "catalog" takes rotor inertia, damping and friction of
            each actuator from the part catalog, and none for plain joints (rotor inertias
            of the built-in parts are estimates: ``ActuatorPart.rotor_inertia_estimated``);
            the ``joint_dynamics`` of a model; None keeps this model's.
        rotor_inertia: Reflected to the joint value, N^2 I for a reduction N; one number for
            all joints, shape (dof,), or {joint name: number}, where joints that are not named keep
            what ``source`` says [kg m^2, kg for sliding joints].
        damping: Viscous friction likewise [N m s/rad or N s/m].
        friction: Coulomb friction likewise [N m or N].

    Raises:
        ModelError: If a number is negative or not finite, a length is wrong, there is no joint of
            a name, or the catalog does not say what was asked of it; names the joints.

    Example:
        >>> from armwright import loads
        >>> arm = loads('<robot version="1.6.0"><actuator type="X5-9"/>'
        ...             '<rigid-body mass="1" com_trans="0.5 0 0"/></robot>')
        >>> arm.with_joint_dynamics("catalog").joint_dynamics.friction
        array([0.1])
    """
    given = {"rotor_inertia": rotor_inertia, "damping": damping, "friction": friction}
    known = [n for n, value in given.items() if value is not None and _is_for_all(model, value)]
    start = _start(model, source, known)
    values = {
        name: None if value is None else _per_joint(model, value, name, getattr(start, name))
        for name, value in given.items()
    }
    drives = JointDynamics(
        *(
            getattr(start, name) if value is None else read_only(value)
            for name, value in values.items()
        )
    )
    return model._variant(joint_dynamics=drives)


def _is_for_all(model: ModelData, value: JointValues) -> bool:
    """Whether a value says something of every joint."""
    return not isinstance(value, Mapping) or set(model.joint_names) <= set(value)


def _per_joint(model: ModelData, value: JointValues, name: str, kept: FloatArray) -> FloatArray:
    """Return one number for every joint, shape (dof,)."""
    if isinstance(value, Mapping):
        numbers = arrays.some_by_name(value, model.joint_names, kept, name, ModelError)
    else:
        numbers = row(value, model.dof, name, one_for_all=True)
    finite = (numbers >= 0.0) & np.isfinite(numbers)
    joints = model.joint_names
    check_each(numbers, finite, name, "a finite number, 0 or more", joints=joints)
    check_each(
        numbers, numbers <= arrays.LARGEST, name, f"at most {arrays.LARGEST:g}", joints=joints
    )
    return numbers


def _start(model: ModelData, source: object, known: list[str]) -> JointDynamics:
    """Return the drives to start from; what is ``known`` already need not be in the catalog."""
    if source is None:
        return model.joint_dynamics
    if isinstance(source, JointDynamics):
        if len(source.damping) != model.dof:
            raise ModelError(
                f"source: expected drives of {model.dof} joints, got {len(source.damping)}"
            )
        return source
    if not isinstance(source, str) or source != "catalog":
        raise ModelError(
            "source: expected 'catalog', the joint_dynamics of a model or None, got "
            f"{short(source)}"
        )
    values = np.zeros((3, model.dof))
    for joint, number in enumerate(model.joint_elements):
        element = model.elements[number]
        if not isinstance(element, Actuator):
            continue
        for k, name in enumerate(("rotor_inertia", "damping", "friction")):
            value = getattr(element.part, name)
            if value is not None:
                values[k, joint] = value
            elif name not in known:
                raise ModelError(
                    f"joint {model.joint_names[joint]!r}: nobody publishes the {name} of "
                    f"{element.part.type}. Say it yourself with {name}="
                )
    return JointDynamics(*map(read_only, values))
