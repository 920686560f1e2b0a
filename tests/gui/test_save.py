"""Saving: by suffix, whole or not at all."""

import os
from pathlib import Path
from typing import Any

import pytest

from armwright import gui
from armwright.errors import DrawingError
from armwright.gui.save import picture_format
from tests.gui.robots import arm

HEADS = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}


@pytest.fixture(scope="module")
def axes() -> Any:
    return gui.plot_model(arm("three_dof"), [0.3, 1.0, 1.8], size=(3, 2.5))


@pytest.mark.parametrize("kind", HEADS)
def test_each_format_is_what_its_suffix_says(axes: Any, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"arm.{kind.upper()}"
    assert gui.save_picture(axes, str(path), dpi=60) == path
    assert path.read_bytes().startswith(HEADS[kind])
    assert os.listdir(tmp_path) == [path.name]  # nothing is left beside it


def test_the_same_picture_has_the_same_bytes(axes: Any, tmp_path: Path) -> None:
    for kind in ("png", "pdf"):
        one, two = (
            gui.save_picture(axes.figure, tmp_path / f"{i}.{kind}").read_bytes() for i in "ab"
        )
        assert one == two


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("arm.pgn", r"suffix '.pgn'.*Known: .png, .pdf, .svg. Did you mean '.png'\?"),
        ("arm", "no suffix, expected the name of a picture"),
        ("missing/arm.png", "there is no folder .*missing"),
    ],
)
def test_a_name_that_does_not_do_is_an_error(
    axes: Any, tmp_path: Path, name: str, text: str
) -> None:
    with pytest.raises(DrawingError, match=text):
        gui.save_picture(axes, tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_the_name_can_be_checked_beforehand() -> None:
    assert picture_format("arm.SVG") == "svg"
    with pytest.raises(DrawingError, match="Known"):
        picture_format("arm.jpg")


def test_an_old_picture_survives_a_failure(axes: Any, tmp_path: Path) -> None:
    path = tmp_path / "arm.png"
    path.write_bytes(b"old")

    class Broken:
        def savefig(self, *_: Any, **__: Any) -> None:
            raise OSError(28, "No space left on device")

    with pytest.raises(DrawingError, match="No space left"):
        gui.save_picture(Broken(), path)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["arm.png"]


def test_a_folder_in_the_place_of_the_file_is_an_error(axes: Any, tmp_path: Path) -> None:
    (tmp_path / "arm.png").mkdir()
    with pytest.raises(DrawingError, match="cannot be written: it is a folder"):
        gui.save_picture(axes, tmp_path / "arm.png", dpi=40)
    assert os.listdir(tmp_path) == ["arm.png"]
