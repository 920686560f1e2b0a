"""Every lesson runs headless, is short, says first what one will see, and shows it."""

import ast
import re
import runpy
import sys
from pathlib import Path

import pytest

import armwright as aw
from armwright import devices

ROOT = Path(__file__).resolve().parents[2]
SIX = ROOT / "examples" / "arms" / "six_dof.hrdf"
LESSONS = sorted((ROOT / "examples").glob("[0-9][0-9]_*.py"))

# What each lesson must print: the facts that it is there to show.
SHOWN = {
    "01_load_an_arm": (r"13 elements", r"mass +4\.\d+ kg", r"actuator\[1\], type: .*X5-99"),
    "02_build_an_arm": (r"Refused: .*X-AH-A", r"4 joints", r"<robot ", r"the same arm: True"),
    "03_kinematics": (r"pose of the tool", r"tool moves at", r"farthest is 0\.[78]\d+ m"),
    "04_inverse_kinematics": (
        r"a point: CONVERGED",
        r"a point from above: CONVERGED",
        r"looks along \[[^]]* -1\.? *\]",
        r"within 75 degrees: CONVERGED",
        r"a line: CONVERGED",
        r"out of reach: UNREACHABLE",
        r"success is False",
    ),
    "05_gravity": (
        r"J2_shoulder +\S+ N m",
        r"with 1 kg in hand",
        r"90 deg +\d+\.\d\d kg",
        r"exceeding: J2",
    ),
    "06_drive_a_group": (
        r"planned: \d",
        r"measured \[0\.35 +0\.1 +0\.25\]",
        r"error +[01]\.\d+ mm",
    ),
    "07_plot": (r"wrote reach\.png|wrote .*reach\.png", r"wrote .*two_armed\.png"),
    "08_doctor": (
        r"a good arm: fits",
        r"it carries 0\.800 kg",
        r"J2_shoulder: its effort has the wrong sign",
        r"J3_elbow: its zero is off; add \+11\.5 deg",
        r"at three poses: explained.*\(0\.000, 0\.000, 0\.050\) m",
        r"cannot be judged at these poses: J1_base, J6_wrist3",
    ),
}


def test_lessons_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:2]) for path in LESSONS]
    assert numbers == list(range(1, len(LESSONS) + 1))
    assert [path.stem for path in LESSONS] == sorted(SHOWN)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_has_the_shape_of_one(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 80
    tree = ast.parse(text)
    assert (ast.get_docstring(tree) or "").startswith("You will see ")
    assert f"python examples/{path.name}" in text
    assert any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body)
    assert text.endswith('if __name__ == "__main__":\n    main()\n')


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_runs_and_shows_what_it_says(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    monkeypatch.delenv("DISPLAY", raising=False)
    runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out
    for pattern in SHOWN[path.stem]:
        assert re.search(pattern, printed, re.DOTALL), f"{pattern}\nnot in\n{printed}"
    pictures = {"reach.png", "two_armed.png"} if path.stem == "07_plot" else set()
    assert {file.name for file in tmp_path.iterdir()} == pictures


def test_drive_lesson_takes_real_modules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = []

    def pretend(families: object, names: object) -> devices.ActuatorGroup:
        asked.append((families, names))
        group: devices.ActuatorGroup = devices.simulate(aw.load(SIX))
        return group

    monkeypatch.setattr(devices, "connect", pretend)
    lesson = runpy.run_path(str(ROOT / "examples" / "06_drive_a_group.py"))
    lesson["main"](["--hebi", "Arm", "a", "b", "c", "d", "e", "f"])
    assert asked == [("Arm", ["a", "b", "c", "d", "e", "f"])]
    assert "error " in capsys.readouterr().out


def test_doctor_lesson_never_moves_real_modules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pretend(families: object, names: object) -> devices.ActuatorGroup:
        group = devices.simulate(aw.load(SIX))
        monkeypatch.setattr(group, "send", lambda command: pytest.fail("a command was sent"))
        shown: devices.ActuatorGroup = group
        return shown

    monkeypatch.setattr(devices, "connect", pretend)
    lesson = runpy.run_path(str(ROOT / "examples" / "08_doctor.py"))
    lesson["main"](["--hebi", "Arm", "a", "b", "c", "d", "e", "f"])
    assert "every effort fits the model" in capsys.readouterr().out
