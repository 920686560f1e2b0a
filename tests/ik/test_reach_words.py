"""What a message says about reach is what the arm reaches, not a bound."""

from pathlib import Path

import numpy as np
import pytest

import armwright as aw
from armwright import ik
from armwright.ik.program import compile_program
from armwright.ik.solving import span
from armwright.kinematics.arrays import FloatArray

ARMS = Path(__file__).resolve().parents[2] / "examples" / "arms"
GANTRY = """<robot version="1.6.0">
  <joint axis="tz"/><rigid-body mass="1" output_trans="0.2 0 0"/>
  <joint axis="rz"/><rigid-body mass="1" output_trans="0.5 0 0"/><end-effector/></robot>"""


def arm_of(*links: tuple[str, str]) -> aw.RobotModel:
    """Return an arm of joints, each with a link behind it: axis and output."""
    parts = (
        f'<joint axis="{axis}"/><rigid-body mass="1" output_trans="{output}"/>'
        for axis, output in links
    )
    return aw.loads(f'<robot version="1.6.0">{"".join(parts)}<end-effector/></robot>')


def spans(model: aw.RobotModel, *limits: ik.objectives.Objective) -> tuple[span.Span, ...]:
    program = compile_program(model, (ik.position([9, 9, 9]), *limits))
    return span.spans(model, program.targets[0], program.limits)


@pytest.mark.parametrize("name", ["three_dof", "six_dof", "seven_dof"])
@pytest.mark.parametrize("box", [None, (-2.0, 1.0), (0.5, 1.0), (-6.5, -5.8)])
def test_spans_by_brute_force(name: str, box: tuple[float, float] | None) -> None:
    model = aw.load(ARMS / f"{name}.hrdf")
    n = model.dof
    low, high = box or (-np.pi, np.pi)
    found = spans(model, *([ik.joint_limits([low] * n, [high] * n)] if box else []))
    assert [s.name.split(",")[-1] for s in found] == [
        "the first joint",
        " where the first two axes meet",
    ]
    q = np.random.default_rng(71).uniform(low, high, (50_000, n))
    points = model.end_effector(q)[:, :3, 3]
    for s in found:
        distances = np.linalg.norm(points - s.point, axis=1)
        assert s.least <= distances.min() + 1e-9
        assert s.most >= distances.max() - 1e-9
        assert s.least > distances.min() - 0.05  # no bound, but reached
        assert s.most < distances.max() + 0.05
    program = compile_program(model, (ik.position([9, 9, 9]),))
    assert found[0].most < 0.97 * program.targets[0].reach


def test_a_span_is_reached(planar: aw.RobotModel) -> None:
    assert spans(planar)[0][2:] == pytest.approx((0.0, 1.0), abs=1e-4)
    elbow = spans(planar, ik.joint_limits([-3, 0.5], [3, 2.0]))[0]
    ends = [abs(0.5 + 0.5 * np.exp(1j * angle)) for angle in (2.0, 0.5)]
    assert (elbow.least, elbow.most) == pytest.approx(ends, abs=1e-9)


def test_slides_with_ends_and_without() -> None:
    gantry = aw.loads(GANTRY)
    assert spans(gantry) == ()
    (found,) = spans(gantry, ik.joint_limits([-0.3, -9], [1.0, 9]))
    assert (found.least, found.most) == pytest.approx((0.3, np.hypot(0.7, 1.0)), abs=1e-6)


def test_limits_on_one_side(planar: aw.RobotModel) -> None:
    for lower, upper in (([-np.inf, 0.5], [np.inf, np.inf]), ([-np.inf] * 2, [1.0, 0.5])):
        (found,) = spans(planar, ik.joint_limits(lower, upper))
        assert found[2:] == pytest.approx((0.0, 1.0), abs=1e-4)


def message(model: aw.RobotModel, *goals: ik.objectives.Objective) -> str:
    result = ik.solve(model, np.full(model.dof, 0.3), *goals)
    assert not result.success
    return result.message


@pytest.fixture(scope="module")
def six() -> aw.RobotModel:
    """Reaches 0.773 m from its first joint; its links are 0.863 m long together."""
    return aw.load(ARMS / "six_dof.hrdf")


@pytest.mark.parametrize("distance", [0.78, 0.82, 0.86, 0.9, 2.0])
def test_beyond_the_reach(six: aw.RobotModel, distance: float) -> None:
    """Between the reach and the length of the links there was no reason."""
    center = spans(six)[0].point
    xyz = center + distance * np.array([0.6, 0.0, 0.8])
    words = message(six, ik.position(xyz))
    assert f"; the target is {distance:.3f} m from the first joint, " in words
    assert "and the endeffector frame reaches 0.773 m" in words


def test_digits_where_they_tell(six: aw.RobotModel) -> None:
    span_of_six = spans(six)[0]
    xyz = span_of_six.point + (span_of_six.most + 1.2e-4) * np.array([0.6, 0.0, 0.8])
    words = message(six, ik.position(xyz))
    assert f"{span_of_six.most:.3f}" == f"{span_of_six.most + 1.2e-4:.3f}" == "0.773"
    assert "0.7735 m from the first joint, and the endeffector frame reaches 0.7733 m" in words
    tiny = aw.loads(
        GANTRY.replace("tz", "rz").replace("0.2 0 0", "0.0002 0 0").replace("0.5 0", "5e-4 0")
    )
    words = message(tiny, ik.position([0.001, 0, 0]))
    assert "0.001000 m from the first joint, and the endeffector frame reaches 0.000700 m" in words


def test_between_the_reach_and_where_axes_meet(six: aw.RobotModel) -> None:
    """Low beside the arm: within the reach from the floor, but not from the shoulder."""
    words = message(six, ik.position([0.74, 0.0, 0.0]))
    assert "from (0, 0, 0.16), where the first two axes meet, and the endeffector" in words
    assert "reaches 0.719 m" in words


def test_in_the_hole() -> None:
    """Two long links and a short one leave a ball around the shoulder that nothing reaches."""
    model = arm_of(("rz", "0 0 0.3"), ("rx", "0 0.6 0"), ("rx", "0 0.2 0"))
    words = message(model, ik.position([0.1, 0.0, 0.2]))
    assert (
        "; the target is 0.141 m from (0, 0, 0.3), where the first two axes meet, and the " in words
    )
    assert "endeffector frame comes no nearer to it than 0.400 m" in words


def test_the_point_or_the_orientation(six: aw.RobotModel) -> None:
    words = message(six, ik.position([0.5, 0.1, 0.1]), ik.tip_axis([-1, 0, 0]))
    assert "; the point alone can be reached, but not with this orientation" in words


def test_the_nearest_point() -> None:
    """What no distance tells: above the plane in which three joints move."""
    model = arm_of(*[("rz", "0.4 0 0")] * 3)
    words = message(model, ik.position([0.5, 0.2, 0.3]))
    assert words.endswith("; the nearest point that the endeffector frame reaches is (0.5, 0.2, 0)")
    words = message(model, ik.pose(pose_at([0.5, 0.2, 0.3])))
    assert "3 joints cannot meet 6 constraints" in words


def pose_at(xyz: list[float]) -> FloatArray:
    T = np.eye(4)
    T[:3, 3] = xyz
    return T


def test_words_are_made_when_they_are_read(
    six: aw.RobotModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = ik.solve(six, np.zeros(6), ik.position([3, 0, 0]))
    calls = []

    def extremes(*arguments: object) -> tuple[float, float]:
        calls.append(arguments)
        return 0.0, 1.0

    monkeypatch.setattr(span, "_kept", {})
    monkeypatch.setattr(span, "extremes", extremes)
    assert calls == []
    assert "reaches 1.000 m" in result.message
    assert len(calls) == 2
    assert "reaches 1.000 m" in ik.solve(six, np.zeros(6), ik.position([3.5, 0, 0])).message
    assert len(calls) == 2  # kept for the frame
