"""Descriptions as models of Pinocchio and MuJoCo, by a walk of their own down the tree.

Nothing here uses ``armwright.kinematics``. Gear ratios are not known to the other libraries: their
joint values are ours times ``scale``, their efforts ours divided by it.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.hrdf import Actuator, EndEffector, Joint, RobotDescription, walk

FloatArray = npt.NDArray[np.float64]


@dataclass
class Body:
    """What one joint moves: all parts up to the next joints."""

    parent: int  # number of the body, -1 for the base
    T_parent_body: FloatArray  # at zero joint position
    axis: FloatArray
    slides: bool
    masses: list[tuple[float, FloatArray, FloatArray]] = field(default_factory=list)

    def inertial(self) -> tuple[float, FloatArray, FloatArray]:
        """Return mass, center of mass and inertia about it, body axes."""
        mass = sum(m for m, _, _ in self.masses)
        center = np.zeros(3)
        if mass:
            center = sum((m * c for m, c, _ in self.masses), np.zeros(3)) / mass
        inertia = np.zeros((3, 3))
        for m, c, own in self.masses:
            d = c - center
            inertia += own + m * (d @ d * np.eye(3) - np.outer(d, d))
        return mass, center, inertia


@dataclass
class Tree:
    """A description as bodies; ``inputs`` and ``outputs`` hold (body, placement) by element."""

    base: FloatArray
    root: Body
    bodies: list[Body]
    scale: FloatArray
    inputs: list[tuple[int, FloatArray]]
    outputs: list[list[tuple[int, FloatArray]]]
    ends: list[tuple[int, FloatArray]]


def tree_of(
    description: RobotDescription, payload: tuple[float, npt.ArrayLike] | None = None
) -> Tree:
    """Return the bodies of a description, with a payload (mass, com) at every end effector."""
    root = Body(-1, np.eye(4), np.zeros(3), False)
    tree = Tree(description.base.matrix(), root, [], np.zeros(0), [], [], [])
    scale = []
    for placed in walk(description):
        element = placed.element
        if placed.parent < 0:
            body, T = -1, np.eye(4)
        else:
            body, T = tree.outputs[placed.parent][placed.output]
        here = root if body < 0 else tree.bodies[body]
        tree.inputs.append((body, T))
        if not isinstance(element, Joint):
            C = T @ element.com.matrix()
            xx, yy, zz, xy, xz, yz = element.inertia
            own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            here.masses.append((element.mass, C[:3, 3], C[:3, :3] @ own @ C[:3, :3].T))
        outputs = [(body, T @ pose.matrix()) for pose in element.output_poses]
        if isinstance(element, EndEffector):
            tree.ends.append(outputs[0])
            if payload:
                point = T[:3, :3] @ np.asarray(payload[1]) + T[:3, 3]
                here.masses.append((payload[0], point, np.zeros((3, 3))))
        if isinstance(element, Joint | Actuator):
            axis, slides, ratio = np.array([0.0, 0.0, 1.0]), False, 1.0
            if isinstance(element, Joint):
                axis = np.eye(3)["xyz".index(element.axis[-1])]
                axis = -axis if element.axis.startswith("-") else axis
                slides, ratio = element.axis[-2] == "t", element.gear_ratio
            tree.bodies.append(Body(body, outputs[0][1], axis, slides))
            scale.append(1.0 / ratio)
            outputs = [(len(tree.bodies) - 1, np.eye(4))]
        tree.outputs.append(outputs)
    tree.scale = np.array(scale)
    return tree


class PinTwin:
    """The same robot in Pinocchio; all arguments and results in our terms."""

    def __init__(self, pin: Any, tree: Tree, *, free: bool = False) -> None:
        self.pin, self.tree, self.free = pin, tree, free
        self.model = pin.Model()
        base = pin.SE3(tree.base)
        root = 0
        if free:
            kind = pin.JointModelFreeFlyer()
            root = self.model.addJoint(0, kind, pin.SE3.Identity(), "root")
            base = pin.SE3.Identity()
            self._append(root, tree.root)
        self.joints: list[int] = []
        for i, body in enumerate(tree.bodies):
            kinds = pin.JointModelPrismaticUnaligned, pin.JointModelRevoluteUnaligned
            kind = kinds[0](body.axis) if body.slides else kinds[1](body.axis)
            parent = root if body.parent < 0 else self.joints[body.parent]
            placement = pin.SE3(body.T_parent_body)
            if body.parent < 0:
                placement = base * placement
            self.joints.append(self.model.addJoint(parent, kind, placement, f"joint{i}"))
            self._append(self.joints[-1], body)
        self.root = root
        self.data = self.model.createData()

    def _append(self, joint: int, body: Body) -> None:
        mass, center, inertia = body.inertial()
        own = self.pin.Inertia(mass, center, 0.5 * (inertia + inertia.T))
        self.model.appendBodyToJoint(joint, own, self.pin.SE3.Identity())

    def gravity(self, g: npt.ArrayLike) -> None:
        self.model.gravity.linear = np.asarray(g, dtype=float)

    def place(self, q: FloatArray, T: FloatArray | None = None) -> FloatArray:
        """Return Pinocchio's configuration."""
        if not self.free:
            return q * self.tree.scale
        assert T is not None
        quaternion = self.pin.Quaternion(np.ascontiguousarray(T[:3, :3])).coeffs()
        return np.concatenate([T[:3, 3], quaternion, q * self.tree.scale])

    def mixing(self, T: FloatArray | None = None) -> FloatArray:
        """Return the matrix from Pinocchio's velocities to ours, transposed inverse for efforts."""
        n = len(self.tree.scale)
        if not self.free:
            return np.diag(1.0 / self.tree.scale)
        assert T is not None
        X = np.zeros((n + 6, n + 6))
        X[:3, :3] = X[3:6, 3:6] = T[:3, :3]
        X[6:, 6:] = np.diag(1.0 / self.tree.scale)
        return X

    def accelerations(self, v: FloatArray, a: FloatArray, T: FloatArray | None) -> FloatArray:
        """Return Pinocchio's accelerations: for a free base spatial ones, base axes."""
        theirs = np.asarray(np.linalg.solve(self.mixing(T), a), dtype=np.float64)
        if self.free:
            w = np.linalg.solve(self.mixing(T), v)
            theirs[:3] -= np.cross(w[3:6], w[:3])
        return theirs

    def forces(
        self, q: FloatArray, wrenches: list[tuple[int, FloatArray, FloatArray]], T: Any = None
    ) -> Any:
        """Return external forces for wrenches (body, placement, six numbers), world axes."""
        pin = self.pin
        pin.forwardKinematics(self.model, self.data, self.place(q, T))
        totals = [np.zeros(6) for _ in range(self.model.njoints)]
        for body, placement, wrench in wrenches:
            joint = self.root if body < 0 else self.joints[body]
            local = pin.SE3(placement)
            if joint == 0:
                continue  # the ground bears it
            at = self.data.oMi[joint] * local
            force = pin.Force(at.rotation.T @ wrench[:3], at.rotation.T @ wrench[3:])
            totals[joint] = totals[joint] + local.act(force).vector
        found = pin.StdVec_Force()
        for total in totals:
            found.append(pin.Force(total))
        return found

    def inverse_dynamics(
        self, q: FloatArray, v: FloatArray, a: FloatArray, *, T: Any = None, forces: Any = None
    ) -> FloatArray:
        X = self.mixing(T)
        place, theirs = self.place(q, T), self.accelerations(v, a, T)
        speed = np.linalg.solve(X, v)
        extra = () if forces is None else (forces,)
        tau = self.pin.rnea(self.model, self.data, place, speed, theirs, *extra)
        return np.linalg.solve(X.T, tau)

    def forward_dynamics(self, q: FloatArray, v: FloatArray, tau: FloatArray) -> FloatArray:
        """Fixed base alone."""
        X = self.mixing()
        speed = np.linalg.solve(X, v)
        a = self.pin.aba(self.model, self.data, self.place(q), speed, X.T @ tau)
        return np.asarray(X @ a)

    def mass_matrix(self, q: FloatArray, T: Any = None) -> FloatArray:
        upper = np.triu(self.pin.crba(self.model, self.data, self.place(q, T)))
        M = upper + np.triu(upper, 1).T
        Y = np.linalg.inv(self.mixing(T))
        return np.asarray(Y.T @ M @ Y)

    def coriolis(self, q: FloatArray, v: FloatArray) -> FloatArray:
        Y = np.linalg.inv(self.mixing())
        C = self.pin.computeCoriolisMatrix(self.model, self.data, self.place(q), Y @ v)
        return np.asarray(Y.T @ C @ Y)


class MujocoTwin:
    """The same robot in MuJoCo; all arguments and results in our terms, mixed for a free base.

    MuJoCo wants mass and inertia in every moving body: those without get next to nothing.
    """

    def __init__(self, mujoco: Any, tree: Tree, *, free: bool = False) -> None:
        self.mujoco, self.tree, self.free = mujoco, tree, free
        spec = mujoco.MjSpec()
        spec.compiler.boundmass = spec.compiler.boundinertia = 1e-14
        spec.option.gravity = [0.0, 0.0, -9.81]
        base = spec.worldbody.add_body(
            name="base", **self._placed(np.eye(4) if free else tree.base)
        )
        self._weigh(base, tree.root)
        if free:
            base.add_freejoint()
        added: list[Any] = []
        for i, body in enumerate(tree.bodies):
            parent = base if body.parent < 0 else added[body.parent]
            child = parent.add_body(name=f"body{i}", **self._placed(body.T_parent_body))
            self._weigh(child, body)
            kind = mujoco.mjtJoint.mjJNT_SLIDE if body.slides else mujoco.mjtJoint.mjJNT_HINGE
            child.add_joint(type=kind, axis=body.axis)
            added.append(child)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)

    def _weigh(self, made: Any, body: Body) -> None:
        mass, center, inertia = body.inertial()
        made.mass, made.ipos, made.explicitinertial = mass, center, True
        made.fullinertia = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]

    def _placed(self, T: FloatArray) -> dict[str, Any]:
        return {"pos": T[:3, 3], "quat": self._quaternion(T)}

    def _quaternion(self, T: FloatArray) -> FloatArray:
        quat = np.empty(4)
        self.mujoco.mju_mat2Quat(quat, np.ascontiguousarray(T[:3, :3]).ravel())
        return quat

    def mixing(self, T: FloatArray | None = None) -> FloatArray:
        """Return the matrix from our velocities to MuJoCo's, whose base turns in its own axes."""
        n = len(self.tree.scale)
        if not self.free:
            return np.diag(self.tree.scale)
        assert T is not None
        X = np.eye(n + 6)
        X[3:6, 3:6] = T[:3, :3].T
        X[6:, 6:] = np.diag(self.tree.scale)
        return X

    def set(self, q: FloatArray, v: FloatArray, T: FloatArray | None = None) -> None:
        base = [] if T is None else [*T[:3, 3], *self._quaternion(T)]
        self.data.qpos[:] = [*base, *(q * self.tree.scale)]
        self.data.qvel[:] = self.mixing(T) @ v

    def mass_matrix(self, q: FloatArray, T: FloatArray | None = None) -> FloatArray:
        n = self.model.nv
        self.set(q, np.zeros(n), T)
        self.mujoco.mj_forward(self.model, self.data)
        M = np.empty((n, n))
        try:
            self.mujoco.mj_fullM(self.model, M, self.data.qM)
        except (AttributeError, TypeError):  # MuJoCo 4 takes the data
            self.mujoco.mj_fullM(self.model, self.data, M)
        X = self.mixing(T)
        return np.asarray(X.T @ M @ X)

    def inverse_dynamics(
        self, q: FloatArray, v: FloatArray, a: FloatArray, T: FloatArray | None = None
    ) -> FloatArray:
        self.set(q, v, T)
        X = self.mixing(T)
        self.data.qacc[:] = X @ a
        self.mujoco.mj_inverse(self.model, self.data)
        return np.asarray(X.T @ self.data.qfrc_inverse)

    def forward_dynamics(
        self, q: FloatArray, v: FloatArray, tau: FloatArray, T: FloatArray | None = None
    ) -> FloatArray:
        self.set(q, v, T)
        X = self.mixing(T)
        self.data.qfrc_applied[:] = np.linalg.solve(X.T, tau)
        self.mujoco.mj_forward(self.model, self.data)
        return np.linalg.solve(X, self.data.qacc)

    def external_efforts(
        self,
        q: FloatArray,
        wrenches: list[tuple[int, FloatArray, FloatArray]],
        T: FloatArray | None = None,
    ) -> FloatArray:
        """Return what wrenches (body, placement, six numbers), world axes, do."""
        self.set(q, np.zeros(self.model.nv), T)
        self.mujoco.mj_forward(self.model, self.data)
        efforts = np.zeros(self.model.nv)
        for body, placement, six in wrenches:
            number, point = self.point(body, placement)
            self.mujoco.mj_applyFT(
                self.model, self.data, six[:3].copy(), six[3:].copy(), point, number, efforts
            )
        return np.asarray(self.mixing(T).T @ efforts)

    def point(self, body: int, placement: FloatArray) -> tuple[int, FloatArray]:
        """Return the number of a body in MuJoCo, and where a point of it is now."""
        number = body + 2
        R = self.data.xmat[number].reshape(3, 3)
        return number, np.asarray(self.data.xpos[number] + R @ placement[:3, 3])

    def jacobian(self, body: int, placement: FloatArray, *, rate: bool = False) -> FloatArray:
        """Return the Jacobian of a frame in the state that is set, or its rate; their columns."""
        number, point = self.point(body, placement)
        J = np.zeros((6, self.model.nv))
        call = self.mujoco.mj_jacDot if rate else self.mujoco.mj_jac
        call(self.model, self.data, J[:3], J[3:], point, number)
        return J


class IdynTreeTwin:
    """The same robot in iDynTree, standing on its base frame."""

    def __init__(self, idyntree: Any, tree: Tree) -> None:
        self.idt, self.tree = idyntree, tree
        self.model = idyntree.Model()
        self.model.addLink("base", self._link(tree.root))
        for i, body in enumerate(tree.bodies):
            joint = idyntree.PrismaticJoint() if body.slides else idyntree.RevoluteJoint()
            joint.setRestTransform(self._transform(body.T_parent_body))
            parent = "base" if body.parent < 0 else f"body{body.parent}"
            before, after = self.model.getLinkIndex(parent), self.model.getNrOfLinks()
            joint.setAttachedLinks(before, after)
            axis = idyntree.Axis(
                idyntree.Direction(*body.axis.tolist()), idyntree.Position(0.0, 0.0, 0.0)
            )
            joint.setAxis(axis, after, before)
            self.model.addJointAndLink(parent, f"joint{i}", joint, f"body{i}", self._link(body))
        self.kindyn = idyntree.KinDynComputations()
        assert self.kindyn.loadRobotModel(self.model)
        self.wrenches = idyntree.LinkWrenches(self.model)
        self.wrenches.zero()
        self.torques = idyntree.FreeFloatingGeneralizedTorques(self.model)

    def _transform(self, T: FloatArray) -> Any:
        rotation = self.idt.Rotation(*T[:3, :3].ravel().tolist())
        return self.idt.Transform(rotation, self.idt.Position(*T[:3, 3].tolist()))

    def _link(self, body: Body) -> Any:
        mass, center, inertia = body.inertial()
        moments = self.idt.RotationalInertia()
        for row in range(3):
            for column in range(3):
                moments.setVal(row, column, float(inertia[row, column]))
        whole = self.idt.SpatialInertia()
        place = self.idt.Position(*center.tolist())
        whole.fromRotationalInertiaWrtCenterOfMass(float(mass), place, moments)
        link = self.idt.Link()
        link.setInertia(whole)
        return link

    def set(self, q: FloatArray, v: FloatArray) -> None:
        scale = self.tree.scale
        down = np.array([0.0, 0.0, -9.81])
        assert self.kindyn.setRobotState(self.tree.base, q * scale, np.zeros(6), v * scale, down)

    def inverse_dynamics(self, q: FloatArray, v: FloatArray, a: FloatArray) -> FloatArray:
        self.set(q, v)
        self.kindyn.inverseDynamics(np.zeros(6), a * self.tree.scale, self.wrenches, self.torques)
        return np.asarray(self.torques.jointTorques().toNumPy() * self.tree.scale)

    def gravity_efforts(self, q: FloatArray) -> FloatArray:
        self.set(q, np.zeros_like(q))
        self.kindyn.generalizedGravityForces(self.torques)
        return np.asarray(self.torques.jointTorques().toNumPy() * self.tree.scale)

    def free_mass_matrix(self, q: FloatArray) -> FloatArray:
        """Mixed representation, base first, at the base frame."""
        self.set(q, np.zeros_like(q))
        n = len(q)
        M = self.idt.MatrixDynSize(n + 6, n + 6)
        self.kindyn.getFreeFloatingMassMatrix(M)
        scale = np.concatenate([np.ones(6), self.tree.scale])
        return np.asarray(scale[:, None] * M.toNumPy() * scale)

    def momentum_matrix(self, q: FloatArray) -> FloatArray:
        self.set(q, np.zeros_like(q))
        A = self.idt.MatrixDynSize(6, len(q) + 6)
        self.kindyn.getCentroidalTotalMomentumJacobian(A)
        return np.asarray(A.toNumPy()[:, 6:] * self.tree.scale)
