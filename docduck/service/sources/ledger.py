"""The intake ledger: the last seen state and the outcome of each item of a source."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from hashlib import sha256
from typing import Any

from sqlalchemy import Select, bindparam, func, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, IntakeEntry
from docduck.catalog.upsert import upsert
from docduck.ids import new_id
from docduck.service.core.pages import chunks

INTAKE_BATCH = 200
"""Files, or documents of a source, that are registered in one transaction."""

_CHUNK = 2000
SPLIT_FILES = "split files"
"""The source under which the ledger knows split files."""


class ItemOutcome(StrEnum):
    """The outcome of an item."""

    REGISTERED = "registered"
    DUPLICATE = "duplicate"
    WAITING = "waiting"
    REFUSED = "refused"
    UNREADABLE = "unreadable"
    VANISHED = "vanished"


TAKEN = frozenset({ItemOutcome.REGISTERED, ItemOutcome.DUPLICATE})
PENDING = frozenset({ItemOutcome.WAITING, ItemOutcome.UNREADABLE})


@dataclass(frozen=True, slots=True)
class Entry:
    """A ledger entry; ``key`` is the hash of the item, ``target_id`` is None if the parser was deleted.

    ``updated_at`` is when the entry last changed; a waiting item is unchanged since then.
    """

    key: str
    fingerprint: str
    outcome: str
    message: str
    target_id: str | None
    document_id: str | None
    sha256: str | None
    finished_at: dt.datetime | None
    updated_at: dt.datetime


@dataclass(frozen=True, slots=True)
class Line:
    """An entry to write; ``item`` is its readable name, its target a parser or a classifier."""

    team_id: str
    key: str
    item: str
    fingerprint: str
    outcome: ItemOutcome
    message: str = ""
    parser_id: str | None = None
    classifier_id: str | None = None
    document_id: str | None = None
    sha256: str | None = None
    size: int | None = None
    finished_at: dt.datetime | None = None

    @property
    def target_id(self) -> str | None:
        return self.parser_id or self.classifier_id


_TARGET = func.coalesce(IntakeEntry.parser_id, IntakeEntry.classifier_id)
_COLUMNS = (
    IntakeEntry.item_sha256,
    IntakeEntry.fingerprint,
    IntakeEntry.outcome,
    IntakeEntry.message,
    _TARGET,
    IntakeEntry.document_id,
    IntakeEntry.sha256,
    IntakeEntry.finished_at,
    IntakeEntry.updated_at,
)


def entries(
    session: Session, team_id: str, source: str, keys: Sequence[str], *, lock: bool = False
) -> dict[str, Entry]:
    """Return the entries of items by key; ``lock`` locks them until the transaction ends."""
    by_key: dict[str, Entry] = {}
    for chunk in chunks(sorted(keys) if lock else keys, _CHUNK):
        statement = _of(team_id, source).where(IntakeEntry.item_sha256.in_(chunk))
        if lock:
            statement = statement.order_by(IntakeEntry.item_sha256).with_for_update()
        by_key.update((row[0], Entry(*row)) for row in session.execute(statement))
    return by_key


def fingerprints(
    session: Session, team_id: str, source: str, target_id: str, *, finished: bool
) -> dict[str, str]:
    """Return the fingerprints of all registered items of a parser or classifier, by key; quick for many.

    With ``finished``, only those that have been moved or deleted.
    """
    statement = select(IntakeEntry.item_sha256, IntakeEntry.fingerprint).where(
        IntakeEntry.team_id == team_id,
        IntakeEntry.source == source,
        _TARGET.in_([target_id]),
        IntakeEntry.outcome.in_(TAKEN),
    )
    if finished:
        statement = statement.where(IntakeEntry.finished_at.is_not(None))
    return {key: fingerprint for key, fingerprint in session.execute(statement)}


def pending(session: Session, team_id: str, source: str, target_ids: Collection[str]) -> list[Entry]:
    """Return the entries of these parsers and classifiers that wait to be registered."""
    statement = _of(team_id, source).where(IntakeEntry.outcome.in_(PENDING), _TARGET.in_(target_ids))
    return [Entry(*row) for row in session.execute(statement)]


def unfinished(session: Session, team_id: str, source: str) -> list[Entry]:
    """Return the entries of registered files that are still to be moved or deleted."""
    statement = _of(team_id, source).where(IntakeEntry.outcome.in_(TAKEN), IntakeEntry.finished_at.is_(None))
    return [Entry(*row) for row in session.execute(statement)]


def write(session: Session, source: str, lines: Iterable[Line]) -> None:
    """Insert or replace the entries of items."""
    moment = clock.now()
    rows: list[dict[str, Any]] = []
    for line in sorted(lines, key=lambda line: line.key):
        row = {field.name: getattr(line, field.name) for field in fields(Line) if field.name != "key"}
        rows.append(
            {
                **row,
                "id": new_id(),
                "source": source,
                "item_sha256": line.key,
                "created_at": moment,
                "updated_at": moment,
            }
        )
    if rows:
        unchanged = {"id", "team_id", "source", "item", "item_sha256", "created_at"}
        replaced = [name for name in rows[0] if name not in unchanged]
        upsert(session, IntakeEntry, rows, ["team_id", "source", "item_sha256"], replace=replaced)


def write_unregistered(session: Session, source: str, lines: Sequence[Line]) -> list[Line]:
    """Write lines about items that were not registered; return those written.

    What is known of an item's earlier content is kept. Entries that another process has registered meanwhile
    are not overwritten.
    """
    known: dict[str, Entry] = {}
    for team_id in sorted({line.team_id for line in lines}):
        keys = [line.key for line in lines if line.team_id == team_id]
        known.update(entries(session, team_id, source, keys, lock=True))
    written: list[Line] = []
    for line in lines:
        entry = known.get(line.key)
        if entry is not None and entry.target_id == line.target_id:
            taken = entry.outcome in TAKEN
            if taken and (line.outcome is ItemOutcome.VANISHED or entry.fingerprint == line.fingerprint):
                continue
            line = replace(
                line, document_id=entry.document_id, sha256=entry.sha256, finished_at=entry.finished_at
            )
        written.append(line)
    write(session, source, written)
    return written


def is_news(line: Line, entry: Entry | None) -> bool:
    """Return whether ``line`` differs from ``entry``."""
    return entry is None or (line.fingerprint, line.outcome, line.message, line.target_id) != (
        entry.fingerprint,
        entry.outcome,
        entry.message,
        entry.target_id,
    )


def mark_finished(session: Session, team_id: str, source: str, keys: Sequence[str]) -> None:
    """Mark files as moved or deleted."""
    _set(session, team_id, source, {key: {"finished_at": clock.now()} for key in keys}, "finished_at")


def mark_vanished(session: Session, team_id: str, source: str, keys: Sequence[str]) -> None:
    """Mark items as gone before they were registered."""
    gone = {"outcome": ItemOutcome.VANISHED, "message": "went away before it was taken"}
    _set(session, team_id, source, dict.fromkeys(keys, gone), "outcome", "message")


def set_messages(session: Session, team_id: str, source: str, messages: Mapping[str, str]) -> None:
    """Set the messages of entries, by key."""
    _set(session, team_id, source, {key: {"message": text} for key, text in messages.items()}, "message")


def split_before(
    session: Session, team_id: str, parser_id: str, hashes: Collection[str]
) -> dict[str, tuple[str, str]]:
    """Return the first part's id and the file's name for each of these contents that was split before.

    Contents whose first part was deleted are omitted.
    """
    keys = {split_key(parser_id, content): content for content in hashes}
    parts = entries(session, team_id, SPLIT_FILES, list(keys))
    first = {entry.document_id: keys[key] for key, entry in parts.items() if entry.document_id}
    rows = session.execute(select(Document.id, Document.split).where(Document.id.in_(first)))
    return {first[document_id]: (document_id, split["sourceName"]) for document_id, split in rows if split}


def split_key(parser_id: str, content: str) -> str:
    """Return the key of a content of a parser in the ledger."""
    return sha256(f"{parser_id}/{content}".encode()).hexdigest()


def _of(team_id: str, source: str) -> Select[*tuple[Any, ...]]:
    return select(*_COLUMNS).where(IntakeEntry.team_id == team_id, IntakeEntry.source == source)


def _set(
    session: Session, team_id: str, source: str, changes: Mapping[str, Mapping[str, Any]], *names: str
) -> None:
    if not changes:
        return
    table = IntakeEntry.__table__
    statement = (
        update(IntakeEntry)
        .where(table.c.team_id == team_id, table.c.source == source, table.c.item_sha256 == bindparam("key"))
        .values({"updated_at": clock.now(), **{name: bindparam(f"new_{name}") for name in names}})
        .execution_options(synchronize_session=False)
    )
    session.connection().execute(
        statement,
        [
            {"key": key, **{f"new_{name}": change[name] for name in names}}
            for key, change in sorted(changes.items())
        ],
    )
