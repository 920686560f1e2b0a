"""Numbers beyond all measure: refused by name, never NaN; the largest ones that are taken count."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from armwright.errors import ModelError
from armwright.kinematics import RobotModel, RobotState
from tests.kinematics.dynamics_robots import with_drives
from tests.kinematics.robot_states import KINDS
from tests.kinematics.test_state_inputs import PROPERTIES

HUGE = (1e51, 1e160, 1e300)
MOTIONS = {
    "inverse_dynamics": ("q", "v", "a"),
    "forward_dynamics": ("q", "v", "tau"),
    "inverse_dynamics_regressor": ("q", "v", "a"),
    "bias_efforts": ("q", "v"),
    "coriolis": ("q", "v"),
    "kinetic_energy": ("q", "v"),
    "energy": ("q", "v"),
    "potential_energy": ("q",),
    "gravity_efforts": ("q",),
    "mass_matrix": ("q",),
    "momentum_matrix": ("q",),
}
FRAMES = (
    "pose",
    "position",
    "twist",
    "acceleration",
    "bias_acceleration",
    "jacobian",
    "gravity_in",
)
RELATIVE = ("pose", "twist", "acceleration", "bias_acceleration", "jacobian")


@pytest.mark.parametrize("size", HUGE)
@pytest.mark.parametrize("method", MOTIONS)
def test_motions_of_a_model(tree: RobotModel, method: str, size: float) -> None:
    model = with_drives(tree)
    names = MOTIONS[method]
    for batch in ((), (3,)):
        for name in names:
            for sign in (1.0, -1.0):
                values = {other: np.zeros((*batch, 6)) for other in names}
                values[name][..., 2] = sign * size
                with pytest.raises(
                    ModelError, match=rf"{name}: expected 6 joint values of at most"
                ):
                    getattr(model, method)(*values.values())


@pytest.mark.parametrize("size", HUGE)
def test_other_numbers_of_a_model(tree: RobotModel, size: float) -> None:
    zero = np.zeros(6)
    T = np.eye(4)
    T[0, 3] = size
    model = with_drives(tree)
    refused: list[tuple[Callable[[], Any], str]] = [
        (lambda: model.solve_mass(zero, zero + size), "b: expected numbers of at most"),
        (lambda: model.solve_mass(np.zeros((2, 6)), np.full((2, 6), size)), "b: expected numbers"),
        (lambda: model.gravity_efforts(zero, [0, 0, -size]), "gravity: expected numbers of at"),
        (lambda: model.inverse_dynamics(zero, zero, zero, [size, 0, 0]), "gravity: expected num"),
        (lambda: model.external_efforts(zero, {"left hand": [size] * 6}), "'left hand': expected"),
        (lambda: model.with_base_frame(T), "base frame: expected a translation of at most"),
        (lambda: model.with_payload(size, index=0), "payload mass: expected at most"),
        (lambda: model.with_payload(1, [size, 0, 0], index=0), "payload com: expected numbers"),
        (lambda: model.with_joint_dynamics(damping=size), "damping of joint 'trunk': expected at"),
        (lambda: model.jacobian(zero, index=0, point=[0, 0, size]), "point: expected numbers of"),
        (lambda: model.describe(tau=zero + size), "tau: expected 6 joint values of at most"),
    ]
    for call, text in refused:
        with pytest.raises(ModelError, match=text):
            call()


@pytest.mark.parametrize("size", HUGE)
def test_states(tree: RobotModel, size: float) -> None:
    T = np.eye(4)
    T[1, 3] = -size
    given: dict[str, tuple[Any, str]] = {
        "q": (np.full(6, size), "q: expected 6 joint values of at most"),
        "v": (np.full(6, -size), "v: expected 6 joint values of at most"),
        "a": (np.full(6, size), "a: expected 6 joint values of at most"),
        "base_twist": (np.full(6, size), "base_twist: expected 6 numbers of at most"),
        "base_acceleration": (np.full(6, size), "base_acceleration: expected 6 numbers of at"),
        "gravity": ([0.0, size, 0.0], "gravity: expected numbers of at most"),
        "T_world_base": (T, "T_world_base: expected a translation of at most"),
    }
    good = RobotState(tree, np.zeros(6), floating=True)
    for name, (value, text) in given.items():
        arguments: dict[str, Any] = {"q": np.zeros(6), "floating": True, name: value}
        with pytest.raises(ModelError, match=text):
            RobotState(tree, **arguments)
        with pytest.raises(ModelError, match=text):
            good.with_(**{name: value})
    with pytest.raises(ModelError, match="tau: expected 12 numbers of at most"):
        good.forward_dynamics(np.full(12, size))
    with pytest.raises(ModelError, match="b: expected numbers of at most"):
        good.solve_mass(np.full(12, size))
    with pytest.raises(ModelError, match="J: expected numbers of at most"):
        good.constrained_inverse_dynamics(np.full((1, 12), size))
    with pytest.raises(ModelError, match="external wrench at 'left hand': expected numbers"):
        good.joint_wrenches({"left hand": np.full(6, size)})
    with pytest.raises(ModelError, match="point: expected 3 numbers of at most"):
        good.twist(tag="left hand", point=[0.0, 0.0, size])


NO_NUMBERS = ("model", "floating", "representation", "size", "topology", "velocity_names")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("floating", [False, True])
def test_what_is_taken_gives_numbers(tree: RobotModel, floating: bool, kind: str) -> None:
    model = with_drives(tree)
    ones, large = np.ones(6), 1e50
    T = np.eye(4)
    T[0, 3] = large
    changes: list[dict[str, Any]] = [{"v": ones * large}, {"a": ones * large}, {"T_world_base": T}]
    changes += [{"q": [large, 1, 1, 1, 1, 1]}, {"gravity": [large, 0, 0]}]
    if floating:
        changes += [{"base_acceleration": ones * large / 10}, {"base_twist": ones * 1e24}]
        changes += [{"base_twist": ones * 1e24, "v": ones * large, "a": ones * large}]
    for change in changes:
        arguments: dict[str, Any] = {"q": 0.3 * ones, "v": ones, "floating": floating, **change}
        state = RobotState(model, representation=kind, **arguments)
        for name in PROPERTIES:
            if name not in NO_NUMBERS:
                assert np.isfinite(getattr(state, name)).all(), (name, change)
        for name in FRAMES:
            assert np.isfinite(getattr(state, name)("output", 3)).all(), (name, change)
        for name in RELATIVE:
            relative = getattr(state, f"relative_{name}")("left hand", "right hand")
            assert np.isfinite(relative).all(), (name, change)
        for value in (state.inverse_dynamics(), state.joint_wrenches(), state.base_wrench()):
            assert np.isfinite(value).all(), change
        assert np.isfinite(state.forward_dynamics(np.zeros(state.size))).all(), change


def test_an_inertial_base_that_is_too_far_away_to_turn_so_fast(tree: RobotModel) -> None:
    T = np.eye(4)
    T[0, 3] = 1e30
    turning = {"base_twist": [0, 0, 0, 0, 0, 1e30], "T_world_base": T}
    state = RobotState(tree, np.zeros(6), floating=True, representation="inertial", **turning)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=r"base_twist: expected a motion of at most .* got 1e\+60"):
        _ = state.mass_matrix
    spinning = RobotState(
        tree, np.zeros(6), base_twist=[1e30] * 5 + [0.0], floating=True, representation="body"
    )
    with pytest.raises(ModelError, match=r"base_acceleration: expected a motion of at most 1e\+50"):
        spinning.inverse_dynamics()
