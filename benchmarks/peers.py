"""The same robot in other libraries, made from our model's rows and frames."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.kinematics import RobotModel
from armwright.kinematics.robot import FIRST_MOMENT, MASS, PARENT, PLACEMENT, SECOND_MOMENTS, SLIDES

FloatArray = npt.NDArray[np.float64]


def pinocchio_twin(model: RobotModel) -> SimpleNamespace:
    """Return ``pin``, ``model``, ``data``, ``outputs`` (frame numbers) and ``tool``."""
    import pinocchio as pin

    rows = model._rows
    twin = pin.Model()
    twin.gravity.linear = np.array([0.0, 0.0, -9.81])
    placement = pin.SE3(_matrix(rows[0, PLACEMENT]))
    joints = [0]
    for number, row in enumerate(rows[1:], start=1):
        parent = int(row[PARENT])
        local = pin.SE3(_matrix(row[PLACEMENT]))
        local = placement * local if parent == 0 else local
        kind = pin.JointModelPZ() if row[SLIDES] else pin.JointModelRZ()
        joint = twin.addJoint(joints[parent], kind, local, f"joint{number}")
        twin.appendBodyToJoint(joint, _inertia(pin, row), pin.SE3.Identity())
        joints.append(joint)
    outputs = [
        _add_frame(pin, twin, joints, placement, f"output{i}", frame)
        for i, frame in enumerate(model._pose_tables["output"][0])
    ]
    tool = _add_frame(pin, twin, joints, placement, "tool", model._pose_tables["endeffector"][0][0])
    return SimpleNamespace(pin=pin, model=twin, data=twin.createData(), outputs=outputs, tool=tool)


def mujoco_twin(model: RobotModel) -> SimpleNamespace:
    """Return ``mujoco``, ``model`` and ``data``: one body per element of a chain."""
    import mujoco

    outputs = _zero_poses(model, "output")
    spec = mujoco.MjSpec()
    spec.compiler.boundmass = 1e-6
    spec.compiler.boundinertia = 1e-9
    parent = spec.worldbody
    T_world_parent = np.eye(4)
    for element, T_world_output in zip(model.elements, outputs, strict=True):
        T_parent_body = np.linalg.inv(T_world_parent) @ T_world_output
        quat = np.empty(4)
        mujoco.mju_mat2Quat(quat, np.ascontiguousarray(T_parent_body[:3, :3]).ravel())
        parent = parent.add_body(pos=T_parent_body[:3, 3], quat=quat)
        parent.add_geom(size=[0.01, 0, 0], mass=getattr(element, "mass", 0.0) + 1e-6)
        if element.kind == "actuator":
            parent.add_joint(axis=[0, 0, 1])
        T_world_parent = T_world_output
    compiled = spec.compile()
    return SimpleNamespace(mujoco=mujoco, model=compiled, data=mujoco.MjData(compiled))


def _zero_poses(model: RobotModel, frame_type: str) -> FloatArray:
    """Return the poses of all frames of a kind with every joint at zero."""
    return model.forward_kinematics(frame_type, np.zeros(model.dof))


def _add_frame(
    pin: Any, twin: Any, joints: list[int], base: Any, name: str, frame: FloatArray
) -> int:
    """Add one row of a table of frames; return its number."""
    row = int(frame[0])
    local = pin.SE3(_matrix(frame[1:]))
    local = base * local if row == 0 else local
    kind = pin.FrameType.OP_FRAME
    return int(twin.addFrame(pin.Frame(name, joints[row], 0, local, kind)))


def _inertia(pin: Any, row: FloatArray) -> Any:
    """Return the inertia of a body about its center of mass."""
    mass = row[MASS]
    c = row[FIRST_MOMENT] / mass if mass else np.zeros(3)
    xx, yy, zz, xy, xz, yz = row[SECOND_MOMENTS]
    moments = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    moments = moments - mass * np.outer(c, c)
    return pin.Inertia(mass, c, np.trace(moments) * np.eye(3) - moments)


def _matrix(twelve: FloatArray) -> FloatArray:
    """Return the homogeneous matrix of 12 numbers."""
    T = np.eye(4)
    T[:3] = twelve.reshape(3, 4)
    return T
