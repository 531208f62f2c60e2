"""Statements that read and write the tables of the index."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

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
from docduck.service.search.entries import (
    Entries,
    IndexSchema,
    restore_schema,
)

T = TypeVar("T")
Rows = tuple[tuple[int, str], ...]
"""Entries to write: the values under each key, as JSON."""
NO_ENTRIES: Entries = frozenset()
# One statement per key, with entries as JSON: with a row of parameters per entry, the driver would wait for
# the interpreter's lock for each.
INSERT = """
INSERT INTO search_values (key, value, number) SELECT :key, entry.value, :number FROM {entries}
WHERE true ON CONFLICT DO NOTHING"""
DELETE = """
DELETE FROM search_values
WHERE key = :key AND number = :number AND value IN (SELECT entry.value FROM {entries})"""
_CHUNK = 500


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


def chunks(ids: Collection[T]) -> Iterable[list[T]]:
    """Yield ``ids`` in chunks."""
    wanted = list(ids)
    for start in range(0, len(wanted), _CHUNK):
        yield wanted[start : start + _CHUNK]


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
    return tuple((key, json_text(sorted(values))) for key, values in sorted(by_key.items()))


def write_values(session: Session, statement: str, rows_by_document: Iterable[tuple[int, Rows]]) -> None:
    """Run INSERT or DELETE for each document's entries, by number."""
    rows = [
        {"key": key, "number": number, "entries": entries}
        for number, rows in sorted(rows_by_document)
        for key, entries in rows
    ]
    if not rows:
        return
    table = "json_each(:entries) AS entry"
    if not is_sqlite(session):
        table = "json_array_elements_text(CAST(:entries AS json)) AS entry(value)"
    session.connection().execute(text(statement.format(entries=table)), rows)
