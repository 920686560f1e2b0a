"""One frame as seen from another one: the reference takes the place of the world.

All of it is what an observer sees who moves and turns with the reference and knows of nothing
else. A mixed relative twist so has the reference's axes, an inertial one is for the point that is
at the reference's origin. How a free base moves makes no difference: Jacobians have one column for
each joint, also when the base is free.
"""

import numpy as np

from .representation import Representation, cross, moved, turned, twist_change, twist_change_rate
from .state_core import MOTION, FrameKey, Place, pose_matrix
from .state_frames import StateFrames
from .transforms import FloatArray


class StateRelative(StateFrames):
    """Relative poses, twists, accelerations and Jacobians."""

    def relative_pose(self, frame: FrameKey | None, reference: FrameKey | None) -> FloatArray:
        """Compute where a frame is in the coordinates of another one.

        Args:
            frame: A tag, or (frame type, index or tag); None: the end effector.
            reference: The same.

        Returns:
            T_reference_frame, shape (4, 4).

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        """
        return pose_matrix(*_seen(self._keyed(frame), self._keyed(reference)))

    def relative_pose_explicit(
        self,
        origin: FrameKey | None,
        axes: FrameKey | None,
        reference_origin: FrameKey | None,
        reference_axes: FrameKey | None,
    ) -> FloatArray:
        """Compute the same for two frames that have origin and axes from different frames.

        Args:
            origin: Whose origin the frame has; keys as for ``relative_pose``.
            axes: Whose axes it has.
            reference_origin: Whose origin the reference has.
            reference_axes: Whose axes it has.

        Returns:
            T_reference_frame, shape (4, 4).

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        """
        frame = self._keyed(origin)._replace(R=self._keyed(axes).R)
        reference = self._keyed(reference_origin)._replace(R=self._keyed(reference_axes).R)
        return pose_matrix(*_seen(frame, reference))

    def relative_twist(
        self,
        frame: FrameKey | None,
        reference: FrameKey | None,
        *,
        representation: Representation | str | None = None,
    ) -> FloatArray:
        """Compute how a frame moves as seen from another one.

        Args:
            frame: A tag, or (frame type, index or tag); None: the end effector.
            reference: The same: the observer.
            representation: Mixed: the reference's axes, at the frame's origin; body: the frame's
                own; inertial: at the reference's origin. None: as the state.

        Returns:
            Shape (6,): linear [m/s], angular [rad/s].

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If there is no such representation.
        """
        one, other = self._keyed(frame), self._keyed(reference)
        kind = self._kind(representation)
        return twist_change(kind, *_seen(one, other)) @ self._relative_twist(one, other)

    def relative_acceleration(
        self,
        frame: FrameKey | None,
        reference: FrameKey | None,
        *,
        representation: Representation | str | None = None,
    ) -> FloatArray:
        """Compute the time derivative of the relative twist.

        Args:
            frame: As for ``relative_twist``.
            reference: As for ``relative_twist``.
            representation: As for ``relative_twist``.

        Returns:
            Shape (6,): linear [m/s^2], angular [rad/s^2].

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If there is no such representation.
        """
        one, other = self._keyed(frame), self._keyed(reference)
        A = self._relative_jacobian(one, other) @ self.a + self._relative_bias(one, other)
        return self._relative_derivative(one, other, A, representation)

    def relative_bias_acceleration(
        self,
        frame: FrameKey | None,
        reference: FrameKey | None,
        *,
        representation: Representation | str | None = None,
    ) -> FloatArray:
        """Compute the relative acceleration that velocities alone cause: (dJ/dt) times v.

        Args:
            frame: As for ``relative_twist``.
            reference: As for ``relative_twist``.
            representation: As for ``relative_twist``.

        Returns:
            Shape (6,): linear [m/s^2], angular [rad/s^2].

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If there is no such representation.
        """
        one, other = self._keyed(frame), self._keyed(reference)
        A = self._relative_bias(one, other)
        return self._relative_derivative(one, other, A, representation)

    def relative_jacobian(
        self,
        frame: FrameKey | None,
        reference: FrameKey | None,
        *,
        representation: Representation | str | None = None,
    ) -> FloatArray:
        """Compute the relative Jacobian: the relative twist is J v.

        Args:
            frame: As for ``relative_twist``.
            reference: As for ``relative_twist``.
            representation: As for ``relative_twist``.

        Returns:
            Shape (6, dof). Joints that move both frames, or neither, have columns of zeros.

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If there is no such representation.
        """
        one, other = self._keyed(frame), self._keyed(reference)
        kind = self._kind(representation)
        return twist_change(kind, *_seen(one, other)) @ self._relative_jacobian(one, other)

    def relative_jacobian_explicit(
        self,
        frame: FrameKey | None,
        reference: FrameKey | None,
        *,
        origin: FrameKey | None,
        axes: FrameKey | None,
    ) -> FloatArray:
        """Compute the relative Jacobian for any point and in any axes.

        Args:
            frame: As for ``relative_twist``.
            reference: As for ``relative_twist``.
            origin: The linear rows are for the point of the frame's body that is at the origin
                of this frame; keys as for ``relative_pose``.
            axes: The frame in whose axes all rows are.

        Returns:
            Shape (6, dof).

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        """
        one, other = self._keyed(frame), self._keyed(reference)
        there = moved(other.R.T @ (self._keyed(origin).p - one.p))
        turn = turned(self._keyed(axes).R.T @ other.R)
        return turn @ (there @ self._relative_jacobian(one, other))

    def _relative_jacobian(self, frame: Place, reference: Place) -> FloatArray:
        """Return the relative Jacobian, mixed."""
        mine, others = self._moves(frame.body), self._moves(reference.body)
        motions = self._array[1:, MOTION] * (mine * 1.0 - others)[:, None]
        to_frame = moved(frame.p - self.T_world_base[:3, 3])
        return turned(reference.R.T) @ (to_frame @ motions.T)

    def _relative_twist(self, frame: Place, reference: Place) -> FloatArray:
        """Return the relative twist, mixed."""
        V, W = self._twist_at(frame), self._twist_at(reference)
        return turned(reference.R.T) @ (V - moved(frame.p - reference.p) @ W)

    def _relative_bias(self, frame: Place, reference: Place) -> FloatArray:
        """Return the relative acceleration without joint accelerations, mixed.

        In the axes of the reference the rate of R^T u is R^T (du/dt - w x u), with u the
        relative velocity in world axes and w the reference's own.
        """
        V, W = self._twist_at(frame), self._twist_at(reference)
        way, w = frame.p - reference.p, W[3:]
        there = moved(way)
        u = V - there @ W
        A = self._bias_at(frame) - there @ self._bias_at(reference)
        A[:3] -= cross(w, V[:3] - W[:3]) + cross(w, u[:3])
        A[3:] -= cross(w, u[3:])
        return turned(reference.R.T) @ A

    def _relative_derivative(
        self, frame: Place, reference: Place, A: FloatArray, representation: object
    ) -> FloatArray:
        """Return a mixed relative acceleration in a representation."""
        kind = self._kind(representation)
        R, p = _seen(frame, reference)
        A = twist_change(kind, R, p) @ A
        if kind is not Representation.MIXED:
            V = self._relative_twist(frame, reference)
            A += twist_change_rate(kind, R, V[:3], V[3:]) @ V
        return A


def _seen(frame: Place, reference: Place) -> tuple[FloatArray, FloatArray]:
    """Return axes and origin of a frame in the coordinates of a reference."""
    turn = np.ascontiguousarray(reference.R.T)
    return turn @ frame.R, turn @ (frame.p - reference.p)
