"""What can be copied and pickled: everything public, and what was read-only stays so."""

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from armwright import devices, hrdf, ik, kinematics
from armwright.copies import FixedMapping
from tests.project.odd_calls import INSTANCES, Q, feedback, group, model, pose, turn, two_armed

VALUES: dict[str, Callable[[], Any]] = {
    **{cls.__name__: make for cls, make in INSTANCES.items()},
    "actuator": lambda: hrdf.load_catalog().find("actuator", "X5-1"),
    "link": lambda: hrdf.load_catalog().find("link", "X5"),
    "bracket": lambda: hrdf.load_catalog().find("bracket", "X5LightRight"),
    "end effector": lambda: hrdf.load_catalog().find("end-effector", "X5Parallel"),
    "description": lambda: model().description,
    "groups": lambda: two_armed().groups,
    "configurations": lambda: two_armed().reference_configurations,
    "feedback": feedback,
    "info": lambda: group().info(),
    "capability": lambda: kinematics.static_capability(model(), Q),
    "payload limit": lambda: kinematics.largest_payload(model(), Q),
    "frame info": lambda: model().frame_info(("output", 3)),
    "joint info": lambda: model().joint_info(1),
    "drives": lambda: model().joint_dynamics,
    "limit violations": lambda: model().check_limits(q=[9] * 6),
    "all solutions": lambda: ik.solve_all(model(), pose()),
    "batch": lambda: ik.solve_batch(model(), Q, pose()[None]),
    "track": lambda: ik.track(model(), Q, pose()[None]),
    "step": lambda: ik.Tracker(model(), Q).step(pose()),
    "velocity": lambda: ik.velocity(model(), Q, [0.01] * 6),
    "manipulability": lambda: ik.manipulability(model(), Q),
    "twist": lambda: ik.twist([1] * 6),
    "pose": lambda: ik.pose(pose()),
    "position": lambda: ik.position([1, 2, None], weight=2.0, frame=("output", 3)),
    "orientation": lambda: ik.orientation(np.eye(3)),
    "tip axis": lambda: ik.tip_axis([0, 0, 1]),
    "joint limits": lambda: ik.joint_limits([-1] * 6, [1] * 6),
    "posture": lambda: ik.posture(Q),
    "reading": lambda: devices.doctor.StillReading(Q, [0] * 6),
    "diagnosis": lambda: devices.doctor.examine(group(), model()),
    "turn": turn,
}
WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}
NO_VALUES = {"SimulatedGroup", "FaultyGroup"}  # they act


def arrays_in(value: Any, seen: set[int], path: str = "") -> Iterator[tuple[str, Any]]:
    """Find every array that can be reached by public names."""
    if isinstance(value, np.ndarray):
        yield path, value
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        for number, one in enumerate(value[:20]):
            yield from arrays_in(one, seen, f"{path}[{number}]")
    elif hasattr(value, "items"):
        for key, one in list(value.items())[:20]:
            yield from arrays_in(one, seen, f"{path}[{key}]")
    elif type(value).__module__.startswith("armwright"):
        for name in dir(type(value)):
            if (
                not name.startswith("_")
                and name != "model"
                and not callable(one := getattr(value, name, None))
            ):
                yield from arrays_in(one, seen, f"{path}.{name}")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [name for name in VALUES if name not in NO_VALUES])
def test_copies_are_as_good(name: str, way: str) -> None:
    value = VALUES[name]()
    mine, theirs = (dict(arrays_in(one, set())) for one in (value, WAYS[way](value)))
    assert {path: one.flags.writeable for path, one in theirs.items()} == {
        path: one.flags.writeable for path, one in mine.items()
    }
    for path, array in mine.items():
        if array.dtype.kind in "fiub":
            np.testing.assert_allclose(theirs[path], array, rtol=0, atol=1e-12)


def test_a_builder_goes_on_after_a_copy() -> None:
    builder = INSTANCES[kinematics.ArmBuilder]()
    for way in (copy.deepcopy, WAYS["pickle"]):
        again = way(builder).bracket("X5LightRight").actuator("X5-1").build()
        assert again.dof == 2


def test_a_config_is_the_same_after_a_pickle() -> None:
    config = INSTANCES[hrdf.RobotConfig]()
    again = pickle.loads(pickle.dumps(config))
    assert again == config
    assert again.user_data == config.user_data


def test_a_catalog_finds_after_a_pickle() -> None:
    again = pickle.loads(pickle.dumps(hrdf.load_catalog()))
    assert again.find("actuator", "x8-9").type == "X8-9"


def test_an_objective_solves_after_a_pickle() -> None:
    goal = ik.pose(pose())
    _ = goal.T_world_frame
    again = pickle.loads(pickle.dumps(goal))
    start = np.array(Q) + 0.1
    assert ik.solve(model(), start, again).q.tobytes() == ik.solve(model(), start, goal).q.tobytes()


def test_a_fixed_mapping() -> None:
    mapping: Any = FixedMapping({"a": 1})
    assert mapping == {"a": 1}
    assert repr(mapping) == "{'a': 1}"
    assert "a" in mapping
    assert [*mapping] == ["a"]
    assert len(mapping) == 1
    with pytest.raises(TypeError):
        mapping["b"] = 2
