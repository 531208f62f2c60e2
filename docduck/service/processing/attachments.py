"""Registration of mail attachments as documents of their own.

The intake ledger identifies an attachment by its mail, its content and its position among equal contents. A
mail that is processed again registers only what is new; attachments whose documents were deleted are not
registered again.

A mail that is no document itself leaves its document, and with it the id that its upload was answered with,
to its first attachment. The mail goes on as a skipped document of another id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Classifier, Document, Parser
from docduck.files.names import file_name
from docduck.service.core import file_references
from docduck.service.documents.contained_files import StoredPart, nested_detail
from docduck.service.documents.external_ids import free_external_ids
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.documents.status_transitions import Event, Transition, apply_transitions
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.splitting import columns_of_first
from docduck.service.sources import ledger
from docduck.service.sources.ledger import ItemOutcome, Line
from docduck.statuses import Status

SOURCE = "mail attachments"
"""The source under which the intake ledger knows attachments."""


@dataclass(frozen=True, slots=True)
class _Attachment:
    key: str
    item: str
    file: StoredPart
    document: NewDocument


def register_attachments(session: Session, parted: Sequence[ExtractionOutcome], actor: str) -> dict[str, str]:
    """Register the ``files`` of mails as queued documents, except those that the ledger knows.

    Each gets its mail's source, folder and custom data. The caller holds the mails' claims. Return the new
    ids of mails that have left their documents to their first attachments, by these documents' ids; they are
    claimed, for the caller to skip them.
    """
    if not parted:
        return {}
    ids = [document.claim.document_id for document in parted]
    mails = {mail.id: mail for mail in session.scalars(select(Document).where(Document.id.in_(ids)))}
    moved: dict[str, str] = {}
    for target_id in sorted({document.claim.target_id for document in parted}):
        mine = [document for document in parted if document.claim.target_id == target_id]
        table = Classifier if mine[0].claim.parser_id is None else Parser
        if session.scalar(select(table.deleted_at).where(table.id == target_id)) is not None:
            continue
        for outcome in mine:
            mail = mails[outcome.claim.document_id]
            parts = _parts(mail, mail.id, outcome.files)
            known = ledger.entries(session, mail.team_id, SOURCE, [part.key for part in parts], lock=True)
            if not known and _is_only_a_container(outcome, mail):
                moved[mail.id] = _leave_to_first(session, mail, outcome, actor)
            elif fresh := [part for part in parts if part.key not in known]:
                mail.container_id = mail.container_id or mail.id
                ids = _registered(session, mail, [part.document for part in fresh], actor)
                _write_ledger(session, mail, fresh, ids)
    return moved


def _is_only_a_container(outcome: ExtractionOutcome, mail: Document) -> bool:
    """Return whether a mail is no document, and never was one."""
    return outcome.skipped is not None and outcome.expansion.gate is None and mail.processed_at is None


def _leave_to_first(session: Session, mail: Document, outcome: ExtractionOutcome, actor: str) -> str:
    """Make a mail's document that of its first attachment; return the mail's new id."""
    itself = NewDocument(
        name=mail.file_name,
        sha256=mail.sha256,
        size=mail.size,
        content_type=mail.content_type,
        source=mail.source,
        source_detail=mail.source_detail,
        custom=mail.custom,
        folder_id=mail.folder_id,
        split=mail.split,
        container_id=mail.container_id or mail.id,
    )
    (mail_id,) = _registered(session, mail, [itself], actor)
    claimed = replace(Transition.of(mail), document_id=mail_id, status=Status.QUEUED, attempt=1)
    apply_transitions(session, Event.CLAIMED, [replace(claimed, changes={"attempt": 1})], actor)
    parts = _parts(mail, mail_id, outcome.files)
    first, *others = parts
    external_ids: list[str | None] = [None] * len(others)
    if mail.external_id is not None:
        external_ids = [*free_external_ids(session, str(mail.target_id), mail.external_id, len(others))]
    named = [
        replace(part.document, external_id=external_id)
        for part, external_id in zip(others, external_ids, strict=True)
    ]
    _write_ledger(session, mail, parts, [mail.id, *_registered(session, mail, named, actor)])
    mail_file = mail.sha256
    step = Transition.of(mail, outcome.skipped, columns_of_first(session, mail, first.document))
    apply_transitions(session, Event.SPLIT, [step], actor)
    file_references.release(session, {mail_file: 1})
    return mail_id


def _registered(session: Session, mail: Document, new: Sequence[NewDocument], actor: str) -> list[str]:
    classifier_id = mail.classifier_id if mail.parser_id is None else None
    return register(session, mail.team_id, mail.parser_id, new, actor, classifier_id=classifier_id)


def _write_ledger(
    session: Session, mail: Document, parts: Sequence[_Attachment], document_ids: Sequence[str]
) -> None:
    target: dict[str, Any] = {"parser_id": mail.parser_id}
    if mail.parser_id is None:
        target["classifier_id"] = mail.classifier_id
    moment = clock.now()
    ledger.write(
        session,
        SOURCE,
        [
            Line(
                team_id=mail.team_id,
                key=part.key,
                item=part.item,
                fingerprint=part.file.sha256,
                outcome=ItemOutcome.REGISTERED,
                **target,
                document_id=document_id,
                sha256=part.file.sha256,
                size=part.file.size,
                finished_at=moment,
            )
            for part, document_id in zip(parts, document_ids, strict=True)
        ],
    )


def _parts(mail: Document, mail_id: str, files: Sequence[StoredPart]) -> list[_Attachment]:
    seen: Counter[str] = Counter()
    parts: list[_Attachment] = []
    for file in files:
        seen[file.sha256] += 1
        item = f"{mail_id}/{file.sha256}/{seen[file.sha256]}"
        document = NewDocument(
            name=file_name(file.name),
            sha256=file.sha256,
            size=file.size,
            content_type=file.content_type,
            source=mail.source,
            source_detail=nested_detail(mail.source_detail, "mail", mail_id, file.part),
            custom=mail.custom,
            folder_id=mail.folder_id,
            container_id=mail.container_id or mail.id,
        )
        parts.append(_Attachment(sha256(item.encode()).hexdigest(), item, file, document))
    return parts
