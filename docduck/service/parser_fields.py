"""The fields of a parser in the catalog: rows to values, and wished fields to rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Parser, ParserField
from docduck.errors import InputError
from docduck.fields import Field, FieldType, parse_fields
from docduck.ids import new_field_id
from docduck.warehouse.names import assign_column, assign_table, assign_table_column


def live_fields(rows: Sequence[ParserField]) -> tuple[Field, ...]:
    """The parser's fields with their columns, by position; raises InputError when they are broken."""
    live = sorted((row for row in rows if row.deleted_at is None), key=lambda row: (row.position, row.id))
    tables = {row.id for row in live if row.table_id is None}
    raw = [
        {**_as_json(row), "columns": [_as_json(column) for column in live if column.table_id == row.id]}
        for row in live
        if row.table_id is None
    ]
    strays = [row.name for row in live if row.table_id is not None and row.table_id not in tables]
    if strays:
        raise ValueError(f"column '{strays[0]}' belongs to no table")
    return tuple(parse_fields(raw))


def column_names(rows: Sequence[ParserField]) -> dict[str, str]:
    """The name in the warehouse of each live field and column, by id."""
    return {row.id: row.column for row in rows if row.deleted_at is None}


def refuse_too_many(fields: Sequence[Field], most: int) -> None:
    """Raises InputError when there are more than ``most`` fields and columns."""
    if sum(1 + len(field.columns) for field in fields) > most:
        raise InputError(f"A parser may have {most} fields, columns included", "fields")


def replace(session: Session, parser: Parser, fields: Sequence[Field]) -> bool:
    """Make the parser's fields exactly these; gives whether anything changed.

    A field is known by its id, else by its name (ignoring case) among those of the same place.
    """
    changed = _replace_level(session, parser, None, fields)
    tables = {row.name.casefold(): row.id for row in _live(parser, None) if row.type == FieldType.TABLE}
    for field in fields:
        if field.type is FieldType.TABLE:
            changed |= _replace_level(session, parser, tables[field.name.strip().casefold()], field.columns)
    for row in parser.fields:
        if row.deleted_at is None and row.table_id is not None and row.table_id not in tables.values():
            row.deleted_at = clock.now()
            changed = True
    return changed


def _replace_level(session: Session, parser: Parser, table_id: str | None, fields: Sequence[Field]) -> bool:
    present = _live(parser, table_id)
    by_id = {row.id: row for row in present}
    by_name = {row.name.casefold(): row for row in present}
    pairs: list[tuple[Field, ParserField | None]] = []
    for wish in fields:
        known = by_id.get(wish.id or "")
        pairs.append((wish, known))
    matched = {row.id for _, row in pairs if row is not None}
    for index, (wish, known) in enumerate(pairs):
        if known is None:
            namesake = by_name.get(wish.name.strip().casefold())
            if namesake is not None and namesake.id not in matched:
                matched.add(namesake.id)
                pairs[index] = (wish, namesake)

    changed = False
    for row in present:
        if row.id not in matched:
            row.deleted_at = clock.now()
            changed = True
    for position, (wish, known) in enumerate(pairs):
        if known is None:
            parser.fields.append(_new_row(parser, table_id, wish, position))
            changed = True
        else:
            changed |= _update(parser, known, wish, position)
    session.flush()
    return changed


def _live(parser: Parser, table_id: str | None) -> list[ParserField]:
    return [row for row in parser.fields if row.deleted_at is None and row.table_id == table_id]


def _new_row(parser: Parser, table_id: str | None, wish: Field, position: int) -> ParserField:
    ids = {row.id for row in parser.fields}
    field_id = wish.id if wish.id and wish.id not in ids else new_field_id()
    return ParserField(
        team_id=parser.team_id,
        parser_id=parser.id,
        table_id=table_id,
        id=field_id,
        column=_column(parser, table_id, wish.type, wish.name, None),
        **_columns_of(wish, position),
    )


def _update(parser: Parser, row: ParserField, wish: Field, position: int) -> bool:
    was_table, is_table = row.type == FieldType.TABLE, wish.type is FieldType.TABLE
    if row.name != wish.name.strip() or was_table != is_table:
        row.column = _column(parser, row.table_id, wish.type, wish.name, row.id)
    changed = False
    for name, value in _columns_of(wish, position).items():
        if getattr(row, name) != value:
            setattr(row, name, value)
            changed = True
    return changed


def _column(parser: Parser, table_id: str | None, kind: FieldType, name: str, own: str | None) -> str:
    others = [row for row in _live(parser, table_id) if row.id != own]
    if table_id is not None:
        return assign_table_column(name, [row.column for row in others])
    if kind is FieldType.TABLE:
        return assign_table(name, [row.column for row in others if row.type == FieldType.TABLE])
    return assign_column(name, [row.column for row in others if row.type != FieldType.TABLE])


def _columns_of(wish: Field, position: int) -> dict[str, Any]:
    return {
        "name": wish.name.strip(),
        "type": wish.type.value,
        "description": wish.description,
        "instructions": wish.instructions,
        "required": wish.required,
        "position": position,
        "options": list(wish.options),
        "labels": list(wish.labels),
        "extract": wish.extract,
    }


def _as_json(row: ParserField) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "type": row.type,
        "description": row.description,
        "instructions": row.instructions,
        "required": row.required,
        "position": row.position,
        "options": row.options,
        "labels": row.labels,
        "extract": row.extract,
    }
