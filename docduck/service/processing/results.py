"""What came of a claimed document: written once, in the state that it leads to."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.json_text import Encoded
from docduck.catalog.models import Document, DocumentResult, Folder
from docduck.errors import DocduckError, DocumentError
from docduck.extraction.result import Extraction
from docduck.service.core import file_references
from docduck.service.core.installation import Installation
from docduck.service.core.statuses import Status
from docduck.service.documents import values
from docduck.service.documents.claim import Claim
from docduck.service.documents.contained_files import StoredPart
from docduck.service.documents.document_names import Valued, name_documents
from docduck.service.documents.states import Event, Transition, apply_transitions
from docduck.service.folders.auto_assignment import (
    Choice,
    Extracted,
    changed_choices,
    choose_folders,
    file_documents,
)
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing.attachments import Parted, register_attachments
from docduck.service.processing.model_spending import note_usage
from docduck.service.processing.splitting import Unpacked, split_archives
from docduck.service.search import index, long_texts
from docduck.service.search.entries import IndexSchema, shape_of
from docduck.service.search.index import KnownValues, NewValues, Replacement
from docduck.settings import Settings

_log = logging.getLogger(__name__)

_RAN_OUT = "The rules of its parser's folders took too long, so it was put in no folder"
DEFECT_MESSAGE = "Internal server error"


@dataclass(frozen=True, slots=True)
class ExtractionOutcome:
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


@dataclass(frozen=True, slots=True)
class Finished:
    """What ``finish`` did: ``held`` were written, and ``again`` are to be given to it again.

    ``rule_seconds`` is the time that the rules of folders took, with the document it was spent on.
    """

    held: Sequence[ExtractionOutcome] = ()
    again: Sequence[ExtractionOutcome] = ()
    rule_seconds: Sequence[tuple[Claim, float]] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What is to be written of readings, computed before the transaction."""

    readings: Sequence[ExtractionOutcome]
    rows: Mapping[str, Mapping[str, Any]]
    known: Mapping[str, KnownValues]
    replaced: Mapping[str, Replacement]
    choices: Mapping[str, Choice]


def finish(inst: Installation, readings: Sequence[ExtractionOutcome], owner: str) -> Finished:
    """Write the outcomes whose claim still holds; what came too late changes nothing.

    What a language model took is noted for all of them, as it was spent all the same. Readings come ``again``
    if what they were prepared from changed meanwhile, or if their parser's folders have rules that take long.
    """
    with inst.catalog.read_session() as session:
        prepared, later = _prepare(session, inst.settings, readings)
    with inst.catalog.transaction() as session:
        held, outdated = _write(session, prepared, owner)
    if any(one.is_long for one in prepared.replaced.values()):
        long_texts.write_pending(inst, document_ids=list(prepared.replaced))
    spent = [(one.claim, one.seconds) for one in prepared.choices.values()]
    return Finished(held, [*outdated, *later], spent)


def _prepare(
    session: Session, settings: Settings, readings: Sequence[ExtractionOutcome]
) -> tuple[_Prepared, list[ExtractionOutcome]]:
    """Compute what is to be written of readings; return also those that are to be prepared later."""
    rows: dict[str, dict[str, Any]] = {}
    new: dict[str, NewValues] = {}
    extracted: list[Extracted] = []
    shapes: dict[int, IndexSchema] = {}
    for reading in readings:
        if reading.extraction is None:
            continue
        document_id = reading.claim.document_id
        data, evidence = values.identified(
            reading.parser.fields, reading.extraction.data, reading.extraction.field_metadata
        )
        rows[document_id] = _result_row(reading, reading.extraction, data, evidence)
        parser = reading.parser
        if id(parser) not in shapes:
            shapes[id(parser)] = shape_of(parser.id, parser.fields)
        new[document_id] = NewValues.of(shapes[id(parser)], data)
        extracted.append(Extracted(reading.claim, parser, reading.extraction, new[document_id].entries))
    choices, later = choose_folders(session, settings, extracted)
    for document_id, choice in choices.items():
        if choice.ran_out:
            rows[document_id]["warnings"] = [*rows[document_id]["warnings"], _RAN_OUT]
    now = [one for one in readings if one.claim.document_id not in later]
    known = index.known_values(session, [one.claim.document_id for one in now])
    prepared = _Prepared(
        now,
        {key: _encoded(row) for key, row in rows.items() if key not in later},
        known,
        index.replacements(known, {key: one for key, one in new.items() if key not in later}),
        choices,
    )
    return prepared, [one for one in readings if one.claim.document_id in later]


def _write(
    session: Session, prepared: _Prepared, owner: str
) -> tuple[list[ExtractionOutcome], list[ExtractionOutcome]]:
    """Write what was prepared; return the readings that were written, and those to be prepared anew."""
    readings = prepared.readings
    _hold_folders(session, [r.claim.document_id for r in readings if r.files or r.members])
    held = _held(session, readings, owner)
    ids = [reading.claim.document_id for reading in held]
    outdated = index.changed(session, ids, prepared.known)
    choices = [prepared.choices[one] for one in ids if one in prepared.choices]
    outdated |= changed_choices(session, choices)
    note_usage(session, [r for r in readings if r.claim.document_id not in outdated])
    again = [reading for reading in held if reading.claim.document_id in outdated]
    held = [reading for reading in held if reading.claim.document_id not in outdated]
    if not held:
        return [], again
    _replace_results(session, prepared, held)
    register_attachments(session, [Parted(r.claim, r.files) for r in held if r.files], owner)
    split_archives(session, [Unpacked(r.claim, r.members) for r in held if r.members], owner)
    apply_transitions(session, Event.EXTRACTED, [_step(r) for r in held if r.extraction is not None], owner)
    apply_transitions(
        session, Event.EXTRACTION_FAILED, [_step(r) for r in held if r.error is not None], owner
    )
    apply_transitions(
        session, Event.ATTACHMENTS_SPLIT, [_step(r) for r in held if r.skipped is not None], owner
    )
    valued = [Valued(r.claim.document_id, r.parser, r.extraction.data) for r in held if r.extraction]
    name_documents(session, valued)
    file_documents(session, [one for one in choices if one.claim.document_id not in outdated])
    return held, again


def _hold_folders(session: Session, document_ids: Sequence[str]) -> None:
    """Keep the documents' folders from going until the transaction ends: more documents come into them.

    They are locked before the documents, as a folder's deletion does, so that neither waits for the other
    for ever.
    """
    if document_ids:
        theirs = select(Document.folder_id).where(Document.id.in_(document_ids))
        folders = select(Folder.id).where(Folder.id.in_(theirs)).order_by(Folder.id)
        session.execute(folders.with_for_update(read=True, key_share=True))


def _held(session: Session, readings: Sequence[ExtractionOutcome], owner: str) -> list[ExtractionOutcome]:
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


def _step(reading: ExtractionOutcome) -> Transition:
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
    return Transition(
        reading.claim.document_id,
        reading.claim.team_id,
        reading.claim.parser_id,
        Status.PROCESSING,
        reading.claim.attempt,
        reason=reading.message or reading.skipped,
        changes=changes,
    )


def _replace_results(session: Session, prepared: _Prepared, held: Sequence[ExtractionOutcome]) -> None:
    ids = [reading.claim.document_id for reading in held]
    old = session.scalars(
        select(DocumentResult.markdown_sha256).where(
            DocumentResult.document_id.in_(ids), DocumentResult.markdown_sha256.is_not(None)
        )
    )
    file_references.release(session, Counter(sha256 for sha256 in old if sha256))
    session.execute(delete(DocumentResult).where(DocumentResult.document_id.in_(ids)))
    new = {r.markdown_sha256: r.markdown_size for r in held if r.markdown_sha256}
    file_references.acquire(session, Counter(r.markdown_sha256 for r in held if r.markdown_sha256), new)
    if rows := [prepared.rows[one] for one in ids if one in prepared.rows]:
        session.connection().execute(insert(DocumentResult), rows)
    index.replace_values(session, {one: prepared.replaced[one] for one in ids if one in prepared.replaced})


def _result_row(
    reading: ExtractionOutcome, extraction: Extraction, data: Mapping[str, Any], evidence: Mapping[str, Any]
) -> dict[str, Any]:
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


def _encoded(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**row, **{name: Encoded.of(row[name]) for name in ("values", "evidence", "warnings", "pages")}}
