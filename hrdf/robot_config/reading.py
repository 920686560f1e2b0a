"""Robot configurations: which modules an arm has, and what belongs to them (``*.cfg.yaml``).

The file is HEBI's robot config, version 1.1: names and families of the modules, the robot's HRDF,
gains, plug-ins and data of the user's own. It is read strictly: all problems come together, each
with its line. Paths are relative to the file. What is doubtful, such as a file that is not there
or a plug-in of a type that nobody knows, is a warning, and belongs to the configuration.
"""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from armwright.copies import FixedMapping
from armwright.errors import ConfigError, did_you_mean
from armwright.hrdf.files import CONFIG, format_of
from armwright.hrdf.findings import Findings, Spot
from armwright.hrdf.formula import shorten
from armwright.hrdf.limits import MAX_NEAR
from armwright.hrdf.yaml_tree import YamlNode, name_of, read_bytes, read_yaml

from .contents import REFERENCES, RobotConfig
from .plugins import read_plugins
from .values import amount, check_stray, is_finite, plain

VERSIONS = ("1.0", "1.1")
KEYS = (
    "version",
    "families",
    "names",
    "hrdf",
    "gains",
    "feedback_frequency",
    "command_lifetime",
    "plugins",
    "user_data",
)
LONG_LIFETIME = 5.0
"""Modules take no longer command lifetime; above it milliseconds were probably meant [s]."""

_MOST_NEAR = 100  # keys that are compared with a missing one, as comparing takes time
_FILE_NAME = re.compile(
    r"[^\n]{1,1000}\.(xml|json|hrdf|yaml|yml|npz|csv|txt|hebilog)", re.IGNORECASE
)


def load_config(path: str | os.PathLike[str]) -> RobotConfig:
    """Read a robot configuration.

    Args:
        path: The file, such as "arm.cfg.yaml".

    Returns:
        What it says, with paths as they can be opened from here.

    Raises:
        ConfigError: If it cannot be read or breaks a rule; lists all problems with their lines.

    Example:
        >>> from armwright import devices
        >>> config = devices.load_config("examples/arms/six_dof.cfg.yaml")
        >>> config.names[:2], config.feedback_frequency
        (('J1_base', 'J2_shoulder'), 100.0)
    """
    findings = Findings()
    config = read_config(path, findings)
    if config is None or findings.error_count:
        raise ConfigError(findings.problems)
    return config


def read_config(
    path: str | os.PathLike[str],
    findings: Findings,
    *,
    robot: bool = False,
    files: bool = False,
) -> RobotConfig | None:
    """Read a configuration as far as it can be; notes all problems.

    Args:
        path: The file.
        findings: Where problems are noted.
        robot: Whether its HRDF has to be there.
        files: Whether every file that it names has to be there.
    """
    data = read_bytes(path, "the configuration", findings)
    if data is None:
        return None
    file = name_of(path)
    tree = Findings()
    root = read_yaml(data, file, tree)
    format = None
    if root is None or root.kind != "mapping" or not root.items.keys() & {*KEYS[1:]}:
        format = format_of(data, file)
    if root is not None and root.kind == "sequence" and format is not None and format.key == "yaml":
        format = None  # what it is instead is told below
    if format is not None and format is not CONFIG:
        text = f"{format.text}. Expected a robot configuration, YAML with names and hrdf"
        findings.error(Spot(file), text, kind="syntax")
        return None
    for problem in tree.problems:
        findings.add(problem)
    if root is None:
        return None
    return _Reader(Path(file), findings, robot=robot, files=files).read(root)


class _Reader:
    """One configuration while it is read."""

    def __init__(self, file: Path, findings: Findings, *, robot: bool, files: bool) -> None:
        self.file = file
        self.findings = findings
        self.robot = robot
        self.files = files

    def read(self, root: YamlNode) -> RobotConfig | None:
        """Return the configuration; None when it is not even a mapping."""
        findings = self.findings
        items = root.mapping(findings, "a robot configuration", KEYS)
        if root.kind != "mapping":
            return None
        for key in ("version", "families", "names"):
            if key not in items and not _is_misspelt(key, root):
                findings.error(root, f"key {key} is missing; a robot configuration needs it")
        if self.robot and "hrdf" not in items:
            text = "key hrdf is missing, so there is no robot. Name its file: hrdf: arm.hrdf"
            findings.error(root, text)
        names = self._texts(items.get("names"), "names", "a module's name")
        families = self._families(items, names)
        self._check_twins(items.get("names"), families, names)
        of = families if len(families) == len(names) else ("?",) * len(names)  # noted above
        modules = tuple(zip(of, names, strict=True))
        plugins = read_plugins(items.get("plugins"), modules, findings)
        user_data = self._user_data(items.get("user_data"), len(names))
        return RobotConfig(
            file=self.file,
            version=self._version(items.get("version")),
            families=families,
            names=names,
            hrdf=self._file(items.get("hrdf"), "hrdf"),
            gains=FixedMapping(self._gains(items.get("gains"))),
            feedback_frequency=amount(items.get("feedback_frequency"), "Hz", findings),
            command_lifetime=self._lifetime(items.get("command_lifetime")),
            plugins=plugins,
            user_data=FixedMapping(user_data),
            warnings=findings.warnings,
        )

    def _version(self, node: YamlNode | None) -> str:
        if node is None:
            return ""
        if node.kind != "scalar" or node.text not in VERSIONS:
            got = node.text or node.kind
            self.findings.error(node, f"expected version {VERSIONS[-1]}, got {got}")
        return node.text

    def _texts(self, node: YamlNode | None, key: str, what: str) -> tuple[str, ...]:
        """Return one or more texts; what is no text is noted, and named by its place."""
        if node is None:
            return ()
        entries = node.sequence(self.findings, key)
        if node.kind == "sequence" and not entries:
            self.findings.error(node, "expected at least one, got an empty list")
        texts = []
        for number, entry in enumerate(entries, 1):
            text = entry.name(self.findings, what)
            if text is not None:
                check_stray(entry, text, what, self.findings)
            texts.append(text or f"({number})")
        return tuple(texts)

    def _families(self, items: Mapping[str, YamlNode], names: tuple[str, ...]) -> tuple[str, ...]:
        node = items.get("families")
        if node is None:
            return ()
        if node.kind == "scalar":
            return (node.name(self.findings, "a family") or "?",) * len(names)
        families = self._texts(node, "families", "a family")
        if len(families) == 1:
            return families * len(names)
        if names and families and len(families) != len(names):
            text = f"expected 1 or {len(names)}, one for all or one per name"
            self.findings.error(node, f"{text}, got {len(families)}")
        return families

    def _check_twins(
        self, node: YamlNode | None, families: tuple[str, ...], names: tuple[str, ...]
    ) -> None:
        first: dict[tuple[str, str], int] = {}
        for number, module in enumerate(zip(families, names, strict=False), 1):
            there = first.setdefault(module, number)
            if node is not None and there != number:
                shown = shorten(f"{module[0]}/{module[1]}").strip("'")
                text = f"module {shown} is there already, as number {there}"
                self.findings.error(node.entries[number - 1], text + ". Every joint has its own")

    def _file(self, node: YamlNode | None, what: str) -> Path | None:
        """Return the path of a file that is named; notes when it is not there."""
        text = None if node is None else node.name(self.findings, what)
        if node is None or text is None:
            return None
        if "\0" in text or not _encodable(text):
            self.findings.error(node, f"{what}: {shorten(text)} cannot be the name of a file")
            return None
        path = self.file.parent / text
        there, beside = False, list[str]()
        with suppress(OSError):  # a name that is too long, a folder that may not be read
            there = path.is_file()
            if not there and path.parent.is_dir():
                beside = sorted(entry.name for entry in path.parent.iterdir())
        if not there:
            near = self.findings.near(path.name, beside, most=6)
            must = self.files or (self.robot and what == "hrdf")
            note = self.findings.error if must else self.findings.warning
            note(node, f"no such file: {path}.{near}")
        return path

    def _gains(self, node: YamlNode | None) -> dict[str, Path]:
        if node is None:
            return {}
        items = {"default": node} if node.kind == "scalar" else node.mapping(self.findings, "gains")
        found = {name: self._file(entry, f"gains {name}") for name, entry in items.items()}
        return {name: path for name, path in found.items() if path is not None}

    def _lifetime(self, node: YamlNode | None) -> float | None:
        value = amount(node, "seconds", self.findings)
        if node is not None and value is not None and value > LONG_LIFETIME:
            text = f"{value:g} s is unusual; the unit is seconds"
            self.findings.warning(node, f"{text}. Were milliseconds meant? Write {value / 1000:g}")
        return value

    def _user_data(self, node: YamlNode | None, count: int) -> dict[str, object]:
        if node is None or (node.kind == "scalar" and node.type == "null"):
            return {}
        items = node.mapping(self.findings, "user_data")
        for key in REFERENCES:
            row = items.get(key)
            if row is None:
                self._doubt_near(key, items, count)
                continue
            values = plain(row)
            if not isinstance(values, list):
                self.findings.warning(row, f"expected {count} numbers, one per name")
            elif count and len(values) != count:
                text = f"expected {count} numbers, one per name, got {len(values)}"
                self.findings.warning(row, text)
            elif not all(map(is_finite, values)):
                odd = row.entries[list(map(is_finite, values)).index(False)]
                got = shorten(odd.text) if odd.kind == "scalar" else odd.kind
                self.findings.warning(row, f"expected plain numbers [rad or m], got {got}")
        if self.files:
            self._check_user_files(node)
        return {key: plain(value) for key, value in items.items()}

    def _doubt_near(self, key: str, items: Mapping[str, YamlNode], count: int) -> None:
        """Note a key that may be this one misspelt: near to it, with a number for each module."""
        alike = (one for one in items if abs(len(one) - len(key)) <= 5 and one not in REFERENCES)
        for name in get_close_matches(key, islice(alike, _MOST_NEAR), n=1, cutoff=0.8):
            values = plain(items[name])
            if (
                isinstance(values, list)
                and 0 < count == len(values)
                and all(map(is_finite, values))
            ):
                text = f"{shorten(name)} is kept as data and not used. Did you mean {key!r}?"
                self.findings.warning(items[name], text)

    def _check_user_files(self, node: YamlNode) -> None:
        """Note files that the user's own data name and that are not there."""
        stack = [node]
        while stack:
            one = stack.pop()
            stack += [*one.items.values(), *one.entries]
            if one.type == "str" and _FILE_NAME.fullmatch(one.text) and "://" not in one.text:
                self._file(one, one.path.rpartition("/")[2])


def _encodable(text: str) -> bool:
    """Whether a text can name a file here."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True


def _is_misspelt(key: str, root: YamlNode) -> bool:
    """Whether the error about an unknown key says already that this one is meant."""
    unknown = islice((one for one in root.items if one not in KEYS), MAX_NEAR)
    return any(did_you_mean(one, KEYS).endswith(f"Did you mean {key!r}?") for one in unknown)
