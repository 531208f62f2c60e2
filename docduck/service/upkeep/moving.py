"""Moving a home to a catalog of PostgreSQL and to a bucket: rows and files are copied, and compared."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import Column, Connection, Table, bindparam, func, insert, select, text, update

from docduck.catalog.database import Catalog
from docduck.catalog.migrate import migrate
from docduck.catalog.models import RateCount, ReadingHome, Team
from docduck.catalog.models.base import Base
from docduck.errors import Conflict, InputError
from docduck.files import FileStore
from docduck.service.upkeep.housekeeping import FIRST_BYTES

Progress = Callable[[int, int], None]

_BATCH, _FILES = 1000, 100
_NOT_COPIED = {RateCount.__tablename__, ReadingHome.__tablename__}
"""They are of the moment."""


def copy_files(source: FileStore, target: FileStore, on_progress: Progress) -> int:
    """Copy the files that ``target`` has not; return how many. Safe to repeat and to interrupt.

    Raise Conflict, once all others are copied, if files are damaged: their content has another hash.
    """
    total = sum(1 for _ in source.hashes())
    done = copied = 0
    damaged: list[str] = []
    for first_byte in FIRST_BYTES:
        there = set(source.hashes(first_byte))
        missing = sorted(there.difference(target.hashes(first_byte)))
        done += len(there) - len(missing)
        for start in range(0, len(missing), _FILES):
            hashes = missing[start : start + _FILES]
            with target.batch() as batch:
                for sha256 in hashes:
                    with source.open(sha256) as stream:
                        if batch.add(stream).sha256 != sha256:
                            damaged.append(sha256)
            done += len(hashes)
            copied += len(hashes)
            on_progress(done, total)
    if damaged:
        raise Conflict(
            f"{len(damaged)} stored files are damaged, among them {damaged[0]}: restore them from a backup, "
            "and try again"
        )
    return copied - len(damaged)


def copy_catalog(source: Catalog, target: Catalog, on_progress: Progress) -> int:
    """Copy all rows to an empty catalog, and compare them; return how many. All are copied, or none.

    Raise InputError if ``target`` belongs to a home already, Conflict if a row would be another there.
    """
    migrate(target)
    tables = [table for table in Base.metadata.sorted_tables if table.name not in _NOT_COPIED]
    with source.read_session() as session, target.engine.begin() as writing:
        reading = session.connection()
        if writing.scalar(select(func.count()).select_from(Team)):
            raise InputError(
                f"{target.engine.url.render_as_string()} is the catalog of a home already: name an empty "
                "database",
                "DOCDUCK_CATALOG_URL",
            )
        total = sum(reading.scalar(select(func.count()).select_from(table)) or 0 for table in tables)
        done = 0
        # They keep lists of documents, which are copied, too.
        writing.exec_driver_sql("ALTER TABLE documents DISABLE TRIGGER USER")
        for table in tables:
            before = 0
            for rows in _rows(reading, table):
                before += sum(map(_digest, rows))
                _insert(writing, table, rows)
                done += len(rows)
                on_progress(done, total)
            _restore_parents(reading, writing, table)
            _number_on(writing, table)
            if before != sum(sum(map(_digest, rows)) for rows in _rows(writing, table)):
                raise Conflict(f"Rows of {table.name} would not be the same there; nothing was copied")
        writing.exec_driver_sql("ALTER TABLE documents ENABLE TRIGGER USER")
    return done


def _rows(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    result = connection.execute(select(table), execution_options={"yield_per": _BATCH})
    for rows in result.mappings().partitions():
        yield [dict(row) for row in rows]


def _digest(row: Mapping[str, Any]) -> int:
    """Return a number that tells rows apart; the sum of many does not depend on their order."""
    canonical = json.dumps(row, sort_keys=True, default=_plain).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(canonical).digest())


def _plain(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    return bytes(value).hex()


def _parent(table: Table) -> Column[Any] | None:
    """Return the column that refers to another row of the same table."""
    return next((key.parent for key in table.foreign_keys if key.column.table is table), None)


def _insert(writing: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    parent = _parent(table)
    if parent is not None:
        rows = [{**row, parent.name: None} for row in rows]
    writing.execute(insert(table), rows)


def _restore_parents(reading: Connection, writing: Connection, table: Table) -> None:
    """Set the references to rows of the same table, now that all are there."""
    if (parent := _parent(table)) is None:
        return
    unchanged = {column.name: column for column in table.c if column.onupdate is not None}
    statement = (
        update(table)
        .where(table.c.id == bindparam("row"))
        .values({**unchanged, parent.name: bindparam("parent")})
    )
    for rows in _rows(reading, table):
        parents = [{"row": row["id"], "parent": row[parent.name]} for row in rows if row[parent.name]]
        if parents:
            writing.execute(statement, parents)


def _number_on(writing: Connection, table: Table) -> None:
    """Have PostgreSQL number new rows after those that were copied."""
    column = table.autoincrement_column
    if column is not None and column.autoincrement is True:
        writing.execute(
            text(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', '{column.name}'), "
                f"coalesce(max({column.name}), 0) + 1, false) FROM {table.name}"
            )
        )
