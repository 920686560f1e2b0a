"""Wrenches from outside, and those that the parts of a robot hand on to each other.

Those from outside are a mapping of frames to six numbers in the state's representation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armwright.kinematics.arrays import FloatArray, filled
from armwright.kinematics.dynamics import Wrenches, wrench_table
from armwright.kinematics.engine import lazy
from armwright.kinematics.representation import Representation

from .bodies import body_poses, root_velocity
from .coordinates import base_coordinates, coordinates, root_acceleration, to_rows
from .data import StateData
from .twists import shift

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_external as _dynamics_external_kernels  # noqa: F401
    from armwright.kinematics._kernels import dynamics_inverse as _dynamics_inverse_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.dynamics_"
_joint_wrenches = lazy(__name__, "_joint_wrenches", f"{_KERNELS}inverse")
_joint_wrenches_free = lazy(__name__, "_joint_wrenches_free", f"{_KERNELS}inverse")
_wrench_efforts = lazy(__name__, "_wrench_efforts", f"{_KERNELS}external")
_body_wrenches = lazy(__name__, "_body_wrenches", f"{_KERNELS}external")

Pushes = tuple[FloatArray, FloatArray]
"""Frames, shape (k, 13), and mixed wrenches on them, shape (k, 6)."""


def external_efforts(
    state: StateData, external_wrenches: Wrenches, *, out: FloatArray | None = None
) -> FloatArray:
    """Compute what wrenches on the robot do: the sum of J^T w.

    Args:
        external_wrenches: As for ``inverse_dynamics``.
        out: Array to fill, shape of the result.

    Returns:
        Shape (size,).

    Raises:
        FrameNotFoundError: If a wrench is on a frame that does not exist.
        ModelError: If a wrench is not six finite numbers, or ``out`` cannot be filled.
    """
    (frames, wrenches), points = _pushes(state, external_wrenches)
    joints = np.empty(state.model.dof)
    _wrench_efforts(state._rows, frames, state.q, wrenches, joints)
    if not state.floating:
        return filled(out, joints)
    base = wrenches.sum(axis=0)
    base[3:] += np.cross(points - state._root_pose[:3, 3], wrenches[:, :3]).sum(axis=0)
    return filled(out, to_rows(np.concatenate([base, joints]), coordinates(state)))


def joint_wrenches(
    state: StateData,
    external_wrenches: Wrenches | None = None,
    *,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the wrench that each joint hands on to its body, bearings included.

    Args:
        external_wrenches: As for ``inverse_dynamics``.
        out: Array to fill, shape of the result.

    Returns:
        Shape (dof, 6): force [N], moment [N m], from the parent on the body that the joint
        moves, about the joint's origin: axes of the world when the state is mixed; of the
        joint, z along its positive direction, when it is body; axes and origin of the world
        when inertial. Rotors and friction are not in it.

    Raises:
        FrameNotFoundError: If a wrench is on a frame that does not exist.
        ModelError: If a wrench is not six finite numbers, or ``out`` cannot be filled.
    """
    pushes = None if external_wrenches is None else _pushes(state, external_wrenches)[0]
    found = _wrenches(state, pushes)
    if state._chosen is not None:
        # What carries the base acts there, not on the first element.
        found = _wrenches(state, _with_carried(state, pushes, found[0]))
    wrenches = found[1:]
    if state.representation is Representation.BODY:
        return filled(out, wrenches.copy())
    R, p = body_poses(state)[1:, :, :3], body_poses(state)[1:, :, 3]
    halves: FloatArray = np.einsum("bij,bkj->bki", R, wrenches.reshape(-1, 2, 3))
    if state.representation is Representation.INERTIAL:
        halves[:, 1] += np.cross(p, halves[:, 0])
    return filled(out, halves.reshape(-1, 6))


def base_wrench(
    state: StateData,
    external_wrenches: Wrenches | None = None,
    *,
    out: FloatArray | None = None,
) -> FloatArray:
    """Compute the wrench that the base needs from what carries it.

    Args:
        external_wrenches: As for ``inverse_dynamics``.
        out: Array to fill, shape of the result.

    Returns:
        Shape (6,): force [N], moment [N m] about the base's origin, world axes when the state
        is mixed, those of the base when it is body; about the world's origin when inertial.
        The mounting of a fixed base bears the opposite.

    Raises:
        FrameNotFoundError: If a wrench is on a frame that does not exist.
        ModelError: If a wrench is not six finite numbers, or ``out`` cannot be filled.
    """
    pushes = None if external_wrenches is None else _pushes(state, external_wrenches)[0]
    mixed = _at_root(state, _wrenches(state, pushes)[0])
    change = base_coordinates(state)
    return filled(out, mixed if change is None else change.X.T @ mixed)


def _pushes(state: StateData, external_wrenches: Wrenches) -> tuple[Pushes, FloatArray]:
    """Return what pushes, and the origins of the frames that it pushes at, shape (k, 3)."""
    frames, wrenches = wrench_table(state.model, external_wrenches, one=True)
    bodies = body_poses(state)[frames[:, 0].astype(int)]
    Ts = bodies[:, :, :3] @ frames[:, 1:].reshape(-1, 3, 4)
    points = Ts[:, :, 3] + bodies[:, :, 3]
    if state.representation is Representation.BODY:
        halves = np.einsum("bij,bkj->bki", Ts[:, :, :3], wrenches.reshape(-1, 2, 3))
        wrenches = np.ascontiguousarray(halves.reshape(-1, 6))
    elif state.representation is Representation.INERTIAL:
        wrenches[:, 3:] -= np.cross(points, wrenches[:, :3])
    return (frames, wrenches), points


def _wrenches(state: StateData, pushes: Pushes | None) -> FloatArray:
    """Return what root and every body get, their own axes and origins, (n+1, 6)."""
    on_bodies = np.zeros((state.model.dof + 1, 6))
    out = np.zeros_like(on_bodies)
    if pushes is not None:
        _body_wrenches(state._rows, pushes[0], state.q, pushes[1], on_bodies)
    if state.floating:
        arguments = (state.q, root_velocity(state), root_acceleration(state), on_bodies)
        _joint_wrenches_free(state._rows, state._root_pose, *arguments, out)
    else:
        _joint_wrenches(state._rows, state.q, state.v, state.a, on_bodies, out)
    return out


def _with_carried(state: StateData, pushes: Pushes | None, needed: FloatArray) -> Pushes:
    """Add what carries the base, at the base, to what pushes; ``needed`` is the root's wrench."""
    assert state._chosen is not None
    frame_type, number = state._chosen
    frame = state.model._pose_tables[frame_type][0][number][None]
    way = state._root_pose[:3, 3] - state.T_world_base[:3, 3]
    carried = (shift(way).T @ _at_root(state, needed))[None]
    if pushes is None:
        return frame, carried
    return np.vstack([pushes[0], frame]), np.vstack([pushes[1], carried])


def _at_root(state: StateData, wrench: FloatArray) -> FloatArray:
    """Return a wrench in the root's axes as a mixed one."""
    R = state._root_pose[:3, :3]
    mixed: FloatArray = np.concatenate([R @ wrench[:3], R @ wrench[3:]])
    return mixed
