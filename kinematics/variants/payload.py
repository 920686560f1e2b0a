"""Changed copies of a model: another base, other limits, another payload."""

from __future__ import annotations

from typing import Literal

import numpy.typing as npt

from armwright.kinematics.arrays import LARGEST, as_array, number, one_of, warn_of_payload
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.naming import resolve_frame
from armwright.kinematics.robot import NO_PAYLOAD, ModelT, Payload


def with_payload(
    model: ModelT,
    mass: float,
    com: npt.ArrayLike = (0.0, 0.0, 0.0),
    *,
    frame: Literal["input", "output"] = "input",
    index: int | None = None,
    tag: str | None = None,
) -> ModelT:
    """Return the same robot with a payload at one end effector.

    A payload is a point mass: it counts in gravity and dynamics and moves the payload frame;
    every other frame, ``masses`` and ``total_mass`` stay as they are. Each call replaces the
    end effector's payload whole, mass and center of mass (a com that is not given is the
    origin again); other end effectors keep theirs. A mass of 0 takes the payload away, and
    restores every bit.

    Args:
        mass: [kg]; from 100 on, and ten times that of the robot, a warning asks for grams.
        com: Center of mass, shape (3,) [m], in the axes and from the origin of ``frame``.
        frame: "input": where the end effector is attached; "output": its tool frame.
        index: Which end effector, from 0; not needed when there is only one.
        tag: The same by its tag.

    Raises:
        ModelError: If the mass is negative, not finite or beyond all measure, or com is not
            three numbers.
        FrameNotFoundError: If the robot has no end effector, not that one, or several and
            neither index nor tag was given.
    """
    kilograms = number(mass, "payload mass", "a number of kg, 0 or more", low=0.0, high=LARGEST)
    center = as_array(com, (3,), "payload com", most=LARGEST)
    x, y, z = center.tolist()
    where: Literal["input", "output"] = (
        "output" if one_of(frame, ("input", "output"), "frame") == "output" else "input"
    )
    _, end = resolve_frame(model, FrameType.END_EFFECTOR, index, tag)
    warn_of_payload(kilograms, center, model.total_mass)
    payload = Payload(kilograms, (x, y, z), where) if kilograms else NO_PAYLOAD
    payloads = (*model._payloads[:end], payload, *model._payloads[end + 1 :])
    return model._variant(payloads=payloads)
