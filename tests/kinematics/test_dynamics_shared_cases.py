"""The shared cases of dynamics, with the numbers as they are in their files.

``test_dynamics_cases.py`` has the same kinds in our own words, for checkouts without the files.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armwright.errors import ModelError
from armwright.kinematics import RobotModel, RobotState, loads

pytestmark = pytest.mark.shared
Cases = dict[str, dict[str, Any]]


def near(expected: Any, tolerance: float = 1e-8) -> Any:
    return pytest.approx(np.array(expected, dtype=float), rel=0, abs=tolerance)


def robot(case: dict[str, Any]) -> RobotModel:
    return loads(case["input"]["hrdf"])


def test_c07_the_com_frame_turns_the_inertia(cases: Cases) -> None:
    case = cases["C07"]
    model, q = robot(case), case["input"]["q"]
    assert model.mass_matrix(q) == near(case["expect"]["mass_matrix"], 1e-12)
    assert RobotState(model, q).mass_matrix == near(case["expect"]["mass_matrix"], 1e-12)
    # In the axes of the body: what its element's input frame measures.
    six = model.inertial_parameters[4:]
    I_joint = np.array(
        [[six[0], six[1], six[3]], [six[1], six[2], six[4]], [six[3], six[4], six[5]]]
    )
    state = RobotState(model, q)
    turn = state.orientation("input", 1).T @ state.joint_poses[0, :3, :3]
    assert turn @ I_joint @ turn.T == near(case["expect"]["inertia_in_body_axes"], 1e-12)


def test_c35_gravity_is_an_acceleration(cases: Cases) -> None:
    case = cases["C35"]
    model, q, g = robot(case), case["input"]["q"], np.array(case["input"]["gravity"])
    expect = case["expect"]
    tau = model.gravity_efforts(q, g)
    assert tau == near(expect["gravity_efforts"])
    assert model.gravity_efforts(q, -g) == near(expect["flipped_gravity"])
    still = expect["forward_dynamics_with_these_efforts_at_rest"]
    rest = model.forward_dynamics(q, [0, 0], tau, g)
    assert rest == near(still["qdd"], still["tolerance"])
    slide = loads(
        '<robot version="1.6.0"><joint axis="tz"/><rigid-body mass="3"/><end-effector/></robot>'
    )
    vertical = expect["vertical_slide"]
    assert slide.gravity_efforts([0.0], vertical["gravity"]) == near([vertical["effort"]])


def test_c36_gravity_is_in_world_axes(cases: Cases) -> None:
    case = cases["C36"]
    model, q, g = robot(case), case["input"]["q"], case["input"]["gravity"]
    expect = case["expect"]
    assert model.end_effector(q)[:3, 3] == near(expect["end_effector_xyz"])
    assert model.gravity_efforts(q, g) == near(expect["gravity_efforts"])
    assert RobotState(model, q, gravity=g).gravity_efforts == near(expect["gravity_efforts"])
    there = model.with_base_frame(np.eye(4)).gravity_efforts(q, g)
    assert there == near(expect["after_resetting_base_to_identity"])


def test_c38_payloads_replace(cases: Cases) -> None:
    case = cases["C38"]
    model, q, g = robot(case), case["input"]["q"], case["input"]["gravity"]
    efforts = case["expect"]["efforts"]
    steps = [(0.0, None), (2.0, None), (2.0, [0.1, 0, 0]), (1.0, None), (0.0, None)]
    start = model.gravity_efforts(q, g)
    for (mass, com), expected in zip(steps, efforts, strict=True):
        loaded = model.with_payload(mass) if com is None else model.with_payload(mass, com)
        tau = loaded.gravity_efforts(q, g)
        if not isinstance(expected, str):  # words: as documented, the offset is the origin again
            assert tau == near(expected)
        else:
            assert tau == near(model.with_payload(1.0, [0, 0, 0]).gravity_efforts(q, g), 1e-15)
            assert "the origin again" in " ".join((RobotModel.with_payload.__doc__ or "").split())
        assert loaded.end_effector(q).tobytes() == model.end_effector(q).tobytes()
        assert loaded.jacobian(q).tobytes() == model.jacobian(q).tobytes()
        model = loaded
    assert model.gravity_efforts(q, g).tobytes() == start.tobytes()
    with pytest.raises(ModelError, match="payload mass"):
        model.with_payload(-1.0)


def test_c39_the_parts_agree(cases: Cases) -> None:
    case = cases["C39"]
    given, expect = case["input"], case["expect"]
    model, q, v, a, g = robot(case), given["q"], given["qd"], given["qdd"], given["gravity"]
    near_enough = expect["tolerance"]
    matrix = model.mass_matrix(q)
    assert matrix == near(expect["mass_matrix"], near_enough)
    np.testing.assert_array_equal(matrix, matrix.T)
    assert model.coriolis(q, v) @ v == near(expect["coriolis_efforts"], near_enough)
    assert model.gravity_efforts(q, g) == near(expect["gravity_efforts"], near_enough)
    tau = model.inverse_dynamics(q, v, a, g)
    assert tau == near(expect["inverse_dynamics"], near_enough)
    again = model.forward_dynamics(q, v, tau, g)
    assert again == near(expect["forward_dynamics_of_that"], near_enough)
    state = RobotState(model, q, v, a, gravity=g)
    assert state.mass_matrix == near(expect["mass_matrix"], near_enough)
    assert state.coriolis_efforts == near(expect["coriolis_efforts"], near_enough)
    assert state.inverse_dynamics() == near(expect["inverse_dynamics"], near_enough)
    assert state.forward_dynamics(tau) == near(expect["forward_dynamics_of_that"], near_enough)


def test_c40_rotational_inertia_and_the_approximation(cases: Cases, root: Path) -> None:
    case = cases["C40"]
    given, expect = case["input"], case["expect"]
    model, q, v, a = robot(case), given["q"], given["qd"], given["qdd"]
    assert model.inverse_dynamics(q, v, a, given["gravity"]) == near(expect["inverse_dynamics"])
    approximation = model.point_mass_dynamics_efforts(q, q, v, a)
    assert approximation == near(expect["hebi_compatible_dynamics_compensation"], 1e-6)
    assert "approximation is `point_mass_dynamics_efforts`" in " ".join(
        (root / "docs" / "dynamics.md").read_text(encoding="utf-8").split()
    )


def test_c41_bias_acceleration(cases: Cases) -> None:
    case = cases["C41"]
    given, expect = case["input"], case["expect"]
    model, q, v = robot(case), given["q"], given["qd"]
    expected = [*expect["jdot_qd_linear"], *expect["jdot_qd_angular"]]
    assert model.bias_acceleration(q, v) == near(expected)
    assert RobotState(model, q, v).bias_acceleration() == near(expected)
    zero = expect["zero_velocity"]["value"]
    assert model.bias_acceleration(q, [0, 0]) == near(zero, 0)
    assert RobotState(model, q).bias_acceleration() == near(zero, 0)
