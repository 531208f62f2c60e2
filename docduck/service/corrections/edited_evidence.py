"""The evidence of corrected values: marked as edited; values that stay as they were keep their places."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from docduck.documents.document import Box
from docduck.extraction.learned_layout import Edit
from docduck.extraction.result import Location
from docduck.fields import Field, FieldType

Place = tuple[str] | tuple[str, int, str]
"""A field's name, or those of a table, a row (from 0) and a column."""


def edited_entry(
    field: Field,
    before: Any,
    evidence: Any,
    after: Any,
    mark: Mapping[str, Any],
    places: Mapping[Place, Location],
) -> Any:
    """Return the ``field_metadata`` entry of a field whose value was set from ``before`` to ``after``.

    ``evidence`` is the entry so far, ``mark`` what is said of an edited value, and ``places`` where people
    found values on the page. A row of a table is known again by its values, wherever it was moved to.
    A table without rows has one entry, so that it is known to be edited.
    """
    if field.type is not FieldType.TABLE:
        return _marked(mark, places.get((field.name,)), evidence if before == after else {})
    if not after:
        return _marked(mark, None, {})
    former = _former_rows(before, after)
    return [
        {
            column.name: _cell(
                column.name,
                row,
                before[former[number]] if number in former else {},
                evidence[former[number]] if number in former else {},
                mark,
                places.get((field.name, number, column.name)),
            )
            for column in field.columns
        }
        for number, row in enumerate(after)
    ]


def edits_of(fields: Sequence[Field], evidence: Mapping[str, Any]) -> dict[str, Edit]:
    """Return by whom and when values were set, by field id, from the stored evidence by field id.

    A table was set with its first cell; all its cells are set at once.
    """
    found: dict[str, Edit] = {}
    for field in fields:
        entry: Any = evidence.get(str(field.id))
        if isinstance(entry, list):
            entry = next((cell for row in entry for cell in row.values()), None)
        if isinstance(entry, Mapping) and entry.get("edited") and entry.get("editedAt"):
            found[str(field.id)] = Edit(entry["editedBy"] or "", entry["editedAt"])
    return found


def shown_places(fields: Sequence[Field], evidence: Mapping[str, Any]) -> dict[str, Location]:
    """Return where people found values, by field name, from the stored evidence by field id."""
    found: dict[str, Location] = {}
    for field in fields:
        entry = evidence.get(str(field.id))
        if isinstance(entry, Mapping) and entry.get("edited") and entry.get("locations"):
            place = entry["locations"][0]
            found[field.name] = Location(place["page"], Box(**place["bbox"]), place["text"])
    return found


def _cell(
    column: str,
    row: Mapping[str, Any],
    before: Mapping[str, Any],
    evidence: Mapping[str, Any],
    mark: Mapping[str, Any],
    place: Location | None,
) -> Mapping[str, Any]:
    stays = column in before and before[column] == row.get(column)
    return _marked(mark, place, evidence.get(column, {}) if stays else {})


def _marked(mark: Mapping[str, Any], place: Location | None, evidence: Mapping[str, Any]) -> dict[str, Any]:
    if place is not None:
        return {"page": place.page, "locations": [place.as_json()], "rawText": place.text, **mark}
    kept = {name: evidence.get(name) for name in ("page", "locations", "rawText")}
    return {**kept, "locations": kept["locations"] or [], **mark}


def _former_rows(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Return for each row after the change, if it was there before, its number then."""
    former: dict[int, int] = {}
    keys, new_keys = [_key(row) for row in before], [_key(row) for row in after]
    changed: list[tuple[Sequence[int], Sequence[int]]] = []
    for kind, old, old_end, new, new_end in SequenceMatcher(None, keys, new_keys, False).get_opcodes():
        if kind == "equal":
            former |= dict(zip(range(new, new_end), range(old, old_end), strict=True))
        else:
            changed.append((range(old, old_end), range(new, new_end)))
    # Rows that were moved, then rows of which only cells changed: those at the same place of a change.
    free = {key: number for olds, _ in changed for number in olds for key in (keys[number],)}
    for _, news in changed:
        for number in news:
            if new_keys[number] in free:
                former[number] = free.pop(new_keys[number])
    taken = set(former.values())
    for olds, news in changed:
        left = [number for number in olds if number not in taken]
        former |= dict(zip((number for number in news if number not in former), left, strict=False))
    return former


def _key(row: Mapping[str, Any]) -> str:
    return json.dumps(row, sort_keys=True, default=str)
