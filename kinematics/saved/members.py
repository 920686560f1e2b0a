"""The arrays in the archive of a saved model: read by a strict reader of our own.

NumPy's reader evaluates headers and gives whatever type a file asks for; here an array is plain
numbers of a size that fits, or refused. What an archive unpacks to has a bound, so that a small
file cannot take all memory.
"""

import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from armwright.errors import ModelFileError

MAX_BYTES = 64 * 1024 * 1024
"""Size of the file itself."""

MOST = {"values": 16 * 1024 * 1024, "position_limits": 1024 * 1024, "joint_dynamics": 1024 * 1024}
"""What a member may unpack to."""

_MOST_ELSE = 64 * 1024
_HEADER = re.compile(
    rb"\{'descr': '([<>|=]?)([A-Za-z])(\d{1,3})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,12},? ?){0,8})\), \}[ \n]*"
)
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True)
class Member:
    """One array of an archive.

    Attributes:
        name: Its name.
        order: "<" or ">": of its bytes.
        kind: "f", "i", "u" or another letter of NumPy's.
        size: Bytes of one number.
        by_columns: Whether columns come before rows.
        shape: Its shape.
        data: Its numbers.
    """

    name: str
    order: str
    kind: str
    size: int
    by_columns: bool
    shape: tuple[int, ...]
    data: bytes

    def whole_number(self) -> int | None:
        """Return the only whole number; None when it is none."""
        if self.shape != () or self.kind not in "iu" or self.size != len(self.data):
            return None
        order: Any = "big" if self.order == ">" else "little"
        return int.from_bytes(self.data, order, signed=self.kind == "i")

    def doubles(self) -> "np.ndarray[Any, np.dtype[np.float64]] | None":
        """Return the doubles; None when it is something else."""
        if self.kind != "f" or self.size != 8:
            return None
        order = ">f8" if self.order == ">" else "<f8"
        values = np.frombuffer(self.data, dtype=order).astype(np.float64)
        return values.reshape(self.shape, order="F" if self.by_columns else "C")


def read_members(stream: BinaryIO, names: tuple[str, ...]) -> dict[str, Member]:
    """Return these arrays of an archive.

    Raises:
        ModelFileError: If one is not there, is packed in another way than ``save`` does, is too
            large, or is damaged.
        BadZipFile: If it is no archive.
    """
    with zipfile.ZipFile(stream) as archive:
        found: dict[str, list[zipfile.ZipInfo]] = {}
        for info in archive.infolist():
            found.setdefault(info.filename, []).append(info)
        return {name: _member(archive, found.get(f"{name}.npy", []), name) for name in names}


def _member(archive: zipfile.ZipFile, found: list[zipfile.ZipInfo], name: str) -> Member:
    """Return one array, not larger than its header and the bound say."""
    if not found:
        raise ModelFileError(f"not a saved model: it has no {name}")
    if len(found) > 1:
        raise ModelFileError(f"damaged: {name} is there {len(found)} times")
    if found[0].compress_type not in _PACKINGS or found[0].flag_bits & 1:
        raise ModelFileError(f"damaged: {name} is packed or locked in another way than save does")
    most = MOST.get(name, _MOST_ELSE)
    try:
        with archive.open(found[0]) as stream:
            data = stream.read(most + 1)
    except zlib.error as error:
        raise ModelFileError(f"damaged: {name}: {error}") from None
    if len(data) > most:
        raise ModelFileError(f"{name} is larger than the limit of {most} bytes")
    if data[:6] != b"\x93NUMPY":
        raise ModelFileError(f"damaged: {name} is no array")
    if data[6:8] != b"\x01\x00":
        raise ModelFileError(f"damaged: {name} is an array of version {tuple(data[6:8])}")
    start = 10 + int.from_bytes(data[8:10], "little")
    header = _HEADER.fullmatch(data[10:start])
    if header is None:
        raise ModelFileError(f"damaged: the header of {name} is not one that save writes")
    order, kind, size, by_columns, shape = (part.decode("ascii") for part in header.groups())
    lengths = tuple(int(number) for number in re.findall(r"\d+", shape))
    each = int(size) * (4 if kind == "U" else 1)
    count = 1
    for length in lengths:
        count *= length
    if kind == "O" or count * each != len(data) - start:
        raise ModelFileError(f"damaged: {name} is not as long as it says")
    return Member(name, order, kind, int(size), by_columns == "True", lengths, data[start:])
