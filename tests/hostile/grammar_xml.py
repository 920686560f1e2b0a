"""HRDF and SRDF made from their grammar, with a few wrong values: most of it passes the first gate.

The tables of the format say which element has which attribute since when, and what holds what.
"""

from functools import cache
from random import Random
from xml.sax.saxutils import quoteattr

from armwright.hrdf import Catalog, load_catalog
from armwright.hrdf.specification import (
    CHAIN,
    ELEMENTS,
    IMPLICIT_VERSION,
    INERTIA_NAMES,
    JOINT_AXES,
    LATEST,
    LINK_STYLES,
    VERSIONS,
    Attribute,
    is_newer,
)
from tests.hostile.seeds import GROUPS, JOINTS, LINKS
from tests.hostile.words import ODD_TEXTS, name, number, odd_number, right_number

_TAGS = ("a", "b", "c", "tool", "elbow", "J1_base", "\u540d", "a b", "d", "e", "f", "g", "h")
_MESHES = ("a.stl", "meshes/a.obj", "../a.stl", "https://example.com/a.stl", "a b.dae", "")
_INCLUDES = ("sub.hrdf", "./sub.hrdf", "deep/../sub.hrdf", "missing.hrdf", "deep/inner.hrdf")
_QUARTER_TURNS = (
    "1 0 0 0 1 0 0 0 1",
    "0 -1 0 1 0 0 0 0 1",
    "1 0 0 0 0 -1 0 1 0",
    "0.7071068 -0.7071068 0 0.7071068 0.7071068 0 0 0 1",
)


class _Robot:
    """One robot while it is made.

    Attributes:
        wrong: Probability that something is wrong, asked at every place.
        bolted: Whether neighbors are chosen to fit.
    """

    def __init__(self, r: Random) -> None:
        self.r = r
        self.wrong = r.choice((0.0, 0.0, 0.0, 0.003, 0.01, 0.05, 0.3))
        self.version = r.choice((LATEST, LATEST, LATEST, *VERSIONS))
        self.bolted = r.random() < 0.8
        self.room = r.choice((2, 4, 8, 12, 12, 20, 60))

    def text(self) -> str:
        r = self.r
        attributes = {"version": self.version}
        if r.random() < self.wrong:
            attributes["version"] = r.choice(("1.7.0", "2.0.0", "1.6", "", "1.6.0 ", "1.06.0", "x"))
        elif r.random() < 0.05:
            del attributes["version"]
            self.version = IMPLICIT_VERSION
        for key in ("rot", "trans", "description"):
            if r.random() < 0.2 and self.has(ELEMENTS["robot"].attributes[key].since):
                attributes[key] = self.value("robot", key, ELEMENTS["robot"].attributes[key])
        head = r.choice(('<?xml version="1.0" encoding="UTF-8"?>\n', "", ""))
        return f"{head}<robot{self.written(attributes)}>\n{self.chain(0)}</robot>\n"

    def has(self, since: str) -> bool:
        return not is_newer(since, self.version) or self.r.random() < self.wrong

    def chain(self, depth: int) -> str:
        """Return elements that follow one another."""
        r, rows, interface = self.r, [], ""
        for _ in range(min(self.room, r.choice((0, 1, 2, 4, 8, 12, 40)))):
            tag, type_ = self.kind(interface)
            self.room -= 1
            rows.append(self.element(tag, type_, depth))
            part = _catalog().find(tag, type_) if type_ else None
            interface = getattr(part, "interface_out", "") or ""
            if tag == "end-effector" and r.random() >= self.wrong:
                break
            if rows[-1].endswith("</bracket>\n") or rows[-1].endswith("</rigid-body>\n"):
                break
        return "".join(rows)

    def kind(self, interface: str) -> tuple[str, str]:
        """Return the next element's tag and type."""
        r = self.r
        if interface and self.bolted and r.random() < 0.8:
            tag, _, type_ = r.choice(_fitting(interface)).partition(" ")
            if self.has(ELEMENTS[tag].since):
                return tag, type_
        usual = (
            "actuator",
            "joint",
            "joint",
            "rigid-body",
            "rigid-body",
            "end-effector",
            "include",
        )
        tag = r.choice(CHAIN if r.random() < self.wrong or not self.bolted else usual)
        while not self.has(ELEMENTS[tag].since):
            tag = r.choice(CHAIN)
        types = _catalog().types(tag) if tag in _catalog().parts else ()
        if types and (tag != "end-effector" or r.random() < 0.3):
            return tag, r.choice(types)
        return tag, ""

    def element(self, tag: str, type_: str, depth: int) -> str:
        r, form = self.r, ELEMENTS[tag]
        attributes = {"type": type_} if type_ else {}
        often = r.choice((0.0, 0.1, 0.5))
        for key, one in form.attributes.items():
            wanted = one.required or key == "tag" or r.random() < often
            if key in attributes or not wanted or not self.has(one.since):
                continue
            if r.random() >= self.wrong:
                attributes[key] = self.value(tag, key, one)
        if r.random() < 0.9:  # what a body may have
            self.agree(attributes)
        if r.random() < self.wrong:
            attributes[r.choice(("Mass", "x", "axis", "tag", "xmlns", "mass_"))] = r.choice(
                ODD_TEXTS
            )
        if tag == "end-effector" and "type" in attributes:
            attributes = {k: v for k, v in attributes.items() if not k.startswith("output_")}
        children = self.outputs(tag, depth)
        inside = (
            "" if r.random() >= self.wrong else r.choice(("text", "<x/>", "<!-- a -->", "&lt;"))
        )
        if not children and not inside:
            return f"<{tag}{self.written(attributes)}/>\n"
        return f"<{tag}{self.written(attributes)}>{inside}{children}</{tag}>\n"

    def outputs(self, tag: str, depth: int) -> str:
        """Return the outputs of an element that may have some."""
        r = self.r
        can = "output" in ELEMENTS[tag].children or r.random() < self.wrong
        if not can or r.random() > 0.2 or depth > 5 or not self.has(ELEMENTS["output"].since):
            return ""
        rows = []
        for _ in range(r.choice((1, 1, 2, 3))):
            pose = {
                key: self.value("output", key, one)
                for key, one in ELEMENTS["output"].attributes.items()
                if r.random() < 0.5
            }
            rows.append(f"<output{self.written(pose)}>{self.chain(depth + 1)}</output>")
        return "\n".join(rows)

    def agree(self, attributes: dict[str, str]) -> None:
        """Give masses and inertias that a body may have."""
        r = self.r
        if "mass" in attributes and r.random() >= self.wrong:
            attributes["mass"] = right_number(r, 0.0, 3.0).removeprefix("-")
        given = [key for key in INERTIA_NAMES if key in attributes]
        if given and r.random() >= self.wrong:
            size = f"{r.uniform(0.001, 0.1):.4g}"
            for key in INERTIA_NAMES:
                attributes[key] = size if key[1] == key[2] else "0"

    def value(self, tag: str, key: str, form: Attribute) -> str:
        """Return the value of an attribute."""
        r, wrong = self.r, self.wrong
        if form.form == "formula":
            return number(r, wrong)
        if form.form == "vector":
            count = 3 if r.random() >= wrong else r.choice((0, 1, 2, 4, 9))
            numbers = [_plain_number(r, wrong) for _ in range(count)]
            return r.choice((" ", " ", "  ", "\t")).join(numbers)
        if form.form == "rotation":
            if r.random() < wrong:
                return r.choice(
                    (odd_number(r), "1 0 0 0 1 0 0 0 -1", "1 0 0 0 1 0 0 0 1.1", "Rx(1)+")
                )
            if r.random() < 0.3 or not self.has("1.1.0"):
                return r.choice(_QUARTER_TURNS)
            return "*".join(
                f"R{r.choice('xyz')}({number(r, wrong)})" for _ in range(r.choice((1, 2, 3)))
            )
        known = {
            "type": ("X5-1", "X5"),
            "axis": JOINT_AXES,
            "input": LINK_STYLES,
            "output": LINK_STYLES,
            "path": _INCLUDES,
            "mesh_path": _MESHES,
        }.get(key, _TAGS)
        return name(r, wrong, known)

    def written(self, attributes: dict[str, str]) -> str:
        """Return attributes as XML; seldom as something near to it."""
        r = self.r
        items = list(attributes.items())
        if r.random() < 0.3:
            r.shuffle(items)
        if r.random() < self.wrong / 4:
            return "".join(f" {key}={value}" for key, value in items)
        return "".join(f" {key}={quoteattr(_xml_text(value))}" for key, value in items)


def make_robot(_data: bytes, r: Random) -> bytes:
    """Return a robot in HRDF."""
    return _Robot(r).text().encode("utf-8", "surrogatepass")


def make_srdf(_data: bytes, r: Random) -> bytes:
    """Return groups and states in SRDF."""
    wrong = r.choice((0.0, 0.0, 0.0, 0.01, 0.05, 0.3))
    made = r.sample(GROUPS, r.randrange(1, len(GROUPS)))
    rows = []
    own: dict[str, list[str]] = {}  # joints that are named, by group: states name the same ones
    chains = []  # groups that may be arms
    for k, group in enumerate(made):
        inside: list[str] = []
        for _ in range(r.choice((1, 1, 2, 5))):
            what = r.randrange(4)
            if what == 0:
                joint = name(r, wrong, JOINTS)
                own.setdefault(group, []).append(joint)
                inside.append(_tag("joint", name=joint))
            elif what == 1:
                inside.append(_tag("link", name=name(r, wrong, LINKS)))
            elif what == 2:
                ends = r.choice((("shoulders", "left_tool"), ("base", "right_gripper")))
                base, tip = (name(r, wrong, (end,)) for end in ends)
                inside.append(_tag("chain", base_link=base, tip_link=tip))
            elif k:
                inside.append(_tag("group", name=name(r, wrong, tuple(made[:k]))))
            else:
                inside.append(_tag("group", name=name(r, wrong * 4, tuple(GROUPS))))
        if len(inside) == 1 and inside[0].startswith(("<chain", "<joint")):
            chains.append(group)
        label = quoteattr(_xml_text(name(r, wrong, (group,))))
        rows.append(f"<group name={label}>{''.join(inside)}</group>")
    for role in ("arms", "chains", "legs"):
        if r.random() < 0.2:
            member = _tag("group", name=name(r, wrong, tuple(chains or made)))
            rows.append(f'<group name="{role}">{member}</group>')
    for _ in range(r.choice((0, 1, 3))):
        of = r.choice([*own] or made)
        known = list(dict.fromkeys(own.get(of, JOINTS)))
        states = [
            _tag("joint", name=name(r, wrong, (joint,)), value=number(r, wrong))
            for joint in r.sample(known, r.randrange(1, len(known) + 1))
        ]
        label = quoteattr(_xml_text(name(r, wrong, ("home", "up", "down", "s1", "s2"))))
        owner = quoteattr(_xml_text(name(r, wrong, (of,))))
        rows.append(f"<group_state name={label} group={owner}>{''.join(states)}</group_state>")
    if r.random() < 0.3:
        rows.append('<disable_collisions link1="a" link2="b" reason="Never"/>')
        rows.append('<virtual_joint name="v" type="fixed" parent_frame="w" child_link="x"/>')
    if r.random() < 0.2:
        r.shuffle(rows)
    return f'<robot name="a">{"".join(rows)}</robot>'.encode("utf-8", "surrogatepass")


def _tag(tag: str, **attributes: str) -> str:
    rows = "".join(f" {key}={quoteattr(_xml_text(value))}" for key, value in attributes.items())
    return f"<{tag}{rows}/>"


def _xml_text(text: str) -> str:
    """Return a text without what no XML can hold, so that its reader sees the rest."""
    return "".join(sign for sign in text if sign >= " " or sign in "\t\n\r")


def _plain_number(r: Random, wrong: float) -> str:
    """Return a number of a vector, which is no formula."""
    if r.random() < wrong:
        return odd_number(r)
    return r.choice(
        ("0", "0", "1", "-0.5", f"{r.uniform(-1, 1):.4g}", "1e-3", "1e50", "-0", "1e-320")
    )


def _catalog() -> Catalog:
    return load_catalog()


@cache
def _fitting(interface: str) -> tuple[str, ...]:
    return load_catalog().fitting(interface) or ("end-effector ",)
