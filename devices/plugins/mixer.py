"""Calls plugins, adds up what they contribute, and cuts off those that fail.

Whatever a plugin does, the loop gets efforts that are finite and within the actuators' limits: the
mixer keeps the last good contribution of each, so that an arm that is stopped for a plugin's
failure is still held by all of them.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from armwright.errors import CommandRejectedError, PluginError
from armwright.kinematics.arrays import (
    FINITE,
    FloatArray,
    finite_numbers,
    frozen,
    number,
    row,
)
from armwright.reprs import short

from .turn import Turn


class Mixer:
    """The plugins of one loop.

    Args:
        plugins: Functions of a turn, or objects with ``update``.
        max_efforts: What the actuators can give, shape (dof,) [N m or N].

    Attributes:
        efforts: What all plugins contribute now, within the limits, shape (dof,), read-only.

    Raises:
        CommandRejectedError: If one of them cannot be called, or has no usable ramp time.
    """

    def __init__(self, plugins: Iterable[object], max_efforts: FloatArray) -> None:
        self._channels = [_Channel(plugin, len(max_efforts)) for plugin in plugins]
        self._max_efforts = max_efforts
        self._started = False
        self.efforts = frozen(np.zeros(len(max_efforts)))

    def __repr__(self) -> str:
        return f"Mixer({len(self._channels)} plugins)"

    def __len__(self) -> int:
        return len(self._channels)

    def update(self, turn: Turn) -> FloatArray:
        """Ask every plugin for its contribution, and return ``efforts``.

        Raises:
            PluginError: If one failed, after all were asked; ``efforts`` has the last good
                contribution of that one, and is as good as ever.
        """
        if not isinstance(turn, Turn):
            raise CommandRejectedError(f"update: expected a Turn, got {short(turn)}")
        failures = []
        for channel in self._channels:
            if channel.is_cut:
                continue
            try:
                if not self._started:
                    channel.start(turn)
                channel.update(turn)
            except PluginError as error:
                channel.is_cut = True
                failures.append(error)
        self._started = True
        total = sum((channel.contribution for channel in self._channels), np.zeros(turn.model.dof))
        self.efforts = frozen(np.clip(total, -self._max_efforts, self._max_efforts))
        if failures:
            raise failures[0]
        return self.efforts


def as_mixer(plugins: object, max_efforts: FloatArray, *, before: Iterable[object] = ()) -> Mixer:
    """Check what a caller gave for plugins; ``before`` are ours."""
    for given in (before, plugins):
        flat = isinstance(given, np.ndarray) and not given.ndim
        if flat or isinstance(given, str) or not isinstance(given, Iterable):
            raise CommandRejectedError(f"plugins: expected a list of plugins, got {short(given)}")
    bounds = row(max_efforts, None, "as_mixer, max_efforts", CommandRejectedError)
    return Mixer([*before, *plugins], bounds)  # type: ignore[misc]


class _Channel:
    """One plugin with its ramp and its last good contribution."""

    def __init__(self, plugin: Any, dof: int) -> None:
        update = getattr(plugin, "update", plugin)
        if isinstance(plugin, type) or not callable(update):
            made = "; make one of the class" if isinstance(plugin, type) else ""
            raise CommandRejectedError(
                "plugins: expected functions of a turn, or objects with update(turn), "
                f"got {short(plugin)}{made}"
            )
        self._plugin = plugin
        self._update: Callable[[Turn], object] = update
        named = getattr(plugin, "name", None) or getattr(plugin, "__name__", None)
        self.name = str(named or type(plugin).__name__)
        self._ramp_time = self._read_ramp_time()
        self._ratio = 0.0 if self._ramp_time > 0.0 else 1.0
        self.contribution = np.zeros(dof)
        self.is_cut = False  # a plugin that failed is not called again

    def start(self, turn: Turn) -> None:
        """Let the plugin begin, where it wants to know."""
        begin = getattr(self._plugin, "start", None)
        if begin is not None:
            self._call(begin, turn)

    def update(self, turn: Turn) -> None:
        """Take the plugin's efforts of this turn, as far as it has come in.

        Raises:
            PluginError: If it fails; its contribution stays what it was.
        """
        returned = self._call(self._update, turn)
        where, dof = f"plugin {self.name!r}, efforts", len(self.contribution)
        efforts = finite_numbers(returned, dof, where, PluginError, most=FINITE)
        if self._ratio < 1.0:
            self._ratio = min(1.0, self._ratio + turn.dt / self._ramp_time)
        self.contribution = self._ratio * efforts

    def _call(self, function: Callable[[Turn], object], turn: Turn) -> object:
        """Call a function of the plugin; whatever it raises is a ``PluginError``."""
        try:
            return function(turn)
        except Exception as error:
            said = str(error) or "nothing more"
            raise PluginError(
                f"plugin {self.name!r} raised {type(error).__name__}: {said}"
            ) from error

    def _read_ramp_time(self) -> float:
        """Return the ramp time, checked [s]."""
        given = getattr(self._plugin, "ramp_time", 0.0)
        where, wanted = f"plugin {self.name!r}, ramp_time", "seconds, not negative"
        return number(given, where, wanted, low=0.0, error=CommandRejectedError)
