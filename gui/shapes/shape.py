"""From an element to its solids."""

from armwright.hrdf import Actuator, Bracket, EndEffector, Joint, Link, RigidBody

from .actuators import actuator
from .bodies import end_effector, joint, rigid_body
from .brackets import bracket
from .links import link
from .piece import Piece

Element = Actuator | Link | Bracket | RigidBody | Joint | EndEffector


def shape_of(element: Element, *, travel: float = 0.0, size: float = 1.0) -> tuple[Piece, ...]:
    """Return the solids of one element, in its own frames.

    Args:
        element: The element.
        travel: How far it slides, for a sliding joint [m].
        size: Scale of shapes that no catalog fixes; 1 for robots of ordinary size.
    """
    if isinstance(element, Actuator):
        return actuator(element)
    if isinstance(element, Link):
        return link(element)
    if isinstance(element, Bracket):
        return bracket(element)
    if isinstance(element, RigidBody):
        return rigid_body(element, size)
    if isinstance(element, Joint):
        return joint(element, travel, size)
    return end_effector(element, size)
