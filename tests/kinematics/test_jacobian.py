"""Jacobians of one frame: points, references, and how the references hang together."""

import numpy as np
import pytest

from armwright.errors import ModelError
from armwright.kinematics import RobotModel
from armwright.kinematics.transforms import adjoint, invert
from tests import oracles

pytestmark = pytest.mark.kernels

Q = np.linspace(-1.2, 0.9, 6)


def test_references_are_related_by_adjoints(tree: RobotModel) -> None:
    for kind in ("output", "com", "endeffector", "payload"):
        Ts = tree.forward_kinematics(kind, Q)
        body = tree.jacobians(kind, Q, reference="body")
        spatial = tree.jacobians(kind, Q, reference="spatial")
        world = tree.jacobians(kind, Q, reference="world")
        np.testing.assert_allclose(spatial, adjoint(Ts) @ body, atol=1e-13)
        turned = np.zeros((len(Ts), 6, 6))
        turned[:, :3, :3] = turned[:, 3:, 3:] = Ts[:, :3, :3]
        np.testing.assert_allclose(world, turned @ body, atol=1e-13)


def test_body_jacobian_is_the_derivative_in_the_frame(tree: RobotModel) -> None:
    T0 = tree.end_effector(Q, index=1)
    body = tree.jacobian(Q, index=1, reference="body")
    expected = oracles.twist_differences(
        lambda q: invert(T0)[None] @ tree.end_effector(q, index=1), Q
    )[0]
    np.testing.assert_allclose(body, expected, atol=1e-8)


@pytest.mark.parametrize("reference", [None, "world", "body", "spatial"])
def test_a_point_is_a_frame_moved_there(tree: RobotModel, reference: str | None) -> None:
    point = np.array([0.1, -0.2, 0.3])
    J = tree.jacobian(
        Q, frame_type="com", index=2, reference=reference, point=point  # type: ignore[arg-type]
    )  # fmt: skip
    T_frame_point = np.eye(4)
    T_frame_point[:3, 3] = point

    def pose(q: oracles.FloatArray) -> oracles.FloatArray:
        moved: oracles.FloatArray = tree.forward_kinematics("com", q)[2:3] @ T_frame_point
        return moved

    world = oracles.twist_differences(pose, Q)[0]
    T = pose(Q)[0]
    turn = np.zeros((6, 6))
    turn[:3, :3] = turn[3:, 3:] = T[:3, :3].T
    expected = {"body": turn @ world, "spatial": adjoint(T) @ turn @ world}
    np.testing.assert_allclose(J, expected.get(reference or "", world), atol=1e-8)


def test_a_point_of_the_only_end_effector(planar: RobotModel) -> None:
    J = planar.jacobian([0.3, 0.5], point=[0, 0, 0])
    np.testing.assert_allclose(J, planar.jacobian([0.3, 0.5]), atol=1e-15)
    J = planar.jacobian([0.0, 0.0], point=[1, 0, 0])
    assert J[1].tolist() == [2.5, 1.5]


def test_points_are_checked(planar: RobotModel) -> None:
    with pytest.raises(ModelError, match=r"point: expected shape \(..., 3\), got \(2,\)"):
        planar.jacobian([0, 0], point=[1, 2])
    with pytest.raises(ModelError, match=r"point: expected shape \(3,\), got \(1, 3\)"):
        planar.jacobian([0, 0], point=[[1, 2, 3]])
    with pytest.raises(ModelError, match="point: expected finite"):
        planar.jacobian([0, 0], point=[1, 2, np.nan])


def test_references_of_batches(tree: RobotModel) -> None:
    Q2 = np.random.default_rng(3).uniform(-1, 1, (2, 3, 6))
    for reference in ("body", "spatial"):
        all_frames = tree.jacobians("output", Q2, reference=reference)
        one = tree.jacobian(Q2, frame_type="output", index=4, reference=reference)
        assert all_frames.shape == (2, 3, 13, 6, 6)
        for i in range(2):
            for j in range(3):
                single = tree.jacobians("output", Q2[i, j], reference=reference)
                assert all_frames[i, j].tobytes() == single.tobytes()
                assert one[i, j].tobytes() == single[4].tobytes()
