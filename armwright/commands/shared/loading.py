"""What commands about efforts have in common: gravity, a payload, poses, shares of limits."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .arm import end_effector_number, joint_values
from .errors import InputError
from .options import Three
from .values import FloatArray, lengths

if TYPE_CHECKING:
    from armwright.kinematics import RobotModel

_MOST = 64 * 1024 * 1024  # bytes of a file of poses
_MOST_PROBLEMS = 200
STANDARD_GRAVITY = (0.0, 0.0, -9.81)


def gravity_of(typed: Three | None) -> FloatArray:
    """Return the acceleration that was typed, shape (3,) [m/s^2]; the usual when it was not."""
    if typed is None:
        return np.array(STANDARD_GRAVITY)
    return lengths(typed, "--gravity", "metres per second squared")


def com_of(typed: Three | None) -> FloatArray:
    """Return the center of mass that was typed for a payload, shape (3,) [m]."""
    return np.zeros(3) if typed is None else lengths(typed, "--com")


def with_payload(
    model: "RobotModel",
    payload: float | None,
    com: Three | None,
    tag: str | None,
    index: int | None,
) -> "RobotModel":
    """Return the model with what was typed about a payload."""
    center = com_of(com)
    if payload is None:
        if com is not None:
            raise InputError("--com says where the mass of the payload is; give --payload too")
        if tag is not None or index is not None:
            raise InputError("--tag and --index say where the payload is; give --payload too")
        return model
    check_mass(payload)
    return model.with_payload(payload, center, index=end_effector_number(model, tag, index))


def check_mass(payload: float) -> None:
    """Refuse what is no mass."""
    if not 0 <= payload < math.inf:
        raise InputError(f"--payload: {payload:g} is no mass; expected kilograms, 0 or more")


def poses_of(typed: list[str] | None, file: Path | None, model: "RobotModel") -> FloatArray:
    """Return the poses of --q, then those of the file, else home, shape (n, dof) [rad or m]."""
    rows = [joint_values(text, model) for text in typed or ()]
    if file is not None:
        rows += _poses_in(file, model)
    if not rows:
        rows.append(joint_values(None, model))  # home; raises for joints without one
    return np.stack(rows)


def _poses_in(file: Path, model: "RobotModel") -> list[FloatArray]:
    """Read a file of poses; all its problems are one error, a line each."""
    from armwright.hrdf.files import UnreadableError, read_file

    try:
        data = read_file(file, _MOST)
        if len(data) > _MOST:
            raise InputError(f"{file}: larger than the limit of {_MOST} bytes")
        lines = data.decode("utf-8-sig").splitlines()
    except UnreadableError as error:
        raise InputError(f"{file}: {str(error).capitalize()}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not a text in UTF-8: {error.reason}") from None
    rows, problems = [], []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            rows.append(joint_values(text, model, f"{file}:{number}"))
        except InputError as problem:
            problems.append(str(problem))
    if problems:
        more = len(problems) - _MOST_PROBLEMS
        told = [_cut(problem) for problem in problems[:_MOST_PROBLEMS]]
        raise InputError("\n".join([*told, *([f"{file}: and {more} more"] if more > 0 else [])]))
    if not rows:
        example = ",".join(["0"] * model.dof)
        raise InputError(f"{file}: no poses; expected one a line, such as {example}")
    return rows


def _cut(text: str) -> str:
    """Return a problem at a length that can be read."""
    return text if len(text) <= 1000 else text[:1000] + " ..."


def percent(values: FloatArray, limits: FloatArray) -> FloatArray:
    """Return the sizes of values in percent of limits; nan where there is no limit."""
    result = np.full(np.shape(values), np.nan)
    limited = np.broadcast_to(np.isfinite(limits) & (limits > 0), result.shape)
    np.divide(100 * np.abs(values), limits, out=result, where=limited)
    return result


def share(value: float, limit: float) -> str:
    """Return the size of a value as percent of a limit; "-" when there is none."""
    if not math.isfinite(limit) or limit <= 0:
        return "-"
    return f"{100 * abs(value) / limit:.0f} %"
