"""hebi-py itself: imported when it is first needed, silently, and its errors turned into ours."""

import contextlib
import importlib
import io
import sys
from collections.abc import Iterator
from typing import Any

from armwright.errors import BackendUnavailableError, DeviceError


@contextlib.contextmanager
def vendor_errors(doing: str) -> Iterator[None]:
    """Turn whatever hebi-py raises into a ``DeviceError`` that says what was being done."""
    try:
        yield
    except Exception as error:
        try:
            said = str(error) or type(error).__name__
        except Exception:  # hebi-py has errors that cannot be printed
            said = type(error).__name__
        raise DeviceError(f"{doing}: hebi-py reported: {said}") from error


def import_hebi() -> Any:
    """Import hebi-py without the line that it prints."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            return importlib.import_module("hebi")
    except Exception as error:  # its native library can fail in many ways
        raise BackendUnavailableError(how_to_install(error)) from error


def how_to_install(error: Exception) -> str:
    """Say why hebi-py is not there and what to do."""
    missing = isinstance(error, ModuleNotFoundError) and error.name == "hebi"
    problem = "hebi-py is not installed" if missing else f"hebi-py cannot be loaded: {error}"
    advice = (
        'install it with: pip install "hebi-py>=2.16,<3", or in the checkout of Armwright: '
        'pip install ".[hebi]"'
    )
    version = sys.version_info[:2]
    if version >= (3, 13):
        advice += f"; it needs Python below 3.13, this is {version[0]}.{version[1]}"
    else:
        advice += " (it needs Python below 3.13 and brings numpy below 2)"
    return f"{problem}; {advice}"
