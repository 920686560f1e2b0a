"""Every row of the tables from hebi-py to us, run on both sides; nothing is sent anywhere.

Its formulas are in single precision, so that comparisons stop at 1e-6 relative.
"""

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices, ik
from armwright.errors import FeedbackTimeoutError
from tests.kinematics.migration import Table
from tests.project.sources import ROOT

efforts = Table("dynamics.md", "### hebi-py and HEBI's C++ RobotModel")
robot = Table("hebi-py.md", "## The robot")
motion = Table("hebi-py.md", "## Kinematics and efforts")
inverse = Table("hebi-py.md", "## Inverse kinematics")
modules = Table("hebi-py.md", "## Modules")
again = Table("ik.md", "## Coming from hebi-py")
TABLES = {
    "efforts": efforts,
    "robot": robot,
    "motion": motion,
    "inverse": inverse,
    "modules": modules,
    "again": again,
}
ARM = ROOT / "examples" / "arms" / "six_dof.hrdf"


class Pair:
    """The same arm and configuration in both."""

    def __init__(self, hebi: Any) -> None:
        self.hebi = hebi
        self.theirs = hebi.robot_model.import_from_hrdf(str(ARM))
        self.ours = aw.load(ARM)
        self.q = np.array([0.3, 0.9, 1.6, -0.7, 0.2, 0.1])
        self.seed = self.q + 0.2
        self.target = self.ours.end_effector(self.q)

    def same(self, ours: Any, theirs: Any, close: float = 2e-6) -> None:
        ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
        scale = max(1.0, float(np.abs(ours).max(initial=0.0)))
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=close * scale)

    def solve(self, *objectives: Any) -> Any:
        q = self.theirs.solve_inverse_kinematics(self.seed, *objectives)
        return self.ours.end_effector(np.asarray(q, dtype=float))


@pytest.fixture(scope="module")
def pair() -> Pair:
    hebi = pytest.importorskip("hebi")
    for part in ("robot_model", "trajectory", "util", "config"):
        pytest.importorskip(f"hebi.{part}")
    return Pair(hebi)


@pytest.mark.parametrize("name", TABLES)
def test_every_row_is_run(name: str) -> None:
    assert TABLES[name].missing() == set()


@pytest.mark.hebi
@pytest.mark.parametrize(("name", "key"), [(n, key) for n, t in TABLES.items() for key in t.rows])
def test_a_row_on_both_sides(pair: Pair, name: str, key: str) -> None:
    TABLES[name].runs[key](pair)


@efforts("get_grav_comp_efforts(q, gravity)")
@motion("get_grav_comp_efforts(q, gravity)")
def _(pair: Pair) -> None:
    for g in ([0.0, 0.0, -9.81], [1.0, 2.0, -3.0]):
        theirs = pair.theirs.get_grav_comp_efforts(pair.q, np.array(g))
        pair.same(pair.ours.gravity_efforts(pair.q, g), theirs)
    pair.same(
        pair.ours.gravity_efforts(pair.q), pair.ours.gravity_efforts(pair.q, aw.kinematics.GRAVITY)
    )


@efforts("get_dynamic_comp_efforts(q_feedback, q, v, a)")
@motion("get_dynamic_comp_efforts(q_feedback, q, v, a)")
def _(pair: Pair) -> None:
    v, a = np.linspace(-1, 1, 6), np.linspace(2, -2, 6)
    theirs = pair.theirs.get_dynamic_comp_efforts(pair.q + 0.01, pair.q, v, a)
    ours = pair.ours.point_mass_dynamics_efforts(pair.q + 0.01, pair.q, v, a, dt=1e-2)
    pair.same(ours, theirs, 2e-4)


@efforts("get_masses")
@robot("masses")
def _(pair: Pair) -> None:
    pair.same(pair.ours.masses, pair.theirs.masses)
    pair.same(pair.ours.total_mass, np.sum(pair.theirs.masses))
    pair.same(pair.ours.max_speeds, pair.theirs.max_speeds)
    pair.same(pair.ours.max_efforts, pair.theirs.max_efforts)


@efforts("set_payload(mass=, com=)")
@robot("set_payload(mass=, com=)")
def _(pair: Pair) -> None:
    theirs = pair.hebi.robot_model.import_from_hrdf(str(ARM))
    theirs.set_payload(mass=0.7, com=np.array([0.05, 0.03, 0.02]))
    ours = pair.ours.with_payload(0.7, (0.05, 0.03, 0.02))
    down = np.array([0.0, 0.0, -9.81])
    pair.same(ours.gravity_efforts(pair.q), theirs.get_grav_comp_efforts(pair.q, down))
    assert ours.payloads[0].mass == 0.7


@robot("get_payload(index=)")
def _(pair: Pair) -> None:
    theirs = pair.hebi.robot_model.import_from_hrdf(str(ARM))
    theirs.set_payload(mass=0.7, com=np.array([0.05, 0.03, 0.02]))
    com = np.zeros(3)
    mass = theirs.get_payload(index=0, com_out=com)
    told = pair.ours.with_payload(0.7, (0.05, 0.03, 0.02)).payloads[0]
    pair.same(told.mass, mass)
    pair.same(told.com, com)


@robot("robot_model.import_from_hrdf(path)")
def _(pair: Pair) -> None:
    assert aw.load(ARM).dof == pair.theirs.dof_count


@robot("robot_model.import_from_hrdf_string(text)")
def _(pair: Pair) -> None:
    text = ARM.read_text("utf-8")
    theirs = pair.hebi.robot_model.import_from_hrdf_string(text)
    pair.same(aw.loads(text).masses, theirs.masses)


@robot("RobotModel()")
def _(pair: Pair) -> None:
    theirs = pair.hebi.robot_model.RobotModel()
    theirs.add_actuator("X5-4")
    theirs.add_link("X5", 0.3, 0.1)
    theirs.add_actuator("X5-1")
    builder = aw.ArmBuilder().actuator("X5-4").link("X5", extension=0.3, twist=0.1)
    ours = builder.actuator("X5-1").build()
    pair.same(ours.masses, theirs.masses)
    q = np.array([0.2, -0.4])
    pair.same(ours.forward_kinematics("output", q), poses(theirs, "output", q))


@robot("add_rigid_body(com, inertia, mass, output)")
def _(pair: Pair) -> None:
    theirs = pair.hebi.robot_model.RobotModel()
    com, output = np.array([0.1, 0.0, 0.0]), np.eye(4)
    output[0, 3] = 0.2
    theirs.add_joint("rz")
    theirs.add_rigid_body(com, np.array([0.1, 0.2, 0.2, 0, 0, 0]), 1.5, output)
    ours = aw.ArmBuilder().joint("rz")
    ours.rigid_body(mass=1.5, com=com, inertia=[0.1, 0.2, 0.2, 0, 0, 0], output=output)
    pair.same(ours.build().masses, theirs.masses)
    pair.same(ours.build().forward_kinematics("com", [0.3]), poses(theirs, "com", np.array([0.3])))


def poses(theirs: Any, kind: str, q: Any) -> Any:
    return np.array(theirs.get_forward_kinematics(kind, q)).reshape(-1, 4, 4)


@robot("dof_count")
def _(pair: Pair) -> None:
    assert (pair.ours.dof, pair.ours.n_elements) == (
        pair.theirs.dof_count,
        pair.theirs.element_count,
    )


@robot("metadata")
def _(pair: Pair) -> None:
    assert len(pair.ours.elements) == len(pair.theirs.metadata)
    assert all(element.line > 0 and element.file for element in pair.ours.elements)


@robot("get_element_idx_by_tag(tag)")
def _(pair: Pair) -> None:
    known = {tag: pair.ours.tags[tag] for tag in ("J3_elbow", "probe")}
    for tag, element in known.items():
        assert pair.theirs.get_element_idx_by_tag(tag) == element
        assert pair.ours.elements[element].tag == tag


@robot("base_frame = T")
def _(pair: Pair) -> None:
    theirs = pair.hebi.robot_model.import_from_hrdf(str(ARM))
    T = np.eye(4)
    T[:3, 3] = 1.0, 2.0, 3.0
    theirs.base_frame = T
    pair.same(pair.ours.with_base_frame(T).end_effector(pair.q), theirs.get_end_effector(pair.q))


@robot("get_subtree_with_root(tag=)")
def _(pair: Pair) -> None:
    theirs = pair.theirs.get_subtree_with_root(tag="J3_elbow")
    ours = pair.ours.subtree(tag="J3_elbow")
    assert (ours.dof, ours.n_elements) == (theirs.dof_count, theirs.element_count)
    pair.same(ours.masses, theirs.masses)


@motion("get_forward_kinematics(type, q)")
def _(pair: Pair) -> None:
    for kind in ("output", "com", "endeffector"):
        pair.same(pair.ours.forward_kinematics(kind, pair.q), poses(pair.theirs, kind, pair.q))


@motion("get_end_effector(q)")
def _(pair: Pair) -> None:
    pair.same(pair.ours.end_effector(pair.q), pair.theirs.get_end_effector(pair.q))


@motion("get_jacobians(type, q)")
def _(pair: Pair) -> None:
    theirs = np.array(pair.theirs.get_jacobians("output", pair.q)).reshape(-1, 6, 6)
    pair.same(pair.ours.jacobians("output", pair.q), theirs)


@motion("get_jacobian_end_effector(q)")
def _(pair: Pair) -> None:
    pair.same(pair.ours.jacobian(pair.q), pair.theirs.get_jacobian_end_effector(pair.q))


@inverse("solve_inverse_kinematics(q0, *objectives)")
@again("solve_inverse_kinematics(q0, *objectives)")
@inverse("both of them")
def _(pair: Pair) -> None:
    model = pair.hebi.robot_model
    theirs = pair.solve(
        model.endeffector_position_objective(pair.target[:3, 3]),
        model.endeffector_so3_objective(pair.target[:3, :3]),
    )
    ours = ik.solve(pair.ours, pair.seed, ik.pose(pair.target))
    assert ours.success
    pair.same(pair.ours.end_effector(ours.q), pair.target)
    pair.same(theirs, pair.target, 1e-3)


@inverse("endeffector_position_objective(xyz)")
@again("endeffector_position_objective(xyz)")
def _(pair: Pair) -> None:
    xyz = pair.target[:3, 3]
    theirs = pair.solve(pair.hebi.robot_model.endeffector_position_objective(xyz))
    ours = ik.solve(pair.ours, pair.seed, ik.position(xyz))
    pair.same(pair.ours.end_effector(ours.q)[:3, 3], xyz)
    pair.same(theirs[:3, 3], xyz, 1e-3)
    height = ik.solve(pair.ours, pair.seed, ik.position([None, None, 0.3]))
    assert abs(pair.ours.end_effector(height.q)[2, 3] - 0.3) < 1e-6


@inverse("endeffector_so3_objective(R)")
@again("endeffector_so3_objective(R)")
def _(pair: Pair) -> None:
    R = pair.target[:3, :3]
    theirs = pair.solve(pair.hebi.robot_model.endeffector_so3_objective(R))
    ours = ik.solve(pair.ours, pair.seed, ik.orientation(R))
    pair.same(pair.ours.end_effector(ours.q)[:3, :3], R)
    pair.same(theirs[:3, :3], R, 1e-3)


@inverse("endeffector_tipaxis_objective(axis)")
@again("endeffector_tipaxis_objective(axis)")
def _(pair: Pair) -> None:
    axis = pair.target[:3, 2]
    theirs = pair.solve(pair.hebi.robot_model.endeffector_tipaxis_objective(axis))
    ours = ik.solve(pair.ours, pair.seed, ik.tip_axis(axis))
    pair.same(pair.ours.end_effector(ours.q)[:3, 2], axis)
    pair.same(theirs[:3, 2], axis, 1e-3)


@inverse("joint_limit_constraint(lower, upper)")
@again("joint_limit_constraint(lower, upper)")
def _(pair: Pair) -> None:
    lower, upper = pair.q - 0.3, pair.q + 0.3
    model = pair.hebi.robot_model
    q = pair.theirs.solve_inverse_kinematics(
        pair.seed,
        model.endeffector_position_objective(pair.target[:3, 3]),
        model.joint_limit_constraint(lower, upper),
    )
    limits = ik.joint_limits(lower, upper)
    ours = ik.solve(pair.ours, pair.seed, ik.position(pair.target[:3, 3]), limits)
    for found in (np.asarray(q, dtype=float), ours.q):
        assert (found >= lower - 1e-3).all()
        assert (found <= upper + 1e-3).all()
    assert (ours.q >= lower).all()
    assert (ours.q <= upper).all()


@inverse("custom_objective(n, function)")
@again("custom_objective(n, function)")
def _(pair: Pair) -> None:
    def theirs(q: Any, errors: Any, user_data: Any) -> None:
        errors[0] = q[0] - 0.5

    found = pair.theirs.solve_inverse_kinematics(
        pair.seed, pair.hebi.robot_model.custom_objective(1, theirs)
    )
    ours = ik.solve(pair.ours, pair.seed, ik.custom(1, lambda q: [q[0] - 0.5]))
    assert abs(found[0] - 0.5) < 1e-3
    assert abs(ours.q[0] - 0.5) < 1e-6


@modules("Lookup().get_group_from_names(families, names)")
def _(pair: Pair) -> None:
    """A Lookup sends to the network at once, so that neither side is called."""
    find = inspect.signature(pair.hebi.Lookup.get_group_from_names).parameters
    assert list(find)[1:3] == ["families", "names"]
    assert list(inspect.signature(devices.connect).parameters)[:2] == ["families", "names"]


@modules("hebi.config.load_config(path)")
def _(pair: Pair) -> None:
    path = Path(ROOT / "examples" / "arms" / "six_dof.cfg.yaml")
    theirs, ours = pair.hebi.config.load_config(str(path)), devices.load_config(path)
    assert list(theirs.names) == list(ours.names)
    assert set(theirs.families) == set(ours.families)  # one of theirs stands for all
    assert Path(theirs.hrdf).resolve() == ours.hrdf.resolve()  # type: ignore[union-attr]


@modules("util.create_imitation_group(n)")
def _(pair: Pair) -> None:
    assert pair.hebi.util.create_imitation_group(3).size == 3
    with devices.imitate(3) as group:
        assert group.size == 3
    with devices.simulate(pair.ours) as simulated:
        assert simulated.size == 6


@modules("GroupCommand(n)")
def _(pair: Pair) -> None:
    group, command = pair.hebi.util.create_imitation_group(2), pair.hebi.GroupCommand(2)
    command.position = np.array([0.1, 0.2])
    assert group.send_command(command)
    theirs = group.get_next_feedback().position
    with devices.imitate(2) as ours:
        ours.send(devices.GroupCommand(position=[0.1, 0.2]))
        pair.same(ours.feedback().position, theirs)


@modules("feedback.accelerometer")
def _(pair: Pair) -> None:
    """What hebi-py has in its feedback is copied under the same names; see ``test_imu.py``."""
    theirs = pair.hebi.GroupFeedback(2)
    ours = devices.GroupFeedback(1.0, [0.0, 0.0])
    for name in ("accelerometer", "gyro", "orientation"):
        assert getattr(theirs, name).shape == getattr(ours, name).shape


@modules("group.get_next_feedback()")
def _(pair: Pair) -> None:
    assert pair.hebi.util.create_imitation_group(2).get_next_feedback().position.shape == (2,)
    with devices.simulate(pair.ours) as group:
        assert group.feedback(timeout=0.1).position.shape == (6,)
        group.feedback_frequency = 0.0
        with pytest.raises(FeedbackTimeoutError):
            group.feedback(timeout=0.1)


@modules("group.feedback_frequency")
def _(pair: Pair) -> None:
    theirs = pair.hebi.util.create_imitation_group(2)
    theirs.feedback_frequency = 50.0
    with devices.imitate(2) as ours:
        ours.feedback_frequency = 50.0
        assert ours.feedback_frequency == theirs.feedback_frequency


@modules("group.command_lifetime")
def _(pair: Pair) -> None:
    theirs = pair.hebi.util.create_imitation_group(2)
    theirs.command_lifetime = 250
    with devices.imitate(2) as ours:
        ours.command_lifetime = 0.25
        assert ours.command_lifetime == theirs.command_lifetime / 1000


@modules("trajectory.create_trajectory(t, positions)")
def _(pair: Pair) -> None:
    times, rows = np.array([0.0, 1.0, 2.5]), np.array([[0.0, 1.0], [0.5, -1.0], [1.0, 0.0]])
    theirs = pair.hebi.trajectory.create_trajectory(times, rows.T)  # one column per waypoint
    ours = devices.minimum_jerk(times, rows)
    for t in np.linspace(0.0, 2.5, 11):
        position, velocity, _ = theirs.get_state(t)
        pair.same(ours.state(t)[0], position, 1e-5)
        pair.same(ours.state(t)[1], velocity, 1e-5)
