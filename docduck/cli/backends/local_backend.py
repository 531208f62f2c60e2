"""The backend of this machine's installation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from docduck.cli.backends.backend import FolderPlace, Json
from docduck.cli.backends.local_classifiers import LocalClassifiers
from docduck.cli.backends.local_exports import LocalExports
from docduck.cli.backends.local_upload_pages import LocalUploadPages
from docduck.cli.backends.local_webhooks import LocalWebhooks
from docduck.errors import Conflict, NotFound
from docduck.service.accounts.audit_log import AuditPage, find_audit_entries
from docduck.service.core.installation import Installation
from docduck.service.core.schema import Values
from docduck.service.corrections.corrections import correct
from docduck.service.corrections.learning import forget_layouts
from docduck.service.corrections.lessons import LessonView, list_lessons, remove_lesson
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.cancellation import cancel
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.document_changes import (
    BulkChanges,
    BulkOutcome,
    update_document,
    update_documents,
)
from docduck.service.documents.new_documents import upload
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.documents.queries.finding import ResultPage
from docduck.service.documents.queries.listing import list_documents
from docduck.service.documents.reprocessing import reprocess, reprocess_parser
from docduck.service.documents.unsplitting import undo_split
from docduck.service.folders import list_folders
from docduck.service.parsers.lookup_tables import (
    LookupTableView,
    delete_lookup_table,
    list_lookup_tables,
    put_lookup_table,
)
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, get_parser, list_parsers
from docduck.service.parsers.post_processing import get_post_processing, set_post_processing
from docduck.service.reviews import decisions
from docduck.service.reviews.review_stages import StageSetup, list_stages, reviewers
from docduck.service.reviews.stage_changes import create_stage, delete_stage, update_stage

_ACTOR = "cli"


def member_id(people: Iterable[tuple[str, str]], email: str) -> str:
    """Return the id for an address among (id, address); raise NotFound."""
    wanted = email.strip().lower()
    for person_id, address in people:
        if address.lower() == wanted:
            return person_id
    raise NotFound("No member of the team has this address", "reviewerId", email)


class LocalBackend:
    """A Backend over an open installation."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._team = inst.team_id
        self.classifiers = LocalClassifiers(inst)
        self.webhooks = LocalWebhooks(inst)
        self.exports = LocalExports(inst)
        self.upload_pages = LocalUploadPages(inst)

    def parsers(self) -> Sequence[ParserView]:
        return list_parsers(self._inst, self._team)

    def parser(self, ref: str) -> ParserView:
        return get_parser(self._inst, self._team, ref)

    def add_parser(self, new: NewParser) -> ParserView:
        return create_parser(self._inst, self._team, new)

    def upload_hint(self, parser: ParserView) -> str:
        return f"drop documents into {self._inst.settings.inbox / parser.slug}/"

    def forget(self, ref: str) -> int:
        return forget_layouts(self._inst, self._team, ref)

    def lessons(self, ref: str, page: int, limit: int) -> tuple[Sequence[LessonView], int]:
        return list_lessons(self._inst, self._team, ref, page, limit)

    def remove_lesson(self, ref: str, lesson_id: str) -> None:
        remove_lesson(self._inst, self._team, ref, lesson_id, _ACTOR)

    def post_processing(self, ref: str) -> Sequence[dict[str, Any]]:
        return get_post_processing(self._inst, self._team, ref)

    def set_post_processing(self, ref: str, steps: Any) -> Sequence[dict[str, Any]]:
        return set_post_processing(self._inst, self._team, ref, steps, _ACTOR)

    def lookup_tables(self, ref: str) -> Sequence[LookupTableView]:
        return list_lookup_tables(self._inst, self._team, ref)

    def put_lookup_table(self, ref: str, name: str, file: Path) -> LookupTableView:
        return put_lookup_table(self._inst, self._team, ref, name, file.read_bytes(), _ACTOR)

    def delete_lookup_table(self, ref: str, name: str) -> None:
        delete_lookup_table(self._inst, self._team, ref, name, _ACTOR)

    def audit_log(
        self,
        *,
        resource_type: str | None,
        resource_id: str | None,
        actor: str | None,
        action: str | None,
        since: dt.datetime | None,
        until: dt.datetime | None,
        page: int,
        limit: int,
    ) -> AuditPage:
        return find_audit_entries(
            self._inst,
            self._team,
            resource_type=resource_type,
            resource_id=resource_id,
            actor=actor,
            action=action,
            since=since,
            until=until,
            page=page,
            limit=limit,
        )

    def documents(
        self, parser: str | None, *, status: str | None, q: str | None, sort: str, page: int, limit: int
    ) -> ResultPage:
        return list_documents(
            self._inst, self._team, parser, status=status, q=q, sort=sort, page=page, limit=limit
        )

    def document(self, document_id: str) -> DocumentView:
        return get_document(self._inst, self._team, document_id)

    def upload(self, parser: str, files: Sequence[Path]) -> Sequence[str]:
        get_parser(self._inst, self._team, parser)
        return [upload(self._inst, self._team, parser, path, source="upload", actor=_ACTOR) for path in files]

    def correct(self, document_id: str, values: Mapping[str, Any]) -> DocumentView:
        return correct(self._inst, self._team, document_id, values, actor=_ACTOR)

    def reprocess(self, document_ids: Sequence[str], *, discard_corrections: bool = False) -> int:
        return reprocess(
            self._inst, self._team, document_ids, _ACTOR, discard_corrections=discard_corrections
        )

    def reprocess_parser(
        self, ref: str, statuses: Sequence[str] | None, *, discard_corrections: bool = False
    ) -> int:
        return reprocess_parser(
            self._inst, self._team, ref, statuses, _ACTOR, discard_corrections=discard_corrections
        )

    def cancel(self, document_ids: Sequence[str]) -> int:
        return cancel(self._inst, self._team, document_ids, actor=_ACTOR)

    def undo_split(self, document_id: str) -> str:
        parser_id = get_document(self._inst, self._team, document_id).parser_id
        if parser_id is None:
            raise Conflict("The document was not split from a PDF")
        return undo_split(self._inst, self._team, parser_id, document_id, _ACTOR)

    def delete(self, document_ids: Sequence[str]) -> int:
        return delete_documents(self._inst, self._team, document_ids)

    def folders(self, parser: str) -> Sequence[FolderPlace]:
        found = list_folders(self._inst, self._team, parser)
        return [FolderPlace(one.id, one.path_label, one.path_ids) for one in found]

    def file(self, parser: str, folder_id: str | None, document_ids: Sequence[str]) -> BulkOutcome:
        parser_id = get_parser(self._inst, self._team, parser).id
        changes: BulkChanges = {"folder_id": folder_id}
        return update_documents(self._inst, self._team, parser_id, document_ids, (), changes, _ACTOR)

    def stages(self, parser: str) -> Sequence[Json]:
        return [_stage_json(one) for one in list_stages(self._inst, self._team, parser)]

    def create_stage(self, parser: str, new: Values) -> Json:
        return _stage_json(create_stage(self._inst, self._team, parser, new, _ACTOR))

    def update_stage(self, parser: str, stage_id: str, changes: Values) -> Json:
        return _stage_json(update_stage(self._inst, self._team, parser, stage_id, changes, _ACTOR))

    def delete_stage(self, parser: str, stage_id: str) -> None:
        delete_stage(self._inst, self._team, parser, stage_id, _ACTOR)

    def reviewer(self, parser: str, email: str) -> str:
        people = reviewers(self._inst, self._team, parser)
        return member_id([(one.id, one.email) for one in people], email)

    def approve(self, document_id: str, reviewer: str) -> DocumentView:
        parser_id, person = self._reviewed(document_id, reviewer)
        decisions.approve(self._inst, self._team, parser_id, document_id, person, _ACTOR)
        process_pending(self._inst, document_id=document_id)
        return self.document(document_id)

    def reject(self, document_id: str, reviewer: str, reason: str | None) -> DocumentView:
        parser_id, person = self._reviewed(document_id, reviewer)
        decisions.reject(self._inst, self._team, parser_id, document_id, person, reason, _ACTOR)
        return self.document(document_id)

    def reset(self, document_id: str, reviewer: str) -> DocumentView:
        parser_id, person = self._reviewed(document_id, reviewer)
        decisions.reset(self._inst, self._team, parser_id, document_id, person, _ACTOR)
        return self.document(document_id)

    def assign(self, document_id: str, assignee: str) -> DocumentView:
        parser_id, person = self._reviewed(document_id, assignee)
        update_document(self._inst, self._team, parser_id, document_id, {"assignee_id": person}, _ACTOR)
        return self.document(document_id)

    def _reviewed(self, document_id: str, email: str) -> tuple[str, str]:
        """Return the ids of a document's parser and of the member with this address; raise NotFound."""
        parser_id = self.document(document_id).parser_id
        if parser_id is None:
            raise Conflict("The document has no parser")
        return parser_id, self.reviewer(parser_id, email)


def _stage_json(stage: StageSetup) -> Json:
    from docduck.api.schemas.review_stages import StageSetupResponse

    return StageSetupResponse.of(stage).model_dump(mode="json", by_alias=True)
