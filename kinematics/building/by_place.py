"""Arguments by place, as HEBI's library takes them, where ours have names."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from armwright.errors import WrongTypeError
from armwright.kinematics.arrays import short

Method = TypeVar("Method", bound=Callable[..., Any])


def named(write: Callable[..., str]) -> Callable[[Method], Method]:
    """Refuse arguments by place, as HEBI's library takes them, and say what to write.

    Args:
        write: What to write, from the arguments that were given by place.
    """

    def around(method: Method) -> Method:
        takes = method.__code__.co_argcount - 1

        @functools.wraps(method)
        def checked(self: object, *given: Any, **rest: Any) -> Any:
            if len(given) > takes:
                raise WrongTypeError(
                    f"{method.__name__} takes {takes} argument{'s' * (takes != 1)} by place, got "
                    f"{len(given)}; the others have names. Write {write(*given)}"
                )
            return method(self, *given, **rest)

        return checked  # type: ignore[return-value]

    return around


def as_call(name: str, *keys: str) -> Callable[..., str]:
    """Return a writer of a call: each argument behind its key; "" is one that has none."""

    def write(*given: Any) -> str:
        words = [
            f"{key}={short(value)}" if key else short(value)
            for key, value in zip(keys, given, strict=False)
        ]
        return f"{name}({', '.join(words)})"

    return write


def as_bracket(type: Any, mount: Any, *_: Any) -> str:
    """Write the call for a bracket that is named as in hebi-py: type and mount apart."""
    family, _dash, weight = str(type).removesuffix("Bracket").partition("-")
    sides = "".join(word.capitalize() for word in str(mount).split("-"))
    return f"bracket({family + weight + sides!r})"
