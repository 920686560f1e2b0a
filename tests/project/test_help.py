"""What ``help()`` shows of public functions are the words of the source, not what they stand for.

``npt.ArrayLike`` would fill ten lines with numpy's own types. Files whose functions take arrays
begin with ``from __future__ import annotations``, which keeps the words.
"""

import importlib
import inspect
import pydoc
from collections.abc import Iterator

import pytest

import armwright as aw
from tests.project.sources import FOLDERS

MODULES = [
    "armwright",
    *(f"armwright.{folder}" for folder in FOLDERS),
    "armwright.devices.doctor",
    "armwright.devices.trajectory",
]


def public_functions(module: str) -> Iterator[tuple[str, object]]:
    """Give the public functions, methods and properties of a module and its classes."""
    owner = importlib.import_module(module)
    for name in owner.__all__:
        value = getattr(owner, name)
        if not inspect.isclass(value):
            yield name, value
            continue
        for key in dir(value):
            if key == "__init__" or (not key.startswith("_") and hasattr(value, key)):
                found = inspect.getattr_static(value, key)
                found = getattr(found, "__func__", getattr(found, "fget", found))
                yield f"{name}.{key}", found


@pytest.mark.parametrize("module", MODULES)
def test_signatures_are_readable(module: str) -> None:
    wrong = []
    for name, function in public_functions(module):
        code = getattr(inspect.unwrap(function), "__code__", None)  # type: ignore[arg-type]
        if not callable(function) or code is None or code.co_filename == "<string>":
            continue  # a dataclass writes its own __init__
        text = str(inspect.signature(function))
        if "_SupportsArray" in text or "numpy.ndarray[" in text:
            wrong.append(f"{name} in {code.co_filename}")
    assert not wrong


def test_help_of_a_jacobian_fits_a_screen() -> None:
    model = aw.load(aw.examples.path("six_dof"))
    text = pydoc.plain(pydoc.render_doc(model.jacobian))
    heading = text.split("Compute the Jacobian")[0]
    assert "q: 'JointValues'" in heading
    assert len(heading) < 600
