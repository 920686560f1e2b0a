"""(dJ/dt) v of a model: by hand, by differences, as states have it, for many rows."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.errors import FrameNotFoundError, JointVectorError, ModelError
from armwright.hrdf import RobotDescription
from armwright.kinematics import RobotModel, RobotState, loads
from tests.kinematics.conftest import TREE
from tests.kinematics.robot_states import KINDS, SLOW, FloatArray, same
from tests.strategies import descriptions

REFERENCES = ("world", "body", "spatial")
FRAMES: list[tuple[str, int]] = [
    ("output", 3),
    ("input", 0),
    ("com", 2),
    ("endeffector", 1),
    ("endeffector", 0),
]


def rate_of(jacobian: Any, q: FloatArray, v: FloatArray, h: float = 2e-5) -> FloatArray:
    found: FloatArray = (jacobian(q + h * v) - jacobian(q - h * v)) / (2 * h) @ v
    return found


@pytest.mark.kernels
@pytest.mark.parametrize("reference", REFERENCES)
def test_it_is_the_rate_of_the_jacobian(tree: RobotModel, reference: Any) -> None:
    rng = np.random.default_rng(0)
    for kind, index in FRAMES:
        for point in (None, [0.3, -0.1, 0.2]):
            q, v = rng.uniform(-1.5, 1.5, size=(2, 6))
            where: dict[str, Any] = {"frame_type": kind, "index": index, "point": point}

            def jacobian(x: FloatArray, where: dict[str, Any] = where) -> FloatArray:
                return tree.jacobian(x, reference=reference, **where)

            ours = tree.bias_acceleration(q, v, reference=reference, **where)
            same(ours, rate_of(jacobian, q, v), SLOW)
            kind_of_state = KINDS[REFERENCES.index(reference)]
            state = RobotState(tree, q, v, representation=kind_of_state)
            same(ours, state.bias_acceleration(kind, index, point=point), 1e-13)


@given(description=descriptions(), seed=st.integers(0, 1000))
def test_every_frame_of_every_robot(description: RobotDescription, seed: int) -> None:
    model = RobotModel(description)
    q, v = np.random.default_rng(seed).uniform(-1, 1, size=(2, model.dof))
    state = RobotState(model, q, v)
    for kind in ("output", "com"):
        for index in range(model.frame_count(kind))[-5:]:  # behind as many joints as there are
            ours = model.bias_acceleration(q, v, None, kind, index)
            same(ours, state.bias_acceleration(kind, index), 1e-12)


@pytest.mark.parametrize("reference", REFERENCES)
def test_rows_and_memory(tree: RobotModel, reference: Any) -> None:
    Q, V = np.random.default_rng(1).normal(size=(2, 6, 6))
    where: dict[str, Any] = {"tag": "right hand", "reference": reference}
    many = tree.bias_acceleration(Q, V, **where)
    one_by_one = [tree.bias_acceleration(q, v, **where) for q, v in zip(Q, V, strict=True)]
    np.testing.assert_array_equal(many, one_by_one)
    shaped = tree.bias_acceleration(Q.reshape(2, 3, 6), V.reshape(2, 3, 6), **where)
    np.testing.assert_array_equal(shaped, many.reshape(2, 3, 6))
    broadcast = tree.bias_acceleration(Q, V[0], **where)
    assert broadcast[0].tobytes() == many[0].tobytes()
    out = np.full((6, 6), np.nan)
    assert tree.bias_acceleration(Q, V, out, **where) is out
    np.testing.assert_array_equal(out, many)
    lists = tree.bias_acceleration(Q[0].tolist(), V[0].tolist(), **where)
    np.testing.assert_array_equal(lists, many[0])
    assert (tree.bias_acceleration(Q, np.zeros(6), **where) == 0.0).all()


def test_the_end_effector_alone(planar: RobotModel) -> None:
    q, v = [0.3, 0.5], [1.0, 0.5]
    bias = planar.bias_acceleration(q, v)
    np.testing.assert_array_equal(bias, planar.bias_acceleration(q, v, tag="ee"))
    empty = loads('<robot version="1.6.0"><end-effector/></robot>')
    np.testing.assert_array_equal(empty.bias_acceleration([], []), np.zeros(6))


def test_wrong_arguments() -> None:
    tree = loads(TREE)
    q = np.zeros(6)
    with pytest.raises(FrameNotFoundError, match="2 endeffector frames"):
        tree.bias_acceleration(q, q)
    with pytest.raises(JointVectorError, match="v: expected 6 joint values, got 5"):
        tree.bias_acceleration(q, q[:5], index=0)
    for bad in (np.nan, np.inf):
        with pytest.raises(JointVectorError, match="v: expected 6 finite"):
            tree.bias_acceleration(q, q + bad, index=0)
    with pytest.raises(JointVectorError, match="q: expected 6 joint values of at most"):
        tree.bias_acceleration(np.full((2, 6), 1e60), q, index=0)
    with pytest.raises(ModelError, match="reference: expected one of 'world'"):
        tree.bias_acceleration(q, q, index=0, reference="mixd")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=r"point: expected shape"):
        tree.bias_acceleration(q, q, index=0, point=[1.0])
    for reference in REFERENCES:
        with pytest.raises(ModelError, match=r"out: expected a writable .* got shape \(5,\)"):
            tree.bias_acceleration(q, q, np.empty(5), index=0, reference=reference)  # type: ignore[arg-type]
