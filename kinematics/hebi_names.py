"""What hebi-py calls things, and what they are called here: for errors that name ours.

``model.get_end_effector`` is an AttributeError that says ``end_effector(q)``. A class gets a
descriptor for each foreign name, which raises: ``__getattr__`` would make every attribute of a
model take five times as long to read. ``dir()`` of an object does not list them. docs/hebi-py.md is
the same table with more words.
"""

from typing import NoReturn, TypeVar

Class = TypeVar("Class", bound=type)

_MODEL = {
    "add_actuator": "ArmBuilder().actuator(type)",
    "add_bracket": "ArmBuilder().bracket(type)",
    "add_end_effector": "ArmBuilder().end_effector(type)",
    "add_joint": "ArmBuilder().joint(axis)",
    "add_link": "ArmBuilder().link(type, extension=, twist=)",
    "add_rigid_body": "ArmBuilder().rigid_body(mass=, com=, inertia=, output=)",
    "dof_count": "dof",
    "element_count": "n_elements",
    "get_dynamic_comp_efforts": "point_mass_dynamics_efforts(q_feedback, q, v, a), the same model, "
    "or inverse_dynamics(q, v, a), the full one",
    "get_element_idx_by_tag": "tags[tag]",
    "get_end_effector": "end_effector(q)",
    "get_forward_kinematics": "forward_kinematics(frame_type, q)",
    "get_forward_kinematics_mat": "forward_kinematics(frame_type, q)",
    "get_frame_count": "frame_count(frame_type)",
    "get_frame_idx_from_element_idx": "frame_elements(frame_type), the element of every frame",
    "get_grav_comp_efforts": "gravity_efforts(q, gravity), in m/s^2: (0, 0, -9.81)",
    "get_jacobian_end_effector": "jacobian(q)",
    "get_jacobians": "jacobians(frame_type, q)",
    "get_jacobians_mat": "jacobians(frame_type, q)",
    "get_payload": "payloads[index]",
    "get_subtree_with_root": "subtree(tag=) or subtree(index=)",
    "import_from_hrdf": "armwright.load(path)",
    "metadata": "elements",
    "set_payload": "with_payload(mass, com), which makes another model",
    "solve_inverse_kinematics": "armwright.ik.solve(model, q0, *objectives)",
}
_BUILDER = {
    name: ours.removeprefix("ArmBuilder().")
    for name, ours in _MODEL.items()
    if name.startswith("add_")
} | {
    name: f"build(), which makes a model, then {ours}"
    for name, ours in _MODEL.items()
    if not name.startswith(("add_", "import_"))
}
_COMMAND = {
    "clear": "GroupCommand(...): each command is made anew, whole",
    "torque": "effort",
}
_FEEDBACK = {
    "get_effort": "effort",
    "get_effort_command": "effort_command",
    "get_position": "position",
    "get_position_command": "position_command",
    "get_velocity": "velocity",
    "get_velocity_command": "velocity_command",
    "receive_time": "time, in seconds since the group was made",
    "torque": "effort",
}
_INFO = {
    "family": "families",
    "mechanical_type": "types",
    "name": "names",
    "position_limit_max": "position_limits[1]",
    "position_limit_min": "position_limits[0]",
}
_GROUP = {
    "add_feedback_handler": "feedback(timeout), called in a loop of your own",
    "get_next_feedback": "feedback(timeout), in seconds",
    "request_info": "info()",
    "send_command": "send(command)",
    "send_command_with_acknowledgement": "send(command)",
    "send_feedback_request": "feedback(timeout), in seconds",
}
_TRAJECTORY = {
    "get_max_acceleration": "max_accelerations()",
    "get_max_velocity": "max_speeds()",
    "get_min_max_position": "position_range()",
    "get_state": "state(t)",
    "number_of_joints": "size",
    "number_of_waypoints": "len(times)",
    "rescale_with_limits": "within_limits(...)",
    "waypoint_times": "times",
}
_IK = {
    "custom_objective": "custom(n_errors, function)",
    "endeffector_position_objective": "position(xyz)",
    "endeffector_so3_objective": "orientation(R)",
    "endeffector_tipaxis_objective": "tip_axis(axis)",
    "joint_limit_constraint": "joint_limits(lower, upper)",
    "solve_inverse_kinematics": "solve(model, q0, *objectives)",
}
_DEVICES = {
    "Lookup": "connect(families, names)",
    "create_group": "connect(families, names)",
    "create_imitation_group": "imitate(n), or simulate(model), which moves like the arm",
    "create_trajectory": "minimum_jerk(times, positions), or plan(model, positions), which finds "
    "the times; one row per waypoint",
    "estimate_segment_times": "estimate_times(...)",
}
_TOP = {
    "Lookup": "devices.connect(families, names)",
    "Group": "devices.ActuatorGroup",
    "GroupCommand": "devices.GroupCommand",
    "GroupFeedback": "devices.GroupFeedback",
    "GroupInfo": "devices.GroupInfo",
    "arm": "devices.follow(group, model, trajectory), and ik",
    "config": "devices.load_config(path)",
    "import_from_hrdf": "load(path)",
    "import_from_hrdf_string": "loads(text)",
    "robot_model": "load(path), ArmBuilder and ik",
    "trajectory": "devices.minimum_jerk(times, positions)",
    "util": "devices.imitate(n), or devices.simulate(model)",
}
OURS = {
    "RobotModel": _MODEL,
    "ArmBuilder": _BUILDER,
    "GroupCommand": _COMMAND,
    "GroupFeedback": _FEEDBACK,
    "GroupInfo": _INFO,
    "ContextOfGroup": _GROUP,  # which every group is
    "Trajectory": _TRAJECTORY,
    "armwright": _TOP,
    "armwright.devices": _DEVICES,
    "armwright.ik": _IK,
}
"""By our class or module: what is called otherwise here, by hebi-py's name."""


def no_attribute(module: str, name: str) -> AttributeError:
    """Return the error for a name that a module has not; of hebi-py's names it says ours."""
    ours = OURS[module].get(name)
    hint = "" if ours is None else f": that is hebi-py's name; here it is {ours}"
    return AttributeError(f"module {module!r} has no attribute {name!r}{hint}")


def answers_hebi_names(cls: Class) -> Class:
    """Let a class answer hebi-py's names with an AttributeError that says ours."""
    for name, ours in OURS[cls.__name__].items():
        assert not hasattr(cls, name), name
        setattr(cls, name, _Elsewhere(name, ours))
    setattr(cls, "__dir__", _names_of)  # noqa: B010 - for type checkers a method is no variable
    return cls


class _Elsewhere:
    """A name of hebi-py's, in the place of an attribute."""

    __slots__ = ("name", "ours")

    def __init__(self, name: str, ours: str) -> None:
        self.name = name
        self.ours = ours

    def __get__(self, instance: object, owner: type) -> NoReturn:
        raise AttributeError(
            f"{owner.__name__!r} object has no attribute {self.name!r}: that is hebi-py's name; "
            f"here it is {self.ours}"
        )

    def __repr__(self) -> str:
        return f"<hebi-py's name for {self.ours}>"


def _names_of(self: object) -> list[str]:
    """List the attributes of an object, without foreign names."""
    foreign = {
        name
        for base in type(self).__mro__
        for name, value in vars(base).items()
        if isinstance(value, _Elsewhere)
    }
    return [name for name in object.__dir__(self) if name not in foreign]
