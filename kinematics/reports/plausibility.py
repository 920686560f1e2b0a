"""Whether a robot could exist: masses, inertias, joints that move nothing, limits.

The reader checks what the format asks for; here the whole robot is looked at, with its payloads,
limits and drives.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from armwright.errors import Problem
from armwright.hrdf import Element, Joint
from armwright.hrdf.elements import Inertia
from armwright.kinematics.engine import lazy
from armwright.kinematics.robot import ROTOR, ModelData

if TYPE_CHECKING:  # for tools that follow imports: kernels are loaded at their first call
    from armwright.kinematics._kernels import dynamics_mass as _dynamics_mass_kernels  # noqa: F401

_solve_mass_one = lazy(__name__, "_solve_mass_one", "armwright.kinematics._kernels.dynamics_mass")
_SLACK = 1e-6  # of the largest moment; published inertias are rounded
_TURNS = 4 * np.pi  # a larger limit is likely to be in degrees


def check(model: ModelData) -> tuple[Problem, ...]:
    """List what no real robot has, and what is doubtful.

    Errors: a negative mass; mass and inertia that no distribution of matter has (the
    pseudo-inertia, 4 x 4, has a negative eigenvalue); a named configuration beyond the
    limits. Warnings: a joint that moves no inertia, with which forward dynamics has no
    answer; a mass without inertia; inertias that are estimates; a joint that cannot move;
    position limits that look like degrees; a joint without speed or effort.

    Returns:
        One ``Problem`` for each, with file, line and element where it has one; empty when
        all is well.

    References:
        Wensing, Kim and Slotine, Linear matrix inequalities for physically consistent
        inertial parameter identification, 2018, equation 15.
    """
    found = [problem for element in model.elements for problem in _masses(element)]
    found.extend(_estimates(model))
    found.extend(_idle_joints(model))
    found.extend(_limits(model))
    found.extend(_configurations(model))
    return tuple(found)


def _estimates(model: ModelData) -> Iterator[Problem]:
    """Name the elements whose inertia nobody has published."""
    estimated = [
        element
        for element in model.elements
        if not isinstance(element, Joint) and element.inertia_estimated and element.mass > 0
    ]
    if estimated:
        names = [element.tag or element.path or element.kind for element in estimated]
        shown = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
        text = f"the inertia of {len(names)} of {model.n_elements} elements is an estimate: "
        yield _problem(estimated[0], text + shown, "warning")


def _idle_joints(model: ModelData) -> Iterator[Problem]:
    """Name the joints for which forward dynamics has no answer, whatever the configuration."""
    rows = model._rows.copy()
    rng = np.random.default_rng(0)
    q, nothing, answer = rng.uniform(-1, 1, model.dof), np.zeros(model.dof), np.empty(model.dof)
    for _ in range(model.dof):
        joint = _solve_mass_one(rows, q, nothing, answer)
        if not joint:
            return
        text = (
            f"joint {model.joint_names[joint - 1]!r} moves no inertia, so that forward dynamics "
            "has no answer. Give what hangs on it a mass off its axis, or add a payload or "
            "rotor inertia"
        )
        yield _problem(_joint(model, joint - 1), text, "warning")
        rows[joint, ROTOR] = 1.0  # so that the next one is found


def _limits(model: ModelData) -> Iterator[Problem]:
    """Find limits that nobody means."""
    for joint, name in enumerate(model.joint_names):
        element = _joint(model, joint)
        lower, upper = model.position_limits[:, joint].tolist()
        if lower == upper:
            text = f"joint {name!r} cannot move: both position limits are {lower:g}"
            yield _problem(element, text, "warning")
        turns = not model.joint_slides[joint]
        if turns and any(_TURNS < abs(limit) < np.inf for limit in (lower, upper)):
            text = (
                f"joint {name!r}: position limits {lower:g} and {upper:g} rad are more than "
                "two turns. Are they in degrees?"
            )
            yield _problem(element, text, "warning")
        for what, values in (("speed", model.max_speeds), ("effort", model.max_efforts)):
            if values[joint] == 0:
                text = f"joint {name!r}: its largest {what} is 0"
                yield _problem(element, text, "warning")


def _configurations(model: ModelData) -> Iterator[Problem]:
    """Find named configurations beyond the position limits."""
    lower, upper = model.position_limits
    for name, values in model._annotations.configurations:
        q = np.array(values)
        for joint in np.flatnonzero((q < lower) | (q > upper)).tolist():
            text = (
                f"configuration {name!r}: joint {model.joint_names[joint]!r} at {q[joint]:g} is "
                f"beyond its limits, {lower[joint]:g} to {upper[joint]:g}"
            )
            yield _problem(_joint(model, joint), text, "error")


def _joint(model: ModelData, joint: int) -> Element:
    """Return the element of a joint."""
    return model.elements[model.joint_elements[joint]]


def _masses(element: Element) -> Iterator[Problem]:
    """Find mass properties that no body has."""
    if isinstance(element, Joint):
        return
    mass, inertia = element.mass, element.inertia
    name = element.tag or element.kind
    if mass < 0:
        yield _problem(element, f"{name}: negative mass {mass:g} kg", "error", "mass")
    lowest, largest = _spread(inertia)
    if lowest < -_SLACK * largest:
        text = (
            f"{name}: no distribution of matter has this inertia: one principal moment is negative "
            "or larger than the sum of the others"
        )
        yield _problem(element, text, "error", "ixx")
    elif mass == 0 and largest > 0:
        yield _problem(element, f"{name}: inertia without mass", "error", "mass")
    elif mass > 0 and largest == 0:
        text = f"{name}: {mass:g} kg without inertia counts as a point"
        yield _problem(element, text, "warning", "ixx")


def _spread(inertia: Inertia) -> tuple[float, float]:
    """Return the smallest and the largest size of the second moments about the center of mass.

    They are the eigenvalues of half the trace minus the inertia, the upper left part of the
    pseudo-inertia about the center of mass, whose lower right one is the mass.
    """
    xx, yy, zz, xy, xz, yz = inertia
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    moments = np.linalg.eigvalsh(0.5 * np.trace(tensor) * np.eye(3) - tensor)
    return float(moments[0]), float(np.abs(moments).max())


def _problem(element: Element, text: str, severity: str, attribute: str = "") -> Problem:
    """Make a finding about an element."""
    place = (element.file, element.line, element.path)
    return Problem(*place, attribute, text, "error" if severity == "error" else "warning")
