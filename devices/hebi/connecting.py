"""Groups of hebi-py: of modules that are looked up on the network, and of imitated ones."""

import importlib
from collections.abc import Sequence

from armwright.devices.group import setting
from armwright.errors import ActuatorNotFoundError, CommandRejectedError, DeviceError
from armwright.kinematics.arrays import whole_number
from armwright.reprs import short

from . import vendor
from .group import HebiGroup
from .imitation import ImitationGroup
from .lookup import not_found, pairs, spell

_SHORTEST_LOOKUP = 0.1  # hebi-py needs a moment to hear from the modules [s]


def connect(
    families: str | Sequence[str], names: str | Sequence[str], *, timeout: float = 2.0
) -> HebiGroup:
    """Find modules on the network and make a group of them.

    Args:
        families: Family of the modules; one for all, or one per name.
        names: Names of the modules, in the order that every array will have.
        timeout: How long to look for them [s].

    Returns:
        The group; close it, or use it in a ``with`` statement.

    Raises:
        ActuatorNotFoundError: If some are not there; it says which, and what was seen.
        BackendUnavailableError: If hebi-py is not installed; it says how to install it.
        DeviceError: If hebi-py fails, or two modules answer to the same family and name.

    Example:
        group = devices.connect("Arm", ["base", "shoulder", "elbow"])
    """
    wanted = pairs(families, names)
    timeout = setting("connect, timeout", timeout, "seconds")
    hebi = vendor.import_hebi()
    with vendor.vendor_errors("connect"):
        lookup = hebi.Lookup()
        group = lookup.get_group_from_names(
            [family for family, _ in wanted],
            [name for _, name in wanted],
            timeout_ms=1000.0 * max(timeout, _SHORTEST_LOOKUP),
        )
        seen = [(entry.family, entry.name) for entry in lookup.entrylist if entry is not None]
    if group is None:
        raise ActuatorNotFoundError(not_found(wanted, seen, timeout))
    for pair in wanted:
        if seen.count(pair) > 1:
            raise DeviceError(
                f"connect: {seen.count(pair)} modules answer to {spell(pair)}; expected one. "
                "Give them different names"
            )
    return HebiGroup(hebi, group, wanted)


_MOST_MODULES = 1000


def imitate(n: int) -> ImitationGroup:
    """Make hebi-py's imitation of a group: it takes every command as its state at once.

    Args:
        n: Number of modules, 1 or more.

    Returns:
        The group; its modules are called "module1", "module2", ...

    Raises:
        CommandRejectedError: If n is not a whole number above 0.
        BackendUnavailableError: If hebi-py is not installed; it says how to install it.
    """
    n = whole_number(n, "imitate", 1, CommandRejectedError)
    if n > _MOST_MODULES:
        raise CommandRejectedError(f"imitate: expected at most {_MOST_MODULES}, got {short(n)}")
    hebi = vendor.import_hebi()
    with vendor.vendor_errors("imitate"):
        group = importlib.import_module("hebi.util").create_imitation_group(n)
    modules = [("imitation", f"module{i + 1}") for i in range(n)]
    return ImitationGroup(hebi, group, modules=modules)
