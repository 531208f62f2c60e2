"""Saved layouts of exports: format, scope, table, and columns with their order and headings."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import ExportLayout, Parser
from docduck.errors import Conflict, InputError, NotFound
from docduck.exports import ChosenColumn, ExportPlan, Scope, resolve
from docduck.exports.columns import NUMBER_COLUMN, PROPERTY_COLUMNS
from docduck.exports.rows import possible_refs
from docduck.fields import Field, FieldType
from docduck.ids import is_uuid, new_id
from docduck.service.conditions.targets import find_target
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.schema import Values
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.parsers.parsers import find, view
from docduck.service.schemas.export_layouts import (
    MOST_COLUMNS,
    ExportLayoutView,
    LayoutColumn,
    LayoutColumnView,
    LayoutProperties,
)

MAX_EXPORT_LAYOUTS = 100
"""Of a parser."""

LONGEST_NAME = 255
_PROPERTIES = tuple(column.key for column in (*PROPERTY_COLUMNS, NUMBER_COLUMN))


def list_layouts(inst: Installation, team_id: str, parser_ref: str) -> list[ExportLayoutView]:
    """Return a parser's layouts, by name; raise NotFound."""
    with inst.catalog.read_session() as session:
        parser = find(session, team_id, parser_ref)
        fields = view(parser).fields
        rows = session.scalars(select(ExportLayout).where(ExportLayout.parser_id == parser.id))
        return [_view(row, fields) for row in sorted(rows, key=lambda row: (row.name.casefold(), row.name))]


def get_layout(inst: Installation, team_id: str, parser_ref: str, ref: str) -> ExportLayoutView:
    """Return the parser's layout with this id or name; raise NotFound for either."""
    with inst.catalog.read_session() as session:
        parser = find(session, team_id, parser_ref)
        return _view(_find(session, parser, ref), view(parser).fields)


def create_layout(
    inst: Installation, team_id: str, parser_ref: str, new: Values, actor: str = "user"
) -> ExportLayoutView:
    """Create a layout; raise NotFound, InputError, and Conflict if the name is taken."""
    if (earlier := earlier_effect()) is not None:
        return get_layout(inst, team_id, parser_ref, earlier["layout"])
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        count = session.scalar(
            select(func.count()).select_from(ExportLayout).where(ExportLayout.parser_id == parser.id)
        )
        if (count or 0) >= MAX_EXPORT_LAYOUTS:
            raise InputError(f"A parser may have {MAX_EXPORT_LAYOUTS} export layouts", code="limit_reached")
        row = ExportLayout(id=new_id(), team_id=parser.team_id, parser_id=parser.id, name="")
        _apply(session, parser, row, new)
        session.add(row)
        details = {"layout": row.name}
        audit.record(session, team_id, actor, "export_layout.created", "parser", [(parser.id, details)])
        record_effect(session, layout=row.id)
        session.flush()
        return _view(row, view(parser).fields)


def update_layout(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    ref: str,
    changes: Values,
    actor: str = "user",
) -> ExportLayoutView:
    """Change a layout; raise NotFound, InputError, and Conflict if the name is taken."""
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        row = _find(session, parser, ref)
        fields = view(parser).fields
        before = _facts(_view(row, fields))
        _apply(session, parser, row, changes)
        details = audit.changes(before, _facts(_view(row, fields)))
        if details["changed"]:
            row.updated_at = clock.now()
            named = {"layout": row.name, **details}
            audit.record(session, team_id, actor, "export_layout.updated", "parser", [(parser.id, named)])
        session.flush()
        return _view(row, fields)


def put_layout(
    inst: Installation, team_id: str, parser_ref: str, new: Values, actor: str = "user"
) -> ExportLayoutView:
    """Create a layout, or replace the one of that name; raise NotFound, InputError."""
    complete = {"scope": None, "table_name": None, "columns": None, **new}
    try:
        return update_layout(inst, team_id, parser_ref, _line("name", new["name"]), complete, actor)
    except NotFound as error:
        if error.kind != "layoutId":
            raise
        return create_layout(inst, team_id, parser_ref, complete, actor)


def delete_layout(inst: Installation, team_id: str, parser_ref: str, ref: str, actor: str = "user") -> str:
    """Delete a layout and return its id; raise NotFound."""
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        row = _find(session, parser, ref)
        session.delete(row)
        details = {"layout": row.name}
        audit.record(session, team_id, actor, "export_layout.deleted", "parser", [(parser.id, details)])
        return row.id


def plan_of(session: Session, parser: Parser, ref: str) -> tuple[ExportPlan, Sequence[str]]:
    """Return the plan of a layout, and warnings about what is left out.

    Raise NotFound, and InputError if nothing of it is left.
    """
    row = _find(session, parser, ref)
    fields = view(parser).fields
    columns, warnings = _live_columns(row, fields)
    if columns is not None and not columns:
        raise InputError(f"All fields of the export layout '{row.name}' were deleted", "layout")
    if row.scope == Scope.TABLE and row.table_id not in [str(field.id) for field in fields]:
        raise InputError(f"The table of the export layout '{row.name}' was deleted", "layout")
    return resolve(row.format, row.scope, row.table_id, fields, columns), warnings


def _find(session: Session, parser: Parser, ref: str) -> ExportLayout:
    mine = select(ExportLayout).where(ExportLayout.parser_id == parser.id)
    row = session.scalar(mine.where(ExportLayout.name == ref)) or _named(session, parser, ref)
    if row is None and is_uuid(ref):
        row = session.scalar(mine.where(ExportLayout.id == ref.lower()))
    if row is None:
        raise NotFound("Export layout not found", "layoutId", ref)
    return row


def _named(session: Session, parser: Parser, name: str) -> ExportLayout | None:
    """Return the parser's layout of that name, whatever its case."""
    rows = session.scalars(select(ExportLayout).where(ExportLayout.parser_id == parser.id))
    return next((row for row in rows if row.name.casefold() == name.casefold()), None)


def _apply(session: Session, parser: Parser, row: ExportLayout, properties: Values) -> None:
    """Set what is given; check the layout as a whole."""
    fields = view(parser).fields
    name = _line("name", properties["name"]) if "name" in properties else row.name
    namesake = _named(session, parser, name) if name != row.name else row
    if namesake not in (None, row):
        raise Conflict(f"The parser has an export layout '{name}' already", code="layout_exists")
    table = properties.get("table_name", row.table_id)
    plan = resolve(properties.get("format", row.format), properties.get("scope", row.scope), table, fields)
    if plan.table is None and properties.get("table_name") is not None:
        raise InputError("tableName goes with the scope 'table'", "tableName")
    if "columns" not in properties:
        columns = row.columns
    elif properties["columns"] is None:
        columns = None
    else:
        columns = [_stored(column, index, fields) for index, column in enumerate(properties["columns"])]
    if columns is not None:
        _check_columns(plan, columns)
    row.name, row.format, row.columns = name, plan.format, columns
    row.scope, row.table_id = plan.scope, plan.table.id if plan.table else None


def _stored(column: LayoutColumn, index: int, fields: Sequence[Field]) -> dict[str, Any]:
    path = f"columns.{index}"
    wanted = column.field.strip()
    ref = name = wanted
    if wanted not in _PROPERTIES:
        target = find_target(wanted, fields, (), f"{path}.field")
        ref, name = target.ref, target.name
    header = None if column.header is None else _line(f"{path}.header", column.header)
    return {"ref": ref, "name": name, "header": header}


def _check_columns(plan: ExportPlan, columns: Sequence[Mapping[str, Any]]) -> None:
    """Raise InputError unless the plan can have these columns."""
    if not 1 <= len(columns) <= MOST_COLUMNS:
        raise InputError(f"A layout may have 1 to {MOST_COLUMNS} columns", "columns")
    if plan.scope is None:
        resolve(plan.format, None, None, plan.fields, ())
    possible = possible_refs(plan)
    headers: set[str] = set()
    for index, column in enumerate(columns):
        if column["ref"] not in possible:
            raise InputError(
                f"'{column['name']}' can't be a column of the scope '{plan.scope}'", f"columns.{index}.field"
            )
        if column["header"] is not None and column["header"] in headers:
            raise InputError(f"'{column['header']}' is the heading of two columns", f"columns.{index}.header")
        headers.add(column["header"])


def _line(path: str, value: str) -> str:
    text = value.strip()
    if not 1 <= len(text) <= LONGEST_NAME or any(
        unicodedata.category(character) == "Cc" for character in text
    ):
        raise InputError(f"{path} must be one line of 1 to {LONGEST_NAME} characters", path)
    return text


def _live_columns(
    row: ExportLayout, fields: Sequence[Field]
) -> tuple[tuple[ChosenColumn, ...] | None, tuple[str, ...]]:
    """Return the columns of a layout that still exist, and warnings about the others."""
    if row.columns is None:
        return None, ()
    names = _names(fields)
    live = tuple(
        ChosenColumn(column["ref"], column["header"]) for column in row.columns if column["ref"] in names
    )
    gone = [column["name"] for column in row.columns if column["ref"] not in names]
    return live, tuple(f"Column '{name}' is left out: its field was deleted" for name in gone)


def _names(fields: Sequence[Field]) -> dict[str, str]:
    """Return the present names of all possible columns by ref."""
    names = {property_: property_ for property_ in _PROPERTIES}
    for field in fields:
        if field.type is FieldType.TABLE:
            names |= {f"{field.id}.{column.id}": f"{field.name}.{column.name}" for column in field.columns}
        else:
            names[str(field.id)] = field.name
    return names


def _facts(layout: ExportLayoutView) -> dict[str, Any]:
    """Return what ``update_layout`` changes, for the audit log."""
    columns = None if layout.columns is None else [asdict(column) for column in layout.columns]
    return LayoutProperties.facts(layout, "columns") | {"columns": columns}


def _view(row: ExportLayout, fields: Sequence[Field]) -> ExportLayoutView:
    names = _names(fields)
    columns, warnings = _live_columns(row, fields)
    tables = {str(field.id): field.name for field in fields}
    column_views = (
        None
        if columns is None
        else tuple(LayoutColumnView(names[column.ref], column.header) for column in columns)
    )
    return ExportLayoutView.of(
        row,
        scope=Scope(row.scope) if row.scope else None,
        table_name=tables.get(row.table_id) if row.table_id else None,
        columns=column_views,
        warnings=warnings,
    )
