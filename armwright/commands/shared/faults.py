"""Faults typed for a simulated arm: ``sign=J2``, ``zero=J3:10deg``, ``payload=0.5`` and the like.

They show what ``armwright doctor`` says of an arm that has them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from armwright.errors import did_you_mean

from .arm import joints
from .errors import InputError
from .values import refuse_degrees, typed_value

if TYPE_CHECKING:
    from armwright.devices import FaultyGroup, SimulatedGroup
    from armwright.kinematics import RobotModel

KINDS = ("sign", "direction", "zero", "payload")
_FORMS = "sign=JOINT, direction=JOINT, zero=JOINT:ANGLE or payload=KG"


@dataclass(slots=True)
class Faults:
    """What is wrong with a simulated arm.

    Attributes:
        signs: Names of modules whose efforts have the wrong sign.
        directions: Names of modules that count backwards.
        zeros: How far modules read too little [rad or m].
        payload: Mass at the end effector that nobody knows of [kg].
    """

    signs: list[str] = field(default_factory=list)
    directions: list[str] = field(default_factory=list)
    zeros: dict[str, float] = field(default_factory=dict)
    payload: float = 0.0

    def put_on(self, group: "SimulatedGroup") -> "FaultyGroup":
        """Return the group with these faults."""
        from armwright.devices import FaultyGroup

        return FaultyGroup(
            group, effort_signs=self.signs, reversed=self.directions, zeros=self.zeros
        )


def faults_of(typed: Sequence[str], model: "RobotModel", names: tuple[str, ...]) -> Faults:
    """Read what was typed behind --fault, for modules of these names."""
    faults = Faults()
    moving = dict(zip(names, joints(model), strict=True))
    for entry in typed:
        kind, equals, what = (part.strip() for part in entry.partition("="))
        where = f"--fault {entry}"
        if kind not in KINDS or not equals or not what:
            hint = did_you_mean(kind, KINDS) if kind not in KINDS else ""
            raise InputError(f"{where}: expected {_FORMS}.{hint}")
        if kind == "payload":
            mass = typed_value(what, where)
            if mass.value < 0 or mass.unit:
                raise InputError(f"{where}: expected kilograms, 0 or more")
            if faults.payload:
                raise InputError(f"{where}: a payload was given already; give their sum")
            faults.payload = mass.value
            continue
        name, colon, size = (part.strip() for part in what.rpartition(":"))
        if kind != "zero":
            name, colon, size = what, "", ""
        elif not colon:
            raise InputError(f"{where}: how far? Write zero={size}:10deg")
        if name not in moving:
            raise InputError(f"{where}: no module is called {name!r}.{did_you_mean(name, names)}")
        if kind == "zero":
            value = typed_value(size, where)
            if name in faults.zeros:
                raise InputError(f"{where}: the zero of {name} was given already")
            if moving[name].slides and value.unit:
                raise InputError(f"{where}: {name} slides; expected plain metres")
            if not moving[name].slides:
                refuse_degrees(value, where)
            faults.zeros[name] = value.value
        else:
            (faults.signs if kind == "sign" else faults.directions).append(name)
    both = set(faults.signs) & set(faults.directions)
    if both:
        name = both.pop()
        raise InputError(f"--fault: sign and direction of {name}, expected one of them")
    return faults


def heavier(model: "RobotModel", index: int, mass: float) -> "RobotModel":
    """Return a model with more mass at the input frame of an end effector."""
    there = model.payloads[index]
    total = there.mass + mass
    if not mass:
        return model
    if there.frame != "input" and there.mass:
        raise InputError("--fault payload: the model has a payload in a tool frame already")
    com = np.array(there.com) * there.mass / total
    return model.with_payload(total, com, index=index, inertia=there.inertia)
