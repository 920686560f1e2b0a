"""Builders that miss something: arguments of a part, or every part."""

from collections.abc import Callable
from typing import Any

import pytest

from armwright.errors import ModelError, WrongTypeError
from armwright.kinematics.building import ArmBuilder

Call = Callable[[Any], Any]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda b: b.link("X5"),
            r"link: expected type and extension and twist, but extension and twist are missing. "
            r"Write link('X5', extension=..., twist=...)",
        ),
        (
            lambda b: b.link("X5", twist=0.5),
            r"but extension is missing. Write link('X5', extension=..., twist=0.5)",
        ),
        (
            lambda b: b.link(),
            "but type and extension and twist are missing. "
            "Write link(type=..., extension=..., twist=...)",
        ),
        (lambda b: b.bracket(), "expected type, but type is missing. Write bracket(type=...)"),
        (lambda b: b.joint(), "expected axis, but axis is missing. Write joint(axis=...)"),
        (lambda b: b.rigid_body(), "but mass is missing. Write rigid_body(mass=...)"),
        (lambda b: b.actuator(), "but type is missing. Write actuator(type=...)"),
    ],
)
def test_missing_arguments(call: Call, message: str) -> None:
    builder = ArmBuilder().joint("rz")
    with pytest.raises(WrongTypeError) as info:
        call(builder)
    assert message in str(info.value)
    assert len(builder.describe().elements) == 1


def test_arguments_by_name_are_not_missing() -> None:
    builder = ArmBuilder().actuator(type="X5-1").link(type="X5", extension=0.2, twist=0.0)
    assert [element.kind for element in builder.joint(axis="rz").describe().elements] == [
        "actuator",
        "link",
        "joint",
    ]


def test_nothing_to_build() -> None:
    with pytest.raises(ModelError, match="at least one element, got a builder with nothing"):
        ArmBuilder().build()
    assert ArmBuilder().rigid_body(mass=1.0).build().dof == 0  # a fixed body is something
