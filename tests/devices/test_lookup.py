from typing import Any

import pytest

from armwright.devices.hebi.lookup import not_found, pairs
from armwright.errors import CommandRejectedError


@pytest.mark.parametrize(
    ("families", "names", "expected"),
    [
        ("Arm", "base", [("Arm", "base")]),
        ("Arm", ["base", "wrist"], [("Arm", "base"), ("Arm", "wrist")]),
        (["Arm"], ("base", "wrist"), [("Arm", "base"), ("Arm", "wrist")]),
        (["A", "B"], ["x", "x"], [("A", "x"), ("B", "x")]),
    ],
)
def test_every_name_gets_its_family_in_order(
    families: Any, names: Any, expected: list[tuple[str, str]]
) -> None:
    assert pairs(families, names) == expected


@pytest.mark.parametrize(
    ("families", "names", "says"),
    [
        ("Arm", [], "not empty"),
        ([], ["base"], "not empty"),
        ("", ["base"], "not empty"),
        ("Arm", ["base", ""], "not empty"),
        ("Arm", [1], "not empty"),
        (None, None, "expected families and names, texts or lists of them, got None, None"),
        (["A", "B"], ["x", "y", "z"], "families: expected 1 or 3, got 2"),
        ("Arm", ["base", "base"], "Arm/base is asked for twice"),
    ],
)
def test_names_that_make_no_sense_are_refused(families: Any, names: Any, says: str) -> None:
    with pytest.raises(CommandRejectedError, match=says):
        pairs(families, names)


def test_nothing_seen_says_what_to_check() -> None:
    text = not_found([("Arm", "base"), ("Arm", "wrist")], [], 2.0)
    assert "no module was seen within 2 s, expected Arm/base, Arm/wrist" in text
    assert "power" in text
    assert "firewall" in text


def test_every_missing_module_has_its_near_names() -> None:
    seen = [("Arm", "base"), ("Arm", "wrist1"), ("Leg", "knee")]
    text = not_found([("Arm", "base"), ("Arm", "wrist"), ("arm", "wrist1")], seen, 0.5)
    assert "Arm/base was not" not in text
    first, second = text.splitlines()
    assert first == (
        "connect: Arm/wrist was not seen within 0.5 s. Known: Arm/base, Arm/wrist1, Leg/knee. "
        "Did you mean 'Arm/wrist1'?"
    )
    assert second.startswith("arm/wrist1 was not seen")
    assert "Did you mean 'Arm/wrist1'?" in second


def test_modules_that_were_seen_but_do_not_answer() -> None:
    assert "longer timeout" in not_found([("Arm", "base")], [("Arm", "base")], 2.0)
