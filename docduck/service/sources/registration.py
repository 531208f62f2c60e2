"""Registration of stored items: documents, ledger and folders in one transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document
from docduck.documents.detection.content_types import ZIP
from docduck.files import Stored
from docduck.files.names import key_of, safe_text
from docduck.service.accounts.quotas import use_quota
from docduck.service.core.folder_tree import ensure_folders
from docduck.service.core.installation import Installation
from docduck.service.core.transactions import OutdatedPreparation, prepare_and_write, retried
from docduck.service.documents.deletion import delete_rows
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.search import reindexing
from docduck.service.search.reindexing import KnownDocuments
from docduck.service.sources import ledger
from docduck.service.sources.ledger import TAKEN, Entry, ItemOutcome, Line
from docduck.service.sources.remote_sources import ItemOrigin
from docduck.service.sources.targets import Target, documents_by_content, lock_targets
from docduck.sources.remote import RemoteItem

IDENTITIES = "identities"
"""The source under which the ledger knows what is identified across sources, such as mails."""


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item whose content is in the file store; ``line`` is its ledger line.

    ``path`` is its path below the source, ``name`` the document's name, ``detail`` becomes
    ``metadata.sourceDetail``. ``began`` is when it began to be taken in.
    """

    target: Target
    line: Line
    path: str
    stored: Stored
    name: str
    content_type: str
    detail: Mapping[str, Any]
    identity: str | None = None
    began: dt.datetime | None = None


@dataclass(slots=True)
class RegisteredItems:
    """What was written to the ledger: ``lines`` are news, ``known`` only refresh known items.

    ``waiting`` are those of ``lines`` that the team's quota has no room for.
    """

    lines: list[Line] = field(default_factory=list)
    known: list[Line] = field(default_factory=list)
    waiting: list[Line] = field(default_factory=list)

    def taken_keys(self) -> set[str]:
        """Return the keys of the items that are documents now."""
        return {line.key for line in [*self.lines, *self.known] if line.outcome in TAKEN}


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


def record_items(inst: Installation, origin: ItemOrigin, lines: Sequence[Line]) -> None:
    """Write ledger lines of items that are not registered."""
    if lines:
        with inst.catalog.transaction() as session:
            ledger.write_unregistered(session, origin.name, lines)


def register_items(
    inst: Installation, origin: ItemOrigin, items: Sequence[StoredItem], unregistered: Sequence[Line] = ()
) -> RegisteredItems:
    """Register stored items, and write the lines of others; return what was written to the ledger.

    An item is registered once, whatever other process registers it meanwhile. A content or an identity that
    the target has already is a duplicate.
    """

    def former(session: Session) -> list[Document]:
        if not origin.replaces:
            return []
        known = _entries(session, origin, items)
        ids = {entry.document_id for entry in known.values() if entry.document_id}
        return list(session.scalars(select(Document).where(Document.id.in_(ids))))

    def prepare(session: Session) -> KnownDocuments:
        return reindexing.known_documents(session, [row.id for row in former(session)])

    def write(session: Session, known: KnownDocuments) -> RegisteredItems:
        active = lock_targets(session, {item.target.id for item in items})
        olds = former(session) if active else []
        if active and known.changed(session, olds):
            raise OutdatedPreparation
        registered = RegisteredItems()
        for target_id in sorted(active):
            mine = [item for item in items if item.target.id == target_id]
            _register(session, origin, mine, registered)
        for item in items:
            if item.target.id not in active:
                kind = "classifier" if item.target.is_classifier else "parser"
                message = f"its {kind} is gone or not active"
                registered.lines.append(replace(item.line, outcome=ItemOutcome.WAITING, message=message))
        ledger.write(session, origin.name, [*registered.lines, *registered.known])
        left = [*unregistered, *registered.waiting]
        registered.lines += ledger.write_unregistered(session, origin.name, left)
        document_ids = {line.document_id for line in [*registered.lines, *registered.known]}
        replaced = [document for document in olds if document.id not in document_ids]
        if replaced:
            delete_rows(session, replaced, known, "intake")
        return registered

    return retried(lambda: prepare_and_write(inst, prepare, write))


def _entries(
    session: Session, origin: ItemOrigin, items: Sequence[StoredItem], *, lock: bool = False
) -> dict[str, Entry]:
    """Return what the ledger knows of items, by key."""
    entries: dict[str, Entry] = {}
    for team_id in sorted({item.target.team_id for item in items}):
        keys = [item.line.key for item in items if item.target.team_id == team_id]
        entries.update(ledger.entries(session, team_id, origin.name, keys, lock=lock))
    return entries


def _register(
    session: Session,
    origin: ItemOrigin,
    items: Sequence[StoredItem],
    registered: RegisteredItems,
) -> None:
    """Register items of one target; those that the team's quota has no room for wait."""
    target = items[0].target
    by_key = {item.line.key: item for item in items}
    known = _entries(session, origin, items, lock=True)
    identities = {_identity_key(item): item for item in items if item.identity}
    identified = ledger.entries(session, target.team_id, IDENTITIES, list(identities), lock=True)
    archives = {item.stored.sha256 for item in items if item.content_type == ZIP}
    twins = ledger.split_before(session, target.team_id, target.id, archives) if archives else {}
    twins |= documents_by_content(session, target, (item.stored.sha256 for item in items))
    fresh: dict[str, StoredItem] = {}
    again: list[StoredItem] = []
    seen: set[str] = set()
    lines: list[Line] = []
    refreshed: list[Line] = []
    for key, item in by_key.items():
        entry = known.get(key)
        if entry is not None and _is_known(entry, item, origin):
            refreshed.append(_refreshed(item, entry))
            continue
        identity = _identity_key(item) if item.identity else None
        if identity is not None and (identity in identified or identity in seen):
            lines.append(_taken(item, origin, ItemOutcome.DUPLICATE, "the same mail was taken in before"))
        elif item.stored.sha256 in twins or item.stored.sha256 in fresh:
            again.append(item)
        else:
            fresh[item.stored.sha256] = item
        if identity is not None:
            seen.add(identity)
    if (full := use_quota(session, target.team_id, len(fresh))) is not None:
        late = set(list(fresh)[full.left :])
        waiting = [item for item in items if item.stored.sha256 in late]
        message = full.message(len(fresh))
        registered.waiting += [
            replace(item.line, outcome=ItemOutcome.WAITING, message=message) for item in waiting
        ]
        if rest := [item for item in items if item.stored.sha256 not in late]:
            _register(session, origin, rest, registered)
        return
    paths = {item.line.key: _folder_of(item.path) for item in fresh.values() if origin.folders}
    folders = ensure_folders(session, target.team_id, target.id, paths.values(), "intake")
    new = [_document(item, origin, folders.get(paths.get(item.line.key, ()))) for item in fresh.values()]
    ids = register(
        session, target.team_id, target.parser_id, new, "intake", classifier_id=target.classifier_id
    )
    for item, document_id in zip(fresh.values(), ids, strict=True):
        twins[item.stored.sha256] = (document_id, item.name)
        lines.append(_taken(item, origin, ItemOutcome.REGISTERED, "", document_id))
    for item in again:
        document_id, name = twins[item.stored.sha256]
        message = f"same content as {name} (document {document_id}), not read again"
        lines.append(_taken(item, origin, ItemOutcome.DUPLICATE, message, document_id))
    registered.lines += lines
    registered.known += refreshed
    by_item = {line.key: line for line in [*lines, *refreshed]}
    identity_lines = [
        replace(by_item[item.line.key], key=key, item=f"{target.id}/{item.identity}")
        for key, item in identities.items()
        if key not in identified
    ]
    ledger.write(session, IDENTITIES, identity_lines)


def _is_known(entry: Entry, item: StoredItem, origin: ItemOrigin) -> bool:
    """Return whether the target has the item's content from this item."""
    if entry.target_id != item.target.id or entry.sha256 != item.stored.sha256:
        return False
    if entry.outcome in TAKEN and entry.fingerprint == item.line.fingerprint:
        return True
    # A file that was moved or deleted, and is there again, is new.
    return entry.outcome in origin.known_outcomes and (origin.is_finished or entry.finished_at is None)


def _refreshed(item: StoredItem, entry: Entry) -> Line:
    outcome, message = ItemOutcome.REGISTERED, ""
    if entry.outcome in TAKEN:
        outcome, message = ItemOutcome(entry.outcome), entry.message
    if entry.document_id is None and item.identity is None:
        message = "its document was deleted, so it is not taken again"
    return replace(
        item.line,
        outcome=outcome,
        message=message,
        document_id=entry.document_id,
        sha256=item.stored.sha256,
        size=item.stored.size,
        finished_at=entry.finished_at,
    )


def _taken(
    item: StoredItem, origin: ItemOrigin, outcome: ItemOutcome, message: str, document_id: str | None = None
) -> Line:
    return replace(
        item.line,
        outcome=outcome,
        message=message,
        document_id=document_id,
        sha256=item.stored.sha256,
        size=item.stored.size,
        finished_at=clock.now() if origin.is_finished else None,
    )


def _folder_of(path: str) -> tuple[str, ...]:
    """Return the folders in a path, without the file."""
    return tuple(part for part in safe_text(path).split("/")[:-1] if part.strip())


def _document(item: StoredItem, origin: ItemOrigin, folder_id: str | None) -> NewDocument:
    return NewDocument(
        name=item.name,
        sha256=item.stored.sha256,
        size=item.stored.size,
        content_type=item.content_type,
        source=origin.document_source,
        source_detail={"source": origin.name, **item.detail},
        folder_id=folder_id,
        began=item.began,
    )


def _identity_key(item: StoredItem) -> str:
    return key_of(f"{item.target.id}/{item.identity}")
