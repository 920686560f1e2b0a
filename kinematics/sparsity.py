"""Which entries of a Jacobian can be other than 0, whatever the configuration."""

import numpy as np
import numpy.typing as npt

from .compile import LAST, SLIDES
from .external import frame_of, one_frame
from .floating import FloatingBase
from .frames import FrameType

BoolArray = npt.NDArray[np.bool_]
Key = str | tuple[FrameType | str, int | str]


class Sparsity(FloatingBase):
    """Patterns of Jacobians.

    They hold in every configuration and in every representation, for the axes of any frame: a
    joint that turns can move a frame in all six ways, one that slides in three. So an entry that
    is False is 0 for certain; one that is True may be 0 all the same, when a robot is planar or
    a frame lies on an axis.
    """

    __slots__ = ()

    def jacobian_sparsity(
        self,
        frame_type: FrameType | Key | None = None,
        index: int | None = None,
        tag: str | None = None,
        *,
        floating: bool | None = None,
    ) -> BoolArray:
        """Say which entries of the Jacobian of a frame can be other than 0.

        Args:
            frame_type: Which kind of frame; or one key, a tag or (frame type, index or tag); None:
                end effectors, or the output frame of a tag; as for ``RobotState.jacobian``.
            index: Which frame of that kind, from 0; not needed when there is only one.
            tag: The same by the tag of its element.
            floating: Whether the six columns of a free base come first; None: as a state of this
                robot would have it.

        Returns:
            Shape (6, dof) or (6, dof + 6), True where the entry can be other than 0.

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.

        Example:
            >>> model.jacobian_sparsity("output", 3).any(axis=0)
            array([ True,  True, False, False, False, False])
        """
        moving = self._moving(self._body_of(*one_frame(self, frame_type, index, tag)))
        if floating is None:
            floating = self._extras.free_flyer
        base = self.floating_base
        if floating and base is not None:
            moving = moving != self._moving(self._body_of(*base))
        joints = self._pattern(moving)
        if not floating:
            return joints
        own = np.ones((6, 6), dtype=bool)
        own[3:, :3] = False
        return np.hstack([own, joints])

    def relative_jacobian_sparsity(self, frame: Key | None, reference: Key | None) -> BoolArray:
        """Say which entries of a relative Jacobian can be other than 0.

        Args:
            frame: A tag, or (frame type, index or tag); None: the end effector.
            reference: The same.

        Returns:
            Shape (6, dof), True where the entry can be other than 0. Joints that move both
            frames, or neither, have columns of False.

        Raises:
            FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
        """
        mine, others = (
            self._moving(self._body_of(*self._keyed(key))) for key in (frame, reference)
        )
        return self._pattern(mine != others)

    def _body_of(self, kind: FrameType, number: int) -> int:
        """Return the row of the body that a frame sits on."""
        return int(self._pose_tables[kind][0][number, 0])

    def _keyed(self, key: object) -> tuple[FrameType, int]:
        """Resolve a tag, or (frame type, index or tag); None: the end effector."""
        return self._frame(None) if key is None else frame_of(self, key, "frame")

    def _moving(self, body: int) -> BoolArray:
        """Say which joints move a body, shape (dof,)."""
        found: BoolArray = self._rows[1:, LAST] >= body
        found[body:] = False
        return found

    def _pattern(self, joints: BoolArray) -> BoolArray:
        """Return the columns of some joints, shape (6, dof)."""
        pattern = np.tile(joints, (6, 1))
        pattern[3:] &= self._rows[1:, SLIDES] == 0.0
        return pattern
