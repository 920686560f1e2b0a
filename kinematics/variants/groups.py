"""Copies of a model with the groups and named configurations of a file."""

import os

from armwright.errors import ModelError
from armwright.hrdf.findings import Findings
from armwright.hrdf.semantics import beside, read_semantics
from armwright.kinematics.arrays import LARGEST, short, warn_outside
from armwright.kinematics.robot import ModelData, ModelT

from .group_files import annotations_of


def with_groups(model: ModelT, path: str | os.PathLike[str] | None = None) -> ModelT:
    """Return the same robot with the groups, named configurations and passive joints of a file.

    They replace what the model had of them. Names of joints are those of ``joint_names``;
    links are elements, named by their tags. A chain runs from the input of its first link to
    the output of its last one; "base" and "world" stand for the robot's base, unless an
    element has that tag.

    Positions of a named state beyond the limits of its joint are shown as a Python warning, and
    so is a joint that a state does not name where 0, at which it is then, is beyond its limits.

    Args:
        path: An SRDF file (.srdf) or a groups file (.yaml, .yml; docs/models.md has its
            form). None: the one beside the robot's own file, arm.srdf or arm.groups.yaml
            for arm.hrdf.

    Raises:
        HrdfError: If something in the file is wrong, or does not fit the robot; lists it all.
        ModelError: If there is no path and no file, or several, beside the robot's own.
    """
    if not isinstance(path, str | os.PathLike | None):
        raise ModelError(f"with_groups: expected a path, got {short(path)}")
    findings = Findings()
    semantics = read_semantics(_found(model) if path is None else path, findings)
    for state in semantics.states:
        for one in state.values:
            if abs(one.value) > LARGEST:
                text = f"{one.value!r} is beyond the limit of {LARGEST:g} [rad or m]"
                findings.error(one.where, text)
    annotations = annotations_of(model, semantics, findings)
    findings.raise_errors()
    for doubt in findings.warnings:
        warn_outside(str(doubt))
    return model._variant(annotations=annotations)


def _found(model: ModelData) -> str:
    """Return the file of groups beside the robot's own file."""
    files = model.description.files
    if not files or files[0] == "<text>":
        raise ModelError("with_groups: the robot was not read from a file. Give the path")
    found = beside(files[0])
    if len(found) == 1:
        return found[0]
    if found:
        raise ModelError(f"with_groups: there are {' and '.join(found)}. Give the path")
    raise ModelError(
        f"with_groups: there is no .srdf or .groups.yaml beside {files[0]}. Give the path"
    )
