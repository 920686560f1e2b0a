"""HEBI's library as an independent oracle: counts, masses, com frames, and what it refuses."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from armwright.errors import HrdfError
from armwright.hrdf import RobotDescription, parse, read, walk, write
from tests.hrdf.conftest import text_of
from tests.strategies import descriptions

pytestmark = pytest.mark.hebi


@pytest.fixture(scope="module")
def hebi() -> Any:
    return pytest.importorskip("hebi")


def import_text(hebi: Any, text: str) -> Any:
    return hebi.robot_model.import_from_hrdf_string(text, lambda _warning: None)


def agree(d: RobotDescription, model: Any) -> None:
    elements = [placed.element for placed in walk(d)]
    assert model.element_count == len(elements)
    moving = [e for e in elements if e.kind in ("actuator", "joint")]
    assert model.dof_count == len(moving)
    massive = [e for e in elements if e.kind != "joint"]
    masses = [e.mass for e in massive]  # type: ignore[union-attr]
    np.testing.assert_allclose(model.masses, masses, rtol=0, atol=1e-6)
    outputs = sum(len(e.output_poses) for e in elements)
    zero = np.zeros(len(moving))
    assert len(model.get_forward_kinematics("output", zero)) == outputs


@pytest.mark.shared
def test_counts_and_masses_of_the_corpus(hebi: Any, corpus: list[Path]) -> None:
    for path in corpus:
        agree(read(path), hebi.robot_model.import_from_hrdf(str(path), lambda _warning: None))


@given(descriptions(oracle=True))
def test_counts_and_masses_of_random_robots(hebi: Any, d: RobotDescription) -> None:
    agree(d, import_text(hebi, write(d)))


@pytest.mark.parametrize(
    "content",
    [
        '<actuator type="X5-99"/>',
        '<actuator type="X5-1"/><actuator type="X5-1"/>',
        '<Actuator type="X5-1"/>',
        '<actuator type="X5-1" mass="1" mass_offset="1"/>',
        '<actuator type="X5-1" colour="red"/>',
        '<link type="X5" extension="1"/>',
        '<link type="R25-R8" extension="1" twist="0" output="Inline"/>',
        '<bracket type="X5LightLeft"><output/><output/></bracket>',
        '<rigid-body mass="1"><output/></rigid-body><joint axis="rz"/>',
        '<rigid-body mass="1" mesh_rot="Rx(1)"/>',
        '<rigid-body mass="1" mesh_path="/a.stl"/>',
        '<rigid-body mass="2 pi"/>',
        '<rigid-body mass="PI"/>',
        '<rigid-body mass="1e"/>',
        '<rigid-body mass="0,9"/>',
        '<rigid-body mass="1" output_rot="1 0 0 0 1 0 0 0 1.00001"/>',
        '<rigid-body mass="1" output_rot="Rx(1) Ry(1)"/>',
        '<rigid-body mass="1" output_rot="Rx(1)*"/>',
        '<joint axis="+rz"/>',
        '<joint axis="rz" tag="a"/><joint axis="rz" tag="a"/>',
        "<end-effector/><end-effector/>",
        "hello",
    ],
)
def test_what_hebis_library_refuses_is_refused(hebi: Any, content: str) -> None:
    with pytest.raises(RuntimeError):
        import_text(hebi, text_of(content))
    with pytest.raises(HrdfError):
        parse(text_of(content))


@pytest.mark.parametrize(
    "content",
    [
        '<rigid-body mass="1" output_rot="1 0 0 0 1 0 0 0 1.000004"/>',
        '<rigid-body mass="1" mesh_path="" mesh_rot="Rx(1)"/>',
        '<rigid-body mass="1--1"/>',
        '<rigid-body mass=" ( 1. ) * .5 "/>',
        '<joint axis="RZ"/><end-effector type="custom"/>',
        '<joint axis="rz" gear_ratio="-2"/>',
        '<actuator type="X5-1" tag=""/>',
        '<rigid-body mass="1" output_trans="+1 -0 1e-3"/>',
    ],
)
def test_what_hebis_library_takes_is_taken(hebi: Any, content: str) -> None:
    model = import_text(hebi, text_of(content))
    agree(parse(text_of(content)), model)


@pytest.mark.parametrize(
    ("content", "ours"),
    # Where the library is looser or wrong, and our rule; that it still is so is tested too.
    [
        ('<rigid-body mass="1" output_trans="0.1+0.2 0 0"/>', r"'0.1\+0.2' at column 1"),
        ('<rigid-body mass="1" output_trans="1 2 3abc"/>', "'3abc' at column 5"),
        ('<rigid-body mass="1" output_trans="0.1, 0, 0"/>', "'0.1,' at column 1"),
        ('<rigid-body mass="1/0"/>', "not finite"),
        ('<rigid-body mass="1e400"/>', "not finite"),
        ('<rigid-body mass="-1"/>', "negative mass"),
        ('<rigid-body mass="0x10"/>', "decimal"),
        ('<actuator type="X5-1" mass_offset="-5"/>', "negative mass"),
        ('<joint axis="rz" gear_ratio="0"/>', "gear ratio of 0"),
        ('<link type="X5" extension="-1" twist="0"/>', "negative extension"),
    ],
)
def test_what_hebis_library_takes_wrongly_is_refused(hebi: Any, content: str, ours: str) -> None:
    assert import_text(hebi, text_of(content)) is not None
    with pytest.raises(HrdfError, match=ours):
        parse(text_of(content))


@pytest.mark.parametrize(
    "content",
    [
        '<rigid-body mass="+1"/>',
        '<rigid-body mass="1" output_rot="Rx(pi)"><output/></rigid-body>',
    ],
)
def test_what_hebis_library_refuses_wrongly_is_taken(hebi: Any, content: str) -> None:
    with pytest.raises(RuntimeError):
        import_text(hebi, text_of(content))
    parse(text_of(content))


def test_roots_that_hebis_library_takes_wrongly(hebi: Any) -> None:
    for text in ('<arm version="1.6.0"/>', '<robot version="1.7.0"/>'):
        assert import_text(hebi, text) is not None
        with pytest.raises(HrdfError, match=re.compile("root element|unknown version")):
            parse(text)
