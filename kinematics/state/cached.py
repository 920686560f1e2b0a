"""Quantities of a state: computed when they are first asked for, and kept.

A topic file declares one with ``@cached`` above a function of the state. In the table of
``RobotState`` it becomes a property; other topic files call it, ``com(state)`` is ``state.com``.

Those that a fixed base is asked for most are parts of one array (``FixedBaseLayout``): they are cut
out together with their like when one of them is read, for 0.1 us each instead of 0.25.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from numpy import ndarray

from armwright.kinematics.arrays import FloatArray
from armwright.kinematics.robot import FixedBaseLayout

State = TypeVar("State", contravariant=True)
Value = TypeVar("Value", covariant=True)


class cached(Generic[State, Value]):
    """A quantity that is computed when it is first asked for, and kept; arrays become read-only.

    Threads that come at the same time may both compute it; all get the same object.

    Attributes:
        name: Where a state keeps it: its name in the table, or one with an underscore for what
            only topic files use.
    """

    name: str

    def __init__(self, compute: Callable[[State], Value]) -> None:
        self.compute = compute
        self.name = f"_{compute.__name__}"
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.compute.__qualname__ = f"{owner.__qualname__}.{name}"

    def __call__(self, state: State) -> Value:
        """Return the value that a state keeps."""
        known = state.__dict__
        if self.name in known:
            found: Value = known[self.name]
            return found
        return self.__get__(state)

    # The class itself shows a property, as it is one to its readers.
    @overload
    def __get__(self, state: None, owner: type) -> property: ...
    @overload
    def __get__(self, state: State, owner: type | None = None) -> Value: ...
    def __get__(self, state: Any, owner: type | None = None) -> Any:
        if state is None:
            return property(self.compute, doc=self.__doc__)
        value = self.compute(state)
        if isinstance(value, ndarray):
            value.setflags(write=False)
        return state.__dict__.setdefault(self.name, value)


class cached_with_others(cached[State, Value]):
    """One that a fixed base has in the array, together with its like."""

    if not TYPE_CHECKING:  # its types are those above

        def __get__(self, state, owner=None):
            if state is not None:
                known = state.__dict__
                layout = known["_layout"]
                if layout is not None:
                    self._cut(layout, state._fixed_base, known)
                    if self.name in known:
                        return known[self.name]
            return super().__get__(state, owner)

    def _cut(self, layout: FixedBaseLayout, terms: FloatArray, known: dict[str, Any]) -> None:
        """Keep the parts of the array that belong together; threads get the same objects."""
        raise NotImplementedError


class cached_with_joints(cached_with_others[State, Value]):
    """What belongs to the joints."""

    def _cut(self, layout: FixedBaseLayout, terms: FloatArray, known: dict[str, Any]) -> None:
        views = known.setdefault("_by_joints", layout.joint(terms))
        known["mass_matrix"], known["_rigid_bias"], known["gravity_efforts"] = views
        if layout.frictionless:
            known["bias_efforts"] = views[1]


class cached_with_whole(cached_with_others[State, Value]):
    """What belongs to the robot as a whole, and the motions that joints cause."""

    def _cut(self, layout: FixedBaseLayout, terms: FloatArray, known: dict[str, Any]) -> None:
        (
            known["centroidal_momentum_jacobian"],
            known["com_jacobian"],
            known["joint_motions"],
            known["com"],
            known["com_velocity"],
            known["centroidal_momentum"],
        ) = known.setdefault("_as_a_whole", layout.central(terms))


class cached_energy(cached[State, Value]):
    """An energy: one number of the array, where a fixed base has it."""

    if not TYPE_CHECKING:  # its types are those above

        def __get__(self, state, owner=None):
            if state is not None:
                known = state.__dict__
                layout = known["_layout"]
                if layout is not None:
                    energy = known[self.name] = state._fixed_base.item(layout.energies[self.name])
                    return energy
            return super().__get__(state, owner)
