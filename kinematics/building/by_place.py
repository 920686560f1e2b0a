"""Arguments by place, as HEBI's library takes them, where ours have names; and missing ones."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from armwright.errors import WrongTypeError
from armwright.kinematics.arrays import short

Method = TypeVar("Method", bound=Callable[..., Any])


def named(write: Callable[..., str]) -> Callable[[Method], Method]:
    """Refuse arguments by place, as HEBI's library takes them, and missing ones: say what to write.

    Args:
        write: What to write, from the arguments that were given by place.
    """

    def around(method: Method) -> Method:
        code, defaults = method.__code__, method.__kwdefaults__ or {}
        takes = code.co_argcount - 1
        first = code.co_varnames[1 : code.co_argcount - len(method.__defaults__ or ())]
        names = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
        needed = [name for name in names if name not in defaults]

        @functools.wraps(method)
        def checked(self: object, *given: Any, **rest: Any) -> Any:
            if len(given) > takes:
                raise WrongTypeError(
                    f"{method.__name__} takes {takes} argument{'s' * (takes != 1)} by place, got "
                    f"{len(given)}; the others have names. Write {write(*given)}"
                )
            missing = [name for name in (*first[len(given) :], *needed) if name not in rest]
            if missing:
                shown = [short(value) for value in given]
                shown += [f"{name}=..." for name in first[len(given) :]]
                shown += [
                    f"{name}={short(rest[name]) if name in rest else '...'}" for name in needed
                ]
                raise WrongTypeError(
                    f"{method.__name__}: expected {' and '.join((*first, *needed))}, but "
                    f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing. "
                    f"Write {method.__name__}({', '.join(shown)})"
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
