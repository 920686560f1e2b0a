"""How every body of a state stands and moves, all in one array from one kernel call.

Everything here is mixed: world axes, at the body's own origin. The root is the frame that the robot
was described from, where its first element is attached; the base is the same frame, or the one that
``RobotModel.with_floating_base`` chose. Frames sit on bodies.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError
from armwright.kinematics.arrays import LARGEST, FloatArray, finite_numbers
from armwright.kinematics.engine import lazy
from armwright.kinematics.frame_types import FrameType
from armwright.kinematics.naming import FrameKey, find_frame, frame_of
from armwright.kinematics.representation import Representation
from armwright.kinematics.robot import LAST, POSES

from .cached import cached, cached_with_whole
from .data import StateData
from .twists import cross, shift, turn_both, twist_back

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_state as _dynamics_state_kernels  # noqa: F401

_KERNELS = "armwright.kinematics._kernels.dynamics_state"
_state = lazy(__name__, "_state", _KERNELS)
_state_free = lazy(__name__, "_state_free", _KERNELS)

# Columns of the array, see _kernels/dynamics_state.py.
MOTION = slice(12, 18)
COM = slice(12, 15)  # of row 0, as is the next one
TOTAL = 15
SUM = slice(18, 27)
TWIST = slice(27, 33)
BIAS = slice(33, 39)
WRENCH = slice(48, 54)
EFFORT, HOLD = 54, 55
MOMENTUM = slice(56, 62)
COUPLING = slice(62, 68)
MASSES = 68


class PlacedFrame(NamedTuple):
    """Where a frame is: its body's row, axes R, origin p, and the way from the body's origin."""

    body: int
    R: FloatArray
    p: FloatArray
    arm: FloatArray


@cached
def base_velocity(state: StateData) -> FloatArray:
    """Twist of the base, mixed, shape (6,)."""
    if state.representation is Representation.MIXED:
        return state.base_twist
    T = state.T_world_base
    back = twist_back(state.representation, T[:3, :3], T[:3, 3])
    return bounded(back @ state.base_twist, "base_twist")


@cached
def root_twist(state: StateData) -> FloatArray:
    """Twist of the root, mixed, shape (6,)."""
    V, chosen = base_velocity(state), state._chosen
    if chosen is None:
        return V
    # What the joints contribute at the base, as the model has it on its own base frame.
    model, T = state.model, state._root_pose
    J = model.jacobian(state.q, None, *chosen)
    turn = turn_both(T[:3, :3] @ model.base_frame[:3, :3].T)
    way = T[:3, 3] - state.T_world_base[:3, 3]
    return shift(way) @ (V - turn @ (J @ state.v))


@cached
def root_velocity(state: StateData) -> FloatArray:
    """Twist of a free root, then v: shape (size,)."""
    return np.concatenate([root_twist(state), state.v]) if state.floating else state.v


@cached
def array(state: StateData) -> FloatArray:
    """Everything that depends on (q, v), shape (n+1, 68+n)."""
    n = state.model.dof
    out = np.empty((n + 1, MASSES + n))
    if state.floating:
        _state_free(state._rows, state._root_pose, root_twist(state), state.q, state.v, out)
    else:
        _state(state._rows, state.q, state.v, out)
    return out


@cached
def body_poses(state: StateData) -> FloatArray:
    """Placement of every body, shape (n+1, 3, 4)."""
    return array(state)[:, :12].reshape(-1, 3, 4)


@cached
def joint_poses(state: StateData) -> FloatArray:
    """Where the bodies of all joints are, shape (dof, 4, 4): T_world_body of each.

    A joint's body is all parts up to the next joint; its frame sits in the joint and moves
    with it, z along the joint's positive direction.
    """
    if state._layout is not None:
        return state._fixed_base[POSES].reshape(-1, 4, 4)
    Ts = np.zeros((state.model.dof, 4, 4))
    Ts[:, :3] = body_poses(state)[1:]
    Ts[:, 3, 3] = 1.0
    return Ts


@cached_with_whole
def joint_motions(state: StateData) -> FloatArray:
    """How each joint alone moves all that hangs on it, per unit of its velocity, (6, dof).

    Twists in the inertial representation, whatever the state's: linear of the point at the
    world's origin, angular. Where all joints move a frame, these are the joints' columns of
    its Jacobian in that representation.
    """
    motions = array(state)[1:, MOTION].T
    return shift(-state._root_pose[:3, 3]) @ motions


def place(
    state: StateData,
    frame_type: object = None,
    index: object = None,
    tag: object = None,
    frame: object = None,
    point: npt.ArrayLike | None = None,
) -> PlacedFrame:
    """Find the frame that the arguments of a method name; ``point`` moves its origin.

    Raises:
        FrameNotFoundError: If there is no such frame, it is not clear which is meant, or
            ``frame`` came with one of the others.
        ModelError: If the point is not three finite numbers.
    """
    return placed(state, find_frame(state.model, frame_type, index, tag, frame), point)


def place_of(state: StateData, key: FrameKey | None, argument: str = "frame") -> PlacedFrame:
    """Find the frame that an argument alone names; None: the end effector.

    Raises:
        FrameNotFoundError: If there is no such frame, or it is not clear which is meant.
    """
    if key is None:
        return placed(state, find_frame(state.model))
    return placed(state, frame_of(state.model, key, argument))


def placed(
    state: StateData, frame: tuple[FrameType, int], point: npt.ArrayLike | None = None
) -> PlacedFrame:
    """Find a frame; ``point`` moves its origin."""
    row = state.model._pose_tables[frame[0]][0][frame[1]]
    body = int(row[0])
    pose = body_poses(state)[body]
    local = pose[:, :3] @ row[1:].reshape(3, 4)  # axes, and the way from the body's origin
    R, arm = local[:, :3], local[:, 3]
    if point is not None:
        arm = arm + R @ finite_numbers(point, 3, "point")
    return PlacedFrame(body, R, pose[:, 3] + arm, arm)


def moving_joints(state: StateData, body: int) -> npt.NDArray[np.bool_]:
    """Say which joints move a body, shape (n,)."""
    found: npt.NDArray[np.bool_] = state._rows[1:, LAST] >= body
    found[body:] = False
    return found


def motions_of(state: StateData, body: int) -> FloatArray:
    """Return the motions that joints give a body, as twists at the root's origin, (n, 6)."""
    motions: FloatArray = array(state)[1:, MOTION] * moving_joints(state, body)[:, None]
    return motions


def twist_at(state: StateData, frame: PlacedFrame) -> FloatArray:
    """Return the twist of a frame, shape (6,)."""
    V = array(state)[frame.body, TWIST].copy()
    V[:3] += cross(V[3:], frame.arm)
    return V


def bias_at(state: StateData, frame: PlacedFrame) -> FloatArray:
    """Return the acceleration of a frame when neither root nor joints accelerate, (6,)."""
    A = array(state)[frame.body, BIAS].copy()
    w = array(state)[frame.body, TWIST][3:]
    A[:3] += cross(A[3:], frame.arm) + cross(w, cross(w, frame.arm))
    return A


def bounded(six: FloatArray, name: str) -> FloatArray:
    """Return what a body or inertial motion of the base is when mixed, if it is not too large.

    Raises:
        ModelError: If it is: an inertial motion far from the world's origin, or a fast turn.
    """
    largest = float(np.abs(six).max())
    if largest > LARGEST:
        raise ModelError(
            f"{name}: expected a motion of at most {LARGEST:g} at the base's origin, world axes, "
            f"got {largest:g}"
        )
    return six
