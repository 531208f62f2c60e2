"""Splitting: the first part replaces the document, the other parts become new documents.

It happens in the transaction in which the document leaves ``processing``, so no part is lost or registered
twice. All parts are queued.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document
from docduck.files.names import clean_name, file_name
from docduck.service.core import file_references
from docduck.service.documents import nesting
from docduck.service.documents.claim import Claim
from docduck.service.documents.contained_files import StoredPart
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.documents.status_transitions import Event, Transition, apply_transitions
from docduck.service.processing.document_queue import NOT_CLAIMED
from docduck.service.search import index
from docduck.service.search.index import PropertyUpdate
from docduck.service.sources import ledger
from docduck.service.sources.ledger import ItemOutcome, Line
from docduck.service.sources.split_files import SOURCE, split_key

_LONGEST_EXTERNAL_ID = 255


@dataclass(frozen=True, slots=True)
class UnpackedArchive:
    """The claim of an archive, and its members (at least one) in the file store."""

    claim: Claim
    members: Sequence[StoredPart]


def split_archives(session: Session, archives: Sequence[UnpackedArchive], actor: str) -> None:
    """Replace archives by their members, in order. The caller holds the archives' claims."""
    if not archives:
        return
    ids = [one.claim.document_id for one in archives]
    rows = {row.id: row for row in session.scalars(select(Document).where(Document.id.in_(ids)))}
    moment = clock.now()
    steps = []
    for one in archives:
        row = rows[one.claim.document_id]
        first, *others = _parts(session, row, one.members)
        register(session, row.team_id, str(row.parser_id), others, actor)
        file_references.acquire(session, {first.sha256: 1}, {first.sha256: first.size})
        before = index.properties_of(row)
        index.update_properties(session, row.id, PropertyUpdate.of(before, replace(before, name=first.name)))
        changes = {
            "name": first.name,
            "name_key": first.name.casefold(),
            "file_name": first.name,
            "is_renamed": False,
            "sha256": first.sha256,
            "size": first.size,
            "content_type": first.content_type,
            "page_count": None,
            "source_detail": first.source_detail,
            "split": first.split,
            "error": None,
            "queued_at": moment,
            "lost_leases": 0,
            **NOT_CLAIMED,
        }
        steps.append(Transition.of(row, f"{row.name} holds {len(one.members)} files", changes))
    ledger.write(session, SOURCE, [_ledger_line(rows[one.claim.document_id]) for one in archives])
    apply_transitions(session, Event.SPLIT, steps, actor)
    file_references.release(session, Counter(rows[document_id].sha256 for document_id in ids))


def _parts(session: Session, row: Document, members: Sequence[StoredPart]) -> Iterator[NewDocument]:
    more_ids = _external_ids(session, row, len(members) - 1)
    external_ids = [row.external_id, *more_ids]
    for member, external_id in zip(members, external_ids, strict=True):
        yield NewDocument(
            name=file_name(member.name),
            sha256=member.sha256,
            size=member.size,
            content_type=member.content_type,
            source=row.source,
            source_detail=nesting.nested_detail(row.source_detail, "archive", row.id, member.part),
            external_id=external_id,
            custom=row.custom,
            folder_id=row.folder_id,
            split=_split(row, clean_name(member.name), member.part, len(members)),
        )


def _split(row: Document, key: str, part: int, total: int) -> dict[str, Any]:
    """Return the split information of a part."""
    return {
        "sourceDocumentId": row.id,
        "sourceName": row.name,
        "index": part,
        "total": total,
        "pages": None,
        "key": key,
        "unassignedPages": [],
    }


def _external_ids(session: Session, row: Document, wanted: int) -> list[str | None]:
    """Return the external ids of the parts after the first: ``A-2``, ``A-3`` …; skip existing ones."""
    if row.external_id is None:
        return [None] * wanted
    found: list[str | None] = []
    numbers = count(2)
    while len(found) < wanted:
        suffixes = [f"-{next(numbers)}" for _ in range(wanted)]
        candidates = [row.external_id[: _LONGEST_EXTERNAL_ID - len(one)] + one for one in suffixes]
        taken = set(
            session.scalars(
                select(Document.external_id).where(
                    Document.parser_id == row.parser_id, Document.external_id.in_(candidates)
                )
            )
        )
        found += [one for one in candidates if one not in taken]
    return found[:wanted]


def _ledger_line(row: Document) -> Line:
    return Line(
        team_id=row.team_id,
        key=split_key(str(row.parser_id), row.sha256),
        item=f"{row.parser_id}/{row.sha256}",
        fingerprint=row.sha256,
        outcome=ItemOutcome.REGISTERED,
        parser_id=row.parser_id,
        document_id=row.id,
        sha256=row.sha256,
        size=row.size,
        finished_at=clock.now(),
    )
