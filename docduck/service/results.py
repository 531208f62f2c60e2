"""What came of a claimed document: written once, in the state that it leads to."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentResult, Folder
from docduck.errors import DocduckError, DocumentError
from docduck.extraction.result import Extraction
from docduck.service import file_refs, values
from docduck.service.attachments import Parted, register_attachments
from docduck.service.auto_assignment import Extracted, assign_folders
from docduck.service.contained_files import StoredPart
from docduck.service.document_names import Valued, name_documents
from docduck.service.model_spending import note_usage
from docduck.service.parsers import ParserView
from docduck.service.queue import Claim
from docduck.service.search import index
from docduck.service.splitting import Unpacked, split_archives
from docduck.service.states import Event, Move, Status, move

_log = logging.getLogger(__name__)

DEFECT_MESSAGE = "Internal server error"


@dataclass(frozen=True, slots=True)
class Reading:
    """The outcome of one claim: an extraction, or the error that it ended with, or why it has neither.

    ``files`` were attached to it and become documents of their own. ``members`` are those of an archive, take
    its place and are its whole outcome.
    """

    claim: Claim
    parser: ParserView
    extraction: Extraction | None = None
    error: DocduckError | None = None
    mode: str = "balanced"
    seconds: float = 0.0
    markdown_sha256: str | None = None
    markdown_size: int = 0
    skipped: str | None = None
    files: Sequence[StoredPart] = ()
    members: Sequence[StoredPart] = ()
    slow: bool = False

    @property
    def message(self) -> str | None:
        """The document's error text: the contract's for a bad document, never an inner detail."""
        if self.error is None:
            return None
        return self.error.message if isinstance(self.error, DocumentError) else DEFECT_MESSAGE


def finish(session: Session, readings: Sequence[Reading], owner: str) -> list[Reading]:
    """Write the outcomes whose claim still holds, and give them; what came too late changes nothing.

    What a language model took is noted for all of them, as it was spent all the same.
    """
    note_usage(session, readings)
    _hold_folders(session, [r.claim.document_id for r in readings if r.files or r.members])
    held = _held(session, readings, owner)
    if not held:
        return []
    ids = [reading.claim.document_id for reading in held]
    _replace_results(session, held, ids)
    register_attachments(session, [Parted(r.claim, r.files) for r in held if r.files], owner)
    split_archives(session, [Unpacked(r.claim, r.members) for r in held if r.members], owner)
    move(session, Event.EXTRACTED, [_step(r) for r in held if r.extraction is not None], owner)
    move(session, Event.EXTRACTION_FAILED, [_step(r) for r in held if r.error is not None], owner)
    move(session, Event.PARTED, [_step(r) for r in held if r.skipped is not None], owner)
    read = [Extracted(r.claim, r.parser, r.extraction) for r in held if r.extraction]
    name_documents(session, [Valued(r.claim.document_id, r.parser, r.extraction.data) for r in read])
    assign_folders(session, read)
    return held


def _hold_folders(session: Session, document_ids: Sequence[str]) -> None:
    """Keep the documents' folders from going until the transaction ends: more documents come into them.

    They are locked before the documents, as a folder's deletion does, so that neither waits for the other
    for ever.
    """
    if document_ids:
        theirs = select(Document.folder_id).where(Document.id.in_(document_ids))
        folders = select(Folder.id).where(Folder.id.in_(theirs)).order_by(Folder.id)
        session.execute(folders.with_for_update(read=True, key_share=True))


def _held(session: Session, readings: Sequence[Reading], owner: str) -> list[Reading]:
    attempts = {
        document_id: attempt
        for document_id, attempt in session.execute(
            select(Document.id, Document.attempt)
            .where(
                Document.id.in_([reading.claim.document_id for reading in readings]),
                Document.status == Status.PROCESSING,
                Document.claimed_by == owner,
            )
            .with_for_update()
        )
    }
    return [r for r in readings if attempts.get(r.claim.document_id) == r.claim.attempt]


def _step(reading: Reading) -> Move:
    extraction = reading.extraction
    changes: dict[str, Any] = {
        "claimed_by": None,
        "lease_expires_at": None,
        "lost_leases": 0,
        "processed_at": clock.now(),
        "error": reading.message,
        "confidence": extraction.confidence if extraction else None,
        "parser_revision": reading.parser.revision,
        "slow": reading.slow,
    }
    if extraction:
        changes["page_count"] = extraction.page_count
        changes["content_type"] = extraction.content_type
    return Move(
        reading.claim.document_id,
        reading.claim.team_id,
        reading.claim.parser_id,
        Status.PROCESSING,
        reading.claim.attempt,
        reason=reading.message or reading.skipped,
        changes=changes,
    )


def _replace_results(session: Session, held: Sequence[Reading], ids: Sequence[str]) -> None:
    old = session.scalars(
        select(DocumentResult.markdown_sha256).where(
            DocumentResult.document_id.in_(ids), DocumentResult.markdown_sha256.is_not(None)
        )
    )
    file_refs.release(session, Counter(sha256 for sha256 in old if sha256))
    index.remove_values(session, ids)
    session.execute(delete(DocumentResult).where(DocumentResult.document_id.in_(ids)))
    new = {r.markdown_sha256: r.markdown_size for r in held if r.markdown_sha256}
    file_refs.acquire(session, Counter(r.markdown_sha256 for r in held if r.markdown_sha256), new)
    rows = [_result_row(reading, reading.extraction) for reading in held if reading.extraction is not None]
    if rows:
        session.connection().execute(insert(DocumentResult), rows)
    _index(session, {row["document_id"]: row["values"] for row in rows}, held)


def _index(session: Session, new: Mapping[str, Mapping[str, Any]], held: Sequence[Reading]) -> None:
    """Let the values be found; of each parser by its fields as the document was read by them."""
    by_parser: dict[int, tuple[ParserView, dict[str, Mapping[str, Any]]]] = {}
    for reading in held:
        document_id = reading.claim.document_id
        if document_id in new:
            _, values_of = by_parser.setdefault(id(reading.parser), (reading.parser, {}))
            values_of[document_id] = new[document_id]
    for parser, values_of in by_parser.values():
        index.add_values(session, parser.fields, values_of)


def _result_row(reading: Reading, extraction: Extraction) -> Mapping[str, Any]:
    data, evidence = values.identified(reading.parser.fields, extraction.data, extraction.field_metadata)
    moment = clock.now()
    return {
        "document_id": reading.claim.document_id,
        "team_id": reading.claim.team_id,
        "attempt": reading.claim.attempt,
        "mode": reading.mode,
        "values": data,
        "evidence": evidence,
        "warnings": extraction.warnings,
        "pages": [
            {"number": p.number, "width": p.width, "height": p.height, "source": p.source}
            for p in extraction.pages
        ],
        "markdown_sha256": reading.markdown_sha256,
        "edited": False,
        "seconds": reading.seconds,
        "created_at": moment,
        "updated_at": moment,
    }
