"""Copies of a model whose joints have other names."""

from collections.abc import Mapping, Sequence
from typing import Any

from armwright.errors import ModelError
from armwright.kinematics.arrays import short
from armwright.kinematics.naming import joint_index
from armwright.kinematics.robot import ModelData, ModelT, default_joint_names


def with_joint_names(model: ModelT, names: Sequence[str] | Mapping[Any, str]) -> ModelT:
    """Return the same robot with other names of its joints.

    They are used wherever joints or their frames are named, by groups and configurations as well.
    Tags stay: the tag of a joint with another name still means its frame.

    Args:
        names: A name for every joint, in the order of q; or old name (or number) to new
            name, for some.

    Raises:
        FrameNotFoundError: If there is no joint of an old name; the message has near names.
        ModelError: If there are not as many names as joints, one is no text or empty, two are
            the same, or one is the tag of another element.

    Example:
        >>> named = model.with_joint_names({"J3_elbow": "elbow"})
        >>> named.joint_index("elbow"), named.frame("elbow") == model.frame("J3_elbow")
        (2, True)
    """
    found = _listed(model, names)
    first: dict[object, int] = {}
    for joint, name in enumerate(found):
        if not isinstance(name, str) or not name.strip():
            raise ModelError(
                f"joint names: expected a text for joint {model.joint_names[joint]!r}, got "
                f"{short(name)}"
            )
        there = first.setdefault(name, joint)
        if there != joint:
            raise ModelError(
                f"joint names: {short(name)} is there twice, for joints {there} and {joint}"
            )
        element = model.tags.get(name)
        if element is not None and element != model.joint_elements[joint]:
            what = model.elements[element].kind
            raise ModelError(
                f"joint names: {short(name)} is the tag of another element, number {element}, "
                f"{'an' if what[0] in 'aeiou' else 'a'} {what}. A name means one frame: choose "
                "another"
            )
    own = found != default_joint_names(model._compiled)
    annotations = model._annotations.rename(found, model.joint_names, own)
    return model._variant(annotations=annotations)


def _listed(model: ModelData, names: object) -> tuple[str, ...]:
    """Return a name for every joint; the names themselves are not checked."""
    if isinstance(names, Mapping):
        listed = list(model.joint_names)
        given: set[int] = set()
        for old, new in names.items():
            joint = joint_index(model, old)
            if joint in given:
                raise ModelError(f"joint names: joint {model.joint_names[joint]!r} is there twice")
            given.add(joint)
            listed[joint] = new
        return tuple(listed)
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise ModelError(
            f"joint names: expected {model.dof} names, or a mapping from old names to new ones, "
            f"got {short(names)}"
        )
    if len(names) != model.dof:
        raise ModelError(f"joint names: expected {model.dof}, got {len(names)}")
    return tuple(names)
