"""Inverse kinematics of other libraries, made from our chain of joints; poses of one tool.

Each peer is a function of the seed and the target pose that returns joint positions. Where a
library wants objectives, they are made before and not timed.
"""

import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.kinematics import RobotModel
from armwright.kinematics.naming import find_frame
from benchmarks.peers import pinocchio_twin

FloatArray = npt.NDArray[np.float64]
Prepare = Callable[[FloatArray], Any]  # target -> what is made before
Solve = Callable[[FloatArray, Any], FloatArray]  # seed, what was made -> joint positions
Peer = tuple[Prepare, Solve]

ROUNDS = 1000  # steps of pin's loop


def peers(model: RobotModel, path: Path | None) -> dict[str, Peer]:
    """Return the solvers that are installed; hebi-py's reads the file itself."""
    found = {}
    for name, make in (("rtb", _toolbox), ("pin", _pinocchio), ("trac-ik", _trac_ik)):
        try:
            found[name] = make(model)
        except ImportError:
            continue
    if path is not None:
        with suppress(ImportError):
            found["hebi"] = _hebi(path)
    return found


def _links(model: RobotModel) -> FloatArray:
    """Return the chain of the one end effector: rows of joints and of the tool, see RobotModel."""
    kind, number = find_frame(model)
    return model._chain(kind, number)


def _matrix(row: FloatArray) -> FloatArray:
    """Return the placement in a row of a chain, shape (4, 4)."""
    T = np.eye(4)
    T[:3] = row[4:16].reshape(3, 4)
    return T


def _toolbox(model: RobotModel) -> Peer:
    """roboticstoolbox: its C++ Levenberg-Marquardt with restarts, within plus or minus pi."""
    from roboticstoolbox import ET, ETS

    *joints, tool = _links(model)
    parts = []
    for row in joints:
        parts += [ET.SE3(_matrix(row)), ET.Rz(qlim=[-np.pi, np.pi])]
    chain = ETS([*parts, ET.SE3(_matrix(tool))])
    return lambda T: T, lambda q0, T: chain.ik_LM(T, q0=q0, tol=1e-12)[0]


def _pinocchio(model: RobotModel) -> Peer:
    """pin: the damped loop of its example, one start, limits clipped afterwards."""
    twin = pinocchio_twin(model)
    pin, robot, data, tool = twin.pin, twin.model, twin.data, twin.tool

    def solve(q0: FloatArray, T: Any) -> FloatArray:
        q = q0.copy()
        for _ in range(ROUNDS):
            pin.framesForwardKinematics(robot, data, q)
            to_go = data.oMf[tool].actInv(T)
            error = pin.log6(to_go).vector
            if error @ error < 1e-12:
                break
            J = -pin.Jlog6(to_go.inverse()) @ pin.computeFrameJacobian(robot, data, q, tool)
            q -= J.T @ np.linalg.solve(J @ J.T + 1e-12 * np.eye(6), error)
        return np.remainder(q + np.pi, 2.0 * np.pi) - np.pi

    return pin.SE3, solve


def _trac_ik(model: RobotModel) -> Peer:
    """trac-ik through pytracik: 5 ms at most, the first solution counts."""
    from trac_ik import TracIK  # type: ignore[import-not-found, unused-ignore]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arm.urdf"
        path.write_text(_urdf(_links(model)), encoding="utf-8")
        solver = TracIK("base", "tool", str(path), timeout=0.005, epsilon=1e-6, solver_type="Speed")

    def solve(q0: FloatArray, T: FloatArray) -> FloatArray:
        q = solver.ik(T[:3, 3], T[:3, :3], q0)
        return q0 if q is None else np.asarray(q)

    return lambda T: T, solve


def _urdf(chain: FloatArray) -> str:
    """Write a chain of turning joints as URDF."""
    lines = ['<robot name="arm"><link name="base"/>']
    parent = "base"
    for i, row in enumerate(chain):
        name = "tool" if i == len(chain) - 1 else f"link{i}"
        kind = "fixed" if name == "tool" else "revolute"
        R, p = _matrix(row)[:3, :3], _matrix(row)[:3, 3]
        level = np.hypot(R[0, 0], R[1, 0])
        pitch = np.arctan2(-R[2, 0], level)
        if level > 1e-9:
            roll, yaw = np.arctan2(R[2, 1], R[2, 2]), np.arctan2(R[1, 0], R[0, 0])
        else:
            roll, yaw = np.arctan2(-R[1, 2], R[1, 1]), 0.0
        lines.append(
            f'<link name="{name}"/><joint name="joint{i}" type="{kind}">'
            f'<parent link="{parent}"/><child link="{name}"/><axis xyz="0 0 1"/>'
            f'<origin xyz="{p[0]:.17g} {p[1]:.17g} {p[2]:.17g}" '
            f'rpy="{roll:.17g} {pitch:.17g} {yaw:.17g}"/>'
            f'<limit lower="{-np.pi}" upper="{np.pi}" effort="1" velocity="1"/></joint>'
        )
        parent = name
    return "".join([*lines, "</robot>"])


def _hebi(path: Path) -> Peer:
    """hebi-py, with limits of plus or minus pi."""
    import hebi
    from hebi.robot_model import (
        endeffector_position_objective,
        endeffector_so3_objective,
        joint_limit_constraint,
    )

    robot = hebi.robot_model.import_from_hrdf(str(path))
    high = np.full(robot.dof_count, np.pi)
    bound = joint_limit_constraint(-high, high)

    def prepare(T: FloatArray) -> Any:
        position = endeffector_position_objective(T[:3, 3])
        return position, endeffector_so3_objective(T[:3, :3]), bound

    def solve(q0: FloatArray, goals: Any) -> FloatArray:
        try:
            return np.asarray(robot.solve_inverse_kinematics(q0, *goals))
        except Exception:  # an "unknown solver failure" now and then: not reached
            return q0

    return prepare, solve
