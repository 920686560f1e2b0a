"""The rooms of the house, read from the imports: which there are, and which asks which.

    python -m tests.project.rooms    prints rooms, arrows, circles, the fullest and the longest

A room is a folder with a door (``__init__.py``), or a file that stands alone beside rooms. Every
import counts: late ones inside functions, those for type checkers alone, and modules that are
named by a string in a call of ``import_module`` or ``lazy``.
"""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

from tests.project.sources import CODE, FOLDERS, ROOT, named_by_text, package_of, python_files, tree

Graph = dict[str, set[str]]


def module_of(path: Path) -> str:
    """Return the name under which a file is imported; a door has the name of its folder."""
    package = package_of(path)
    return package if path.name == "__init__.py" else f"{package}.{path.stem}"


@cache
def modules() -> dict[str, Path]:
    """Return every module of the package."""
    return {module_of(path): path for path in python_files(*CODE)}


def room_of(module: str) -> str:
    """Return the room that a module stands in: at most three names deep, kernels at their own."""
    parts = module.split(".")
    if parts[1:2] == ["commands"]:
        return "armwright.commands"
    return ".".join(parts[: 3 if parts[1:2] and parts[1] in FOLDERS else 2])


@cache
def arrows_between_files() -> Graph:
    """Return which module imports which, by their names; doors count as modules."""
    found: Graph = {}
    for module, path in modules().items():
        found[module] = set()
        for name in _names_in(path):
            target = _nearest(name)
            if target is not None and target != module:
                found[module].add(target)
    return found


@cache
def arrows_between_rooms() -> Graph:
    """Return which room asks which other room."""
    found: Graph = defaultdict(set)
    for module, targets in arrows_between_files().items():
        if _is_folder(module):
            continue  # what a folder such as armwright.ik offers of its rooms
        here = room_of(module)
        found[here] |= {room_of(target) for target in targets} - {here}
    return dict(found)


def circles(graph: Graph) -> list[list[str]]:
    """Return the groups of nodes that can all reach each other (Tarjan 1972), largest first."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            group = []
            while True:
                group.append(stack.pop())
                if group[-1] == node:
                    break
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return sorted(found, key=len, reverse=True)


def files_in(folder: Path) -> list[Path]:
    """Return the files of a folder that count for its size: not the door."""
    return [path for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"]


def folders() -> list[Path]:
    """Return the folders that hold code and count as rooms: not kernels, not commands."""
    found = {path.parent for path in modules().values()}
    return sorted(f for f in found if "_kernels" not in f.parts and "commands" not in f.parts)


def _names_in(path: Path) -> set[str]:
    """Return the dotted names of ours that a file imports, whatever the form."""
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = package_of(path).split(".")
            start = package[: len(package) - node.level + 1] if node.level else []
            base = [*start, *([node.module] if node.module else [])]
            offered = _offered(".".join(base))  # the function, where a module has its name
            names |= {
                ".".join(base if alias.name in offered else [*base, alias.name])
                for alias in node.names
            }
        elif isinstance(node, ast.Constant) and "._kernels." in str(node.value):
            names.add(str(node.value))  # for `lazy`
    names |= {found.module for found in named_by_text(tree(path))}
    return {name for name in names if name.split(".")[0] == "armwright"}


@cache
def _offered(module: str) -> frozenset[str]:
    """Return the names that a door takes from its own files."""
    path = modules().get(module)
    if path is None or path.name != "__init__.py":
        return frozenset()
    return frozenset(
        alias.asname or alias.name
        for node in tree(path).body
        if isinstance(node, ast.ImportFrom) and node.level and node.module
        for alias in node.names
    )


def _nearest(name: str) -> str | None:
    """Return the module that a dotted name is, or lies in."""
    parts = name.split(".")
    while parts:
        if ".".join(parts) in modules():
            return ".".join(parts)
        parts.pop()
    return None


def _is_folder(module: str) -> bool:
    """Say whether a module is the door of the whole package or of one of the five folders."""
    return module == "armwright" or module in {f"armwright.{folder}" for folder in FOLDERS}


def main() -> None:
    """Print the house."""
    files, rooms = arrows_between_files(), arrows_between_rooms()
    for folder in ("armwright", *FOLDERS):
        inside = {r for r in rooms if r == folder or r.split(".")[1:2] == [folder]}
        if folder == "armwright":
            inside = {room for room in rooms if room.split(".")[1] not in FOLDERS}
        count = sum(len(rooms[room] & inside) for room in inside)
        print(f"{folder}: {len(inside)} rooms, {count} arrows between them")
    print(f"circles between files: {circles(files)}")
    print(f"circles between rooms: {circles(rooms)}")
    sizes = {folder: len(files_in(folder)) for folder in folders()}
    fullest = max(sizes, key=lambda folder: sizes[folder])
    print(f"fullest folder: {fullest.relative_to(ROOT)}, {sizes[fullest]} files beside its door")
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in modules().values()}
    for kernels in (False, True):
        some = [path for path in lengths if ("_kernels" in path.parts) == kernels]
        longest = max(some, key=lambda path: lengths[path])
        what = "longest kernels" if kernels else "longest file"
        print(f"{what}: {longest.relative_to(ROOT)}, {lengths[longest]} lines")


if __name__ == "__main__":
    main()
