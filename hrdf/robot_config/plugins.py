"""The plug-in sections of a configuration, checked like everything else in it.

Each type has its keys: what they hold, and whether they have to be there. The keys of a type that
nobody knows are left alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from armwright.copies import FixedMapping
from armwright.hrdf.findings import Findings
from armwright.hrdf.formula import rotation_problem, shorten
from armwright.hrdf.yaml_tree import YamlNode

from .contents import PluginConfig
from .values import amount, check_stray, plain, row, switch

Module = tuple[str, str]  # family and name


@dataclass(frozen=True, slots=True)
class _Key:
    """One key of a type of plug-in.

    Attributes:
        read: Reads and checks its value.
        required: Whether it has to be there.
    """

    read: "Callable[[_Plugin, YamlNode], object]"
    required: bool = False


class _Plugin:
    """One plug-in while it is read."""

    def __init__(self, type: str, node: YamlNode, count: int, findings: Findings) -> None:
        self.type = type
        self.node = node
        self.count = count
        self.findings = findings

    def number(self, node: YamlNode) -> object:
        """Return a number of 0 or more."""
        return amount(node, "a number", self.findings) or 0.0

    def switch(self, node: YamlNode) -> object:
        """Return whether it is on."""
        return switch(node, self.findings)

    def six(self, node: YamlNode) -> object:
        """Return six gains of 0 or more: x, y, z, and about them."""
        values = row(node, 6, self.findings)
        if any(value < 0 for value in values):
            odd = node.entries[[value < 0 for value in values].index(True)]
            self.findings.error(odd, f"expected 0 or more, got {shorten(odd.text)[1:-1]}")
        return values

    def one_or_each(self, node: YamlNode) -> object:
        """Return one number, or one for each module."""
        if node.kind == "scalar":
            return node.number(self.findings, node.path.rpartition("/")[2]) or 0.0
        return row(node, self.count, self.findings)

    def rotation(self, node: YamlNode) -> object:
        """Return nine numbers that are a rotation."""
        before = self.findings.error_count
        values = row(node, 9, self.findings)
        if self.findings.error_count == before:
            problem = rotation_problem(tuple(values))  # type: ignore[arg-type]
            if problem:
                self.findings.error(node, f"not a rotation: {problem}")
        return values

    def module(self, node: YamlNode) -> object:
        """Return the number of a module, from 0."""
        return self._whole(node, max(self.count - 1, 0))

    def joint(self, node: YamlNode) -> object:
        """Return the number of the joint that is doubled, from 0."""
        return self._whole(node, max(self.count - 1, 0), "index of a doubled joint: ")

    def whole(self, node: YamlNode) -> object:
        """Return a whole number, 0 or more."""
        return self._whole(node, None)

    def name(self, node: YamlNode) -> object:
        """Return a name, or a list of one."""
        key = node.path.rpartition("/")[2]
        entries = [node] if node.kind == "scalar" else node.sequence(self.findings, key)
        if node.kind == "sequence" and len(entries) != 1:
            self.findings.error(node, f"expected one {key}, got {len(entries)}")
        for entry in entries:
            text = entry.name(self.findings, key)
            if text is not None:
                check_stray(entry, text, key, self.findings)
        return plain(node)

    def _whole(self, node: YamlNode, most: int | None, where: str = "") -> object:
        value = plain(node)
        if type(value) is not int or value < 0 or (most is not None and value > most):
            got = shorten(node.text)[1:-1] if node.text else node.kind
            upto = "a whole number, 0 or more" if most is None else f"0 to {most}"
            self.findings.error(node, f"{where}expected {upto}, got {got}")
        return value


_DOUBLED = {
    "group_family": _Key(_Plugin.name),
    "group_name": _Key(_Plugin.name),
    "index": _Key(_Plugin.joint, required=True),
    "mirror": _Key(_Plugin.switch),
}
_KEYS: dict[str, dict[str, _Key]] = {
    "GravityCompensationEffort": {
        "imu_feedback_index": _Key(_Plugin.module),
        "imu_frame_index": _Key(_Plugin.whole),
        "imu_rotation_offset": _Key(_Plugin.rotation),
    },
    "DynamicsCompensationEffort": {},
    "EffortOffset": {"offset": _Key(_Plugin.one_or_each)},
    "ImpedanceController": {
        "gains_in_end_effector_frame": _Key(_Plugin.switch, required=True),
        "kp": _Key(_Plugin.six, required=True),
        "kd": _Key(_Plugin.six, required=True),
        "ki": _Key(_Plugin.six),
        "i_clamp": _Key(_Plugin.six),
    },
    "DoubledJoint": _DOUBLED,
    "DoubledJointMirror": _DOUBLED,
    "EndEffectorWrench": {},
    "OvertorqueFaultMonitor": {"base_torque_error_limit": _Key(_Plugin.number, required=True)},
}
_COMMON = ("type", "name", "enabled", "ramp_time")
PLUGINS = tuple(_KEYS)
_ONCE = ("GravityCompensationEffort", "DynamicsCompensationEffort")


def read_plugins(
    node: YamlNode | None, modules: Sequence[Module], findings: Findings
) -> tuple[PluginConfig, ...]:
    """Read the plug-ins of a configuration; notes all problems.

    Args:
        node: The list; None when there is none.
        modules: Family and name of every module of the configuration.
        findings: Where problems are noted.
    """
    entries = [] if node is None else node.sequence(findings, "plugins")
    found = [(entry, _read(entry, modules, findings)) for entry in entries]
    there = [(entry, plugin) for entry, plugin in found if plugin is not None]
    _check_twins(there, findings)
    _check_doubled(there, modules, findings)
    return tuple(plugin for _, plugin in there)


def _read(node: YamlNode, modules: Sequence[Module], findings: Findings) -> PluginConfig | None:
    """Read one plug-in; None when it is none."""
    items = dict(node.mapping(findings, "a plug-in"))
    if node.kind != "mapping":
        return None
    if "type" not in items:
        near = next((key for key in items if key.casefold() == "type"), None)
        hint = "" if near is None else f". Did you mean it by {near!r}?"
        findings.error(node, f"key type is missing; a plug-in needs it{hint}")
        return None
    type_ = items["type"].name(findings, "the type of a plug-in")
    if type_ is None:
        return None
    if type_ not in _KEYS:
        text = f"unknown type of plug-in {shorten(type_)}, left alone."
        findings.warning(items["type"], text + findings.near(type_, PLUGINS))
    plugin = _Plugin(type_, node, len(modules), findings)
    name, enabled, ramp_time = (items.get(key) for key in _COMMON[1:])
    return PluginConfig(
        type=type_,
        name="" if name is None else name.name(findings, "the name of a plug-in") or "",
        enabled=enabled is None or switch(enabled, findings),
        ramp_time=amount(ramp_time, "seconds", findings) or 0.0,
        settings=FixedMapping(_settings(plugin, items)),
    )


def _settings(plugin: _Plugin, items: Mapping[str, YamlNode]) -> dict[str, object]:
    """Read the keys of a plug-in's own."""
    known = _KEYS.get(plugin.type)
    own = {key: node for key, node in items.items() if key not in _COMMON}
    if known is None:
        return {key: plain(node) for key, node in own.items()}
    findings, settings = plugin.findings, dict[str, object]()
    for key, node in own.items():
        if key in known:
            settings[key] = known[key].read(plugin, node)
        else:
            text = f"unknown key {shorten(key)} of {plugin.type}."
            findings.error(node, text + findings.near(key, [*known, *_COMMON]))
    for key, form in known.items():
        if not form.required or key in own:
            continue
        if key == "index":
            most = max(plugin.count - 1, 0)
            text = f"index of a doubled joint: expected 0 to {most}, got none"
        else:
            text = f"key {key} is missing; {plugin.type} needs it"
        findings.error(plugin.node, text)
    for key, so in (("offset", "it adds nothing"), ("group_name", "no module helps")):
        if key in known and key not in own:
            findings.warning(plugin.node, f"key {key} is missing, so {so}")
    return settings


def _check_twins(plugins: Sequence[tuple[YamlNode, PluginConfig]], findings: Findings) -> None:
    """Note names that are there twice, and what would act twice."""
    names: dict[str, str] = {}
    types: dict[str, str] = {}
    for node, plugin in plugins:
        first = names.setdefault(plugin.name, node.path)
        if plugin.name and first != node.path:
            text = f"the name {shorten(plugin.name)} is that of {first} too. Give it another"
            findings.warning(node.items["name"], text)
        if plugin.enabled and plugin.type in _ONCE:
            first = types.setdefault(plugin.type, node.path)
            if first != node.path:
                text = f"{plugin.type} is there already, as {first}; both would act"
                findings.warning(node, text)


def _check_doubled(
    plugins: Sequence[tuple[YamlNode, PluginConfig]],
    modules: Sequence[Module],
    findings: Findings,
) -> None:
    """Note second modules of a joint that are another's already, or have no family."""
    families = sorted({family for family, _ in modules})
    taken = {module: f"joint {number}" for number, module in enumerate(modules)}
    joints: dict[object, str] = {}
    for node, plugin in plugins:
        if plugin.type not in ("DoubledJoint", "DoubledJointMirror"):
            continue
        family = _first(plugin.settings.get("group_family"))
        name = _first(plugin.settings.get("group_name"))
        if family is None and len(families) > 1:
            text = "key group_family is missing, and the modules have several families"
            findings.warning(node, text)
        module = (str(family if family is not None else families[0] if families else ""), str(name))
        if name is not None:
            owner = taken.setdefault(module, node.path)
            if owner != node.path:
                shown = shorten("/".join(module))[1:-1]
                text = f"module {shown} is that of {owner} already. Every module is there once"
                findings.error(node.items["group_name"], text)
        index = plugin.settings.get("index")
        if plugin.enabled and type(index) is int:
            first = joints.setdefault(index, node.path)
            if first != node.path:
                text = f"joint {index} is doubled by {first} already"
                findings.warning(node.items["index"], text)


def _first(value: object) -> object:
    """Return a text, or the first of a list."""
    return (value[0] if value else None) if isinstance(value, list) else value
