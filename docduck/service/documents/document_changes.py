"""Changes of documents' name, external id, custom data, folder and assignee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, TypedDict, cast

from pydantic.alias_generators import to_camel
from sqlalchemy import exists, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentStage, Folder, ReviewStage, User
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import is_uuid
from docduck.service.accounts.accounts import find_member
from docduck.service.core import audit, warehouse_outbox
from docduck.service.core.folder_tree import lock_folders
from docduck.service.core.installation import Installation
from docduck.service.core.property_types import LONGEST_NAME, checked_name
from docduck.service.core.transactions import OutdatedPreparation, prepare_and_write
from docduck.service.documents.queries.document_lookup import get_parser_document, get_parser_documents
from docduck.service.documents.queries.document_versions import require_version
from docduck.service.documents.queries.document_views import DocumentView, show_document
from docduck.service.documents.status_transitions import Remark, Transition, record
from docduck.service.documents.value_checks import check_custom
from docduck.service.search import index
from docduck.service.search.index import Properties, PropertyUpdate

MOST_IN_BULK = 500
ONLY_ASSIGNED = "Only the assigned reviewer can act on this stage"
KEEPS_ASSIGNEE = "Cannot remove the assignee while a review stage is in progress"
_SHOWN = {"name", "external_id", "folder_id"}
"""The columns that the warehouse shows."""


class BulkChanges(TypedDict, total=False):
    """Changes to many documents. A missing key leaves the value as it is; None clears it."""

    custom: Mapping[str, Any] | None
    folder_id: str | None
    assignee_id: str | None


class DocumentChanges(BulkChanges, total=False):
    """Changes to one document."""

    name: str
    external_id: str | None


@dataclass(frozen=True, slots=True)
class BulkOutcome:
    """The ids of changed documents, and (id, message) of the others."""

    ids: Sequence[str]
    failed: Sequence[tuple[str, Conflict]]


def update_document(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_id: str,
    changes: DocumentChanges,
    actor: str = "user",
    *,
    versions: Set[str] | None = None,
) -> DocumentView:
    """Change a document; ``custom`` is replaced as a whole.

    Raise InputError for an invalid value or a document of another parser, NotFound for the document, folder
    or assignee, Conflict if the external id is taken or the assignee must not be removed, and
    PreconditionFailed unless the document has one of ``versions``, if they are given.
    """
    checked = _checked(changes)

    def prepare(session: Session) -> PropertyUpdate:
        return _property_update(get_parser_document(session, team_id, parser_id, document_id), checked)

    def write(session: Session, change: PropertyUpdate) -> None:
        _lock_folder(session, team_id, checked)
        document = get_parser_document(session, team_id, parser_id, document_id, lock=True)
        require_version(session, document, versions)
        _check_targets(session, document.team_id, document.parser_id, checked)
        _refuse_taken(session, document, checked)
        _apply(session, document, checked, change, actor)

    try:
        prepare_and_write(inst, prepare, write)
    except IntegrityError as error:
        # Another transaction took the external id or removed the folder or person.
        with inst.catalog.read_session() as session:
            document = get_parser_document(session, team_id, parser_id, document_id)
            _check_targets(session, document.team_id, document.parser_id, checked)
            _refuse_taken(session, document, checked)
        raise Conflict(
            "The document was changed by somebody else at the same time; try again", code="changed_meanwhile"
        ) from error
    return show_document(inst, team_id, parser_id, document_id)


def update_documents(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_ids: Sequence[str],
    external_ids: Sequence[str],
    changes: BulkChanges,
    actor: str = "user",
) -> BulkOutcome:
    """Change up to 500 documents of a parser in the same way; skip those whose status forbids it.

    Raise InputError if nothing or too much is given or a document belongs to another parser, NotFound listing
    all unknown documents, or naming the folder or assignee. Then nothing is changed.
    """
    if len(document_ids) + len(external_ids) > MOST_IN_BULK:
        raise InputError(f"At most {MOST_IN_BULK} documents can be changed at once", "documentIds")
    checked = _checked(cast(DocumentChanges, changes))
    if not checked:
        raise InputError("Provide at least one of folderId, assigneeId or custom")

    def prepare(session: Session) -> dict[str, PropertyUpdate]:
        documents = get_parser_documents(session, team_id, parser_id, document_ids, external_ids, lock=False)
        return {document.id: _property_update(document, checked) for document in documents}

    def write(session: Session, updates: Mapping[str, PropertyUpdate]) -> BulkOutcome:
        done: list[str] = []
        failed: list[tuple[str, Conflict]] = []
        _lock_folder(session, team_id, checked)
        documents = get_parser_documents(session, team_id, parser_id, document_ids, external_ids)
        _check_targets(session, team_id, parser_id.lower(), checked)
        for document in documents:
            try:
                _apply(session, document, checked, updates.get(document.id), actor)
                done.append(document.id)
            except Conflict as error:
                failed.append((document.id, error))
        return BulkOutcome(done, failed)

    return prepare_and_write(inst, prepare, write)


def _checked(changes: DocumentChanges) -> DocumentChanges:
    checked = changes.copy()
    if "name" in changes:
        checked["name"] = checked_name(changes["name"])
    external_id = changes.get("external_id")
    if external_id is not None and not 1 <= len(external_id) <= LONGEST_NAME:
        raise InputError(f"externalId must have 1 to {LONGEST_NAME} characters, or be null", "externalId")
    check_custom(changes.get("custom"))
    if (folder_id := changes.get("folder_id")) is not None:
        checked["folder_id"] = folder_id.lower()
    if (assignee_id := changes.get("assignee_id")) is not None:
        checked["assignee_id"] = assignee_id.lower()
    return checked


def _lock_folder(session: Session, team_id: str, changes: DocumentChanges) -> None:
    folder_id = changes.get("folder_id")
    if folder_id is not None and is_uuid(folder_id):
        lock_folders(session, Folder.id == folder_id, Folder.team_id == team_id)


def _check_targets(session: Session, team_id: str, parser_id: str | None, changes: DocumentChanges) -> None:
    """Raise NotFound if the folder is not the parser's or the assignee is not in the team."""
    folder_id, assignee_id = changes.get("folder_id"), changes.get("assignee_id")
    if folder_id is not None:
        folder = session.get(Folder, folder_id) if is_uuid(folder_id) else None
        if folder is None or folder.team_id != team_id or folder.parser_id != parser_id:
            raise NotFound("Folder not found", "folderId", folder_id)
    if assignee_id is not None:
        find_member(session, team_id, assignee_id, "assigneeId")


def _refuse_taken(session: Session, document: Document, changes: DocumentChanges) -> None:
    external_id = changes.get("external_id")
    if external_id is None:
        return
    other = exists().where(
        Document.parser_id == document.parser_id,
        Document.external_id == external_id,
        Document.id != document.id,
    )
    if session.scalar(select(other)):
        raise Conflict(f"externalId already exists: {external_id}", "externalId", code="external_id_exists")


def _property_update(document: Document, changes: DocumentChanges) -> PropertyUpdate:
    """Return what the changes mean for the search index."""
    before = index.properties_of(document)
    after = Properties(
        before.parser_id,
        changes.get("name", before.name),
        changes.get("external_id", before.external_id),
        changes.get("custom", before.custom),
    )
    return PropertyUpdate.of(before, after)


def _apply(
    session: Session,
    document: Document,
    changes: DocumentChanges,
    properties: PropertyUpdate | None,
    actor: str,
) -> None:
    """Apply the changes.

    Raise Conflict if the assignee must not be removed, and OutdatedPreparation if ``properties`` was computed
    from other data; then nothing is applied.
    """
    new = {name: value for name, value in changes.items() if getattr(document, name) != value}
    stage = _stage_in_progress(session, document, changes["assignee_id"]) if "assignee_id" in new else None
    if properties is None or properties.before != index.properties_of(document):
        raise OutdatedPreparation
    details = audit.changes(
        {to_camel(name): getattr(document, name) for name in new},
        {to_camel(name): value for name, value in new.items()},
    )
    for name, value in new.items():
        setattr(document, name, value)
    if "name" in changes:
        # Named like its file: the name may follow the values again.
        document.is_renamed = document.name != document.file_name
    if not new:
        return
    session.flush()
    index.update_properties(session, document.id, properties)
    if stage is not None:
        _reassign(session, document, stage, actor)
    audit.record(session, document.team_id, actor, "document.updated", "document", [(document.id, details)])
    if document.parser_id and _SHOWN & new.keys():
        warehouse_outbox.enqueue(session, [(document.id, document.team_id, document.parser_id)])


def _stage_in_progress(session: Session, document: Document, assignee_id: str | None) -> DocumentStage | None:
    """Return the document's review stage in progress; raise Conflict if it would lose its assignee."""
    stage = session.scalar(
        select(DocumentStage).where(
            DocumentStage.document_id == document.id, DocumentStage.status == "in_progress"
        )
    )
    if stage is not None and assignee_id is None:
        raise Conflict(KEEPS_ASSIGNEE, "assigneeId", code="assignee_required")
    return stage


def _reassign(session: Session, document: Document, stage: DocumentStage, actor: str) -> None:
    """Assign a review stage to the document's new assignee."""
    stage.assignee_id = document.assignee_id
    stage.held_at = stage.hold_note = None
    name = session.scalar(select(ReviewStage.name).where(ReviewStage.id == stage.stage_id))
    person = session.scalar(select(User.name).where(User.id == stage.assignee_id))
    session.flush()
    step = Transition.of(document, f"{name}, assigned to {person}")
    record(session, Remark.ASSIGNED, [step], actor)
