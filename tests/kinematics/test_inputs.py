"""Arrays that users hand over: converted, or refused with what was expected and what came (C19)."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from armwright.errors import JointVectorError, ModelError
from armwright.kinematics import RobotModel, loads
from tests.kinematics.conftest import PLANAR

MA: Any = np.ma  # untyped in numpy 1

G = [0, -9.81, 0]
CALLS: dict[str, Callable[[RobotModel, Any], Any]] = {
    "forward_kinematics": lambda m, q: m.forward_kinematics("output", q),
    "end_effector": lambda m, q: m.end_effector(q),
    "end_effector by tag": lambda m, q: m.end_effector(q, tag="ee"),
    "jacobian": lambda m, q: m.jacobian(q),
    "jacobian of a frame": lambda m, q: m.jacobian(q, frame_type="com", index=1),
    "jacobians": lambda m, q: m.jacobians("com", q),
    "jacobians, body": lambda m, q: m.jacobians("com", q, reference="body"),
    "gravity_efforts": lambda m, q: m.gravity_efforts(q, G),
    "point_mass_dynamics_efforts": lambda m, q: m.point_mass_dynamics_efforts(q, q, [0, 0], [1, 1]),
}
VARIANTS = {
    "list": [0, 1],
    "tuple": (0.0, 1.0),
    "int64": np.array([0, 1]),
    "uint8": np.array([0, 1], dtype=np.uint8),
    "float32": np.array([0, 1], dtype=np.float32),
    "float16": np.array([0, 1], dtype=np.float16),
    "longdouble": np.array([0, 1], dtype=np.longdouble),
    "other byte order": np.array([0, 1], dtype=">f8"),
    "every second": np.array([0.0, 9.0, 1.0, 9.0])[::2],
    "backwards": np.array([1.0, 0.0])[::-1],
    "column": np.asfortranarray([[0.0, 7.0], [1.0, 7.0]])[:, 0],
    "scalars": [np.float64(0), np.array(1.0)],
    "view of a subclass": np.array([0.0, 1.0]).view(np.recarray),
    "nothing masked": MA.array([0.0, 1.0]),
    "fractions": [Fraction(0), Fraction(1)],
    "objects": np.array([Fraction(0), Decimal(1)], dtype=object),
}
BAD = {
    "too few": [0.3],
    "too many": [0, 1, 2],
    "too many, two axes": [[0, 1, 2]],
    "none": [],
    "text": ["a", "b"],
    "text of numbers": ["0", "1"],
    "nan": [np.nan, 0.0],
    "inf": np.array([np.inf, 0.0]),
    "minus inf": np.array([0.0, -np.inf]),
    "nan array": np.array([0.0, np.nan]),
    "None": None,
    "None inside": [None, 0.0],
    "number": 1.0,
    "string": "01",
    "bytes": b"01",
    "complex": np.array([0, 1j]),
    "bool": [True, False],
    "bool among numbers": [0.5, True],
    "ragged": [[0, 1], [2]],
    "objects": np.array([Fraction(1, 2), "1"], dtype=object),
    "dict": {"j1": 0},
    "set": {0, 1},
    "dates": np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"),
    "huge": np.array([0, 1], dtype=np.longdouble) * np.longdouble(1e300) * np.longdouble(1e300),
    "empty batch of threes": np.zeros((0, 3)),
    "masked": MA.array([0.0, 1.0], mask=[False, True]),
    "masked among numbers": [0.5, MA.masked],
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", VARIANTS)
def test_variants_are_converted(planar: RobotModel, call: str, kind: str) -> None:
    expected = CALLS[call](planar, np.array([0.0, 1.0]))
    assert CALLS[call](planar, VARIANTS[kind]).tobytes() == expected.tobytes()


def test_read_only_arrays_are_taken(planar: RobotModel) -> None:
    q = np.array([0.0, 1.0])
    q.setflags(write=False)
    for call in CALLS.values():
        assert call(planar, q).tobytes() == call(planar, [0, 1]).tobytes()


def test_known_gravity_efforts(planar: RobotModel) -> None:
    efforts = planar.gravity_efforts([0, 1], G)
    assert efforts == pytest.approx([20.945091405, 1.325091405], abs=1e-9)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", BAD)
def test_bad_vectors_are_refused(planar: RobotModel, call: str, kind: str) -> None:
    with pytest.raises(JointVectorError, match=r"expected 2 .*got"):
        CALLS[call](planar, BAD[kind])


def test_a_joint_vector_is_a_fresh_copy(planar: RobotModel) -> None:
    q = np.array([0.3, 0.5])
    ours = planar._joint_vector(q)
    assert ours.tolist() == [0.3, 0.5]
    ours[:] = 9.0
    assert q.tolist() == [0.3, 0.5]
    assert planar._joint_vector([0, 1]).dtype == np.float64


def test_messages_tell_the_count_and_the_place(planar: RobotModel) -> None:
    with pytest.raises(JointVectorError, match=r"q: expected 2 joint values, got 3$"):
        planar.jacobian([0, 1, 2])
    with pytest.raises(JointVectorError, match=r"got 3 \(shape \(4, 3\)\)"):
        planar.jacobian(np.zeros((4, 3)))
    with pytest.raises(JointVectorError, match=r"finite joint values, got nan at index 1$"):
        planar.jacobian([0, np.nan])
    with pytest.raises(JointVectorError, match=r"got inf at index \(1, 0\)"):
        planar.jacobian(np.array([[0, 1], [np.inf, 0]]))
    with pytest.raises(JointVectorError, match=r"in a row, got an array of shape \(1, 2\)"):
        planar._joint_vector([[0, 1]])
    with pytest.raises(JointVectorError, match="start: expected 2"):
        planar._joint_vector([1], "start")


def test_a_joint_that_does_not_move_the_frame_must_be_finite_too() -> None:
    tree = loads("""
        <robot version="1.6.0"><rigid-body mass="1">
        <output><joint axis="rz"/><end-effector/></output><output><joint axis="tz"/></output>
        </rigid-body></robot>""")
    with pytest.raises(JointVectorError, match="got nan at index 1"):
        tree.jacobian(np.array([0, np.nan]))
    with pytest.raises(JointVectorError, match="got inf at index 1"):
        tree.end_effector(np.array([0, np.inf]))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("axis", ["rx", "ry", "rz", "tx", "ty", "tz"])
def test_nothing_infinite_passes_whatever_the_joint(axis: str, bad: float) -> None:
    arm = loads(
        f'<robot version="1.6.0"><joint axis="{axis}"/><joint axis="rz"/><end-effector/></robot>'
    )
    for place in (0, 1):
        q = np.zeros(2)
        q[place] = bad
        calls = (arm.end_effector, arm.jacobian, arm.gravity_efforts)
        for call in calls:
            with pytest.raises(JointVectorError):
                call(q)
        for kind in (arm.forward_kinematics, arm.jacobians):
            with pytest.raises(JointVectorError):
                kind("output", q)
            with pytest.raises(JointVectorError):
                kind("output", np.tile(q, (3, 1)))


@pytest.mark.parametrize("large", [1e51, -1e308])
def test_values_that_would_overflow_are_refused(large: float) -> None:
    # A slide goes q / ratio far: 1e308 / 0.1 would be infinite, and the rotation times it NaN.
    slide = loads(
        '<robot version="1.6.0"><joint axis="tz" gear_ratio="0.1"/><rigid-body mass="1"/>'
        "<end-effector/></robot>"
    )
    for q in ([large], np.array([large])):
        with pytest.raises(JointVectorError, match=r"expected 1 .* at most 1e\+50, got .* index 0"):
            slide.forward_kinematics("output", q)
    with pytest.raises(JointVectorError, match=r"at most 1e\+50"):
        slide.end_effector(np.array([1e308]))
    far = slide.end_effector(np.array([1e50]))
    assert far[2, 3] == pytest.approx(1e51)
    assert np.isfinite(far).all()


OUTS: dict[str, tuple[Callable[[RobotModel, Any, Any], Any], tuple[int, ...]]] = {
    "forward_kinematics": (lambda m, q, o: m.forward_kinematics("com", q, o), (3, 4, 4)),
    "end_effector": (lambda m, q, o: m.end_effector(q, o), (4, 4)),
    "jacobian": (lambda m, q, o: m.jacobian(q, o), (6, 2)),
    "jacobian in body axes": (lambda m, q, o: m.jacobian(q, o, reference="body"), (6, 2)),
    "jacobians": (lambda m, q, o: m.jacobians("com", q, o), (3, 6, 2)),
    "jacobians at the world's origin": (
        lambda m, q, o: m.jacobians("com", q, o, reference="spatial"),
        (3, 6, 2),
    ),
    "gravity_efforts": (lambda m, q, o: m.gravity_efforts(q, None, o), (2,)),
}


@pytest.mark.parametrize("call", OUTS)
def test_results_are_written_into_out(planar: RobotModel, call: str) -> None:
    function, shape = OUTS[call]
    for leading in ((), (3,), (2, 3)):
        q = np.random.default_rng(1).normal(size=(*leading, 2))
        out = np.full((*leading, *shape), np.nan)
        assert function(planar, q, out) is out
        assert out.tobytes() == function(planar, q, None).tobytes()
    out = np.full(shape, np.nan)
    assert function(planar, [0, 1], out) is out  # also when q has to be converted
    assert out.tobytes() == function(planar, [0, 1], None).tobytes()


@pytest.mark.parametrize("call", OUTS)
def test_out_that_cannot_be_filled_is_refused(planar: RobotModel, call: str) -> None:
    function, shape = OUTS[call]
    q = np.zeros(2)
    read_only = np.empty(shape)
    read_only.setflags(write=False)
    bad = {
        "got shape": np.empty((*shape, 1)),
        "got float32": np.empty(shape, dtype=np.float32),
        "got >f8": np.empty(shape, dtype=">f8"),
        "got int64": np.empty(shape, dtype=np.int64),
        "with strides": np.empty((*shape[:-1], 2 * shape[-1]))[..., ::2],
        "read-only": read_only,
        r"got \[": [0.0],
        "got 'output'. Frames are named by frame_type=": "output",
    }
    for words, out in bad.items():
        with pytest.raises(ModelError, match=f"out: expected a writable C-contiguous.*{words}"):
            function(planar, q, out)
    if len(shape) > 1:
        with pytest.raises(ModelError, match="with strides"):
            function(planar, q, np.empty(shape, order="F"))
    odd = not_aligned(shape)
    filled = True  # Numba's check may let it pass, where the machine writes it rightly
    try:
        function(planar, q, odd)
    except ModelError:
        filled = False
    assert not filled or odd.tobytes() == function(planar, q, None).tobytes()


def not_aligned(shape: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A float64 array that starts at an odd address."""
    return np.zeros(8 * int(np.prod(shape)) + 1, dtype=np.uint8)[1:].view(np.float64).reshape(shape)


def test_a_vector_that_is_not_aligned_is_converted(planar: RobotModel) -> None:
    q = not_aligned((2,))
    q[:] = [0.0, 1.0]
    assert not q.flags.aligned
    assert planar.jacobian(q).tobytes() == planar.jacobian([0.0, 1.0]).tobytes()


@pytest.mark.parametrize("call", OUTS)
def test_out_may_lie_over_q(planar: RobotModel, call: str) -> None:
    function, _ = OUTS[call]
    for leading in ((), (3,)):
        given = np.random.default_rng(2).normal(size=(*leading, 2))
        expected = function(planar, given.copy(), None)
        for shift in range(0, expected.size, 3):
            memory = np.zeros(expected.size + given.size)
            q = memory[shift : shift + given.size].reshape(given.shape)
            out = memory[: expected.size].reshape(expected.shape)
            q[:] = given
            function(planar, q, out)
            assert out.tobytes() == expected.tobytes()


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("call", [name for name, (_, shape) in OUTS.items() if len(shape) == 2])
def test_out_may_be_of_a_subclass(planar: RobotModel, call: str) -> None:
    function, shape = OUTS[call]
    q = np.array([0.3, 0.5])
    out = np.asmatrix(np.zeros(shape))
    assert function(planar, q, out) is out
    assert out.tobytes() == function(planar, q, None).tobytes()


def test_out_may_be_q_itself() -> None:
    arm = loads(PLANAR)
    q = np.array([0.3, 0.5])
    expected = arm.gravity_efforts(q, G)
    assert arm.gravity_efforts(q, G, q) is q
    assert q.tobytes() == expected.tobytes()


def test_arguments_are_left_alone(planar: RobotModel) -> None:
    q = np.array([0.3, 0.5])
    for call in CALLS.values():
        call(planar, q)
    assert q.tolist() == [0.3, 0.5]
