"""Faults of modules, put on any group: efforts and positions that are told wrongly.

For trying what finds faults. What is behind the group stays as it is; what it is told and what it
reports is turned over or shifted on the way. IMUs tell the truth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from armwright.devices.group import (
    ActuatorGroup,
    GroupAround,
)
from armwright.devices.kinds import check_command, check_group, listed
from armwright.devices.messages import GroupCommand, GroupFeedback
from armwright.errors import CommandRejectedError, did_you_mean
from armwright.kinematics.arrays import (
    FloatArray,
    number,
    row,
)
from armwright.reprs import short


class FaultyGroup(GroupAround):
    """A group some of whose modules tell the wrong sign or count from the wrong zero.

    Args:
        group: The group behind it; it is closed with this one.
        effort_signs: Names of modules whose efforts have the wrong sign, both ways.
        reversed: Names of modules that count backwards: positions, velocities and efforts.
        zeros: How far each named module reads too little [rad or m]: what must be added to its
            position.

    Raises:
        CommandRejectedError: If there is no module of that name, or a zero is not finite.

    Example:
        >>> from armwright import ArmBuilder, devices
        >>> arm = ArmBuilder().actuator("X5-4", tag="base").build()
        >>> with devices.FaultyGroup(devices.simulate(arm, q0=[0.5]), zeros={"base": 0.2}) as group:
        ...     group.feedback().position.round(3).tolist()
        [0.3]
    """

    def __init__(
        self,
        group: ActuatorGroup,
        *,
        effort_signs: Sequence[str] = (),
        reversed: Sequence[str] = (),
        zeros: Mapping[str, float] | None = None,
    ) -> None:
        check_group(group, "FaultyGroup")
        super().__init__(group)
        self._turn = np.ones(group.size)  # from what is reported to what is
        self._shift = np.zeros(group.size)
        self._push = np.ones(group.size)
        for name in listed(reversed, "FaultyGroup, reversed", "names of modules"):
            self._turn[self._number(name)] = -1.0
        for name in listed(effort_signs, "FaultyGroup, effort_signs", "names of modules"):
            self._push[self._number(name)] = -1.0
        if not isinstance(zeros, Mapping | None):
            raise CommandRejectedError(
                f"FaultyGroup, zeros: expected a mapping by name, got {short(zeros)}"
            )
        for name, zero in (zeros or {}).items():
            where = f"FaultyGroup, zeros of {short(name)}"
            self._shift[self._number(name)] = number(zero, where, error=CommandRejectedError)

    def truth(self, position: npt.ArrayLike) -> FloatArray:
        """Return where the joints are when the modules report a position, shape (size,)."""
        told = row(position, self.size, "FaultyGroup.truth, position", CommandRejectedError)
        return self._turn * told + self._shift

    def feedback(self, timeout: float | None = None) -> GroupFeedback:
        """Wait for the next feedback, and return it with the faults."""
        true = self._group.feedback(timeout)
        push = self._turn * self._push
        return GroupFeedback(
            true.time,
            self._turn * (true.position - self._shift),
            self._turn * true.velocity,
            push * true.effort,
            self._turn * (true.position_command - self._shift),
            self._turn * true.velocity_command,
            push * true.effort_command,
        )._sensing(true._sensed)

    def send(self, command: GroupCommand) -> None:
        """Replace the command that acts now, with the faults."""
        check_command(command)
        position, velocity, effort = command.for_size(self.size)
        self._group.send(
            GroupCommand(
                position=self._turn * position + self._shift,
                velocity=self._turn * velocity,
                effort=self._turn * self._push * effort,
            )
        )

    def _number(self, name: str) -> int:
        """Return the number of a module."""
        if not isinstance(name, str) or name not in self.names:
            raise CommandRejectedError(
                f"FaultyGroup: no module is called {short(name)}.{did_you_mean(name, self.names)}"
            )
        return self.names.index(name)
