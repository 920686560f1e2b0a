"""The robot model: a description as frozen arrays, with the questions that can be asked of it."""

from .bias import Biases
from .describing import Describing
from .dynamics import Dynamics
from .equality import Equality
from .forward import Forward
from .limits import Limits
from .named_frames import NamedFrames
from .plausible import Plausibility
from .pointmass import PointMass
from .saving import Saving
from .selecting import Selecting
from .sparsity import Sparsity
from .subtree import Subtrees
from .topology import Topologies
from .variants import Variants


class RobotModel(
    Forward,
    Biases,
    Dynamics,
    PointMass,
    Variants,
    Subtrees,
    Selecting,
    Limits,
    Sparsity,
    Describing,
    NamedFrames,
    Plausibility,
    Topologies,
    Saving,
    Equality,
):
    """A robot whose every frame, Jacobian, effort and motion can be computed.

    Made from a description by ``load``, ``loads``, ``ArmBuilder.build`` or directly. It never
    changes: attributes cannot be set, its arrays are read-only, and ``with_base_frame``,
    ``with_position_limits``, ``with_payload``, ``with_joint_dynamics``, ``with_floating_base``,
    ``with_groups`` and ``subtree`` return other models. It can be shared between threads, pickled,
    copied, saved, and compared: two models are equal when they were made of the same.

    Joint positions q have shape (dof,) or (..., dof); results get the same leading axes. Units
    are SI; world includes the base frame.

    Args:
        description: What the robot is made of.

    Attributes:
        description: What the robot is made of.
        warnings: What the reader found doubtful.
        elements: Element descriptions, depth first, with file, line and path.
        n_elements: How many elements there are.
        dof: How many joints there are.
        tags: Element number of every tag.
        joint_names: Name of every joint in the order of q, which is depth first: its tag, else
            "joint1", "joint2", ... by its place; unique.
        masses: Mass of every element but plain joints, shape (n_com,) [kg], without payloads.
        total_mass: Sum of the masses [kg], without payloads.
        max_speeds: Shape (dof,) [rad/s]; inf for plain joints.
        max_efforts: Peak efforts, shape (dof,) [N m]; inf for plain joints.
        position_limits: Lower and upper limits, shape (2, dof) [rad or m]; -inf and inf where
            free, as they are until ``with_position_limits`` sets them.
        base_frame: T_world_base, shape (4, 4).
        joint_dynamics: Rotor inertia and friction of the joints; none until
            ``with_joint_dynamics`` sets them.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        """Return what kind of robot it is, in one line."""
        parts = [f"{self.dof} dof", f"{self.n_elements} elements", f"{self.total_mass:.3f} kg"]
        names = ", ".join(self.joint_names[:8]) + (", ..." if self.dof > 8 else "")
        return f"<RobotModel: {', '.join(parts)}; joints {names or 'none'}>"
