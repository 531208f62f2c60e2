"""Who refers to a stored file: counted in the catalog, in the transaction of the reference itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, case, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import StoredFile


def acquire(session: Session, counts: Mapping[str, int], sizes: Mapping[str, int]) -> None:
    """Add ``counts`` references to files by SHA-256; ``sizes`` in bytes are for those that are new."""
    if not counts:
        return
    dialect: Any = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    statement = dialect.insert(StoredFile)
    statement = statement.on_conflict_do_update(
        index_elements=["sha256"],
        set_={"refs": StoredFile.refs + statement.excluded.refs, "released_at": None},
    )
    moment = clock.now()
    session.connection().execute(
        statement,
        [
            {
                "sha256": sha256,
                "size": sizes[sha256],
                "refs": count,
                "created_at": moment,
                "released_at": None,
            }
            for sha256, count in sorted(counts.items())
        ],
    )


def release(session: Session, counts: Mapping[str, int]) -> None:
    """Take ``counts`` references away; a file with none left is swept after its grace."""
    if not counts:
        return
    table = StoredFile.__table__
    left = table.c.refs - bindparam("count")
    session.connection().execute(
        update(StoredFile)
        .where(table.c.sha256 == bindparam("hash"))
        .values(refs=left, released_at=case((left <= 0, clock.now()), else_=None)),
        [{"hash": sha256, "count": count} for sha256, count in sorted(counts.items())],
    )
