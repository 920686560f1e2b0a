"""Calls of kernels that take joint vectors: the slow path, with everything checked."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeGuard

import numpy as np

from armwright.errors import JointVectorError, ModelError
from armwright.kinematics.arrays import (
    LARGEST,
    FloatArray,
    JointValues,
    array_to_fill,
    joint_vectors,
)
from armwright.kinematics.batches import share_rows
from armwright.kinematics.engine import Kernel
from armwright.kinematics.robot import GRAVITY, ModelData

_NONE: Mapping[str, FloatArray | None] = MappingProxyType({})


class SampleRows(NamedTuple):
    """Model rows under a gravity of its own for every sample of a batch.

    Attributes:
        rows: Model rows, whose gravity does not count.
        gravity: Shape (..., 3), with at least one leading axis.
    """

    rows: FloatArray
    gravity: FloatArray


Rows = FloatArray | SampleRows


def vectors(
    model: ModelData,
    out: object = None,
    others: Mapping[str, FloatArray | None] = _NONE,
    /,
    **named: JointValues,
) -> tuple[FloatArray, ...]:
    """Return joint vectors, checked and of one shape (..., dof): leading axes broadcast.

    Arrays that kernels can read as they are come back themselves, not copied: do not write to
    them. What may share memory with ``out`` is copied.

    Args:
        model: The robot.
        out: What will be filled.
        others: Name and array of what else has leading axes, before one last axis.
        **named: The joint vectors.

    Raises:
        JointVectorError: If a length is wrong, a number is not finite, or the leading axes do
            not fit; names the argument.
    """
    checked = [
        value
        if _is_ready(value, model.dof, out)
        else joint_vectors(value, model.dof, name, joints=model.joint_names)
        for name, value in named.items()
    ]
    samples = {name: array for name, array in others.items() if array is not None}
    try:
        heads = (array.shape[:-1] for array in (*checked, *samples.values()))
        shape = (*np.broadcast_shapes(*heads), model.dof)
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in (*checked, *samples.values()))
        raise JointVectorError(
            f"{', '.join([*named, *samples])}: expected leading axes that fit, got shapes {shapes}"
        ) from None
    return tuple(
        value if value.shape == shape else np.array(np.broadcast_to(value, shape), order="C")
        for value in checked
    )


def _is_ready(value: object, dof: int, out: object) -> TypeGuard[FloatArray]:
    """Say whether a kernel can read an array as it is; its numbers are finite and not huge then."""
    if value.__class__ is not np.ndarray or not isinstance(value, np.ndarray):
        return False
    if value.dtype != np.float64 or not value.dtype.isnative:
        return False
    if not value.flags.c_contiguous or not value.flags.aligned:
        return False
    if value.ndim == 0 or value.shape[-1] != dof:
        return False
    if isinstance(out, np.ndarray) and np.may_share_memory(value, out):
        return False
    # NaN is neither; two passes, but no array in between as for (abs(value) <= LARGEST).all()
    return not value.size or bool(value.min() >= -LARGEST and value.max() <= LARGEST)


def evaluate(
    model: ModelData,
    kernels: tuple[Kernel, Kernel],
    fixed: tuple[Rows, ...],
    values: tuple[FloatArray, ...],
    out: FloatArray | None,
    tail: tuple[int, ...],
) -> FloatArray:
    """Call the kernel for one motion or for many.

    Args:
        model: The robot.
        kernels: For one set of vectors and for the rows of batches. They return nothing, or 0,
            or the joint that moves no inertia.
        fixed: First arguments of both. Where the first are ``SampleRows``, every sample is
            computed under its own gravity.
        values: Checked arrays, shapes (..., dof) and, after the first, any further axes.
        out: Array to fill, or None.
        tail: Shape of one result.

    Returns:
        The results, in memory of ``out`` if given.

    Raises:
        ModelError: If a joint moves no inertia, or ``out`` cannot be filled.
    """
    leading = values[0].shape[:-1]
    shape = leading + tail
    result = np.empty(shape) if out is None else array_to_fill(out, shape)
    if isinstance(fixed[0], SampleRows):
        states = _sample_by_sample(kernels[0], fixed[0], fixed[1:], values, result)
    elif leading:
        count = math.prod(leading)
        rows = [value.reshape(count, *value.shape[len(leading) :]) for value in values]
        filled = result.reshape(count, *tail)
        states = share_rows(
            count, lambda a, b: kernels[1](*fixed, *(row[a:b] for row in rows), filled[a:b])
        )
    else:
        states = [kernels[0](*fixed, *values, result)]
    for joint in states:
        if joint:
            raise no_inertia(model, joint)
    return result


def evaluate_at(
    model: ModelData,
    kernels: tuple[Kernel, Kernel],
    fixed: tuple[Rows, ...],
    q: JointValues,
    out: FloatArray | None,
    tail: tuple[int, ...],
) -> FloatArray:
    """Call the kernel for one configuration or for many, with q checked; see ``evaluate``."""
    Q = joint_vectors(q, model.dof, joints=model.joint_names)
    if Q.ndim == 1 and out is None:  # single calls by frame come here: no need of the rest
        result: FloatArray = np.empty(tail)
        kernels[0](*fixed, Q, result)
        return result
    result = evaluate(model, kernels, fixed, (Q,), out, tail)
    return result if out is None else out


def _sample_by_sample(
    kernel: Kernel,
    rows: SampleRows,
    fixed: tuple[Rows, ...],
    values: tuple[FloatArray, ...],
    result: FloatArray,
) -> list[int]:
    """Fill a result sample by sample; return what the kernel said of each that it refused."""
    leading = values[0].shape[:-1]
    gravity = np.broadcast_to(rows.gravity, (*leading, 3))
    own = rows.rows.copy()
    refused = []
    for place in np.ndindex(*leading):
        own[0, GRAVITY] = gravity[place]
        said = kernel(own, *fixed, *(value[place] for value in values), result[place])
        if said:
            refused.append(said)
    return refused


def no_inertia(model: ModelData, joint: int) -> ModelError:
    """Return the error about a joint (from 1) that moves no inertia."""
    return ModelError(
        f"joint {model.joint_names[joint - 1]!r} moves no inertia, so that any effort would "
        "accelerate it without bound. Real joints have rotor inertia: "
        'with_joint_dynamics("catalog") adds it, with rotor_inertia= where the catalog does not '
        "know the part; or add a payload off its axis (with_payload)"
    )
