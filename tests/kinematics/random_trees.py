"""Random trees, told to ``ModelBuilder`` in any order and to Pinocchio in its own."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.kinematics import ModelBuilder, RobotModel

FloatArray = npt.NDArray[np.float64]


@dataclass
class Thing:
    """A joint, body or frame of a random tree."""

    name: str
    kind: str  # "revolute", "prismatic", "fixed", "body", "operational", "sensor"
    parent: "Thing | None"
    T: FloatArray
    axis: FloatArray
    mass: float = 0.0
    com: FloatArray = field(default_factory=lambda: np.zeros(3))
    inertia: FloatArray = field(default_factory=lambda: np.zeros((3, 3)))

    @property
    def moves(self) -> bool:
        return self.kind in ("revolute", "prismatic")


def random_rotation(rng: np.random.Generator) -> FloatArray:
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return np.asarray(Q * np.linalg.det(Q))


def random_tree(seed: int, count: int) -> list[Thing]:
    """Return things, parents first; every moving joint has a body of its own."""
    rng = np.random.default_rng(seed)
    things: list[Thing] = []
    kinds = ["revolute", "prismatic", "fixed", "body", "operational", "sensor"]
    axes = [*np.eye(3), *-np.eye(3)]
    for number in range(count):
        parent = None if rng.random() < 0.15 or not things else things[rng.integers(len(things))]
        T = np.eye(4)
        if rng.random() < 0.7:
            T[:3, 3] = rng.normal(size=3)
        if rng.random() < 0.5:
            T[:3, :3] = random_rotation(rng)
        axis = axes[rng.integers(6)] if rng.random() < 0.4 else rng.normal(size=3)
        kind = kinds[rng.choice(6, p=[0.35, 0.15, 0.1, 0.2, 0.1, 0.1])]
        thing = Thing(f"{kind} {number}", kind, parent, T, np.asarray(axis))
        if kind in ("body", "sensor", "operational") and rng.random() < 0.8:
            weigh(thing, rng)
        things.append(thing)
        if thing.moves:
            own = Thing(f"own {number}", "body", thing, np.eye(4), np.zeros(3))
            weigh(own, rng)
            things.append(own)
    return things


def weigh(thing: Thing, rng: np.random.Generator) -> None:
    """Give a thing the mass properties of a cloud of points."""
    points, masses = rng.normal(size=(4, 3)), rng.uniform(0.1, 1.0, 4)
    thing.mass = float(masses.sum())
    thing.com = masses @ points / thing.mass
    d = points - thing.com
    thing.inertia = sum(
        (m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, d, strict=True)),
        np.zeros((3, 3)),
    )
    thing.inertia = 0.5 * (thing.inertia + thing.inertia.T)


def build(things: list[Thing], *, base: FloatArray | None = None, free: bool = False) -> RobotModel:
    """Return our model of the things."""
    builder = ModelBuilder("random", base_frame=base, free_flyer=free)
    for thing in things:
        where: dict[str, Any] = {
            "parent": None if thing.parent is None else thing.parent.name,
            "placement": thing.T,
        }
        weight: dict[str, Any] = {"mass": thing.mass, "com": thing.com, "inertia": thing.inertia}
        if thing.kind in ("revolute", "prismatic", "fixed"):
            builder.joint(thing.name, thing.kind, axis=thing.axis, **where)  # type: ignore[arg-type]
        elif thing.kind == "body":
            builder.body(thing.name, **where, **weight)
        else:
            builder.frame(thing.name, thing.kind, **where, **weight)  # type: ignore[arg-type]
    return builder.build()


class PinTree:
    """The things in Pinocchio, joints in the order of our model's."""

    def __init__(
        self, pin: Any, things: list[Thing], order: tuple[str, ...], base: FloatArray
    ) -> None:
        self.pin = pin
        self.model = pin.Model()
        self.names = order
        joints: dict[str, int] = {}
        by_name = {thing.name: thing for thing in things}

        def place(thing: Thing | None) -> tuple[int, Any]:
            """Return the joint that carries a thing, and the thing's placement there."""
            if thing is None:
                return 0, pin.SE3(base)
            if thing.name in joints:
                return joints[thing.name], pin.SE3.Identity()
            joint, above = place(thing.parent)
            return joint, above * pin.SE3(thing.T)

        for name in order:
            thing = by_name[name]
            axis = thing.axis / np.linalg.norm(thing.axis)
            kinds = pin.JointModelRevoluteUnaligned, pin.JointModelPrismaticUnaligned
            parent, above = place(thing.parent)
            kind = kinds[thing.kind == "prismatic"](axis)
            joints[name] = self.model.addJoint(parent, kind, above * pin.SE3(thing.T), name)
        self.frames: dict[str, int] = {}
        for thing in things:
            joint, at = place(thing)
            if thing.mass:
                own = pin.Inertia(thing.mass, thing.com, thing.inertia)
                self.model.appendBodyToJoint(joint, own, at)
            frame = pin.Frame(f"frame {thing.name}", joint, 0, at, pin.FrameType.OP_FRAME)
            self.frames[thing.name] = self.model.addFrame(frame)
        self.model.gravity.linear = np.array([0.0, 0.0, -9.81])
        self.data = self.model.createData()

    def pose(self, name: str, q: FloatArray) -> FloatArray:
        self.pin.framesForwardKinematics(self.model, self.data, q)
        return np.asarray(self.data.oMf[self.frames[name]].homogeneous)

    def jacobian(self, name: str, q: FloatArray) -> FloatArray:
        frame = self.pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        return np.asarray(
            self.pin.computeFrameJacobian(self.model, self.data, q, self.frames[name], frame)
        )

    def gravity(self, q: FloatArray) -> FloatArray:
        return np.array(self.pin.computeGeneralizedGravity(self.model, self.data, q))

    def mass_matrix(self, q: FloatArray) -> FloatArray:
        upper = np.triu(self.pin.crba(self.model, self.data, q))
        return np.asarray(upper + np.triu(upper, 1).T)

    def inverse_dynamics(self, q: FloatArray, v: FloatArray, a: FloatArray) -> FloatArray:
        return np.array(self.pin.rnea(self.model, self.data, q, v, a))
