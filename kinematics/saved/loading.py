"""Read a saved model; whatever is odd about the file is one named error."""

import os
import warnings
import zipfile
import zlib

import numpy as np

from armwright.errors import ModelFileError
from armwright.hrdf import RobotDescription
from armwright.hrdf.files import (
    HEAD,
    HRDF,
    SAVED,
    UnreadableError,
    format_of,
    open_file,
    path_text,
)
from armwright.kinematics.arrays import read_only, short
from armwright.kinematics.robot import (
    Annotations,
    JointDynamics,
    ModelT,
    compile_description,
    from_json,
)
from armwright.reprs import escaped, printable

from .checking import check_values
from .members import MAX_BYTES, Member, read_members

FORMAT = 1
_LONGEST = 1000  # characters of what is told
MEMBERS = ("format", "values", "position_limits", "joint_dynamics")


def load(cls: type[ModelT], path: str | os.PathLike[str]) -> ModelT:
    """Read a model that ``save`` wrote; it gives the same results, bit by bit.

    Its values are checked as those of an HRDF file are. Robots in HRDF are read by
    ``armwright.load``, which takes saved models as well.

    Args:
        path: The file.

    Raises:
        ModelFileError: If there is no such file, it is damaged, it is not a saved model, or
            it has another version than this one reads.
    """
    if not isinstance(path, str | os.PathLike):
        raise ModelFileError(f"load: expected a path, got {short(path)}")
    try:
        with open_file(path) as stream, warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # what is doubtful is an error below
            name = path_text(path)
            start = stream.read(HEAD)
            if stream.seek(0, os.SEEK_END) > MAX_BYTES:
                raise ModelFileError(f"larger than the limit of {MAX_BYTES} bytes")
            stream.seek(0)
            try:
                members = read_members(stream, MEMBERS[:1])
                _check_version(members["format"])
                members = read_members(stream, MEMBERS[1:])
            except (zipfile.BadZipFile, ModelFileError) as error:
                raise ModelFileError(_refusal(error, start, name)) from None
            return _model(cls, members)
    except UnreadableError as error:
        shown = ascii(os.fsdecode(path))[1:-1][:400]
        text = f"cannot be read: it {error}" if error.folder else str(error)
        raise ModelFileError(f"{shown}: {text}") from None
    except ModelFileError as error:
        raise ModelFileError(f"{printable(path_text(path))}: {_told(error)}") from None
    except (
        ArithmeticError,
        AttributeError,
        EOFError,
        LookupError,
        MemoryError,
        NotImplementedError,
        OSError,
        RecursionError,
        RuntimeError,
        TypeError,
        ValueError,
        zlib.error,
    ) as error:
        what = _told(error) or type(error).__name__
        raise ModelFileError(f"{printable(path_text(path))}: damaged: {what}") from error


def _told(error: Exception) -> str:
    """Return what an error says of a file, whose own words may be long and unprintable."""
    text = escaped(str(error)[:_LONGEST])
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."


def _refusal(error: Exception, start: bytes, name: str) -> str:
    """Return what to say of a file that is no archive, or another one."""
    if isinstance(error, ModelFileError) and not str(error).startswith("not a saved model"):
        return str(error)
    found = format_of(start, name)
    if found is HRDF:
        return f"not a saved model: {error}. HRDF is read by armwright.load(path)"
    if found is not None and found is not SAVED:
        return f"not a saved model: {found.text}"
    if isinstance(error, ModelFileError):
        return str(error)
    hint = ". Copy it anew, or save the model again"
    if name.casefold().endswith((".hrdf", ".xml")):
        hint = ". HRDF is read by armwright.load(path)"
    return f"not a saved model, or damaged: {error}{hint}"


def _check_version(member: Member) -> None:
    """Refuse formats of other times."""
    version = member.whole_number()
    if version is None:
        raise ModelFileError("not a saved model: its format is not a number")
    if version != FORMAT:
        raise ModelFileError(
            f"saved in format {version}, but this version of Armwright reads format {FORMAT}. "
            "Save the model again from its HRDF file, or use the version that wrote it"
        )


def _model(cls: type[ModelT], members: dict[str, Member]) -> ModelT:
    """Make the model."""
    values = members["values"]
    if (values.kind, values.size, len(values.shape)) != ("u", 1, 1):
        raise ModelFileError("damaged: values are not bytes")
    contents = from_json(values.data)
    if not isinstance(contents, tuple) or len(contents) != 3:
        raise ModelFileError("damaged: values are not a description, payloads and annotations")
    description, payloads, annotations = contents
    if not (
        isinstance(description, RobotDescription)
        and isinstance(payloads, tuple)
        and isinstance(annotations, Annotations)
    ):
        raise ModelFileError("damaged: values are not a description, payloads and annotations")
    limits, drives = (members[name].doubles() for name in MEMBERS[2:])
    check_values(description, payloads, annotations, limits, drives)
    assert limits is not None
    assert drives is not None
    compiled = compile_description(description)
    if not np.isfinite(compiled.rows).all():
        raise ModelFileError("damaged: the description has numbers that are not finite")
    model = object.__new__(cls)
    frozen = JointDynamics(*map(read_only, drives))
    model._fill(description, compiled, read_only(limits), payloads, frozen, annotations)
    if not np.isfinite(model._rows).all():
        raise ModelFileError("damaged: payloads or drives give numbers that are not finite")
    return model
