"""Taking files: their bytes into the store, then documents and ledger entries in one transaction."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session, lazyload

from docduck import clock
from docduck.catalog.models import Document, Parser
from docduck.documents.detection.containers import ZIP
from docduck.documents.detection.sniff import stream_type
from docduck.files import Batch, FileTooLarge, Stored
from docduck.files.names import clean_name, safe_text
from docduck.service.core.installation import Installation
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.sources import ledger
from docduck.service.sources.ledger import TAKEN, Entry, ItemOutcome, Line
from docduck.service.sources.scan import LEFT_IN_PLACE, SourceFile, is_same, keys_by_team, known_entries
from docduck.service.sources.sources import FolderSource
from docduck.service.sources.split_files import split_before
from docduck.sources.folder.disposal import move_aside
from docduck.sources.folder.safe_open import NotTaken, open_inside, seen
from docduck.sources.folder.walk import Found

_TRIES = 3


@dataclass(frozen=True, slots=True)
class Copied:
    """A file whose bytes are in the store, read when it was as in ``found``; ``name`` is the document's."""

    offer: SourceFile
    found: Found
    stored: Stored
    name: str
    content_type: str


def copy(inst: Installation, offers: Sequence[SourceFile]) -> list[Copied | Line]:
    """Read files into the store, or say in a ledger line why one could not be read.

    When this returns, their bytes are on the disk for good. Only a failing store raises.
    """
    with inst.files.batch() as batch:
        return [_copy(batch, offer, inst.settings.max_file_bytes) for offer in offers]


def _copy(batch: Batch, offer: SourceFile, limit: int) -> Copied | Line:
    path = offer.path
    try:
        with open_inside(path, offer.place.bounds) as stream:
            before = seen(stream, offer.found.path)
            stored = batch.add(stream, limit)
            after = seen(stream, offer.found.path)
            path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return offer.line(ItemOutcome.VANISHED, "went away before it was taken")
    except FileTooLarge:
        return offer.line(ItemOutcome.WAITING, "grew while it was read")
    except NotTaken as error:
        return offer.line(ItemOutcome.REFUSED, error.message)
    except OSError as error:
        return offer.line(ItemOutcome.UNREADABLE, f"can't be read ({error.strerror}); it is tried again")
    if not offer.found.fingerprint == before.fingerprint == after.fingerprint:
        return offer.line(ItemOutcome.WAITING, "changed while it was read", after.fingerprint)
    name = clean_name(path.name)
    with batch.open(stored) as kept:
        return Copied(offer, after, stored, name, stream_type(kept, name))


def can_open(offer: SourceFile) -> bool:
    """Whether a file that was unreadable can be read now."""
    try:
        with open_inside(offer.path, offer.place.bounds):
            return True
    except (OSError, NotTaken):
        return False


@dataclass(slots=True)
class Entered:
    """What the ledger was told: ``lines`` are news, ``touched`` only bring known files up to date."""

    lines: list[Line]
    touched: list[Line]


def enter(
    inst: Installation, source: FolderSource, copied: Sequence[Copied], lines: Sequence[Line]
) -> Entered:
    """Register copied files and write the ledger, all or nothing; gives what was entered.

    Another process may be at the same files: whoever comes second finds them entered.
    """
    tries = 0
    while True:
        try:
            with inst.catalog.transaction() as session:
                entered = _enter(session, source, copied)
                ledger.write(session, source.name, [*entered.lines, *entered.touched])
                entered.lines += note(session, source, lines)
            return entered
        except (IntegrityError, OperationalError):
            tries += 1
            if tries == _TRIES:
                raise


def note(session: Session, source: FolderSource, lines: Sequence[Line]) -> list[Line]:
    """Enter files that were not taken; gives what was entered.

    What is known of a file's former content stays with it. Nothing is entered over a file that another
    process has taken in the meantime.
    """
    known: dict[str, Entry] = {}
    for team_id in {line.team_id for line in lines}:
        keys = [line.key for line in lines if line.team_id == team_id]
        known.update(ledger.entries(session, team_id, source.name, keys, lock=True))
    entered: list[Line] = []
    for line in lines:
        entry = known.get(line.key)
        if entry is not None and entry.parser_id == line.parser_id:
            taken = entry.outcome in TAKEN
            if taken and (line.outcome is ItemOutcome.VANISHED or entry.fingerprint == line.fingerprint):
                continue
            line = replace(
                line, document_id=entry.document_id, sha256=entry.sha256, finished_at=entry.finished_at
            )
        entered.append(line)
    ledger.write(session, source.name, entered)
    return entered


def _enter(session: Session, source: FolderSource, copied: Sequence[Copied]) -> Entered:
    parsers = _lock(session, {one.offer.target.id for one in copied})
    known = known_entries(session, source, [one.offer for one in copied])
    entered = Entered([], [])
    for parser_id, parser in parsers.items():
        mine = [one for one in copied if one.offer.target.id == parser_id]
        _enter_for(session, source, parser, mine, known, entered)
    for one in copied:
        if one.offer.target.id not in parsers:
            entered.lines.append(one.offer.line(ItemOutcome.WAITING, "its parser is gone or not active"))
    return entered


def _lock(session: Session, parser_ids: Iterable[str]) -> dict[str, Parser]:
    """The active ones of these parsers; nobody else enters files for them until the transaction ends."""
    rows = session.scalars(
        select(Parser)
        .where(Parser.id.in_(list(parser_ids)), Parser.deleted_at.is_(None), Parser.is_active)
        .order_by(Parser.id)
        .options(lazyload(Parser.fields))
        .with_for_update(key_share=True)
    )
    return {row.id: row for row in rows}


def _enter_for(
    session: Session,
    source: FolderSource,
    parser: Parser,
    copied: Sequence[Copied],
    known: dict[str, Entry],
    entered: Entered,
) -> None:
    fresh: dict[str, Copied] = {}
    archives = {one.stored.sha256 for one in copied if one.content_type == ZIP}
    twins = split_before(session, parser.team_id, parser.id, archives) if archives else {}
    twins |= _documents(session, parser.id, {one.stored.sha256 for one in copied})
    again: list[Copied] = []
    for one in copied:
        entry = known.get(one.offer.key)
        if entry is not None and entry.parser_id == parser.id:
            if entry.outcome in TAKEN and is_same(entry, one.offer, one.found):
                continue
            if entry.sha256 == one.stored.sha256 and _lay_here_all_along(entry, source):
                entered.touched.append(_touched(one, entry, source))
                continue
        if one.stored.sha256 in twins or one.stored.sha256 in fresh:
            again.append(one)
        else:
            fresh[one.stored.sha256] = one
    ids = register(
        session, parser.team_id, parser.id, [_document(one, source) for one in fresh.values()], "intake"
    )
    for one, document_id in zip(fresh.values(), ids, strict=True):
        twins[one.stored.sha256] = (document_id, one.name)
        entered.lines.append(_taken(one, source, ItemOutcome.REGISTERED, "", document_id))
    for one in again:
        document_id, name = twins[one.stored.sha256]
        message = f"same content as {name} (document {document_id}), not read again"
        entered.lines.append(_taken(one, source, ItemOutcome.DUPLICATE, message, document_id))


def _lay_here_all_along(entry: Entry, source: FolderSource) -> bool:
    """False for a file that went away after its content was read: this one was dropped anew."""
    return entry.outcome != ItemOutcome.VANISHED and (source.after == "keep" or entry.finished_at is None)


def _touched(one: Copied, entry: Entry, source: FolderSource) -> Line:
    outcome, message = ItemOutcome.REGISTERED, ""
    if entry.outcome in TAKEN:
        outcome, message = ItemOutcome(entry.outcome), entry.message
    if entry.document_id is None:
        message = "its document was deleted, so it is not taken again"
    line = _taken(one, source, outcome, message, entry.document_id)
    return replace(line, finished_at=entry.finished_at)


def _taken(
    one: Copied, source: FolderSource, outcome: ItemOutcome, message: str, document_id: str | None
) -> Line:
    return replace(
        one.offer.line(outcome, message, one.found.fingerprint),
        document_id=document_id,
        sha256=one.stored.sha256,
        size=one.stored.size,
        finished_at=clock.now() if source.after == "keep" else None,
    )


def _document(one: Copied, source: FolderSource) -> NewDocument:
    return NewDocument(
        name=one.name,
        sha256=one.stored.sha256,
        size=one.stored.size,
        content_type=one.content_type,
        source="folder",
        source_detail={"source": source.name, "path": safe_text(one.offer.found.path)},
    )


def _documents(session: Session, parser_id: str, hashes: set[str]) -> dict[str, tuple[str, str]]:
    """The parser's oldest document of each content: (id, name) by SHA-256."""
    rows = session.execute(
        select(Document.sha256, Document.id, Document.name)
        .where(Document.parser_id == parser_id, Document.sha256.in_(sorted(hashes)))
        .order_by(Document.created_at.desc(), Document.id.desc())
    )
    return {sha256: (document_id, name) for sha256, document_id, name in rows}


def finish(inst: Installation, source: FolderSource, offers: Sequence[SourceFile]) -> list[str]:
    """Move or delete files that were taken, as the source says; gives sentences about what failed.

    A file that is no longer in the state it was taken in is left: it will be offered anew.
    """
    if source.after == "keep" or not offers:
        return []
    done: list[SourceFile] = []
    failed: dict[str, tuple[SourceFile, str]] = {}
    for offer in offers:
        try:
            if _dispose(source, offer):
                done.append(offer)
        except OSError as error:
            failed[offer.key] = (offer, f"{LEFT_IN_PLACE}can't be {source.after}d ({error.strerror})")
    with inst.catalog.transaction() as session:
        for team_id, keys in keys_by_team(done):
            ledger.finish(session, team_id, source.name, keys)
        for team_id, keys in keys_by_team(offer for offer, _ in failed.values()):
            ledger.remark(session, team_id, source.name, {key: failed[key][1] for key in keys})
    return [f"{offer.label}: {words}" for offer, words in failed.values()]


def _dispose(source: FolderSource, offer: SourceFile) -> bool:
    try:
        status = os.stat(offer.path)  # noqa: PTH116 - as the scan did, through a link
    except FileNotFoundError:
        return True
    now = Found(offer.found.path, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    if now.fingerprint != offer.found.fingerprint:
        return False
    if source.after == "delete":
        offer.path.unlink(missing_ok=True)
    else:
        # Gone by now means that another process has just moved it.
        with suppress(FileNotFoundError):
            move_aside(offer.path, source.taken_folder / offer.found.path)
    return True
