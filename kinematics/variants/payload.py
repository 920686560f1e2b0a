"""Copies of a model that carry something, and what a model carries."""

from __future__ import annotations

from typing import Literal

import numpy.typing as npt

from armwright.errors import ModelError
from armwright.hrdf.checking import inertia_doubt
from armwright.hrdf.elements import NO_INERTIA, Inertia
from armwright.kinematics.arrays import (
    LARGEST,
    as_array,
    as_inertia,
    number,
    one_of,
    warn_of_payload,
)
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.naming import resolve_frame
from armwright.kinematics.robot import NO_PAYLOAD, ModelData, ModelT, Payload


def with_payload(
    model: ModelT,
    mass: float,
    com: npt.ArrayLike = (0.0, 0.0, 0.0),
    *,
    frame: Literal["input", "output"] = "input",
    index: int | None = None,
    tag: str | None = None,
    inertia: npt.ArrayLike | None = None,
) -> ModelT:
    """Return the same robot with a payload at one end effector.

    A payload is a point mass, unless it has an inertia: it counts in gravity and dynamics and
    moves the payload frame; every other frame, ``masses`` and ``total_mass`` stay as they are.
    Each call replaces the end effector's payload whole, mass, center of mass and inertia (a com
    that is not given is the origin again); other end effectors keep theirs. A mass of 0 takes
    the payload away, and restores every bit. ``payloads`` reads them back.

    Args:
        mass: [kg]; from 100 on, and ten times that of the robot, a warning asks for grams.
        com: Center of mass, shape (3,) [m], in the axes and from the origin of ``frame``.
        frame: "input": where the end effector is attached; "output": its tool frame.
        index: Which end effector, from 0; not needed when there is only one.
        tag: The same by its tag.
        inertia: About the payload's own center of mass, in the axes of ``frame``: ixx, iyy, izz,
            ixy, ixz, iyz, shape (6,), or the symmetric matrix, shape (3, 3) [kg m^2]. None: a
            point.

    Raises:
        ModelError: If the mass is negative, not finite or beyond all measure, com is not three
            numbers, or no body of that mass has that inertia: none without mass, and no
            principal moment is negative or larger than the sum of the others.
        FrameNotFoundError: If the robot has no end effector, not that one, or several and
            neither index nor tag was given.

    Example:
        >>> rod = model.with_payload(3.0, (0, 0, 0.05), inertia=[0.25, 0.25, 0.0, 0, 0, 0])
        >>> rod.payloads[0].mass
        3.0
    """
    kilograms = number(mass, "payload mass", "a number of kg, 0 or more", low=0.0, high=LARGEST)
    center = as_array(com, (3,), "payload com", most=LARGEST)
    x, y, z = center.tolist()
    where: Literal["input", "output"] = (
        "output" if one_of(frame, ("input", "output"), "frame") == "output" else "input"
    )
    _, end = resolve_frame(model, FrameType.END_EFFECTOR, index, tag)
    six = NO_INERTIA if inertia is None else _inertia_of(inertia, kilograms)
    warn_of_payload(kilograms, center, model.total_mass)
    payload = Payload(kilograms, (x, y, z), where, six) if kilograms else NO_PAYLOAD
    payloads = (*model._payloads[:end], payload, *model._payloads[end + 1 :])
    return model._variant(payloads=payloads)


def payloads(model: ModelData) -> tuple[Payload, ...]:
    """What every end effector carries, in their order; mass 0: nothing."""
    return model._payloads


def _inertia_of(value: npt.ArrayLike, mass: float) -> Inertia:
    """Return the inertia of a payload, which some body of that mass has.

    Raises:
        ModelError: If none has.
    """
    six = as_inertia(value, "payload inertia", most=LARGEST)
    if any(six):
        doubt = inertia_doubt(six)
        if doubt:
            raise ModelError(f"payload inertia: {doubt}")
        if not mass:
            raise ModelError("payload inertia: expected none, as the payload has no mass")
    return six
