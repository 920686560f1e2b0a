"""Writing: parse(write(d)) == d, canonical text, versions, files whole or untouched."""

from pathlib import Path

import pytest
from hypothesis import given

from armwright.hrdf import (
    RobotDescription,
    parse,
    read,
    write,
)
from tests.strategies import descriptions


@given(descriptions())
def test_random_robots_come_back_equal(d: RobotDescription) -> None:
    assert parse(write(d)) == d


@given(descriptions())
def test_the_lowest_version_that_is_chosen_holds_the_robot(d: RobotDescription) -> None:
    text = write(d, version="lowest")
    back = parse(text)
    assert back == d
    assert back.version <= "1.6.0"


@given(descriptions())
def test_writing_is_canonical(d: RobotDescription) -> None:
    text = write(d)
    assert write(parse(text)) == text


@pytest.mark.shared
def test_every_corpus_file_comes_back_equal(corpus: list[Path]) -> None:
    for path in corpus:
        d = read(path)
        assert parse(write(d)) == d, path
        assert parse(write(d, version="lowest")) == d, path
