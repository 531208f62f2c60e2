"""Lookup tables of parsers: CSV files that steps of post-processing search."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Parser, StoredTable
from docduck.errors import Conflict, InputError, NotFound, TooLarge
from docduck.extraction.post_processing.lookup_table import parse_table
from docduck.extraction.post_processing.steps import LookupStep
from docduck.ids import new_id
from docduck.service.core import audit, file_references
from docduck.service.core.installation import Installation
from docduck.service.core.schema import UtcTime, ViewPart
from docduck.service.parsers.parsers import find, view
from docduck.service.parsers.post_processing import columns_of_tables, restore_steps

MAX_LOOKUP_TABLES = 50
"""Of a parser."""
MAX_LOOKUP_TABLE_BYTES = 10 * 1024 * 1024
MAX_LOOKUP_TABLE_ROWS = 100_000

NAME = r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$"
"""The pattern of names, which are parts of URLs."""


class LookupTableView(ViewPart):
    """A lookup table."""

    name: str = Field(examples=["vendors"])
    columns: list[str] = Field(examples=[["name", "account"]])
    rows: int = Field(ge=0)
    updated_at: UtcTime


def list_lookup_tables(inst: Installation, team_id: str, parser_ref: str) -> list[LookupTableView]:
    """Return the parser's lookup tables, by name; raise NotFound."""
    with inst.catalog.read_session() as session:
        parser = find(session, team_id, parser_ref)
        rows = session.scalars(select(StoredTable).where(StoredTable.parser_id == parser.id))
        return sorted(map(LookupTableView.of, rows), key=lambda table: (table.name.casefold(), table.name))


def put_lookup_table(
    inst: Installation, team_id: str, parser_ref: str, name: str, data: bytes, actor: str = "user"
) -> LookupTableView:
    """Create or replace a lookup table from a CSV file.

    Raise NotFound, TooLarge, InputError with the line of an error, and Conflict if a step uses a column that
    is missing now.
    """
    if not re.fullmatch(NAME, name):
        raise InputError(
            "The name of a lookup table must have 1 to 64 letters, digits, '_', '.' or '-', and begin with a "
            "letter, a digit or '_'",
            "name",
        )
    if len(data) > MAX_LOOKUP_TABLE_BYTES:
        raise TooLarge("File too large")
    table = parse_table(data, MAX_LOOKUP_TABLE_ROWS)
    with inst.catalog.read_session() as session:
        find(session, team_id, parser_ref)
    stored = inst.files.put_bytes(data)
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        row = _find(session, parser, name)
        if row is not None and row.sha256 == stored.sha256:
            return LookupTableView.of(row)
        for step in _steps_with(session, parser, name):
            if missing := [column for column in step.columns if column not in table.columns]:
                raise Conflict(
                    f"The column '{missing[0]}' is used by the parser's post-processing",
                    code="lookup_table_in_use",
                )
        file_references.acquire(session, {stored.sha256: 1}, {stored.sha256: stored.size})
        if row is None:
            _refuse_too_many(session, parser)
            row = StoredTable(id=new_id(), team_id=parser.team_id, parser_id=parser.id, name=name)
            session.add(row)
        else:
            file_references.release(session, {row.sha256: 1})
        row.sha256, row.columns, row.rows = stored.sha256, list(table.columns), len(table.rows)
        row.updated_at = clock.now()
        parser.revision += 1
        details = {"name": name, "rows": len(table.rows), "columns": list(table.columns)}
        audit.record(session, team_id, actor, "lookup_table.stored", "parser", [(parser.id, details)])
        session.flush()
        return LookupTableView.of(row)


def delete_lookup_table(
    inst: Installation, team_id: str, parser_ref: str, name: str, actor: str = "user"
) -> str:
    """Delete a lookup table and return its id; raise NotFound, and Conflict if a step uses it."""
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref, lock=True)
        row = _find(session, parser, name)
        if row is None:
            raise NotFound("Lookup table not found", "lookupTable", name)
        if _steps_with(session, parser, name):
            raise Conflict(
                f"The lookup table '{name}' is used by the parser's post-processing",
                code="lookup_table_in_use",
            )
        file_references.release(session, {row.sha256: 1})
        session.delete(row)
        audit.record(session, team_id, actor, "lookup_table.deleted", "parser", [(parser.id, {"name": name})])
        return row.id


def _find(session: Session, parser: Parser, name: str) -> StoredTable | None:
    return session.scalar(
        select(StoredTable).where(StoredTable.parser_id == parser.id, StoredTable.name == name)
    )


def _steps_with(session: Session, parser: Parser, name: str) -> Sequence[LookupStep]:
    """Return the steps that use a lookup table."""
    tables = columns_of_tables(session, parser.id)
    steps = restore_steps(parser.post_processing, view(parser).fields, tables)
    return [step for step in steps if isinstance(step, LookupStep) and step.table == name]


def _refuse_too_many(session: Session, parser: Parser) -> None:
    count = session.scalar(select(func.count()).where(StoredTable.parser_id == parser.id)) or 0
    if count >= MAX_LOOKUP_TABLES:
        raise InputError(f"A parser may have {MAX_LOOKUP_TABLES} lookup tables", code="limit_reached")
