"""Models in files: everything that makes one, in an npz archive without pickles.

The archive has the members ``format`` (its version), ``values`` (the description, payloads, groups
and configurations, as JSON in bytes), ``position_limits`` (2, dof) and ``joint_dynamics``
(3, dof). ``numpy.load`` opens it as well.
"""

import io
import os
import zipfile
from typing import Any

import numpy as np

from armwright.errors import ModelFileError
from armwright.hrdf.files import write_file
from armwright.kinematics.arrays import short
from armwright.kinematics.robot import ModelData, to_json

from .loading import FORMAT
from .members import MAX_BYTES, MOST

_OTHER_ENDINGS = (".hrdf", ".xml", ".urdf", ".xacro", ".srdf", ".sdf", ".yaml", ".yml", ".json")
_npy: Any = np.lib.format  # numpy 1.26 has no types for it
_DATE = (1980, 1, 1, 0, 0, 0)  # the same model gives the same bytes


def save(model: ModelData, path: str | os.PathLike[str]) -> None:
    """Write the model to a file; ``RobotModel.load`` reads it back, bit by bit the same.

    Everything is in it: the description with the parts of the catalog that it uses, base
    frame, limits, payloads, drives, groups, configurations and names of joints; meshes stay in
    their files. The file is replaced in one step, and the same model gives the same bytes.

    Args:
        path: The file; .npz is the usual ending.

    Raises:
        FileWriteError: If it cannot be written.
        ModelFileError: If the path is none or ends like another format's (.hrdf), or the model is
            larger than what ``load`` reads.
    """
    if not isinstance(path, str | os.PathLike):
        raise ModelFileError(f"save: expected a path, got {short(path)}")
    ending = os.path.splitext(os.fsdecode(path))[1]
    if ending.casefold() in _OTHER_ENDINGS:
        raise ModelFileError(
            f"{os.fsdecode(path)}: save writes saved models, whose ending is .npz, not {ending}. "
            "HRDF is written by armwright.hrdf.write(model.description, path)"
        )
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
            most = MOST.get(name, MAX_BYTES)
            if member.tell() > most:
                raise ModelFileError(
                    f"{os.fspath(path)}: the model is larger than the limit of {most} bytes"
                )
            info = zipfile.ZipInfo(f"{name}.npy", _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.getvalue())
    write_file(path, stream.getvalue())
