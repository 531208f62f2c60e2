"""Splitting: the first part replaces the document, the other parts become new documents.

Parts are the members of an archive, or pages of a PDF, whose file is kept. It happens in the transaction in
which the document leaves ``processing``, so no part is lost or registered twice. All parts are queued.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document
from docduck.files.names import clean_name, file_name
from docduck.service.core import file_references
from docduck.service.documents.claim import NOT_CLAIMED
from docduck.service.documents.contained_files import StoredPart, nested_detail
from docduck.service.documents.document_names import take_file
from docduck.service.documents.external_ids import free_external_ids
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.documents.status_transitions import Event, Transition, apply_transitions
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.sources import ledger
from docduck.service.sources.ledger import SPLIT_FILES, ItemOutcome, Line, split_key


def split_files(session: Session, split: Sequence[ExtractionOutcome], actor: str) -> None:
    """Replace documents by their ``members``, in order. The caller holds their claims."""
    if not split:
        return
    ids = [document.claim.document_id for document in split]
    rows = {row.id: row for row in session.scalars(select(Document).where(Document.id.in_(ids)))}
    steps = []
    for file in split:
        row = rows[file.claim.document_id]
        first, *others = _parts(session, row, file)
        register(session, row.team_id, row.parser_id, others, actor, classifier_id=row.classifier_id)
        steps.append(Transition.of(row, _reason(row, file), columns_of_first(session, row, first)))
    # Parts of a PDF hold its file, so it must not be released before they do.
    counts = Counter(
        rows[document.claim.document_id].sha256
        for document in split
        if _is_pdf(document)
        for _ in document.members
    )
    file_references.acquire(session, counts, {row.sha256: row.size for row in rows.values()})
    ledger.write(session, SPLIT_FILES, [_ledger_line(rows[document_id]) for document_id in ids])
    apply_transitions(session, Event.SPLIT, steps, actor)
    file_references.release(session, Counter(rows[document_id].sha256 for document_id in ids))


def columns_of_first(session: Session, row: Document, first: NewDocument) -> dict[str, Any]:
    """Return the columns of a container's document that becomes the ``first`` of what it holds, queued.

    The first one's file is referred to; the container's still is, too.
    """
    file_references.acquire(session, {first.sha256: 1}, {first.sha256: first.size})
    return {
        **take_file(session, row, first.name, first.sha256, first.size),
        "content_type": first.content_type,
        "pages_read": None,
        "pages_to_read": None,
        "source_detail": first.source_detail,
        "split": first.split,
        "split_sha256": first.split_sha256,
        "container_id": first.container_id,
        "error": None,
        "queued_at": clock.now(),
        "lost_leases": 0,
        **NOT_CLAIMED,
    }


def _is_pdf(split: ExtractionOutcome) -> bool:
    return split.members[0].pages is not None


def _reason(row: Document, split: ExtractionOutcome) -> str:
    kind = "documents" if _is_pdf(split) else "files"
    return ". ".join([f"{row.name} holds {len(split.members)} {kind}", *split.expansion.warnings])


def _parts(session: Session, row: Document, split: ExtractionOutcome) -> Iterator[NewDocument]:
    external_ids: list[str | None] = [None] * len(split.members)
    if row.external_id is not None:
        target_id = str(row.target_id)
        more = free_external_ids(session, target_id, row.external_id, len(split.members) - 1)
        external_ids = [row.external_id, *more]
    for part, external_id in zip(split.members, external_ids, strict=True):
        yield NewDocument(
            name=_part_name(row, part),
            sha256=part.sha256,
            size=part.size,
            content_type=part.content_type,
            source=row.source,
            source_detail=_source_detail(row, part),
            external_id=external_id,
            custom=row.custom,
            folder_id=row.folder_id,
            split=_split_info(row, part, split),
            split_sha256=row.sha256 if _is_pdf(split) else None,
            container_id=row.container_id or row.id,
            routing=row.routing if row.parser_id else None,
        )


def _part_name(row: Document, part: StoredPart) -> str:
    if part.pages is None:
        return file_name(part.name)
    stem, dot, suffix = row.file_name.rpartition(".")
    return f"{stem} (p. {part.pages}).{suffix}" if dot and stem else f"{row.file_name} (p. {part.pages}).pdf"


def _source_detail(row: Document, part: StoredPart) -> Mapping[str, Any] | None:
    if part.pages is not None:
        detail: Mapping[str, Any] | None = row.source_detail
        return detail
    return nested_detail(row.source_detail, "archive", row.id, part.part)


def _split_info(row: Document, part: StoredPart, split: ExtractionOutcome) -> dict[str, Any]:
    """Return the split information of a part; the key of an archive's member is its path."""
    return {
        "sourceDocumentId": row.id,
        "sourceName": row.file_name,
        "index": part.part,
        "total": len(split.members),
        "pages": part.pages,
        "key": part.key if _is_pdf(split) else clean_name(part.name),
        "unassignedPages": list(split.expansion.unassigned),
    }


def _ledger_line(row: Document) -> Line:
    target_id = str(row.target_id)
    return Line(
        team_id=row.team_id,
        key=split_key(target_id, row.sha256),
        item=f"{target_id}/{row.sha256}",
        fingerprint=row.sha256,
        outcome=ItemOutcome.REGISTERED,
        parser_id=row.parser_id,
        document_id=row.id,
        sha256=row.sha256,
        size=row.size,
        finished_at=clock.now(),
    )
