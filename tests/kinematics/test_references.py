"""One grammar for references: every word of either argument, in every call."""

from enum import IntEnum
from typing import Any

import numpy as np
import pytest

from armwright.errors import ModelError
from armwright.kinematics import Representation, RobotModel, RobotState

WORDS = {
    Representation.MIXED: ["world", "mixed", "MIXED", "LOCAL_WORLD_ALIGNED", "local_world_aligned"],
    Representation.BODY: ["body", "Body", "LOCAL", "local"],
    Representation.INERTIAL: ["spatial", "inertial", "Spatial", "WORLD"],
}
PAIRS = [(kind, word) for kind, words in WORDS.items() for word in [kind, *words]]
Q, V = np.linspace(-1, 1, 6), np.linspace(0.5, -0.3, 6)


@pytest.mark.parametrize(("kind", "word"), PAIRS)
@pytest.mark.parametrize("argument", ["reference", "representation"])
def test_every_word_is_taken_by_both(
    tree: RobotModel, kind: Representation, word: Any, argument: str
) -> None:
    assert Representation.parse(word) is Representation.parse(word, "reference") is kind
    said = {argument: word}
    state = RobotState(tree, Q, V, representation=kind)
    frame = ("output", 8)
    J = tree.jacobian(Q, frame=frame, **said)
    np.testing.assert_allclose(J, state.jacobian(frame), atol=1e-14)
    assert tree.jacobians("output", Q, **said)[8].tobytes() == J.tobytes()
    bias = tree.bias_acceleration(Q, V, frame=frame, **said)
    np.testing.assert_allclose(bias, state.bias_acceleration(frame), atol=1e-14)


class ReferenceFrame(IntEnum):
    """Stands for Pinocchio's enumeration of that name."""

    WORLD = 0
    LOCAL = 1
    LOCAL_WORLD_ALIGNED = 2


def test_members_of_pinocchios_enumeration() -> None:
    found = [Representation.parse(member) for member in ReferenceFrame]
    assert found == ["inertial", "body", "mixed"]


def test_pinocchio_agrees() -> None:
    pin = pytest.importorskip("pinocchio")
    found = [Representation.parse(getattr(pin.ReferenceFrame, one.name)) for one in ReferenceFrame]
    assert found == ["inertial", "body", "mixed"]


@pytest.mark.parametrize("word", ["World", "wORLD"])
def test_case_decides_nothing_in_silence(tree: RobotModel, word: Any) -> None:
    with pytest.raises(ModelError, match=r"'World'|'wORLD', which can be 'world'.*'WORLD'.*Say"):
        tree.jacobian(Q, index=0, reference=word)


def test_both_words_are_an_error(tree: RobotModel) -> None:
    for call in (
        lambda: tree.jacobian(Q, index=0, reference="world", representation="mixed"),
        lambda: tree.jacobians("output", Q, reference="body", representation="body"),
        lambda: tree.bias_acceleration(Q, V, index=0, reference="body", representation="mixed"),
        lambda: Representation.choose("body", "body"),
    ):
        with pytest.raises(ModelError, match=r"two words for one thing.*got reference='"):
            call()
    assert Representation.choose(None, None) is Representation.MIXED
    assert Representation.choose(None, None, Representation.BODY) is Representation.BODY


def test_unknown_words(tree: RobotModel) -> None:
    with pytest.raises(ModelError, match=r"^reference: expected one of 'world', 'body', 'spatial'"):
        tree.jacobian(Q, index=0, reference="mixd")  # type: ignore[arg-type]
    text = r"^representation: expected one of 'mixed', 'body', 'inertial', got .*Did you mean 'spat"
    with pytest.raises(ModelError, match=text):
        tree.jacobian(Q, index=0, representation="spatail")  # type: ignore[arg-type]
    for wrong in (3, b"body", ["body"], 0.5):
        with pytest.raises(ModelError, match="representation: expected one of"):
            Representation.parse(wrong)


def test_the_quick_way_is_for_what_it_is_for(tree: RobotModel) -> None:
    one = tree.subtree(tag="right")
    q = np.array([0.1, 0.4, -0.3])
    body = one.jacobian(q, representation="body")
    assert body.tobytes() == one.jacobian(q, reference="body").tobytes()
    assert not np.allclose(body, one.jacobian(q))
    assert not np.allclose(one.jacobian(q, frame="forearm"), one.jacobian(q))
    output = one.jacobians("output", q, representation="body")
    assert output.tobytes() == one.jacobians("output", q, reference="body").tobytes()
