"""A lesson: what one document, once a person had put it right, says about its look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from docduck.extraction.learned.look import Look


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stood. ``page`` counts from 1, or from -1 for the last one; edges are 0–1 of the page.

    ``before`` and ``after`` are the normal forms of the words around the value in its segment, ``beside``
    and ``above`` those of the segments left of and over it: empty where there are none. The value takes
    ``lines`` lines, and with ``whole`` all of its block; ``joint`` is what they are joined with. ``shape``
    is the pattern of its characters, and ``text`` the value itself, if it is a text. ``corrected`` says
    that it had been read wrong or not at all.
    """

    page: int
    left: float
    top: float
    right: float
    before: str = ""
    after: str = ""
    beside: str = ""
    above: str = ""
    lines: int = 1
    whole: bool = False
    joint: str = " "
    shape: str = ""
    text: str = ""
    corrected: bool = True


@dataclass(frozen=True, slots=True)
class Lesson:
    """Places of values by field, values that no words show, and the headers of tables' columns.

    Fields and columns are named by their id, or their name where they have none.
    """

    look: Look
    places: Mapping[str, Place] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The shape that is stored."""
        return {
            "words": sorted(self.look.words),
            "marks": sorted(self.look.marks),
            "places": {name: asdict(place) for name, place in self.places.items()},
            "constants": dict(self.constants),
            "headers": {table: dict(columns) for table, columns in self.headers.items()},
        }

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> Lesson:
        """A lesson from its stored shape."""
        return Lesson(
            Look(frozenset(stored["words"]), frozenset(stored["marks"])),
            {name: Place(**place) for name, place in stored["places"].items()},
            stored["constants"],
            stored["headers"],
        )
