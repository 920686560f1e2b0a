"""Read and write the constraint files: a ``name==version`` per line, and the Pythons it is for.

A line without a marker holds for every Python of its file; the others name theirs, such as
``scipy==1.15.3 ; python_version == "3.10"``. Neither hosts nor hashes are written.
"""

import json
import re
from pathlib import Path

Pins = dict[str, dict[str, str]]  # for each package, version by Python

LINE = re.compile(r'([\w.-]+)==([\w.!+-]+)(?: ; python_version (?:==|in) "([\d. ]+)")?')


def read(path: Path, pythons: list[str]) -> Pins:
    """Return the pins of a file, which may be missing; raise ValueError at any other line."""
    pins: Pins = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        if match is None:
            raise ValueError(f"{path}: not name==version: {line!r}")
        name, version, chosen = match.groups()
        pins.setdefault(name, {}).update(
            dict.fromkeys((chosen or " ".join(pythons)).split(), version)
        )
    return pins


def resolved(report: Path) -> dict[str, str]:
    """Return version by package from the report of ``pip install --dry-run``."""
    installs = json.loads(report.read_text(encoding="utf-8"))["install"]
    versions = {i["metadata"]["name"]: i["metadata"]["version"] for i in installs}
    versions.pop("armwright")
    return versions


def replace(path: Path, pythons: list[str], python: str, versions: dict[str, str]) -> None:
    """Write new versions for one Python into a file, keeping those for the others."""
    pins = read(path, pythons)
    for by_python in pins.values():
        by_python.pop(python, None)
    for name, version in versions.items():
        pins.setdefault(name, {})[python] = version
    lines = ["# Written by `scripts/nox -s refresh`."]
    for name in sorted(pins, key=str.lower):
        for version in sorted(set(pins[name].values())):
            chosen = [p for p in pythons if pins[name].get(p) == version]
            lines.append(f"{name}=={version}{marker(chosen, pythons)}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def marker(chosen: list[str], pythons: list[str]) -> str:
    """Return the condition that holds for some Pythons; none where it is all of them."""
    if chosen == pythons:
        return ""
    if len(chosen) == 1:
        return f' ; python_version == "{chosen[0]}"'
    return f' ; python_version in "{" ".join(chosen)}"'
