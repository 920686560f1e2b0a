"""What others write stays: every public name of the package, compared with a list.

``public_names.txt`` has a line for each module and class. A name that goes or comes is a decision:
change the list with it, and tell users in the changelog.
"""

import importlib
import inspect

from tests.project.sources import FOLDERS, ROOT

LIST = ROOT / "tests" / "project" / "public_names.txt"
MODULES = [
    "armwright",
    "armwright.errors",
    "armwright.examples",
    *(f"armwright.{folder}" for folder in FOLDERS),
    "armwright.devices.doctor",
    "armwright.devices.trajectory",
]


def public_names() -> dict[str, set[str]]:
    """Return the names that every module and class offers."""
    found: dict[str, set[str]] = {}
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        names = getattr(module, "__all__", None)
        if names is None:  # a module that is its own door
            names = [
                name
                for name, value in vars(module).items()
                if not name.startswith("_") and getattr(value, "__module__", "") == module_name
            ]
        found[module_name] = set(names)
        for name in names:
            value = getattr(module, name)
            if inspect.isclass(value) and value.__module__.startswith("armwright"):
                found[f"{module_name}.{name}"] = _attributes(value)
    return found


def _attributes(cls: type) -> set[str]:
    """Return the public attributes of a class that are not those of Python's own classes.

    Names that only say what hebi-py's are called here are not there, as ``hasattr`` says.
    """
    foreign = [base for base in cls.__mro__ if not base.__module__.startswith("armwright")]
    plain = {name for base in foreign for name in vars(base)}
    # A slot or property of a class is there; only what raises is not.
    there = (name for name in dir(cls) if hasattr(cls, name))
    return {name for name in there if not name.startswith("_") and name not in plain}


def test_public_names_are_those_of_the_list() -> None:
    listed = {}
    for line in LIST.read_text("utf-8").splitlines():
        owner, _, names = line.partition(":")
        listed[owner] = set(names.split())
    there = public_names()
    gone = {o: sorted(n - there.get(o, set())) for o, n in listed.items()}
    come = {o: sorted(n - listed.get(o, set())) for o, n in there.items()}
    assert {o: n for o, n in gone.items() if n or o not in there} == {}
    assert {o: n for o, n in come.items() if n or o not in listed} == {}


if __name__ == "__main__":
    for owner, names in sorted(public_names().items()):
        print(f"{owner}: {' '.join(sorted(names))}".rstrip())
