"""Neighbors must have interfaces of the same type and opposite polarity."""

import itertools

import pytest

from armwright.errors import InterfaceMismatchError
from armwright.hrdf import load_catalog, parse
from armwright.hrdf.elements.parts import interfaces_fit
from tests.hrdf.conftest import Errors, Robot, text_of


def element(kind: str, type_: str) -> str:
    more = ' extension="0.1" twist="0"' if kind == "link" else ""
    return f'<{kind} type="{type_}"{more}/>'


# One of each interface; what fits what is written out, not computed.
OUTPUTS = {
    "X-AO-A": element("actuator", "X8-9"),
    "R8-AO-A": element("actuator", "T5-1"),
    "R25-AO-A": element("actuator", "T25-8"),
    "X-AH-B": element("bracket", "X5LightLeft"),
    "R8-AH-B": element("link", "R25-R8"),
    "R25-AH-B": element("link", "R25"),
}
INPUTS = {
    "X-AO-B": element("link", "X5"),
    "R8-AO-B": element("end-effector", "R8Parallel"),
    "R25-AO-B": element("link", "R25-R8"),
    "X-AH-A": element("actuator", "X5-4"),
    "R8-AH-A": element("actuator", "R8-9"),
    "R25-AH-A": element("actuator", "R25-40"),
}
FITS = {
    ("X-AO-A", "X-AO-B"),
    ("R8-AO-A", "R8-AO-B"),
    ("R25-AO-A", "R25-AO-B"),
    ("X-AH-B", "X-AH-A"),
    ("R8-AH-B", "R8-AH-A"),
    ("R25-AH-B", "R25-AH-A"),
}


@pytest.mark.parametrize(("output", "input"), list(itertools.product(OUTPUTS, INPUTS)))
def test_every_pair(output: str, input: str) -> None:
    assert interfaces_fit(output, input) == ((output, input) in FITS)
    text = text_of(OUTPUTS[output] + INPUTS[input])
    if (output, input) in FITS:
        assert parse(text).warnings == ()
        return
    with pytest.raises(
        InterfaceMismatchError, match=rf"\(input {input}\) does not fit on .*"
    ) as info:
        parse(text)
    (problem,) = info.value.problems
    assert f"(output {output})" in problem.message
    assert "end-effector Custom" in problem.message


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize(
    "universal", ['<rigid-body mass="1"/>', '<joint axis="rz"/>', "<end-effector/>"]
)
def test_bodies_joints_and_custom_end_effectors_fit_anything(
    robot: Robot, output: str, universal: str
) -> None:
    robot(OUTPUTS[output] + universal)
    if "end" not in universal:
        robot(universal + OUTPUTS[output])


@pytest.mark.parametrize("first", [*OUTPUTS.values(), *INPUTS.values()])
def test_the_first_element_may_be_anything(robot: Robot, first: str) -> None:
    assert len(robot(first).elements) == 1


def test_a_misfit_names_both_parts_and_what_fits(errors: Errors) -> None:
    (problem,) = errors('<actuator type="X5-4"/>\n<link type="R8" extension="1" twist="0"/>')
    assert problem.message == (
        "link 'R8' (input R8-AO-B) does not fit on actuator 'X5-4' (output X-AO-A). On X-AO-A fit: "
        "link X5, bracket X5LightLeft, bracket X5LightRight, bracket X5HeavyLeftInside, bracket "
        "X5HeavyLeftOutside, bracket X5HeavyRightInside, bracket X5HeavyRightOutside, end-effector "
        "X5Parallel, rigid-body, joint, end-effector Custom."
    )
    assert (problem.element, problem.line) == ("robot/link[1]", 2)


def test_outputs_of_a_bracket_are_checked(errors: Errors, robot: Robot) -> None:
    (problem,) = errors(
        '<bracket type="X5LightLeft"><output><bracket type="X5LightLeft"/></output></bracket>'
    )
    assert problem.element == "robot/bracket[1]/output[1]/bracket[1]"
    robot('<rigid-body mass="1"><output><actuator type="R8-9"/></output></rigid-body>')


@pytest.mark.parametrize("version", ["1.0.0", "1.1.0"])
def test_before_1_2_a_misfit_is_a_warning(robot: Robot, version: str) -> None:
    d = robot('<actuator type="X5-1"/>\n<actuator type="X5-4"/>', version)
    (warning,) = d.warnings
    assert "does not fit on actuator 'X5-1'" in warning.message
    assert "Files before 1.2.0 may say so" in warning.message


def test_what_fits_comes_from_the_catalog() -> None:
    fitting = load_catalog().fitting("R8-AH-B")
    assert fitting == tuple(
        f"actuator {t}"
        for t in ("R8-3", "R8-9", "R8-16", "T5-1", "T5-4", "T5-9", "T8-3", "T8-9", "T8-16")
    )
