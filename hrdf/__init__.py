"""What is the robot made of? The HRDF format: reading, writing, checking, and the parts.

A ``RobotDescription`` is a frozen tree of elements in SI units that remembers where each came
from. ``read`` and ``parse`` make one from HRDF, ``write`` turns it back.
"""

from .catalog import Catalog, load_catalog
from .elements import (
    Actuator,
    Bracket,
    Element,
    EndEffector,
    Joint,
    Link,
    Output,
    Overrides,
    Placed,
    RigidBody,
    RobotDescription,
    walk,
)
from .pose import Pose
from .reader import check, parse, read
from .writer import write

__all__ = [
    "Actuator",
    "Bracket",
    "Catalog",
    "Element",
    "EndEffector",
    "Joint",
    "Link",
    "Output",
    "Overrides",
    "Placed",
    "Pose",
    "RigidBody",
    "RobotDescription",
    "check",
    "load_catalog",
    "parse",
    "read",
    "walk",
    "write",
]
