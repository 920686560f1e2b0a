"""Element paths of robots that were built in code, as a file of theirs would have them."""

from collections.abc import Iterable
from dataclasses import replace

from .elements import Bracket, Element, RigidBody


class PathCounter:
    """Counts the elements of one chain and says where the next one stands.

    Attributes:
        file: Always ""; built in code.
        line: Always 0.
        path: Where the element that was asked for last stands.
    """

    file = ""
    line = 0

    def __init__(self, elements: Iterable[Element] = (), owner: str = "robot") -> None:
        """Start behind the elements that there are."""
        self.path = owner
        self._owner = owner
        self._counts: dict[str, int] = {}
        for element in elements:
            self.next(element.kind)

    def fork(self) -> "PathCounter":
        """Return another one that stands at the same place."""
        other = PathCounter((), self._owner)
        other._counts = dict(self._counts)
        return other

    def next(self, kind: str) -> str:
        """Return the path of the next element of a kind."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        self.path = f"{self._owner}/{kind}[{self._counts[kind]}]"
        return self.path


def with_path(element: Element, path: str) -> Element:
    """Return an element as it stands at another path; one from a file keeps its own place."""
    if not element.file:
        element = replace(element, path=path)
    if isinstance(element, Bracket | RigidBody) and any(o.elements for o in element.outputs):
        outputs = []
        for number, output in enumerate(element.outputs, start=1):
            counter = PathCounter((), f"{path}/output[{number}]")
            chain = tuple(with_path(one, counter.next(one.kind)) for one in output.elements)
            outputs.append(replace(output, elements=chain))
        element = replace(element, outputs=tuple(outputs))
    return element
