"""Build a robot in code: every element and attribute of the format, checked as it is attached.

A call first makes the new element, checks it and its fit by the rules that the reader uses, and
only then attaches it: a call that raises leaves the builder as it was. The result is the same
``RobotDescription`` that a file gives.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from armwright.errors import ModelError
from armwright.hrdf import Element, Pose, RobotDescription, elements, read
from armwright.hrdf.checking import check_finite, check_text
from armwright.hrdf.elements import PathCounter as Place
from armwright.hrdf.elements import with_path as moved
from armwright.hrdf.findings import Findings
from armwright.hrdf.specification import JOINT_AXES, LINK_STYLES
from armwright.kinematics.arrays import (
    is_row,
    number,
    warn_outside,
)
from armwright.kinematics.hebi_names import answers_hebi_names
from armwright.kinematics.model import RobotModel
from armwright.reprs import cut_to_line, short

from .arguments import (
    angle_of,
    inertia_of,
    length_of,
    mass_of,
    output_number,
    overrides_of,
    place_of,
    pose_of,
)
from .attaching import Growing, word_of
from .by_place import as_bracket, as_call, named


@answers_hebi_names
class ArmBuilder:
    """Builds a robot element by element; each hangs on the last output of the one before.

    All lengths are metres, angles radians, masses kilograms. What no part of an arm can be is an
    error that asks about the unit: links above 10 m, places above 20 m, masses above 100 kg,
    twists that look like degrees (above two turns, or multiples of 5 above one). ``ModelBuilder``
    and files know no such bounds. What is doubtful is shown as a Python warning, and kept in
    ``warnings`` of the result. A placement is a homogeneous matrix T_input_frame, shape (4, 4),
    whose last row is 0 0 0 1, or a translation, shape (3,). Every method returns the builder, so
    that calls can be chained. Overrides, the same for actuators, links, brackets and end
    effectors, are keywords:

    - ``mass`` replaces the part's mass, ``mass_offset`` is added to it;
    - ``com`` (or ``com_rot`` and ``com_trans``) replaces the com frame, ``com_offset`` is added
      to the center of mass;
    - ``inertia`` (ixx, iyy, izz, ixy, ixz, iyz in the com frame, about the center of mass), or
      any of ``ixx`` to ``iyz``, replaces the part's [kg m^2].

    Args:
        base_frame: T_world_base, the placement of the base in the world.
        description: Free text.
        catalog: A catalog file whose parts are added to the built-in ones.

    Raises:
        ModelError: If an array has the wrong shape, is not finite, or is not a placement, or a
            number is beyond the bounds above.
        TypeError: If an argument is given by place that has to be named; says what to write.
        HrdfError: If a value breaks a rule of the format; ``UnknownPartError`` for an unknown
            type, ``InterfaceMismatchError`` for a part that does not fit.

    Example:
        >>> builder = ArmBuilder().actuator("X8-9").link("X5", extension=0.3, twist=0)
        >>> [element.kind for element in builder.describe().elements]
        ['actuator', 'link']
    """

    def __init__(
        self,
        *,
        base_frame: npt.ArrayLike | None = None,
        description: str = "",
        catalog: Path | None = None,
    ) -> None:
        """Start without elements."""
        if not isinstance(description, str):
            raise ModelError(f"description: expected a text, got {short(description)}")
        self._base = Pose() if base_frame is None else pose_of(base_frame, "base_frame")
        findings = Findings()
        root = elements.RigidBody(mass=0.0, path="robot")
        check_finite(root, "base_frame", self._base.translation, findings)
        check_text(root, "description", description, findings)
        findings.raise_errors()
        self._description = description
        self._robot = Growing(catalog)

    @named(as_call("actuator", ""))
    def actuator(
        self,
        type: str,
        *,
        tag: str | None = None,
        mass: float | None = None,
        mass_offset: float | None = None,
        com: npt.ArrayLike | None = None,
        com_offset: npt.ArrayLike | None = None,
        inertia: npt.ArrayLike | None = None,
        **overrides: Any,
    ) -> ArmBuilder:
        """Attach an actuator, such as "X8-9"; overrides as in the class's text."""
        named = {
            "mass": mass,
            "mass_offset": mass_offset,
            "com": com,
            "com_offset": com_offset,
            "inertia": inertia,
        }
        mine = overrides_of("actuator", {**named, **overrides})
        return self._grow(
            "actuator",
            lambda place, findings: elements.Actuator(
                part=self._robot.part(elements.ActuatorPart, type, place, findings),
                overrides=mine,
                tag=tag,
                path=place.path,
            ),
        )

    @named(as_call("link", "", "extension", "twist", "input", "output"))
    def link(
        self,
        type: str,
        *,
        extension: float,
        twist: float,
        input: str = "RightAngle",
        output: str = "RightAngle",
        tag: str | None = None,
        **overrides: Any,
    ) -> ArmBuilder:
        """Attach a link.

        Args:
            type: Type name, such as "X5".
            extension: Distance between the adapter centers, at most 10 [m].
            twist: Turn of the output adapter about the tube [rad].
            input: Style of the input adapter, "RightAngle" or "Inline".
            output: Style of the output adapter.
            tag: Name, unique in the robot.
            overrides: As in the class's text.
        """
        mine = overrides_of("link", overrides)
        length, turn = length_of(extension, "extension"), angle_of(twist, "twist")

        def make(place: Place, findings: Findings) -> Element:
            styles: list[Any] = [
                word_of(name, style, LINK_STYLES, place, findings)
                for name, style in (("input", input), ("output", output))
            ]
            return elements.Link(
                part=self._robot.part(elements.LinkPart, type, place, findings),
                extension=length,
                twist=turn,
                input=styles[0],
                output=styles[1],
                overrides=mine,
                tag=tag,
                path=place.path,
            )

        return self._grow("link", make)

    @named(as_bracket)
    def bracket(self, type: str, *, tag: str | None = None, **overrides: Any) -> ArmBuilder:
        """Attach a bracket, such as "X5LightLeft"; overrides as in the class's text."""
        mine = overrides_of("bracket", overrides)
        return self._grow(
            "bracket",
            lambda place, findings: elements.Bracket(
                part=self._robot.part(elements.BracketPart, type, place, findings),
                overrides=mine,
                tag=tag,
                path=place.path,
            ),
        )

    @named(as_call("rigid_body", "com", "inertia", "mass", "output"))
    def rigid_body(
        self,
        *,
        mass: float,
        com: npt.ArrayLike | None = None,
        inertia: npt.ArrayLike | None = None,
        output: npt.ArrayLike | None = None,
        outputs: Sequence[npt.ArrayLike] | None = None,
        mesh: str | os.PathLike[str] | None = None,
        mesh_frame: npt.ArrayLike | None = None,
        tag: str | None = None,
    ) -> ArmBuilder:
        """Attach a rigid body.

        Args:
            mass: [kg].
            com: Com frame, shape (4, 4), or center of mass, shape (3,) [m].
            inertia: ixx, iyy, izz, ixy, ixz, iyz [kg m^2] in the com frame.
            output: Placement of its output; the next element hangs on it.
            outputs: Placements of several outputs; chains are attached by ``branch``, and
                nothing can follow at this level.
            mesh: Path relative to the file that will be written, or URL.
            mesh_frame: Placement of the mesh.
            tag: Name, unique in the robot.
        """
        if output is not None and outputs is not None:
            raise ModelError("output and outputs exclude each other. Give all in outputs=[...]")
        if outputs is not None:
            if not is_row(outputs):
                raise ModelError(f"outputs: expected a list of placements, got {short(outputs)}")
            if len(outputs) == 0:
                raise ModelError("outputs: expected at least 1 placement, got 0")
        if not isinstance(mesh, str | os.PathLike | None):
            raise ModelError(f"mesh: expected a path or URL, got {short(mesh)}")
        if mesh is None and mesh_frame is not None:
            raise ModelError("mesh_frame needs a mesh")
        if outputs is None:
            poses = [Pose() if output is None else place_of(output, "output")]
        else:
            poses = [place_of(one, f"outputs[{number}]") for number, one in enumerate(outputs)]
        six: Any = elements.NO_INERTIA if inertia is None else inertia_of(inertia)
        weight = mass_of(mass, "mass")
        com_pose = Pose() if com is None else place_of(com, "com")
        mesh_pose = Pose() if mesh_frame is None else place_of(mesh_frame, "mesh_frame")
        return self._grow(
            "rigid-body",
            lambda place, findings: elements.RigidBody(
                mass=weight,
                com=com_pose,
                inertia=six,
                outputs=tuple(elements.Output(pose=pose) for pose in poses),
                branched=outputs is not None,
                mesh_path=None if mesh is None else os.fspath(mesh),
                mesh_pose=mesh_pose,
                tag=tag,
                path=place.path,
            ),
        )

    @named(as_call("joint", "", "gear_ratio"))
    def joint(self, axis: str, *, gear_ratio: float = 1.0, tag: str | None = None) -> ArmBuilder:
        """Attach a massless joint.

        Args:
            axis: rx, ry, rz (turns), tx, ty, tz (slides), or one of them with "-" before it.
            gear_ratio: The output moves by q / gear_ratio.
            tag: Name, unique in the robot.
        """
        ratio = number(gear_ratio, "gear_ratio")

        def make(place: Place, findings: Findings) -> Element:
            word: Any = word_of("axis", axis, JOINT_AXES, place, findings)
            return elements.Joint(axis=word, gear_ratio=ratio, tag=tag, path=place.path)

        return self._grow("joint", make)

    def end_effector(
        self,
        type: str = "Custom",
        *,
        output: npt.ArrayLike | None = None,
        tag: str | None = None,
        **overrides: Any,
    ) -> ArmBuilder:
        """Attach an end effector; nothing can follow it.

        Args:
            type: "Custom", "X5Parallel" or "R8Parallel".
            output: Placement of the tool frame in place of the part's; a translation alone keeps
                the part's orientation.
            tag: Name, unique in the robot.
            overrides: As in the class's text.
        """
        mine = overrides_of("end-effector", overrides)
        tool = None if output is None else place_of(output, "output")
        turned = output is not None and np.ndim(output) == 2
        return self._grow(
            "end-effector",
            lambda place, findings: elements.EndEffector(
                part=self._robot.part(elements.EndEffectorPart, type, place, findings),
                output_rot=tool.rotation if tool is not None and turned else None,
                output_trans=None if tool is None else tool.translation,
                overrides=mine,
                tag=tag,
                path=place.path,
            ),
        )

    def include(self, what: str | os.PathLike[str] | RobotDescription) -> ArmBuilder:
        """Attach the elements of another robot: a file, or a description.

        As in the format, its own base frame and description are ignored. Mesh paths stay
        relative to that file.

        Raises:
            HrdfError: If the file cannot be read, its tags are taken, or it does not fit.
        """
        if isinstance(what, str | os.PathLike):
            what = read(what, catalog=self._robot.catalog_path)
        if not isinstance(what, RobotDescription):
            raise ModelError(f"include: expected a path or a RobotDescription, got {short(what)}")
        others = tuple(e for e in what.elements if not getattr(e, "implicit", False))
        place = Place(self._robot.elements)
        added = tuple(moved(element, place.next(element.kind)) for element in others)
        self._robot.adopt((*self._robot.elements, *added), what)
        return self

    def branch(self, output: int, sub: ArmBuilder) -> ArmBuilder:
        """Attach another builder's elements to one output of the element added last.

        Args:
            output: Number of the output, from 0, of the rigid body (or bracket: 0) added last.
            sub: Builder of the branch, as it is now; it can be used again.

        Raises:
            ModelError: If there is no such output, or it holds a branch already.
            HrdfError: If a tag is taken or the first element does not fit.
        """
        if not isinstance(sub, ArmBuilder):
            raise ModelError(f"branch: expected an ArmBuilder, got {short(sub)}")
        if sub._base != Pose():
            raise ModelError(
                "branch: the sub-builder has a base frame, which a branch cannot have. Put that "
                "placement into the output of the body"
            )
        last = self._robot.elements[-1] if self._robot.elements else None
        if not isinstance(last, elements.RigidBody | elements.Bracket):
            what = "there is none yet" if last is None else f"the last element is: {last.kind}"
            raise ModelError(f"branch: needs a rigid-body or bracket added before; {what}")
        outputs = last.outputs or (elements.Output(),)
        index = output_number(output, len(outputs), last.kind)
        if outputs[index].elements:
            raise ModelError(f"branch: output {index} of the {last.kind} holds a branch already")
        place = Place((), f"{last.path}/output[{index + 1}]")
        chain = tuple(moved(element, place.next(element.kind)) for element in sub._robot.elements)
        branched = tuple(
            replace(one, elements=chain) if i == index else one for i, one in enumerate(outputs)
        )
        if isinstance(last, elements.Bracket):
            full: Element = replace(last, outputs=branched)
        else:
            full = replace(last, outputs=branched, branched=True)
        self._robot.adopt((*self._robot.elements[:-1], full), sub.describe())
        return self

    def __repr__(self) -> str:
        kinds = ", ".join(element.kind for element in self.describe().elements[:20])
        return cut_to_line(f"ArmBuilder({self._description!r}; {kinds or 'nothing yet'})")

    def describe(self) -> RobotDescription:
        """Return the robot as it is now: a frozen description, as from a file."""
        return RobotDescription(
            elements=self._robot.elements,
            base=self._base,
            description=self._description,
            warnings=self._robot.warnings,
            files=self._robot.files,
        )

    def build(self) -> RobotModel:
        """Return a model of the robot as it is now.

        Raises:
            ModelError: If nothing was attached.
        """
        if not self._robot.elements:
            raise ModelError(
                "build: expected at least one element, got a builder with nothing attached. "
                'Attach parts first, such as ArmBuilder().actuator("X5-4").end_effector().build(). '
                "Methods attach to the builder that they are called on"
            )
        return RobotModel(self.describe())

    def _grow(self, kind: str, make: Callable[[Place, Findings], Element]) -> ArmBuilder:
        """Attach an element, and show what is doubtful about it."""
        before = len(self._robot.warnings)
        self._robot.attach(kind, make)
        for doubt in self._robot.warnings[before:]:
            if doubt.attribute != "axis":  # a negative one is only odd in a file
                warn_outside(str(doubt))
        return self
