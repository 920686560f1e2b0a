"""Dynamics of the model: identities between its parts, and what it does with odd input."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright import loads
from armwright.errors import FrameNotFoundError, JointVectorError, ModelError
from armwright.kinematics import RobotModel
from tests import oracles
from tests.kinematics.conftest import TREE

FloatArray = npt.NDArray[np.float64]
G = (1.0, -3.0, -9.0)


@pytest.fixture
def arm(robot: RobotModel) -> RobotModel:
    """A robot of each kind whose every joint moves inertia and has a drive."""
    n = robot.dof
    drives = np.linspace(0.1, 0.5, n)
    return robot.with_joint_dynamics(rotor_inertia=drives, damping=drives / 2, friction=drives / 3)


def motion(model: RobotModel, seed: int = 0, count: int = 1) -> FloatArray:
    """q, v, a, shape (count, 3, dof)."""
    return np.random.default_rng(seed).uniform(-2, 2, size=(count, 3, model.dof))


@pytest.mark.kernels
def test_the_parts_add_up_to_inverse_dynamics(robot: RobotModel) -> None:
    for q, v, a in motion(robot, count=5):
        tau = robot.inverse_dynamics(q, v, a, G)
        M, C, g = robot.mass_matrix(q), robot.coriolis(q, v), robot.gravity_efforts(q, G)
        np.testing.assert_allclose(M @ a + C @ v + g, tau, atol=1e-12)
        np.testing.assert_allclose(C @ v + g, robot.bias_efforts(q, v, G), atol=1e-12)
        np.testing.assert_array_equal(M, M.T)
        parameters = robot.inertial_parameters
        np.testing.assert_allclose(
            robot.inverse_dynamics_regressor(q, v, a, G) @ parameters, tau, atol=1e-12
        )


@pytest.mark.kernels
def test_gravity_is_inverse_dynamics_at_rest(robot: RobotModel) -> None:
    q, _, _ = motion(robot)[0]
    rest = np.zeros(robot.dof)
    for gravity in (None, G):
        np.testing.assert_allclose(
            robot.inverse_dynamics(q, rest, rest, gravity),
            robot.gravity_efforts(q, gravity),
            atol=1e-13,
        )


@pytest.mark.kernels
def test_forward_undoes_inverse(arm: RobotModel) -> None:
    wrenches: Any = {("output", 0): [1, 2, 3, 4, 5, 6], ("input", arm.n_elements - 1): np.ones(6)}
    for q, v, a in motion(arm, count=5):
        for external in (None, wrenches):
            tau = arm.inverse_dynamics(q, v, a, G, external_wrenches=external)
            again = arm.forward_dynamics(q, v, tau, G, external_wrenches=external)
            np.testing.assert_allclose(again, a, rtol=1e-9, atol=1e-9)


def test_solve_mass(arm: RobotModel) -> None:
    rng = np.random.default_rng(3)
    n = arm.dof
    Q = rng.normal(size=(4, n))
    M = arm.mass_matrix(Q)
    for b in (rng.normal(size=(4, n)), rng.normal(size=(4, n, 3))):
        x = arm.solve_mass(Q, b)
        assert x.shape == b.shape
        back = np.einsum("bij,bj...->bi...", M, x)
        np.testing.assert_allclose(back, b, atol=1e-10)
        for i in range(4):
            np.testing.assert_array_equal(arm.solve_mass(Q[i], b[i]), x[i])
            out = np.empty(b[i].shape)
            assert arm.solve_mass(Q[i], b[i], out) is out
            np.testing.assert_array_equal(out, x[i])
    with pytest.raises(ModelError, match=r"b: expected shape \(4, \d+\) or \(4, \d+, k\), got"):
        arm.solve_mass(Q, np.ones(n))


def test_mass_matrix_changes_with_the_coriolis_matrix(robot: RobotModel) -> None:
    for seed in range(3):
        q, v, _ = motion(robot, seed)[0]
        C = robot.coriolis(q, v)
        rate = oracles.differences(lambda t, q=q, v=v: robot.mass_matrix(q + t[0] * v), [0.0])[
            ..., 0
        ]
        np.testing.assert_allclose(C + C.T, rate, atol=1e-7)
        skew = rate - 2 * C
        np.testing.assert_allclose(skew, -skew.T, atol=1e-7)


def test_coriolis_matrix_holds_christoffel_symbols(robot: RobotModel) -> None:
    q, v, _ = motion(robot)[0]
    D = oracles.differences(robot.mass_matrix, q)  # (i, j, k): dM_ij / dq_k
    symbols = 0.5 * (D + np.einsum("ikj->ijk", D) - np.einsum("jki->ijk", D))
    np.testing.assert_allclose(robot.coriolis(q, v), symbols @ v, atol=1e-6)


def test_efforts_are_the_derivatives_of_the_energies(robot: RobotModel) -> None:
    q, v, a = motion(robot)[0]

    def potential(x: FloatArray) -> Any:
        return robot.potential_energy(x, G)

    slope = oracles.differences(potential, q)
    np.testing.assert_allclose(robot.gravity_efforts(q, G), slope, atol=1e-6)
    assert robot.potential_energy(q, G) == pytest.approx(
        oracles.potential_energy(robot.description, q, G), abs=1e-12
    )
    # Lagrange: d/dt (dT/dv) - dT/dq = tau, where d/dt (dT/dv) is that of M v.
    momentum = oracles.differences(
        lambda t: robot.mass_matrix(q + t[0] * v) @ (v + t[0] * a), [0.0]
    )[..., 0]
    slope = oracles.differences(lambda x: robot.kinetic_energy(x, v), q)
    tau = robot.inverse_dynamics(q, v, a, (0, 0, 0))
    np.testing.assert_allclose(momentum - slope, tau, atol=1e-6)


def test_kinetic_energy(arm: RobotModel) -> None:
    q, v, _ = motion(arm)[0]
    assert arm.kinetic_energy(q, v) == pytest.approx(0.5 * v @ arm.mass_matrix(q) @ v, rel=1e-12)
    expected = arm.kinetic_energy(q, v) + arm.potential_energy(q, G)
    assert arm.energy(q, v, G) == pytest.approx(expected, rel=1e-12)
    assert np.ndim(arm.energy(q, v)) == 0


@given(seed=st.integers(0, 10_000))
def test_power_goes_into_energy_and_friction(seed: int) -> None:
    model = loads(TREE).with_joint_dynamics(rotor_inertia=0.2, damping=0.3, friction=0.1)
    q, v, tau = motion(model, seed)[0]
    drives = model.joint_dynamics
    a = model.forward_dynamics(q, v, tau)
    lost = v @ (drives.damping * v + drives.friction * np.sign(v))
    h = 1e-6
    ahead = model.energy(q + h * v + h * h / 2 * a, v + h * a)
    behind = model.energy(q - h * v + h * h / 2 * a, v - h * a)
    assert (ahead - behind) / (2 * h) == pytest.approx(tau @ v - lost, rel=1e-6, abs=1e-5)


@given(seed=st.integers(0, 10_000))
def test_identities_hold_everywhere(seed: int) -> None:
    model = loads(TREE).with_joint_dynamics(rotor_inertia=0.2)
    q, v, a = motion(model, seed)[0]
    tau = model.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(
        model.mass_matrix(q) @ a + model.bias_efforts(q, v), tau, rtol=1e-11, atol=1e-11
    )
    np.testing.assert_allclose(model.forward_dynamics(q, v, tau), a, rtol=1e-9, atol=1e-9)
    assert np.linalg.eigvalsh(model.mass_matrix(q))[0] > 0


@pytest.mark.kernels
def test_momentum_matrix(robot: RobotModel) -> None:
    q = motion(robot)[0, 0]
    frames = oracles.frames(robot.description, q)["com"]
    total = sum(frame.mass for frame in frames)
    center = sum(frame.mass * frame.T_world_frame[:3, 3] for frame in frames) / total
    A = np.zeros((6, robot.dof))
    com_elements = [e for e in robot.elements if e.kind != "joint"]
    for frame, element in zip(frames, com_elements, strict=True):
        J = frame.jacobian(robot.dof)
        R = frame.T_world_frame[:3, :3]
        xx, yy, zz, xy, xz, yz = element.inertia  # type: ignore[union-attr]
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        linear = frame.mass * J[:3]
        A[:3] += linear
        A[3:] += inertia @ J[3:] + np.cross(frame.T_world_frame[:3, 3] - center, linear.T).T
    np.testing.assert_allclose(robot.momentum_matrix(q), A, atol=1e-12)
    out = np.empty((6, robot.dof))
    assert robot.momentum_matrix(q, out) is out


def test_external_wrenches_are_jacobians_transposed(robot: RobotModel) -> None:
    q, v, a = motion(robot)[0]
    rng = np.random.default_rng(5)
    last = robot.frame_count("com") - 1
    w1, w2 = rng.normal(size=(2, 6))
    wrenches = {("output", 1): w1, ("CoM", last): w2}
    expected = robot.jacobian(q, frame_type="output", index=1).T @ w1
    expected += robot.jacobian(q, frame_type="com", index=last).T @ w2
    np.testing.assert_allclose(robot.external_efforts(q, wrenches), expected, atol=1e-13)
    free = robot.inverse_dynamics(q, v, a)
    pushed = robot.inverse_dynamics(q, v, a, external_wrenches=wrenches)
    np.testing.assert_allclose(pushed, free - expected, atol=1e-12)
    np.testing.assert_array_equal(robot.external_efforts(q, {}), np.zeros(robot.dof))


def test_a_tag_means_the_output_frame(planar: RobotModel) -> None:
    q = [0.3, 0.5]
    force = [0.0, 2.0, 0.0, 0.0, 0.0, 0.0]
    by_tag = planar.external_efforts(q, {"ee": force})
    np.testing.assert_array_equal(by_tag, planar.external_efforts(q, {("endeffector", 0): force}))
    np.testing.assert_array_equal(by_tag, planar.external_efforts(q, {("output", "ee"): force}))
    x = planar.end_effector(q)[0, 3]
    assert by_tag[0] == pytest.approx(2.0 * x)  # a push along y, x away from the first axis


@pytest.mark.parametrize(
    ("wrenches", "error", "text"),
    [
        ({"no": np.zeros(6)}, FrameNotFoundError, "no element has the tag 'no'"),
        ({("output", 99): np.zeros(6)}, FrameNotFoundError, "index: expected 0 to"),
        ({("nowhere", 0): np.zeros(6)}, FrameNotFoundError, "expected a frame type"),
        ({3: np.zeros(6)}, FrameNotFoundError, "as key, got 3"),
        ({"ee": np.zeros(5)}, ModelError, r"external wrench at 'ee': expected shape"),
        ({"ee": np.zeros((2, 6))}, ModelError, r"expected shape \(6,\), got \(2, 6\)"),
        ({"ee": [np.nan] * 6}, ModelError, "expected finite numbers"),
        ([1, 2], ModelError, "expected a mapping"),
    ],
)
def test_wrong_wrenches(
    planar: RobotModel, wrenches: Any, error: type[ModelError], text: str
) -> None:
    for method in (planar.inverse_dynamics, planar.forward_dynamics):
        with pytest.raises(error, match=text):
            method([0, 0], [0, 0], [0, 0], external_wrenches=wrenches)


THREE = ("inverse_dynamics", "forward_dynamics", "inverse_dynamics_regressor")
TWO = ("bias_efforts", "coriolis", "kinetic_energy", "energy")
ONE = ("mass_matrix", "momentum_matrix", "potential_energy")


def calls(model: RobotModel) -> list[tuple[Callable[..., Any], int]]:
    found = [(getattr(model, name), 3) for name in THREE]
    found += [(getattr(model, name), 2) for name in TWO]
    return found + [(getattr(model, name), 1) for name in ONE]


def test_a_batch_equals_a_loop_bit_for_bit(arm: RobotModel) -> None:
    values = motion(arm, count=6).transpose(1, 0, 2)
    wrenches = {("output", 0): np.arange(6.0)}
    for method, count in calls(arm):
        mine = values[:count]
        expected = np.array([method(*(x[i] for x in mine)) for i in range(6)])
        np.testing.assert_array_equal(method(*mine), expected)
        shaped = method(*(x.reshape(2, 3, -1) for x in mine))
        np.testing.assert_array_equal(shaped, expected.reshape(2, 3, *expected.shape[1:]))
    methods: list[Any] = [arm.inverse_dynamics, arm.forward_dynamics]
    for method in methods:
        expected = np.array([method(*x, external_wrenches=wrenches) for x in values.swapaxes(0, 1)])
        np.testing.assert_array_equal(method(*values, external_wrenches=wrenches), expected)
    np.testing.assert_array_equal(
        arm.external_efforts(values[0], wrenches),
        [arm.external_efforts(q, wrenches) for q in values[0]],
    )


def test_leading_axes_broadcast(planar: RobotModel) -> None:
    Q = np.random.default_rng(0).normal(size=(5, 2))
    tau = planar.inverse_dynamics(Q, [0.1, 0.2], np.zeros(2))
    expected = [planar.inverse_dynamics(q, [0.1, 0.2], [0, 0]) for q in Q]
    np.testing.assert_array_equal(tau, expected)
    with pytest.raises(JointVectorError, match=r"q, v, a: expected leading axes that fit"):
        planar.inverse_dynamics(Q, np.zeros((4, 2)), np.zeros(2))
    assert planar.inverse_dynamics(np.empty((0, 2)), [0, 0], [0, 0]).shape == (0, 2)


def test_many_rows_are_shared_between_threads(planar: RobotModel) -> None:
    Q, V, A = np.random.default_rng(0).normal(size=(3, 20_000, 2))
    tau = planar.inverse_dynamics(Q, V, A)
    again = planar.forward_dynamics(Q, V, tau)
    for i in (0, 9_999, 10_000, 19_999):
        np.testing.assert_array_equal(tau[i], planar.inverse_dynamics(Q[i], V[i], A[i]))
        np.testing.assert_array_equal(again[i], planar.forward_dynamics(Q[i], V[i], tau[i]))


def test_inputs_of_every_kind_give_the_same(planar: RobotModel) -> None:
    plain = [np.array([0.0, 1.0]), np.array([1.0, 0.0]), np.array([2.0, 3.0])]
    wide = np.array([9.0, 9.0, 9.0, 9.0])
    for method, count in calls(planar):
        expected = method(*plain[:count])
        for convert in (
            lambda x: x.tolist(),
            lambda x: x.astype(int),
            lambda x: x.astype(np.float32),
            lambda x: np.column_stack([x, x])[:, 0],
            lambda x: np.frombuffer(x.tobytes()),  # read-only
        ):
            given_values = [convert(x) for x in plain[:count]]
            np.testing.assert_array_equal(method(*given_values), expected)
    strided = wide.copy()[::2]
    assert planar.mass_matrix(strided).tolist() == planar.mass_matrix([9.0, 9.0]).tolist()


@pytest.mark.parametrize(
    "bad", [[0.3], [0, 1, 2], [[0, 1, 2]], ["a", "b"], [np.nan, 0.0], [np.inf, 0.0], None, 7]
)
def test_wrong_vectors_name_the_argument(planar: RobotModel, bad: Any) -> None:
    names = {
        "inverse_dynamics": "qva",
        "forward_dynamics": ("q", "v", "tau"),
        "bias_efforts": "qv",
        "coriolis": "qv",
        "mass_matrix": "q",
        "kinetic_energy": "qv",
        "momentum_matrix": "q",
        "inverse_dynamics_regressor": "qva",
    }
    good = np.array([0.1, 0.2])
    as_array = [np.asarray(bad, float)] if bad is not None and bad != ["a", "b"] else []
    for method, arguments in names.items():
        for place, name in enumerate(arguments):
            for wrong in [bad, *as_array]:
                values = [good] * len(arguments)
                values[place] = wrong
                with pytest.raises(JointVectorError, match=rf"^{name}: expected 2 .*got"):
                    getattr(planar, method)(*values)


def test_out_is_filled_or_refused(robot: RobotModel) -> None:
    n = robot.dof
    values = motion(robot)[0]
    shapes = {"inverse_dynamics": (n,), "bias_efforts": (n,), "coriolis": (n, n)}
    shapes |= {"mass_matrix": (n, n), "inverse_dynamics_regressor": (n, 10 * n)}
    counts = {"mass_matrix": 1, "coriolis": 2, "bias_efforts": 2}
    for name, shape in shapes.items():
        method = getattr(robot, name)
        mine = values[: counts.get(name, 3)]
        out = np.full(shape, np.nan)
        assert method(*mine, out=out) is out
        np.testing.assert_array_equal(out, method(*mine))
        batch = np.full((1, *shape), np.nan)
        assert method(*(x[None] for x in mine), out=batch) is batch
        np.testing.assert_array_equal(batch[0], out)
        for wrong in (np.empty((*shape, 1)), np.empty(shape, np.float32), [0.0]):
            with pytest.raises(ModelError, match="out: expected a writable"):
                method(*mine, out=wrong)
        out.setflags(write=False)
        with pytest.raises(ModelError, match="read-only"):
            method(*mine, out=out)


def test_out_may_be_an_argument(arm: RobotModel) -> None:
    for model in (arm, arm.with_joint_dynamics(rotor_inertia=0.1, damping=0, friction=0)):
        methods: list[Any] = [model.inverse_dynamics, model.forward_dynamics]
        for method in methods:
            expected = method(*motion(model)[0])
            for place in range(3):
                mine = list(motion(model)[0])
                np.testing.assert_array_equal(method(*mine, out=mine[place]), expected)


def test_a_batch_may_be_filled_over_itself(planar: RobotModel) -> None:
    memory = np.random.default_rng(1).normal(size=(9, 2))
    expected = planar.inverse_dynamics(memory[:8].copy(), [0.1, 0.2], [0.3, 0.4])
    out = memory[1:]
    assert planar.inverse_dynamics(memory[:8], [0.1, 0.2], [0.3, 0.4], out=out) is out
    np.testing.assert_array_equal(out, expected)


def test_arguments_are_left_alone(planar: RobotModel) -> None:
    arm = planar.with_joint_dynamics(damping=1.0, friction=0.5)
    values = np.random.default_rng(1).normal(size=(3, 4, 2))
    before = values.copy()
    push = {"ee": [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]}
    methods: list[Any] = [arm.inverse_dynamics, arm.forward_dynamics]
    for method in methods:
        method(*values, external_wrenches=push)
        method(*values)
    arm.solve_mass(values[0], values[1])
    np.testing.assert_array_equal(values, before)


def test_heads_of_the_public_methods() -> None:
    heads = {
        "inverse_dynamics": "(self, q, v, a, gravity=None, out=None, external_wrenches=None)",
        "forward_dynamics": "(self, q, v, tau, gravity=None, out=None, external_wrenches=None)",
        "mass_matrix": "(self, q, out=None)",
    }
    for name, head in heads.items():
        signature = inspect.signature(getattr(RobotModel, name))
        bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        assert str(inspect.Signature(bare)) == head


def test_gravity_is_checked(planar: RobotModel) -> None:
    zero = np.zeros(2)
    with pytest.raises(ModelError, match="gravity"):
        planar.inverse_dynamics(zero, zero, zero, [0, 0])
    for method in (planar.inverse_dynamics, planar.forward_dynamics):
        with pytest.warns(UserWarning, match="length 1"):
            method(zero, zero, zero, (0, 0, -1.0))


def test_without_joints() -> None:
    model = loads('<robot version="1.6.0"><rigid-body mass="2" com_trans="0 0 3"/></robot>')
    none = np.zeros(0)
    assert model.inverse_dynamics(none, none, none).shape == (0,)
    assert model.forward_dynamics(none, none, none).shape == (0,)
    assert model.mass_matrix(none).shape == (0, 0)
    assert model.coriolis([], []).shape == (0, 0)
    assert model.momentum_matrix([]).shape == (6, 0)
    assert model.solve_mass([], []).shape == (0,)
    assert model.inertial_parameters.shape == (0,)
    assert model.energy([], []) == pytest.approx(2 * 9.81 * 3)


def test_a_joint_without_inertia_is_named() -> None:
    text = """<robot version="1.6.0"><joint axis="rz" tag="J1"/>
      <rigid-body mass="1" com_trans="0.5 0 0" output_trans="1 0 0"/>
      <joint axis="{}" tag="J2"/>{}</robot>"""
    zero = np.zeros(2)
    on_axis = '<rigid-body mass="3" com_trans="0 0 0.2"/>'
    for axis, body in (("rz", ""), ("tx", ""), ("rz", on_axis)):
        model = loads(text.format(axis, body))
        rest = model.inverse_dynamics(zero, zero, zero)
        assert np.isfinite(rest).all()
        for q in (zero, np.zeros((3, 2))):
            with pytest.raises(ModelError, match=r"joint 'J2' moves no inertia.*add a payload"):
                model.forward_dynamics(q, zero, zero)
            with pytest.raises(ModelError, match=r"joint 'J2' moves no inertia.*rotor inertia"):
                model.solve_mass(q, q)
        driven = model.with_joint_dynamics(rotor_inertia=0.01)
        np.testing.assert_allclose(
            driven.forward_dynamics(zero, zero, rest + np.array([0, 0.02]))[1], 2.0, rtol=1e-9
        )
    assert loads(text.format("tx", on_axis)).forward_dynamics(zero, zero, zero).shape == (2,)


def test_two_joints_about_one_axis_name_the_inner_one() -> None:
    model = loads(
        '<robot version="1.6.0"><joint axis="rz" tag="in"/><joint axis="rz" tag="out"/>'
        '<rigid-body mass="1" com_trans="0.5 0 0"/></robot>'
    )
    with pytest.raises(ModelError, match="joint 'in' moves no inertia"):
        model.forward_dynamics([0.3, 0.4], [0, 0], [0, 0])
    with pytest.raises(ModelError, match="joint 'in' moves no inertia"):
        model.solve_mass([0.3, 0.4], [0, 0])
