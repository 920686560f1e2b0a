"""Files: read when they are ordinary, written in one step, called by what they are."""

import errno
import io
import os
import pickle
import resource
import socket
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armwright as aw
from armwright import devices, gui, hrdf
from armwright.errors import (
    ArmwrightError,
    ConfigError,
    FileWriteError,
    HrdfError,
    ModelFileError,
)
from armwright.hrdf.files import format_of, write_file

ROBOT = '<robot version="1.6.0"><actuator type="X5-4" tag="a"/><end-effector/></robot>'


class Figure:
    """Stands for a figure of Matplotlib."""

    def savefig(self, file: Any, **_: object) -> None:
        file.write(b"picture")


def save(path: Any) -> None:
    aw.loads(ROBOT).save(path)


def write(path: Any) -> None:
    hrdf.write(hrdf.parse(ROBOT), path)


def draw(path: Any) -> None:
    gui.save_picture(Figure(), path)


WRITERS: tuple[tuple[Callable[[Any], None], str], ...] = (
    (save, ".npz"),
    (write, ".hrdf"),
    (draw, ".png"),
)
READERS: tuple[Callable[[Any], object], ...] = (
    aw.load,
    aw.RobotModel.load,
    hrdf.read,
    devices.load_config,
    hrdf.load_catalog,
    aw.loads(ROBOT).with_groups,
)
writers = pytest.mark.parametrize(("writer", "ending"), WRITERS, ids=["save", "write", "draw"])
readers = pytest.mark.parametrize("reader", READERS, ids=lambda r: r.__qualname__)


@writers
def test_nothing_but_a_file_is_replaced(
    writer: Callable[[Any], None], ending: str, tmp_path: Path
) -> None:
    folder = tmp_path / f"folder{ending}"
    folder.mkdir()
    with pytest.raises(ArmwrightError, match=f"folder{ending}: cannot be written: it is a folder"):
        writer(folder)
    listening = tmp_path / f"s{ending}"
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(listening))
        with pytest.raises(ArmwrightError, match="cannot be written: it is not a file, but a sock"):
            writer(listening)
    assert stat.S_ISSOCK(listening.stat().st_mode)
    null = tmp_path / f"null{ending}"
    null.symlink_to("/dev/null")
    writer(null)  # written into
    assert null.is_symlink()
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    full = tmp_path / f"full{ending}"
    full.symlink_to("/dev/full")
    with pytest.raises(ArmwrightError, match="cannot be written: No space left"):
        writer(full)


@writers
def test_pipes_are_written_into(writer: Callable[[Any], None], ending: str, tmp_path: Path) -> None:
    pipe = tmp_path / f"pipe{ending}"
    os.mkfifo(pipe)
    with pytest.raises(ArmwrightError, match="cannot be written: it is a pipe that nobody reads"):
        writer(pipe)
    read: list[bytes] = []
    handle = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # what is written fits into the pipe
    try:
        writer(pipe)
        read.append(os.read(handle, 100_000))
    finally:
        os.close(handle)
    plain = tmp_path / f"plain{ending}"
    writer(plain)
    assert read == [plain.read_bytes()]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@writers
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a\0", "NUL character"),
        ("a\ud800", r"U\+D800"),
        ("/nowhere/at/all/x", "no such folder|no folder"),
        ("x" * 300, "name too long"),
    ],
)
def test_names_that_no_file_can_have(
    writer: Callable[[Any], None], ending: str, name: str, said: str
) -> None:
    with pytest.raises(ArmwrightError, match=f"(?i){said}"):
        writer(name + ending)


@writers
def test_the_empty_name(writer: Callable[[Any], None], ending: str) -> None:
    with pytest.raises(ArmwrightError, match="path is empty"):
        writer("")


@writers
def test_a_long_name_is_written(writer: Callable[[Any], None], ending: str, tmp_path: Path) -> None:
    name = "x" * (255 - len(ending)) + ending
    writer(tmp_path / name)
    assert os.listdir(tmp_path) == [name]


@writers
def test_links_stay_links(writer: Callable[[Any], None], ending: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    link = tmp_path / f"link{ending}"
    link.symlink_to("other/real")
    writer(link)
    assert link.is_symlink()
    assert (tmp_path / "other" / "real").read_bytes()
    loop = tmp_path / f"loop{ending}"
    loop.symlink_to(loop)
    with pytest.raises(ArmwrightError, match="Too many levels of symbolic links"):
        writer(loop)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")
    file.chmod(0o640)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(
            FileWriteError, match=r"/a: cannot be written: File too large"
        ) as caught:
            write_file(file, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]
    assert isinstance(caught.value, OSError)
    assert caught.value.errno == errno.EFBIG
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (FileWriteError, str(caught.value))
    write_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_standard_output_is_written_into(tmp_path: Path) -> None:
    code = (
        "import sys; print('first', flush=True)\n"
        "from armwright.hrdf.files import write_file\n"
        "write_file('/dev/stdout', b'data')"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    assert out.stdout == b"first\ndata"
    with open(tmp_path / "out", "wb") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True, timeout=60)
    assert b"data" in (tmp_path / "out").read_bytes()


@readers
def test_readers_refuse_what_is_no_file(reader: Callable[[Any], object], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    zero = tmp_path / "zero.yaml"
    zero.symlink_to("/dev/zero")
    folder = tmp_path / "folder.yaml"
    folder.mkdir()
    for path, said in (
        (pipe, "not an ordinary file, but a pipe"),
        (zero, "not an ordinary file, but a device"),
        (folder, "folder"),
        (tmp_path / "none.yaml", "(?i)no such file"),
        ("a\0.yaml", "NUL character"),
        ("a\ud800.yaml", r"U\+D800"),
    ):
        with pytest.raises(ArmwrightError, match=said):
            reader(path)


def _zip(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, b"x" * 100)
    return stream.getvalue()


def _npz() -> bytes:
    stream = io.BytesIO()
    np.savez(stream, q=np.zeros(3))
    return stream.getvalue()


FOREIGN: dict[str, tuple[str | bytes, str]] = {
    "arm.urdf": ('<robot name="one"><link name="base_link"/></robot>', "URDF"),
    "two.urdf": (
        '<?xml version="1.0"?>\n<!-- <sdf> -->\n<robot name="r"><link name="a"/><link name="b"/>'
        '<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint>'
        '<transmission name="t"><actuator name="m"/></transmission></robot>',
        "URDF",
    ),
    "arm.xacro": (
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="x"><xacro:macro name="m"/>'
        "</robot>",
        "xacro",
    ),
    "arm.srdf": ('<robot name="x"><group name="a"><joint name="j"/></group></robot>', "SRDF"),
    "arm.sdf": ('<sdf version="1.7"><model name="m"/></sdf>', "SDF"),
    "arm.xml": ('<mujoco model="x"/>', "MJCF"),
    "gains.xml": ('<gains version="1.0"/>', "gains"),
    "hebi_gains.xml": ("<group_gains><position><kp>1</kp></position></group_gains>", "gains"),
    "safety.xml": ('<group_safety version="1.0.0"><mstop/></group_safety>', "safety"),
    "mesh.dae": ('<COLLADA version="1.4.1"></COLLADA>', "COLLADA"),
    "page.hrdf": ("<!DOCTYPE html>\n<html><head></head></html>", "web page"),
    "mesh.stl": ("solid part\n  facet normal 0 0 1\n", "STL"),
    "binary.stl": (b"made".ljust(80, b"\0") + (1).to_bytes(4, "little") + bytes(50), "STL"),
    "mesh.obj": ("# made\nmtllib a.mtl\no part\nv 1 2.5 -3e-1\nf 1 1 1\n", "OBJ"),
    "log.hebilog": (b"\x01\x00\x02\x00\xff\xfe", "log of HEBI"),
    "plain.yaml": ("color: red\nsize: 3\n", "YAML, but no robot configuration"),
    "groups.yaml": ("version: 1\ngroups: {a: {joints: [b]}}\n", "file of groups"),
    "parts.yaml": ("actuators: {}\n", "catalog"),
    "data.json": ('{"a": [1, 2]}', "JSON"),
    "list.json": ("[1, 2]", "JSON"),
    "manual.pdf": (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
    "arms.zip": (_zip("arms/a.hrdf"), "archive"),
    "arrays.npz": (_npz(), "no saved model"),
    "array.npy": (b"\x93NUMPY\x01\x00", "array of NumPy"),
    "arm.tar.gz": (b"\x1f\x8b\x08\x00rest", "gzip"),
    "picture.png": (b"\x89PNG\r\n\x1a\n\0\0", "PNG"),
    "pointer.hrdf": ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
    "table.csv": ("1,2,3\n4,5,6\n", "CSV"),
    "notes.txt": ("an arm\n", "a text"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_another_format_is_named(name: str, tmp_path: Path) -> None:
    content, said = FOREIGN[name]
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    for reader in (aw.load, hrdf.read, devices.load_config, aw.RobotModel.load):
        with pytest.raises((HrdfError, ConfigError, ModelFileError)) as caught:
            reader(file)
        (line,) = str(caught.value).splitlines()
        assert line.startswith(f"{file}: ")
        assert said in line


def test_the_formats_of_our_own_are_named_to_other_readers(root: Path, tmp_path: Path) -> None:
    arms = root / "examples" / "arms"
    config, robot, saved = arms / "six_dof.cfg.yaml", arms / "six_dof.hrdf", tmp_path / "m.npz"
    aw.load(robot).save(saved)
    for reader, file, said in (
        (hrdf.read, config, "this is a robot configuration. armwright.load"),
        (aw.RobotModel.load, config, "this is a robot configuration. armwright.load"),
        (hrdf.read, saved, r"this is a saved model.*RobotModel\.load"),
        (devices.load_config, saved, "this is a saved model"),
        (devices.load_config, robot, r"this is HRDF. armwright\.load\(path\)"),
        (aw.RobotModel.load, robot, r"not a saved model.*HRDF is read by armwright\.load"),
    ):
        with pytest.raises(ArmwrightError, match=said):
            reader(file)


def test_an_include_of_another_format(tmp_path: Path) -> None:
    (tmp_path / "a.urdf").write_text(str(FOREIGN["two.urdf"][0]))
    text = '<robot version="1.6.0"><include path="a.urdf"/></robot>'
    with pytest.raises(HrdfError, match=r"include\[1\], path: 'a.urdf': this is URDF") as caught:
        hrdf.parse(text, folder=tmp_path)
    assert len(caught.value.problems) == 1
    (tmp_path / "b.hrdf").write_text('<robot name="x"/>')
    with pytest.raises(HrdfError, match="this is URDF"):
        aw.load(tmp_path / "b.hrdf")


def test_what_is_hrdf_is_never_called_by_another_name() -> None:
    for text in (
        '<robot version="1.6.0" name="x"><actuator typ="X5-1"/></robot>',
        '<robot><link type="X5" extension="1" twist="0" name="l"/><rigid-body mass="1"/></robot>',
    ):
        assert format_of(text.encode()).key == "hrdf"  # type: ignore[union-attr]
        with pytest.raises(HrdfError, match="unknown attribute 'name'"):
            hrdf.parse(text)


@pytest.mark.parametrize(
    "data",
    [
        b"<robot " + b"<!DOCTYPE" * 7000,
        b"<actuator " * 6500,
        b"<link " * 10_000,
        b"\n" * 65_000,
        b"# \n" * 20_000 + b"v",
        b"<!--" * 16_000,
        b" " * 65_000 + b"<",
    ],
)
def test_looking_takes_no_time(data: bytes) -> None:
    import time

    start = time.process_time()
    format_of(data, "a.hrdf")
    format_of(b"<robot>" + data, "a.hrdf")
    assert time.process_time() - start < 2


def test_a_model_is_not_saved_as_another_format(tmp_path: Path) -> None:
    model = aw.loads(ROBOT)
    for name in ("x.hrdf", "x.HRDF", "x.xml", "x.urdf", "x.yaml"):
        with pytest.raises(ModelFileError, match=r"whose ending is \.npz.*hrdf\.write\(model"):
            model.save(tmp_path / name)
    for name in ("x.npz", "x.urdf", "x.yaml"):
        with pytest.raises(FileWriteError, match=r"misleads\. Call it \.hrdf"):
            hrdf.write(model.description, tmp_path / name)
    assert os.listdir(tmp_path) == []
