"""Real imitation groups of hebi-py behind the protocol, on a wall clock of our own."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import armwright as aw
from armwright import devices
from armwright.devices import GroupCommand, imitate
from armwright.devices.hebi import vendor
from armwright.devices.hebi.imitation import ImitationGroup
from armwright.errors import CommandRejectedError, FeedbackTimeoutError

NAN = float("nan")


class Clock:
    """A wall clock that only sleeping moves on."""

    def __init__(self) -> None:
        self.now = 100.0

    def read(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def imitation(clock: Clock) -> Iterator[ImitationGroup]:
    """Three real imitated modules that sleep on our clock."""
    pytest.importorskip("hebi")
    made = imitate(3)
    modules = [("imitation", name) for name in made.names]
    with ImitationGroup(
        vendor.import_hebi(),
        made._group,
        modules=modules,
        clock=clock.read,
        sleep=clock.sleep,
    ) as group:
        yield group


@pytest.mark.hebi
def test_an_imitation_is_a_group_like_any_other(imitation: ImitationGroup) -> None:
    assert isinstance(imitation, devices.ActuatorGroup)
    assert imitation.names == ("module1", "module2", "module3")
    assert (imitation.feedback_frequency, imitation.command_lifetime) == (100.0, 0.25)
    feedback = imitation.feedback(timeout=0.1)
    assert feedback.position.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.hebi
def test_an_imitation_echoes_commands_in_single_precision(imitation: ImitationGroup) -> None:
    imitation.send(GroupCommand(position=[0.1, 0.2, 0.3], velocity=[1, 2, 3], effort=[4, 5, 6]))
    feedback = imitation.feedback()
    np.testing.assert_allclose(feedback.position, [0.1, 0.2, 0.3], atol=1e-7)
    np.testing.assert_allclose(feedback.position_command, [0.1, 0.2, 0.3], atol=1e-7)
    assert feedback.velocity.tolist() == [1.0, 2.0, 3.0]
    assert feedback.effort_command.tolist() == [4.0, 5.0, 6.0]


@pytest.mark.hebi
def test_what_is_not_commanded_stays_and_does_not_become_nan(imitation: ImitationGroup) -> None:
    imitation.send(GroupCommand(position=[1, 2, 3], velocity=[1, 1, 1]))
    imitation.feedback()
    imitation.send(GroupCommand(position=[5, NAN, 6], effort=[1, 1, NAN]))
    feedback = imitation.feedback()
    np.testing.assert_allclose(feedback.position, [5.0, 2.0, 6.0])
    assert feedback.velocity.tolist() == [0.0, 0.0, 0.0]
    assert feedback.effort.tolist() == [1.0, 1.0, 0.0]
    assert np.isnan(feedback.position_command[1])
    imitation.send(GroupCommand())
    np.testing.assert_allclose(imitation.feedback().position, [5.0, 2.0, 6.0])


@pytest.mark.hebi
def test_an_imitation_keeps_to_its_frequency(imitation: ImitationGroup, clock: Clock) -> None:
    times = [imitation.feedback().time for _ in range(4)]
    np.testing.assert_allclose(np.diff(times), 0.01, atol=1e-9)
    clock.now += 0.5  # a busy program gets feedback at once
    before = clock.now
    imitation.feedback()
    assert clock.now == before
    imitation.feedback_frequency = 0.0
    with pytest.raises(FeedbackTimeoutError, match="feedback_frequency of 0 Hz"):
        imitation.feedback(timeout=0.3)
    assert clock.now == pytest.approx(before + 0.3)


@pytest.mark.hebi
def test_an_imitation_knows_nothing_but_its_names(imitation: ImitationGroup) -> None:
    info = imitation.info()
    assert info.names == imitation.names
    assert info.types == ("", "", "")
    assert np.isnan(info.position_limits).all()


@pytest.mark.hebi
def test_settings_reach_hebi_and_its_refusals_are_ours(imitation: ImitationGroup) -> None:
    imitation.feedback_frequency = 50
    imitation.command_lifetime = 1.5
    assert imitation._group.feedback_frequency == 50.0
    assert imitation._group.command_lifetime == 1500
    for bad in (-5, NAN, 250):
        with pytest.raises(CommandRejectedError, match="command_lifetime"):
            imitation.command_lifetime = bad
    with pytest.raises(CommandRejectedError, match="feedback_frequency: expected at most 10000"):
        imitation.feedback_frequency = 10001
    imitation.command_lifetime, imitation.feedback_frequency = 5.0, 10000.0  # modules take both
    imitation.command_lifetime, imitation.feedback_frequency = 1.5, 50.0
    assert imitation.command_lifetime == 1.5


@pytest.mark.hebi
def test_an_arm_can_be_driven_on_an_imitation(imitation: ImitationGroup, root: Path) -> None:
    model = aw.load(root / "examples" / "arms" / "three_dof.hrdf")
    move = devices.plan(model, [[0.0, 0.0, 0.0], [0.4, 0.3, -0.2]])
    recording = devices.follow(imitation, model, move)
    np.testing.assert_allclose(recording.measured[-1], [0.4, 0.3, -0.2], atol=1e-6)
    assert len(recording.times) == pytest.approx((move.duration + 0.5) * 100, abs=2)


@pytest.mark.hebi
def test_importing_hebi_prints_nothing(root: Path) -> None:
    pytest.importorskip("hebi")
    script = "from armwright import devices; devices.imitate(2).close()"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.hebi
@pytest.mark.parametrize("field", ["position", "velocity", "effort"])
def test_numbers_that_become_infinite_on_the_wire_are_refused(
    imitation: ImitationGroup, field: str
) -> None:
    for number in (1e300, -1e39, 1.1e9):
        with pytest.raises(CommandRejectedError, match=r"at most 1e\+09, which modules can hold"):
            imitation.send(GroupCommand(**{field: [NAN, number, 0.0]}))
    imitation.send(GroupCommand(position=[NAN] * 3))  # nothing at all is fine
