"""What a model holds: the base of ``RobotModel``.

The methods are plain functions in the rooms around this one; ``model.py`` lists them. Nothing here
changes after construction.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError, Problem
from armwright.hrdf import Element, RobotDescription
from armwright.kinematics.arrays import (
    FloatArray,
    JointValues,
    joint_vector,
    read_only,
    short,
)
from armwright.kinematics.frame_types import FrameType

from .annotations import NO_ANNOTATIONS, Annotations
from .compile import Compiled, compile_description
from .fixed_base import FixedBaseLayout, fixed_base_layout
from .joint_dynamics import JointDynamics
from .payload import NO_PAYLOAD, Payload, add_payload_masses, place_payload_frames
from .rows import SLIDES, chain_to, end_chains, joined, under_gravity
from .tags import Tags

ModelT = TypeVar("ModelT", bound="ModelData")


class ModelData:
    """Data of a robot model. Frozen: attributes cannot be set, arrays are read-only.

    ``RobotModel`` tells what each of them is.
    """

    __slots__ = (
        "_annotations",
        "_compiled",
        "_end_chain",
        "_end_chains",
        "_frame_table",
        "_friction",
        "_hash",
        "_jacobian_shape",
        "_joined",
        "_mass_shape",
        "_payloads",
        "_plan",
        "_pose_tables",
        "_rows",
        "base_frame",
        "description",
        "dof",
        "elements",
        "joint_dynamics",
        "joint_elements",
        "joint_names",
        "joint_slides",
        "masses",
        "max_efforts",
        "max_speeds",
        "n_elements",
        "position_limits",
        "tags",
        "total_mass",
        "warnings",
    )

    description: RobotDescription
    warnings: tuple[Problem, ...]
    elements: tuple[Element, ...]
    n_elements: int
    dof: int
    tags: Mapping[str, int]
    joint_elements: tuple[int, ...]
    joint_names: tuple[str, ...]
    joint_slides: npt.NDArray[np.bool_]
    masses: FloatArray
    total_mass: float
    max_speeds: FloatArray
    max_efforts: FloatArray
    position_limits: FloatArray
    base_frame: FloatArray
    joint_dynamics: JointDynamics
    _compiled: Compiled
    _annotations: Annotations
    _frame_table: object  # of the room ``naming``, made when a name is first looked up
    _rows: FloatArray
    _payloads: tuple[Payload, ...]
    _pose_tables: dict[str, tuple[FloatArray, tuple[int, ...]]]
    _joined: dict[str, tuple[FloatArray, tuple[int, ...], tuple[int, ...]]]
    _jacobian_shape: tuple[int, int]
    _mass_shape: tuple[int, int]
    _friction: FloatArray | None
    _hash: int
    _plan: FixedBaseLayout | None
    _end_chains: Sequence[FloatArray]
    _end_chain: FloatArray | None

    def __init__(self, description: RobotDescription) -> None:
        if not isinstance(description, RobotDescription):
            raise ModelError(
                f"expected a RobotDescription, got {short(description)}. "
                "load(path) and loads(text) make a model from a file and from text"
            )
        self._fill(description, compile_description(description))

    def _fill(
        self,
        description: RobotDescription,
        compiled: Compiled,
        position_limits: FloatArray | None = None,
        payloads: tuple[Payload, ...] | None = None,
        joint_dynamics: JointDynamics | None = None,
        annotations: Annotations = NO_ANNOTATIONS,
    ) -> None:
        """Set every attribute; the only place that does."""
        dof = len(compiled.joint_elements)
        elements = tuple(one.element for one in compiled.placed)
        ends = len(compiled.frames[FrameType.END_EFFECTOR])
        if position_limits is None:
            position_limits = read_only([[-np.inf] * dof, [np.inf] * dof])
        payloads = payloads or (NO_PAYLOAD,) * ends
        drives = joint_dynamics or JointDynamics.none(dof)
        rows = drives.with_rotors(add_payload_masses(compiled, payloads))
        if annotations.gravity is not None:
            rows = under_gravity(rows, annotations.gravity)
        frames = place_payload_frames(compiled, payloads)
        frictions = drives.frictions()
        chains = end_chains(rows, frames[FrameType.END_EFFECTOR])
        values = {
            "description": description,
            "warnings": description.warnings,
            "elements": elements,
            "n_elements": len(elements),
            "dof": dof,
            "tags": MappingProxyType(Tags({e.tag: i for i, e in enumerate(elements) if e.tag})),
            "joint_elements": compiled.joint_elements,
            "joint_names": annotations.joint_names or default_joint_names(compiled),
            "joint_slides": _slides(rows),
            "masses": read_only(compiled.masses),
            "total_mass": float(compiled.masses.sum()),
            "max_speeds": read_only(_first(annotations.max_speeds, compiled.max_speeds)),
            "max_efforts": read_only(_first(annotations.max_efforts, compiled.max_efforts)),
            "position_limits": position_limits,
            "base_frame": read_only(description.base.matrix()),
            "joint_dynamics": drives,
            "_compiled": compiled,
            "_annotations": annotations,
            "_rows": rows,
            "_payloads": payloads,
            "_pose_tables": {k.value: (t, (len(t), 4, 4)) for k, t in frames.items()},
            "_joined": {
                frame_type.value: (joined(rows, table), (len(table), 4, 4), (len(table), 6, dof))
                for frame_type, table in frames.items()
            },
            "_jacobian_shape": (6, dof),
            "_mass_shape": (dof, dof),
            "_friction": frictions,
            "_plan": fixed_base_layout(rows, annotations.free_flyer, frictions is None),
            "_end_chains": chains,
            "_end_chain": chains[0] if ends == 1 else None,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _variant(
        self: ModelT,
        *,
        description: RobotDescription | None = None,
        position_limits: FloatArray | None = None,
        payloads: tuple[Payload, ...] | None = None,
        joint_dynamics: JointDynamics | None = None,
        annotations: Annotations | None = None,
    ) -> ModelT:
        """Return a copy in which something differs."""
        model = object.__new__(type(self))
        model._fill(
            description or self.description,
            compile_description(description) if description else self._compiled,
            self.position_limits if position_limits is None else position_limits,
            self._payloads if payloads is None else payloads,
            self.joint_dynamics if joint_dynamics is None else joint_dynamics,
            self._annotations if annotations is None else annotations,
        )
        return model

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"a model cannot be changed (tried to set {name!r}); "
            "with_base_frame, with_floating_base, with_gravity, with_groups, with_joint_dynamics, "
            "with_joint_names, with_max_efforts, with_max_speeds, with_payload, "
            "with_position_limits and with_reference_configurations return changed copies"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a model cannot be changed (tried to delete {name!r})")

    def __copy__(self: ModelT) -> ModelT:
        return self  # frozen, so that sharing is safe

    def __deepcopy__(self: ModelT, memo: object) -> ModelT:
        return self

    def __reduce__(self: ModelT) -> tuple[Callable[..., ModelT], tuple[object, ...]]:
        limits = np.array(self.position_limits)
        drives = self.joint_dynamics
        joints = np.array([drives.rotor_inertia, drives.damping, drives.friction])
        kept = (self.description, limits, self._payloads, joints, self._annotations)
        return _rebuild, (type(self), *kept)

    def _joint_vector(self, q: JointValues, name: str = "q") -> FloatArray:
        """Return one vector of joint values, checked; fresh, C-contiguous, shape (dof,)."""
        return joint_vector(q, self.dof, name, joints=self.joint_names)

    def _chain(self, frame_type: FrameType, index: int) -> FloatArray:
        """Return the joints on the way to a frame; layout in ``rows.chain_to``."""
        return chain_to(self._rows, self._pose_tables[frame_type][0][index])


def _first(declared: tuple[float, ...] | None, described: FloatArray) -> npt.ArrayLike:
    """Return what was declared, else what the description has."""
    return described if declared is None else declared


def _slides(rows: FloatArray) -> npt.NDArray[np.bool_]:
    """Say which joints slide, shape (dof,), read-only."""
    slides: npt.NDArray[np.bool_] = rows[1:, SLIDES] != 0.0
    slides.setflags(write=False)
    return slides


def default_joint_names(compiled: Compiled) -> tuple[str, ...]:
    """Name joints by tag, else by place; a tag that looks like a place keeps its name."""
    tags = [compiled.placed[number].element.tag for number in compiled.joint_elements]
    taken = {tag for tag in tags if tag}
    names: list[str] = []
    for place, tag in enumerate(tags, start=1):
        name = tag or f"joint{place}"
        while not tag and name in taken:
            name += "_"
        names.append(name)
    return tuple(names)


def _rebuild(
    cls: type[ModelT],
    description: RobotDescription,
    position_limits: FloatArray,
    payloads: tuple[Payload, ...],
    joints: FloatArray,
    annotations: Annotations,
) -> ModelT:
    """Make a model again from what was pickled."""
    model = object.__new__(cls)
    limits = read_only(position_limits)
    drives = JointDynamics(*map(read_only, joints))
    compiled = compile_description(description)
    model._fill(description, compiled, limits, payloads, drives, annotations)
    return model
