"""Every row of the tables of docs/hebi-py.md, run on both sides where hebi-py is installed.

A check has the left cell of its row as its name, so that no row comes without one. The lookup of
modules would send to the network: there the errors alone are looked at, which need none.
"""

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices, ik
from armwright.errors import ActuatorNotFoundError, FeedbackTimeoutError, InterfaceMismatchError
from tests.project.hebi_rows import CHECKS, row, rows_of_the_page, same
from tests.project.sources import ROOT

ARM = ROOT / "examples" / "arms" / "six_dof.hrdf"
CONFIG = ROOT / "examples" / "arms" / "six_dof.cfg.yaml"
Q = np.array([0.3, 0.9, 1.6, -0.7, 0.2, 0.0])
DOWN = np.array([0.0, 0.0, -9.81])
TIMES = [0.0, 1.0, 3.0]
COLUMNS = np.array([[0.0, 1.0, 2.0], [0.0, -1.0, 0.5]])  # hebi-py's: one column per waypoint


def test_every_row_has_its_check() -> None:
    assert sorted(rows_of_the_page()) == sorted(CHECKS)


@pytest.mark.hebi
@pytest.mark.parametrize("cell", rows_of_the_page())
def test_row(cell: str) -> None:
    hebi = pytest.importorskip("hebi")
    CHECKS[cell](hebi, hebi.robot_model.import_from_hrdf(str(ARM)), aw.load(ARM))


# ---- the robot


@row("`robot_model.import_from_hrdf(path)`", "`dof_count`, `element_count`")
def _load(hebi: Any, theirs: Any, ours: Any) -> None:
    assert (theirs.dof_count, theirs.element_count) == (ours.dof, ours.n_elements)


@row("`robot_model.import_from_hrdf_string(text)`")
def _loads(hebi: Any, theirs: Any, ours: Any) -> None:
    text = ARM.read_text(encoding="utf-8")
    other = hebi.robot_model.import_from_hrdf_string(text)
    same(aw.loads(text).end_effector(Q), other.get_end_effector(Q))


def _built(hebi: Any) -> Any:
    arm = hebi.robot_model.RobotModel()
    assert arm.add_actuator("X8-9")
    assert arm.add_bracket("X5-HeavyBracket", "right-outside")
    assert arm.add_actuator("X8-16")
    assert arm.add_link("X5", 0.325, 3.14)
    return arm


@row(
    "`RobotModel()`, `add_actuator(type)`, `add_end_effector(type)`",
    '`add_bracket("X5-HeavyBracket", "right-outside")`',
    '`add_link("X5", 0.325, 3.14)`',
)
def _build(hebi: Any, theirs: Any, ours: Any) -> None:
    arm = _built(hebi)
    assert arm.add_end_effector("custom")
    builder = aw.ArmBuilder().actuator("X8-9").bracket("X5HeavyRightOutside").actuator("X8-16")
    model = builder.link("X5", extension=0.325, twist=3.14).end_effector().build()
    same(model.masses, arm.masses)
    same(model.end_effector([0.3, 0.4]), arm.get_end_effector(np.array([0.3, 0.4])))
    with pytest.raises(TypeError, match=r"Write bracket\('X5HeavyRightOutside'\)"):
        aw.ArmBuilder().bracket("X5-HeavyBracket", "right-outside")  # type: ignore[call-arg]


@row("`add_rigid_body(com, inertia, mass, output)`")
def _body(hebi: Any, theirs: Any, ours: Any) -> None:
    arm = hebi.robot_model.RobotModel()
    T = np.eye(4)
    T[:3, 3] = 0.1, 0.2, 0.3
    inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]
    assert arm.add_rigid_body([0.1, 0, 0], inertia, 2.0, T)
    builder = aw.ArmBuilder().rigid_body(mass=2.0, com=[0.1, 0, 0], inertia=inertia, output=T)
    model = builder.build()
    same(model.masses, arm.masses)
    same(model.forward_kinematics("output", []), arm.get_forward_kinematics_mat("output", []))


@row("`add_...` returns `False` for what does not fit")
def _misfit(hebi: Any, theirs: Any, ours: Any) -> None:
    arm = hebi.robot_model.RobotModel()
    assert arm.add_actuator("X8-9")
    assert arm.add_actuator("X8-9") is False
    with pytest.raises(InterfaceMismatchError, match="On X-AO-A fit"):
        aw.ArmBuilder().actuator("X8-9").actuator("X8-9")


@row("`masses`, `max_speeds`, `max_efforts`")
def _masses(hebi: Any, theirs: Any, ours: Any) -> None:
    same(ours.masses, theirs.masses)
    same(ours.max_speeds, theirs.max_speeds)
    same(ours.max_efforts, theirs.max_efforts)
    assert ours.total_mass == pytest.approx(sum(theirs.masses), abs=1e-6)


@row("`metadata`")
def _metadata(hebi: Any, theirs: Any, ours: Any) -> None:
    assert len(theirs.metadata) == len(ours.elements)


@row("`get_element_idx_by_tag(tag)`")
def _tags(hebi: Any, theirs: Any, ours: Any) -> None:
    assert theirs.get_element_idx_by_tag("J3_elbow") == ours.tags["J3_elbow"]


@row("`base_frame = T`")
def _base(hebi: Any, theirs: Any, ours: Any) -> None:
    T = np.eye(4)
    T[:3, 3] = 0.1, 0.2, 0.3
    theirs.base_frame = T
    same(ours.with_base_frame(T).end_effector(Q), theirs.get_end_effector(Q))


@row("`set_payload(mass=, com=)`")
def _payload(hebi: Any, theirs: Any, ours: Any) -> None:
    theirs.set_payload(mass=0.5, com=np.array([0, 0, 0.05]))
    theirs.set_payload(mass=0.7)  # com stays
    loaded = ours.with_payload(0.7, (0, 0, 0.05))
    same(loaded.gravity_efforts(Q), theirs.get_grav_comp_efforts(Q, DOWN))


@row("`get_frame_count(type)`")
def _count(hebi: Any, theirs: Any, ours: Any) -> None:
    for kind in ("output", "com", "input", "endeffector"):
        assert ours.frame_count(kind) == theirs.get_frame_count(kind)


@row("`get_frame_idx_from_element_idx(i, type)`")
def _frame_of(hebi: Any, theirs: Any, ours: Any) -> None:
    for kind in ("output", "com", "input"):
        for i in range(ours.n_elements):
            index = ours.frame_elements(kind).index(i)
            assert index == theirs.get_frame_idx_from_element_idx(i, kind)


@row("`get_subtree_with_root(tag=)`")
def _subtree(hebi: Any, theirs: Any, ours: Any) -> None:
    part = theirs.get_subtree_with_root(tag="J3_elbow")
    assert part.dof_count == ours.subtree(tag="J3_elbow").dof


# ---- kinematics and efforts


@row("`get_forward_kinematics(type, q)`, `get_forward_kinematics_mat(type, q)`")
def _forward(hebi: Any, theirs: Any, ours: Any) -> None:
    poses = ours.forward_kinematics("output", Q)
    same(poses, theirs.get_forward_kinematics("output", Q))
    same(poses, theirs.get_forward_kinematics_mat("output", Q))


@row("`get_end_effector(q)`")
def _end(hebi: Any, theirs: Any, ours: Any) -> None:
    same(ours.end_effector(Q), theirs.get_end_effector(Q))


@row("`get_jacobians(type, q)`, `get_jacobians_mat(type, q)`")
def _jacobians(hebi: Any, theirs: Any, ours: Any) -> None:
    same(ours.jacobians("com", Q), theirs.get_jacobians("com", Q))
    same(ours.jacobians("com", Q), theirs.get_jacobians_mat("com", Q))


@row("`get_jacobian_end_effector(q)`")
def _jacobian(hebi: Any, theirs: Any, ours: Any) -> None:
    same(ours.jacobian(Q), theirs.get_jacobian_end_effector(Q))


@row("`get_grav_comp_efforts(q, gravity)`")
def _gravity(hebi: Any, theirs: Any, ours: Any) -> None:
    same(ours.gravity_efforts(Q), theirs.get_grav_comp_efforts(Q, DOWN))
    same(ours.gravity_efforts(Q, DOWN / 2), theirs.get_grav_comp_efforts(Q, DOWN / 2))


@row("a gravity of length 1, as helpers in HEBI's other libraries take it")
def _unit_gravity(hebi: Any, theirs: Any, ours: Any) -> None:
    unit = np.array([0.0, 0.0, -1.0])
    with pytest.warns(UserWarning, match="was it normalized"):
        efforts = ours.gravity_efforts(Q, unit)
    same(efforts, theirs.get_grav_comp_efforts(Q, unit))
    same(efforts * 9.81, ours.gravity_efforts(Q))
    with pytest.warns(UserWarning, match="points up"):
        ours.gravity_efforts(Q, -DOWN)
    with pytest.warns(UserWarning, match="millimetres"):
        ours.gravity_efforts(Q, DOWN * 1000)


@row("`get_dynamic_comp_efforts(q_feedback, q, v, a)`")
def _dynamics(hebi: Any, theirs: Any, ours: Any) -> None:
    v, a = np.full(6, 0.2), np.full(6, 0.3)
    efforts = ours.point_mass_dynamics_efforts(Q, Q, v, a)
    same(efforts, theirs.get_dynamic_comp_efforts(Q, Q, v, a), atol=1e-4)


# ---- inverse kinematics


@row("`solve_inverse_kinematics(q0, *objectives)`", "`endeffector_position_objective(xyz)`")
def _solve(hebi: Any, theirs: Any, ours: Any) -> None:
    _solve_for(hebi.robot_model.endeffector_position_objective, ik.position, theirs, ours, 3)


def _solve_for(goal: Any, make: Any, theirs: Any, ours: Any, column: int) -> None:
    """Both bring a column of the tool's pose to where it is at Q."""
    wanted = ours.end_effector(Q)[:3, column]
    found = theirs.solve_inverse_kinematics(Q + 0.1, goal(wanted))
    same(ours.end_effector(found)[:3, column], wanted, atol=1e-3)
    assert ik.solve(ours, Q + 0.1, make(wanted)).success


@row("`endeffector_so3_objective(R)`", "both of them")
def _pose(hebi: Any, theirs: Any, ours: Any) -> None:
    T = ours.end_effector(Q)
    goals = hebi.robot_model
    place = goals.endeffector_position_objective(T[:3, 3])
    turn = goals.endeffector_so3_objective(T[:3, :3])
    same(ours.end_effector(theirs.solve_inverse_kinematics(Q + 0.05, place, turn)), T, atol=1e-3)
    assert ik.solve(ours, Q + 0.05, ik.position(T[:3, 3]), ik.orientation(T[:3, :3])).success
    assert ik.solve(ours, Q + 0.05, ik.pose(T)).success


@row("`endeffector_tipaxis_objective(axis)`")
def _axis(hebi: Any, theirs: Any, ours: Any) -> None:
    _solve_for(hebi.robot_model.endeffector_tipaxis_objective, ik.tip_axis, theirs, ours, 2)


@row("`joint_limit_constraint(lower, upper)`")
def _limits(hebi: Any, theirs: Any, ours: Any) -> None:
    lower, upper = np.full(6, -1.0), np.full(6, 2.0)
    assert hebi.robot_model.joint_limit_constraint(lower, upper) is not None
    result = ik.solve(ours, Q, ik.position([0.4, 0.1, 0.3]), ik.joint_limits(lower, upper))
    assert (result.q >= lower).all()
    assert (result.q <= upper).all()


@row("`custom_objective(n, function)`")
def _custom(hebi: Any, theirs: Any, ours: Any) -> None:
    def fill(q: Any, errors: Any, _: Any) -> None:
        errors[0] = q[0] - 0.5

    found = theirs.solve_inverse_kinematics(Q, hebi.robot_model.custom_objective(1, fill))
    assert found[0] == pytest.approx(0.5, abs=1e-3)
    result = ik.solve(ours, Q, ik.custom(1, lambda q: np.array([q[0] - 0.5])))
    assert result.q[0] == pytest.approx(0.5, abs=1e-5)


@row("a custom objective of small weight that holds a posture")
def _posture(hebi: Any, theirs: Any, ours: Any) -> None:
    xyz = np.array([0.35, 0.1, 0.25])

    def fill(q: Any, errors: Any, _: Any) -> None:
        errors[:] = q - Q

    goals = hebi.robot_model
    soft = goals.custom_objective(6, fill, weight=0.1)
    place = goals.endeffector_position_objective(xyz)
    theirs_off = ours.end_effector(theirs.solve_inverse_kinematics(Q, place, soft))[:3, 3] - xyz
    result = ik.solve(ours, Q, ik.position(xyz), ik.posture(Q))
    ours_off = ours.end_effector(result.q)[:3, 3] - xyz
    assert result.success
    assert np.linalg.norm(ours_off) < 1e-5 < np.linalg.norm(theirs_off)


# ---- modules


@row("`Lookup().get_group_from_names(families, names)`", "`get_group_from_names` returns `None`")
def _connect(hebi: Any, theirs: Any, ours: Any) -> None:
    assert hasattr(hebi.Lookup, "get_group_from_names")  # a lookup itself would use the network
    assert callable(devices.connect)
    assert issubclass(ActuatorNotFoundError, RuntimeError)


@row("`hebi.robot_model.import_from_hrdf(config.hrdf)`")
def _arm_of_a_config(hebi: Any, theirs: Any, ours: Any) -> None:
    arm, config = aw.load(CONFIG), hebi.config.load_config(str(CONFIG))
    other = hebi.robot_model.import_from_hrdf(config.hrdf)
    same(arm.end_effector(Q), other.get_end_effector(Q))
    same(arm.reference_configurations["home"], config.user_data["home_position"])


@row("`get_payload(index=)`")
def _payload_read_back(hebi: Any, theirs: Any, ours: Any) -> None:
    other = hebi.robot_model.import_from_hrdf(str(ARM))
    other.set_payload(mass=0.7, com=np.array([0.05, 0.03, 0.02]))
    com = np.zeros(3)
    same(other.get_payload(index=0, com_out=com), 0.7)
    (told,) = ours.with_payload(0.7, (0.05, 0.03, 0.02)).payloads
    assert told.mass == 0.7
    same(told.com, com)


@row("`feedback.accelerometer`, `gyro`, `orientation`")
def _imu(hebi: Any, theirs: Any, ours: Any) -> None:
    for name in ("accelerometer", "gyro", "orientation"):
        mine = getattr(devices.GroupFeedback(1.0, [0.0, 0.0]), name)
        assert getattr(hebi.GroupFeedback(2), name).shape == mine.shape


@row("`hebi.config.load_config(path)`", "`config.config_location`")
def _config(hebi: Any, theirs: Any, ours: Any) -> None:
    other, mine = hebi.config.load_config(str(CONFIG)), devices.load_config(CONFIG)
    assert list(mine.names) == list(other.names)
    assert mine.file.parent == Path(other.config_location)
    assert mine.user_data["home_position"] == other.user_data["home_position"]


@row("`util.create_imitation_group(n)`", "`group.get_next_feedback()`")
def _imitate(hebi: Any, theirs: Any, ours: Any) -> None:
    assert hebi.util.create_imitation_group(3).get_next_feedback().size == 3
    with devices.imitate(3) as group, devices.simulate(ours) as simulated:
        assert group.feedback(timeout=0.5).size == 3
        assert simulated.feedback(timeout=0.1).size == ours.dof


@row("`get_next_feedback` returns `None`")
def _timeout(hebi: Any, theirs: Any, ours: Any) -> None:
    with devices.simulate(ours) as group:
        group.feedback_frequency = 0.0
        with pytest.raises(FeedbackTimeoutError):
            group.feedback(timeout=0.01)


@row(
    "`GroupCommand(n)`, then `cmd.position = ...`; `group.send_command(cmd)`",
    "`cmd.velocity = 0.5`, one number for all",
)
def _command(hebi: Any, theirs: Any, ours: Any) -> None:
    other = hebi.GroupCommand(2)
    other.position = [0.1, 0.2]
    other.velocity = 0.5
    mine = devices.GroupCommand(position=[0.1, 0.2], velocity=0.5)
    same(mine.position, other.position)
    same(mine.velocity, other.velocity)
    hebi.util.create_imitation_group(2).send_command(other)
    with devices.imitate(2) as group:
        group.send(mine)
        group.send(devices.GroupCommand(velocity=0.5))
        same(group.feedback(timeout=0.5).velocity_command, [0.5, 0.5])


@row("`group.feedback_frequency`", "`group.command_lifetime`, in ms")
def _settings(hebi: Any, theirs: Any, ours: Any) -> None:
    other = hebi.util.create_imitation_group(2)
    with devices.imitate(2) as group:
        other.feedback_frequency, group.feedback_frequency = 50.0, 50.0
        other.command_lifetime, group.command_lifetime = 300, 0.3
        assert other.feedback_frequency == group.feedback_frequency
        assert other.command_lifetime == 1000 * group.command_lifetime


@row("`trajectory.create_trajectory(t, positions)`", "`get_state(t)`")
def _trajectory(hebi: Any, theirs: Any, ours: Any) -> None:
    other = hebi.trajectory.create_trajectory(TIMES, COLUMNS)
    mine = devices.minimum_jerk(TIMES, COLUMNS.T)
    for t in (0.2, 1.0, 2.5):
        for a, b in zip(mine.state(t), other.get_state(t), strict=True):
            same(a, b, atol=1e-9)


@row("`create_trajectory(t, positions, velocity, acceleration)`")
def _derivatives(hebi: Any, theirs: Any, ours: Any) -> None:
    free = math.nan
    v = np.array([[0.0, free, 0.2], [0.0, 0.5, 0.0]])
    a = np.array([[0.0, free, 0.0], [0.0, free, 0.0]])
    other = hebi.trajectory.create_trajectory(TIMES, COLUMNS, v, a)
    mine = devices.minimum_jerk(TIMES, COLUMNS.T, v.T, a.T)
    for t in (0.2, 1.0, 2.5):
        for one, two in zip(mine.state(t), other.get_state(t), strict=True):
            same(one, two, atol=1e-9)


@row("`waypoint_times`, `number_of_waypoints`, `number_of_joints`")
def _sizes(hebi: Any, theirs: Any, ours: Any) -> None:
    other = hebi.trajectory.create_trajectory(TIMES, COLUMNS)
    mine = devices.minimum_jerk(TIMES, COLUMNS.T)
    same(mine.times, other.waypoint_times)
    assert len(mine.times) == other.number_of_waypoints
    assert mine.size == other.number_of_joints
    for name in ("duration", "start_time", "end_time"):
        assert getattr(mine, name) == pytest.approx(getattr(other, name))


def test_nothing_here_warns_unasked() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        aw.load(ARM).gravity_efforts(Q, DOWN)
