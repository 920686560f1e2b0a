"""The command line: ``armwright check | info | fk | ik | gravity | dynamics | ...``.

Commands are in ``armwright/commands/``, one file each. This file puts them together, and is the
one place that prints answers and errors and decides the exit code: 0 done, 1 a negative answer
(errors found, target not reached), 2 bad usage or unusable input.
"""

import contextlib
import inspect
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NoReturn

import typer
import typer.main

from armwright.commands.check import check
from armwright.commands.doctor import doctor
from armwright.commands.dynamics import dynamics
from armwright.commands.fk import fk
from armwright.commands.gravity import gravity
from armwright.commands.ik import ik
from armwright.commands.info import info
from armwright.commands.plot import plot
from armwright.commands.reach import reach
from armwright.commands.shared import Report, errors, options, output
from armwright.commands.warmup import warmup

_COMMANDS = (check, info, fk, ik, gravity, dynamics, doctor, plot, reach, warmup)

# No rich in the help: square brackets in our texts are units, and plain text reads anywhere.
app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run one command line and exit.

    Args:
        argv: The arguments behind the program's name; those of the process when None.

    Raises:
        SystemExit: Always, with the exit code.
    """
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(argv: Sequence[str]) -> int:
    """Run one command line, print what it answers, and return the exit code."""
    output.prepare_streams()
    typed = list(argv) or ["--help"]
    words = typed[: typed.index("--")] if "--" in typed else typed
    as_json = "--json" in words
    try:
        try:
            code = _answer(typed, as_json=as_json)
        except (KeyboardInterrupt, typer.Abort):
            return errors.INTERRUPTED
        except BrokenPipeError:
            raise
        except output.StreamError:
            raise
        except Exception as error:
            if "--debug" in words:
                with contextlib.suppress(OSError):  # nobody can be told
                    traceback.print_exc()
            lines = errors.lines_of(error)
            output.complain(lines)
            if as_json:
                output.print_json({"error": "\n".join(lines)})
            code = errors.UNUSABLE
        with output.to_stdout():
            sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
        return errors.PIPE_CLOSED
    except output.StreamError as error:  # a full disk: the answer is lost, and JSON would be too
        _forget_output()
        output.complain(errors.lines_of(error))
        return errors.UNUSABLE
    except KeyboardInterrupt:
        return errors.INTERRUPTED
    return code


def _answer(argv: list[str], *, as_json: bool) -> int:
    """Let typer call the command, and print its report."""
    command = typer.main.get_command(app)
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = _shower()
        result = command.main(args=argv, prog_name="armwright", standalone_mode=False)
        if not isinstance(result, Report):
            return int(result or 0)  # --help, --version: typer has printed and gives the code
        output.print_report(result, as_json=as_json)
    return result.exit_code


def _shower() -> Callable[..., None]:
    """Return what prints a warning of the library as one line, without its place in the source.

    A command may ask the library twice; the same words are printed once.
    """
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
        text = " ".join(str(message).split())
        if text not in shown:
            shown.add(text)
            output.complain([text], level="warning")

    return show


def _forget_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not complain at exit."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _command(function: Callable[..., Report]) -> Callable[..., Report]:
    """Give a command the options that all have; ``run`` has seen them before typer does."""

    def call(*, json: bool, debug: bool, **arguments: Any) -> Report:
        try:
            return function(**arguments)
        except EOFError as error:  # typer would take it for Ctrl-D, and end without a word
            raise RuntimeError(f"EOFError: {error}") from error

    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=option)
        for name, option in (("json", options.Json), ("debug", options.Debug))
    ]
    signature = inspect.signature(function)
    call.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *shared]
    )
    call.__annotations__ = {
        **function.__annotations__,
        **{parameter.name: parameter.annotation for parameter in shared},
    }
    text = inspect.getdoc(function) or ""
    call.__doc__ = text.replace("\nExample:", "\n\b\nExample:")  # \b: keep the lines of the example
    return call


def _print_version(wanted: bool) -> None:
    """Print the version and stop."""
    if not wanted:
        return
    import armwright

    print(f"armwright {armwright.__version__}")
    raise typer.Exit


@app.callback()
def _all(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Describe, compute and drive robot arms made of modular actuators.

    Start with: armwright reach ARM --xyz X Y Z --plot F.png
    """


for _function in _COMMANDS:
    app.command(_function.__name__)(_command(_function))
