"""Another gravity: as a default of the model, and one for every sample of a batch; wrenches too."""

import copy
import dataclasses
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices, ik, kinematics
from armwright.errors import JointVectorError, ModelError, ModelFileError, TrajectoryError
from armwright.kinematics import GRAVITY, RobotModel, RobotState
from tests.kinematics.dynamics_robots import motion, with_drives

MOON = np.array([0.3, -0.2, -1.62])


def test_the_usual_gravity_is_public(robot: RobotModel) -> None:
    assert robot.gravity.tolist() == list(GRAVITY)
    assert robot.with_gravity(GRAVITY) == robot


def test_every_answer_is_that_of_the_argument(robot: RobotModel) -> None:
    robot = with_drives(robot)
    moon = robot.with_gravity(MOON)
    q, v, a = motion(robot)[0]
    same = np.testing.assert_array_equal
    assert moon.gravity.tolist() == MOON.tolist()
    same(moon.gravity_efforts(q), robot.gravity_efforts(q, MOON))
    same(moon.inverse_dynamics(q, v, a), robot.inverse_dynamics(q, v, a, MOON))
    same(moon.forward_dynamics(q, v, a), robot.forward_dynamics(q, v, a, MOON))
    same(moon.bias_efforts(q, v), robot.bias_efforts(q, v, MOON))
    same(moon.potential_energy(q), robot.potential_energy(q, MOON))
    same(moon.energy(q, v), robot.energy(q, v, MOON))
    Y = moon.inverse_dynamics_regressor(q, v, a)
    same(Y, robot.inverse_dynamics_regressor(q, v, a, MOON))
    for floating in (False, True):
        here = RobotState(robot, q, v, a, gravity=MOON, floating=floating)
        there = RobotState(moon, q, v, a, floating=floating)
        assert there.gravity.tolist() == MOON.tolist()
        same(there.inverse_dynamics(), here.inverse_dynamics())
        same(there.gravity_efforts, here.gravity_efforts)
        same(there.base_wrench(), here.base_wrench())
    # An argument still wins, and what has no weight does not change.
    same(moon.gravity_efforts(q, GRAVITY), robot.gravity_efforts(q))
    same(moon.mass_matrix(q), robot.mass_matrix(q))
    same(moon.forward_kinematics("com", q), robot.forward_kinematics("com", q))


def test_it_stays_with_the_model(robot: RobotModel, tmp_path: Path) -> None:
    moon = robot.with_gravity(MOON)
    assert moon != robot
    assert hash(moon) != hash(robot)
    moon.save(tmp_path / "moon.npz")
    for again in (
        RobotModel.load(tmp_path / "moon.npz"),
        pickle.loads(pickle.dumps(moon)),
        copy.deepcopy(moon),
    ):
        assert again == moon
        assert again.gravity.tolist() == MOON.tolist()
    for other in (
        moon.with_base_frame(np.eye(4)),
        moon.with_joint_dynamics(damping=1.0),
        moon.with_floating_base(),
        moon.subtree(index=robot.n_elements // 2),
        moon.with_joint_names([f"axis {i}" for i in range(robot.dof)]),
    ):
        assert other.gravity.tolist() == MOON.tolist()
    assert moon.with_gravity([0, 0, -9.81]) == robot
    assert "gravity 0.3 -0.2 -1.62 m/s^2" in moon.describe()
    assert "gravity" not in robot.describe()
    # What a file cannot mean is refused.
    for number in (float("nan"), float("inf")):
        bad = moon._variant(
            annotations=dataclasses.replace(moon._annotations, gravity=(0.0, 0.0, number))
        )
        bad.save(tmp_path / "bad.npz")
        with pytest.raises(ModelFileError, match="damaged: gravity: expected a number"):
            RobotModel.load(tmp_path / "bad.npz")


def test_plans_searches_and_simulation_take_it() -> None:
    arm = aw.load("examples/arms/six_dof.hrdf").with_payload(1.0)
    heavy = arm.with_gravity([0.0, 0.0, -40.0])
    q = np.array([0.3, 0.9, 1.6, -0.7, 0.2, 0.0])
    with devices.simulate(heavy, q0=q) as group:
        held = group.feedback().effort
    np.testing.assert_array_equal(held, heavy.clip(heavy.gravity_efforts(q), "effort"))
    with pytest.raises(TrajectoryError, match="gravity asks"):
        devices.plan(heavy, [[0.0] * 6, [0.0, 0.3, 0.0, 0.0, 0.0, 0.0]])
    target = ik.position([0.3, 0.2, 0.4])
    found = ik.solve(heavy, q, target, ik.least_effort())
    said = ik.solve(arm, q, target, ik.least_effort(gravity=[0, 0, -40.0]))
    np.testing.assert_array_equal(found.q, said.q)
    np.testing.assert_array_equal(found.residuals[-1], said.residuals[-1])
    np.testing.assert_array_equal(found.residuals[-1], -heavy.gravity_efforts(found.q))
    report = kinematics.static_capability(heavy, q)
    np.testing.assert_array_equal(report.efforts[0], heavy.gravity_efforts(q))
    light = aw.load("examples/arms/six_dof.hrdf").with_gravity([0.0, 0.0, -5.0])
    limit = kinematics.largest_payload(light, 0.5 * q).mass
    earth = light.with_gravity(GRAVITY)
    assert limit == kinematics.largest_payload(earth, 0.5 * q, gravity=[0, 0, -5.0]).mass
    assert limit > kinematics.largest_payload(earth, 0.5 * q).mass
    reading = devices.doctor.StillReading(q, heavy.gravity_efforts(q))
    assert devices.doctor.diagnose(heavy, [reading]).verdict == "fits"


@pytest.mark.parametrize("bad", [[0, 0], [[0, 0, -9.81]], [0, 0, np.nan], "down", None])
def test_what_is_no_gravity(planar: RobotModel, bad: Any) -> None:
    with pytest.raises(ModelError, match="gravity: expected"):
        planar.with_gravity(bad)
    if bad is not None and bad != [[0, 0, -9.81]]:
        with pytest.raises(ModelError, match="gravity: expected"):
            planar.gravity_efforts([0, 0], bad)


def test_a_normalized_one_warns_at_the_caller(planar: RobotModel) -> None:
    for call in (planar.with_gravity, lambda g: planar.gravity_efforts([0, 0], [g, g])):
        with pytest.warns(UserWarning, match="length 1: was it normalized") as caught:
            call([0, 0, -1])
        assert caught[0].filename == __file__


@pytest.mark.filterwarnings("ignore:.*points up")  # any direction will do
def test_one_gravity_per_sample_is_a_loop(robot: RobotModel) -> None:
    robot = with_drives(robot)
    rng = np.random.default_rng(3)
    q, v, a = np.moveaxis(motion(robot, count=6), 0, 1)
    G = rng.uniform(-10, 10, size=(6, 3))
    calls = {
        "gravity_efforts": (q,),
        "inverse_dynamics": (q, v, a),
        "forward_dynamics": (q, v, a),
        "bias_efforts": (q, v),
        "potential_energy": (q,),
        "energy": (q, v),
        "inverse_dynamics_regressor": (q, v, a),
    }
    for name, arguments in calls.items():
        call = getattr(robot, name)
        together = call(*arguments, gravity=G)
        alone = [call(*(x[i] for x in arguments), gravity=G[i]) for i in range(6)]
        np.testing.assert_array_equal(together, alone)
        one_q = call(*(x[0] for x in arguments), gravity=G)  # leading axes broadcast
        np.testing.assert_array_equal(one_q[0], alone[0])
        grid = call(*(x[:, None] for x in arguments), gravity=G[:2])
        assert grid.shape[:2] == (6, 2)
        np.testing.assert_array_equal(grid[0, 0], alone[0])
        if "energy" not in name:
            out = np.empty_like(together)
            assert call(*arguments, gravity=G, out=out) is out
            np.testing.assert_array_equal(out, together)
    with pytest.raises(JointVectorError, match=r"q, gravity: expected leading axes that fit"):
        robot.gravity_efforts(q, G[:4])


def test_one_wrench_per_sample_is_a_loop(robot: RobotModel) -> None:
    robot = with_drives(robot)
    rng = np.random.default_rng(4)
    q, v, a = np.moveaxis(motion(robot, count=5), 0, 1)
    G, W = rng.uniform(-10, 10, size=(5, 3)), rng.uniform(-10, 10, size=(5, 6))
    fixed = rng.uniform(-10, 10, size=6)
    ends = ("endeffector", 0), ("input", 1)
    for name, arguments in {
        "external_efforts": (q,),
        "inverse_dynamics": (q, v, a),
        "forward_dynamics": (q, v, a),
    }.items():
        call = getattr(robot, name)
        more = {} if name == "external_efforts" else {"gravity": G}
        together = call(*arguments, external_wrenches={ends[0]: W, ends[1]: fixed}, **more)
        for i in range(5):
            own = {"gravity": G[i]} if more else {}
            pushes = {ends[0]: W[i], ends[1]: fixed}
            alone = call(*(x[i] for x in arguments), external_wrenches=pushes, **own)
            np.testing.assert_allclose(together[i], alone, rtol=1e-13, atol=1e-13)
    many = robot.external_efforts(q[0], {ends[0]: W})
    assert many.shape == (5, robot.dof)
    out = np.empty((5, robot.dof))
    assert robot.external_efforts(q[0], {ends[0]: W}, out) is out
    np.testing.assert_array_equal(out, many)
    with pytest.raises(ModelError, match="external_wrenches: expected leading axes that fit"):
        robot.external_efforts(q, {ends[0]: W, ends[1]: W[:2]})
    with pytest.raises(JointVectorError, match="q, external_wrenches: expected leading axes"):
        robot.external_efforts(q[:2], {ends[0]: W})
    with pytest.raises(ModelError, match=r"expected shape \(6,\)"):
        RobotState(robot, q[0]).external_efforts({ends[0]: W})
    assert (robot.external_efforts(q, {}) == 0).all()
