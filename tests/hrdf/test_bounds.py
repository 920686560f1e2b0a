"""Time and memory stay in bounds: large files are read, larger ones are refused quickly."""

import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from armwright import ArmBuilder, RobotModel
from armwright.errors import HrdfError, HrdfSyntaxError
from armwright.hrdf import parse, read, walk, write
from armwright.hrdf.limits import MAX_ATTRIBUTE_LENGTH, MAX_ELEMENTS, MAX_OUTPUT_DEPTH
from tests.hrdf.conftest import Errors, text_of

_REFUSALS = r"limit|not well-formed|is not|unknown|between|does not fit|too deeply"


def test_the_largest_robot_is_read_and_written() -> None:
    text = text_of(
        '<joint axis="rz"/><rigid-body mass="1" output_rot="Rx(pi/3)"/>' * (MAX_ELEMENTS // 2 - 1)
    )
    start = time.process_time()
    d = parse(text)
    assert time.process_time() - start < 10  # about half a second on an idle machine
    assert len(d.elements) == MAX_ELEMENTS - 2
    assert parse(write(d)) == d


def test_memory_grows_with_the_file_alone() -> None:
    text = text_of('<joint axis="rz"/><rigid-body mass="1" output_rot="Rx(pi/3)"/>' * 500)
    parse(text)
    tracemalloc.start()
    parse(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4e6  # bytes; about 2 kB for each element


def test_outputs_count_as_elements() -> None:
    body = f'<rigid-body mass="1">{"<output/>" * (MAX_ELEMENTS - 2)}</rigid-body>'
    assert len(parse(text_of(body)).elements[0].output_poses) == MAX_ELEMENTS - 2


def test_the_deepest_robot_can_be_used() -> None:
    head, tail = '<rigid-body mass="0"><output>', "</output></rigid-body>"
    d = parse(text_of(head * MAX_OUTPUT_DEPTH + '<joint axis="rz"/>' + tail * MAX_OUTPUT_DEPTH))
    assert len(list(walk(d))) == MAX_OUTPUT_DEPTH + 1
    assert parse(write(d)) == d
    assert hash(d) == hash(parse(write(d)))
    deeper = MAX_OUTPUT_DEPTH + 1
    with pytest.raises(HrdfSyntaxError, match=f"deeper than the limit of {MAX_OUTPUT_DEPTH}"):
        parse(text_of(head * deeper + tail * deeper))


@pytest.mark.parametrize(
    "text",
    [
        "<robot " + "a" * 3_000_000,
        "<robot>" + "<" * 3_000_000,
        "<!--" + "-" * 3_000_000,
        "<robot>" + "&#120;" * 500_000 + "</robot>",
        text_of("x " * 1_500_000),
        text_of("\n" * 3_000_000 + "x"),
        text_of(f'<rigid-body mass="{"(" * MAX_ATTRIBUTE_LENGTH}"/>'),
        text_of(f'<rigid-body mass="{"1+" * (MAX_ATTRIBUTE_LENGTH // 2)}"/>'),
        text_of(f'<rigid-body mass="1" output_trans="{"1 " * (MAX_ATTRIBUTE_LENGTH // 2)}"/>'),
        text_of(f'<rigid-body mass="1" output_rot="{"Rx(1)*" * (MAX_ATTRIBUTE_LENGTH // 6)}"/>'),
        text_of(f'<actuator type="{"X" * MAX_ATTRIBUTE_LENGTH}"/>'),
        text_of("".join(f'<joint axis="rz" a{n}="1"/>' for n in range(9000))),
        text_of('<joint axis="rz" ' + " ".join(f'a{n}="1"' for n in range(20_000)) + "/>"),
        text_of('<link type="X5" extension="1" twist="0"/>' * 9000),
    ],
    ids=range(14),
)
def test_hostile_files_are_refused_in_time(text: str) -> None:
    start = time.process_time()
    with pytest.raises(ValueError, match=_REFUSALS):
        parse(text)
    assert time.process_time() - start < 10


@pytest.mark.shared
def test_reading_an_arm_takes_a_few_milliseconds(shared: Path) -> None:
    file = shared / "corpus" / "arms" / "config" / "hrdf" / "A-2085-06.hrdf"
    read(file)
    best = min(_seconds(file) for _ in range(20))
    assert best < 0.02  # about 0.0007 on an idle machine


def _seconds(file: Path) -> float:
    start = time.process_time()
    read(file)
    return time.process_time() - start


def test_the_largest_numbers_make_models_that_compute() -> None:
    # Every number at its limit: one over the gear ratio, lengths, masses, inertias, the base.
    six = " ".join(f'{name}="1e50"' for name in ("ixx", "iyy", "izz"))
    body = f'<rigid-body mass="1e50" com_trans="1e50 0 0" output_trans="1e50 1e50 0" {six}/>'
    joint = '<joint axis="rz" gear_ratio="1e-50"/>'
    model = RobotModel(
        parse(text_of(3 * (joint + body) + "<end-effector/>", attributes='trans="0 0 1e50"'))
    )
    q = np.array([0.1, 0.2, 0.3])
    for result in (
        model.forward_kinematics("output", q),
        model.jacobians("com", q),
        model.gravity_efforts(q),
        model.mass_matrix(q),
    ):
        assert np.isfinite(result).all()


def test_the_base_has_its_limits_too(errors: Errors) -> None:
    (problem,) = errors("", attributes='trans="0 0 1e51"')
    assert (problem.element, problem.attribute) == ("robot", "trans")
    with pytest.raises(HrdfError, match=r"robot, base_frame: .* is beyond the limit"):
        ArmBuilder(base_frame=[0, 0, 1e51])
