"""The backend of a server: the client's calls, with the values and errors of a local installation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from docduck import templates
from docduck.cli.backends.backend import FolderPlace, Json
from docduck.cli.backends.local_backend import member_id
from docduck.cli.backends.remote_classifiers import RemoteClassifiers
from docduck.cli.backends.remote_exports import RemoteExports
from docduck.cli.backends.remote_upload_pages import RemoteUploadPages
from docduck.cli.backends.remote_views import (
    audit_view,
    document_row,
    document_view,
    lesson_view,
    lookup_table_view,
    parser_view,
    whole_parser_view,
)
from docduck.cli.backends.remote_webhooks import RemoteWebhooks
from docduck.cli.output import shown
from docduck.client import (
    ApiError,
    AuthenticationError,
    BadRequest,
    Client,
    Conflict,
    NotFound,
    ServerError,
)
from docduck.client.types import DocumentDetails, HistoryEntry, Parser
from docduck.errors import Conflict as LocalConflict
from docduck.errors import DocduckError, InputError, Transient
from docduck.errors import NotFound as LocalNotFound
from docduck.ids import is_uuid
from docduck.service.accounts.audit_log import AuditPage
from docduck.service.core.schema import Values
from docduck.service.corrections.lessons import LessonView
from docduck.service.documents.document_changes import BulkOutcome
from docduck.service.documents.queries.document_views import DocumentView
from docduck.service.documents.queries.finding import ResultPage
from docduck.service.documents.status_transitions import TRANSITIONS, Event
from docduck.service.parsers.lookup_tables import LookupTableView
from docduck.service.parsers.parsers import NewParser, ParserView
from docduck.service.sources.upload_pages import PageOwner
from docduck.statuses import Status

_RETRIES = 3
_MOST_FILES, _MOST_BYTES = 20, 400_000_000
"""Of one upload; the server's limits are 20 files and 500 MB by default."""

_MISMATCH = "Parser ID mismatch"


@contextmanager
def connected(url: str, key: str) -> Iterator[RemoteBackend]:
    """Yield the server at ``url``; its errors are raised as those of a local installation."""
    try:
        with Client(url, key, retries=_RETRIES) as client:
            yield RemoteBackend(client, url)
    except ApiError as error:
        raise _local_error(error, url) from error


class RemoteBackend:
    """A Backend over a client."""

    def __init__(self, client: Client, url: str) -> None:
        self._client = client
        self.classifiers = RemoteClassifiers(client, _batches)
        self.webhooks = RemoteWebhooks(client, lambda ref: self._parser_json(ref)["id"])
        self.exports = RemoteExports(client, self.parser)
        self.upload_pages = RemoteUploadPages(client, url, self._owner_id)
        self._parser_ids: list[str] | None = None

    def parsers(self) -> Sequence[ParserView]:
        listed = self._client.parsers.list(sort="createdAt.asc", limit=100)
        return [parser_view(one, self._client.fields.list(one["id"])) for one in listed]

    def parser(self, ref: str) -> ParserView:
        return whole_parser_view(self._client.parsers.get(self._parser_json(ref)["id"]))

    def add_parser(self, new: NewParser) -> ParserView:
        name = new.name or (templates.load(new.template_key).name if new.template_key else "")
        fields = None
        if new.fields is not None:
            fields = [one.model_dump(mode="json", exclude_unset=True) for one in new.fields]
        made = self._client.parsers.create(
            name, description=new.description, fields=fields, template_key=new.template_key
        )
        return whole_parser_view(made)

    def upload_hint(self, parser: ParserView) -> str:
        return f"docduck documents add {parser.slug} FILE… uploads documents"

    def forget(self, ref: str) -> int:
        raise InputError("docduck parsers forget works only where docduck runs, not with a server")

    def lessons(self, ref: str, page: int, limit: int) -> tuple[Sequence[LessonView], int]:
        found = self._client.lessons.page(self._parser_json(ref)["id"], page=page, limit=limit)
        return [lesson_view(one) for one in found["data"]], found["pagination"]["total"]

    def remove_lesson(self, ref: str, lesson_id: str) -> None:
        self._client.lessons.remove(self._parser_json(ref)["id"], lesson_id)

    def post_processing(self, ref: str) -> Sequence[dict[str, Any]]:
        return self._client.post_processing.get(self._parser_json(ref)["id"])

    def set_post_processing(self, ref: str, steps: Any) -> Sequence[dict[str, Any]]:
        if not isinstance(steps, list):
            raise InputError("steps must be an array of steps", "steps")
        return self._client.post_processing.set(self._parser_json(ref)["id"], steps)

    def lookup_tables(self, ref: str) -> Sequence[LookupTableView]:
        found = self._client.post_processing.tables(self._parser_json(ref)["id"], limit=100)
        return [lookup_table_view(one) for one in found]

    def put_lookup_table(self, ref: str, name: str, file: Path) -> LookupTableView:
        made = self._client.post_processing.put_table(self._parser_json(ref)["id"], name, file)
        return lookup_table_view(made)

    def delete_lookup_table(self, ref: str, name: str) -> None:
        self._client.post_processing.delete_table(self._parser_json(ref)["id"], name)

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
        found = self._client.audit_log.page(
            resource_type=resource_type,
            resource_id=resource_id,
            actor=actor,
            action=action,
            since=since,
            until=until,
            page=page,
            limit=limit,
        )
        rows = [audit_view(one) for one in found["data"]]
        return AuditPage(rows, page, limit, found["pagination"]["total"])

    def documents(
        self, parser: str | None, *, status: str | None, q: str | None, sort: str, page: int, limit: int
    ) -> ResultPage:
        parser_id = None if parser is None else self._parser_json(parser)["id"]
        found = self._client.documents.page(parser_id, status=status, q=q, sort=sort, page=page, limit=limit)
        rows = [document_row(one) for one in found["data"]]
        return ResultPage(rows, page, limit, found["pagination"]["total"])

    def document(self, document_id: str) -> DocumentView:
        parser_id, found = self._find_document(document_id)
        return document_view(parser_id, found, self._history(parser_id, document_id))

    def upload(self, parser: str, files: Sequence[Path]) -> Sequence[str]:
        parser_id = self._parser_json(parser)["id"]
        made: list[str] = []
        for batch in _batches(files):
            made += [item["documentId"] for item in self._client.process.files(parser_id, *batch)]
        return made

    def correct(self, document_id: str, values: Mapping[str, Any]) -> DocumentView:
        parser_id, _ = self._find_document(document_id)
        changed = self._client.documents.update_data(parser_id, document_id, values)
        return document_view(parser_id, changed, self._history(parser_id, document_id))

    def reprocess(self, document_ids: Sequence[str], *, discard_corrections: bool = False) -> int:
        found = {one: self._find_document(one)[0] for one in document_ids}
        for document_id, parser_id in found.items():
            self._client.documents.reprocess(parser_id, document_id, discard_corrections=discard_corrections)
        return len(found)

    def reprocess_parser(
        self, ref: str, statuses: Sequence[str] | None, *, discard_corrections: bool = False
    ) -> int:
        parser_id = self._parser_json(ref)["id"]
        allowed = [status for status in Status if (status, Event.REPROCESSED) in TRANSITIONS]
        for status in statuses or ():
            if status not in allowed:
                raise InputError(f"Documents that are '{status}' can't be processed again", "statuses")
        chosen = [
            one["id"]
            for status in statuses or allowed
            for one in self._client.documents.list(parser_id, status=status, limit=100)
        ]
        return sum(self._try_reprocess(parser_id, one, discard_corrections) for one in chosen)

    def cancel(self, document_ids: Sequence[str]) -> int:
        found = {one: self._find_document(one)[0] for one in document_ids}
        for document_id, parser_id in found.items():
            self._client.documents.cancel(parser_id, document_id)
        return len(found)

    def undo_split(self, document_id: str) -> str:
        parser_id = self._find_document(document_id)[0]
        return str(self._client.documents.undo_split(parser_id, document_id)["documentId"])

    def delete(self, document_ids: Sequence[str]) -> int:
        by_parser: dict[str, list[str]] = {}
        for document_id in dict.fromkeys(document_ids):
            by_parser.setdefault(self._find_document(document_id)[0], []).append(document_id)
        return sum(self._client.documents.delete(*one)["deleted"] for one in by_parser.items())

    def folders(self, parser: str) -> Sequence[FolderPlace]:
        found = self._client.folders.list(self._parser_json(parser)["id"])
        return [FolderPlace(one["id"], one["pathLabel"], one["pathIds"]) for one in found]

    def file(self, parser: str, folder_id: str | None, document_ids: Sequence[str]) -> BulkOutcome:
        parser_id = self._parser_json(parser)["id"]
        done = self._client.documents.bulk_update(parser_id, document_ids, folder_id=folder_id)
        failed = [(one["id"], one["message"]) for one in done["failed"]]
        return BulkOutcome(done["ids"], failed)

    def stages(self, parser: str) -> Sequence[Json]:
        return list(self._client.review_stages.list(self._parser_json(parser)["id"]))

    def create_stage(self, parser: str, new: Values) -> Json:
        return self._client.review_stages.create(self._parser_json(parser)["id"], **new)

    def update_stage(self, parser: str, stage_id: str, changes: Values) -> Json:
        return self._client.review_stages.update(self._parser_json(parser)["id"], stage_id, **changes)

    def delete_stage(self, parser: str, stage_id: str) -> None:
        self._client.review_stages.delete(self._parser_json(parser)["id"], stage_id)

    def reviewer(self, parser: str, email: str) -> str:
        people = self._client.review_stages.reviewers(self._parser_json(parser)["id"])
        return member_id([(one["id"], one["email"]) for one in people], email)

    def approve(self, document_id: str, reviewer: str) -> DocumentView:
        parser_id, person = self._reviewed(document_id, reviewer)
        return self._shown(parser_id, self._client.reviews.approve(parser_id, document_id, person))

    def reject(self, document_id: str, reviewer: str, reason: str | None) -> DocumentView:
        parser_id, person = self._reviewed(document_id, reviewer)
        return self._shown(parser_id, self._client.reviews.reject(parser_id, document_id, person, reason))

    def reset(self, document_id: str, reviewer: str) -> DocumentView:
        parser_id, person = self._reviewed(document_id, reviewer)
        return self._shown(parser_id, self._client.reviews.reset(parser_id, document_id, person))

    def assign(self, document_id: str, assignee: str) -> DocumentView:
        parser_id, person = self._reviewed(document_id, assignee)
        return self._shown(parser_id, self._client.reviews.assign(parser_id, document_id, person))

    def _reviewed(self, document_id: str, email: str) -> tuple[str, str]:
        parser_id, _ = self._find_document(document_id)
        return parser_id, self.reviewer(parser_id, email)

    def _shown(self, parser_id: str, document: DocumentDetails) -> DocumentView:
        return document_view(parser_id, document, self._history(parser_id, document["id"]))

    def _owner_id(self, owner: PageOwner) -> str:
        if owner.kind == "classifier":
            return self.classifiers.get(owner.ref).id
        return self._parser_json(owner.ref)["id"]

    def _parser_json(self, ref: str) -> Parser:
        """Return the parser with this id, slug or name; raise NotFound."""
        mine = [
            one
            for one in self._client.parsers.list(sort="createdAt.asc", limit=100)
            if ref in ((one["id"],) if is_uuid(ref) else (one["slug"], one["name"]))
        ]
        if not mine:
            raise LocalNotFound("Parser not found", "parserId", ref)
        return next((one for one in mine if one["slug"] == ref), mine[0])

    def _known_parser_ids(self) -> list[str]:
        if self._parser_ids is None:
            self._parser_ids = [one["id"] for one in self._client.parsers.list(limit=100)]
        return self._parser_ids

    def _find_document(self, document_id: str) -> tuple[str, DocumentDetails]:
        """Return a document and its parser's id, as the API needs both; raise NotFound."""
        ids = self._known_parser_ids()
        for index, parser_id in enumerate(ids if is_uuid(document_id) else ()):
            try:
                found = self._client.documents.get(parser_id, document_id)
            except BadRequest as error:
                if error.message != _MISMATCH:
                    raise
            else:
                # The next document is likely to be of the same parser.
                ids.insert(0, ids.pop(index))
                return parser_id, found
        raise LocalNotFound("Document not found", "documentId", document_id)

    def _history(self, parser_id: str, document_id: str) -> Iterator[HistoryEntry]:
        number, last = 0, 1
        while number < last:
            number += 1
            found = self._client.documents.history(parser_id, document_id, page=number, limit=100)
            last = found["pagination"]["pageCount"]
            yield from found["data"]

    def _try_reprocess(self, parser_id: str, document_id: str, discard_corrections: bool) -> bool:
        """Queue a document again; return False if it was queued or deleted meanwhile."""
        try:
            self._client.documents.reprocess(parser_id, document_id, discard_corrections=discard_corrections)
        except (Conflict, NotFound):
            return False
        return True


def _batches(files: Sequence[Path]) -> Iterator[list[Path]]:
    """Yield batches of files that fit into one upload, in their order."""
    batch: list[Path] = []
    size = 0
    for path in files:
        more = path.stat().st_size
        if batch and (len(batch) == _MOST_FILES or size + more > _MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(path)
        size += more
    if batch:
        yield batch


def _local_error(error: ApiError, url: str) -> DocduckError:
    """Return the error of a local installation that has the same meaning, and so the same exit code."""
    # A server's message must not control the terminal.
    message = shown(error.message)
    if error.retryable:
        return Transient(message)
    if isinstance(error, ServerError):
        return DocduckError(f"{url}: {shown(error)}")
    if isinstance(error, NotFound) and error.not_found:
        missing = [(one["type"], shown(one["value"])) for one in error.not_found]
        return LocalNotFound(message, *missing[0], missing[1:])
    if isinstance(error, Conflict):
        return LocalConflict(message)
    if isinstance(error, AuthenticationError):
        return InputError(f"{message}: {url} does not accept it")
    return InputError(message)
