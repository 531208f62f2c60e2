"""Uploads: register stored files as queued documents, all or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docduck.catalog.models import Classifier, Document, Folder, Parser
from docduck.documents.detection.file_types import labels
from docduck.errors import Conflict, InputError, NotFound, UnsupportedType
from docduck.files.names import file_name
from docduck.files.writing import Stored
from docduck.ids import new_id
from docduck.service.accounts.quotas import QuotaReached, check_quota, use_quota
from docduck.service.core.folder_tree import lock_folders
from docduck.service.core.installation import Installation
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.documents.external_ids import LONGEST_EXTERNAL_ID
from docduck.service.documents.new_documents import NewDocument, register, unrouted_by
from docduck.service.documents.queries.document_lookup import get_documents
from docduck.service.documents.value_checks import check_custom
from docduck.service.uploads.backlog import check_backlog


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file of an upload: the sender's name for it, its content in the store, and its MIME type."""

    name: str
    stored: Stored
    content_type: str


@dataclass(frozen=True, slots=True)
class UploadTarget:
    """The target of an upload, a parser (and folder) or a classifier, and further data for each of its
    ``count`` files, in order.

    Messages about wrong lengths of lists name ``counted``. ``document_ids`` are the ids of the documents, if
    they were told before.
    """

    parser_id: str | None
    count: int
    external_ids: Sequence[str | None] | None = None
    custom: Sequence[Mapping[str, Any] | None] | None = None
    folder_id: str | None = None
    source: str = "api"
    source_detail: Mapping[str, Any] | None = None
    counted: str = "the number of files"
    classifier_id: str | None = None
    document_ids: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class QueuedDocument:
    """A document that was queued."""

    id: str
    parser_id: str | None
    name: str
    external_id: str | None
    custom: Mapping[str, Any] | None
    operation_id: str
    classifier_id: str | None = None


@dataclass(frozen=True, slots=True)
class _Receiver:
    """What uploads need to know of their parser or classifier; ``documents`` are those it has."""

    id: str
    accepted_file_types: Sequence[str]
    documents: ColumnElement[bool]


def registered_before(inst: Installation, team_id: str) -> list[QueuedDocument] | None:
    """Return the documents that an earlier attempt of the present request registered, as they were then.

    None if there was none. Raise NotFound if one was deleted meanwhile.
    """
    if (earlier := earlier_effect()) is None:
        return None
    with inst.catalog.read_session() as session:
        rows = {row.id: row for row in get_documents(session, team_id, earlier["documents"], lock=False)}
        return [
            QueuedDocument(
                row.id,
                None if row.classifier_id is not None else row.parser_id,
                row.file_name,
                row.external_id,
                row.custom,
                str(row.operation_id),
                row.classifier_id,
            )
            for row in map(rows.__getitem__, earlier["documents"])
        ]


def check_upload(
    inst: Installation, team_id: str, target: UploadTarget, files: Sequence[UploadedFile] = ()
) -> None:
    """Check an upload before anything is stored; ``files`` as far as known.

    Raise NotFound for the parser, classifier or folder, InputError if the parser or classifier is inactive, a
    list's length is wrong or an external id is taken, UnsupportedType, Transient if too many documents of the
    team are queued, and QuotaReached.
    """
    check_backlog(inst, team_id)
    with inst.catalog.read_session() as session:
        check_quota(session, team_id, target.count)
        receiver = _receiver(session, team_id, target)
        _check(session, receiver, target)
        accepted = receiver.accepted_file_types
    for file in files:
        check_type(file, accepted)


def register_upload(
    inst: Installation, team_id: str, target: UploadTarget, files: Sequence[UploadedFile], actor: str
) -> list[QueuedDocument]:
    """Register stored files as queued documents in order, all or none.

    Raise the same errors as ``check_upload``.
    """
    try:
        with inst.catalog.transaction(durable=True) as session:
            receiver = _receiver(session, team_id, target, lock=True)
            mine = (Folder.id == target.folder_id, Folder.parser_id == receiver.id)
            if target.folder_id is not None and not lock_folders(session, *mine):
                raise NotFound("Folder not found", "folderId", target.folder_id)
            if (full := use_quota(session, team_id, len(files))) is not None:
                raise QuotaReached(full, len(files))
            for file in files:
                check_type(file, receiver.accepted_file_types)
            new = [_document(file, index, target) for index, file in enumerate(files)]
            ids = register(session, team_id, target.parser_id, new, actor, classifier_id=target.classifier_id)
            record_effect(session, documents=ids)
    except (IntegrityError, Conflict):
        # Since the check, another request took the external id or deleted the folder.
        check_upload(inst, team_id, target)
        raise
    return [
        QueuedDocument(
            document_id,
            target.parser_id,
            document.name,
            document.external_id,
            document.custom,
            str(document.operation_id),
            target.classifier_id,
        )
        for document_id, document in zip(ids, new, strict=True)
    ]


def check_type(file: UploadedFile, accepted: Sequence[str]) -> None:
    """Raise UnsupportedType if a file can't be read or its target doesn't accept it.

    An empty file has no type: it becomes a failed document.
    """
    kind = file.content_type
    if file.stored.size and (kind not in labels() or (accepted and kind not in accepted)):
        raise UnsupportedType(kind)


def _document(file: UploadedFile, index: int, target: UploadTarget) -> NewDocument:
    return NewDocument(
        file_name(file.name),
        file.stored.sha256,
        file.stored.size,
        file.content_type,
        target.source,
        target.source_detail,
        target.external_ids[index] if target.external_ids else None,
        target.custom[index] if target.custom else None,
        target.folder_id,
        new_id(),
        document_id=target.document_ids[index] if target.document_ids else None,
    )


def _receiver(session: Session, team_id: str, target: UploadTarget, *, lock: bool = False) -> _Receiver:
    """Return the parser or classifier of an upload; raise NotFound or InputError.

    With ``lock``, a classifier can't be changed or deleted until the transaction ends.
    """
    if target.classifier_id is not None:
        return _classifier(session, team_id, target.classifier_id, lock)
    row = session.execute(
        select(Parser.id, Parser.is_active, Parser.settings).where(
            Parser.id == target.parser_id, Parser.team_id == team_id, Parser.deleted_at.is_(None)
        )
    ).one_or_none()
    if row is None:
        raise NotFound("Parser not found", "parserId", str(target.parser_id))
    if not row.is_active:
        raise InputError("Parser is inactive", "parserId", code="parser_inactive")
    return _Receiver(row.id, row.settings.get("acceptedFileTypes", ()), Document.parser_id == row.id)


def _classifier(session: Session, team_id: str, classifier_id: str, lock: bool) -> _Receiver:
    statement = select(Classifier.id, Classifier.is_active, Classifier.accepted_file_types).where(
        Classifier.id == classifier_id, Classifier.team_id == team_id, Classifier.deleted_at.is_(None)
    )
    row = session.execute(statement.with_for_update(read=True) if lock else statement).one_or_none()
    if row is None:
        raise NotFound("Classifier not found", "classifierId", classifier_id)
    if not row.is_active:
        raise InputError("Classifier is inactive", "classifierId", code="classifier_inactive")
    return _Receiver(row.id, row.accepted_file_types, unrouted_by(row.id))


def _check(session: Session, receiver: _Receiver, target: UploadTarget) -> None:
    for name, values in (("externalIds", target.external_ids), ("custom", target.custom)):
        if values is not None and len(values) != target.count:
            raise InputError(f"{name} length must match {target.counted}", name)
    for index, external_id in enumerate(target.external_ids or ()):
        if external_id is not None and not 1 <= len(external_id) <= LONGEST_EXTERNAL_ID:
            place = f"externalIds.{index}"
            raise InputError(f"{place} must have 1 to {LONGEST_EXTERNAL_ID} characters", place)
    for index, custom in enumerate(target.custom or ()):
        check_custom(custom, f"custom.{index}")
    if target.folder_id is not None:
        if target.classifier_id is not None:
            raise InputError("folderId is not allowed with classifierId", "folderId")
        folder = session.get(Folder, target.folder_id)
        if folder is None or folder.parser_id != receiver.id:
            raise NotFound("Folder not found", "folderId", target.folder_id)
    _refuse_taken(session, receiver, [text for text in target.external_ids or () if text is not None])


def _refuse_taken(session: Session, receiver: _Receiver, external_ids: Sequence[str]) -> None:
    """Raise InputError (400): uploads don't use Conflict (409), unlike changes of documents."""
    if not external_ids:
        return
    twice = [external_id for external_id, count in Counter(external_ids).items() if count > 1]
    taken = (
        twice
        or session.scalars(
            select(Document.external_id).where(receiver.documents, Document.external_id.in_(external_ids))
        ).all()
    )
    if taken:
        raise InputError(f"externalId already exists: {taken[0]}", "externalIds", code="external_id_exists")
