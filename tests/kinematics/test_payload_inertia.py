"""Payloads with an inertia of their own, and payloads read back."""

import copy
import dataclasses
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright.errors import ModelError
from armwright.hrdf import RigidBody
from armwright.kinematics import Payload, RobotModel, RobotState
from armwright.kinematics.robot import fit_pose
from tests.kinematics.dynamics_robots import motion
from tests.oracles import rotation_about

ROD = [0.25, 0.001, 0.25, 0.0, 0.0, 0.0]  # 3 kg, 1 m, along y
HRDF = """<robot version="1.6.0"><joint axis="rz"/>
<rigid-body mass="0.5" ixx="0.001" iyy="0.001" izz="0.001"/><end-effector/></robot>"""
TILTED = """<robot version="1.6.0"><actuator type="X8-9"/><rigid-body mass="1" com_trans="0.1 0.2 0"
 ixx="0.01" iyy="0.02" izz="0.02" output_trans="0.3 0 0.1" output_rot="Rx(0.4)*Rz(1.1)"/>
<joint axis="ry" gear_ratio="-2"/><rigid-body mass="0.4" output_rot="Rz(0.3)"/>{}
<end-effector output_trans="0.1 0.05 0.2" output_rot="Ry(0.7)*Rx(-0.2)" tag="hand"/></robot>"""


def test_c55_a_rod_across_the_axis() -> None:
    model = aw.loads(HRDF)
    rod = model.with_payload(3.0, (0, 0, 0.05), inertia=ROD)
    np.testing.assert_allclose(rod.mass_matrix([0.0]), [[0.251]], rtol=1e-14)  # m l^2 / 12
    np.testing.assert_allclose(rod.inverse_dynamics([0.0], [0.0], [1.0]), [0.251], rtol=1e-14)
    point = model.with_payload(3.0, (0, 0, 0.05))
    np.testing.assert_array_equal(rod.gravity_efforts([0.4]), point.gravity_efforts([0.4]))
    assert rod.with_payload(0.0) == model
    np.testing.assert_array_equal(rod.with_payload(0.0).mass_matrix([0.0]), [[0.001]])


def random_inertia(rng: np.random.Generator) -> Any:
    """Principal moments of a body, turned; a symmetric matrix."""
    a, b, c = rng.uniform(0.01, 0.2, size=3)
    R = rotation_about(rng.normal(size=3), 1.3)
    I = R @ np.diag([b + c, a + c, a + b]) @ R.T  # noqa: E741
    return 0.5 * (I + I.T)


@pytest.mark.parametrize("frame", ["input", "output"])
def test_it_is_the_same_as_a_body_in_the_description(frame: str) -> None:
    rng = np.random.default_rng(5)
    I, com = random_inertia(rng), rng.uniform(-0.2, 0.2, size=3)  # noqa: E741
    carried = aw.loads(TILTED.format("")).with_payload(2.5, com, frame=frame, inertia=I)  # type: ignore[arg-type]
    plain = aw.loads(TILTED.format("<rigid-body mass='0'/>"))
    place = np.eye(4)
    if frame == "output":
        ends = plain.end_effector(np.zeros(2)), plain.forward_kinematics("input", np.zeros(2))[-1]
        place = np.linalg.inv(ends[1]) @ ends[0]
    six = [*np.diag(I), I[0, 1], I[0, 2], I[1, 2]]
    T = np.array(place)
    T[:3, 3] += place[:3, :3] @ com
    massless = next(e for e in plain.elements if isinstance(e, RigidBody) and not e.mass)
    body = dataclasses.replace(
        massless,
        mass=2.5,
        com=fit_pose(T),
        inertia=tuple(six),
    )
    elements = tuple(body if e is massless else e for e in plain.description.elements)
    twin = RobotModel(dataclasses.replace(plain.description, elements=elements))
    q, v, a = motion(carried, 1)[0]
    for name, arguments in {
        "inverse_dynamics": (q, v, a),
        "mass_matrix": (q,),
        "coriolis": (q, v),
        "kinetic_energy": (q, v),
        "momentum_matrix": (q,),
        "inverse_dynamics_regressor": (q, v, a),
    }.items():
        ours, theirs = getattr(carried, name)(*arguments), getattr(twin, name)(*arguments)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(carried.inertial_parameters, twin.inertial_parameters, atol=1e-14)
    Y = carried.inverse_dynamics_regressor(q, v, a)
    efforts = carried.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(Y @ carried.inertial_parameters, efforts, atol=1e-12)
    for floating in (False, True):
        here, there = (RobotState(m, q, v, a, floating=floating) for m in (carried, twin))
        np.testing.assert_allclose(here.inverse_dynamics(), there.inverse_dynamics(), atol=1e-12)
        np.testing.assert_allclose(here.locked_inertia, there.locked_inertia, atol=1e-12)
        np.testing.assert_allclose(here.mass_matrix, there.mass_matrix, atol=1e-12)


def test_payloads_are_read_back(tree: RobotModel) -> None:
    nothing = Payload()
    assert tree.payloads == (nothing, nothing)
    loaded = tree.with_payload(0.5, (0.1, 0, 0), frame="output", tag="right hand", inertia=ROD)
    assert loaded.payloads[0] == nothing
    one = loaded.payloads[1]
    assert (one.mass, one.com, one.frame) == (0.5, (0.1, 0.0, 0.0), "output")
    assert one.inertia == tuple(ROD)
    again = tree.with_payload(one.mass, one.com, frame=one.frame, index=1, inertia=one.inertia)
    assert again == loaded


def test_it_is_kept_and_compared(tree: RobotModel, tmp_path: Path) -> None:
    loaded = tree.with_payload(0.5, tag="right hand", inertia=ROD)
    assert loaded != tree.with_payload(0.5, tag="right hand")
    assert hash(loaded) != hash(tree.with_payload(0.5, tag="right hand"))
    loaded.save(tmp_path / "loaded.npz")
    for model in (
        RobotModel.load(tmp_path / "loaded.npz"),
        pickle.loads(pickle.dumps(loaded)),
        copy.copy(loaded),
        loaded.with_base_frame(np.eye(4)).with_base_frame(tree.base_frame),
    ):
        assert model == loaded
        assert model.payloads == loaded.payloads
    assert loaded.subtree(tag="forearm").payloads == (loaded.payloads[1],)


def test_a_matrix_is_the_same_as_six_numbers(planar: RobotModel) -> None:
    I = [[0.3, 0.01, -0.02], [0.01, 0.2, 0.03], [-0.02, 0.03, 0.25]]  # noqa: E741
    six = [0.3, 0.2, 0.25, 0.01, -0.02, 0.03]
    assert planar.with_payload(1, inertia=I) == planar.with_payload(1, inertia=six)
    assert planar.with_payload(1, inertia=[0] * 6) == planar.with_payload(1)
    assert planar.with_payload(0, inertia=[0] * 6) == planar


@pytest.mark.parametrize(
    ("mass", "inertia", "words"),
    [
        (1, [1, 0.1, 0.1, 0, 0, 0], "no body has this inertia: its principal moments are"),
        (1, [-1, 1, 1, 0, 0, 0], "no body has this inertia"),
        (1, [1, 1, 1, 5, 0, 0], "no body has this inertia"),
        (0, [1, 1, 1, 0, 0, 0], "expected none, as the payload has no mass"),
        (1, [1, 1, 1], r"expected shape \(6,\) or \(3, 3\).*ixx, iyy, izz, ixy, ixz, iyz"),
        (1, [[1, 2, 0], [0, 1, 0], [0, 0, 1]], "symmetric"),
        (1, [1, 1, np.nan, 0, 0, 0], "finite"),
        (1, [1e60] * 3 + [0] * 3, "at most 1e"),
        (1, "heavy", "expected numbers"),
    ],
)
def test_what_no_payload_has(planar: RobotModel, mass: Any, inertia: Any, words: str) -> None:
    with pytest.raises(ModelError, match=f"payload inertia: .*{words}"):
        planar.with_payload(mass, inertia=inertia)
