"""Frames of a state: where they are, how they move, and how that follows from the joints.

Arguments that name one frame are those of ``RobotModel``: a kind with an index or tag, and the end
effector when there are none; a tag alone is the output frame of that element, for an end effector
its tool frame. Where one argument names a frame, it is a tag or (frame type, index or tag).
"""

import numpy as np
import numpy.typing as npt

from .engine import lazy
from .frame_types import FrameType
from .naming import one_frame
from .representation import Representation, moved, turned, twist_change, twist_change_rate
from .robot import POSES
from .state_core import MOTION, FrameArgument, FrameKey, Place, StateCore, pose_matrix
from .state_terms import central_term, once
from .transforms import FloatArray

_KERNELS = "armwright.kinematics._kernels.dynamics_terms"
_frame_pose = lazy(__name__, "_frame_pose", _KERNELS)
_frame_jacobian = lazy(__name__, "_frame_jacobian", _KERNELS)


class StateFrames(StateCore):
    """Poses, twists, accelerations and Jacobians of frames."""

    def pose(
        self, frame_type: FrameArgument = None, index: int | None = None, tag: str | None = None
    ) -> FloatArray:
        """Compute where a frame is.

        Args:
            frame_type: Which kind of frame; or one key, a tag or (frame type, index or tag); None:
                end effectors, or the output frame of a tag.
            index: Which frame of that kind, from 0; not needed when there is only one.
            tag: The same by the tag of its element.

        Returns:
            T_world_frame, shape (4, 4).

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        """
        if self._plan is not None:
            T = np.empty((4, 4))
            row = self._row_of(frame_type, index, tag)
            _frame_pose(self._rows, self._terms, row, T)
            return T
        place = self._place(frame_type, index, tag)
        return pose_matrix(place.R, place.p)

    def poses(self, frame_type: FrameType | str | list[FrameKey]) -> FloatArray:
        """Compute where all frames of one kind are, or those of a list.

        Args:
            frame_type: Which kind of frame; n is how many the robot has. Or a list of n frames,
                each a tag or (frame type, index or tag).

        Returns:
            T_world_frame of each, shape (n, 4, 4).

        Raises:
            FrameNotFoundError: If there is no such kind of frame, or no such frame.
        """
        if isinstance(frame_type, list):
            places = [self._keyed(key) for key in frame_type]
            some = [pose_matrix(place.R, place.p) for place in places]
            return np.array(some).reshape(len(some), 4, 4)
        table = self.model._pose_tables[FrameType.parse(frame_type)][0]
        bodies = self._poses[table[:, 0].astype(int)]
        local = table[:, 1:].reshape(-1, 3, 4)
        Ts = np.zeros((len(table), 4, 4))
        Ts[:, :3] = bodies[:, :, :3] @ local
        Ts[:, :3, 3] += bodies[:, :, 3]
        Ts[:, 3, 3] = 1.0
        return Ts

    def position(
        self,
        frame_type: FrameArgument = None,
        index: int | None = None,
        tag: str | None = None,
        *,
        point: npt.ArrayLike | None = None,
        reference: FrameKey | None = None,
    ) -> FloatArray:
        """Compute where a frame's origin is, or a point that is fixed in the frame.

        Args:
            frame_type: Which frame, as for ``pose``.
            index: As for ``pose``.
            tag: As for ``pose``.
            point: Coordinates in the frame, shape (3,) [m]; None: its origin.
            reference: The frame whose coordinates are wanted; None: the world.

        Returns:
            Shape (3,) [m].

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If the point is not three finite numbers.
        """
        p = self._place(frame_type, index, tag, point).p
        if reference is None:
            return p.copy()
        origin = self._keyed(reference)
        return origin.R.T @ (p - origin.p)

    def orientation(
        self,
        frame_type: FrameArgument = None,
        index: int | None = None,
        tag: str | None = None,
        *,
        reference: FrameKey | None = None,
    ) -> FloatArray:
        """Compute how a frame is turned.

        Args:
            frame_type: Which frame, as for ``pose``.
            index: As for ``pose``.
            tag: As for ``pose``.
            reference: The frame in whose axes; None: those of the world.

        Returns:
            R_reference_frame, shape (3, 3): it turns coordinates of the frame into those axes.

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        """
        R = self._place(frame_type, index, tag).R
        return R.copy() if reference is None else self._keyed(reference).R.T @ R

    def twist(
        self,
        frame_type: FrameArgument = None,
        index: int | None = None,
        tag: str | None = None,
        *,
        point: npt.ArrayLike | None = None,
        expressed_in: FrameKey | None = None,
        representation: Representation | str | None = None,
    ) -> FloatArray:
        """Compute how a frame moves.

        Args:
            frame_type: Which frame, as for ``pose``.
            index: As for ``pose``.
            tag: As for ``pose``.
            point: Use this point of the frame instead of its origin, shape (3,) [m], in the
                frame's coordinates.
            expressed_in: Turn the mixed twist into the axes of this frame, whatever the
                representation.
            representation: How to write it; None: as the state does.

        Returns:
            Shape (6,): linear [m/s], angular [rad/s].

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If the point is not three finite numbers, or there is no such
                representation.
        """
        if self._mixed_origin(point, expressed_in, representation):
            return self._quick_jacobian(frame_type, index, tag) @ self.v
        place = self._place(frame_type, index, tag, point)
        return self._change(place, expressed_in, representation) @ self._twist_at(place)

    def acceleration(
        self,
        frame_type: FrameArgument = None,
        index: int | None = None,
        tag: str | None = None,
        *,
        point: npt.ArrayLike | None = None,
        expressed_in: FrameKey | None = None,
        representation: Representation | str | None = None,
    ) -> FloatArray:
        """Compute the acceleration of a frame: the time derivative of its twist.

        In ``expressed_in`` axes it is the mixed acceleration, turned: what the point really has.

        Args:
            frame_type: Which frame, as for ``pose``.
            index: As for ``pose``.
            tag: As for ``pose``.
            point: As for ``twist``.
            expressed_in: As for ``twist``.
            representation: As for ``twist``.

        Returns:
            Shape (6,): linear [m/s^2], angular [rad/s^2]. Gravity is not in it.

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If the point is not three finite numbers, or there is no such
                representation.
        """
        place = self._place(frame_type, index, tag, point)
        A = self._bias_at(place) + self._jacobian_at(place) @ self._acceleration
        return self._derivative(place, A, expressed_in, representation)

    def bias_acceleration(
        self,
        frame_type: FrameArgument = None,
        index: int | None = None,
        tag: str | None = None,
        *,
        point: npt.ArrayLike | None = None,
        expressed_in: FrameKey | None = None,
        representation: Representation | str | None = None,
    ) -> FloatArray:
        """Compute the acceleration that velocities alone cause: (dJ/dt) times the velocity.

        The acceleration is J times the generalized acceleration, plus this.

        Args:
            frame_type: Which frame, as for ``pose``.
            index: As for ``pose``.
            tag: As for ``pose``.
            point: As for ``twist``.
            expressed_in: As for ``twist``.
            representation: As for ``twist``; it also says in which the base's acceleration is 0.

        Returns:
            Shape (6,): linear [m/s^2], angular [rad/s^2].

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If the point is not three finite numbers, or there is no such
                representation.
        """
        place = self._place(frame_type, index, tag, point)
        kind = self._kind(representation)
        A = self._drifted(self._bias_at(place), self._jacobian_at(place), kind)
        return self._derivative(place, A, expressed_in, kind)

    def jacobian(
        self,
        frame_type: FrameArgument = None,
        index: int | None = None,
        tag: str | None = None,
        *,
        point: npt.ArrayLike | None = None,
        expressed_in: FrameKey | None = None,
        representation: Representation | str | None = None,
    ) -> FloatArray:
        """Compute the Jacobian of a frame: its twist is J times the generalized velocity.

        Args:
            frame_type: Which frame, as for ``pose``.
            index: As for ``pose``.
            tag: As for ``pose``.
            point: As for ``twist``.
            expressed_in: As for ``twist``.
            representation: As for ``twist``; the columns of a free base are for its twist in
                the same representation.

        Returns:
            Shape (6, size); six columns for a free base, then one for each joint. Joints that do
            not move the frame have columns of zeros.

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
            ModelError: If the point is not three finite numbers, or there is no such
                representation.
        """
        if self._mixed_origin(point, expressed_in, representation):
            return self._quick_jacobian(frame_type, index, tag)
        place = self._place(frame_type, index, tag, point)
        kind = self._kind(representation)
        J = self._columns(self._jacobian_at(place), kind)
        if expressed_in is None and kind is Representation.MIXED:
            return J
        return self._change(place, expressed_in, kind) @ J

    def gravity_in(
        self, frame_type: FrameArgument = None, index: int | None = None, tag: str | None = None
    ) -> FloatArray:
        """Turn the acceleration of free fall into the axes of a frame.

        Args:
            frame_type: Which frame, as for ``pose``.
            index: As for ``pose``.
            tag: As for ``pose``.

        Returns:
            Shape (3,) [m/s^2].

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        """
        return self._place(frame_type, index, tag).R.T @ self.gravity

    @once
    def joint_poses(self) -> FloatArray:
        """Where the bodies of all joints are, shape (dof, 4, 4): T_world_body of each.

        A joint's body is all parts up to the next joint; its frame sits in the joint and moves
        with it, z along the joint's positive direction.
        """
        if self._plan is not None:
            return self._terms[POSES].reshape(-1, 4, 4)
        Ts = np.zeros((self.model.dof, 4, 4))
        Ts[:, :3] = self._poses[1:]
        Ts[:, 3, 3] = 1.0
        return Ts

    @central_term
    def joint_motions(self) -> FloatArray:
        """How each joint alone moves all that hangs on it, per unit of its velocity, (6, dof).

        Twists in the inertial representation, whatever the state's: linear of the point at the
        world's origin, angular. Where all joints move a frame, these are the joints' columns of
        its Jacobian in that representation.
        """
        motions = self._array[1:, MOTION].T
        return moved(-self._poses[0, :, 3]) @ motions

    @once
    def postural_jacobian(self) -> FloatArray:
        """What maps the generalized velocity to v: zeros for a free base, ones, (dof, size)."""
        return np.eye(self.model.dof, self.size, self.size - self.model.dof)

    def _mixed_origin(self, point: object, expressed_in: object, representation: object) -> bool:
        """Say whether what is asked for of a frame with a fixed base is mixed, at its origin."""
        return (
            self._plan is not None
            and point is None
            and expressed_in is None
            and (representation is None or representation is Representation.MIXED)
        )

    def _quick_jacobian(self, frame_type: object, index: object, tag: object) -> FloatArray:
        """Return the mixed Jacobian of a frame with a fixed base, (6, dof)."""
        J = np.empty((6, self.model.dof))
        _frame_jacobian(self._rows, self._terms, self._row_of(frame_type, index, tag), J)
        return J

    def _row_of(self, frame_type: object, index: object, tag: object) -> FloatArray:
        """Return the row of a frame in its table: body, placement; (13,)."""
        kind, number = one_frame(self.model, frame_type, index, tag)
        row: FloatArray = self.model._pose_tables[kind][0][number]
        return row

    def _change(
        self, place: Place, expressed_in: FrameKey | None, representation: object
    ) -> FloatArray:
        """Return the matrix from mixed twists of a frame to the ones that are wanted."""
        kind = self._kind(representation)
        if expressed_in is not None:
            return turned(self._keyed(expressed_in).R.T)
        return twist_change(kind, place.R, place.p)

    def _derivative(
        self, place: Place, A: FloatArray, expressed_in: FrameKey | None, representation: object
    ) -> FloatArray:
        """Return a mixed acceleration as it is wanted."""
        kind = self._kind(representation)
        result = self._change(place, expressed_in, kind) @ A
        if expressed_in is None and kind is not Representation.MIXED:
            V = self._twist_at(place)
            result += twist_change_rate(kind, place.R, V[:3], V[3:]) @ V
        return result
