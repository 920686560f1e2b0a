"""Saved models: the same bits after loading, and a named error for whatever is not a model."""

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armwright.errors import ModelError, ModelFileError
from armwright.hrdf import RobotDescription
from armwright.kinematics import RobotModel, load, loads
from tests.kinematics.conftest import TREE
from tests.strategies import descriptions


def same_bits(one: RobotModel, other: RobotModel) -> None:
    """Compare what kernels read and what they give, bit by bit."""
    assert one == other
    assert one._rows.tobytes() == other._rows.tobytes()
    for kind, (table, _) in one._pose_tables.items():
        assert table.tobytes() == other._pose_tables[kind][0].tobytes()
    for name in ("masses", "max_speeds", "max_efforts", "position_limits", "base_frame"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine.tobytes() == theirs.tobytes()
        assert not theirs.flags.writeable
    assert one.tags == other.tags
    assert one.warnings == other.warnings
    assert [(e.file, e.line, e.path) for e in one.elements] == [
        (e.file, e.line, e.path) for e in other.elements
    ]
    assert one.description.files == other.description.files


def test_results_are_bit_identical(robot: RobotModel, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    full = robot.with_position_limits(-rng.random(robot.dof), rng.random(robot.dof))
    full = full.with_joint_dynamics(*[None], rotor_inertia=rng.random(robot.dof), friction=0.1)
    full.save(tmp_path / "m.npz")
    again = RobotModel.load(tmp_path / "m.npz")
    same_bits(full, again)
    q, v, a = rng.normal(size=(3, robot.dof))
    assert full.forward_kinematics("output", q).tobytes() == (
        again.forward_kinematics("output", q).tobytes()
    )
    assert full.inverse_dynamics(q, v, a).tobytes() == again.inverse_dynamics(q, v, a).tobytes()
    assert full.mass_matrix(q).tobytes() == again.mass_matrix(q).tobytes()


@given(description=descriptions())
def test_every_description_comes_back(
    description: RobotDescription, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("saved") / "m.npz"
    model = RobotModel(description)
    model.save(path)
    same_bits(model, RobotModel.load(path))


def test_groups_payloads_and_own_parts_come_back(root: Path, tmp_path: Path) -> None:
    model = load(root / "examples" / "arms" / "two_armed.hrdf").with_groups()
    model = model.with_payload(0.4, (0.1, 0, 0.2), tag="left_tool", frame="output")
    model.save(tmp_path / "m")
    again = RobotModel.load(str(tmp_path / "m"))
    same_bits(model, again)
    assert again.groups == model.groups
    assert again.arm(0).joints == (1, 2, 3, 4)
    assert list(again.reference_configurations) == list(model.reference_configurations)


def test_the_same_model_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        loads(TREE).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_numpy_opens_it_without_pickles(tmp_path: Path) -> None:
    loads(TREE).save(tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz", allow_pickle=False) as archive:
        assert int(archive["format"]) == 1
        assert archive["position_limits"].shape == (2, 6)
        text = archive["values"].tobytes().decode()
    assert json.loads(text)[0]["="] == "RobotDescription"


def test_a_file_is_replaced_in_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.npz"
    loads(TREE).save(path)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        loads('<robot version="1.6.0"/>').save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["m.npz"]


def archive_with(**members: Any) -> bytes:
    """Return a saved model in which some members are others; None leaves one out."""
    model = loads(TREE)
    stream = io.BytesIO()
    arrays: dict[str, Any] = {
        "format": np.array(1),
        "values": None,
        "position_limits": model.position_limits,
        "joint_dynamics": np.zeros((3, 6)),
    }
    from armwright.kinematics.robot import to_json

    text = to_json((model.description, model._payloads, model._annotations))
    arrays["values"] = np.frombuffer(text, dtype=np.uint8)
    arrays.update(members)
    np.savez(stream, **{name: array for name, array in arrays.items() if array is not None})
    return stream.getvalue()


def values(text: str) -> Any:
    """Return a text as the member of that name."""
    return np.frombuffer(text.encode(), dtype=np.uint8)


def test_the_twin_of_a_saved_model_loads(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(archive_with())
    assert RobotModel.load(tmp_path / "m") == loads(TREE)


HUGE = '[{"=":"RobotDescription"'


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"format": np.array(2)}, "saved in format 2, but this version .* reads format 1"),
        ({"format": np.array(0)}, "saved in format 0"),
        ({"format": np.array("1")}, "its format is not a number"),
        ({"format": np.array([1])}, "its format is not a number"),
        ({"format": None}, "not a saved model: it has no format"),
        ({"values": None}, "not a saved model: it has no values"),
        ({"joint_dynamics": None}, "not a saved model: it has no joint_dynamics"),
        ({"position_limits": np.zeros((2, 5))}, "position_limits are not 2 x 6 numbers"),
        ({"position_limits": np.full((2, 6), np.nan)}, "position_limits are not 2 x 6"),
        ({"joint_dynamics": np.zeros((3, 6), dtype=np.float32)}, "joint_dynamics are not 3 x 6"),
        ({"joint_dynamics": np.array([[None] * 6] * 3)}, "joint_dynamics"),
        ({"values": np.zeros(3)}, "values are not bytes"),
        ({"values": values("")}, "damaged"),
        ({"values": values("[1, 2, 3]")}, "damaged"),
        ({"values": values("[[], [], []]")}, "values are not a description"),
        ({"values": values("[" * 100_000)}, "damaged"),
        ({"values": values('[{"=":"os.system"}, [], []]')}, "an object of no known class"),
        ({"values": values('[{"=":["Pose"]}, [], []]')}, "damaged"),
        ({"values": values('[{"=":"Pose","rotation":[]}, [], []]')}, "a Pose with other fields"),
    ],
)
def test_other_archives_are_refused(tmp_path: Path, members: Any, message: str) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(archive_with(**members))
    with pytest.raises(ModelFileError, match=message) as info:
        RobotModel.load(path)
    assert str(info.value).startswith(str(path))
    assert isinstance(info.value, ModelError)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"mass":0.7', b'"mass":"7"'),
        (b'"mass":0.7', b'"mass":NaN'),
        (b'"axis":"-ry"', b'"axis":"?"'),
        (b'"gear_ratio":2.0', b'"gear_ratio":0.0'),
        (b'"=":"Joint"', b'"=":"Group"'),
        (b'"elements":[', b'"elements":[1,'),
        (b'"translation":[0.4,0.0,0.0]', b'"translation":[0.4,0.0]'),
    ],
)
def test_values_that_were_tampered_with(tmp_path: Path, old: bytes, new: bytes) -> None:
    from armwright.kinematics.robot import to_json

    model = loads(TREE)
    text = to_json((model.description, model._payloads, model._annotations))
    assert old in text
    path = tmp_path / "m.npz"
    path.write_bytes(archive_with(values=np.frombuffer(text.replace(old, new), dtype=np.uint8)))
    with pytest.raises(ModelFileError, match="damaged"):
        RobotModel.load(path)


def test_headers_that_promise_too_much(tmp_path: Path) -> None:
    member = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": (2, 10**15)}
    write_header: Any = np.lib.format.write_array_header_1_0  # numpy 1.26 has no types for it
    write_header(member, header)
    path = tmp_path / "m.npz"
    stream = io.BytesIO(archive_with(position_limits=None))
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr("position_limits.npy", member.getvalue())
    path.write_bytes(stream.getvalue())
    with pytest.raises(ModelFileError, match="position_limits is not as long as it says"):
        RobotModel.load(path)


def test_a_member_that_unpacks_to_too_much(tmp_path: Path) -> None:
    stream = io.BytesIO(archive_with(values=None))
    with zipfile.ZipFile(stream, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("values.npy", bytes(65 * 1024 * 1024))
    path = tmp_path / "m.npz"
    path.write_bytes(stream.getvalue())
    assert path.stat().st_size < 200_000
    with pytest.raises(ModelFileError, match="values is larger than the limit"):
        RobotModel.load(path)


def test_what_is_no_archive(tmp_path: Path, root: Path) -> None:
    arm = root / "examples" / "arms" / "six_dof.hrdf"
    with pytest.raises(ModelFileError, match=r"not a saved model.*HRDF is read by armwright\.load"):
        RobotModel.load(arm)
    for name, content in (("empty", b""), ("text", b"hello"), ("array.npy", b"\x93NUMPY\x01\x00")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ModelFileError, match="not a saved model"):
            RobotModel.load(tmp_path / name)
    with pytest.raises(ModelFileError, match="no such file"):
        RobotModel.load(tmp_path / "none")
    with pytest.raises(ModelFileError, match="cannot be read"):
        RobotModel.load(tmp_path)
    for odd in (3, b"x", None):
        with pytest.raises(ModelFileError, match="expected a path"):
            RobotModel.load(odd)  # type: ignore[arg-type]
        with pytest.raises(ModelFileError, match="expected a path"):
            loads(TREE).save(odd)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError, match="no such folder"):
        loads(TREE).save(tmp_path / "none" / "m.npz")


@given(at=st.floats(0, 1), value=st.integers(0, 255), cut=st.booleans())
def test_damaged_files_are_refused_or_harmless(
    at: float, value: int, cut: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    model = loads(TREE)
    path = tmp_path_factory.mktemp("damaged") / "m.npz"
    model.save(path)
    data = bytearray(path.read_bytes())
    place = int(at * (len(data) - 1))
    if cut:
        del data[place:]
    else:
        data[place] = value
    path.write_bytes(bytes(data))
    try:
        loaded = RobotModel.load(path)
    except ModelFileError:
        return
    assert loaded == model  # the byte was in a date or the like
