"""Open a file of groups and named states, SRDF or YAML, within bounds."""

import os
import stat

from armwright.hrdf.findings import Findings, Spot
from armwright.hrdf.formula import shorten
from armwright.hrdf.limits import MAX_FILE_BYTES
from armwright.hrdf.reading import XmlError, parse_xml
from armwright.hrdf.yaml_tree import read_yaml

from .groups_yaml import read_groups
from .semantics import Semantics
from .srdf import read_srdf

ENDINGS = (".srdf", ".yaml", ".yml")


def read_semantics(path: str | os.PathLike[str], findings: Findings) -> Semantics:
    """Read what a file says about groups; notes all problems.

    Args:
        path: A file that ends in .srdf, .yaml or .yml.
        findings: Where problems are noted; after the first fault of syntax that one alone.
    """
    name = os.fsdecode(path)
    ending = os.path.splitext(name)[1].casefold()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        findings.error(Spot(name), f"expected a file that ends in {known}, got {ending!r}")
        return Semantics()
    data = _bytes(name, findings)
    if data is None:
        return Semantics()
    if ending != ".srdf":
        tree = read_yaml(data, name, findings)
        return Semantics() if tree is None else read_groups(tree, findings)
    try:
        root = parse_xml(data, file=name)
    except XmlError as error:
        spot = Spot(name, error.line, error.element)
        findings.error(spot, str(error), kind="syntax")
        return Semantics()
    return read_srdf(root, findings)


def beside(path: str | os.PathLike[str]) -> list[str]:
    """Return the files of groups that lie beside a robot's file: arm.srdf, arm.groups.yaml."""
    stem = os.path.splitext(os.fsdecode(path))[0]
    places = [stem + ".srdf", stem + ".groups.yaml", stem + ".groups.yml"]
    return [place for place in places if os.path.exists(place)]


def _bytes(name: str, findings: Findings) -> bytes | None:
    """Return what an ordinary file holds; None when it cannot be read, which is noted."""
    try:
        if stat.S_ISREG(os.stat(name).st_mode):
            with open(name, "rb") as stream:
                return stream.read(MAX_FILE_BYTES + 1)
        problem = f"{shorten(name)} is not an ordinary file"
    except FileNotFoundError:
        problem = f"no such file: {shorten(name)}"
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        reason = error.strerror if isinstance(error, OSError) else None
        problem = f"{shorten(name)} cannot be read: {reason or error}"
    findings.error(Spot(name), problem)
    return None
