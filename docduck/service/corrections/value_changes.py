"""What a correction changed, as a document's history tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docduck.fields import Field, FieldType
from docduck.service.corrections.edited_evidence import former_rows
from docduck.service.corrections.entered_values import shown_text

MOST_CHANGES = 30
"""Of a correction; of more, only the number is kept."""
LONGEST_TEXT = 200
"""Most characters of a value; longer ones are cut off."""
MOST_ROWS = 1000
"""Of a table whose rows are compared; of longer ones, only the numbers of rows are kept."""

_Change = dict[str, Any]


def value_changes(
    fields: Sequence[Field], before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return what differs between values by field name, of the fields in ``after``; None if nothing does.

    ``changes`` has a ``field``, of a table a ``row`` (from 1) and a ``column`` unless the whole row was added
    or removed, and the texts ``before`` and ``after``, None for a row that isn't there. ``left_out`` is how
    many changes there are besides these.
    """
    changed = [field for field in fields if field.name in after and before[field.name] != after[field.name]]
    diffs = [change for field in changed for change in _changes(field, before[field.name], after[field.name])]
    if not diffs:
        return None
    return {"changes": diffs[:MOST_CHANGES], "left_out": len(diffs[MOST_CHANGES:])}


def _changes(field: Field, before: Any, after: Any) -> Iterator[_Change]:
    if field.type is FieldType.TABLE:
        yield from _rows(field, before or [], after or [])
    else:
        yield _change(field, None, None, _text(field, before), _text(field, after))


def _rows(
    table: Field, before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[_Change]:
    if max(len(before), len(after)) > MOST_ROWS:
        yield _change(table, None, None, f"{len(before):,} rows", f"{len(after):,} rows")
        return
    former = former_rows(before, after)
    for number, row in enumerate(after):
        if number not in former:
            yield _change(table, number, None, None, _row_text(table, row))
            continue
        was = before[former[number]]
        for column in table.columns:
            if was.get(column.name) != row.get(column.name):
                texts = _text(column, was.get(column.name)), _text(column, row.get(column.name))
                yield _change(table, number, column.name, *texts)
    for number in sorted(set(range(len(before))) - set(former.values())):
        yield _change(table, number, None, _row_text(table, before[number]), None)


def _change(
    field: Field, row: int | None, column: str | None, before: str | None, after: str | None
) -> _Change:
    number = None if row is None else row + 1
    return {"field": field.name, "row": number, "column": column, "before": before, "after": after}


def _row_text(table: Field, row: Mapping[str, Any]) -> str:
    texts = (_text(column, row.get(column.name)) for column in table.columns)
    return _bounded(", ".join(text for text in texts if text))


def _text(field: Field, value: Any) -> str:
    return _bounded(", ".join(shown_text(field, value).splitlines()))


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
