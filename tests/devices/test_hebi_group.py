"""hebi-py behind the protocol, with a stand-in for hebi-py and its network.

A real ``hebi.Lookup`` sends to the network, so no test makes one.
"""

import math
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from armwright import devices
from armwright.devices import GroupCommand, connect, imitate
from armwright.devices.hebi import vendor
from armwright.devices.hebi.group import HebiGroup
from armwright.errors import (
    ActuatorNotFoundError,
    BackendUnavailableError,
    CommandRejectedError,
    DeviceError,
    DeviceStateError,
    FeedbackTimeoutError,
)

NAN = float("nan")
HOME = "armwright.devices.hebi.vendor"


# ---- a stand-in for hebi-py and its network


class Unprintable(Exception):
    """hebi-py has exceptions like this."""

    def __str__(self) -> str:
        raise TypeError("int() argument must be a number, not 'NoneType'")


class FakeCommand:
    def __init__(self, size: int) -> None:
        self.clear()

    def clear(self) -> None:
        self.position: Any = None
        self.velocity: Any = None
        self.effort: Any = None


class FakeGroup:
    """What hebi-py's group does, with modules that answer what the test wants."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.feedback_frequency = 0.0
        self.command_lifetime = 0
        self.sent: list[tuple[Any, Any, Any]] = []
        self.answers = True
        self.waited: list[float] = []
        self.error: Exception | None = None

    def send_command(self, command: FakeCommand) -> bool:
        if self.error is not None:
            raise self.error
        self.sent.append((command.position, command.velocity, command.effort))
        return self.answers

    def get_next_feedback(self, timeout_ms: float) -> Any:
        if self.error is not None:
            raise self.error
        self.waited.append(timeout_ms)
        if not self.answers:
            return None
        row = np.arange(self.size, dtype=np.float32)
        return SimpleNamespace(
            position=row,
            velocity=row * 0,
            effort=row * NAN,
            position_command=row * NAN,
            velocity_command=row + 1,
            effort_command=row * NAN,
        )

    def request_info(self, timeout_ms: float) -> Any:
        if not self.answers:
            return None
        return SimpleNamespace(
            name=["a", None],
            family=["F", "F"],
            mechanical_type=["X5-4", None],
            position_limit_min=np.array([-1, NAN]),
            position_limit_max=np.array([1, np.inf]),
        )


class Network:
    """A stand-in for the package ``hebi`` with some modules on its network."""

    def __init__(self, modules: list[tuple[str, str]]) -> None:
        self.modules = modules
        self.group: FakeGroup | None = None
        self.asked: Any = None
        self.broken: Exception | None = None
        self.GroupCommand = FakeCommand

    def Lookup(self) -> Any:
        if self.broken is not None:
            raise self.broken
        entries = [SimpleNamespace(family=family, name=name) for family, name in self.modules]
        return SimpleNamespace(entrylist=[*entries, None], get_group_from_names=self._find)

    def _find(self, families: list[str], names: list[str], timeout_ms: float) -> Any:
        self.asked = (families, names, timeout_ms)
        if all(pair in self.modules for pair in zip(families, names, strict=True)):
            self.group = FakeGroup(len(names))
        return self.group


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    network = Network([("F", "a"), ("F", "b"), ("G", "c")])
    monkeypatch.setattr(vendor, "import_hebi", lambda: network)
    return network


@pytest.fixture
def pair(network: Network) -> tuple[HebiGroup, FakeGroup]:
    group = connect("F", ["b", "a"])
    assert network.group is not None
    return group, network.group


def test_modules_get_a_moment_to_answer(network: Network) -> None:
    connect("F", "a", timeout=0.0).close()
    assert network.asked == (["F"], ["a"], 100.0)


def test_connecting_asks_for_modules_in_order(network: Network) -> None:
    with connect(["F", "G"], ["a", "c"], timeout=1.5) as group:
        assert network.asked == (["F", "G"], ["a", "c"], 1500.0)
        assert (group.size, group.names) == (2, ("a", "c"))
        assert isinstance(group, devices.ActuatorGroup)
        assert (group.feedback_frequency, group.command_lifetime) == (100.0, 0.25)
        assert network.group is not None
        assert (network.group.feedback_frequency, network.group.command_lifetime) == (100.0, 250)


def test_missing_modules_are_named_with_what_was_seen(network: Network) -> None:
    with pytest.raises(ActuatorNotFoundError, match=r"F/aa was not seen within 2 s.*G/c.*'F/a'"):
        connect("F", ["aa", "b"])
    network.modules = []
    with pytest.raises(ActuatorNotFoundError, match="no module was seen"):
        connect("F", "a")


def test_two_modules_of_one_name_are_an_error(network: Network) -> None:
    network.modules.append(("F", "a"))
    with pytest.raises(DeviceError, match="2 modules answer to F/a"):
        connect("F", ["a", "b"])


@pytest.mark.parametrize("timeout", [-1.0, NAN, math.inf, "x"])
def test_connecting_checks_its_timeout(network: Network, timeout: Any) -> None:
    with pytest.raises(CommandRejectedError, match="timeout"):
        connect("F", "a", timeout=timeout)
    assert network.asked is None


@pytest.mark.parametrize("error", [RuntimeError("socket"), Unprintable(), OSError()])
def test_vendor_errors_do_not_come_out(network: Network, error: Exception) -> None:
    network.broken = error
    with pytest.raises(DeviceError, match="connect: hebi-py reported: ") as caught:
        connect("F", "a")
    assert caught.value.__cause__ is error


def test_commands_are_sent_whole(pair: tuple[HebiGroup, FakeGroup]) -> None:
    group, fake = pair
    group.send(GroupCommand(position=[1, NAN], effort=[0, 2]))
    group.send(GroupCommand(velocity=[3, 4]))
    (position, velocity, effort), second = fake.sent
    np.testing.assert_array_equal(position, [1.0, NAN])
    assert velocity is None
    assert effort.tolist() == [0.0, 2.0]
    assert position.dtype == np.float64
    assert position.flags.c_contiguous
    assert second[0] is second[2] is None


def test_a_command_of_the_wrong_size_never_reaches_hebi(
    pair: tuple[HebiGroup, FakeGroup],
) -> None:
    group, fake = pair
    with pytest.raises(CommandRejectedError, match="expected 2, got 3"):
        group.send(GroupCommand(position=[1, 2, 3]))
    with pytest.raises(CommandRejectedError, match="expected a GroupCommand"):
        group.send([1, 2])  # type: ignore[arg-type]
    assert fake.sent == []


def test_what_hebi_cannot_send_is_an_error(pair: tuple[HebiGroup, FakeGroup]) -> None:
    group, fake = pair
    fake.answers = False
    with pytest.raises(DeviceError, match="could not send a command to b, a"):
        group.send(GroupCommand(effort=[0, 0]))
    fake.error = Unprintable()
    with pytest.raises(DeviceError, match="send: hebi-py reported: Unprintable"):
        group.send(GroupCommand(effort=[0, 0]))
    with pytest.raises(DeviceError, match="feedback: hebi-py reported: Unprintable"):
        group.feedback()


def test_feedback_is_converted_and_kept(pair: tuple[HebiGroup, FakeGroup]) -> None:
    group, fake = pair
    feedback = group.feedback(timeout=0.2)
    assert fake.waited == [200.0]
    assert feedback.position.dtype == np.float64
    assert feedback.position.tolist() == [0.0, 1.0]
    assert np.isnan(feedback.effort).all()
    assert feedback.velocity_command.tolist() == [1.0, 2.0]
    assert group.feedback().time >= feedback.time >= 0.0
    assert fake.waited[-1] == 500.0


def test_silence_is_a_named_error(pair: tuple[HebiGroup, FakeGroup]) -> None:
    group, fake = pair
    fake.answers = False
    with pytest.raises(FeedbackTimeoutError, match=r"not all of 2 modules \(b, a\) .* 0.1 s"):
        group.feedback(timeout=0.1)
    with pytest.raises(FeedbackTimeoutError, match="info: not all of 2 modules"):
        group.info()


def test_info_is_converted(pair: tuple[HebiGroup, FakeGroup]) -> None:
    info = pair[0].info()
    assert (info.names, info.families, info.types) == (("a", ""), ("F", "F"), ("X5-4", ""))
    np.testing.assert_array_equal(info.position_limits, [[-1, NAN], [1, np.inf]])


@pytest.mark.parametrize(
    ("seconds", "milliseconds"), [(0.25, 250), (0, 0), (0.0001, 1), (0.1, 100), (4.999, 4999)]
)
def test_lifetimes_are_milliseconds_and_never_become_for_ever(
    pair: tuple[HebiGroup, FakeGroup], seconds: float, milliseconds: int
) -> None:
    group, fake = pair
    group.command_lifetime = seconds
    assert fake.command_lifetime == milliseconds
    assert group.command_lifetime == milliseconds / 1000


def test_a_closed_group_asks_for_nothing_and_says_so(pair: tuple[HebiGroup, FakeGroup]) -> None:
    group, fake = pair
    group.close()
    group.close()
    assert fake.feedback_frequency == 0.0
    assert "closed" in repr(group)
    for use in (
        group.feedback,
        group.info,
        lambda: group.send(GroupCommand()),
        lambda: setattr(group, "command_lifetime", 1.0),
        group.__enter__,
    ):
        with pytest.raises(DeviceStateError, match="closed"):
            use()


# ---- without hebi-py


@pytest.fixture
def without_hebi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hebi", None)


@pytest.mark.usefixtures("without_hebi")
def test_a_missing_hebi_says_how_to_install_it() -> None:
    with pytest.raises(BackendUnavailableError, match=r'pip install "\.\[hebi\]"'):
        connect("F", "a")
    with pytest.raises(ImportError, match=r"3\.13"):
        imitate(2)


def test_a_broken_hebi_says_what_broke(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> ModuleType:
        print("a line of the vendor's")
        raise OSError("libhebi.so: cannot open shared object file")

    monkeypatch.setattr(f"{HOME}.importlib", SimpleNamespace(import_module=broken))
    with pytest.raises(BackendUnavailableError, match=r"cannot be loaded: libhebi\.so"):
        imitate(1)


@pytest.mark.parametrize("version", [(3, 12), (3, 13)])
def test_the_advice_depends_on_python(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int]
) -> None:
    monkeypatch.setattr(f"{HOME}.sys", SimpleNamespace(version_info=(*version, 0, "final", 0)))
    text = vendor.how_to_install(ModuleNotFoundError("No module named 'hebi'", name="hebi"))
    assert text.startswith("hebi-py is not installed; ")
    assert ("this is 3.13" in text) == (version == (3, 13))


@pytest.mark.parametrize("n", [0, -1, 1.0, "2", True, None])
def test_an_imitation_needs_a_size(n: Any) -> None:
    with pytest.raises(CommandRejectedError, match="imitate: expected a whole number from 1"):
        imitate(n)
