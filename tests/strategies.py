"""Hypothesis strategies: random valid robots of every kind of element, as descriptions.

``descriptions()`` gives trees with overrides, offsets, negative axes, gear ratios, tags and
meshes. With ``oracle=True`` it stays with what HEBI's library is a right oracle for: no negative
axes, plain tags, moderate numbers.
"""

import math
from typing import Any

from hypothesis import strategies as st

from armwright import hrdf
from armwright.hrdf.elements.parts import ActuatorPart, BracketPart, EndEffectorPart, LinkPart, Part
from armwright.hrdf.elements.pose import (
    IDENTITY,
    IDENTITY_ROTATION,
    ZERO,
    Rotation,
    rotation_about,
    rotation_product,
)
from armwright.hrdf.specification import JOINT_AXES, LINK_STYLES

_ODD_TEXTS = ("a b", "ä", '"quoted"', "a<b>&c", "tab\tline\nreturn\r", "名前", "  spaces  ", "'")


def lengths(*, oracle: bool = False) -> st.SearchStrategy[float]:
    """Coordinates [m], of ordinary size for an oracle."""
    ordinary = st.integers(-1000, 1000).map(lambda n: n / 1000)
    if oracle:
        return ordinary
    return ordinary | st.floats(-1e3, 1e3)


def vectors(*, oracle: bool = False) -> st.SearchStrategy[tuple[float, float, float]]:
    """Three coordinates [m]."""
    one = lengths(oracle=oracle)
    return st.tuples(one, one, one)


def angles() -> st.SearchStrategy[float]:
    """Angles [rad], quarter turns among them."""
    return st.floats(-7, 7, width=32) | st.integers(-4, 4).map(lambda n: n * math.pi / 2)


@st.composite
def rotations(draw: st.DrawFn) -> Rotation:
    """Products of up to three turns."""
    result = IDENTITY_ROTATION
    for axis in draw(st.lists(st.sampled_from("xyz"), max_size=3)):
        result = rotation_product(result, rotation_about(axis, draw(angles())))
    return result


@st.composite
def poses(draw: st.DrawFn, *, oracle: bool = False) -> hrdf.Pose:
    """Placements, the identity among them."""
    if draw(st.booleans()):
        return IDENTITY
    return hrdf.Pose(draw(rotations()), draw(vectors(oracle=oracle) | st.just(ZERO)))


def masses() -> st.SearchStrategy[float]:
    """Masses [kg], zero among them."""
    return st.integers(0, 5000).map(lambda n: n / 1000)


@st.composite
def inertias(draw: st.DrawFn) -> tuple[float, ...]:
    """Six numbers that some body has [kg m^2]."""
    if draw(st.booleans()):
        return (0.0,) * 6
    a, b, c = (draw(st.integers(1, 900)) * 1e-5 for _ in range(3))
    off = draw(st.integers(-5, 5)) * 1e-7
    return (b + c, a + c, a + b, off, -off, off)


@st.composite
def overrides(draw: st.DrawFn, part_mass: float, *, oracle: bool = False) -> hrdf.Overrides:
    """Offsets and overrides that leave the mass at zero or more."""
    if draw(st.integers(0, 2)) == 0:
        return hrdf.Overrides()
    values: dict[str, Any] = {}
    which = draw(st.sampled_from(("mass", "mass_offset", "")))
    if which == "mass":
        values["mass"] = draw(masses())
    elif which:
        values["mass_offset"] = draw(st.integers(-99, 300)) * part_mass / 100
    which = draw(st.sampled_from(("com_trans", "com_trans_offset", "")))
    if which:
        values[which] = draw(vectors(oracle=oracle))
    if draw(st.booleans()):
        values["com_rot"] = draw(rotations())
    if draw(st.booleans()):
        values["inertia"] = draw(inertias())
    return hrdf.Overrides(**values)


@st.composite
def descriptions(
    draw: st.DrawFn, *, oracle: bool = False, max_elements: int = 12, base: bool = True
) -> hrdf.RobotDescription:
    """Whole robots: chains and trees of everything that fits."""
    robot = _Robot(draw, oracle=oracle, left=draw(st.integers(0, max_elements)))
    elements = robot.chain(None, depth=0)
    text = "" if oracle else draw(st.sampled_from(("", "An arm", *_ODD_TEXTS)))
    return hrdf.RobotDescription(
        elements=elements,
        base=draw(poses(oracle=oracle)) if base else IDENTITY,
        description=text,
    )


class _Robot:
    """One robot while it is drawn."""

    def __init__(self, draw: st.DrawFn, *, oracle: bool, left: int) -> None:
        self.draw = draw
        self.oracle = oracle
        self.left = left
        self.tags: set[str] = set()
        self.catalog = hrdf.load_catalog()

    def chain(self, interface: str | None, depth: int) -> tuple[hrdf.Element, ...]:
        """Draw elements that hang on an interface until nothing can follow or none is left."""
        elements: list[hrdf.Element] = []
        while self.left > 0:
            self.left -= 1
            element = self.element(interface, depth)
            elements.append(element)
            if isinstance(element, hrdf.EndEffector) or getattr(element, "branched", False):
                break
            interface = element.interface_out
        return tuple(elements)

    def element(self, interface: str | None, depth: int) -> hrdf.Element:
        draw, oracle = self.draw, self.oracle
        kind = draw(st.sampled_from(("part", "part", "part", "rigid-body", "joint", "end")))
        if kind == "part" and interface is not None:
            names = [n.split(" ", 1) for n in self.catalog.fitting(interface)]
            names = [n for n in names if n[0] != "end-effector"]
            kind, type_ = draw(st.sampled_from(names)) if names else ("joint", "")
        elif kind == "part":
            kind = draw(st.sampled_from(("actuator", "link", "bracket")))
            type_ = draw(st.sampled_from(self.catalog.types(kind)))
        if kind == "rigid-body":
            return self.body(depth)
        if kind == "joint":
            axes = JOINT_AXES[:6] if oracle else JOINT_AXES
            ratio = draw(st.sampled_from((1.0, 1.0, 2.0, 0.5, -3.0)))
            return hrdf.Joint(axis=draw(st.sampled_from(axes)), gear_ratio=ratio, tag=self.tag())
        if kind == "end":
            return self.end_effector(interface)
        part: Part = self.catalog.parts[kind][type_]
        if isinstance(part, ActuatorPart):
            mine = draw(overrides(part.mass, oracle=oracle))
            return hrdf.Actuator(part=part, overrides=mine, tag=self.tag())
        if isinstance(part, BracketPart):
            mine = draw(overrides(part.mass, oracle=oracle))
            outputs: tuple[hrdf.Output, ...] = ()
            if depth < 3 and draw(st.integers(0, 4)) == 0:
                outputs = (hrdf.Output(elements=self.chain(part.interface_out, depth + 1)),)
            return hrdf.Bracket(part=part, overrides=mine, outputs=outputs, tag=self.tag())
        assert isinstance(part, LinkPart)
        return self.link(part)

    def link(self, part: LinkPart) -> hrdf.Element:
        draw = self.draw
        styles: Any = draw(st.tuples(*[st.sampled_from(LINK_STYLES)] * 2))
        if part.type == "R25-R8":
            styles = (styles[0], "RightAngle")
        extension = draw(st.integers(0, 800)) / 1000
        mine = draw(overrides(part.base_mass, oracle=self.oracle))
        return hrdf.Link(
            part=part,
            extension=extension,
            twist=draw(angles()),
            input=styles[0],
            output=styles[1],
            overrides=mine,
            tag=self.tag(),
        )

    def body(self, depth: int) -> hrdf.Element:
        draw, oracle = self.draw, self.oracle
        branched = depth < 3 and draw(st.integers(0, 2)) == 0
        outputs = [hrdf.Output(pose=draw(poses(oracle=oracle)))]
        tag = self.tag()
        if branched:
            count = draw(st.integers(1, 3))
            outputs = [
                hrdf.Output(pose=draw(poses(oracle=oracle)), elements=self.chain(None, depth + 1))
                for _ in range(count)
            ]
        mesh = draw(st.sampled_from((None, "", "arm.obj", "../m/a b.stl", "https://a.b/c.obj")))
        return hrdf.RigidBody(
            mass=draw(masses()),
            com=draw(poses(oracle=oracle)),
            inertia=draw(inertias()),  # type: ignore[arg-type]
            outputs=tuple(outputs),
            branched=branched,
            mesh_path=mesh,
            mesh_pose=IDENTITY if mesh is None else draw(poses(oracle=oracle)),
            tag=tag,
        )

    def end_effector(self, interface: str | None) -> hrdf.Element:
        draw, oracle = self.draw, self.oracle
        fits = ["Custom"]
        if interface is None:
            fits = list(self.catalog.types("end-effector"))
        else:
            names = (n.split(" ", 1) for n in self.catalog.fitting(interface))
            fits += [type_ for kind, type_ in names if kind == "end-effector"]
        part = self.catalog.parts["end-effector"][draw(st.sampled_from(fits))]
        assert isinstance(part, EndEffectorPart)
        return hrdf.EndEffector(
            part=part,
            output_rot=draw(st.none() | rotations()),
            output_trans=draw(st.none() | vectors(oracle=oracle)),
            overrides=draw(overrides(part.mass, oracle=oracle)),
            tag=self.tag(),
        )

    def tag(self) -> str | None:
        """Draw a tag that is not taken, or none."""
        if not self.draw(st.booleans()):
            return None
        tag = f"t{len(self.tags)}"
        if not self.oracle:
            tag += self.draw(st.sampled_from(("", "", *_ODD_TEXTS)))
        self.tags.add(tag)
        return tag
