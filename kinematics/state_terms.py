"""Properties of a state: computed when they are first read, and kept.

Those that a fixed base is asked for most are parts of one array (``terms.py``): they are cut out
together with their like when one of them is read, for 0.1 us each instead of 0.25.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

from numpy import ndarray

from .robot import Plan
from .transforms import FloatArray

Value = TypeVar("Value")


class once(Generic[Value]):
    """A property that is computed when it is first read, and kept; arrays become read-only.

    Threads that come at the same time may both compute it; all get the same object.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, state: None, owner: type) -> "once[Value]": ...
    @overload
    def __get__(self, state: object, owner: type) -> Value: ...
    def __get__(self, state: object, owner: type) -> "Value | once[Value]":
        if state is None:
            return self
        return self._computed(state)

    def _computed(self, state: object) -> Value:
        """Compute and keep the value."""
        value = self.compute(state)
        if value.__class__ is ndarray and isinstance(value, ndarray):
            value.setflags(write=False)
        kept: Value = state.__dict__.setdefault(self.name, value)
        return kept


class term(once[Value]):
    """Such a property that a fixed base has in the array, together with its like."""

    @overload
    def __get__(self, state: None, owner: type) -> "once[Value]": ...
    @overload
    def __get__(self, state: object, owner: type) -> Value: ...
    def __get__(self, state: Any, owner: type) -> "Value | once[Value]":
        if state is None:
            return self
        known = state.__dict__
        plan = known["_plan"]
        if plan is not None:
            self._cut(plan, state._terms, known)
        found: Value = known[self.name] if self.name in known else self._computed(state)
        return found

    def _cut(self, plan: Plan, terms: FloatArray, known: dict[str, Any]) -> None:
        """Keep the parts of the array that belong together; threads get the same objects."""
        raise NotImplementedError


class joint_term(term[Value]):
    """What belongs to the joints."""

    def _cut(self, plan: Plan, terms: FloatArray, known: dict[str, Any]) -> None:
        views = known.setdefault("_by_joints", plan.joint(terms))
        known["mass_matrix"], known["_rigid_bias"], known["gravity_efforts"] = views
        if plan.frictionless:
            known["bias_efforts"] = views[1]


class central_term(term[Value]):
    """What belongs to the robot as a whole, and the motions that joints cause."""

    def _cut(self, plan: Plan, terms: FloatArray, known: dict[str, Any]) -> None:
        (
            known["centroidal_momentum_jacobian"],
            known["com_jacobian"],
            known["joint_motions"],
            known["com"],
            known["com_velocity"],
            known["centroidal_momentum"],
        ) = known.setdefault("_as_a_whole", plan.central(terms))
