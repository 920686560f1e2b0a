"""What a model says of itself: its name, what it assumes, and a page for people to read."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from .compile import GRAVITY, SCALE, SLIDES, X
from .floating import FloatingBase
from .groups import Groups
from .inputs import read_only
from .named_frames import KINDS, NamedFrames
from .topology import Topologies
from .transforms import FloatArray


class Describing(Groups, NamedFrames, Topologies, FloatingBase):
    """A model in words."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Name of the robot: its description, "" when it has none."""
        return self.description.description

    @property
    def gravity(self) -> FloatArray:
        """Acceleration of free fall when a call says no other, world axes, (3,) [m/s^2]."""
        return read_only(self._rows[0, GRAVITY])

    @property
    def gear_ratios(self) -> FloatArray:
        """Gear ratio of every joint, shape (dof,): it moves by q divided by it; 1 without gears.

        The reduction inside an actuator is not among them: its q is that of its output.
        """
        return read_only(1.0 / self._rows[1:, SCALE])

    def frame_name(self, frame_type: str, index: int) -> str:
        """Return the name of a frame by its type and number; ``frame`` is the way back.

        Args:
            frame_type: Which kind of frame.
            index: Which frame of that kind, from 0.

        Returns:
            The name; "" for a frame that has none of its own.

        Raises:
            FrameNotFoundError: If there is no such frame.
        """
        wanted = self._frame(frame_type, index)
        return next(
            (place.name for place in self._places(None) if self._frame_at(place) == wanted), ""
        )

    def describe(
        self,
        q: npt.ArrayLike | None = None,
        v: npt.ArrayLike | None = None,
        tau: npt.ArrayLike | None = None,
    ) -> str:
        """Describe the robot for a person to read: joints, limits, drives, frames, groups.

        Args:
            q: Positions to show beside the limits, shape (dof,) [rad or m]; None: none.
            v: Velocities likewise.
            tau: Efforts likewise.

        Returns:
            Some lines of text. A value beyond its limit has a "!" behind it.

        Raises:
            JointVectorError: If a length is wrong or a number is not finite.

        Example:
            >>> print(model.describe().splitlines()[1])
            6 joints, 13 elements, 4.454 kg; base fixed at 0 0 0 m
        """
        lines = [_shown(self.name) or "robot without a name", self._summary()]
        table = self._joint_table(q, v, tau)
        if table:
            lines += ["", *table]
        frames = [
            f"{kind} frames: {_listed(names)}"
            for kind in KINDS
            if (names := self.frame_names(kind))
        ]
        if frames:
            lines += ["", *frames]
        groups = [
            f"{group.kind} {_shown(group.name)}: {_listed(group.joint_names)}"
            for group in self.groups.values()
        ]
        if groups:
            lines += ["", *groups]
        if self.reference_configurations:
            lines += ["", f"configurations: {_listed(self.reference_configurations)}"]
        return "\n".join(lines)

    def _summary(self) -> str:
        """Return size, mass and base in one line."""
        parts = [_count(self.dof, "joint"), _count(self.n_elements, "element")]
        parts.append(f"{self.total_mass:.3f} kg")
        loads = sum(payload.mass for payload in self._payloads)
        if loads:
            parts.append(f"payload {loads:g} kg")
        where = " ".join(f"{x:g}" for x in self._rows[0, X].reshape(3, 4)[:, 3] + 0.0)
        base = f"base fixed at {where} m"
        if self._extras.free_flyer:
            chosen = self.floating_base
            frame = "the first element's" if chosen is None else f"{chosen[0].value} {chosen[1]}"
            base = f"base free, its frame {frame}"
        return f"{', '.join(parts)}; {base}"

    def _joint_table(
        self, q: npt.ArrayLike | None, v: npt.ArrayLike | None, tau: npt.ArrayLike | None
    ) -> list[str]:
        """Return one line per joint, columns aligned."""
        topology, drives, slides = self.topology, self.joint_dynamics, self._rows[1:, SLIDES] != 0
        lower, upper = self.position_limits
        names = [_shown(name) for name in self.joint_names]
        columns: list[tuple[str, list[str]]] = [
            ("joint", [str(i) for i in range(self.dof)]),
            ("name", names),
            ("kind", list(topology.joint_kinds)),
            ("on", [names[p] if p >= 0 else "base" for p in topology.parents]),
        ]
        given = (("q", q, lower, upper), ("v", v, -self.max_speeds, self.max_speeds))
        for name, value, low, high in (*given, ("tau", tau, -self.max_efforts, self.max_efforts)):
            if value is not None:
                columns.append((name, _marked(self._joint_vector(value, name), low, high)))
        columns += [
            ("lower", _numbers(lower)),
            ("upper", _numbers(upper)),
            ("max speed", _numbers(self.max_speeds)),
            ("max effort", _numbers(self.max_efforts)),
        ]
        for name in ("rotor_inertia", "damping", "friction"):
            if getattr(drives, name).any():
                columns.append((name.replace("_", " "), _numbers(getattr(drives, name))))
        if (self.gear_ratios != 1.0).any():
            columns.append(("gear ratio", _numbers(self.gear_ratios)))
        columns.append(("unit", ["m, N" if slide else "rad, N m" for slide in slides]))
        if not self.dof:
            return []
        widths = [max(map(len, [name, *cells])) for name, cells in columns]
        heads = [[name for name, _ in columns]]
        heads += [[cells[i] for _, cells in columns] for i in range(self.dof)]
        return [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in heads
        ]


def _shown(text: str) -> str:
    """Return a text for one line: what does not print, such as a line end, is escaped."""
    return text if text.isprintable() else repr(text)[1:-1]


def _listed(names: Iterable[str]) -> str:
    """Return names as a list in one line."""
    return ", ".join(_shown(name) for name in names)


def _count(number: int, what: str) -> str:
    """Return a number with its noun."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _numbers(values: FloatArray) -> list[str]:
    """Return short texts of numbers; "-" for what has no limit."""
    return [f"{x:.4g}" if np.isfinite(x) else "-" for x in values]


def _marked(values: FloatArray, lower: FloatArray, upper: FloatArray) -> list[str]:
    """Return short texts of numbers, those beyond a limit with a mark."""
    beyond = (values < lower) | (values > upper)
    return [f"{x:.4g}{'!' if bad else ''}" for x, bad in zip(values, beyond, strict=True)]
