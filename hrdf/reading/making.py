"""One XML element to one element of a robot, without what hangs on it.

What cannot be read gives a stand-in that fits anything, after its fault was noted.
"""

from collections.abc import Callable
from typing import Any

from armwright.hrdf.catalog import Catalog
from armwright.hrdf.elements import (
    IDENTITY,
    NO_OVERRIDES,
    Actuator,
    ActuatorPart,
    Bracket,
    BracketPart,
    Element,
    EndEffector,
    EndEffectorPart,
    Joint,
    Link,
    LinkPart,
    Output,
    Overrides,
    Pose,
    RigidBody,
)
from armwright.hrdf.specification import (
    INERTIA_NAMES,
    JOINT_AXES,
    LINK_STYLES,
    MESH_URL_SINCE,
    OVERRIDE_NAMES,
    is_newer,
    is_url,
)

from .attributes import Attributes
from .files import Source
from .xml import Node


def make_element(attributes: Attributes, catalog: Catalog, source: Source) -> Element:
    """Make an element from its attributes; its outputs have places but no chains yet."""
    return _MAKERS[attributes.node.tag](attributes, catalog, source)


def _actuator(attributes: Attributes, catalog: Catalog, source: Source) -> Element:
    part = attributes.part(catalog)
    overrides = _overrides(attributes)
    if not isinstance(part, ActuatorPart):
        return _stand_in(attributes)
    return Actuator(part=part, overrides=overrides, **_common(attributes))


def _link(attributes: Attributes, catalog: Catalog, source: Source) -> Element:
    part = attributes.part(catalog)
    values: dict[str, Any] = {
        "extension": attributes.formula("extension") or 0.0,
        "twist": attributes.formula("twist") or 0.0,
        "input": attributes.choice("input", LINK_STYLES) or LINK_STYLES[0],
        "output": attributes.choice("output", LINK_STYLES) or LINK_STYLES[0],
    }
    overrides = _overrides(attributes)
    if not isinstance(part, LinkPart):
        return _stand_in(attributes)
    return Link(part=part, overrides=overrides, **values, **_common(attributes))


def _bracket(attributes: Attributes, catalog: Catalog, source: Source) -> Element:
    part = attributes.part(catalog)
    overrides = _overrides(attributes)
    outputs = _output_nodes(attributes.node)
    for node in outputs:
        for name in node.attributes:
            text = "an output of a bracket has no attributes: the bracket places it"
            attributes.findings.error(node, text, attribute=name)
    if not isinstance(part, BracketPart):
        return _stand_in(attributes)
    return Bracket(
        part=part,
        overrides=overrides,
        outputs=tuple(Output() for _ in outputs),
        **_common(attributes),
    )


def _rigid_body(attributes: Attributes, catalog: Catalog, source: Source) -> Element:
    mass = attributes.formula("mass") or 0.0
    com = pose_of(attributes, "com_rot", "com_trans", IDENTITY)
    inertia: Any = tuple(attributes.formula(name) or 0.0 for name in INERTIA_NAMES)
    default = pose_of(attributes, "output_rot", "output_trans", IDENTITY)
    nodes = _output_nodes(attributes.node)
    poses = [
        pose_of(Attributes(node, attributes.version, attributes.findings), "rot", "trans", default)
        for node in nodes
    ]
    mesh_pose = pose_of(attributes, "mesh_rot", "mesh_trans", IDENTITY)
    return RigidBody(
        mass=mass,
        com=com,
        inertia=inertia,
        outputs=tuple(Output(pose=pose) for pose in poses) or (Output(pose=default),),
        branched=bool(nodes),
        mesh_path=_mesh_path(attributes, source),
        mesh_pose=mesh_pose if "mesh_path" in attributes else IDENTITY,
        **_common(attributes),
    )


def _mesh_path(attributes: Attributes, source: Source) -> str | None:
    """Return the mesh path, relative to the root file."""
    path = attributes.text("mesh_path")
    if path is None:
        if "mesh_path" not in attributes.node.attributes:
            for name in ("mesh_rot", "mesh_trans"):
                if name in attributes:
                    attributes.error(name, f"{name} needs a mesh_path")
        return None
    if is_url(path) and is_newer(MESH_URL_SINCE, attributes.version):
        text = (
            f"a mesh URL is new in version {MESH_URL_SINCE}, but this file has version "
            f"{attributes.version}. It is taken, since meshes move nothing"
        )
        attributes.findings.warning(attributes.node, text, attribute="mesh_path")
    return source.rebase(path)


def _joint(attributes: Attributes, catalog: Catalog, source: Source) -> Element:
    axis: Any = attributes.choice("axis", JOINT_AXES)
    gear_ratio = attributes.formula("gear_ratio")
    return Joint(
        axis=axis or "rz",
        gear_ratio=1.0 if gear_ratio is None else gear_ratio,
        **_common(attributes),
    )


def _end_effector(attributes: Attributes, catalog: Catalog, source: Source) -> Element:
    part = attributes.part(catalog, default="Custom")
    if not isinstance(part, EndEffectorPart):
        part = EndEffectorPart("Custom")
    return EndEffector(
        part=part,
        output_rot=attributes.rotation("output_rot"),
        output_trans=attributes.vector("output_trans"),
        overrides=_overrides(attributes),
        **_common(attributes),
    )


_MAKERS: dict[str, Callable[[Attributes, Catalog, Source], Element]] = {
    "actuator": _actuator,
    "link": _link,
    "bracket": _bracket,
    "rigid-body": _rigid_body,
    "joint": _joint,
    "end-effector": _end_effector,
}


def _common(attributes: Attributes) -> dict[str, Any]:
    """Return what every element has: tag, file, line and path."""
    node, tag = attributes.node, attributes.text("tag")
    if tag == "":
        attributes.findings.warning(
            node, "an empty tag is read as none. Leave the attribute out", attribute="tag"
        )
    return {"tag": tag or None, "file": node.file, "line": node.line, "path": node.path}


def _stand_in(attributes: Attributes) -> RigidBody:
    """Return what takes the place of an element that could not be read; it fits anything."""
    nodes = _output_nodes(attributes.node)
    outputs = tuple(Output() for _ in nodes) or (Output(),)
    return RigidBody(mass=0.0, outputs=outputs, branched=bool(nodes), **_common(attributes))


def _output_nodes(node: Node) -> list[Node]:
    return [child for child in node.children if child.tag == "output"]


def pose_of(attributes: Attributes, rotation: str, translation: str, default: Pose) -> Pose:
    """Read a placement; what is not given is taken from a default."""
    R, t = attributes.rotation(rotation), attributes.vector(translation)
    if R is None and t is None:
        return default
    return Pose(default.rotation if R is None else R, default.translation if t is None else t)


def _overrides(attributes: Attributes) -> Overrides:
    """Read offsets and overrides."""
    if attributes.given.isdisjoint(OVERRIDE_NAMES):
        return NO_OVERRIDES
    return Overrides(
        mass=attributes.formula("mass"),
        mass_offset=attributes.formula("mass_offset"),
        com_rot=attributes.rotation("com_rot"),
        com_trans=attributes.vector("com_trans"),
        com_trans_offset=attributes.vector("com_trans_offset"),
        inertia=tuple(attributes.formula(name) for name in INERTIA_NAMES),
    )
