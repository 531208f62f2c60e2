"""Registration of fetched items: documents, ledger and the source's cursor in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document
from docduck.documents.detection.content_types import ZIP
from docduck.files import Stored
from docduck.files.names import file_name, key_of, safe_text
from docduck.service.core.folder_paths import ensure_folders
from docduck.service.core.installation import Installation
from docduck.service.core.optimistic_writes import OutdatedPreparation, prepare_and_write
from docduck.service.documents.deletion import delete_rows
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.search import reindexing
from docduck.service.search.reindexing import KnownDocuments
from docduck.service.sources import ledger
from docduck.service.sources.ledger import TAKEN, Entry, ItemOutcome, Line
from docduck.service.sources.remote_source import ItemOrigin
from docduck.service.sources.split_files import split_before
from docduck.service.sources.targets import Target, documents_by_content, lock_targets
from docduck.sources.remote import RemoteItem

IDENTITIES = "identities"
"""The source under which the ledger knows what is identified across sources, such as mails."""


@dataclass(frozen=True, slots=True)
class StoredItem:
    """A fetched item whose content is in the file store."""

    item: RemoteItem
    stored: Stored
    name: str
    content_type: str
    detail: Mapping[str, Any]
    identity: str | None = None


@dataclass(slots=True)
class RegisteredItems:
    """What was written to the ledger: ``lines`` are news, ``known`` were registered by another process."""

    lines: list[Line]
    known: list[Line]


def line_of(target: Target, item: RemoteItem, outcome: ItemOutcome, message: str = "") -> Line:
    """Return the ledger line of an item."""
    return Line(
        team_id=target.team_id,
        key=key_of(item.name),
        item=safe_text(item.name),
        fingerprint=item.fingerprint,
        outcome=outcome,
        message=message,
        parser_id=target.parser_id,
        classifier_id=target.classifier_id,
        size=item.size,
    )


def is_done(entry: Entry | None, item: RemoteItem, target: Target) -> bool:
    """Return whether the ledger knows that this version of the item needs no more work."""
    if entry is None or entry.target_id != target.id or entry.fingerprint != item.fingerprint:
        return False
    return entry.outcome in TAKEN or (entry.outcome == ItemOutcome.REFUSED and item.refusal is None)


def record_items(inst: Installation, origin: ItemOrigin, lines: Sequence[Line]) -> None:
    """Write ledger lines of items that are not registered."""
    if lines:
        with inst.catalog.transaction() as session:
            ledger.write_unregistered(session, origin.name, lines)


def register_items(
    inst: Installation, origin: ItemOrigin, target: Target, items: Sequence[StoredItem]
) -> RegisteredItems:
    """Register stored items; return what was written to the ledger.

    An item is registered once, whatever other process registers it meanwhile. A content or an identity that
    the target has already is a duplicate.
    """

    def former(session: Session) -> list[Document]:
        if not origin.replaces:
            return []
        known = ledger.entries(session, target.team_id, origin.name, [key_of(one.item.name) for one in items])
        ids = {entry.document_id for entry in known.values() if entry.document_id}
        return list(session.scalars(select(Document).where(Document.id.in_(ids))))

    def prepare(session: Session) -> KnownDocuments:
        return reindexing.known_documents(session, [row.id for row in former(session)])

    def write(session: Session, known: KnownDocuments) -> RegisteredItems:
        if target.id not in lock_targets(session, [target.id]):
            what = "classifier" if target.is_classifier else "parser"
            words = f"its {what} is gone or not active"
            lines = [line_of(target, one.item, ItemOutcome.WAITING, words) for one in items]
            ledger.write(session, origin.name, lines)
            return RegisteredItems(lines, [])
        olds = former(session)
        if known.changed(session, olds):
            raise OutdatedPreparation
        entered = _register(session, inst.settings.max_folders, origin, target, items)
        kept = {line.document_id for line in [*entered.lines, *entered.known]}
        replaced = [one for one in olds if one.id not in kept]
        if replaced:
            delete_rows(session, replaced, known, "intake")
        return entered

    return prepare_and_write(inst, prepare, write)


def _register(
    session: Session, most_folders: int, origin: ItemOrigin, target: Target, items: Sequence[StoredItem]
) -> RegisteredItems:
    by_key = {key_of(one.item.name): one for one in items}
    known = ledger.entries(session, target.team_id, origin.name, list(by_key), lock=True)
    identities = {_identity_key(target, one.identity): one for one in items if one.identity}
    identified = ledger.entries(session, target.team_id, IDENTITIES, list(identities), lock=True)
    archives = {one.stored.sha256 for one in items if one.content_type == ZIP}
    twins = split_before(session, target.team_id, target.id, archives) if archives else {}
    twins |= documents_by_content(session, target, (one.stored.sha256 for one in items))
    fresh: dict[str, StoredItem] = {}
    seen: set[str] = set()
    lines: list[Line] = []
    same: list[Line] = []
    for key, one in by_key.items():
        entry = known.get(key)
        mine = entry is not None and entry.target_id == target.id
        if entry is not None and mine and entry.sha256 == one.stored.sha256 and entry.outcome in TAKEN:
            same.append(_taken(target, one, ItemOutcome(entry.outcome), entry.message, entry.document_id))
            continue
        identity = _identity_key(target, one.identity) if one.identity else None
        if identity is not None and (identity in identified or identity in seen):
            words = "the same mail was taken in before"
            lines.append(_taken(target, one, ItemOutcome.DUPLICATE, words, None))
        elif one.stored.sha256 in twins or one.stored.sha256 in fresh:
            lines.append(_taken(target, one, ItemOutcome.DUPLICATE, "", None))
        else:
            fresh[one.stored.sha256] = one
        if identity is not None:
            seen.add(identity)
    paths = {one.item.name: folder_of(one.item.name) for one in fresh.values() if origin.folders}
    folders = ensure_folders(session, target.team_id, target.id, paths.values(), most_folders, "intake")
    new = [_document(one, origin, folders.get(paths.get(one.item.name, ()))) for one in fresh.values()]
    ids = register(
        session, target.team_id, target.parser_id, new, "intake", classifier_id=target.classifier_id
    )
    for one, document_id in zip(fresh.values(), ids, strict=True):
        twins[one.stored.sha256] = (document_id, one.name)
        lines.append(_taken(target, one, ItemOutcome.REGISTERED, "", document_id))
    entered = RegisteredItems([_with_twin(line, twins) for line in lines], same)
    by_item = {line.key: line for line in [*entered.lines, *same]}
    ledger.write(session, origin.name, by_item.values())
    ledger.write(
        session,
        IDENTITIES,
        [
            replace(by_item[key_of(one.item.name)], key=key, item=f"{target.id}/{one.identity}")
            for key, one in identities.items()
            if key not in identified
        ],
    )
    return entered


def _with_twin(line: Line, twins: Mapping[str, tuple[str, str]]) -> Line:
    if line.outcome is not ItemOutcome.DUPLICATE or line.document_id or line.message:
        return line
    document_id, name = twins[str(line.sha256)]
    words = f"same content as {name} (document {document_id}), not read again"
    return replace(line, document_id=document_id, message=words)


def _taken(
    target: Target, one: StoredItem, outcome: ItemOutcome, message: str, document_id: str | None
) -> Line:
    return replace(
        line_of(target, one.item, outcome, message),
        document_id=document_id,
        sha256=one.stored.sha256,
        size=one.stored.size,
        finished_at=clock.now(),
    )


def folder_of(path: str) -> tuple[str, ...]:
    """Return the folders in a path, without the file."""
    return tuple(part for part in safe_text(path).split("/")[:-1] if part.strip())


def _document(one: StoredItem, origin: ItemOrigin, folder_id: str | None) -> NewDocument:
    return NewDocument(
        name=file_name(one.name),
        sha256=one.stored.sha256,
        size=one.stored.size,
        content_type=one.content_type,
        source=origin.document_source,
        source_detail={"source": origin.name, **one.detail},
        folder_id=folder_id,
    )


def _identity_key(target: Target, identity: str | None) -> str:
    return key_of(f"{target.id}/{identity}")
