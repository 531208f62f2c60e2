"""Statements that read and write the tables of the index."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import delete, select, text
from sqlalchemy.orm import Session

from docduck.catalog.database import is_sqlite
from docduck.catalog.json_text import json_text
from docduck.catalog.models import (
    PendingText,
    SearchEntry,
    SearchShape,
    SearchText,
)
from docduck.catalog.upsert import insert_missing, upsert
from docduck.service.core.pages import chunks
from docduck.service.search.entries import Entries, IndexSchema, restore_schema

Rows = tuple[tuple[int, tuple[str, ...], str], ...]
"""Entries to write: the values under each key, one by one and as JSON."""
NO_ENTRIES: Entries = frozenset()
# SQLite runs one per key, with entries as JSON: with a row of parameters per entry, the driver would wait for
# the interpreter's lock for each. PostgreSQL takes all at once, as arrays: by their length its planner looks
# each entry up, instead of reading all that a key has.
_GIVEN = """unnest(CAST(:keys AS bigint[]), CAST(:values AS text[]), CAST(:numbers AS bigint[]))
AS given (key, value, number)"""
INSERT = {
    "sqlite": """INSERT INTO search_values (key, value, number)
SELECT :key, entry.value, :number FROM json_each(:entries) AS entry WHERE true ON CONFLICT DO NOTHING""",
    "postgresql": f"""INSERT INTO search_values (key, value, number)
SELECT * FROM {_GIVEN} ON CONFLICT DO NOTHING""",
}
DELETE = {
    "sqlite": """DELETE FROM search_values
WHERE key = :key AND number = :number AND value IN (SELECT entry.value FROM json_each(:entries) AS entry)""",
    "postgresql": f"""DELETE FROM search_values AS old USING {_GIVEN}
WHERE old.key = given.key AND old.value = given.value AND old.number = given.number""",
}
VALUES_AT_ONCE = 10_000
"""Entries in one statement of PostgreSQL."""


def write_texts(session: Session, texts: Sequence[Mapping[str, Any]]) -> None:
    """Insert or replace the texts of documents."""
    upsert(session, SearchText, texts, ["number"], replace=["name", "external_id", "body"])


def entries_of(session: Session, ids: Collection[str]) -> dict[str, tuple[int, str | None, int | None]]:
    """Return documents' number, parser id and schema id, by document id."""
    statement = select(
        SearchEntry.document_id, SearchEntry.number, SearchEntry.parser_id, SearchEntry.shape_id
    )
    return {row[0]: (row[1], row[2], row[3]) for row in each_entry(session, statement, ids)}


def numbers_of(session: Session, ids: Collection[str]) -> dict[str, int]:
    """Return documents' numbers by id."""
    return {document_id: entry[0] for document_id, entry in entries_of(session, ids).items()}


def delete_pending(session: Session, numbers: Collection[int]) -> None:
    """Delete the marks of pending texts."""
    for chunk in chunks(numbers):
        session.execute(delete(PendingText).where(PendingText.number.in_(chunk)))


def each_entry(session: Session, statement: Any, ids: Collection[str]) -> Iterable[Any]:
    """Yield the rows of ``statement`` for these documents."""
    for chunk in chunks(ids):
        yield from session.execute(statement.where(SearchEntry.document_id.in_(chunk))).all()


def schemas_by_id(session: Session, ids: Collection[int]) -> dict[int, IndexSchema]:
    """Return index schemas by id."""
    rows = session.execute(
        select(SearchShape.id, SearchShape.parser_id, SearchShape.fields).where(SearchShape.id.in_(ids))
    )
    return {row.id: restore_schema(row.parser_id, row.fields) for row in rows}


def keep_schema(session: Session, schema: IndexSchema) -> None:
    """Store an index schema."""
    row = {"id": schema.id, "parser_id": schema.parser_id, "fields": schema.as_json()}
    insert_missing(session, SearchShape, [row])


def rows_to_write(entries: Entries) -> Rows:
    """Return entries grouped by key."""
    by_key: dict[int, list[str]] = {}
    for key, value in entries:
        by_key.setdefault(key, []).append(value)
    ordered = ((key, sorted(values)) for key, values in sorted(by_key.items()))
    return tuple((key, tuple(values), json_text(values)) for key, values in ordered)


def write_values(
    session: Session, statements: Mapping[str, str], rows_by_document: Iterable[tuple[int, Rows]]
) -> None:
    """Run INSERT or DELETE for each document's entries, by number."""
    connection = session.connection()
    statement = text(statements[connection.dialect.name])
    rows = [(number, *row) for number, rows in sorted(rows_by_document) for row in rows]
    if is_sqlite(session):
        if rows:
            parameters = [{"key": key, "entries": json, "number": number} for number, key, _, json in rows]
            connection.execute(statement, parameters)
        return
    entries = [(key, value, number) for number, key, values, _ in rows for value in values]
    for some in chunks(entries, VALUES_AT_ONCE):
        keys, values, numbers = map(list, zip(*some, strict=True))
        connection.execute(statement, {"keys": keys, "values": values, "numbers": numbers})
