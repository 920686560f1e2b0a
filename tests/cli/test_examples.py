"""``armwright.examples``: the arms come with the package, from one folder."""

from pathlib import Path

import pytest

import armwright as aw
from armwright import examples
from armwright.errors import ModelError
from tests.cli.running import ARMS, Cli


def test_every_arm_has_a_path_and_loads() -> None:
    assert set(examples.names()) == {file.stem for file in ARMS.glob("*.hrdf")}
    for name in examples.names():
        assert aw.load(examples.path(name)).dof > 0


def test_it_is_the_folder_that_the_readme_names(cli: Cli) -> None:
    assert aw.examples.path("six_dof").samefile(ARMS / "six_dof.hrdf")
    assert aw.examples.path("six_dof.cfg.yaml").samefile(ARMS / "six_dof.cfg.yaml")
    assert cli("check", aw.examples.path("six_dof")).code == 0


@pytest.mark.parametrize("name", ["six_dog", "", 6, "../six_dof", str(Path("arms") / "six_dof")])
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(
        ModelError, match=r"examples: (there is no arm .*Known: .*six_dof|expected the name)"
    ):
        aw.examples.path(name)
    if name == "six_dog":
        with pytest.raises(ModelError, match="Did you mean 'six_dof'"):
            aw.examples.path(name)


def test_no_folder_is_an_error_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examples, "_FOLDERS", (tmp_path / "a", tmp_path / "b"))
    with pytest.raises(ModelError, match=r"no arms at .*installed without its data"):
        examples.names()
