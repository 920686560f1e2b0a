"""What a file is, by its contents: so that one of another format is called by its name.

Asked when a reader has failed, or cannot know what it was given; a file that can be read is never
refused for what it looks like.
"""

import codecs
import re
from dataclasses import dataclass

HEAD = 64 * 1024
"""Bytes at the beginning of a file that say what it is, or characters of a text."""

_ROBOTS = "Robots are HRDF files or robot configurations (*.cfg.yaml)"
_NOT_YET = f"Nothing here reads it yet. {_ROBOTS}"
_MESH = "A mesh belongs to a robot: name it as mesh_path of a rigid-body in its HRDF file"
_UNPACK = "Unpack it first, then give the file that was in it"
_HRDF = "armwright.load(path) and hrdf.read(path) read it"
_CONFIG = "armwright.load(path) makes its robot, devices.load_config(path) reads the rest"
_GAINS = "Gains belong beside a robot: name the file under gains in its configuration (*.cfg.yaml)"
_GROUPS = "model.with_groups(path) reads it, for a robot that armwright.load has read"


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    Attributes:
        key: Short name.
        name: Name with an article, for messages.
        advice: What to do with it.
    """

    key: str
    name: str
    advice: str

    @property
    def text(self) -> str:
        """What to tell whoever gave such a file in place of another."""
        return f"this is {self.name}. {self.advice}"


HRDF = Format("hrdf", "HRDF", _HRDF)
CONFIG = Format("config", "a robot configuration", _CONFIG)
SAVED = Format(
    "saved", "a saved model (npz)", "armwright.load(path) and RobotModel.load(path) read it"
)
_URDF = Format("urdf", "URDF, the robots of ROS", _NOT_YET)
_XACRO = Format("xacro", "xacro, from which ROS makes URDF", _NOT_YET)
_SRDF = Format("srdf", "SRDF, groups and states of a robot", _GROUPS)
_GROUP_FILE = Format("groups", "a file of groups", _GROUPS)
_CATALOG = Format(
    "catalog", "a catalog of parts", "It goes beside a robot: armwright.load(path, catalog=this)"
)
_YAML = Format("yaml", "YAML, but no robot configuration", f"Those have names and hrdf. {_ROBOTS}")
_JSON = Format("json", "JSON", _ROBOTS)
_WEB_PAGE = Format(
    "html", "a web page (HTML)", "Download the file itself; on GitHub, by its button 'Raw'"
)
_POINTER = Format("lfs", "a pointer of Git LFS, not the file itself", "Fetch it by: git lfs pull")
_TEXT = Format("text", "a text", _ROBOTS)

_ROOTS = {
    "mujoco": Format("mjcf", "MJCF, the models of MuJoCo", _NOT_YET),
    "mujocoinclude": Format("mjcf", "MJCF, the models of MuJoCo", _NOT_YET),
    "sdf": Format("sdf", "SDF, the worlds of Gazebo", _NOT_YET),
    "gazebo": Format("sdf", "SDF, the worlds of Gazebo", _NOT_YET),
    "group_gains": Format("gains", "a gains file of HEBI modules", _GAINS),
    "gains": Format("gains", "a gains file", _GAINS),
    "group_safety": Format(
        "safety", "a file of safety parameters of HEBI modules", "Nothing here reads it yet"
    ),
    "collada": Format("collada", "a mesh (COLLADA)", _MESH),
    "x3d": Format("x3d", "a mesh (X3D)", _MESH),
    "amf": Format("amf", "a mesh (AMF)", _MESH),
    "opensimdocument": Format("osim", "a model of OpenSim", _NOT_YET),
    "svg": Format("svg", "a picture (SVG)", _ROBOTS),
    "html": _WEB_PAGE,
    "launch": Format("launch", "a launch file of ROS", _ROBOTS),
    "package": Format("package", "a package file of ROS", _ROBOTS),
}
_SRDF_TAGS = re.compile(
    r"<(group|group_state|end_effector|virtual_joint|passive_joint|disable_collisions"
    r"|disable_default_collisions)\b"
)
_HRDF_TAGS = re.compile(r"<(rigid-body|end-effector|bracket|actuator\s[^>]{0,500}\btype|include)\b")
_PROLOG = re.compile(
    r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!DOCTYPE[^>[]{0,200}(?:\[[^\]]{0,5000}\])?\s{0,9}>",
    re.DOTALL,
)
_URDF_TAGS = re.compile(r"<(link|joint)\s[^>]{0,2000}?\bname\s*=")

_CONFIG_KEY = re.compile(
    r"^[\"']?(version|families|names|hrdf|gains|feedback_frequency|command_lifetime|plugins"
    r"|user_data)[\"']?\s*:",
    re.MULTILINE,
)
_GROUP_KEY = re.compile(r"^(groups|arms|legs|chains|reference_configurations)\s*:", re.MULTILINE)
_CATALOG_KEY = re.compile(r"^(actuators|links|brackets|end_effectors)\s*:", re.MULTILINE)
_YAML_NAME = re.compile(r"\.ya?ml$", re.IGNORECASE)

_MAGIC: tuple[tuple[bytes, Format], ...] = (
    (b"%PDF", Format("pdf", "a PDF document", _ROBOTS)),
    (b"\x1f\x8b", Format("gzip", "a packed file (gzip)", _UNPACK)),
    (b"BZh", Format("bzip2", "a packed file (bzip2)", _UNPACK)),
    (b"\xfd7zXZ", Format("xz", "a packed file (xz)", _UNPACK)),
    (b"\x28\xb5\x2f\xfd", Format("zstd", "a packed file (zstd)", _UNPACK)),
    (b"7z\xbc\xaf", Format("7z", "an archive (7z)", _UNPACK)),
    (b"Rar!", Format("rar", "an archive (rar)", _UNPACK)),
    (b"PK\x05\x06", Format("zip", "an empty archive (zip)", _ROBOTS)),
    (b"\x93NUMPY", Format("npy", "an array of NumPy (npy)", _ROBOTS)),
    (b"\x80\x04\x95", Format("pickle", "a pickle of Python", "Save models by model.save(path)")),
    (b"\x80\x05\x95", Format("pickle", "a pickle of Python", "Save models by model.save(path)")),
    (b"\x89HDF", Format("hdf5", "an HDF5 file", _ROBOTS)),
    (b"MATLAB", Format("matlab", "a file of MATLAB", _ROBOTS)),
    (b"\x89PNG", Format("png", "a picture (PNG)", _ROBOTS)),
    (b"\xff\xd8\xff", Format("jpeg", "a picture (JPEG)", _ROBOTS)),
    (b"GIF8", Format("gif", "a picture (GIF)", _ROBOTS)),
    (b"SQLite format 3", Format("sqlite", "a database (SQLite), such as a bag of ROS", _ROBOTS)),
    (b"#ROSBAG", Format("bag", "a bag of ROS", _ROBOTS)),
    (b"\x89MCAP", Format("mcap", "a recording (MCAP)", _ROBOTS)),
    (b"\x7fELF", Format("program", "a program", _ROBOTS)),
    (b"MZ", Format("program", "a program", _ROBOTS)),
    (b"glTF", Format("gltf", "a mesh (glTF)", _MESH)),
    (b"Kaydara FBX", Format("fbx", "a mesh (FBX)", _MESH)),
    (b"ply\n", Format("ply", "a mesh (PLY)", _MESH)),
    (b"ply\r\n", Format("ply", "a mesh (PLY)", _MESH)),
    (b"ISO-10303-21", Format("step", "a drawing (STEP)", _MESH)),
    (b"version https://git-lfs", _POINTER),
)
_STL = Format("stl", "a mesh (STL)", _MESH)
_OBJ = Format("obj", "a mesh (OBJ)", _MESH)
_ZIP = Format("zip", "an archive (zip)", _UNPACK)
_LOG = Format("hebilog", "a log of HEBI modules (hebilog)", "Nothing here reads it yet")
_MEMBERS = (
    (b"format.npy", SAVED),
    (b"values.npy", SAVED),
    (b".npy", Format("npz", "arrays of NumPy (npz), but no saved model", _ROBOTS)),
    (b"3D/3dmodel.model", Format("3mf", "a mesh (3MF)", _MESH)),
    (b"[Content_Types].xml", Format("office", "an office document", _ROBOTS)),
)
_ENDINGS = {
    ".hebilog": _LOG,
    ".stl": _STL,
    ".obj": _OBJ,
    ".json": _JSON,
    ".yaml": _YAML,
    ".yml": _YAML,
    ".csv": Format("csv", "a table (CSV)", _ROBOTS),
    ".py": Format("python", "a program in Python", _ROBOTS),
    ".m": Format("matlab", "a program in MATLAB", _ROBOTS),
    ".md": _TEXT,
    ".txt": _TEXT,
    ".toml": Format("toml", "TOML", _ROBOTS),
}


def format_of(data: bytes, name: str = "") -> Format | None:
    """Return the format of a file; None when nothing tells.

    Args:
        data: What it holds, or its first part.
        name: Its name; where the contents tell nothing its ending does.
    """
    if data.startswith(b"PK\x03\x04"):
        return next((found for member, found in _MEMBERS if member in data[:4096]), _ZIP)
    magic = next((found for start, found in _MAGIC if data.startswith(start)), None)
    if magic is not None:
        return magic
    if data[257:262] == b"ustar":
        return Format("tar", "an archive (tar)", _UNPACK)
    size = int.from_bytes(data[80:84], "little")
    if len(data) >= 84 and (size == 0 or b"\0" in data[:84]) and len(data) == 84 + 50 * size:
        return _STL
    text = _decoded(data[:HEAD])
    found = None
    if text is not None:
        stripped = text.lstrip("\ufeff \t\r\n")
        found = _xml(stripped) if stripped.startswith("<") else _plain(stripped, name)
    ending = re.search(r"\.[A-Za-z0-9]+$", name)
    return found or (_ENDINGS.get(ending.group().casefold()) if ending and text != "" else None)


def _xml(text: str) -> Format | None:
    """Return the format of XML by its root and what is in it."""
    if re.match(r"<!doctype\s+html", text, re.IGNORECASE):
        return _WEB_PAGE
    bare = _PROLOG.sub("", text)
    root = re.match(r"\s*<([A-Za-z_][\w.-]*)([^>]*)", bare)
    if root is None:
        return None
    if root[1] != "robot":
        return _ROOTS.get(root[1].casefold())
    if "xmlns:xacro" in root[2] or "<xacro:" in bare:
        return _XACRO
    if _HRDF_TAGS.search(bare) or re.search(r"\bversion\s*=\s*[\"']1\.\d\.\d", root[2]):
        return HRDF
    if _SRDF_TAGS.search(bare):
        return _SRDF
    if _URDF_TAGS.search(bare) or re.search(r"\bname\s*=", root[2]):
        return _URDF
    return HRDF


def _plain(text: str, name: str) -> Format | None:
    """Return the format of a text that is not XML."""
    if re.match(r"solid\b[^\n]*\r?\n\s*facet\b", text):
        return _STL
    words = (line.split() for line in text.split("\n", 200))
    first = next(
        (row for row in words if row and row[0][0] not in "#og" and row[0] != "mtllib"), []
    )
    if len(first) in (4, 7) and first[0] == "v" and re.fullmatch(r"[-+.eE\d]+", "".join(first[1:])):
        return _OBJ
    keys = {match[1] for match in _CONFIG_KEY.finditer(text)}
    if {"names", "families", "hrdf"} & keys or (
        keys and _YAML_NAME.search(name) and not _GROUP_KEY.search(text)
    ):
        return CONFIG
    if re.match(r"\{\s*[\"}]|\[\s*[\[{\"\d\]-]", text):
        return _JSON
    if _GROUP_KEY.search(text):
        return _GROUP_FILE
    return _CATALOG if _CATALOG_KEY.search(text) else None


def _decoded(data: bytes) -> str | None:
    """Return the text that a file begins with; None when it is none."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if b"\0" in data:
        return None
    return data.decode("utf-8", "replace")
