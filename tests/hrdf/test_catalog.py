"""The built-in parts, the strict form of catalog files, and users' own parts."""

import math
import re
from pathlib import Path
from typing import Any

import pytest

from armwright.errors import HrdfError, HrdfSyntaxError, UnknownPartError
from armwright.hrdf import check, load_catalog, parse, read, write
from armwright.hrdf.elements.parts import ActuatorPart, BracketPart, EndEffectorPart, LinkPart
from armwright.hrdf.limits import MAX_YAML_BYTES
from armwright.hrdf.specification import VERSIONS
from tests.hrdf.conftest import text_of

OWN = """
source: our own bench
actuators:
  X8:
    since: 1.2.0
    source: weighed
    interface_in: X-AH-A
    interface_out: X-AO-A
    com_m: [-0.01, 0, 1e-2]
    output_height_m: 0.05
    inertia_box_m: [0.1, 0.07, 0.04]
    types:
      X8-25: {mass_kg: 0.6, max_speed_rad_per_s: 2*pi, max_effort_N_m: 50}
links:
  Beam:
    interface_in: X-AO-B
    interface_out: X-AH-B
    base_mass_kg: 0.1
    mass_per_length_kg_per_m: 0.5
    half_height_m: 0.02
brackets:
  Wedge:
    interface_in: X-AO-B
    interface_out: X-AH-B
    mass_kg: 0.2
    com_m: [0, 0, 0.01]
    output_m: [0, 0, 0.02]
    output_turn: Ry(pi/4)
    inertia_radius_m: 0.03
end_effectors:
  Hook: {mass_kg: 0.3, com_m: [0, 0, 0.02], output_m: [0, 0, 0.1], inertia_radius_m: 0.02}
"""
ROBOT = text_of(
    '<actuator type="X8-25"/><link type="Beam" extension="0.4" twist="0"/><actuator type="X8-9"/>'
    '<bracket type="Wedge"/><actuator type="X5-1"/><end-effector type="Hook"/>'
)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "own.yaml"
    file.write_text(OWN, "utf-8")
    return file


def problems_of(tmp_path: Path, text: str | bytes) -> list[str]:
    file = tmp_path / "bad.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(HrdfError) as info:
        load_catalog(file)
    return [str(problem).replace(f"{file}:", "") for problem in info.value.problems]


def test_there_are_all_types_in_order() -> None:
    catalog = load_catalog()
    counts = {kind: len(parts) for kind, parts in catalog.parts.items()}
    assert counts == {"actuator": 21, "link": 4, "bracket": 18, "end-effector": 3}
    assert catalog.types("link") == ("X5", "R8", "R25", "R25-R8")
    assert catalog.types("actuator")[:4] == ("X5-1", "X5-4", "X5-9", "X8-3")
    assert load_catalog() is catalog


def test_every_part_says_its_source_and_version() -> None:
    for parts in load_catalog().parts.values():
        for part in parts.values():
            assert part.source
            assert part.since in VERSIONS


def test_estimated_inertias_are_marked_and_follow_the_stated_rule() -> None:
    parts = load_catalog().parts["actuator"]
    estimated = {t for t, p in parts.items() if isinstance(p, ActuatorPart) and p.inertia_estimated}
    assert estimated == {f"{f}-{n}" for f in ("R25", "T25") for n in (8, 20, 40)}
    r25 = parts["R25-8"]
    assert isinstance(r25, ActuatorPart)
    length, width, height = 0.195, 0.11, 0.069  # x -0.14..0.055, y +-0.055, height 0.069
    assert r25.inertia[:3] == pytest.approx(
        (
            1.9 / 12 * (width**2 + height**2),
            1.9 / 12 * (length**2 + height**2),
            1.9 / 12 * (length**2 + width**2),
        )
    )
    for name, part in load_catalog().parts["bracket"].items():
        assert isinstance(part, BracketPart), name
        assert part.inertia_radius == 0.04


def test_what_is_inferred_from_the_type_name_is_kept_beside_the_peak() -> None:
    part = load_catalog().parts["actuator"]["X8-16"]
    assert isinstance(part, ActuatorPart)
    assert (part.max_effort, part.continuous_effort) == (44.0, 16.0)
    assert "peak efforts read through the public calls of hebi-py" in part.source
    assert "continuous efforts inferred from the number in the type name" in part.source
    assert (part.damping, part.friction) == (0.5, 0.5)


def test_rotor_inertias_are_estimates_that_say_so() -> None:
    # Nobody publishes them: a mechanical time constant of 10 ms, J R / kt^2, gives them. The
    # motors' constants are 1530 rpm/V and 9.99 ohm (5 series), 1360 rpm/V and 3.19 ohm (8 series).
    motors = {"5": (1530.0, 9.99), "8": (1360.0, 3.19)}
    reductions = {"1": 272.22, "3": 272.22, "4": 762.22, "9": 762.22, "16": 1462.22}
    seen = 0
    for type_, part in load_catalog().parts["actuator"].items():
        assert isinstance(part, ActuatorPart)
        series, size = type_.split("-")
        if series.endswith("25"):
            assert part.rotor_inertia is None
            assert part.gear_reduction is None
            assert not part.rotor_inertia_estimated
            continue
        seen += 1
        speed, resistance = motors[series[-1]]
        constant = 60 / (2 * math.pi * speed)
        expected = 1742.22 if (series[-1], size) == ("5", "9") else reductions[size]
        assert part.gear_reduction == expected
        assert part.rotor_inertia_estimated
        assert part.rotor_inertia is not None
        motor = part.rotor_inertia / expected**2
        assert motor * resistance / constant**2 == pytest.approx(0.01, rel=0.05)
    assert seen == 15


@pytest.mark.shared
def test_values_are_those_of_the_facts(shared: Path) -> None:
    import yaml

    facts: dict[str, Any] = yaml.safe_load((shared / "facts" / "parts.yaml").read_text("utf-8"))
    parts = load_catalog().parts
    families = facts["actuators"]["families"]
    for type_, (mass, speed, effort) in facts["actuators"]["types"].items():
        part, family = parts["actuator"][type_], families[type_.split("-")[0]]
        assert isinstance(part, ActuatorPart)
        assert (part.mass, part.max_speed, part.max_effort) == (mass, speed, effort)
        assert part.com == tuple(family["com"])
        assert part.output_z == family["output_z"]
        assert part.since == family["since"]
        assert part.interface_in == f"{family['interface']}-AH-A"
        assert part.interface_out == f"{family['interface']}-AO-A"
        if family["inertia"]:
            assert part.inertia == tuple(family["inertia"])
    for type_, fact in facts["links"].items():
        if type_ == "geometry":
            continue
        link, extra = parts["link"][type_], fact["extra"]
        assert isinstance(link, LinkPart)
        assert (link.base_mass, link.mass_per_length) == (fact["m0"], fact["k"])
        assert (link.half_height, link.since) == (fact["h"], fact["since"])
        expected = (extra["inline_input"], extra.get("inline_output"), extra.get("both"))
        assert link.extra_masses == expected
        ends = [f"{fact['interface'][0]}-AO-B", f"{fact['interface'][1]}-AH-B"]
        assert [link.interface_in, link.interface_out] == ends
    for type_, (mass, com, output) in facts["brackets"].items():
        bracket = parts["bracket"][type_]
        assert isinstance(bracket, BracketPart)
        assert (bracket.mass, bracket.com) == (mass, tuple(com))
        assert bracket.output.translation == tuple(output)
        quarter = -1.0 if "Left" in type_ else 1.0
        assert bracket.output.rotation == (1, 0, 0, 0, 0, -quarter, 0, quarter, 0)
    for type_, fact in facts["end_effectors"].items():
        end = parts["end-effector"][type_]
        assert isinstance(end, EndEffectorPart)
        assert (end.mass, end.com) == (fact["mass"], tuple(fact["com"]))
        assert end.output.translation == tuple(fact["output_xyz"])


def test_types_are_found_in_any_case() -> None:
    catalog = load_catalog()
    part = catalog.find("actuator", "r25-40")
    assert part is not None
    assert part.type == "R25-40"
    assert catalog.find("actuator", "R25-41") is None
    assert catalog.find("link", "X5-1") is None


def test_own_parts_add_to_the_built_in_ones(own: Path) -> None:
    d = parse(ROBOT, catalog=own)
    actuator, beam, _, wedge, _, hook = d.elements
    assert actuator.mass == 0.6  # type: ignore[union-attr]
    part = actuator.part  # type: ignore[union-attr]
    assert isinstance(part, ActuatorPart)
    assert (part.family, part.since) == ("X8", "1.2.0")
    assert part.source == "our own bench; weighed"  # of the file, and of the family
    assert part.max_speed == 2 * math.pi
    assert (part.continuous_effort, part.damping) == (None, None)
    assert beam.mass == pytest.approx(0.3)  # type: ignore[union-attr]
    assert beam.part.source == "our own bench"  # type: ignore[union-attr]
    assert wedge.output_poses[0].rotation[2] == pytest.approx(math.sqrt(0.5))
    assert hook.interface_in is None
    assert write(d) == write(parse(write(d), catalog=own))
    assert parse(write(d), catalog=own) == d


def test_own_parts_are_known_only_with_their_catalog(own: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownPartError, match="unknown actuator type 'X8-25'"):
        parse(ROBOT)
    file = tmp_path / "a.hrdf"
    file.write_text(ROBOT)
    assert len(read(file, catalog=own).elements) == 6
    assert check(file, catalog=own) == ()
    assert len(check(file)) == 4
    assert "X8-25" not in load_catalog().types("actuator")
    assert "link Beam" in load_catalog(own).fitting("X-AO-A")


def test_versions_of_own_parts_count(own: Path) -> None:
    with pytest.raises(HrdfError, match=r"actuator type 'X8-25' is new in version 1.2.0"):
        parse(text_of('<actuator type="X8-25"/>', "1.1.0"), catalog=own)


def test_styles_without_a_mass_do_not_exist(own: Path) -> None:
    with pytest.raises(HrdfError, match="link Beam has no Inline input with RightAngle output"):
        parse(text_of('<link type="Beam" extension="1" twist="0" input="Inline"/>'), catalog=own)


def test_all_problems_of_a_catalog_come_at_once(tmp_path: Path) -> None:
    text = OWN.replace("mass_kg: 0.6, ", "mass_kg: -1, color: red, ").replace(
        "half_height_m: 0.02", "half_heigth_m: 0.02"
    )
    text = (
        text.replace("[0, 0, 0.01]", "[0, 0]")
        .replace("Ry(pi/4)", "Ry(pi/4")
        .replace(
            "interface_in: X-AO-B\n    interface_out: X-AH-B\n    mass", "interface_in: X\n    mass"
        )
    )
    assert problems_of(tmp_path, text) == [
        "13, actuators/X8/types/X8-25, mass_kg: -1.0 must be greater than 0",
        "13, actuators/X8/types/X8-25, color: unknown key 'color'. Known: mass_kg, "
        "max_speed_rad_per_s, max_effort_N_m, continuous_effort_N_m, gear_reduction.",
        "20, links/Beam, half_heigth_m: unknown key 'half_heigth_m'. Known: since, source, "
        "interface_in, interface_out, base_mass_kg, mass_per_length_kg_per_m, half_height_m, "
        "inline_input_kg, inline_output_kg, inline_both_kg. Did you mean 'half_height_m'?",
        "16, links/Beam, half_height_m: missing; link 'Beam' needs it",
        "23, brackets/Wedge, interface_in: 'X' is not an interface; expected a name that ends in "
        "-A or -B, such as X-AO-A",
        "25, brackets/Wedge, com_m: expected a list of 3 numbers, such as [0.1, 0.1, 0.1]",
        "27, brackets/Wedge, output_turn: 'Ry(pi/4' is not a rotation: it ends where ')' was "
        "expected",
        "23, brackets/Wedge, interface_out: missing; bracket 'Wedge' needs it",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty; expected sections such as actuators"),
        ("# nothing\n", "empty; expected sections"),
        ("[1, 2]", "a catalog must be a mapping of keys"),
        ("links: 3", "the section links must be a mapping of keys"),
        ("a: b: c", "not well-formed YAML: mapping values are not allowed"),
        ("a: [1", "not well-formed YAML"),
        ("a: \x07", "not well-formed YAML"),
        (b"a: \xff\xfe", "not well-formed YAML"),
        ("a: &x 1\nb: *x", "anchors .* are refused"),
        ("[" * 3000 + "]" * 3000, "nested deeper than the limit of 10"),
        ("link: {}", "unknown section 'link'.*Did you mean 'links'"),
        ("? [1]\n: 2", "a key must be a plain word"),
        ("source: [1]", "source: expected a text"),
        ("links: {}\nlinks: {}", r"key 'links' is given twice \(first in line 1\)"),
        ("links:\n  A: {}\n  A: {}", "key 'A' is given twice"),
        ("links: {A: {base_mass_kg: x}}", "base_mass_kg: expected a number: 'x' is not a formula"),
        ("links: {A: {base_mass_kg: 0}}", "base_mass_kg: 0.0 must be greater than 0"),
        ("links: {A: {half_height_m: -1}}", "half_height_m: -1.0 must not be negative"),
        ("links: {A: {since: 1.7.0}}", "since: unknown version '1.7.0'"),
        ("links: {A: {since: [1]}}", "since: expected a text"),
        ("actuators: {A: {inertia_kg_m2: [1, 2, -1, 0, 0, 0]}}", "izz must not be negative"),
        ("actuators: {A: {inertia_box_m: [1, 2, 0]}}", "must be greater than 0"),
        ("actuators: {A: {types: 3}}", "missing; actuator family 'A' needs it"),
    ],
)
def test_what_is_no_catalog(tmp_path: Path, text: str | bytes, message: str) -> None:
    found = problems_of(tmp_path, text)
    assert any(re.search(message, problem) for problem in found), found


def test_types_that_are_taken_or_badly_named(tmp_path: Path) -> None:
    for name, message in {
        "X5LightLeft": "bracket 'X5LightLeft' is in the catalog already. Give yours another name",
        "x5lightLEFT": "bracket 'x5lightLEFT' is in the catalog already",
        "a b": "'a b' is not a type name: letters, digits and . _ + - are allowed",
        '"<"': "'<' is not a type name",
    }.items():
        (problem,) = problems_of(tmp_path, OWN.replace("Wedge", name))
        assert message in problem
    for old, new in (("Beam:", "X5:"), ("X8-25", "X8-9"), ("Hook", "Custom")):
        (problem,) = problems_of(tmp_path, OWN.replace(old, new))
        assert "is in the catalog already" in problem


def test_an_inertia_is_known_or_estimated(tmp_path: Path) -> None:
    both = OWN.replace(
        "    inertia_box_m", "    inertia_kg_m2: [1, 1, 1, 0, 0, 0]\n    inertia_box_m"
    )
    for text in (both, OWN.replace("    inertia_box_m: [0.1, 0.07, 0.04]\n", "")):
        (problem,) = problems_of(tmp_path, text)
        assert "exactly one of inertia_kg_m2 (known) and inertia_box_m (estimate)" in problem


def test_a_catalog_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path, Path("a\0b")):
        with pytest.raises(HrdfError, match="the catalog cannot be read"):
            parse(text_of(""), catalog=path)
    with pytest.raises(TypeError, match="catalog: expected the path of a file, got int"):
        load_catalog(0)  # type: ignore[arg-type]  # not what stands on standard input
    big = tmp_path / "big.yaml"
    big.write_bytes(b"#" * (MAX_YAML_BYTES + 1))
    with pytest.raises(HrdfSyntaxError, match=f"limit of {MAX_YAML_BYTES} bytes"):
        load_catalog(big)


def test_a_catalog_with_very_many_problems(tmp_path: Path) -> None:
    types = "".join(f"      Y-{n}: {{mass_kg: -1}}\n" for n in range(100))
    text = OWN.replace(
        "      X8-25: {mass_kg: 0.6, max_speed_rad_per_s: 2*pi, max_effort_N_m: 50}\n", types
    )
    found = problems_of(tmp_path, text)
    assert len(found) == 201
    assert "and 100 more errors" in found[-1]


def test_rotors_of_own_actuators(tmp_path: Path) -> None:
    inertia = "    rotor_inertia_kg_m2: 2.0e-7\n    types:"
    text = OWN.replace("    types:", inertia, 1)
    missing = "14, actuators/X8/types/X8-25, gear_reduction: missing; with the rotor inertia"
    assert problems_of(tmp_path, text)[0].startswith(missing)
    whole = text.replace("{mass_kg: 0.6, ", "{mass_kg: 0.6, gear_reduction: 100, ")
    file = tmp_path / "whole.yaml"
    file.write_text(whole)
    part = load_catalog(file).find("actuator", "X8-25")
    assert isinstance(part, ActuatorPart)
    assert part.rotor_inertia == pytest.approx(2.0e-3, rel=1e-12)
    assert not part.rotor_inertia_estimated
    twice = whole.replace(inertia, "    rotor_inertia_estimate_kg_m2: 1.0e-7\n" + inertia)
    assert "exclude each other" in problems_of(tmp_path, twice)[0]


def test_numbers_of_parts_are_bounded_as_those_of_robots(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path, OWN.replace("mass_kg: 0.6", "mass_kg: 1e51"))
    assert "mass_kg: 1e+51 is beyond the limit of 1e+50, in SI units" in problem
    text = OWN.replace("[0.1, 0.07, 0.04]", "[1e30, 0.07, 0.04]")
    (problem,) = problems_of(tmp_path, text)
    assert "types/X8-25: its numbers give an inertia beyond the limit of 1e+50 kg m^2" in problem
    text = OWN.replace("    types:", "    rotor_inertia_kg_m2: 1e49\n    types:", 1)
    text = text.replace("{mass_kg: 0.6, ", "{mass_kg: 0.6, gear_reduction: 100, ")
    (problem,) = problems_of(tmp_path, text)
    assert "its numbers give an inertia beyond the limit" in problem
