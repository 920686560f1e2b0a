"""Saved models whose values were changed: the rules of the HRDF reader hold for them as well."""

import contextlib
import copy
import io
import json
import random
import re
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.errors import ModelFileError
from armwright.kinematics import RobotModel, loads
from armwright.kinematics.robot import to_json
from tests.kinematics.conftest import TREE
from tests.kinematics.test_saving import archive_with

NAN, INF = float("nan"), float("inf")


def model() -> RobotModel:
    """Return a robot with everything that a file can hold."""
    robot = loads(TREE).with_payload(0.3, (0.0, 0.1, 0.0), tag="left hand")
    robot = robot.with_joint_names({"joint3": "slider"})
    return robot.with_reference_configurations({"home": [0.1] * 6})


def plain() -> Any:
    """Return what is saved of it, as JSON makes it."""
    robot = model()
    return json.loads(to_json((robot.description, robot._payloads, robot._annotations)))


def packed(values: Any) -> Any:
    """Return values as the member of that name."""
    return np.frombuffer(json.dumps(values).encode(), dtype=np.uint8)


def load(tmp_path: Path, **members: Any) -> RobotModel:
    path = tmp_path / "m.npz"
    path.write_bytes(archive_with(**members))
    return RobotModel.load(path)


def outcome(tmp_path: Path, **members: Any) -> tuple[RobotModel | None, str]:
    """Return the model, or what was said of it."""
    try:
        return load(tmp_path, **members), ""
    except ModelFileError as error:
        return None, str(error)


def test_what_was_not_changed_loads(tmp_path: Path) -> None:
    assert load(tmp_path, values=packed(plain())) == model()


def _find(value: Any, kind: str) -> Iterator[Any]:
    """Go through the saved objects of a class."""
    if isinstance(value, list):
        for one in value:
            yield from _find(one, kind)
    elif isinstance(value, dict):
        if value["="] == kind:
            yield value
        for one in value.values():
            yield from _find(one, kind)


def group(joints: list[int]) -> dict[str, Any]:
    """Return a group as JSON has it."""
    names = [f"j{joint}" for joint in joints]
    numbers = {"joints": joints, "joint_names": names, "state_values": []}
    return {"=": "Group", "name": "some", "kind": "group", "base": None, "tip": None, **numbers}


CHANGES: tuple[tuple[str, str, Any, str], ...] = (
    ("RobotDescription", "version", "9.0.0", "unknown HRDF version '9.0.0'"),
    ("RobotDescription", "version", 1.6, "RobotDescription, version: not a value"),
    ("RobotDescription", "description", "a\0b", "which XML cannot hold"),
    ("RobotDescription", "elements", {"=": "Pose", "rotation": [], "translation": []}, "Pose"),
    ("Pose", "rotation", [2.0, 0, 0, 0, 1, 0, 0, 0, 1], "rotation"),
    ("Pose", "translation", [0.0, NAN, 0.0], "not finite|expected a number"),
    ("Pose", "translation", [0.0, "1", 0.0], "Pose, translation: not a value"),
    ("Pose", "translation", [1e60, 0, 0], "beyond the limit|expected a number"),
    ("Actuator", "tag", "body", "tag 'body' is taken"),
    ("Actuator", "tag", 5, "Actuator, tag: not a value"),
    ("Actuator", "part", None, "Actuator, part: not a value"),
    ("ActuatorPart", "mass", -1.0, "part 'X8-9', mass: expected a number from 0"),
    ("ActuatorPart", "mass", NAN, "part 'X8-9', mass"),
    ("ActuatorPart", "mass", True, "ActuatorPart, mass: not a value"),
    ("ActuatorPart", "max_effort", 0.0, "a top speed or effort of 0"),
    ("ActuatorPart", "max_speed", INF, "max_speed: expected a number"),
    ("ActuatorPart", "inertia", [-1.0, 0, 0, 0, 0, 0], "inertia"),
    ("ActuatorPart", "inertia", [1.0], "ActuatorPart, inertia: not a value"),
    ("ActuatorPart", "since", "2", "since: unknown HRDF version"),
    ("RigidBody", "mass", -0.5, "negative mass"),
    ("RigidBody", "mass", 10**400, "RigidBody, mass: not a value"),
    ("RigidBody", "inertia", [-1.0, 0, 0, 0, 0, 0], "negative inertia"),
    ("RigidBody", "branched", 1, "RigidBody, branched: not a value"),
    ("RigidBody", "outputs", [], "at least one output"),
    ("RigidBody", "mesh_path", "/etc/passwd", "must be relative"),
    ("Joint", "axis", "qx", "Joint, axis: not a value"),
    ("Joint", "gear_ratio", 0.0, "gear ratio of 0"),
    ("Joint", "line", 1.5, "Joint, line: not a value"),
    ("EndEffector", "output_rot", [0.0] * 9, "not a rotation"),
    ("Payload", "mass", -1.0, "a payload's mass"),
    ("Payload", "mass", INF, "a payload's mass"),
    ("Payload", "com", [0.0, 1.0], "Payload, com: not a value"),
    ("Payload", "com", [0.0, NAN, 1.0], "center of mass"),
    ("Payload", "frame", "tool", "Payload, frame: not a value"),
    ("Annotations", "joint_names", ["a"] * 6, "joint_names are not 6 names"),
    ("Annotations", "joint_names", ["a"], "joint_names are not 6 names"),
    ("Annotations", "max_speeds", [1.0], "max_speeds are not 6 numbers"),
    ("Annotations", "max_efforts", [-1.0] * 6, "max_efforts: expected"),
    ("Annotations", "configurations", [["home", [0.0]]], "expected 6 numbers"),
    ("Annotations", "configurations", [["home", [NAN] * 6]], "configuration 'home': expected"),
    ("Annotations", "configurations", [["a", [0.0] * 6]] * 2, "a name is there twice"),
    ("Annotations", "groups", [group([0, 6])], "group 'some': expected numbers below 6"),
    ("Annotations", "groups", [group([-1])], "group 'some': expected numbers below 6"),
    ("Annotations", "groups", [group([3, 3])], "group 'some': a number is there twice"),
    ("Annotations", "arms", ["ghost"], "arms or legs that are no groups"),
    ("Annotations", "floating_base", ["output", 999], "floating base"),
    ("Annotations", "floating_base", ["nothing", 0], "damaged"),
)


@pytest.mark.parametrize(("kind", "field", "value", "message"), CHANGES)
def test_values_that_no_reader_gives(
    tmp_path: Path, kind: str, field: str, value: Any, message: str
) -> None:
    values = plain()
    target = next(_find(values, kind))
    assert field in target
    target[field] = value
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ModelFileError, match=message) as caught:
            load(tmp_path, values=packed(values))
    assert len(str(caught.value)) < 2000


@pytest.mark.parametrize(
    ("limits", "drives", "message"),
    [
        (([1.0] * 6, [-1.0] * 6), None, "a lower position limit is above the upper one"),
        (([INF] * 6, [INF] * 6), None, "infinite on its side"),
        (None, -1.0, "negative"),
        (None, INF, "beyond the limit"),
        (None, NAN, "joint_dynamics are not 3 x 6 numbers"),
    ],
)
def test_limits_and_drives(tmp_path: Path, limits: Any, drives: Any, message: str) -> None:
    members: dict[str, Any] = {"values": packed(plain())}
    if limits is not None:
        members["position_limits"] = np.array(limits)
    if drives is not None:
        members["joint_dynamics"] = np.full((3, 6), drives)
    with pytest.raises(ModelFileError, match=message):
        load(tmp_path, **members)


def test_groups_and_frames_by_number(tmp_path: Path) -> None:
    values = plain()
    annotations = next(_find(values, "Annotations"))
    annotations["groups"] = [group([0, 5])]
    frame = {"=": "NamedFrame", "name": "x", "kind": "body", "element": 0, "side": "output"}
    annotations["named_frames"] = [frame, {**frame, "name": "y"}]  # of one element
    assert load(tmp_path, values=packed(values)).groups["some"].joints == (0, 5)
    for element in (-1, 10**6):
        annotations["named_frames"] = [{**frame, "element": element}]
        with pytest.raises(ModelFileError, match="named frames: expected numbers below"):
            load(tmp_path, values=packed(values))


def test_payloads_are_those_of_the_end_effectors(tmp_path: Path) -> None:
    values = plain()
    values[1] = values[1][:1]
    with pytest.raises(ModelFileError, match="payloads are not those of 2 end effectors"):
        load(tmp_path, values=packed(values))


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_packings_are_refused(tmp_path: Path, packing: int) -> None:
    path = tmp_path / "m.npz"
    with (
        zipfile.ZipFile(io.BytesIO(archive_with())) as source,
        zipfile.ZipFile(path, "w", packing) as made,
    ):
        for info in source.infolist():
            made.writestr(info.filename, source.read(info))
    with pytest.raises(ModelFileError, match="packed or locked in another way than save does"):
        RobotModel.load(path)


def test_a_member_that_is_there_twice(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(archive_with())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(path, "a") as made:
            made.writestr("values.npy", b"x")
    with pytest.raises(ModelFileError, match="values is there 2 times"):
        RobotModel.load(path)


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 6L), }",  # NumPy: TokenError
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 6), ",
        b"(((((((",
        b"'" * 3,
        b"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (12,), }",
        b"{'descr': '|O', 'fortran_order': False, 'shape': (2, 6), }",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999, 999999999999), }",
        b"\xff\xfe",
    ],
)
def test_headers_that_save_does_not_write(tmp_path: Path, header: bytes) -> None:
    member = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(96)
    stream = io.BytesIO(archive_with(position_limits=None))
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr("position_limits.npy", member)
    path = tmp_path / "m.npz"
    path.write_bytes(stream.getvalue())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ModelFileError, match="damaged"):
            RobotModel.load(path)


def test_limits_by_columns_and_of_the_other_order_are_read(tmp_path: Path) -> None:
    limits = np.arange(12.0).reshape(2, 6)
    for made in (np.asfortranarray(limits), limits.astype(">f8")):
        loaded = load(tmp_path, values=packed(plain()), position_limits=made)
        assert np.array_equal(loaded.position_limits, limits)


BOMBS: dict[str, Callable[[], str]] = {
    "lists": lambda: "[" + "[]," * 3_000_000 + "0]",
    "objects": lambda: "[" + "{}," * 3_000_000 + "0]",
    "numbers": lambda: "[" + "0," * 5_000_000 + "0]",
    "deep": lambda: "[" * 400_000,
    "digits": lambda: "[" + "9" * 1_000_000 + "]",
}


@pytest.mark.parametrize("name", BOMBS)
def test_what_json_would_blow_up_is_refused(tmp_path: Path, name: str) -> None:
    import tracemalloc

    path = tmp_path / "m.npz"
    text = np.frombuffer(BOMBS[name]().encode(), dtype=np.uint8)
    stream = io.BytesIO(archive_with(values=text))
    with (
        zipfile.ZipFile(stream) as source,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        for info in source.infolist():
            made.writestr(info.filename, source.read(info))
    del text, stream
    assert path.stat().st_size < 100_000
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError, match="damaged") as caught:
            RobotModel.load(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100e6  # bytes
    assert len(str(caught.value)) < 2000


ODD: tuple[Any, ...] = (None, True, -1, 0, 10**30, 1e300, NAN, INF, "", "x", [], [[]], {}, [0] * 3)


@given(st.randoms(use_true_random=False))
def test_any_value_in_any_place_is_refused_or_taken(
    tmp_path_factory: pytest.TempPathFactory, source: random.Random
) -> None:
    values = plain()
    places: list[tuple[Any, Any]] = []
    stack = [values]
    while stack:
        one = stack.pop()
        for key in one if isinstance(one, dict) else range(len(one)):
            places.append((one, key))
            if isinstance(one[key], dict | list):
                stack.append(one[key])
    for _ in range(source.choice((1, 1, 3))):
        (one, key), (other, name) = source.choice(places), source.choice(places)
        one[key] = copy.deepcopy(other[name]) if source.random() < 0.5 else source.choice(ODD)
    folder = tmp_path_factory.mktemp("odd")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded, told = outcome(folder, values=packed(values))
        assert len(told) < 2000
        if loaded is None:
            return
        loaded.save(folder / "again.npz")  # what was taken is a robot
        assert RobotModel.load(folder / "again.npz") == loaded
        assert np.isfinite(loaded.mass_matrix(np.zeros(loaded.dof))).all()


SHAPES = ((), (6,), (2, 6), (3, 6), (6, 2), (0,), (2, 0), (2, 6, 1))


@given(
    member=st.sampled_from(["format", "values", "position_limits", "joint_dynamics"]),
    shape=st.sampled_from(SHAPES),
    dtype=st.sampled_from(["f8", "f4", ">f8", "i8", "u1", "c16", "?", "U3", "S5", "M8[s]"]),
)
def test_other_arrays_are_refused(
    tmp_path_factory: pytest.TempPathFactory, member: str, shape: tuple[int, ...], dtype: str
) -> None:
    array = np.zeros(shape, dtype=dtype)
    loaded, told = outcome(tmp_path_factory.mktemp("arrays"), **{member: array})
    if loaded is None:
        assert re.search(f"{member}|damaged|format", told)
    else:
        assert member in ("position_limits", "joint_dynamics")


@given(source=st.randoms(use_true_random=False))
def test_flipped_bytes_of_a_file_that_is_not_packed(
    tmp_path_factory: pytest.TempPathFactory, source: random.Random
) -> None:
    data = bytearray(archive_with(values=packed(plain())))
    for _ in range(source.randint(1, 8)):
        data[source.randrange(len(data))] = source.randrange(256)
    path = tmp_path_factory.mktemp("flipped") / "m.npz"
    path.write_bytes(bytes(data))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with contextlib.suppress(ModelFileError):
            RobotModel.load(path)


def test_what_is_told_can_be_printed(tmp_path: Path) -> None:
    arm = loads(
        '<robot version="1.6.0"><actuator type="X5-1"/><bracket type="X5LightLeft"/></robot>'
    )
    for word in ("\ud800", "\x1b[2J", "a\nb", "x" * 100_000):
        changed = json.loads(to_json((arm.description, arm._payloads, arm._annotations)))
        next(_find(changed, "ActuatorPart"))["interface_out"] = word
        _, said = outcome(tmp_path, values=packed(changed))
        assert "does not fit" in said
        assert said.isprintable()
        assert len(said) < 2000
