"""The evidence of corrected values.

They are marked as edited. Values that stay as they were keep their places; new ones get
the places at which they are printed. ``readConfidence`` is how sure a value was that stayed as it was read.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

from docduck.documents.document import Box
from docduck.extraction.learned_layout import Edit
from docduck.extraction.result import Location, ValueKey
from docduck.fields import Field, FieldType
from docduck.service.documents import values
from docduck.service.documents.doubts import is_unsure


def edited_entry(
    field: Field,
    before: Any,
    evidence: Any,
    after: Any,
    mark: Mapping[str, Any],
    places: Mapping[ValueKey, Sequence[Location]],
    below: float | None = None,
) -> Any:
    """Return the ``field_metadata`` entry of a field whose value was set from ``before`` to ``after``.

    ``evidence`` is the entry so far, ``mark`` what is said of an edited value, and ``places`` where people
    found values on the page. A row of a table is known again by its values, wherever it was moved to.
    A table without rows has one entry, so that it is known to be edited. With ``below``, cells that stay and
    are unsure remain so, unless no cell was edited then.
    """
    if field.type is not FieldType.TABLE:
        return _marked(mark, places.get((field.name,), ()), evidence if before == after else {})
    if not after:
        return _marked(mark, (), {})
    former = former_rows(before, after)

    def rows(below: float | None) -> list[dict[str, Any]]:
        return [
            {
                column.name: _cell(
                    column.name,
                    row,
                    before[former[number]] if number in former else {},
                    evidence[former[number]] if number in former else {},
                    mark,
                    places.get((field.name, number, column.name), ()),
                    below,
                )
                for column in field.columns
            }
            for number, row in enumerate(after)
        ]

    entry = rows(below)
    return entry if below is None or is_edited(field, entry) else rows(None)


def confirmed_entry(
    field: Field,
    value: Any,
    evidence: Any,
    mark: Mapping[str, Any],
    only: Collection[ValueKey] | None,
) -> Any:
    """Return the ``field_metadata`` entry of a field whose ``value`` was confirmed.

    ``only`` are the values that were, None for all. Cells that were edited before stay as they are, unless
    they are among these.
    """
    if field.type is not FieldType.TABLE or not value:
        return edited_entry(field, value, evidence, value, mark, {})

    def is_left(number: int, column: str, cell: Mapping[str, Any]) -> bool:
        if only is not None and (field.name, number, column) in only:
            return False
        return bool(cell.get("edited")) or not (only is None or (field.name,) in only)

    return [
        {name: cell if is_left(number, name, cell) else _marked(mark, (), cell) for name, cell in row.items()}
        for number, row in enumerate(evidence)
    ]


def is_edited(field: Field, entry: Any) -> bool:
    """Return whether a person corrected or confirmed a field's value; ``entry`` is its stored evidence.

    Of a table, one cell is enough: it is kept and learned from as a whole.
    """
    return any(cell.get("edited") for cell in _entries(field, entry))


def is_whole(field: Field, entry: Any) -> bool:
    """Return whether a person corrected or confirmed all of a field's value."""
    return is_edited(field, entry) and all(cell.get("edited") for cell in _entries(field, entry))


def _entries(field: Field, entry: Any) -> Sequence[Mapping[str, Any]]:
    """Return the evidence of a value, or of each cell of a table that has evidence."""
    if isinstance(entry, list):
        is_table = field.type is FieldType.TABLE
        return [cell for row in entry for cell in row.values() if cell] if is_table else ()
    return (entry,) if isinstance(entry, Mapping) else ()


def edits_of(fields: Sequence[Field], evidence: Mapping[str, Any]) -> dict[str, Edit]:
    """Return by whom and when values were set, by field id, from the stored evidence by field id.

    A table was set with the cell that was set last.
    """
    edits: dict[str, Edit] = {}
    for field in fields:
        entries = _entries(field, evidence.get(str(field.id)))
        edited = (entry for entry in entries if entry.get("edited") and entry.get("editedAt"))
        last = max(edited, key=lambda entry: str(entry["editedAt"]), default=None)
        if last is not None:
            edits[str(field.id)] = Edit(last["editedBy"] or "", last["editedAt"])
    return edits


def shown_places(fields: Sequence[Field], evidence: Mapping[str, Any]) -> dict[str, Location]:
    """Return where people found values, by field name, from the stored evidence by field id."""
    places: dict[str, Location] = {}
    for field in fields:
        entry = evidence.get(str(field.id))
        if isinstance(entry, Mapping) and entry.get("edited") and entry.get("locations"):
            places[field.name] = _first_location(entry)
    return places


def unplaced_values(
    fields: Sequence[Field], data: Mapping[str, Any], evidence: Mapping[str, Any]
) -> dict[ValueKey, Location | None]:
    """Return the values that people set without a place.

    Each comes with the place of another value in its row of a table, if there is one. ``evidence`` is the
    ``field_metadata`` by name.
    """
    locations: dict[ValueKey, Location | None] = {}
    for _, cells in groupby(values.cells(fields, data, evidence), key=lambda cell: cell.key[:2]):
        row = list(cells)
        placed = next((cell.entry for cell in row if cell.entry.get("locations")), None)
        place = _first_location(placed) if placed else None
        locations |= {cell.key: place for cell in row if _is_unplaced(cell.entry, cell.value)}
    return locations


def with_places(evidence: Mapping[str, Any], places: Mapping[ValueKey, Sequence[Location]]) -> dict[str, Any]:
    """Return the ``field_metadata`` of the fields in ``places``, by name, with these places."""
    placed: dict[str, Any] = {}
    for key, locations in places.items():
        name = key[0]
        place = _placed(locations)
        if len(key) == 1:
            placed[name] = {**evidence[name], **place}
        else:
            rows = placed.setdefault(name, [dict(row) for row in evidence[name]])
            rows[key[1]][key[2]] = {**rows[key[1]][key[2]], **place}
    return placed


def _is_unplaced(entry: Mapping[str, Any], value: Any) -> bool:
    return bool(entry.get("edited")) and not entry.get("locations") and value not in (None, "", [])


def _first_location(entry: Mapping[str, Any]) -> Location:
    place = entry["locations"][0]
    return Location(place["page"], Box(**place["bbox"]), place["text"])


def _placed(locations: Sequence[Location]) -> dict[str, Any]:
    return {
        "page": locations[0].page,
        "locations": [location.as_json() for location in locations],
        "rawText": " ".join(location.text for location in locations),
    }


def _cell(
    column: str,
    row: Mapping[str, Any],
    before: Mapping[str, Any],
    evidence: Mapping[str, Any],
    mark: Mapping[str, Any],
    places: Sequence[Location],
    below: float | None,
) -> Mapping[str, Any]:
    stays = column in before and before[column] == row.get(column)
    if stays and not places and below is not None and is_unsure(evidence.get(column, {}), below):
        return evidence[column]  # type: ignore[no-any-return]
    return _marked(mark, places, evidence.get(column, {}) if stays else {})


def _marked(
    mark: Mapping[str, Any], places: Sequence[Location], evidence: Mapping[str, Any]
) -> dict[str, Any]:
    if places:
        return {**_placed(places), **mark}
    place = {name: evidence.get(name) for name in ("page", "locations", "rawText")}
    read = evidence.get("readConfidence", evidence.get("confidence"))
    kept = {} if read is None else {"readConfidence": read}
    return {**place, "locations": place["locations"] or [], **mark, **kept}


def former_rows(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Return for each row after the change, if it was there before, its number then."""
    if before == after:
        # What follows takes long for many rows that are the same.
        return {number: number for number in range(len(after))}
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
