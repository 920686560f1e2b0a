"""How a class lists functions of other files as its methods and attributes.

``RobotModel`` is a table of contents: the functions of its topics, one line each. A function
becomes a method by being assigned in the class; ``attribute`` makes one that takes nothing but the
model a property, with its type.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")
Class = TypeVar("Class", bound=type)


class attribute(property, Generic[Value]):
    """A property whose value a function of the model computes at every reading."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        super().__init__(compute)

    @overload
    def __get__(self, instance: None, owner: type) -> "attribute[Value]": ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Value: ...
    def __get__(self, instance: object, owner: type | None = None) -> "attribute[Value] | Value":
        found: attribute[Value] | Value = super().__get__(instance, owner)
        return found


def table_of_contents(cls: Class) -> Class:
    """Name the functions that a class lists after the class, for tracebacks and help texts."""
    for name, value in vars(cls).items():
        function = value.fget if isinstance(value, property) else value
        function = getattr(function, "__func__", function)  # of a class method
        if isinstance(function, FunctionType) and "." not in function.__qualname__:
            function.__qualname__ = f"{cls.__qualname__}.{name}"
    return cls
