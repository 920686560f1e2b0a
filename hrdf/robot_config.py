"""Robot configurations: which modules an arm has, and what belongs to them (``*.cfg.yaml``).

The file is HEBI's robot config, version 1.1: names and families of the modules, the robot's HRDF,
gains, plug-ins and data of the user's own. It is read strictly: all problems come together, each
with its line. Paths are relative to the file. What is doubtful, such as a file that is not there
or a plug-in of a type that nobody knows, is a warning, and belongs to the configuration.
"""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from armwright.errors import ConfigError, Problem, did_you_mean
from armwright.reprs import one_line_repr

from .findings import Findings
from .formula import shorten
from .yaml_tree import YamlNode, read_bytes, read_yaml

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
PLUGINS = (
    "GravityCompensationEffort",
    "DynamicsCompensationEffort",
    "EffortOffset",
    "ImpedanceController",
    "DoubledJoint",
    "DoubledJointMirror",
    "EndEffectorWrench",
    "OvertorqueFaultMonitor",
)
POSITIONS = ("home_position", "ik_seed_pos")
"""Entries of ``user_data`` that have one number per module."""

LONG_LIFETIME = 10.0
"""A command lifetime above this was probably meant in milliseconds [s]."""

_STRAY = "\"'[]{}"


@dataclass(frozen=True, slots=True)
class PluginConfig:
    """One plug-in of a configuration.

    Attributes:
        type: Its type, such as "EffortOffset".
        name: Its own name; "" when it has none.
        enabled: Whether it acts.
        ramp_time: How long it takes to begin [s].
        settings: The keys of its own, as plain values.
    """

    type: str
    name: str = ""
    enabled: bool = True
    ramp_time: float = 0.0
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RobotConfig:
    """What a configuration says.

    Attributes:
        file: The file.
        version: Version of its form.
        families: Family of each module, as many as names.
        names: Name of each module, in the order of the joints.
        hrdf: The robot's description; None when the file names none.
        gains: Gains files by name; a single one is called "default".
        feedback_frequency: [Hz]; None when not said.
        command_lifetime: [s]; None when not said.
        plugins: In document order.
        user_data: Whatever the user put there, as plain values.
        warnings: What is doubtful.
    """

    file: Path
    version: str
    families: tuple[str, ...]
    names: tuple[str, ...]
    hrdf: Path | None = None
    gains: Mapping[str, Path] = field(default_factory=dict)
    feedback_frequency: float | None = None
    command_lifetime: float | None = None
    plugins: tuple[PluginConfig, ...] = ()
    user_data: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()

    def active(self, *types: str) -> tuple[PluginConfig, ...]:
        """Return the enabled plug-ins of some types."""
        return tuple(plugin for plugin in self.plugins if plugin.enabled and plugin.type in types)

    __repr__ = one_line_repr


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
    file = os.fsdecode(path)
    findings = Findings()
    data = read_bytes(file, "the configuration", findings)
    root = None if data is None else read_yaml(data, file, findings)
    config = None if root is None else _Reader(Path(file), findings).read(root)
    if config is None or findings.error_count:
        raise ConfigError(findings.problems)
    return config


class _Reader:
    """One configuration while it is read."""

    def __init__(self, file: Path, findings: Findings) -> None:
        self.file = file
        self.findings = findings

    def read(self, root: YamlNode) -> RobotConfig | None:
        """Return the configuration; None when it is not even a mapping."""
        findings = self.findings
        items = root.mapping(findings, "a robot configuration", KEYS)
        if root.kind != "mapping":
            return None
        for key in ("version", "families", "names"):
            if key not in items:
                findings.error(root, f"key {key} is missing; a robot configuration needs it")
        names = self._texts(items.get("names"), "names", "a module's name")
        families = self._families(items, names)
        self._check_twins(items.get("names"), families, names)
        plugins = self._plugins(items.get("plugins"), len(names))
        return RobotConfig(
            file=self.file,
            version=self._version(items.get("version")),
            families=families,
            names=names,
            hrdf=self._file(items.get("hrdf"), "hrdf"),
            gains=MappingProxyType(self._gains(items.get("gains"))),
            feedback_frequency=self._number(items.get("feedback_frequency"), "Hz"),
            command_lifetime=self._lifetime(items.get("command_lifetime")),
            plugins=plugins,
            user_data=MappingProxyType(self._user_data(items.get("user_data"), len(names))),
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
                self._check_stray(entry, text, what)
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
        modules = list(zip(families, names, strict=False))
        for number, module in enumerate(modules):
            if node is not None and module in modules[:number]:
                first = modules.index(module) + 1
                text = f"module {module[0]}/{module[1]} is there already, as number {first}"
                self.findings.error(node.entries[number], text + ". Every joint has its own")

    def _check_stray(self, node: YamlNode, text: str, what: str) -> None:
        stray = [letter for letter in _STRAY if letter in text]
        if stray:
            shown = " and ".join(stray)
            self.findings.warning(node, f"{what} has {shown} in it: {text}. Is it a stray sign?")

    def _file(self, node: YamlNode | None, what: str) -> Path | None:
        """Return the path of a file that is named; a warning when it is not there."""
        text = None if node is None else node.name(self.findings, what)
        if node is None or text is None:
            return None
        if "\0" in text or not _encodable(text):
            self.findings.error(node, f"{what}: {text!r} cannot be the name of a file")
            return None
        path = self.file.parent / text
        there, beside = False, list[str]()
        with suppress(OSError):  # a name that is too long, a folder that may not be read
            there = path.is_file()
            if not there and path.parent.is_dir():
                beside = sorted(entry.name for entry in path.parent.iterdir())
        if not there:
            near = did_you_mean(path.name, beside, most=6)
            self.findings.warning(node, f"no such file: {path}.{near}")
        return path

    def _gains(self, node: YamlNode | None) -> dict[str, Path]:
        if node is None:
            return {}
        items = {"default": node} if node.kind == "scalar" else node.mapping(self.findings, "gains")
        found = {name: self._file(entry, f"gains {name}") for name, entry in items.items()}
        return {name: path for name, path in found.items() if path is not None}

    def _number(self, node: YamlNode | None, unit: str) -> float | None:
        """Return a number of some unit, 0 or more."""
        if node is None:
            return None
        key = node.path.rpartition("/")[2]
        value = node.number(self.findings, key)
        if value is not None and value < 0:
            self.findings.error(node, f"expected {unit}, 0 or more, got {node.text}")
        return value

    def _lifetime(self, node: YamlNode | None) -> float | None:
        value = self._number(node, "seconds")
        if node is not None and value is not None and value > LONG_LIFETIME:
            text = f"{value:g} s is unusual; the unit is seconds"
            self.findings.warning(node, f"{text}. Were milliseconds meant? Write {value / 1000:g}")
        return value

    def _plugins(self, node: YamlNode | None, count: int) -> tuple[PluginConfig, ...]:
        entries = [] if node is None else node.sequence(self.findings, "plugins")
        found = [self._plugin(entry, count) for entry in entries]
        return tuple(plugin for plugin in found if plugin is not None)

    def _plugin(self, node: YamlNode, count: int) -> PluginConfig | None:
        items = dict(node.mapping(self.findings, "a plug-in"))
        if node.kind != "mapping":
            return None
        if "type" not in items:
            self.findings.error(node, "key type is missing; a plug-in needs it")
            return None
        type_ = items.pop("type")
        plugin_type = type_.name(self.findings, "the type of a plug-in")
        if plugin_type is None:
            return None
        if plugin_type not in PLUGINS:
            text = f"unknown type of plug-in {plugin_type!r}, left alone."
            self.findings.warning(type_, text + did_you_mean(plugin_type, PLUGINS))
        name = items.pop("name", None)
        enabled = items.pop("enabled", None)
        if enabled is not None and enabled.type != "bool":
            self.findings.error(
                enabled, f"expected true or false, got {enabled.text or enabled.kind}"
            )
        ramp_time = self._number(items.pop("ramp_time", None), "seconds")
        settings = {key: _plain(value) for key, value in items.items()}
        self._check_settings(plugin_type, node, items, settings, count)
        return PluginConfig(
            type=plugin_type,
            name="" if name is None else name.name(self.findings, "the name of a plug-in") or "",
            enabled=enabled is None or _plain(enabled) is True,
            ramp_time=ramp_time or 0.0,
            settings=MappingProxyType(settings),
        )

    def _check_settings(
        self,
        plugin_type: str,
        plugin: YamlNode,
        items: Mapping[str, YamlNode],
        settings: dict[str, object],
        count: int,
    ) -> None:
        """Check what tells how modules and joints belong together."""
        for key in ("group_name", "group_family"):
            node = items.get(key)
            for entry in [] if node is None else node.entries or [node]:
                self._check_stray(entry, entry.text, key)
        offset = items.get("offset")
        if plugin_type == "EffortOffset" and offset is not None:
            settings["offset"] = self._numbers(offset, "offset", count)
        elif plugin_type == "EffortOffset":
            self.findings.warning(plugin, "key offset is missing, so it adds nothing")
        index = items.get("index")
        if plugin_type.startswith("DoubledJoint"):
            number = settings.get("index")
            if type(number) is not int or not 0 <= number < max(count, 1):
                got = "none" if index is None else index.text or index.kind
                text = f"index of a doubled joint: expected 0 to {count - 1}, got {got}"
                self.findings.error(index or plugin, text)

    def _numbers(self, node: YamlNode, what: str, count: int) -> float | list[float]:
        """Return one number or one for each module; notes what is neither."""
        if node.kind == "scalar":
            return node.number(self.findings, what) or 0.0
        entries = node.sequence(self.findings, what)
        values = [entry.number(self.findings, what) or 0.0 for entry in entries]
        if node.kind == "sequence" and count and len(entries) != count:
            self.findings.error(node, f"expected {count} numbers, got {len(entries)}")
        return values

    def _user_data(self, node: YamlNode | None, count: int) -> dict[str, object]:
        if node is None or (node.kind == "scalar" and node.type == "null"):
            return {}
        items = node.mapping(self.findings, "user_data")
        for key in POSITIONS:
            row = items.get(key)
            if row is None:
                continue
            values = _plain(row)
            if not isinstance(values, list):
                self.findings.warning(row, f"expected {count} numbers, one per name")
            elif count and len(values) != count:
                text = f"expected {count} numbers, one per name, got {len(values)}"
                self.findings.warning(row, text)
            elif not all(map(_is_finite, values)):
                odd = row.entries[list(map(_is_finite, values)).index(False)]
                got = shorten(odd.text) if odd.kind == "scalar" else odd.kind
                self.findings.warning(row, f"expected plain numbers [rad or m], got {got}")
        return {key: _plain(value) for key, value in items.items()}


def _encodable(text: str) -> bool:
    """Whether a text can name a file here."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True


def _is_finite(value: object) -> bool:
    """Whether a plain value is a number that is finite."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -sys.float_info.max <= value <= sys.float_info.max


def _plain(node: YamlNode) -> object:
    """Return a value as YAML takes it: numbers, texts, lists, mappings, True, False, None."""
    if node.kind == "mapping":
        return {key: _plain(value) for key, value in node.items.items()}
    if node.kind == "sequence":
        return [_plain(entry) for entry in node.entries]
    try:
        if node.type == "int":
            return int(node.text.replace("_", ""), 0)
        if node.type == "float":
            return float(node.text.replace("_", "").replace(".inf", "inf").replace(".nan", "nan"))
    except ValueError:
        return node.text  # octal and sexagesimal numbers stay texts
    if node.type == "bool":
        return node.text.casefold() in ("true", "yes", "on")
    return None if node.type == "null" else node.text
