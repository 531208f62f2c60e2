"""Rows of the catalog and of the tables, and statements, for the service's tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event, func, select

from docduck.catalog.models import AuditEntry, Base
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import publish, sync_warehouse


def count(inst: Installation, table: type[Base]) -> int:
    """The number of rows of a table."""
    with inst.catalog.read_session() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def audited(inst: Installation, **wanted: Any) -> list[tuple[str, str, dict[str, Any]]]:
    """The actor, the action and the details of entries of the audit log, oldest first."""
    with inst.catalog.read_session() as session:
        rows = session.scalars(select(AuditEntry).filter_by(**wanted).order_by(AuditEntry.at, AuditEntry.id))
        return [(row.actor, row.action, dict(row.details or {})) for row in rows]


@contextmanager
def statements(inst: Installation) -> Iterator[list[str]]:
    """What is sent to the catalog meanwhile, but for the beginning of transactions."""
    sent: list[str] = []

    def note(*given: Any) -> None:
        if not given[2].startswith("BEGIN"):
            sent.append(given[2])

    event.listen(inst.catalog.engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(inst.catalog.engine, "before_cursor_execute", note)


def query_tables(inst: Installation, sql: str, *, sync: bool = True) -> list[tuple[Any, ...]]:
    """What a query of the tables finds, once all that is pending is written (``sync``) and published."""
    if sync:
        sync_warehouse(inst)
    publish(inst, force=True)
    return list(inst.warehouse.query(sql).rows)
