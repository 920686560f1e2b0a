"""What a pose can do: closed forms, lost directions, finite differences."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armwright as aw
from armwright import ik
from armwright.errors import FrameNotFoundError, JointVectorError, ObjectiveError
from armwright.ik.rates import Manipulability

FloatArray = npt.NDArray[np.float64]


def scaled(here: Manipulability) -> FloatArray:
    """Return what is perpendicular to all that the frame can do, from its lost twists."""
    w: FloatArray = np.array([here.length_weight] * 3 + [1.0] * 3)
    return here.lost_twists * w * w


@pytest.mark.parametrize("bend", [0.0, 0.3, np.pi / 2, -2.0, np.pi])
def test_two_links_by_hand(planar: aw.RobotModel, bend: float) -> None:
    """Yoshikawa's l1 l2 |sin q2|."""
    here = ik.manipulability(planar, [0.7, bend], rows="position")
    assert here.measure == pytest.approx(0.25 * abs(np.sin(bend)), abs=1e-15)
    assert here.length_weight == pytest.approx(2.0)
    assert here.singular_values.shape == (2,)
    assert here.is_singular == (abs(np.sin(bend)) < 1e-9)


def test_a_straight_arm_has_lost_its_own_direction(planar: aw.RobotModel) -> None:
    here = ik.manipulability(planar, [0.5, 0.0], rows="position")
    radial = np.array([np.cos(0.5), np.sin(0.5), 0, 0, 0, 0])
    assert here.is_singular
    assert here.condition == np.inf
    assert here.lost_twists.shape == (2, 6)  # and the third dimension, which it never had
    np.testing.assert_allclose(np.linalg.norm(here.lost_twists @ radial), 1.0)
    np.testing.assert_allclose(
        here.lost_twists @ planar.jacobian(np.array([0.5, 0.0])), 0, atol=1e-12
    )
    np.testing.assert_allclose(here.weakest_motion, [-1 / np.sqrt(5), 2 / np.sqrt(5)], atol=1e-12)
    assert here.idle_motions.shape == (1, 2)


def test_an_aligned_wrist(seven: aw.RobotModel) -> None:
    """At zero all turning about z and the reach straight up are doubled: twists get lost."""
    here = ik.manipulability(seven, np.zeros(7))
    J = seven.jacobian(np.zeros(7))
    assert here.is_singular
    assert here.measure == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(scaled(here) @ J, 0, atol=1e-9)
    np.testing.assert_allclose(J @ here.idle_motions.T, 0, atol=1e-9)
    rank = np.linalg.matrix_rank(J, 1e-9)
    assert len(here.lost_twists) == 6 - rank
    assert len(here.idle_motions) == 7 - rank


@given(st.integers(0, 2**32 - 1))
def test_the_measure_is_the_determinant(seed: int) -> None:
    model = aw.loads(SEVEN)
    q = np.random.default_rng(seed).uniform(-3, 3, 7)
    J = model.jacobian(q)
    here = ik.manipulability(model, q)
    assert here.measure == pytest.approx(np.sqrt(np.linalg.det(J @ J.T)), rel=1e-6)
    values = here.singular_values
    assert (np.diff(values) <= 0).all()
    assert here.condition == pytest.approx(values[0] / values[-1])
    if not here.is_singular:
        assert here.lost_twists.shape == (0, 6)
        idle = here.idle_motions
        assert idle.shape == (1, 7)
        np.testing.assert_allclose(J @ idle[0], 0, atol=1e-12)
        moved = model.end_effector(q + 1e-6 * idle[0]) - model.end_effector(q - 1e-6 * idle[0])
        assert np.abs(moved).max() < 1e-11
    np.testing.assert_allclose(np.linalg.norm(here.weakest_twist), 1)
    np.testing.assert_allclose(np.linalg.norm(here.weakest_motion), 1)


def test_scaled_values_do_not_depend_on_size_or_gears() -> None:
    """The same arm ten times as long, with other gears: the same numbers."""
    small = aw.loads(SEVEN)
    large = aw.loads(
        SEVEN.replace('="0 0 0.', '="0 0 ')  # 0.3 becomes 3
    )
    q = np.array([0.1, 0.4, 0.2, 0.9, -0.2, 0.5, 0.1])
    geared = aw.loads(SEVEN.replace("<joint ", '<joint gear_ratio="-5" '))
    one = ik.manipulability(small, q).singular_values
    two = ik.manipulability(geared, -5 * q).singular_values
    np.testing.assert_allclose(one, two, rtol=1e-12)
    assert large.dof == 7
    three = ik.manipulability(large, q).singular_values
    np.testing.assert_allclose(one, three, rtol=1e-9)


def test_rows_and_frames(seven: aw.RobotModel) -> None:
    q = np.full(7, 0.3)
    turns = ik.manipulability(seven, q, rows="orientation")
    np.testing.assert_array_equal(turns.weakest_twist[:3], 0)
    elbow = ik.manipulability(seven, q, rows="position", frame_type="output", index=3)
    np.testing.assert_array_equal(elbow.idle_motions[:, 2:].any(axis=0), [True] * 5)
    assert elbow.is_singular  # two joints for three directions
    assert elbow.measure == 0.0


def test_fewer_joints_than_rows(planar: aw.RobotModel) -> None:
    here = ik.manipulability(planar, [0.3, 0.9])
    J = planar.jacobian(np.array([0.3, 0.9]))
    assert here.lost_twists.shape == (4, 6)
    np.testing.assert_allclose(scaled(here) @ J, 0, atol=1e-12)
    assert not here.is_singular
    assert here.measure == pytest.approx(np.sqrt(np.linalg.det(J.T @ J)))


def test_no_joints() -> None:
    fixed = aw.loads('<robot version="1.6.0"><rigid-body mass="1"/><end-effector/></robot>')
    here = ik.manipulability(fixed, [])
    assert here.measure == 0.0
    assert here.is_singular
    assert here.lost_twists.shape == (6, 6)
    assert here.idle_motions.shape == (0, 0)


def test_inputs_that_are_none(planar: aw.RobotModel) -> None:
    with pytest.raises(ObjectiveError, match=r"rows: expected one of 'pose', .* got 'linear'"):
        ik.manipulability(planar, [0, 0], rows="linear")
    with pytest.raises(ObjectiveError, match="threshold: expected a number, 0 or more, got -1"):
        ik.manipulability(planar, [0, 0], threshold=-1)
    with pytest.raises(JointVectorError, match="expected 2 joint values, got 3"):
        ik.manipulability(planar, [0, 0, 0])
    with pytest.raises(FrameNotFoundError):
        ik.manipulability(planar, [0, 0], index=4)


def test_results_cannot_be_changed(planar: aw.RobotModel) -> None:
    here = ik.manipulability(planar, [0, 1])
    names = ("singular_values", "weakest_twist", "weakest_motion", "lost_twists", "idle_motions")
    for name in names:
        assert not getattr(here, name).flags.writeable
    with pytest.raises(AttributeError):
        here.measure = 1.0  # type: ignore[misc]


LINKS = (("rz", 0.3), ("ry", 0.2), ("rz", 0.2), ("ry", 0.2), ("rz", 0.1), ("ry", 0.1), ("rz", 0.1))
BODIES = "".join(
    f'<joint axis="{axis}"/><rigid-body mass="1" output_trans="0 0 {length}"/>'
    for axis, length in LINKS
)
SEVEN = f'<robot version="1.6.0">{BODIES}<end-effector/></robot>'
