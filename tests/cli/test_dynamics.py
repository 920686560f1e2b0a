"""``armwright dynamics``."""

import re
from pathlib import Path

import numpy as np
import pytest

import armwright as aw
from tests.cli.running import ARMS, Cli, Hrdf

# 2 kg at 0.5 m, izz 0.3 about its center, on a motor (X5-4) whose axis is vertical in the file;
# gravity along -y makes a pendulum of it.
PENDULUM = (
    '<actuator type="X5-4" tag="motor"/><rigid-body mass="2" com_trans="0.5 0 0" '
    'ixx="0.1" iyy="0.25" izz="0.3"/>'
    "<end-effector/>"
)
DOWN = ("--gravity", "0", "-9.81", "0")


def test_a_pendulum_by_hand(cli: Cli, hrdf: Hrdf) -> None:
    arguments = (hrdf(PENDULUM), "--q", "60deg", "--v", "2", "--a", "180deg", *DOWN)
    outcome = cli("dynamics", *arguments)
    assert outcome.code == 0
    data = cli("dynamics", *arguments, "--json").json
    inertia = 0.3 + 2 * 0.5**2
    holding = 2 * 9.81 * 0.5 * np.cos(np.pi / 3)
    total = holding + inertia * np.pi
    assert data["mass_matrix"] == [[pytest.approx(inertia)]]
    assert data["gravity_efforts"] == [pytest.approx(holding)]
    assert data["coriolis_efforts"] == [pytest.approx(0, abs=1e-9)]
    assert data["acceleration_efforts"] == [pytest.approx(inertia * np.pi)]
    assert data["inverse_dynamics"] == [pytest.approx(total)]
    assert data["kinetic_energy"] == pytest.approx(0.5 * inertia * 2**2)
    arm = aw.load(arguments[0]).masses[0]
    com_y = aw.load(arguments[0]).forward_kinematics("com", [0.0])[0, 1, 3]
    raised = 2 * 9.81 * 0.5 * np.sin(np.pi / 3) + arm * 9.81 * com_y
    assert data["potential_energy"] == pytest.approx(raised)
    assert data["energy"] == pytest.approx(data["kinetic_energy"] + raised)
    assert data["v"] == [2]
    assert data["a"] == [pytest.approx(np.pi)]
    assert data["peak_percent"] == [pytest.approx(100 * total / 7)]
    assert data["continuous_percent"] == [pytest.approx(100 * total / 4)]
    assert data["speed_percent"] == [pytest.approx(100 * 2 / 3.351032)]
    assert data["exceeding"] == [
        {
            "joint": "motor",
            "limit": "peak effort",
            "value": pytest.approx(total),
            "largest": 7,
        },
        {
            "joint": "motor",
            "limit": "continuous effort",
            "value": pytest.approx(total),
            "largest": 4,
        },
    ]
    assert outcome.err == "warning: motor cannot do this: 7.42 of 7 N m\n"
    assert re.search(r"^motor +7\.418 N m +4\.905 +0\.000 +2\.513$", outcome.out, re.MULTILINE)
    assert re.search(r"^motor +X5-4 +185 % +106 % +2\.000 rad/s +60 %$", outcome.out, re.MULTILINE)
    assert re.search(r"^1 +motor +0\.8000$", outcome.out, re.MULTILINE)
    assert "kinetic energy    1.6000 J" in outcome.out


def test_the_parts_add_up_and_are_those_of_the_model(cli: Cli, six: Path) -> None:
    rng = np.random.default_rng(1)
    q, v, a = rng.uniform(-1, 1, (3, 6))
    typed = [",".join(map(str, values.tolist())) for values in (q, v, a)]
    data = cli(
        *("dynamics", six, "--q", typed[0], "--v", typed[1], "--a", typed[2]),
        *("--payload", "0.5", "--com", "0.01", "0", "0.05", "--json"),
    ).json
    model = aw.load(six).with_payload(0.5, [0.01, 0, 0.05])
    efforts = model.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(data["inverse_dynamics"], efforts, rtol=1e-12)
    parts = ("gravity_efforts", "coriolis_efforts", "acceleration_efforts")
    np.testing.assert_allclose(np.sum([data[part] for part in parts], axis=0), efforts, atol=1e-12)
    np.testing.assert_allclose(data["gravity_efforts"], model.gravity_efforts(q), rtol=1e-12)
    np.testing.assert_allclose(data["coriolis_efforts"], model.coriolis(q, v) @ v, atol=1e-12)
    np.testing.assert_allclose(data["mass_matrix"], model.mass_matrix(q), rtol=1e-12)


def test_still_without_velocities(cli: Cli, six: Path) -> None:
    data = cli("dynamics", six, "--q", "0,1,1,0,0,0", "--json").json
    assert data["v"] == data["a"] == [0] * 6
    assert data["inverse_dynamics"] == pytest.approx(data["gravity_efforts"])
    assert data["kinetic_energy"] == 0
    assert data["exceeding"] == []


def test_too_fast(cli: Cli, six: Path) -> None:
    outcome = cli("dynamics", six, "--q", "0,0,0,0,0,0", "--v", "-5,0,0,0,0,0")
    assert outcome.code == 0
    assert "warning: J1_base is too fast: 5 of 4.08 rad/s\n" in outcome.err


def test_high_speeds_are_no_degrees(cli: Cli, six: Path) -> None:
    outcome = cli("dynamics", six, "--q", "0,0,0,0,0,0", "--a", "0,0,0,0,0,20")
    assert outcome.err == ""


def test_slides(cli: Cli) -> None:
    path = ARMS / "gantry.hrdf"
    outcome = cli("dynamics", path, "--q", "0,0,0,0,0", "--v", "1,0,0,0,0", "--a", "2,0,0,0,0")
    assert "mass matrix [kg, kg m, kg m^2]" in outcome.out
    assert re.search(r"^J1_x +m +- +- +1\.000 m/s +-$", outcome.out, re.MULTILINE)
    data = cli("dynamics", path, "--q", "0,0,0,0,0", "--a", "2,0,0,0,0", "--json").json
    moved = aw.load(path).masses.sum()
    assert data["inverse_dynamics"][0] == pytest.approx(2 * moved)
    assert data["peak_percent"][0] is None
    refused = cli("dynamics", path, "--q", "0,0,0,0,0", "--v", "1deg,0,0,0,0")
    assert refused.code == 2
    assert "--v, entry 1 (J1_x) slides: expected plain metres per second, got an angle in deg" in (
        refused.err
    )


@pytest.mark.parametrize("arm", ["six_dof", "seven_dof", "two_armed"])
def test_lines_fit_a_terminal(cli: Cli, arm: str) -> None:
    path = ARMS / f"{arm}.hrdf"
    q = ",".join(["0.5"] * aw.load(path).dof)
    out = cli("dynamics", path, "--q", q, "--v", q, "--a", q).out
    assert max(map(len, out.splitlines())) <= 80
    assert out.isprintable() is False  # lines, and no escapes among them
    assert "\x1b" not in out


def test_every_row_of_a_large_matrix_is_there(cli: Cli) -> None:
    out = cli("dynamics", ARMS / "two_armed.hrdf", "--q", ",".join(["0"] * 9)).out
    assert len(re.findall(r"^9 +R4_roll ", out, re.MULTILINE)) == 2
    assert re.search(r"^# +joint +7 +8 +9$", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--q is missing: expected 6 values"),
        (("--q", "0,0,0,0,0,0", "--v", "1"), "--v: expected 6, got 1 values"),
        (("--q", "0,0,0,0,0,0", "--a", "1,2,3,4,5,x"), "--a, entry 6: 'x' is not a number"),
        (("--q", "0,0,0,0,0,0", "--payload", "-2"), "--payload: -2 is no mass"),
        (("--q", "0,0,0,0,0,0", "--com", "0", "0", "1"), "give --payload too"),
    ],
)
def test_what_is_refused(cli: Cli, six: Path, arguments: tuple[str, ...], said: str) -> None:
    outcome = cli("dynamics", six, *arguments)
    assert outcome.code == 2
    assert said in outcome.err


def test_no_joints(cli: Cli, hrdf: Hrdf) -> None:
    outcome = cli("dynamics", hrdf('<rigid-body mass="1"/>'))
    assert outcome.code == 0
    assert outcome.out == "no joints, nothing moves\n"
