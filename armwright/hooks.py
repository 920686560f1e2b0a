"""Names of functions that stand higher up than those who call them, such as drawers.

Imports point down, and yet ``recording.plot()`` and ``config.model()`` are convenient. So whoever
can draw registers its function here under a name, and whoever wants to be drawn asks for that name;
neither imports the other. What is registered on import is found without one: its home is loaded
when it is asked for.
This file imports nothing of ours but the errors.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from armwright.errors import BackendUnavailableError, did_you_mean

Hook = Callable[..., Any]

HOMES = {
    "load": "armwright.kinematics",
    "plot_model": "armwright.gui",
    "plot_recording": "armwright.gui",
}
"""Which module registers a name when it is imported."""

_registered: dict[str, Hook] = {}


def register(name: str, function: Hook) -> None:
    """Offer a function under a name; it takes the place of one that was there.

    Args:
        name: The name, such as "plot_recording".
        function: What ``find`` returns for it.
    """
    _registered[name] = function


def find(name: str) -> Hook:
    """Return the function of a name.

    Args:
        name: The name, such as "plot_recording".

    Raises:
        BackendUnavailableError: If nothing is registered under it, and its home is unknown or
            cannot be loaded; it says what to import or to install.
    """
    if name not in _registered and name in HOMES:
        try:
            import_module(HOMES[name])
        except ImportError as error:
            raise BackendUnavailableError(
                f"{name} needs {HOMES[name]}, which cannot be loaded: {error}; "
                "install what is missing with: pip install . in the checkout"
            ) from error
    if name not in _registered:
        known = sorted({*HOMES, *_registered})
        raise BackendUnavailableError(
            f"nothing is registered as {name!r}; import the module that registers it."
            f"{did_you_mean(name, known)}"
        )
    return _registered[name]
