"""What dynamics does with wrenches, batches, odd input and memory that is handed in."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from armwright.errors import FrameNotFoundError, JointVectorError, ModelError
from armwright.kinematics import RobotModel
from tests.kinematics.dynamics_robots import motion, with_drives


@pytest.fixture
def arm(robot: RobotModel) -> RobotModel:
    """A robot of each kind whose every joint moves inertia and has a drive."""
    return with_drives(robot)


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
        ({"ee": np.zeros((2, 5))}, ModelError, r"expected shape \(\.\.\., 6\), got \(2, 5\)"),
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


def test_unaligned_vectors_are_read(planar: RobotModel) -> None:
    raw = np.zeros(8 * 2 + 1, dtype=np.uint8)
    odd = raw[1:].view(np.float64)
    odd[:] = [0.3, 0.5]
    assert not odd.flags.aligned
    even = np.array([0.3, 0.5])
    assert np.array_equal(
        planar.inverse_dynamics(odd, odd, odd), planar.inverse_dynamics(even, even, even)
    )
    assert np.array_equal(
        planar.forward_dynamics(odd, odd, odd), planar.forward_dynamics(even, even, even)
    )


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
        "inverse_dynamics": "(model, q, v, a, gravity=None, out=None, external_wrenches=None)",
        "forward_dynamics": "(model, q, v, tau, gravity=None, out=None, external_wrenches=None)",
        "mass_matrix": "(model, q, out=None)",
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


def test_out_may_lie_over_a_part_of_an_argument(planar: RobotModel) -> None:
    q, b = np.array([0.3, 0.5]), np.array([1.0, -2.0])
    expected = planar.solve_mass(q, b)
    for shift in (-1, 1):
        memory = np.zeros(5)
        right, out = memory[2:4], memory[2 + shift : 4 + shift]
        right[...] = b
        planar.solve_mass(q, right, out=out)
        np.testing.assert_allclose(out, expected, rtol=1e-12)
    same = b.copy()
    assert planar.solve_mass(q, same, out=same) is same
    np.testing.assert_array_equal(same, expected)


def test_masked_values_are_refused_everywhere(planar: RobotModel) -> None:
    q = np.array([0.3, 0.5])
    ma: Any = np.ma  # typed in one line of numpy alone
    masked = ma.masked_array(q, mask=[True, False])
    with pytest.raises(ModelError, match="b: expected"):
        planar.solve_mass(q, masked)
    with pytest.raises(JointVectorError, match="v: expected 2 joint values, got a masked array"):
        planar.coriolis(q, masked)
