"""Every row of the tables from hebi-py to us, run on both sides; nothing is sent anywhere.

Its formulas are in single precision, so that comparisons stop at 1e-6 relative.
"""

from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from tests.kinematics.migration import Table
from tests.project.sources import ROOT

efforts = Table("dynamics.md", "### hebi-py and HEBI's C++ RobotModel")
again = Table("ik.md", "## Coming from hebi-py")
TABLES = {
    "efforts": efforts,
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
def _(pair: Pair) -> None:
    for g in ([0.0, 0.0, -9.81], [1.0, 2.0, -3.0]):
        theirs = pair.theirs.get_grav_comp_efforts(pair.q, np.array(g))
        pair.same(pair.ours.gravity_efforts(pair.q, g), theirs)
    pair.same(
        pair.ours.gravity_efforts(pair.q), pair.ours.gravity_efforts(pair.q, aw.kinematics.GRAVITY)
    )


@efforts("get_dynamic_comp_efforts(q_feedback, q, v, a)")
def _(pair: Pair) -> None:
    v, a = np.linspace(-1, 1, 6), np.linspace(2, -2, 6)
    theirs = pair.theirs.get_dynamic_comp_efforts(pair.q + 0.01, pair.q, v, a)
    ours = pair.ours.point_mass_dynamics_efforts(pair.q + 0.01, pair.q, v, a, dt=1e-2)
    pair.same(ours, theirs, 2e-4)


@efforts("get_masses")
def _(pair: Pair) -> None:
    pair.same(pair.ours.masses, pair.theirs.masses)
    pair.same(pair.ours.total_mass, np.sum(pair.theirs.masses))
    pair.same(pair.ours.max_speeds, pair.theirs.max_speeds)
    pair.same(pair.ours.max_efforts, pair.theirs.max_efforts)


@efforts("set_payload(mass=, com=)")
def _(pair: Pair) -> None:
    theirs = pair.hebi.robot_model.import_from_hrdf(str(ARM))
    theirs.set_payload(mass=0.7, com=np.array([0.05, 0.03, 0.02]))
    ours = pair.ours.with_payload(0.7, (0.05, 0.03, 0.02))
    down = np.array([0.0, 0.0, -9.81])
    pair.same(ours.gravity_efforts(pair.q), theirs.get_grav_comp_efforts(pair.q, down))
    assert ours.payloads[0].mass == 0.7


def check_goal(pair: Pair, name: str, make: Any, part: Any) -> None:
    """Both reach a part of the target pose."""
    wanted = pair.target[part]
    theirs = getattr(pair.hebi.robot_model, f"endeffector_{name}_objective")(wanted)
    pair.same(pair.solve(theirs)[part], wanted, 1e-3)
    ours = ik.solve(pair.ours, pair.seed, make(wanted))
    pair.same(pair.ours.end_effector(ours.q)[part], wanted)


@again("solve_inverse_kinematics(q0, *objectives)")
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


@again("endeffector_position_objective(xyz)")
def _(pair: Pair) -> None:
    check_goal(pair, "position", ik.position, np.s_[:3, 3])
    height = ik.solve(pair.ours, pair.seed, ik.position([None, None, 0.3]))
    assert abs(pair.ours.end_effector(height.q)[2, 3] - 0.3) < 1e-6


@again("endeffector_so3_objective(R)")
def _(pair: Pair) -> None:
    check_goal(pair, "so3", ik.orientation, np.s_[:3, :3])


@again("endeffector_tipaxis_objective(axis)")
def _(pair: Pair) -> None:
    check_goal(pair, "tipaxis", ik.tip_axis, np.s_[:3, 2])


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
