"""Part of a robot as a robot of its own."""

import dataclasses

from armwright.hrdf import Bracket, Element, RigidBody, RobotDescription
from armwright.kinematics.arrays import read_only
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.naming import frame_elements, resolve_frame
from armwright.kinematics.robot import ModelData, ModelT, compile_description


def subtree(model: ModelT, *, index: int | None = None, tag: str | None = None) -> ModelT:
    """Return an element and everything attached to it, directly or not, as a model.

    The new robot stands on the same base frame as this one, its first element's input on the
    base; its joints keep their limits and drives, its end effectors their payloads. Groups stay
    when all their joints do, and joints keep the names that ``with_joint_names`` gave.

    Args:
        index: Number of the element, from 0, depth first.
        tag: The same by its tag; give one of the two.

    Raises:
        FrameNotFoundError: If there is no such element, or none or both were given.
    """
    _, first = resolve_frame(model, FrameType.INPUT, index, tag)
    count = _size(model, first)
    inside = range(first, first + count)
    description = dataclasses.replace(
        model.description, elements=_rest_of_chain(model.description, first)
    )
    joints = [j for j, n in enumerate(model.joint_elements) if n in inside]
    ends = frame_elements(model, FrameType.END_EFFECTOR)
    payloads = tuple(
        payload for payload, n in zip(model._payloads, ends, strict=True) if n in inside
    )
    part = object.__new__(type(model))
    part._fill(
        description,
        compile_description(description),
        read_only(model.position_limits[:, joints]),
        payloads,
        model.joint_dynamics.take(joints),
    )
    return part._variant(annotations=model._annotations.take(inside, joints, part.joint_names))


def _size(model: ModelData, first: int) -> int:
    """Count an element and all attached to it: a contiguous range, as they are depth first."""
    placed = model._compiled.placed
    count = 1
    while first + count < len(placed) and placed[first + count].parent >= first:
        count += 1
    return count


def _rest_of_chain(description: RobotDescription, number: int) -> tuple[Element, ...]:
    """Return the chain that starts at an element."""
    count = 0
    stack: list[tuple[Element, ...]] = [description.elements]
    while True:
        chain = stack.pop()
        if not chain:
            continue
        if count == number:
            return chain
        count += 1
        stack.append(chain[1:])
        element = chain[0]
        outputs = element.outputs if isinstance(element, Bracket | RigidBody) else ()
        stack.extend(output.elements for output in reversed(outputs))
