"""HEBI's library as an independent oracle: counts, masses, com frames, and what it refuses."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from armwright import RobotModel
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
        '<actuator type="X5-1" color="red"/>',
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


URL = '<robot version="1.3.0"><rigid-body mass="1" mesh_path="https://a.b/c.obj"/></robot>'
LATE = '\n<!-- x -->\n<?xml version="1.0"?>\n<robot version="1.6.0"><rigid-body mass="1"/></robot>'


@pytest.mark.parametrize("text", [URL, LATE])
def test_what_both_take_we_doubt(hebi: Any, text: str) -> None:
    d = parse(text)
    agree(d, import_text(hebi, text))
    assert len(d.warnings) == 1


def test_signs_behind_a_product(hebi: Any) -> None:
    text = text_of('<rigid-body mass="1" output_rot="Rz(5*-pi/6)"/>')
    with pytest.raises(RuntimeError, match="output_rot"):
        import_text(hebi, text)
    (pose,) = parse(text).elements[0].output_poses
    turned = parse(text_of('<rigid-body mass="1" output_rot="Rz(-5*pi/6)"/>'))
    np.testing.assert_allclose(pose.matrix(), turned.elements[0].output_poses[0].matrix())


def test_misfits_before_1_2(hebi: Any) -> None:
    text = text_of('<actuator type="X5-1"/><actuator type="X5-1"/>', "1.1.0")
    with pytest.raises(RuntimeError, match="Unable to add actuator"):
        import_text(hebi, text)
    assert len(parse(text).warnings) == 1


def test_formulas_before_1_1(hebi: Any) -> None:
    text = text_of('<rigid-body mass="1+2"/>', "1.0.0")
    assert import_text(hebi, text).masses[0] == pytest.approx(1.0)  # cut in silence
    assert parse(text).elements[0].mass == 3.0  # type: ignore[union-attr]
    turned = text_of('<rigid-body mass="1" output_rot="Rx(1)"/>', "1.0.0")
    with pytest.raises(HrdfError, match=r"a rotation formula is new in version 1\.1\.0"):
        parse(turned)


def test_payloads_of_trees(hebi: Any) -> None:
    hand = '<rigid-body mass="0.1"/><end-effector/>'
    text = text_of(
        '<rigid-body mass="1"><output trans="0 0.1 0"><joint axis="ry"/>'
        f'<rigid-body mass="1" output_trans="0.5 0 0"/>{hand}</output>'
        f'<output trans="0 -0.1 0"><joint axis="ry"/>{hand}</output></rigid-body>'
    )
    ours, theirs = RobotModel(parse(text)), import_text(hebi, text)
    q, down = np.zeros(2), np.array([0.0, 0.0, -9.81])
    bare = ours.gravity_efforts(q)
    np.testing.assert_allclose(bare, theirs.get_grav_comp_efforts(q, down), atol=1e-5)
    more = ours.with_payload(2.0, index=0).gravity_efforts(q) - bare
    np.testing.assert_allclose(more, [-2.0 * 9.81 * 0.5, 0.0], atol=1e-12)
    theirs.set_payload(index=0, mass=2.0)
    wrong = theirs.get_grav_comp_efforts(q, down) - bare
    np.testing.assert_allclose(wrong, [0.0, -2.0 * 9.81 * 0.5], atol=1e-5)  # of the other joint


def test_mesh_frames_of_actuators() -> None:
    text = text_of('<actuator type="X8-9"/>')  # theirs are numbers that nobody wrote
    np.testing.assert_allclose(
        RobotModel(parse(text)).forward_kinematics("mesh", [0.0]), [np.eye(4)]
    )


def test_roots_that_hebis_library_takes_wrongly(hebi: Any) -> None:
    for text in ('<arm version="1.6.0"/>', '<robot version="1.7.0"/>'):
        assert import_text(hebi, text) is not None
        with pytest.raises(HrdfError, match=re.compile("root element|unknown version")):
            parse(text)
