"""Models compare by what they are: two that give the same answers because they were made alike."""

from .core import ModelCore
from .transforms import FloatArray


class Equality(ModelCore):
    """Comparison by content."""

    __slots__ = ("_hash",)

    _hash: int

    def __eq__(self, other: object) -> bool:
        """Tell whether another model has the same content.

        That is the description (as descriptions compare: files, lines and versions do not count),
        base frame, position limits, payloads, drives, groups and named configurations.
        """
        if self is other:
            return True
        if not isinstance(other, ModelCore) or type(self) is not type(other):
            return NotImplemented
        return _content(self) == _content(other)

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:  # the first time; models key the caches of solvers
            object.__setattr__(self, "_hash", hash(_content(self)))
            return self._hash


def _content(model: ModelCore) -> tuple[object, ...]:
    """Return what counts when models are compared."""
    drives = model.joint_dynamics
    return (
        model.description,
        _numbers(model.position_limits),
        model._payloads,
        _numbers(drives.rotor_inertia),
        _numbers(drives.damping),
        _numbers(drives.friction),
        model._extras,
    )


def _numbers(array: FloatArray) -> tuple[float, ...]:
    """Return numbers that compare and hash by value, 0 and -0 alike."""
    return tuple(array.ravel().tolist())
