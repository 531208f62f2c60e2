"""Registration of mail attachments as documents of their own.

The intake ledger identifies an attachment by its mail, its content and its position among equal contents. A
mail that is processed again registers only what is new; attachments whose documents were deleted are not
registered again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Classifier, Document, Parser
from docduck.files.names import file_name
from docduck.service.documents.claim import Claim
from docduck.service.documents.contained_files import StoredPart, nested_detail
from docduck.service.documents.new_documents import NewDocument, register
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.sources import ledger
from docduck.service.sources.ledger import ItemOutcome, Line

SOURCE = "mail attachments"
"""The source under which the intake ledger knows attachments."""


@dataclass(frozen=True, slots=True)
class _Attachment:
    key: str
    item: str
    file: StoredPart
    document: NewDocument


def register_attachments(session: Session, parted: Sequence[ExtractionOutcome], actor: str) -> None:
    """Register the ``files`` of mails as queued documents, except those that the ledger knows.

    Each gets its mail's source, folder and custom data. The caller holds the mails' claims.
    """
    if not parted:
        return
    ids = [document.claim.document_id for document in parted]
    mails = {mail.id: mail for mail in session.scalars(select(Document).where(Document.id.in_(ids)))}
    for target_id in sorted({document.claim.target_id for document in parted}):
        mine = [document for document in parted if document.claim.target_id == target_id]
        parser_id = mine[0].claim.parser_id
        table = Classifier if parser_id is None else Parser
        if session.scalar(select(table.deleted_at).where(table.id == target_id)) is not None:
            continue
        parts = [
            part for document in mine for part in _parts(mails[document.claim.document_id], document.files)
        ]
        _register(session, mine[0].claim, parts, actor)


def _register(session: Session, mail: Claim, parts: Sequence[_Attachment], actor: str) -> None:
    known = ledger.entries(session, mail.team_id, SOURCE, [part.key for part in parts], lock=True)
    fresh = [part for part in parts if part.key not in known]
    ids = register(
        session,
        mail.team_id,
        mail.parser_id,
        [part.document for part in fresh],
        actor,
        classifier_id=mail.target_id if mail.parser_id is None else None,
    )
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
                parser_id=mail.parser_id,
                classifier_id=mail.target_id if mail.parser_id is None else None,
                document_id=document_id,
                sha256=part.file.sha256,
                size=part.file.size,
                finished_at=moment,
            )
            for part, document_id in zip(fresh, ids, strict=True)
        ],
    )


def _parts(mail: Document, files: Sequence[StoredPart]) -> list[_Attachment]:
    seen: Counter[str] = Counter()
    parts: list[_Attachment] = []
    for file in files:
        seen[file.sha256] += 1
        item = f"{mail.id}/{file.sha256}/{seen[file.sha256]}"
        document = NewDocument(
            name=file_name(file.name),
            sha256=file.sha256,
            size=file.size,
            content_type=file.content_type,
            source=mail.source,
            source_detail=nested_detail(mail.source_detail, "mail", mail.id, file.part),
            custom=mail.custom,
            folder_id=mail.folder_id,
        )
        parts.append(_Attachment(sha256(item.encode()).hexdigest(), item, file, document))
    return parts
