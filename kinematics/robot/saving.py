"""Models in files: everything that makes one, in an npz archive without pickles.

The archive has the members ``format`` (its version), ``values`` (the description, payloads, groups
and configurations, as JSON in bytes), ``position_limits`` (2, dof) and ``joint_dynamics``
(3, dof). ``numpy.load`` opens it as well.
"""

import io
import os
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from armwright.errors import ModelFileError
from armwright.hrdf import RobotDescription
from armwright.hrdf.replacing import replace_file
from armwright.kinematics.arrays import read_only, short

from .annotations import Annotations
from .compile import compile_description
from .data import ModelData, ModelT
from .joint_dynamics import JointDynamics
from .json_values import from_json, to_json
from .payload import Payload

FORMAT = 1
MAX_BYTES = 64 * 1024 * 1024
_MEMBERS = ("format", "values", "position_limits", "joint_dynamics")
_npy: Any = np.lib.format  # numpy 1.26 has no types for it
_DATE = (1980, 1, 1, 0, 0, 0)  # the same model gives the same bytes


def save(model: ModelData, path: str | os.PathLike[str]) -> None:
    """Write the model to a file; ``RobotModel.load`` reads it back, bit by bit the same.

    Everything is in it: the description with the parts of the catalogue that it uses, base
    frame, limits, payloads, drives, groups, configurations and names of joints; meshes stay in
    their files. The file is replaced in one step, and the same model gives the same bytes.

    Args:
        path: The file; .npz is the usual ending.

    Raises:
        OSError: If it cannot be written.
        ModelFileError: If the path is none, or the model is larger than what ``load`` reads.
    """
    if not isinstance(path, str | os.PathLike):
        raise ModelFileError(f"save: expected a path, got {short(path)}")
    drives = model.joint_dynamics
    arrays: dict[str, Any] = {
        "format": np.array(FORMAT),
        "values": np.frombuffer(
            to_json((model.description, model._payloads, model._annotations)), dtype=np.uint8
        ),
        "position_limits": model.position_limits,
        "joint_dynamics": np.array([drives.rotor_inertia, drives.damping, drives.friction]),
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            _npy.write_array(member, array, allow_pickle=False)
            if member.tell() > MAX_BYTES:
                raise ModelFileError(
                    f"{os.fspath(path)}: the model is larger than the limit of {MAX_BYTES} bytes"
                )
            info = zipfile.ZipInfo(f"{name}.npy", _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.getvalue())
    replace_file(Path(path), stream.getvalue())


def load(cls: type[ModelT], path: str | os.PathLike[str]) -> ModelT:
    """Read a model that ``save`` wrote; it gives the same results, bit by bit.

    Robots in HRDF are read by ``armwright.load``.

    Args:
        path: The file.

    Raises:
        ModelFileError: If there is no such file, it is damaged, it is not a saved model, or
            it has another version than this one reads.
    """
    if not isinstance(path, str | os.PathLike):
        raise ModelFileError(f"load: expected a path, got {short(path)}")
    name = os.fsdecode(path)
    try:
        return _read(cls, name)
    except FileNotFoundError:
        raise ModelFileError(f"{name}: no such file") from None
    except OSError as error:
        raise ModelFileError(f"{name}: cannot be read: {error.strerror or error}") from None
    except ModelFileError as error:
        raise ModelFileError(f"{name}: {error}") from None
    except zipfile.BadZipFile as error:
        hint = ""
        if name.casefold().endswith((".hrdf", ".xml")):
            hint = ". HRDF is read by armwright.load(path)"
        raise ModelFileError(f"{name}: not a saved model, or damaged: {error}{hint}") from None
    except (
        ArithmeticError,
        AttributeError,
        EOFError,
        LookupError,
        MemoryError,
        NotImplementedError,  # an encrypted or oddly compressed member
        RecursionError,
        RuntimeError,
        TypeError,
        ValueError,
        zlib.error,
    ) as error:
        raise ModelFileError(f"{name}: damaged: {error or type(error).__name__}") from error


def _read(cls: type[ModelT], name: str) -> ModelT:
    """Read a file; raises all kinds of errors when it is damaged."""
    with zipfile.ZipFile(name) as archive:
        found = {info.filename: info for info in archive.infolist()}
        version = _member(archive, found, "format")
        if version.shape != () or version.dtype.kind not in "iu":
            raise ModelFileError("not a saved model: its format is not a number")
        if version != FORMAT:
            raise ModelFileError(
                f"saved in format {version}, but this version of Armwright reads format {FORMAT}. "
                "Save the model again from its HRDF file, or use the version that wrote it"
            )
        arrays = {member: _member(archive, found, member) for member in _MEMBERS[1:]}
    values = arrays["values"]
    if values.dtype != np.uint8 or values.ndim != 1:
        raise ModelFileError("damaged: values are not bytes")
    description, payloads, annotations = from_json(values.tobytes())
    if not (
        isinstance(description, RobotDescription)
        and isinstance(annotations, Annotations)
        and all(isinstance(payload, Payload) for payload in payloads)
    ):
        raise ModelFileError("damaged: values are not a description, payloads and annotations")
    compiled = compile_description(description)
    dof = len(compiled.joint_elements)
    limits, drives = arrays["position_limits"], arrays["joint_dynamics"]
    for member, array, rows in (("position_limits", limits, 2), ("joint_dynamics", drives, 3)):
        if array.shape != (rows, dof) or array.dtype != np.float64 or np.isnan(array).any():
            raise ModelFileError(f"damaged: {member} are not {rows} x {dof} numbers")
    if annotations.joint_names is not None and len(annotations.joint_names) != dof:
        raise ModelFileError(f"damaged: joint_names are not {dof} names")
    if not np.isfinite(compiled.rows).all():
        raise ModelFileError("damaged: the description has numbers that are not finite")
    model = object.__new__(cls)
    frozen = JointDynamics(*map(read_only, drives))
    model._fill(description, compiled, read_only(limits), payloads, frozen, annotations)
    if not np.isfinite(model._rows).all():
        raise ModelFileError("damaged: payloads or gravity have numbers that are not finite")
    return model


def _member(
    archive: zipfile.ZipFile, found: dict[str, zipfile.ZipInfo], name: str
) -> "np.ndarray[Any, np.dtype[Any]]":
    """Return an array of the archive, not larger than its header and the limit say."""
    info = found.get(f"{name}.npy")
    if info is None:
        raise ModelFileError(f"not a saved model: it has no {name}")
    with archive.open(info) as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ModelFileError(f"{name} is larger than the limit of {MAX_BYTES} bytes")
    member = io.BytesIO(data)
    version = _npy.read_magic(member)
    if version != (1, 0):
        raise ModelFileError(f"damaged: {name} is an array of version {version}")
    shape, _, dtype = _npy.read_array_header_1_0(member)
    if (
        dtype.hasobject
        or int(np.prod(shape, dtype=object)) * dtype.itemsize != len(data) - member.tell()
    ):
        raise ModelFileError(f"damaged: {name} is not as long as it says")
    member.seek(0)
    array: np.ndarray[Any, np.dtype[Any]] = _npy.read_array(member, allow_pickle=False)
    return array
