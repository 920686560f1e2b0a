"""Configurations, groups and catalogs made from what their readers know, with a few wrong values.

A file is a tree of mappings, lists and words as they are written; ``written`` puts it into YAML.
"""

import json
from collections.abc import Callable
from random import Random
from typing import Any

from armwright.hrdf.catalog.keys import ACTUATOR, BRACKET, END_EFFECTOR, FAMILY, LINK, Key
from armwright.hrdf.robot_config.plugins import PLUGINS
from armwright.hrdf.robot_config.reading import KEYS
from armwright.hrdf.specification import VERSIONS
from tests.hostile.seeds import GROUPS, JOINTS, LINKS
from tests.hostile.words import ODD_TEXTS, name, number, odd_number, right_number

Tree = Any
_WRONG = (0.0, 0.0, 0.0, 0.005, 0.02, 0.1, 0.4)
_ODD_TREES: tuple[Tree, ...] = ([], {}, [[]], {"a": {}}, ["a", "b"], {"1": "2"}, "", "null", "true")
_MODULES = ("J1_base", "J2_shoulder", "J3_elbow", "J4_wrist1", "J5_wrist2", "J6_wrist3")
_PLUGIN_KEYS: dict[str, tuple[str, ...]] = {
    "GravityCompensationEffort": ("imu_feedback_index", "imu_frame_index", "imu_rotation_offset"),
    "EffortOffset": ("offset",),
    "ImpedanceController": ("gains_in_end_effector_frame", "kp", "kd", "ki", "i_clamp"),
    "DoubledJoint": ("group_family", "group_name", "index", "mirror"),
    "DoubledJointMirror": ("group_family", "group_name", "index", "mirror"),
    "OvertorqueFaultMonitor": ("base_torque_error_limit",),
}
_SIX = ("kp", "kd", "ki", "i_clamp")


def make_config(_data: bytes, r: Random) -> bytes:
    """Return a robot configuration."""
    wrong = r.choice(_WRONG)
    count = 6 if r.random() < 0.8 else r.choice((0, 1, 2, 7))
    names = list(_MODULES) if count == 6 and r.random() < 0.9 else [f"m{k}" for k in range(count)]
    names = [name(r, wrong, (one,)) for one in names]
    several = [r.choice(("Arm", "Wrist")) for _ in range(count)]
    plugins = [_plugin(r, wrong, count) for _ in range(r.choice((0, 1, 2, 4)))]
    data: Tree = {key: _numbers(r, wrong, count) for key in ("home_position", "ik_seed_pos")}
    data |= {"note": r.choice(ODD_TEXTS), "more": {"a": ["1", {"b": number(r, wrong)}]}}
    values: dict[str, Callable[[], Tree]] = {
        "version": lambda: r.choice(("1.1", "1.0", '"1.1"')),
        "families": lambda: r.choice((["Arm"], "Arm", several)),
        "names": lambda: names,
        "hrdf": lambda: name(r, wrong, ("six_dof.hrdf",) * 5 + ("small.hrdf", "deep/inner.hrdf")),
        "gains": lambda: r.choice(("gains.xml", {"default": "gains.xml", "b": "../x"})),
        "feedback_frequency": lambda: right_number(r, 1, 1000).lstrip("-"),
        "command_lifetime": lambda: right_number(r, 0, 1).lstrip("-"),
        "plugins": lambda: plugins,
        "user_data": lambda: data,
    }
    tree = {
        key: _spoilt(r, wrong, values[key]())
        for key in KEYS
        if r.random() < (0.6 if key in KEYS[4:] else 1.0 - wrong / 2)
    }
    return written(_with_odd_keys(r, wrong, tree), r)


def _plugin(r: Random, wrong: float, count: int) -> Tree:
    """Return one plug-in."""
    kind = name(r, wrong, PLUGINS)
    plugin: Tree = {"type": kind}
    common: Tree = {"name": name(r, wrong, ("g", "h")), "enabled": "true", "ramp_time": "1.5"}
    plugin |= {key: value for key, value in common.items() if r.random() < 0.4}
    for key in _PLUGIN_KEYS.get(kind, ()):
        if r.random() < 0.05:
            continue
        if key in _SIX:
            plugin[key] = _numbers(r, wrong, 6, 0.0)
        elif key == "imu_rotation_offset":
            plugin[key] = r.choice(("1 0 0 0 1 0 0 0 1", "0 -1 0 1 0 0 0 0 1")).split()
        elif key in ("gains_in_end_effector_frame", "mirror"):
            plugin[key] = name(r, wrong, ("true", "false", "yes"))
        elif key.startswith("group"):
            plugin[key] = r.choice(("Arm", f"B{r.randrange(9)}", ["Arm"]))
        elif key == "offset":
            plugin[key] = r.choice((number(r, wrong), _numbers(r, wrong, count)))
        elif "index" in key:
            plugin[key] = odd_number(r) if r.random() < wrong else str(r.randrange(max(count, 1)))
        else:
            plugin[key] = right_number(r, 0, 9).lstrip("-")
        plugin[key] = _spoilt(r, wrong, plugin[key])
    return _with_odd_keys(r, wrong, plugin)


def make_groups(_data: bytes, r: Random) -> bytes:
    """Return a file of groups and named configurations."""
    wrong = r.choice(_WRONG)
    made = r.sample(GROUPS, r.randrange(1, len(GROUPS)))
    groups: Tree = {}
    for k, group in enumerate(made):
        body: Tree = {}
        for key in r.sample(("joints", "links", "chain", "groups"), r.choice((1, 1, 2, 3))):
            if key == "chain":
                base, tip = r.choice((("shoulders", "left_tool"), ("base", "right_gripper")))
                body[key] = [name(r, wrong, (base,)), name(r, wrong, (tip,))]
                continue
            known = {"joints": JOINTS, "links": LINKS, "groups": tuple(made[:k])}[key]
            if known:
                body[key] = [name(r, wrong, known) for _ in range(r.choice((1, 1, 2, 5)))]
        if not body and r.random() >= wrong:
            body = {"joints": ["J1_torso"]}
        groups[name(r, wrong, (group,))] = _spoilt(r, wrong, body)
    # What may be an arm: a chain, or a joint by itself.
    rows = [one for one, body in groups.items() if [*body] == ["chain"]]
    tree: Tree = {"version": "1", "groups": groups}
    for role in ("arms", "chains", "legs"):
        if r.random() < 0.3:
            tree[role] = [name(r, wrong, (one,)) for one in (rows or made)[: r.choice((1, 1, 2))]]
    if r.random() < 0.6:
        tree["reference_configurations"] = {
            name(r, wrong, ("home", "up", "down")): {
                name(r, wrong, JOINTS): number(r, wrong) for _ in range(r.choice((1, 3)))
            }
            for _ in range(r.choice((1, 2, 3)))
        }
    tree = {key: _spoilt(r, wrong, value) for key, value in tree.items() if r.random() >= wrong / 2}
    return written(_with_odd_keys(r, wrong, tree), r)


def make_catalog(_data: bytes, r: Random) -> bytes:
    """Return a catalog of further parts."""
    wrong = r.choice(_WRONG)
    tree: Tree = {}
    if r.random() < 0.3:
        tree["source"] = name(r, wrong, ("made up", "measured"))
    if r.random() < 0.5:
        family = _part(r, wrong, FAMILY)
        if r.random() >= wrong:  # one of two
            family.pop(r.choice(("inertia_kg_m2", "inertia_box_m")), None)
            if not family.keys() & {"inertia_kg_m2", "inertia_box_m"}:
                family["inertia_box_m"] = ["0.1", "0.1", "0.1"]
            family.pop(r.choice(("rotor_inertia_kg_m2", "rotor_inertia_estimate_kg_m2")), None)
        family["types"] = {}
        for k in range(r.choice((1, 1, 2))):
            actuator = _part(r, wrong, ACTUATOR)
            if r.random() >= wrong:
                actuator["gear_reduction"] = "100"
            family["types"][name(r, wrong, (f"Z5-{k}",))] = _spoilt(r, wrong, actuator)
        tree["actuators"] = {"Z5": _spoilt(r, wrong, family)}
    for section, keys in (("links", LINK), ("brackets", BRACKET), ("end_effectors", END_EFFECTOR)):
        if r.random() < 0.5:
            names = [
                name(r, wrong, (f"Z{k}", f"ZX{k}", f"z.{k}")) for k in range(r.choice((1, 1, 3)))
            ]
            tree[section] = {one: _spoilt(r, wrong, _part(r, wrong, keys)) for one in names}
    return written(_with_odd_keys(r, wrong, tree), r)


def _part(r: Random, wrong: float, keys: dict[str, Key]) -> Tree:
    """Return the values of one part."""
    part: Tree = {}
    for key, form in keys.items():
        if key == "types" or r.random() < (wrong / 3 if form.required else 0.5):
            continue
        if key == "since":
            value: Tree = name(r, wrong, VERSIONS)
        elif key == "source":
            value = name(r, wrong, ("measured",))
        elif key.startswith("interface"):
            value = name(r, wrong, ("Z5-A", "Z5-B", "X-AO-A", "X-AH-B"))
        elif key == "output_turn":
            value = name(r, wrong, ("Rx(pi/2)", "1 0 0 0 1 0 0 0 1", f"Rz({number(r, wrong)})"))
        elif key == "inertia_kg_m2":
            value = [*["0.01"] * 3, *["0"] * 3] if r.random() >= wrong else _numbers(r, wrong, 6)
        elif key in ("com_m", "output_m", "inertia_box_m"):
            value = _numbers(r, wrong, 3, 0.001 if key == "inertia_box_m" else -1.0)
        else:
            value = number(r, wrong, 0.01, 2.0)
            value = value.removeprefix("-") if r.random() < 0.9 else value
        part[key] = _spoilt(r, wrong, value)
    return _with_odd_keys(r, wrong, part)


def _numbers(r: Random, wrong: float, count: int, low: float = -1.0) -> Tree:
    """Return a list of numbers, seldom of another length."""
    if r.random() < wrong:
        count = r.choice((0, 1, 5, 7, 300))
    return [number(r, wrong, low) for _ in range(count)]


def _spoilt(r: Random, wrong: float, tree: Tree) -> Tree:
    """Return a tree, or with some probability another kind of one."""
    if r.random() >= wrong / 3:
        return tree
    return r.choice((*_ODD_TREES, [tree], {"a": tree}, r.choice(ODD_TEXTS), odd_number(r)))


def _with_odd_keys(r: Random, wrong: float, tree: Tree) -> Tree:
    """Return a mapping, with some probability with a key that nobody knows."""
    if r.random() >= wrong / 2:
        return tree
    return {
        **tree,
        r.choice(("Version", "x", "mass", "type", "", *ODD_TEXTS)): r.choice(_ODD_TREES),
    }


def written(tree: Tree, r: Random) -> bytes:
    """Return a tree as YAML, in blocks or in one line."""
    if r.random() < 0.3:
        return _flow(tree, r).encode("utf-8", "surrogatepass")
    return ("\n".join(_blocks(tree, r, 0)) + "\n").encode("utf-8", "surrogatepass")


def _blocks(tree: Tree, r: Random, depth: int) -> list[str]:
    """Return the lines of a mapping or a list."""
    indent = "  " * depth
    rows: list[str] = []
    pairs = tree.items() if isinstance(tree, dict) else ((None, one) for one in tree)
    for key, value in pairs:
        head = f"{indent}-" if key is None else f"{indent}{_word(key, r)}:"
        if isinstance(value, str) or not value or r.random() < 0.4:
            rows.append(f"{head} {_flow(value, r)}")
        else:
            rows += [head, *_blocks(value, r, depth + 1)]
    return rows or [f"{indent}{{}}"]


def _flow(tree: Tree, r: Random) -> str:
    """Return a tree in one line."""
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{_word(k, r)}: {_flow(v, r)}" for k, v in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(_flow(one, r) for one in tree) + "]"
    return _word(tree, r)


def _word(text: str, r: Random) -> str:
    """Return a word as it is written; in quotes where YAML needs them, mostly."""
    plain = text and all(sign.isalnum() or sign in '_.-+*/()"' for sign in text)
    if (plain and text[0] not in "-*") or r.random() < 0.02:
        return text
    if plain and text[0] == "-" and len(text) > 1:
        return text
    return json.dumps(text, ensure_ascii=r.random() < 0.5)
