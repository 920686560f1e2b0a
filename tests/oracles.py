"""Slow, obvious twins of what the kernels compute: products of 4x4 matrices down the tree.

Nothing here uses ``armwright.kinematics``; only the description is shared.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from armwright.hrdf import Actuator, Element, EndEffector, Joint, RigidBody, RobotDescription

FloatArray = npt.NDArray[np.float64]


@dataclass
class Moving:
    """A joint on the way to a frame: where it is and how it moves what hangs on it."""

    number: int
    axis: FloatArray  # world axes, times motion per unit of q
    origin: FloatArray
    slides: bool


@dataclass
class Frame:
    """A frame in the world with all joints that move it, and the mass at it (com frames)."""

    T_world_frame: FloatArray
    joints: tuple[Moving, ...]
    mass: float = 0.0

    def jacobian(self, dof: int) -> FloatArray:
        """Return the world Jacobian, (6, dof)."""
        J = np.zeros((6, dof))
        for joint in self.joints:
            if joint.slides:
                J[:3, joint.number] = joint.axis
            else:
                arm = self.T_world_frame[:3, 3] - joint.origin
                J[:3, joint.number] = np.cross(joint.axis, arm)
                J[3:, joint.number] = joint.axis
        return J


def frames(description: RobotDescription, q: npt.ArrayLike) -> dict[str, list[Frame]]:
    """Return every frame of every kind, in the order that the format prescribes."""
    found: dict[str, list[Frame]] = {
        kind: [] for kind in ("input", "output", "com", "endeffector", "mesh", "payload")
    }
    values = iter(enumerate(np.asarray(q, dtype=float).tolist()))

    def visit(chain: tuple[Element, ...], T: FloatArray, joints: tuple[Moving, ...]) -> None:
        if not chain:
            return
        element, rest = chain[0], chain[1:]
        found["input"].append(Frame(T, joints))
        if not isinstance(element, Joint):
            found["com"].append(Frame(T @ element.com.matrix(), joints, element.mass))
            mesh = element.mesh_pose.matrix() if isinstance(element, RigidBody) else np.eye(4)
            found["mesh"].append(Frame(T @ mesh, joints))
        outputs = [T @ pose.matrix() for pose in element.output_poses]
        if isinstance(element, EndEffector):
            found["endeffector"].append(Frame(outputs[0], joints))
            T_payload = outputs[0].copy()
            T_payload[:3, 3] = T[:3, 3]
            found["payload"].append(Frame(T_payload, joints))
        if isinstance(element, Joint | Actuator):
            number, value = next(values)
            kind, axis = ("r", np.array([0.0, 0.0, 1.0]))
            ratio = 1.0
            if isinstance(element, Joint):
                kind = element.axis[-2]
                axis = np.eye(3)["xyz".index(element.axis[-1])]
                axis = -axis if element.axis.startswith("-") else axis
                ratio = element.gear_ratio
            world_axis = outputs[0][:3, :3] @ axis / ratio
            joints = (*joints, Moving(number, world_axis, outputs[0][:3, 3], kind == "t"))
            outputs[0] = outputs[0] @ motion(kind, axis, value / ratio)
        hanging = [output.elements for output in getattr(element, "outputs", ())]
        if not getattr(element, "branched", False):
            hanging = [rest]
        for T_output, chain_there in zip(outputs, hanging, strict=True):
            found["output"].append(Frame(T_output, joints))
            visit(chain_there, T_output, joints)

    visit(description.elements, description.base.matrix(), ())
    return found


def motion(kind: str, axis: FloatArray, amount: float) -> FloatArray:
    """Return the homogeneous matrix of a turn about an axis ("r") or a shift along it ("t")."""
    T = np.eye(4)
    if kind == "t":
        T[:3, 3] = axis * amount
        return T
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    T[:3, :3] = np.eye(3) + np.sin(amount) * K + (1 - np.cos(amount)) * (K @ K)
    return T


def poses(description: RobotDescription, kind: str, q: npt.ArrayLike) -> FloatArray:
    """Return T_world_frame of all frames of one kind, (n, 4, 4)."""
    found = [frame.T_world_frame for frame in frames(description, q)[kind]]
    return np.array(found).reshape(len(found), 4, 4)


def jacobians(description: RobotDescription, kind: str, q: npt.ArrayLike) -> FloatArray:
    """Return the world Jacobians of all frames of one kind, (n, 6, dof)."""
    dof = len(np.asarray(q))
    found = [frame.jacobian(dof) for frame in frames(description, q)[kind]]
    return np.array(found).reshape(len(found), 6, dof)


def holding_efforts(
    description: RobotDescription, q: npt.ArrayLike, gravity: npt.ArrayLike
) -> FloatArray:
    """Return minus the sum of J_linear^T m g, (dof,)."""
    dof = len(np.asarray(q))
    efforts = np.zeros(dof)
    for frame in frames(description, q)["com"]:
        efforts -= frame.jacobian(dof)[:3].T @ (frame.mass * np.asarray(gravity, dtype=float))
    return efforts


def potential_energy(
    description: RobotDescription, q: npt.ArrayLike, gravity: npt.ArrayLike
) -> float:
    """Return minus the sum of m g . c; holding efforts are its derivative."""
    g = np.asarray(gravity, dtype=float)
    masses = frames(description, q)["com"]
    return -float(sum(frame.mass * (g @ frame.T_world_frame[:3, 3]) for frame in masses))


def differences(function: object, q: npt.ArrayLike, step: float = 1e-6) -> FloatArray:
    """Return central differences of an array-valued function; the last axis is the joint."""
    q = np.asarray(q, dtype=float)
    columns = []
    for j in range(len(q)):
        shift = np.zeros(len(q))
        shift[j] = step
        ahead, behind = (np.asarray(function(q + s)) for s in (shift, -shift))  # type: ignore[operator]
        columns.append((ahead - behind) / (2 * step))
    return np.stack(columns, axis=-1)


def twist_differences(function: object, q: npt.ArrayLike, step: float = 1e-6) -> FloatArray:
    """Return the Jacobians of poses (n, 4, 4) by central differences, (n, 6, dof)."""
    here = np.asarray(function(np.asarray(q, dtype=float)))  # type: ignore[operator]
    rates = differences(function, q, step)  # (n, 4, 4, dof)
    J = np.empty((len(here), 6, rates.shape[-1]))
    J[:, :3] = rates[:, :3, 3]
    spin = np.einsum("nijd,nkj->nikd", rates[:, :3, :3], here[:, :3, :3])  # Rdot R^T
    J[:, 3], J[:, 4], J[:, 5] = spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]
    return J


def rotation_about(axis: npt.ArrayLike, angle: float) -> FloatArray:
    """Rotation by an angle about an axis of any length, (3, 3); the unit matrix for none."""
    v = np.asarray(axis, dtype=np.float64)
    length = float(np.linalg.norm(v))
    if length == 0.0:
        return np.eye(3)
    x, y, z = v / length
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    R: FloatArray = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
    return R


def near(expected: Any, tolerance: float = 1e-8) -> Any:
    """Numbers that compare equal to others within an absolute tolerance."""
    return pytest.approx(np.array(expected, dtype=float), rel=0, abs=tolerance)
