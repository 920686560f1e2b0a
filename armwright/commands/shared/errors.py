"""What the command line says when it cannot answer: one line per problem, never a traceback.

Every error of Armwright, of the operating system and of typer becomes lines of text here. Exit
codes: 0 done, 1 a negative answer, 2 bad usage or unusable input; 130 after Ctrl-C and 141 when
the reader of our output has gone are what shells expect.
"""

import re
import traceback

import typer

from armwright.errors import ArmwrightError

OK = 0
NEGATIVE = 1
UNUSABLE = 2
INTERRUPTED = 130
PIPE_CLOSED = 141

# Newer versions of typer carry click inside, older ones import it; both export this class.
TyperUsageError: type[Exception] = typer.BadParameter.__mro__[1]


class InputError(ArmwrightError, ValueError):
    """Something that was typed cannot be used; the message names the option and the entry."""


def lines_of(error: BaseException) -> list[str]:
    """Return what to tell the user, one line per problem."""
    if isinstance(error, TyperUsageError):
        return _usage_lines(error)
    if isinstance(error, ArmwrightError):
        return str(error).splitlines() or [type(error).__name__]
    if isinstance(error, OSError):
        reason = error.strerror or str(error) or type(error).__name__
        return [f"{error.filename}: {reason}" if error.filename is not None else reason]
    if isinstance(error, MemoryError):
        return ["not enough memory"]
    summary = traceback.format_exception_only(type(error), error)[-1].strip()
    return [
        f"this is a bug in Armwright: {' '.join(summary.split())}. "
        "Please report it with the output of the same command and --debug"
    ]


def _usage_lines(error: Exception) -> list[str]:
    """Return typer's own message and where help is."""
    said: str = error.format_message()  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "armwright"
    said = " ".join(said.split())
    if re.search(r"requires \d arguments", said):
        said = f"{said.rstrip('.')}, with spaces between them: --xyz 0.3 0.1 0.2."
    elif re.search(r"unexpected extra argument.*\([-\d. ]+\)", said):
        said = f"{said.rstrip('.')}; joint positions have commas between them: --q 0,0.5,1."
    return [f"{said}{'' if said.endswith(('.', '?')) else '.'} Try '{command} --help'"]
