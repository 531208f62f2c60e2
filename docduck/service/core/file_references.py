"""Reference counts of stored files, changed in the transaction of the reference."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import bindparam, case, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import StoredFile
from docduck.catalog.upsert import upsert


def acquire(session: Session, counts: Mapping[str, int], sizes: Mapping[str, int]) -> None:
    """Add ``counts`` references to files by SHA-256; ``sizes`` are in bytes."""
    if not counts:
        return
    moment = clock.now()
    rows = [
        {"sha256": sha256, "size": sizes[sha256], "refs": count, "created_at": moment, "released_at": None}
        for sha256, count in sorted(counts.items())
    ]
    upsert(session, StoredFile, rows, ["sha256"], add=["refs"], replace=["released_at"])


def release(session: Session, counts: Mapping[str, int]) -> None:
    """Remove ``counts`` references by SHA-256. Files without references are deleted after a grace period."""
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
