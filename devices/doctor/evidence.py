"""What was measured of a still arm, what its model expects, and what a fault would change.

Faults are what may be wrong: signs, directions, zeros, payloads.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from armwright.kinematics.arrays import FloatArray

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

FaultKind = Literal["sign", "direction", "zero", "payload"]

HALF = 0.5
"""Part of the tolerance: an effort whose sign shows, as it is off by twice itself."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that may be wrong.

    Attributes:
        kind: "sign": the effort is reported with the wrong sign; "direction": position and
            effort are; "zero": the position is off; "payload": mass at an end effector.
        index: Number of the joint, or of the end effector.
    """

    kind: FaultKind
    index: int


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What was measured, and what the model is.

    Attributes:
        model: The arm as its file says.
        Q: Positions as reported, shape (n, dof).
        measured: Efforts as reported, less what something else adds, shape (n, dof).
        tolerances: What a difference may be, shape (n, dof).
        used: Which of the efforts count, shape (n, dof).
        peak_signs: Signs of those at a peak, which may be more in truth, shape (n, dof); else 0.
        gravity: Acceleration of free fall, shape (3,).
        scales: Motion of each joint per unit of q, shape (dof,).
        slides: Whether each joint slides, shape (dof,).
        ends: Element numbers of the end effectors.
    """

    model: "RobotModel"
    Q: FloatArray
    measured: FloatArray
    tolerances: FloatArray
    used: npt.NDArray[np.bool_]
    peak_signs: FloatArray
    gravity: FloatArray
    scales: FloatArray
    slides: npt.NDArray[np.bool_]
    ends: tuple[int, ...]

    def predict(self, faults: Sequence[Fault], zeros: FloatArray) -> FloatArray:
        """Return the efforts without payloads, shape (b, n, dof), for zeros of shape (b, z)."""
        turn, push, shift = self._changes(faults, zeros)
        Q = turn * self.Q + shift[:, None, :]
        held = self.model.gravity_efforts(_rows(Q), self.gravity)
        efforts: FloatArray = push * held.reshape(Q.shape)
        return efforts

    def regressors(self, faults: Sequence[Fault], zeros: FloatArray) -> FloatArray:
        """Return the efforts per mass and first moment of each payload, shape (b, n, dof, 4 p)."""
        turn, push, shift = self._changes(faults, zeros)
        Q = turn * self.Q + shift[:, None, :]
        flat = _rows(Q)
        columns = []
        for fault in faults:
            if fault.kind == "payload":
                element = self.ends[fault.index]
                at = [
                    self.model.jacobian(flat, frame_type="input", index=element, point=point)
                    for point in np.vstack([np.zeros(3), np.eye(3)])
                ]
                lifts = [-np.einsum("kij,i->kj", J[:, :3], self.gravity) for J in at]
                columns += [lifts[0], *(lift - lifts[0] for lift in lifts[1:])]
        if not columns:
            return np.zeros((*Q.shape, 0))
        stacked = np.stack(columns, axis=-1).reshape(*Q.shape, len(columns))
        regressors: FloatArray = push[:, None] * stacked
        return regressors

    def below_peaks(self, efforts: FloatArray) -> npt.NDArray[np.bool_]:
        """Return which efforts (n, dof) are too small for a measured one that is at its peak."""
        short = self.peak_signs * (self.measured - efforts)
        below: npt.NDArray[np.bool_] = (self.peak_signs != 0) & (short > self.tolerances)
        return below

    def weigh(self, efforts: FloatArray) -> FloatArray:
        """Return efforts in tolerances, those that count alone, shape (b, m)."""
        weighed: FloatArray = (efforts / self.tolerances)[..., self.used]
        return weighed

    def informative(self) -> int:
        """Return how many of the efforts that count say anything."""
        alone = self.predict((), np.zeros((1, 0)))[0]
        sizes = np.maximum(np.abs(alone), np.abs(np.where(self.used, self.measured, 0.0)))
        return int(np.sum((sizes > HALF * self.tolerances) & self.used))

    def _changes(
        self, faults: Sequence[Fault], zeros: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return what a set of faults does: turned positions, turned efforts, shifts (b, dof)."""
        dof = self.Q.shape[1]
        turn, push = np.ones(dof), np.ones(dof)
        shift = np.zeros((len(zeros), dof))
        column = 0
        for fault in faults:
            if fault.kind == "direction":
                turn[fault.index] = push[fault.index] = -1.0
            elif fault.kind == "sign":
                push[fault.index] = -1.0
            elif fault.kind == "zero":
                shift[:, fault.index] += zeros[:, column]
                column += 1
        return turn, push, shift


def _rows(Q: FloatArray) -> FloatArray:
    """Return poses of any number of axes as a table; there may be no joints."""
    return Q.reshape(int(np.prod(Q.shape[:-1])), Q.shape[-1])
