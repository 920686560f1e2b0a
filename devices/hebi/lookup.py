"""Modules by family and name: what was asked for, what was seen, and what differs."""

from collections.abc import Iterable, Sequence

from armwright.errors import CommandRejectedError, did_you_mean
from armwright.reprs import printable, short


def pairs(families: str | Sequence[str], names: str | Sequence[str]) -> list[tuple[str, str]]:
    """Pair every name with its family."""
    flat = any(getattr(given, "ndim", 1) == 0 for given in (families, names))
    if flat or not isinstance(families, Iterable) or not isinstance(names, Iterable):
        raise CommandRejectedError(
            f"connect: expected families and names, texts or lists of them, got {short(families)}, "
            f"{short(names)}"
        )
    each = [names] if isinstance(names, str) else list(names)
    of = [families] if isinstance(families, str) else list(families)
    if not each or not of or not all(isinstance(text, str) and text for text in [*each, *of]):
        raise CommandRejectedError(
            f"connect: expected families and names that are not empty, got {short(families)}, "
            f"{short(names)}"
        )
    if len(of) == 1:
        of *= len(each)
    if len(of) != len(each):
        raise CommandRejectedError(
            f"connect, families: expected 1 or {len(each)}, got {len(of)}; one for all, or one "
            "per name"
        )
    found = list(zip(of, each, strict=True))
    for pair in found:
        if found.count(pair) > 1:
            raise CommandRejectedError(f"connect, names: {spell(pair)} is asked for twice")
    return found


def not_found(
    wanted: Sequence[tuple[str, str]], seen: Sequence[tuple[str, str]], timeout: float
) -> str:
    """Say which modules are missing and what was there instead."""
    if not seen:
        return (
            f"connect: no module was seen within {timeout:g} s, expected "
            f"{', '.join(spell(pair) for pair in wanted)}. Check that the modules have power and "
            "that this computer is on their network; a firewall may block them"
        )
    missing = [pair for pair in wanted if pair not in seen]
    if not missing:
        return (
            f"connect: all of {', '.join(spell(pair) for pair in wanted)} were seen, but did not "
            f"answer together within {timeout:g} s; try a longer timeout"
        )
    known = sorted({spell(pair) for pair in seen})
    lines = [
        f"{spell(pair)} was not seen within {timeout:g} s.{did_you_mean(spell(pair), known)}"
        for pair in missing
    ]
    return "connect: " + "\n".join(lines)


def spell(pair: tuple[str, str]) -> str:
    """Write family and name as one word."""
    return "/".join(printable(part if len(part) <= 60 else part[:57] + "...") for part in pair)
