"""A parser's fields in the catalog: reading and replacing their rows; which are renamed, and which new."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Parser, ParserField
from docduck.errors import InputError
from docduck.fields import Field, FieldType, parse_fields
from docduck.ids import new_field_id
from docduck.warehouse.names import assign_column, assign_table, assign_table_column

MAX_FIELDS = 1000
"""Of a parser, the columns of its tables included."""

_STORED = {*Field.model_fields} - {"id", "columns"}
"""The properties of a field that its row has under the same names."""


def live_fields(rows: Sequence[ParserField]) -> tuple[Field, ...]:
    """Return the parser's fields with columns, by position; raise InputError if they are invalid."""
    live = sorted((row for row in rows if row.deleted_at is None), key=lambda row: (row.position, row.id))
    columns: dict[str, list[dict[str, Any]]] = {}
    for row in live:
        if row.table_id is not None:
            columns.setdefault(row.table_id, []).append(_as_json(row))
    raw = [{**_as_json(row), "columns": columns.get(row.id, [])} for row in live if row.table_id is None]
    tables = {row["id"] for row in raw}
    strays = [row.name for row in live if row.table_id is not None and row.table_id not in tables]
    if strays:
        raise ValueError(f"column '{strays[0]}' belongs to no table")
    return tuple(parse_fields(raw))


def deleted_fields(rows: Sequence[ParserField]) -> tuple[Field, ...]:
    """Return deleted fields, last deleted first, and tables with deleted columns.

    Documents keep their values until they are processed again.
    """
    gone = sorted(
        (row for row in rows if row.deleted_at is not None), key=lambda row: str(row.deleted_at), reverse=True
    )
    columns: dict[str, list[Field]] = {}
    for row in gone:
        if row.table_id is not None:
            columns.setdefault(row.table_id, []).append(_unchecked(row))
    tables = [row for row in rows if row.deleted_at is None and row.id in columns]
    return tuple(_unchecked(row, columns.get(row.id, ())) for row in (*gone, *tables) if row.table_id is None)


def column_names(rows: Sequence[ParserField]) -> dict[str, str]:
    """Return the warehouse names of fields and columns, by id."""
    return {row.id: row.column for row in rows if row.deleted_at is None}


def refuse_too_many(fields: Sequence[Field]) -> None:
    """Raise InputError if there are more than ``MAX_FIELDS`` fields and columns."""
    if sum(1 + len(field.columns) for field in fields) > MAX_FIELDS:
        raise InputError(
            f"A parser may have {MAX_FIELDS} fields, columns included", "fields", code="limit_reached"
        )


def replace(session: Session, parser: Parser, fields: Sequence[Field]) -> bool:
    """Replace the parser's fields; return whether anything changed.

    Fields are identified by id, or else by name (ignoring case) on the same level.
    """
    places: dict[str | None, list[ParserField]] = {}
    for row in parser.fields:
        if row.deleted_at is None:
            places.setdefault(row.table_id, []).append(row)
    ids = {row.id for row in parser.fields}
    rows, changed = _replace_level(parser, None, places.pop(None, []), fields, ids)
    # Tables before their columns, which refer to them.
    session.flush()
    for field, row in zip(fields, rows, strict=True):
        if field.type is FieldType.TABLE:
            changed |= _replace_level(parser, row.id, places.pop(row.id, []), field.columns, ids)[1]
    for row in itertools.chain.from_iterable(places.values()):
        row.deleted_at = clock.now()
        changed = True
    session.flush()
    return changed


def _replace_level(
    parser: Parser,
    table_id: str | None,
    present: Sequence[ParserField],
    fields: Sequence[Field],
    ids: set[str],
) -> tuple[list[ParserField], bool]:
    """Replace the rows of one level; return those of ``fields``, and whether anything changed.

    ``ids`` are all ids that the parser uses or has used.
    """
    matches = _matches(present, fields)
    matched = {row.id for row in matches if row is not None}
    changed = False
    for row in present:
        if row.id not in matched:
            row.deleted_at = clock.now()
            changed = True
    taken = _Taken(table_id, (row for row in present if row.id in matched))
    rows: list[ParserField] = []
    for position, (field, match) in enumerate(zip(fields, matches, strict=True)):
        row = match or _new_row(parser, table_id, field, position, taken, ids)
        if match is None:
            parser.fields.append(row)
            changed = True
        else:
            changed |= _update(row, field, position, taken)
        rows.append(row)
    return rows, changed


def _matches(present: Sequence[ParserField], fields: Sequence[Field]) -> list[ParserField | None]:
    """Return each field's existing row, or None."""
    by_id = {row.id: row for row in present}
    by_name = {row.name.casefold(): row for row in present}
    parser_fields = [by_id.get(field.id or "") for field in fields]
    matched = {row.id for row in parser_fields if row is not None}
    for index, field in enumerate(fields):
        namesake = by_name.get(field.name.strip().casefold())
        if parser_fields[index] is None and namesake is not None and namesake.id not in matched:
            matched.add(namesake.id)
            parser_fields[index] = namesake
    return parser_fields


class _Taken:
    """The warehouse names used on one level."""

    def __init__(self, table_id: str | None, rows: Iterable[ParserField]) -> None:
        self._in_table = table_id is not None
        self._tables: set[str] = set()
        self._columns: set[str] = set()
        for row in rows:
            self._of(row.type).add(row.column)

    def assign(self, kind: str, name: str) -> str:
        """Return a free name for a field of this type."""
        taken = self._of(kind)
        if self._in_table:
            column = assign_table_column(name, taken)
        elif kind == FieldType.TABLE:
            column = assign_table(name, taken)
        else:
            column = assign_column(name, taken)
        taken.add(column)
        return column

    def release(self, row: ParserField) -> None:
        """Free the name of a row."""
        self._of(row.type).discard(row.column)

    def _of(self, kind: str) -> set[str]:
        return self._tables if kind == FieldType.TABLE else self._columns


def _new_row(
    parser: Parser, table_id: str | None, field: Field, position: int, taken: _Taken, ids: set[str]
) -> ParserField:
    field_id = field.id if field.id and field.id not in ids else new_field_id()
    ids.add(field_id)
    return ParserField(
        team_id=parser.team_id,
        parser_id=parser.id,
        table_id=table_id,
        id=field_id,
        column=taken.assign(field.type, field.name),
        **_columns_of(field, position),
    )


def _update(row: ParserField, field: Field, position: int, taken: _Taken) -> bool:
    was_table, is_table = row.type == FieldType.TABLE, field.type is FieldType.TABLE
    if row.name != field.name.strip() or was_table != is_table:
        taken.release(row)
        row.column = taken.assign(field.type, field.name)
    changed = False
    for name, value in _columns_of(field, position).items():
        if getattr(row, name) != value:
            setattr(row, name, value)
            changed = True
    return changed


def _columns_of(field: Field, position: int) -> dict[str, Any]:
    stored = field.model_dump(mode="json", include=_STORED)
    return {**stored, "name": field.name.strip(), "position": position}


def _unchecked(row: ParserField, columns: Sequence[Field] = ()) -> Field:
    """Return a field without validation: deleted columns of a table may share a name."""
    return Field.model_construct(id=row.id, name=row.name, type=FieldType(row.type), columns=tuple(columns))


def _as_json(row: ParserField) -> dict[str, Any]:
    return {"id": row.id} | {name: getattr(row, name) for name in _STORED}
