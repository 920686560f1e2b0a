"""Every public callable with arguments that nobody should give: a result or an error of ours.

Never an AttributeError from inside, an ambiguous truth value, a warning of numpy, a message that
fills the terminal, or a call that does not end. All of them are tried, and what is wrong is printed
by kind, by ``python -m tests.project.test_odd_arguments [NAME]``.
"""

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armwright import devices, ik
from armwright.errors import ArmwrightError, CommandRejectedError, FrameNotFoundError
from tests.project.odd_calls import Call, calls, recording, sensible
from tests.project.odd_values import ODD, outcome

CALLS = {call.name: call for call in calls()}
NOT_TRIED = {
    "devices.connect",  # asks the network; its arguments are tried with another lookup
}
CALLERS_FAULTS = {
    ("devices.follow", "progress", "class"),  # a function that raises when it is called
}
SHARE = 5  # one of so many is tried in the quick run

# Kernels that are compiled on first use would count as slow, and must not be interrupted.
_STARTED: set[str] = set()


def start(call: Call) -> None:
    """Call it once as it should be, so that all that it needs is there."""
    if call.name in _STARTED:
        return
    _STARTED.add(call.name)
    recording()
    needed = [p.name for p in call.parameters if p.default is p.empty]
    with suppress(ArmwrightError):  # it needs one of several that may be left out
        call(needed[0], sensible(call.name, needed[0])()) if needed else call.function()()


def wrong(call: Call, parameter: str, odd: str) -> str:
    """Try one; return what is wrong, "" for nothing."""
    start(call)
    said = outcome(lambda: call(parameter, ODD[odd]()))
    return said and f"{call.name}({parameter}={odd}): {said}"


def combinations(call: Call) -> list[tuple[str, str]]:
    """Return every parameter with every value."""
    every = [(p.name, odd) for p in call.parameters for odd in ODD]
    return [one for one in every if (call.name, *one) not in CALLERS_FAULTS]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are written by odd names go into a folder that goes away."""
    monkeypatch.chdir(tmp_path)


def test_every_argument_that_is_needed_has_a_sensible_value() -> None:
    for call in CALLS.values():
        for p in call.parameters:
            if p.default is p.empty:
                sensible(call.name, p.name)


def test_a_sample_of_all() -> None:
    everything = [
        (name, *one)
        for name, call in CALLS.items()
        if name not in NOT_TRIED
        for one in combinations(call)
    ]
    order = np.random.default_rng(20).permutation(len(everything))
    chosen = [everything[i] for i in order[: len(everything) // SHARE]]
    found = [wrong(CALLS[name], parameter, odd) for name, parameter, odd in chosen]
    assert [one for one in found if one] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CALLS.keys() - NOT_TRIED))
def test_all(name: str) -> None:
    found = [wrong(CALLS[name], *one) for one in combinations(CALLS[name])]
    assert [one for one in found if one] == []


@pytest.mark.parametrize("parameter", ["families", "names", "timeout"])
def test_connect(parameter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hebi = pytest.importorskip("hebi")

    class Silent:
        """A lookup that sees nobody and sends nothing."""

        entrylist: tuple[object, ...] = ()

        def get_group_from_names(self, *_: object, **__: object) -> None:
            return None

        def __iter__(self) -> object:
            return iter(())

    monkeypatch.setattr(hebi, "Lookup", Silent)
    monkeypatch.setattr("time.sleep", lambda _: None)
    usual = {"families": "Arm", "names": ["a"], "timeout": 0.0}
    found = [
        outcome(lambda make=make: devices.connect(**{**usual, parameter: make()}))  # type: ignore[misc]
        for odd, make in ODD.items()
        if not (parameter == "timeout" and odd in LONG)
    ]
    assert [one for one in found if one] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"frame_type": 3}, "expected a frame type, got 3"),
        ({"index": -1}, "index: expected a whole number from 0, got -1"),
        ({"tag": 3}, "tag: expected a text, got 3"),
        ({"frame": ("nowhere", 1)}, "expected a frame type, got 'nowhere'"),
        ({"frame": "tool", "index": 1}, "frame: expected it alone"),
    ],
)
def test_objectives_check_their_frames_when_they_are_made(words: dict[str, Any], said: str) -> None:
    makers: list[Callable[..., object]] = [
        lambda **w: ik.pose(np.eye(4), **w),
        lambda **w: ik.position([1, 0, 0], **w),
        lambda **w: ik.orientation(np.eye(3), **w),
        lambda **w: ik.tip_axis([0, 0, 1], **w),
        lambda **w: ik.twist([0.1] * 6, **w),
        ik.manipulability_goal,
    ]
    for make in makers:
        with pytest.raises(FrameNotFoundError, match=said):
            make(**words)


def test_seeds_are_whole_numbers() -> None:
    odd_seeds: list[Any] = [None, -1, 1.0, "1", [[]], True]
    for odd in odd_seeds:
        with pytest.raises(CommandRejectedError, match="seed: expected a whole number from 0"):
            devices.simulate(sensible("x", "model")(), seed=odd)


LONG = {"1e300", "7", "2**63"}  # seconds that are waited for


def main(only: str) -> None:
    """Try all and print what is wrong, by kind."""
    kinds: Counter[str] = Counter()
    tried = 0
    for name in sorted(CALLS.keys() - NOT_TRIED):
        if only not in name:
            continue
        for one in combinations(CALLS[name]):
            tried += 1
            said = wrong(CALLS[name], *one)
            if said:
                print(said)
                kinds[said.partition("): ")[2].partition(":")[0][:40]] += 1
    print(f"{tried} tries, {sum(kinds.values())} wrong: {dict(kinds.most_common())}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
