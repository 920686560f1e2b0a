"""Open a file of groups and named states, SRDF or YAML, within bounds."""

import os

from armwright.hrdf.files import UnreadableError, read_file
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
        return read_file(name, MAX_FILE_BYTES)
    except UnreadableError as error:
        text = f"{error}: {shorten(name)}" if error.missing else f"{shorten(name)} {error}"
        if error.folder:
            text = f"{shorten(name)} is not an ordinary file, but a folder"
        findings.error(Spot(name), text)
        return None
