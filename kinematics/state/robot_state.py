"""The state of a robot at one moment: the table of all that it can say.

Each topic has a file of plain functions of a state; a new quantity is one of them, with ``@cached``
above it if it takes no arguments, and one line in the table.
"""

from collections.abc import Callable

import numpy as np

from armwright.kinematics.arrays import FloatArray, read_only
from armwright.kinematics.model import RobotModel
from armwright.kinematics.representation import Representation
from armwright.reprs import cut_to_line

from . import bodies, constraints, coordinates, dynamics, frames, relative, variants, wrenches
from . import momentum as masses
from .bodies import base_velocity
from .data import StateData, StateT


class RobotState(StateData):
    """A robot at one moment: how it stands and moves, and everything that follows.

    It never changes: attributes cannot be set, arrays are read-only, ``replace`` returns changed
    copies. What follows is computed when it is first asked for, and kept; for a fixed base the
    call that checks q and v computes the matrices as well. It can be shared between threads,
    pickled and copied. Units are SI, six numbers are linear first.

    A fixed base has size = dof velocities, those of its joints. A floating one has size =
    dof + 6: its own twist comes first, at its origin, in the representation. The base's frame is
    where the first element is attached, or the one that ``model.with_floating_base`` chose.

    A method that speaks of a frame takes what ``RobotModel`` does: ``frame``, which is a name,
    (frame type, index or name) or a ``Frame``, also as the first argument; or ``frame_type`` with
    an ``index`` or ``tag``; the end effector when there are none. A name means one frame, whoever
    asks. ``point`` is a point of the frame to use instead of its origin, in its coordinates [m];
    ``expressed_in`` a frame in whose axes mixed numbers are turned, ``representation``, or
    ``reference``, how to write them; None: as the state. ``out`` is an array to fill with the
    result, and is what comes back then. They raise ``FrameNotFoundError`` if there
    is no such frame, or it is not clear which is meant, and ``ModelError`` if another argument does
    not fit.

    Args:
        model: The robot.
        q: Joint positions, shape (dof,) [rad or m].
        v: Joint velocities, shape (dof,); None: zeros.
        a: Joint accelerations, shape (dof,); None: zeros.
        T_world_base: Where the base is, shape (4, 4); None: where the model stands on its base
            frame.
        base_twist: Shape (6,): linear [m/s], angular [rad/s]; None: zeros.
        base_acceleration: Time derivative of the base twist's numbers, shape (6,); None: zeros.
        gravity: Acceleration of free fall in world axes, shape (3,) [m/s^2]; None is the model's.
        floating: Whether the base is free to move; None: as a ``ModelBuilder`` declared it, else
            False.
        representation: How base twist and acceleration are given, and all results are written:
            "mixed" (None is the same), "body" or "inertial", see ``Representation``.
        reference: Another word for ``representation``.

    Attributes:
        model: The robot.
        q: Shape (dof,) [rad or m].
        v: Shape (dof,).
        a: Shape (dof,).
        T_world_base: Shape (4, 4).
        base_twist: Shape (6,), in the representation.
        base_acceleration: Shape (6,), in the representation.
        gravity: Shape (3,) [m/s^2].
        floating: Whether the base is free to move.
        representation: Of all results.
        size: How many velocities there are: dof, or dof + 6.

    Raises:
        JointVectorError: If q, v or a has the wrong length or is not finite.
        ModelError: If anything else has the wrong shape or is not finite, T_world_base is not a
            pose, a fixed base is said to move, or both words for the representation were given.

    Example:
        >>> from armwright.kinematics import RobotState
        >>> state = RobotState(model, np.zeros(6), v=np.full(6, 0.1), floating=True)
        >>> state.jacobian().shape, state.mass_matrix.shape
        ((6, 12), (12, 12))
        >>> bool(np.allclose(state.jacobian() @ state.generalized_velocity, state.twist()))
        True
    """

    # Changed copies
    replace = with_ = variants.replace  # the second name is the one of before
    with_base = variants.with_base
    with_base_from_imu = variants.with_base_from_imu

    # Frames
    pose = frames.pose
    poses = frames.poses
    position = frames.position
    orientation = frames.orientation
    twist = frames.twist
    acceleration = frames.acceleration
    bias_acceleration = frames.bias_acceleration
    jacobian = frames.jacobian
    gravity_in = frames.gravity_in

    # One frame as seen from another
    relative_pose = relative.relative_pose
    relative_pose_explicit = relative.relative_pose_explicit
    relative_twist = relative.relative_twist
    relative_acceleration = relative.relative_acceleration
    relative_bias_acceleration = relative.relative_bias_acceleration
    relative_jacobian = relative.relative_jacobian
    relative_jacobian_explicit = relative.relative_jacobian_explicit

    # Joints
    joint_poses = bodies.joint_poses
    joint_motions = bodies.joint_motions
    postural_jacobian = coordinates.postural_jacobian

    # Center of mass
    mass = masses.mass
    com = masses.com
    com_in = frames.com_in
    com_velocity = masses.com_velocity
    com_acceleration = masses.com_acceleration
    com_jacobian = masses.com_jacobian
    com_bias_acceleration = masses.com_bias_acceleration

    # Momentum
    momentum = masses.momentum
    momentum_jacobian = masses.momentum_jacobian
    momentum_bias = masses.momentum_bias
    centroidal_momentum = masses.centroidal_momentum
    centroidal_momentum_jacobian = masses.centroidal_momentum_jacobian
    centroidal_momentum_bias = masses.centroidal_momentum_bias
    locked_inertia = masses.locked_inertia
    centroidal_locked_inertia = masses.centroidal_locked_inertia
    average_velocity = masses.average_velocity
    average_velocity_jacobian = masses.average_velocity_jacobian
    average_velocity_bias = masses.average_velocity_bias
    centroidal_average_velocity = masses.centroidal_average_velocity
    centroidal_average_velocity_jacobian = masses.centroidal_average_velocity_jacobian
    centroidal_average_velocity_bias = masses.centroidal_average_velocity_bias

    # Dynamics
    mass_matrix = dynamics.mass_matrix
    solve_mass = dynamics.solve_mass
    coriolis = dynamics.coriolis
    coriolis_efforts = dynamics.coriolis_efforts
    gravity_efforts = dynamics.gravity_efforts
    bias_efforts = dynamics.bias_efforts
    inverse_dynamics = dynamics.inverse_dynamics
    forward_dynamics = dynamics.forward_dynamics
    constrained_inverse_dynamics = constraints.constrained_inverse_dynamics
    inertial_parameters = dynamics.inertial_parameters
    inverse_dynamics_regressor = dynamics.inverse_dynamics_regressor
    kinetic_energy = dynamics.kinetic_energy
    potential_energy = dynamics.potential_energy
    energy = dynamics.energy

    # Wrenches
    external_efforts = wrenches.external_efforts
    joint_wrenches = wrenches.joint_wrenches
    base_wrench = wrenches.base_wrench

    def __copy__(self: StateT) -> StateT:
        return self  # frozen, so that sharing is safe

    def __deepcopy__(self: StateT, memo: object) -> StateT:
        return self

    def __reduce__(self: StateT) -> tuple[Callable[..., StateT], tuple[object, ...]]:
        arrays = (self.q, self.v, self.a)
        base = (self.T_world_base, self.base_twist, self.base_acceleration)
        rest = (self.gravity, self.floating, self.representation, base_velocity(self))
        return _rebuild, (type(self), self.model, arrays, base, *rest)

    def __repr__(self) -> str:
        """Return how the robot stands, in one line."""
        base = "floating" if self.floating else "fixed"
        q = np.array2string(self.q, precision=4, threshold=12, separator=", ", max_line_width=200)
        moving = "moving" if self.generalized_velocity.any() else "at rest"
        return cut_to_line(f"<RobotState: {self.model.dof} dof, {base} base, {moving}; q {q}>")


def _rebuild(
    cls: type[StateT],
    model: RobotModel,
    joints: tuple[FloatArray, FloatArray, FloatArray],
    base: tuple[FloatArray, FloatArray, FloatArray],
    gravity: FloatArray,
    floating: bool,
    representation: Representation,
    base_twist: FloatArray,
) -> StateT:
    """Make a state again from what was pickled; the mixed twist keeps every bit the same."""
    state = object.__new__(cls)
    state._fill(model, joints, base, gravity, floating, representation)
    state.__dict__[base_velocity.name] = read_only(base_twist)
    return state
