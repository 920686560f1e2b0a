"""``armwright plot``."""

from pathlib import Path

import pytest

from tests.cli.running import Cli, Hrdf

PNG = b"\x89PNG\r\n\x1a\n"


def test_picture(cli: Cli, six: Path, tmp_path: Path) -> None:
    picture = tmp_path / "my pictures" / "arm one.png"
    picture.parent.mkdir()
    outcome = cli("plot", six, "--q", "0,60deg,-90deg,0,0,0", "--output", picture)
    assert outcome.code == 0
    assert outcome.out == f"picture   {picture}\n"
    assert outcome.err == ""
    first = picture.read_bytes()
    assert first.startswith(PNG)
    assert len(first) > 10_000
    outcome = cli("plot", six, "--output", picture, "--json")
    assert outcome.json == {"q": [0.0] * 6, "view": "iso", "plot": str(picture)}
    assert picture.read_bytes() != first  # another pose, the old picture is replaced
    assert [path.name for path in picture.parent.iterdir()] == ["arm one.png"]


def test_views(cli: Cli, six: Path, tmp_path: Path) -> None:
    pictures = []
    for view in ("iso", "Top", "-20deg,60deg"):
        picture = tmp_path / "view.png"
        assert cli("plot", six, "--view", view, "--output", picture).code == 0
        pictures.append(picture.read_bytes())
    assert len(set(pictures)) == 3


def test_other_formats_and_arms_without_joints(cli: Cli, hrdf: Hrdf, tmp_path: Path) -> None:
    still = hrdf('<rigid-body mass="1" output_trans="0 0 1"/><end-effector/>')
    assert cli("plot", still, "--output", tmp_path / "a.pdf").code == 0
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--output", "missing/a.png"), "missing"),
        (("--output", "a.doc"), "doc"),
        (("--output", "folder"), "folder"),
        (("--output", "a.png", "--view", "behind"), "behind"),
        (("--output", "a.png", "--view", "20,-60"), "--view, entry 1: 20 without a unit"),
        (("--output", "a.png", "--view", "10deg"), "expected elevation,azimuth, got 1 values"),
        (("--output", "a.png", "--q", "0"), "--q: expected 6, got 1 values"),
        ((), "Missing option '--output'"),
    ],
)
def test_what_is_refused(
    cli: Cli,
    six: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    outcome = cli("plot", six, *arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
