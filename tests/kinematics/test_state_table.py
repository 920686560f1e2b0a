"""The table of what a state can say: names, types of entries, how they are kept."""

import importlib
import inspect
import pickle
import pkgutil
from types import ModuleType

import numpy as np
import pytest

from armwright.kinematics import RobotModel, RobotState, state
from armwright.kinematics.state import dynamics, frames, momentum
from armwright.kinematics.state.cached import cached
from tests.kinematics.robot_states import some_state


def topics() -> list[ModuleType]:
    """The files of the room."""
    found = pkgutil.iter_modules(state.__path__)
    return [importlib.import_module(f"{state.__name__}.{info.name}") for info in found]


def test_no_two_quantities_are_kept_under_one_name() -> None:
    found = {id(value): value for topic in topics() for value in vars(topic).values()}
    names = [value.name for value in found.values() if isinstance(value, cached)]
    assert len(names) > 50
    assert sorted(names) == sorted(set(names))


def test_an_entry_has_the_name_that_its_file_gives_it() -> None:
    for name, value in vars(RobotState).items():
        if isinstance(value, cached):
            assert value.compute.__name__ == name
            assert value.compute.__qualname__ == f"RobotState.{name}"
        elif inspect.isfunction(value) and name != "with_":
            assert value.__name__ == name
            assert value.__qualname__ == f"RobotState.{name}"
    assert RobotState.with_ is RobotState.replace


def test_an_entry_is_called_and_read_alike(tree: RobotModel) -> None:
    for floating in (False, True):
        one = some_state(tree, 1, floating=floating)
        assert momentum.com(one) is one.com
        assert one.mass_matrix is dynamics.mass_matrix(one)
        assert momentum.mass(one) == one.mass == pytest.approx(tree.total_mass)
        np.testing.assert_array_equal(frames.pose(one, "com", 0), one.pose("com", 0))


def test_the_class_shows_properties() -> None:
    assert isinstance(RobotState.com, property)
    assert RobotState.com.__doc__ == momentum.com.__doc__
    for name in dir(RobotState):
        assert name.startswith("_") or inspect.getdoc(getattr(RobotState, name))


def test_messages_name_the_class(tree: RobotModel) -> None:
    one = some_state(tree, 1)
    with pytest.raises(TypeError, match=r"^RobotState\.jacobian\(\) got an unexpected keyword"):
        one.jacobian(frame_typ="com")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^RobotState\.__init__\(\) missing"):
        RobotState(tree)  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match=r"tried to set 'q'\); replace returns"):
        one.q = np.zeros(6)


def test_pickles_of_before_find_what_they_name(tree: RobotModel) -> None:
    for name in ("RobotState", "_rebuild"):
        text = f"carmwright.kinematics.state\n{name}\n.".encode()
        assert pickle.loads(text) is getattr(state, name)


def test_a_subclass_stays_one(tree: RobotModel) -> None:
    class Mine(RobotState):
        """Adds a quantity of its own."""

        @property
        def height(self) -> float:
            """Of the center of mass [m]."""
            return float(self.com[2])

    one = Mine(tree, np.ones(6))
    assert type(one.replace(q=np.zeros(6))) is type(one.with_base(np.eye(4))) is Mine
    assert one.height == one.com[2]
    assert RobotState.jacobian.__qualname__ == "RobotState.jacobian"
