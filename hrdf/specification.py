"""The format as tables: versions, elements, their attributes, and since when each exists.

Reader, writer and validation all look here, so that a rule stands in one place.
"""

from dataclasses import dataclass
from typing import Literal

VERSIONS = ("1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0")
LATEST = VERSIONS[-1]
IMPLICIT_VERSION = "1.0.0"
"""What a file without a version attribute has."""

END_EFFECTOR_SINCE = "1.2.0"
"""Older files have no end-effector element: an implicit one closes the chain."""

INTERFACE_CHECK_SINCE = "1.2.0"
ROTATION_FORMULA_SINCE = "1.1.0"
MESH_URL_SINCE = "1.4.0"

JOINT_AXES = ("rx", "ry", "rz", "tx", "ty", "tz", "-rx", "-ry", "-rz", "-tx", "-ty", "-tz")
LINK_STYLES = ("RightAngle", "Inline")
INERTIA_NAMES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")

Form = Literal["text", "formula", "vector", "rotation"]


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of an element.

    Attributes:
        form: How its value is written.
        since: First version that has it.
        required: Whether it must be given.
    """

    form: Form
    since: str = "1.0.0"
    required: bool = False


@dataclass(frozen=True, slots=True)
class ElementForm:
    """One element of the format.

    Attributes:
        since: First version that has it.
        attributes: What it can be given.
        children: Tags that it can hold.
    """

    since: str
    attributes: dict[str, Attribute]
    children: tuple[str, ...] = ()


_TAG = {"tag": Attribute("text", "1.4.0")}
_INERTIA = {name: Attribute("formula", "1.1.0") for name in INERTIA_NAMES}
_OVERRIDES = {
    "mass": Attribute("formula", "1.1.0"),
    "mass_offset": Attribute("formula", "1.1.0"),
    "com_rot": Attribute("rotation", "1.1.0"),
    "com_trans": Attribute("vector", "1.1.0"),
    "com_trans_offset": Attribute("vector", "1.1.0"),
    **_INERTIA,
}
OVERRIDE_NAMES = tuple(_OVERRIDES)
_OUTPUT = {"output_rot": Attribute("rotation"), "output_trans": Attribute("vector")}
_TYPE = {"type": Attribute("text", required=True)}

CHAIN = ("actuator", "link", "bracket", "rigid-body", "joint", "end-effector", "include")
"""Elements that follow one another in a robot or an output."""

ELEMENTS: dict[str, ElementForm] = {
    "robot": ElementForm(
        "1.0.0",
        {
            "version": Attribute("text"),
            "rot": Attribute("rotation"),
            "trans": Attribute("vector"),
            "description": Attribute("text", "1.2.0"),
        },
        CHAIN,
    ),
    "actuator": ElementForm("1.0.0", _TYPE | _TAG | _OVERRIDES),
    "link": ElementForm(
        "1.0.0",
        _TYPE
        | {
            "extension": Attribute("formula", required=True),
            "twist": Attribute("formula", required=True),
            "input": Attribute("text", "1.2.0"),
            "output": Attribute("text", "1.2.0"),
        }
        | _TAG
        | _OVERRIDES,
    ),
    "bracket": ElementForm("1.0.0", _TYPE | _TAG | _OVERRIDES, ("output",)),
    "rigid-body": ElementForm(
        "1.0.0",
        {
            "mass": Attribute("formula", required=True),
            "com_rot": Attribute("rotation"),
            "com_trans": Attribute("vector"),
            **_OUTPUT,
            **_INERTIA,
            "mesh_path": Attribute("text", "1.3.0"),
            "mesh_rot": Attribute("rotation", "1.3.0"),
            "mesh_trans": Attribute("vector", "1.3.0"),
            **_TAG,
        },
        ("output",),
    ),
    "joint": ElementForm(
        "1.0.0",
        {
            "axis": Attribute("text", required=True),
            "gear_ratio": Attribute("formula", "1.5.0"),
            **_TAG,
        },
    ),
    "end-effector": ElementForm(
        END_EFFECTOR_SINCE, {"type": Attribute("text"), **_OUTPUT, **_TAG, **_OVERRIDES}
    ),
    "include": ElementForm("1.3.0", {"path": Attribute("text", required=True)}),
    "output": ElementForm(
        "1.3.0", {"rot": Attribute("rotation"), "trans": Attribute("vector")}, CHAIN
    ),
}


def is_newer(since: str, version: str) -> bool:
    """Tell whether something is newer than a version; both must be known."""
    return VERSIONS.index(since) > VERSIONS.index(version)


def is_url(path: str) -> bool:
    """Tell whether a mesh path is a URL."""
    return path.lower().startswith(("http://", "https://"))
