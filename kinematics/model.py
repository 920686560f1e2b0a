"""The robot model: a description as frozen arrays, with the questions that can be asked of it."""

import os

from armwright.kinematics import dynamics, motion, naming, reports, robot, saved, variants
from armwright.reprs import cut_to_line

from .hebi_names import answers_hebi_names
from .robot import ModelData, ModelT, attribute, table_of_contents


@answers_hebi_names
@table_of_contents
class RobotModel(ModelData):
    """A robot whose every frame, Jacobian, effort and motion can be computed.

    Made from a description by ``load``, ``loads``, ``ArmBuilder.build`` or directly. It never
    changes: attributes cannot be set, its arrays are read-only, and ``with_base_frame``,
    ``with_position_limits``, ``with_max_speeds``, ``with_max_efforts``, ``with_payload``,
    ``with_joint_dynamics``, ``with_joint_names``, ``with_floating_base``, ``with_gravity``,
    ``with_groups``, ``with_reference_configurations`` and ``subtree`` return other models. It can
    be shared between threads, pickled, copied, saved, and compared: two models are equal when they
    were made of the same.

    Joint positions q have shape (dof,) or (..., dof); results get the same leading axes. A mapping
    of every joint's name to its number, or a list of such mappings, is taken wherever joint values
    are. Units are SI; world includes the base frame.

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
            "joint1", "joint2", ... by its place; unique; others by ``with_joint_names``.
        joint_elements: Element number of every joint, in the order of q.
        joint_slides: Whether each joint slides, so that its unit is m and N, not rad and N m;
            shape (dof,).
        masses: Mass of every element but plain joints, shape (n_com,) [kg], without payloads.
        total_mass: Sum of the masses [kg], without payloads.
        max_speeds: Shape (dof,) [rad/s or m/s]; inf for plain joints; others by
            ``with_max_speeds``.
        max_efforts: Peak efforts, shape (dof,) [N m or N]; inf for plain joints; others by
            ``with_max_efforts``.
        position_limits: Lower and upper limits, shape (2, dof) [rad or m]; -inf and inf where
            free, as they are until ``with_position_limits`` sets them.
        base_frame: T_world_base, shape (4, 4).
        joint_dynamics: Rotor inertia and friction of the joints; none until
            ``with_joint_dynamics`` sets them.
    """

    __slots__ = ()

    # Where the frames are and how they move
    forward_kinematics = motion.forward_kinematics
    end_effector = motion.end_effector
    jacobians = motion.jacobians
    jacobian = motion.jacobian
    bias_acceleration = motion.bias_acceleration

    # Efforts, motions, energies
    gravity_efforts = dynamics.gravity_efforts
    inverse_dynamics = dynamics.inverse_dynamics
    bias_efforts = dynamics.bias_efforts
    forward_dynamics = dynamics.forward_dynamics
    mass_matrix = dynamics.mass_matrix
    solve_mass = dynamics.solve_mass
    coriolis = dynamics.coriolis
    external_efforts = dynamics.external_efforts
    point_mass_dynamics_efforts = dynamics.point_mass_dynamics_efforts
    kinetic_energy = dynamics.kinetic_energy
    potential_energy = dynamics.potential_energy
    energy = dynamics.energy
    momentum_matrix = dynamics.momentum_matrix
    inertial_parameters = attribute(dynamics.inertial_parameters)
    inverse_dynamics_regressor = dynamics.inverse_dynamics_regressor

    # Names of frames
    frame = naming.frame
    has_frame = naming.has_frame
    frame_names = naming.frame_names
    frame_name = naming.frame_name
    frame_count = naming.frame_count
    frame_elements = naming.frame_elements
    mesh_path = naming.mesh_path
    frame_info = naming.frame_info
    floating_base = attribute(naming.floating_base)

    # Names of joints, groups of them, how they hang together
    joint_info = naming.joint_info
    joint_axes = attribute(naming.joint_axes)
    joint_placements = attribute(naming.joint_placements)
    joint_index = naming.joint_index
    joint_indices = naming.joint_indices
    selection = naming.selection
    mask_jacobian = naming.mask_jacobian
    to_map = naming.to_map
    from_map = naming.from_map
    groups = attribute(naming.groups)
    arms = attribute(naming.arms)
    legs = attribute(naming.legs)
    passive_joints = attribute(naming.passive_joints)
    chain = naming.chain
    arm = naming.arm
    leg = naming.leg
    reference_configurations = attribute(naming.reference_configurations)
    topology = attribute(naming.topology)
    jacobian_sparsity = naming.jacobian_sparsity
    relative_jacobian_sparsity = naming.relative_jacobian_sparsity

    # Changed copies
    with_base_frame = variants.with_base_frame
    with_floating_base = variants.with_floating_base
    with_position_limits = variants.with_position_limits
    with_max_speeds = variants.with_max_speeds
    with_max_efforts = variants.with_max_efforts
    with_payload = variants.with_payload
    with_joint_dynamics = variants.with_joint_dynamics
    with_joint_names = variants.with_joint_names
    with_gravity = variants.with_gravity
    with_groups = variants.with_groups
    with_reference_configurations = variants.with_reference_configurations
    subtree = variants.subtree

    # What it says of itself and of joint values
    name = attribute(reports.name)
    payloads = attribute(variants.payloads)
    gravity = attribute(reports.gravity)
    gear_ratios = attribute(reports.gear_ratios)
    describe = reports.describe
    check = reports.check
    has_position_limits = attribute(reports.has_position_limits)
    continuous_efforts = attribute(reports.continuous_efforts)
    check_limits = reports.check_limits
    clip = reports.clip

    # In files, and compared
    save = saved.save
    __eq__ = robot.is_equal
    __hash__ = robot.content_hash

    # For the rooms above

    @classmethod
    def load(cls: type[ModelT], path: str | os.PathLike[str]) -> ModelT:
        """Read a model that ``save`` wrote; it gives the same results, bit by bit.

        Robots in HRDF are read by ``armwright.load``.

        Args:
            path: The file.

        Raises:
            ModelFileError: If there is no such file, it is damaged, it is not a saved model, or
                it has another version than this one reads.
        """
        return saved.load(cls, path)

    def __repr__(self) -> str:
        """Return what kind of robot it is, in one line."""
        parts = [f"{self.dof} dof", f"{self.n_elements} elements", f"{self.total_mass:.3f} kg"]
        names = ", ".join(self.joint_names[:8]) + (", ..." if self.dof > 8 else "")
        return cut_to_line(f"<RobotModel: {', '.join(parts)}; joints {names or 'none'}>")
