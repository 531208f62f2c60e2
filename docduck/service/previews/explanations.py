"""Why a value of a document is what it is, in plain sentences, from what is stored with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import Field

from docduck.errors import InputError, NotFound
from docduck.service.accounts.audit_log import actors_named
from docduck.service.core.installation import Installation
from docduck.service.core.schema import ViewPart
from docduck.service.documents.doubts import problems_of, read_confidence
from docduck.service.documents.queries.document_lookup import names_of
from docduck.service.documents.queries.document_views import show_document
from docduck.service.documents.values import Cell, cells
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.surroundings import PAGE_SECONDS, Surroundings

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


class ExplanationView(ViewPart):
    """What speaks for a value and against it."""

    field: str = Field(description="The field, or `Table.Column`", examples=["Total"])
    row: int | None = Field(description="The row of a table, from 1; null for other values")
    value: Any = Field(description="The value as it is now; null if there is none")
    confidence: float | None = Field(description="From 0 to 1; null if it was entered, or there is none")
    sentences: list[str] = Field(
        description="The source of the value, where it is printed, which checks fail, and how sure it is",
        examples=[["It was read from the page; “119,00” is printed on page 1, bottom right."]],
    )


def explain_value(
    inst: Installation,
    team_id: str,
    parser_id: str | None,
    document_id: str,
    field: str,
    row: int | None = None,
) -> ExplanationView:
    """Return why a document's value is what it is; no language model is asked.

    ``field`` is a field's name or id, or ``Table.Column`` with the ``row``, from 1. Raise NotFound,
    also for a document without values, and InputError for a cell without its row.
    """
    document = show_document(inst, team_id, parser_id, document_id)
    if document.parser_id is None or not document.is_processed:
        raise NotFound("The document has no values that could be explained", "documentId", document_id)
    parser = get_parser(inst, team_id, document.parser_id)
    found = list(cells(parser.fields, document.data, document.field_metadata))
    cell = _chosen(found, field, row)
    entry = cell.entry
    teachers = names_of(inst, team_id, {entry.get("learnedFrom")} - {None})
    texts = Surroundings(inst, team_id, PAGE_SECONDS)
    return ExplanationView(
        field=cell.name,
        row=cell.row,
        value=cell.value,
        confidence=entry.get("confidence"),
        sentences=explanation(
            cell,
            document.unsure_below,
            editor=_editor(inst, team_id, entry.get("editedBy")),
            teacher=teachers.get(str(entry.get("learnedFrom")), ""),
            around=texts.text(document.id, entry.get("locations") or ()) or "",
            was_asked=bool(document.model_usage),
        ),
    )


def _chosen(found: list[Cell], field: str, row: int | None) -> Cell:
    named = [cell for cell in found if field in (cell.name, str(cell.field.id))]
    if not named:
        raise NotFound(f"There is no value '{field}'; a cell is Table.Column with its row", "field", field)
    if row is None and named[0].row is not None:
        raise InputError(f"'{field}' is a column: say which row, from 1", "row")
    chosen = next((cell for cell in named if cell.row == row), None)
    if chosen is None:
        raise NotFound(f"'{field}' has no row {row}", "row", str(row))
    return chosen


def _editor(inst: Installation, team_id: str, actor: str | None) -> str:
    """Return the name of who set a value, empty for nobody."""
    if actor is None:
        return ""
    with inst.catalog.read_session() as session:
        return actors_named(session, team_id, {actor})[actor].name


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
