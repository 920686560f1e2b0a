"""Models compare by what they are: two that give the same answers because they were made alike."""

from armwright.kinematics.arrays import FloatArray

from .data import ModelData


def is_equal(model: ModelData, other: object) -> bool:
    """Tell whether another model has the same content.

    That is the description (as descriptions compare: files, lines and versions do not count),
    base frame, position limits, payloads, drives, groups, named configurations and names of
    joints.
    """
    if model is other:
        return True
    if not isinstance(other, ModelData) or type(model) is not type(other):
        return NotImplemented  # type: ignore[no-any-return]
    return _content(model) == _content(other)


def content_hash(model: ModelData) -> int:
    """Return the hash of what counts when models are compared; kept after the first time."""
    try:
        return model._hash
    except AttributeError:  # the first time; models key the caches of solvers
        found = hash(_content(model))
        object.__setattr__(model, "_hash", found)
        return found


def _content(model: ModelData) -> tuple[object, ...]:
    """Return what counts when models are compared."""
    drives = model.joint_dynamics
    return (
        model.description,
        _numbers(model.position_limits),
        model._payloads,
        _numbers(drives.rotor_inertia),
        _numbers(drives.damping),
        _numbers(drives.friction),
        model._annotations,
    )


def _numbers(array: FloatArray) -> tuple[float, ...]:
    """Return numbers that compare and hash by value, 0 and -0 alike."""
    return tuple(array.ravel().tolist())
