"""The registry of functions that stand higher up than those who call them."""

from importlib import import_module

import pytest

from armwright import hooks
from armwright.errors import BackendUnavailableError
from tests.project.sources import output_of


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks, "_registered", {})
    monkeypatch.setattr(hooks, "HOMES", {"there": "json", "lost": "no_such_module"})


@pytest.mark.usefixtures("registry")
def test_what_is_registered_is_found() -> None:
    hooks.register("there", len)
    assert hooks.find("there") is len
    hooks.register("there", repr)
    assert hooks.find("there") is repr


@pytest.mark.usefixtures("registry")
def test_what_is_not_there_says_what_to_do() -> None:
    with pytest.raises(BackendUnavailableError, match=r"needs no_such_module, .* pip install"):
        hooks.find("lost")
    with pytest.raises(BackendUnavailableError, match=r"as 'their'; import .* mean 'there'"):
        hooks.find("their")
    with pytest.raises(BackendUnavailableError, match="as 'there'"):  # its home registers nothing
        hooks.find("there")


@pytest.mark.parametrize("name", sorted(hooks.HOMES))
def test_homes_register_what_the_table_says(name: str) -> None:
    assert hooks.find(name) is getattr(import_module(hooks.HOMES[name]), name)


def test_homes_are_loaded_when_they_are_asked_for() -> None:
    script = (
        "import sys; from armwright import devices, hooks;"
        "print('armwright.gui' in sys.modules); hooks.find('plot_recording');"
        "print('armwright.gui' in sys.modules, 'matplotlib' in sys.modules)"
    )
    assert output_of(script) == ["False", "True", "False"]
