"""What speaks for a value and against it, in plain sentences, from what is stored with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docduck.service.documents.doubts import problems_of, read_confidence
from docduck.service.documents.values import Cell

_SOURCES: Mapping[str, str] = {
    "text": "It was read from the page",
    "structured": "The file states it as data",
    "ai": "The language model named it",
    "learned": "Corrected documents of the same look have it",
    "lookup": "It comes from the parser's lookup table",
    "transform": "A step of the post-processing made it",
    "user": "It was entered",
}
_ROWS, _SIDES = ("top", "middle", "bottom"), ("left", "centre", "right")


def explanation(
    cell: Cell,
    below: float,
    *,
    editor: str = "",
    teacher: str = "",
    around: str = "",
    was_asked: bool = False,
) -> list[str]:
    """Return the sentences on a value; values of less confidence than ``below`` are unsure.

    ``editor`` is who set or confirmed it, ``teacher`` the document that it was learned from, ``around`` what
    is printed beside it. ``was_asked`` is whether the document used a language model.
    """
    if cell.value in (None, "", []):
        return list(_of_nothing(cell, editor, was_asked))
    return list(_of_value(cell, below, editor, teacher, around))


def _of_nothing(cell: Cell, editor: str, was_asked: bool) -> Iterator[str]:
    if cell.entry.get("edited"):
        yield f"{editor or 'Somebody'} said that the document does not have it."
    else:
        yield f"Nothing was found for it{', also by the language model' if was_asked else ''}."
    yield from _problems(cell)


def _of_value(cell: Cell, below: float, editor: str, teacher: str, around: str) -> Iterator[str]:
    entry = cell.entry
    places: Sequence[Mapping[str, Any]] = entry.get("locations") or ()
    if entry.get("edited"):
        yield f"{editor or 'Somebody'} entered or confirmed it; {_place(places, 'no place is known')}."
    else:
        found = _SOURCES.get(str(entry.get("source")), "It was read")
        missing = "no page shows it" if entry.get("source") in ("ai", "text") else "it has no place on a page"
        yield f"{found}; {_place(places, missing)}."
    if around:
        yield f"Beside or above it is printed: “{' / '.join(around.splitlines())}”."
    if teacher:
        yield f"Where it is was learned from {teacher}."
    yield from _problems(cell)
    if (confidence := read_confidence(entry)) is not None:
        share = f"Of values that are read with such evidence, {100 * confidence:.0f} of 100 are right"
        unsure = f": it is unsure, as less than {100 * below:.0f} are" if confidence < below else ""
        yield f"{share}{unsure}."


def _problems(cell: Cell) -> Iterator[str]:
    for problem in problems_of(cell.field, cell.value, cell.entry):
        yield f"Against it: {problem.rstrip('.')}."


def _place(places: Sequence[Mapping[str, Any]], missing: str) -> str:
    """Return where a value is printed first, in words."""
    if not places:
        return missing
    first, box = places[0], places[0]["bbox"]
    row = _ROWS[_third(box["top"] + box["height"] / 2)]
    side = _SIDES[_third(box["left"] + box["width"] / 2)]
    printed = f"“{first['text']}” is" if first.get("text") else "it is"
    more = f", and at {len(places) - 1} more" if len(places) > 1 else ""
    return f"{printed} printed on page {first['page']}, {row} {side}{more}"


def _third(share: float) -> int:
    return min(2, max(0, int(3 * share)))
