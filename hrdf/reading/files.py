"""The files of one robot: opened within bounds, each parsed once, loops found.

A file is known by its device and inode, so that a loop through symbolic or hard links is found
too. Names for messages stay as the user wrote them: relative names stay relative.
"""

import os
import posixpath
import re
from dataclasses import dataclass
from difflib import get_close_matches

from armwright.errors import ArmwrightError
from armwright.hrdf.files import (
    HEAD,
    HRDF,
    PathError,
    UnreadableError,
    format_of,
    open_file,
    path_text,
)
from armwright.hrdf.formula import shorten
from armwright.hrdf.limits import MAX_FILE_BYTES, MAX_INCLUDE_DEPTH, MAX_INCLUDES, MAX_TOTAL_BYTES
from armwright.hrdf.specification import is_url

from .xml import Node, XmlError, parse_xml

Identity = tuple[int, int]


class FileError(ArmwrightError, ValueError):
    """A file that cannot be opened or included; the message says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One file at one place of the robot.

    Attributes:
        name: As shown to the user.
        folder: Folder that its includes are relative to; None when there is none.
        mesh_folder: That folder relative to the root file's, with forward slashes; "" for it.
        root_folder: Folder of the root file; None when there is none.
        root: Its root element.
        chain: Names and identities of the files that led here, itself last.
    """

    name: str
    folder: str | None
    mesh_folder: str
    root_folder: str | None
    root: Node
    chain: tuple[tuple[str, Identity], ...] = ()

    def rebase(self, mesh_path: str) -> str:
        """Return a mesh path relative to the root file."""
        if not mesh_path or not self.mesh_folder or is_url(mesh_path):
            return mesh_path
        place = posixpath.join(self.mesh_folder, mesh_path)
        tidy = posixpath.normpath(place)
        root = self.root_folder or ""
        return tidy if _same(os.path.join(root, tidy), os.path.join(root, place)) else place


class Files:
    """Every file that one read opens."""

    def __init__(self) -> None:
        """Start with none."""
        self.names: list[str] = []
        self.root_name = ""
        self.root_data = b""
        self._trees: dict[tuple[Identity, str], Node] = {}
        self._bytes = 0
        self._includes = 0

    def open_text(self, text: str | bytes, folder: str | os.PathLike[str] | None) -> Source:
        """Take a root file that was handed over as text.

        Raises:
            XmlError: If it is not XML.
        """
        name = "<text>"
        where = None if folder is None else os.fsdecode(folder)
        self.root_data = text if isinstance(text, bytes) else text[:HEAD].encode("utf-8", "replace")
        return Source(name, where, "", where, parse_xml(text, file=name))

    def open_root(self, path: str | os.PathLike[str]) -> Source:
        """Open the root file.

        Raises:
            FileError: If it cannot be opened.
            XmlError: If it is not XML.
        """
        try:
            name = path_text(path)
        except PathError as error:
            raise FileError(f"cannot be read: {error}") from None
        identity, root = self._open(name, name, "")
        folder = os.path.dirname(name)
        return Source(name, folder, "", folder, root, ((name, identity),))

    def open_include(self, source: Source, path: str) -> Source:
        """Open a file that an include names.

        Raises:
            FileError: If the path is refused, the file cannot be opened or is in a loop.
            XmlError: If it is not XML.
        """
        _check_include_path(path)
        if source.folder is None:
            raise FileError(
                "text has no folder that an include could be relative to. Give folder=, or read "
                "the file by its path"
            )
        self._includes += 1
        if self._includes > MAX_INCLUDES:
            raise XmlError(f"more includes than the limit of {MAX_INCLUDES}")
        if len(source.chain) > MAX_INCLUDE_DEPTH:
            raise XmlError(f"includes nest deeper than the limit of {MAX_INCLUDE_DEPTH}")
        place = os.path.join(source.folder, *path.split("/"))
        name = _tidy(place)
        identity, root = self._open(name, path, f" (looked for {name})", source.chain)
        return Source(
            name,
            os.path.dirname(place),
            posixpath.join(source.mesh_folder, posixpath.dirname(path)),
            source.root_folder,
            root,
            (*source.chain, (name, identity)),
        )

    def _open(
        self, name: str, said: str, looked: str, chain: tuple[tuple[str, Identity], ...] = ()
    ) -> tuple[Identity, Node]:
        """Open and parse a file, or return the tree that it gave before."""
        subject = f"{shorten(said)} " if chain else ""  # a root file is where the error is
        try:
            with open_file(name) as stream:
                found = os.fstat(stream.fileno())
                identity = (found.st_dev, found.st_ino)
                names = [link for link, other in chain if other == identity]
                if names:
                    start = [link for link, _ in chain].index(names[0])
                    loop = " -> ".join([*(link for link, _ in chain[start:]), names[0]])
                    text = f"the file includes itself: {loop}. Remove one of these includes"
                    raise FileError(text)
                if (identity, name) in self._trees:
                    return identity, self._trees[identity, name]
                data = stream.read(MAX_FILE_BYTES + 1)
        except UnreadableError as error:
            hint = "; expected an HRDF file" if error.folder else ""
            if error.missing:
                hint = "" if chain else _near_files(name)
                if "<" in said:
                    hint = ". Text is read by armwright.loads() or hrdf.parse()"
                which = f": {shorten(said)}{looked}" if chain else ""
                raise FileError(f"no such file{which}{hint}") from None
            raise FileError(f"{subject}{error}{hint}{looked}") from None
        except OSError as error:
            reason = error.strerror or str(error)
            raise FileError(f"{subject}cannot be read: {reason}{looked}") from None
        self._bytes += len(data)
        if self._bytes > MAX_TOTAL_BYTES:
            raise XmlError(f"the files are larger than the limit of {MAX_TOTAL_BYTES} bytes")
        self.names.append(name)
        if not looked:
            self.root_name, self.root_data = name, data
        else:
            found_format = format_of(data, name)
            if found_format is not None and found_format is not HRDF:
                text = f"{shorten(said)}: {found_format.text}. Expected HRDF{looked}"
                raise FileError(text)
        tree = parse_xml(data, file=name)
        self._trees[identity, name] = tree
        return identity, tree


def _near_files(name: str) -> str:
    """Return ". Did you mean 'a.hrdf'?" for a file of nearly that name beside it, else ""."""
    folder, base = os.path.split(name)
    stem = os.path.splitext(base)[0]
    try:
        names = sorted(os.listdir(folder or "."))
    except (OSError, ValueError):
        return ""
    stems = {n[: -len(".hrdf")]: n for n in names if n.lower().endswith(".hrdf")}
    near = get_close_matches(stem, list(stems), n=1)
    return f". Did you mean {shorten(os.path.join(folder, stems[near[0]]))}?" if near else ""


def _check_include_path(path: str) -> None:
    """Refuse paths that are not relative with forward slashes."""
    if not path.strip():
        raise FileError("the path is empty; expected an HRDF file, relative to this file")
    if "\\" in path:
        raise FileError(f"{shorten(path)} has backslashes. Write forward slashes")
    if path.startswith("/") or re.match(r"[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]*://", path):
        raise FileError(
            f"{shorten(path)} is an absolute path; expected one relative to this file. '..' is "
            "allowed"
        )
    if path.lower().startswith("file:"):
        raise FileError(f"{shorten(path)} is a URL; expected a path relative to this file")
    if posixpath.basename(path) in ("", ".", ".."):
        raise FileError(f"{shorten(path)} is a folder; expected an HRDF file")


def _tidy(place: str) -> str:
    """Take "." and "x/.." out of a name, unless links give that another meaning."""
    tidy = os.path.normpath(place)
    return tidy if _same(tidy, place) else place


def _same(tidy: str, place: str) -> bool:
    """Tell whether a name means the same without "..": behind a link it leads elsewhere."""
    return ".." not in place or os.path.realpath(tidy) == os.path.realpath(place)
