"""The rows of a document in all tables, as JSON, and back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, Table, insert, select, update
from sqlalchemy.orm import Session

from docduck.catalog.json_text import Compressed, Encoded
from docduck.catalog.models import (
    Base,
    Document,
    DocumentResult,
    FormerResult,
    SearchEntry,
    WebhookDelivery,
    WebhookSnapshot,
)
from docduck.catalog.models.base import CompressedJsonType, JsonType, UtcDateTime
from docduck.service.core.pages import chunks
from docduck.service.documents.webhook_outbox import revive_deliveries

Row = Mapping[str, Any]
Snapshot = dict[str, list[Row]]
"""Rows by table. Of rows that outlive the document, of its search entry and of deliveries that are cancelled
with it there are only the keys."""

_DOCUMENTS: Table = Document.metadata.tables[Document.__tablename__]
_RESULTS = DocumentResult.__tablename__
_ENTRIES, _DELIVERIES = SearchEntry.__tablename__, WebhookDelivery.__tablename__
_OF_READING = ("lease_expires_at", "pages_read", "pages_to_read", "slow", "updated_at")
"""Columns that change all the time while a document is read."""
_PORTION = 20
_AS_IT_IS = {"synchronize_session": False}


def _references(ondelete: str) -> dict[str, Column[Any]]:
    """Return the columns that refer to documents, by table."""
    return {
        table.name: key.parent
        for table in Base.metadata.sorted_tables
        for key in table.foreign_keys
        if key.column.table is _DOCUMENTS and key.ondelete == ondelete
    }


_OWN = {_DOCUMENTS.name: _DOCUMENTS.c.id, **_references("CASCADE")}
del _OWN[FormerResult.__tablename__]  # Nothing is undone after a restore, and they are large.
_LINKED = _references("SET NULL")


def portions(document_ids: Collection[str]) -> Iterator[list[str]]:
    """Yield sorted ids of documents, as many as are in memory at a time: they may have long tables."""
    return chunks(sorted(document_ids), _PORTION)


def read_rows(session: Session, ids: Collection[str], but: Collection[str] = ()) -> dict[str, Snapshot]:
    """Return the rows of documents by id, except those of the tables ``but``."""
    snapshots: dict[str, Snapshot] = {document_id: {} for document_id in ids}
    for name, column in {**_OWN, **_LINKED}.items():
        if name in but:
            continue
        table = column.table
        columns = list(table.c if name in _OWN else table.primary_key)
        keys = list(table.primary_key)
        for chunk in chunks(snapshots):
            statement = select(column.label("of_document"), *columns).where(column.in_(chunk)).order_by(*keys)
            for row in session.execute(statement).mappings():
                values = {each.name: row[each] for each in columns}
                snapshots[row["of_document"]].setdefault(name, []).append(values)
    for chunk in chunks(snapshots):
        for document_id, number in session.execute(
            select(SearchEntry.document_id, SearchEntry.number).where(SearchEntry.document_id.in_(chunk))
        ):
            snapshots[document_id][_ENTRIES] = [{"number": number}]
        for document_id, delivery_id in session.execute(
            select(WebhookSnapshot.document_id, WebhookDelivery.id)
            .join(WebhookDelivery, WebhookDelivery.snapshot_id == WebhookSnapshot.id)
            .where(WebhookSnapshot.document_id.in_(chunk), WebhookDelivery.status == "pending")
            .order_by(WebhookDelivery.id)
        ):
            snapshots[document_id].setdefault(_DELIVERIES, []).append({"id": delivery_id})
    return snapshots


def changed(session: Session, read: Mapping[str, Snapshot]) -> bool:
    """Return whether documents have other rows now.

    Results are not compared, as they take time, and neither is how far a document has been read.
    """
    now = read_rows(session, read, but=[_RESULTS])
    return any(_compared(now[document_id]) != _compared(snapshot) for document_id, snapshot in read.items())


def _compared(snapshot: Snapshot) -> Snapshot:
    rows = {name: rows for name, rows in snapshot.items() if name != _RESULTS}
    documents = snapshot[_DOCUMENTS.name]
    return rows | {
        _DOCUMENTS.name: [
            {key: value for key, value in row.items() if key not in _OF_READING} for row in documents
        ]
    }


def as_json(snapshot: Snapshot) -> dict[str, list[dict[str, Any]]]:
    """Return rows as they are stored."""
    return {
        name: [{key: _plain(value) for key, value in row.items()} for row in rows]
        for name, rows in snapshot.items()
    }


def from_json(stored: Mapping[str, Sequence[Row]]) -> Snapshot:
    """Return stored rows as they are inserted; tables and columns that there are no longer are left out."""
    tables = Base.metadata.tables
    return {
        name: [
            {key: _typed(tables[name].c[key], value) for key, value in row.items() if key in tables[name].c}
            for row in rows
        ]
        for name, rows in stored.items()
        if name in _OWN or name in _LINKED or name in (_ENTRIES, _DELIVERIES)
    }


def insert_rows(session: Session, snapshots: Mapping[str, Snapshot]) -> None:
    """Insert the rows of documents by id, and link the rows to them that outlived them.

    They keep their places among other documents, and deliveries that were cancelled wait again. What a row
    refers to may be gone: the reference becomes null, and a row that can't be without it is left out.
    """
    for name in _OWN:
        rows = [row for snapshot in snapshots.values() for row in snapshot.get(name, ())]
        table = Base.metadata.tables[name]
        for keys, group in _by_keys(_without_lost(session, table, rows)):
            session.connection().execute(insert(table), [{key: row[key] for key in keys} for row in group])
    for name, column in _LINKED.items():
        table = column.table
        (key,) = table.primary_key
        for document_id, snapshot in snapshots.items():
            mine = [row[key.name] for row in snapshot.get(name, ())]
            if mine:
                session.execute(
                    update(table).where(key.in_(mine), column.is_(None)).values({column.name: document_id}),
                    execution_options=_AS_IT_IS,
                )
    _renumber(
        session, {id_: row["number"] for id_, rows in snapshots.items() for row in rows.get(_ENTRIES, ())}
    )
    for chunk in chunks([row["id"] for rows in snapshots.values() for row in rows.get(_DELIVERIES, ())]):
        revive_deliveries(session, chunk)


def _renumber(session: Session, numbers: Mapping[str, int]) -> None:
    """Give documents their old numbers, unless the catalog was copied meanwhile and uses them again."""
    taken = {
        number
        for chunk in chunks(numbers.values())
        for number in session.scalars(select(SearchEntry.number).where(SearchEntry.number.in_(chunk)))
    }
    for document_id, number in numbers.items():
        if number not in taken:
            entry = (SearchEntry.document_id == document_id, SearchEntry.number > number)
            session.execute(
                update(SearchEntry).where(*entry).values(number=number), execution_options=_AS_IT_IS
            )


def _without_lost(session: Session, table: Table, rows: Sequence[Row]) -> list[dict[str, Any]]:
    remaining = [dict(row) for row in rows]
    for key in table.foreign_keys:
        column, target = key.parent, key.column
        if target.table is _DOCUMENTS:
            continue
        ids = {row[column.name] for row in remaining if row.get(column.name) is not None}
        present: set[Any] = set()
        for chunk in chunks(ids):
            present.update(session.scalars(select(target).where(target.in_(chunk))))
        for row in remaining:
            if row.get(column.name) not in present:
                row[column.name] = None
        if not column.nullable:
            remaining = [row for row in remaining if row[column.name] is not None]
    return remaining


def _by_keys(rows: Sequence[Row]) -> Iterator[tuple[tuple[str, ...], list[Row]]]:
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row), []).append(row)
    yield from groups.items()


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, dt.datetime) else value


def _typed(column: Column[Any], value: Any) -> Any:
    if value is None:
        return None
    if isinstance(column.type, UtcDateTime):
        return dt.datetime.fromisoformat(value)
    if isinstance(column.type, CompressedJsonType):
        return Compressed.of(value)
    return Encoded.of(value) if isinstance(column.type, type(JsonType)) else value
