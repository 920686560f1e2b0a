"""Joints by name and number: matrices that pick some of them, joint values as mappings."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from armwright.errors import FrameNotFoundError, JointVectorError, ModelError, did_you_mean

from .groups import Group, Groups
from .inputs import one_of
from .transforms import FloatArray, numeric, short

Joints = str | int | Group | Sequence[str | int]


class Selecting(Groups):
    """Some of the joints.

    Where joints are expected, they are a group or its name, a joint's name or number, or a list
    of names and numbers. A list keeps its order; a group has the order of q.
    """

    __slots__ = ()

    def joint_index(self, joint: str | int) -> int:
        """Return the place of a joint in q, from 0.

        Args:
            joint: Its name, or already its number.

        Raises:
            FrameNotFoundError: If there is no such joint; the message has near names.
        """
        if isinstance(joint, str):
            if joint in self.joint_names:
                return self.joint_names.index(joint)
            if joint in self.tags:
                kind = self.elements[self.tags[joint]].kind
                text = f"joint: {joint!r} is no joint, but a {kind}."
            else:
                text = f"joint: there is no joint {joint!r}."
            known = did_you_mean(joint, self.joint_names) or " The robot has no joints"
            raise FrameNotFoundError(text + known)
        if isinstance(joint, bool | np.bool_) or not isinstance(joint, int | np.integer):
            raise FrameNotFoundError(f"joint: expected a name or a number, got {short(joint)}")
        if not 0 <= joint < self.dof:
            known = f"0 to {self.dof - 1}" if self.dof else "none, as the robot has no joints"
            raise FrameNotFoundError(f"joint: expected {known}, got {joint}")
        return int(joint)

    def joint_indices(self, joints: Joints) -> tuple[int, ...]:
        """Return the places of some joints in q; ``q[..., model.joint_indices("arm")]``.

        Args:
            joints: A group or its name, a joint's name or number, or a list of them.

        Raises:
            FrameNotFoundError: If there is no such group or joint.
            ModelError: If a joint is named twice, or a name is that of a group and of a joint.
        """
        if isinstance(joints, Group):
            if self.groups.get(joints.name) != joints:
                raise FrameNotFoundError(
                    f"joints: group {joints.name!r} is not one of this model's."
                    + did_you_mean(joints.name, self.groups)
                )
            return joints.joints
        if isinstance(joints, str):
            return self._named_joints(joints)
        if isinstance(joints, int | np.integer):
            return (self.joint_index(joints),)
        if not isinstance(joints, Sequence | np.ndarray):
            raise FrameNotFoundError(
                f"joints: expected a group, a joint or a list of joints, got {short(joints)}"
            )
        found = tuple(self.joint_index(joint) for joint in joints)
        for place, number in enumerate(found):
            if number in found[:place]:
                raise ModelError(f"joints: {self.joint_names[number]!r} is there twice")
        return found

    def selection(self, joints: Joints) -> FloatArray:
        """Return the matrix S that picks some joints: S @ q are theirs, S.T puts them back.

        Args:
            joints: A group or its name, a joint's name or number, or a list of them.

        Returns:
            Shape (k, dof) of zeros and ones, for k joints.

        Raises:
            FrameNotFoundError: If there is no such group or joint.
            ModelError: If a joint is named twice, or a name is that of a group and of a joint.
        """
        picked: FloatArray = np.eye(self.dof)[list(self.joint_indices(joints))]
        return picked

    def mask_jacobian(self, J: npt.ArrayLike, joints: Joints) -> FloatArray:
        """Return a Jacobian in which only some joints move: the other columns are 0.

        Args:
            J: Shape (..., dof), or (..., 6 + dof) for a floating base, whose six columns become
                0 as well; any number of rows.
            joints: A group or its name, a joint's name or number, or a list of them.

        Returns:
            A fresh array of the shape of J.

        Raises:
            FrameNotFoundError: If there is no such group or joint.
            ModelError: If J has another number of columns or is not numeric.
        """
        picked = list(self.joint_indices(joints))
        full = numeric(J)
        if full is None or full.ndim < 1 or full.shape[-1] not in (self.dof, self.dof + 6):
            got = short(J) if full is None else f"shape {full.shape}"
            raise ModelError(
                f"J: expected a matrix of {self.dof} columns ({self.dof + 6} with a floating "
                f"base), got {got}"
            )
        keep = np.zeros(full.shape[-1], dtype=bool)
        keep[np.add(picked, full.shape[-1] - self.dof)] = True
        masked: FloatArray = np.where(keep, full, 0.0)
        return masked

    @overload
    def to_map(
        self, q: npt.ArrayLike, joints: Joints | None = None, *, by: Literal["name"] = "name"
    ) -> dict[str, float]: ...

    @overload
    def to_map(
        self, q: npt.ArrayLike, joints: Joints | None = None, *, by: Literal["number"]
    ) -> dict[int, float]: ...

    def to_map(
        self,
        q: npt.ArrayLike,
        joints: Joints | None = None,
        *,
        by: Literal["name", "number"] = "name",
    ) -> dict[str, float] | dict[int, float]:
        """Return joint values as a mapping; ``from_map`` is the way back.

        Args:
            q: Joint values of any kind, shape (dof,).
            joints: Which ones; None: all. A group or its name, a joint's name or number, or a
                list of them.
            by: "name": joint names are the keys, "number": places in q.

        Raises:
            JointVectorError: If q has the wrong length or is not finite.
            FrameNotFoundError: If there is no such group or joint.
        """
        values = self._joint_vector(q).tolist()
        numbers = range(self.dof) if joints is None else self.joint_indices(joints)
        if one_of(by, ("name", "number"), "by") == "number":
            return {number: values[number] for number in numbers}
        return {self.joint_names[number]: values[number] for number in numbers}

    def from_map(
        self,
        values: Mapping[Any, float],
        default: npt.ArrayLike | str | None = None,
    ) -> FloatArray:
        """Return joint values from a mapping of some joints.

        Args:
            values: Joint name or number to value.
            default: What the other joints have: one number, a vector of shape (dof,), or the
                name of a reference configuration. None: every joint must be in the mapping.

        Returns:
            A fresh array, shape (dof,).

        Raises:
            FrameNotFoundError: If there is no such joint or reference configuration.
            JointVectorError: If a joint is missing and there is no default, a joint is there by
                name and by number, or a value is not a finite number.
        """
        if not isinstance(values, Mapping):
            raise JointVectorError(f"values: expected a mapping of joints, got {short(values)}")
        given: dict[int, float] = {}
        for key, value in values.items():
            number = self.joint_index(key)
            name = self.joint_names[number]
            one = numeric(value)
            if one is None or one.ndim or not np.isfinite(one):
                raise JointVectorError(
                    f"joint {name!r}: expected a finite number, got {short(value)}"
                )
            if number in given:
                raise JointVectorError(
                    f"joint {name!r} is there twice, by name and by number {number}"
                )
            given[number] = float(one)
        missing = [name for number, name in enumerate(self.joint_names) if number not in given]
        if default is None and missing:
            raise JointVectorError(
                f"values: expected {self.dof} joints, got {len(given)}; missing: "
                f"{', '.join(missing)}. Give them, or a default"
            )
        q = np.zeros(self.dof) if default is None else self._default(default)
        q[list(given)] = list(given.values())
        return self._joint_vector(q, "values")

    def _default(self, default: npt.ArrayLike | str) -> FloatArray:
        """Return the values that joints have when nothing is said of them, shape (dof,)."""
        if isinstance(default, str):
            known = self.reference_configurations
            if default not in known:
                hint = did_you_mean(default, known) or " The robot has none"
                raise FrameNotFoundError(
                    f"default: there is no reference configuration {default!r}.{hint}"
                )
            return known[default].copy()
        if np.ndim(default) == 0 and numeric(default) is not None:
            return self._joint_vector(np.full(self.dof, default), "default")
        return self._joint_vector(default, "default")

    def _named_joints(self, name: str) -> tuple[int, ...]:
        """Return the joints of a group, or the joint, of that name."""
        if name in self.groups:
            group = self.groups[name].joints
            if name in self.joint_names and group != (self.joint_index(name),):
                raise ModelError(
                    f"joints: {name!r} is a group and a joint. Say model.groups[{name!r}] or "
                    f"[{name!r}]"
                )
            return group
        if name not in self.joint_names and self.groups:
            known = did_you_mean(name, [*self.groups, *self.joint_names])
            raise FrameNotFoundError(f"joints: there is no group or joint {name!r}.{known}")
        return (self.joint_index(name),)
