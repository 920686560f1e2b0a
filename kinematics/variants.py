"""Changed copies of a model: another base, other limits, another payload."""

import dataclasses
from typing import Literal

import numpy as np
import numpy.typing as npt

from armwright.errors import JointVectorError, ModelError
from armwright.hrdf import Pose

from .core import ModelCore, ModelT
from .frames import FrameType
from .inputs import one_of, read_only
from .payload import NO_PAYLOAD, Payload
from .transforms import LARGEST, FloatArray, as_numbers, as_pose, numeric, short


class Variants(ModelCore):
    """Changed copies; the model itself stays as it is."""

    __slots__ = ()

    def with_base_frame(self: ModelT, T: npt.ArrayLike) -> ModelT:
        """Return the same robot standing elsewhere.

        Args:
            T: T_world_base, shape (4, 4); replaces the base frame of the description.

        Raises:
            ModelError: If it is not a pose.
        """
        base = Pose.from_matrix(as_pose(T, "base frame"))
        return self._variant(description=dataclasses.replace(self.description, base=base))

    def with_position_limits(self: ModelT, lower: npt.ArrayLike, upper: npt.ArrayLike) -> ModelT:
        """Return the same robot with limits on its joint positions.

        Args:
            lower: Shape (dof,) [rad or m]; -inf where free.
            upper: Shape (dof,) [rad or m]; inf where free. Equal to lower: a joint held still.

        Raises:
            JointVectorError: If a length is wrong, a number is NaN, a lower limit is above the
                upper one, or an infinity is on the wrong side; names the joint.
        """
        limits = np.stack([_limit(self, lower, "lower"), _limit(self, upper, "upper")])
        for name, low, high in zip(self.joint_names, *limits.tolist(), strict=True):
            if low > high:
                raise JointVectorError(
                    f"position limits of joint {name!r}: expected lower <= upper, "
                    f"got lower {low:g} and upper {high:g}. Are they swapped?"
                )
            if low == np.inf or high == -np.inf:
                raise JointVectorError(
                    f"position limits of joint {name!r}: expected -inf or a number as lower and "
                    f"inf or a number as upper limit, got {low:g} and {high:g}"
                )
        return self._variant(position_limits=read_only(limits))

    def with_payload(
        self: ModelT,
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
            mass: [kg].
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
        kilograms = numeric(mass)
        if kilograms is None or kilograms.ndim or not 0.0 <= float(kilograms) < np.inf:
            raise ModelError(f"payload mass: expected a number of kg, 0 or more, got {short(mass)}")
        if kilograms > LARGEST:
            raise ModelError(f"payload mass: expected at most {LARGEST:g} kg, got {kilograms:g}")
        center = as_numbers(com, "payload com", (3,), bounded=True)
        if center.ndim != 1:
            raise ModelError(f"payload com: expected shape (3,), got {center.shape}")
        where: Literal["input", "output"] = (
            "output" if one_of(frame, ("input", "output"), "frame") == "output" else "input"
        )
        _, number = self._frame(FrameType.END_EFFECTOR, index, tag)
        x, y, z = center.tolist()
        payload = Payload(float(kilograms), (x, y, z), where) if kilograms else NO_PAYLOAD
        payloads = (*self._payloads[:number], payload, *self._payloads[number + 1 :])
        return self._variant(payloads=payloads)


def _limit(model: ModelCore, values: npt.ArrayLike, side: str) -> FloatArray:
    """Return one row of limits, shape (dof,); infinities pass, NaN does not."""
    name = f"{side} position limits"
    limits = numeric(values)
    if limits is None:
        raise JointVectorError(f"{name}: expected {model.dof} numbers, got {short(values)}")
    if limits.shape != (model.dof,):
        got = len(limits) if limits.ndim == 1 else f"shape {limits.shape}"
        raise JointVectorError(f"{name}: expected {model.dof} numbers, got {got}")
    if np.isnan(limits).any():
        joint = model.joint_names[int(np.isnan(limits).argmax())]
        raise JointVectorError(f"{name}: expected a number for joint {joint!r}, got nan")
    return limits
