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
    Pose,
    RigidBody,
    RobotDescription,
    walk,
)
from .reading import check, parse, read
from .robot_config import RobotConfig, check_config, load_config
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
    "RobotConfig",
    "RobotDescription",
    "check",
    "check_config",
    "load_catalog",
    "load_config",
    "parse",
    "read",
    "walk",
    "write",
]
