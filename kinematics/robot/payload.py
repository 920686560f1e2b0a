"""Payloads: masses at end effectors, which weigh but move no frame of the robot itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from armwright.hrdf.elements import NO_INERTIA, Inertia
from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.frame_types import FrameType
from armwright.reprs import one_line_repr

from .compile import Compiled
from .rows import add_mass, sum_subtrees


@dataclass(frozen=True, slots=True)
class Payload:
    """What an end effector carries: a point mass, or a body with an inertia of its own.

    Attributes:
        mass: [kg]; 0: no payload.
        com: Center of mass [m], in the axes and from the origin of ``frame``.
        frame: "input" or "output" (the tool) of the end effector.
        inertia: ixx, iyy, izz, ixy, ixz, iyz [kg m^2] about the center of mass, in the axes of
            ``frame``; zeros: a point.
    """

    mass: float = 0.0
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)
    frame: Literal["input", "output"] = "input"
    inertia: Inertia = NO_INERTIA

    __repr__ = one_line_repr


NO_PAYLOAD = Payload()


def add_payload_masses(compiled: Compiled, payloads: tuple[Payload, ...]) -> FloatArray:
    """Return the model rows with payloads; the very rows when there is none."""
    if not any(payload.mass for payload in payloads):
        return compiled.rows
    rows = compiled.rows.copy()
    frames = place_payload_frames(compiled, payloads)[FrameType.PAYLOAD]
    sources = _sources(compiled)
    for i, (frame, payload) in enumerate(zip(frames, payloads, strict=True)):
        T_body_com = np.eye(4)
        T_body_com[:3] = frame[1:].reshape(3, 4)
        T_body_com[:3, :3] = sources[payload.frame][i, 1:].reshape(3, 4)[:, :3]
        add_mass(rows, int(frame[0]), payload.mass, T_body_com, payload.inertia)
    sum_subtrees(rows)
    return rows


def place_payload_frames(
    compiled: Compiled, payloads: tuple[Payload, ...]
) -> Mapping[FrameType, FloatArray]:
    """Return the tables of frames with the payload frames where the payloads are."""
    table = compiled.frames[FrameType.PAYLOAD].copy()
    sources = _sources(compiled)
    for i, payload in enumerate(payloads):
        source = sources[payload.frame][i, 1:].reshape(3, 4)
        table[i, 1:].reshape(3, 4)[:, 3] = source[:, :3] @ payload.com + source[:, 3]
    return {**compiled.frames, FrameType.PAYLOAD: table}


def _sources(compiled: Compiled) -> dict[str, FloatArray]:
    """Return the frames in which payloads can be said, of every end effector, shape (k, 13)."""
    ends = list(compiled.frame_elements[FrameType.PAYLOAD])
    return {
        "input": compiled.frames[FrameType.INPUT][ends],
        "output": compiled.frames[FrameType.END_EFFECTOR],
    }
