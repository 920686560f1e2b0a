"""Robot configurations: strict, all problems at once, nothing guessed."""

import pickle
from pathlib import Path
from typing import Any

import pytest

import armwright as aw
from armwright import devices
from armwright.errors import ArmwrightError, ConfigError

GOOD = """\
version: 1.1
families: Arm
names: [base, elbow]
hrdf: arm.hrdf
gains: {default: gains.xml, soft: soft.xml}
feedback_frequency: 200
command_lifetime: 1/4
plugins:
  - {type: GravityCompensationEffort, name: gravity, ramp_time: 5}
  - {type: EffortOffset, enabled: false, offset: [0, -7]}
  - {type: DoubledJoint, index: 1, group_name: second, mirror: yes}
user_data:
  home_position: [0.5, -1]
  has_gripper: true
  tool: {name: probe, mass: 0.25, count: 3, color: null}
"""


@pytest.fixture
def write(tmp_path: Path) -> Any:
    for name in ("arm.hrdf", "gains.xml", "soft.xml"):
        (tmp_path / name).write_text("x", encoding="utf-8")

    def write(text: str | bytes) -> Path:
        file = tmp_path / "arm.cfg.yaml"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    return write


def lines(file: Path) -> list[str]:
    """Return the problems of a file that must not load, without the file's name."""
    with pytest.raises(ConfigError) as caught:
        devices.load_config(file)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, ArmwrightError)
    text = str(caught.value)
    assert text.splitlines() == [str(p) for p in caught.value.problems if p.severity == "error"]
    return [line.removeprefix(f"{file}:") for line in text.splitlines()]


def test_all_that_it_says(write: Any, tmp_path: Path) -> None:
    config = devices.load_config(write(GOOD))
    assert config.version == "1.1"
    assert config.families == ("Arm", "Arm")
    assert config.names == ("base", "elbow")
    assert config.hrdf == tmp_path / "arm.hrdf"
    assert dict(config.gains) == {
        "default": tmp_path / "gains.xml",
        "soft": tmp_path / "soft.xml",
    }
    assert (config.feedback_frequency, config.command_lifetime) == (200.0, 0.25)
    first, second, third = config.plugins
    assert (first.type, first.name, first.enabled, first.ramp_time) == (
        "GravityCompensationEffort",
        "gravity",
        True,
        5.0,
    )
    assert (second.enabled, second.name, second.settings["offset"]) == (False, "", [0, -7])
    assert third.settings == {"index": 1, "group_name": "second", "mirror": True}
    assert config.active("EffortOffset", "DoubledJoint") == (third,)
    assert config.user_data["home_position"] == [0.5, -1]
    assert config.user_data["has_gripper"] is True
    assert config.user_data["tool"] == {"name": "probe", "mass": 0.25, "count": 3, "color": None}
    assert config.warnings == ()


def test_the_least(write: Any) -> None:
    config = devices.load_config(write("version: 1.1\nfamilies: [A, B]\nnames: [x, x]\n"))
    assert config.families == ("A", "B")  # the same name in two families is two modules
    assert config.hrdf is None
    assert (config.feedback_frequency, config.command_lifetime) == (None, None)
    assert (config.gains, config.plugins, config.user_data) == ({}, (), {})


def test_a_single_gains_file_is_the_default(write: Any, tmp_path: Path) -> None:
    text = "version: 1.1\nfamilies: A\nnames: [x]\ngains: gains.xml\n"
    assert dict(devices.load_config(write(text)).gains) == {"default": tmp_path / "gains.xml"}


def test_the_example_fits_its_arm(root: Path) -> None:
    config = devices.load_config(root / "examples" / "arms" / "six_dof.cfg.yaml")
    assert config.hrdf is not None
    model = aw.load(config.hrdf)
    assert config.names == model.joint_names
    assert len(config.user_data["home_position"]) == model.dof  # type: ignore[arg-type]
    assert config.warnings == ()


def test_all_problems_come_together(write: Any) -> None:
    bad = write(
        "version: 2.0\n"
        "families: [A, B]\n"
        "names: [J1, J1, on]\n"
        "hrdff: arm.hrdf\n"
        "feedback_frequency: -5\n"
        "command_lifetime: abc\n"
        "plugins:\n"
        "  - {name: nameless}\n"
        "  - {type: EffortOffset, offset: [1, 2], enabled: perhaps}\n"
        "  - {type: DoubledJointMirror, group_name: two, index: 3}\n"
    )
    assert sorted(line.split(":", 1)[0] for line in lines(bad)) == [
        "1, version",
        "10, plugins[3]/index",
        "2, families",
        "3, names[3]",
        "4, hrdff",
        "5, feedback_frequency",
        "6, command_lifetime",
        "8, plugins[1]",
        "9, plugins[2]/enabled",
        "9, plugins[2]/offset",
    ]
    text = "\n".join(lines(bad))
    for said in (
        "expected version 1.1, got 2.0",
        "YAML takes 'on' for a yes or no",
        "Did you mean 'hrdf'?",
        "expected Hz, 0 or more, got -5",
        "key type is missing",
        "expected true or false, got perhaps",
        "expected 3 numbers, got 2",
        "expected 0 to 2, got 3",
    ):
        assert said in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "version: 1.1\nfamilies: A\nnames: [J1, J1]\n",
            "3, names[2]: module A/J1 is there already",
        ),
        ("version: 1.1\nfamilies: A\nnames: []\n", "3, names: expected at least one"),
        ("version: 1.1\nfamilies: A\nnames: J1\n", "3, names: names is a list"),
        ("version: 1.1\nfamilies: [A, B]\nnames: [x, y, z]\n", "2, families: expected 1 or 3"),
        ("version: 1.1\nfamilies: A\n", "1: key names is missing"),
        ("families: A\nnames: [x]\n", "1: key version is missing"),
        ("- a\n- b\n", "1: a robot configuration is a mapping of keys such as version"),
        ("", "1: empty; expected a mapping of keys"),
        ("version: [\n", "2: not well-formed YAML"),
        ("version: 1.1\nfamilies: &f A\nnames: [*f]\n", "2: anchors (&) and aliases (*)"),
        (
            "version: 1.1\nfamilies: A\nnames: [x]\nplugins: [{type: DoubledJoint}]\n",
            "4, plugins[1]: index of a doubled joint: expected 0 to 0, got none",
        ),
        (
            "version: 1.1\nfamilies: A\nnames: [x]\nplugins:\n"
            "  - {type: EffortOffset, offset: much}\n",
            "5, plugins[1]/offset: offset is a finite number",
        ),
    ],
)
def test_what_is_refused(write: Any, text: str, said: str) -> None:
    assert any(line.startswith(said) for line in lines(write(text))), lines(write(text))


@pytest.mark.parametrize("name", ['"a\\0b"', '"a\\uD800"'])
def test_names_that_no_file_can_have(write: Any, name: str) -> None:
    said = lines(write(f"version: 1.1\nfamilies: A\nnames: [x]\nhrdf: {name}\n"))
    assert len(said) == 1
    assert said[0].startswith("4, hrdf: hrdf: 'a")
    assert said[0].endswith("cannot be the name of a file")


def test_files_that_cannot_be_there_are_doubtful(write: Any, tmp_path: Path) -> None:
    config = devices.load_config(
        write(f"version: 1.1\nfamilies: A\nnames: [x]\nhrdf: {'x' * 5000}\n")
    )
    assert config.warnings[0].message.startswith("no such file: ")
    assert config.hrdf == tmp_path / ("x" * 5000)


def test_numbers_of_plugins_and_homes(write: Any) -> None:
    head = "version: 1.1\nfamilies: A\nnames: [x, y]\n"
    config = devices.load_config(
        write(head + "plugins: [{type: EffortOffset, offset: [pi, 1e1]}, {type: EffortOffset}]\n")
    )
    assert config.plugins[0].settings["offset"] == pytest.approx([3.14159265, 10.0])
    (warning,) = config.warnings
    assert warning.message == "key offset is missing, so it adds nothing"
    for home, said in (
        ("[0, 30deg]", "expected plain numbers [rad or m], got '30deg'"),
        ("[0, .nan]", "expected plain numbers [rad or m], got '.nan'"),
        ("[no, 1]", "expected plain numbers [rad or m], got 'no'"),
        ("[[0], 1]", "expected plain numbers [rad or m], got sequence"),
        ("0.5", "expected 2 numbers, one per name"),
    ):
        config = devices.load_config(write(head + f"user_data: {{home_position: {home}}}\n"))
        assert [problem.message for problem in config.warnings] == [said]


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    gone = tmp_path / "gone.yaml"
    with pytest.raises(ConfigError, match=r"gone\.yaml: the configuration cannot be read: No such"):
        devices.load_config(gone)


def test_what_is_doubtful_is_a_warning(write: Any) -> None:
    config = devices.load_config(
        write(
            GOOD.replace("gains.xml", "gans.xml")
            .replace("group_name: second", "group_name: ['J2B\"']")
            .replace("1/4", "250")
            .replace("type: GravityCompensationEffort", "type: GravityComp")
            .replace("[0.5, -1]", "[0.5]")
        )
    )
    said = [f"{problem.line}: {problem.message}" for problem in config.warnings]
    assert all(problem.severity == "warning" for problem in config.warnings)
    assert [text.split(":")[0] for text in sorted(said)] == ["11", "13", "5", "7", "9"]
    text = "\n".join(said)
    for part in (
        "Did you mean 'gains.xml'?",
        'group_name has " in it: J2B". Is it a stray sign?',
        "250 s is unusual; the unit is seconds. Were milliseconds meant? Write 0.25",
        "unknown type of plug-in 'GravityComp'",
        "Did you mean 'GravityCompensationEffort'?",
        "expected 2 numbers, one per name, got 1",
    ):
        assert part in text
    assert config.command_lifetime == 250


@pytest.mark.shared
def test_case_c10(cases: dict[str, Any], write: Any) -> None:
    case = cases["C10"]
    for name, expected in case["expect"].items():
        file = write(case["input"][name])
        if "ok" in expected:
            config = devices.load_config(file)
            assert config.command_lifetime == expected["value_seconds"]
            assert "unit is seconds" in config.warnings[0].message
            continue
        text = "\n".join(lines(file))
        for word in expected.get("mentions", []):
            assert word in text
        for key in ("names_key", "suggests"):
            assert expected.get(key, "") in text
        assert "No such file" not in text
        if name == "odd_scalars":
            assert [line.split(":")[0] for line in lines(file)] == [
                "3, names[1]",
                "3, names[2]",
                "3, names[4]",
            ]
        if name == "bad_numbers":
            assert "feedback_frequency" in text
            assert "command_lifetime" in text


@pytest.mark.shared
def test_public_configurations_load(shared: Path) -> None:
    files = sorted((shared / "corpus").rglob("*.cfg.yaml"))
    assert len(files) > 30
    stray = 0
    for file in files:
        config = devices.load_config(file)
        assert config.names
        assert config.hrdf is not None
        stray += any("stray" in problem.message for problem in config.warnings)
    assert stray == 6
    seven = devices.load_config(shared / "corpus/arms/config/A-2099-07G.cfg.yaml")
    assert any("Did you mean 'A-2099-07.xml'?" in p.message for p in seven.warnings)
    assert seven.active("DoubledJointMirror")[0].settings["index"] == 1


def test_the_error_crosses_process_borders(write: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        devices.load_config(write("names: [a, a]\n"))
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, ConfigError)
    assert again.problems == caught.value.problems
    assert str(again) == str(caught.value)


def test_numbers_of_the_user(write: Any) -> None:
    text = "version: 1.1\nfamilies: A\nnames: [x]\nuser_data: {a: 0x10, b: 1e3, c: .inf, d: 012}\n"
    data = devices.load_config(write(text)).user_data
    # YAML 1.1 takes 1e3 for a text; octal numbers stay what was written.
    assert data == {"a": 16, "b": "1e3", "c": float("inf"), "d": "012"}


def test_a_misspelt_key_is_told_once(write: Any) -> None:
    """It was told as unknown, with advice, and once more as missing."""
    with pytest.raises(ConfigError) as info:
        devices.load_config(write("version: 1.1\nfamiles: A\nNAMES: [x]\n"))
    first, second = info.value.problems
    assert first.message.endswith("Did you mean 'families'?")
    assert second.message.endswith("Did you mean 'names'?")
    with pytest.raises(ConfigError, match="key version is missing"):
        devices.load_config(write("xyz: 1.1\nfamilies: A\nnames: [x]\n"))
