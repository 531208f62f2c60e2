"""The backends of commands: this machine's installation, or a server (``docduck --server URL``)."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from docduck.cli.output import installation
from docduck.errors import InputError

if TYPE_CHECKING:
    from docduck.service.accounts.audit_log import AuditPage
    from docduck.service.classifiers.classifiers import ClassifierChanges, ClassifierView, NewClassifier
    from docduck.service.classifiers.routed_documents import (
        RoutedDocument,
        RoutedDocumentPage,
        RoutedDocumentQuery,
    )
    from docduck.service.core.schema import Values
    from docduck.service.corrections.lessons import LessonView
    from docduck.service.documents.document_changes import BulkOutcome
    from docduck.service.documents.queries.document_views import DocumentView
    from docduck.service.documents.queries.finding import ResultPage
    from docduck.service.outputs.export_layouts import LayoutView
    from docduck.service.outputs.exporting import ExportRequest
    from docduck.service.outputs.folder_exports import ExportView
    from docduck.service.parsers.lookup_tables import LookupTableView
    from docduck.service.parsers.parsers import NewParser, ParserView
    from docduck.service.schemas.upload_pages import UploadPageSettings
    from docduck.service.schemas.webhooks import WebhookView
    from docduck.service.sources.upload_pages import PageOwner, UploadPageView
    from docduck.service.webhooks.delivery_log import DeliveryPage
    from docduck.service.webhooks.trial import TrialResult

Json = Mapping[str, Any]
"""An object of the API."""

_WORK_WITH_SERVER = (
    "parsers",
    "classifiers",
    "documents",
    "review",
    "webhooks",
    "audit",
    "export",
    "lessons",
    "layouts",
)
_NEED_NEITHER = ("extract", "classify", "split", "suggest", "evaluate")


@dataclass(frozen=True, slots=True)
class FolderPlace:
    """A folder and its place; ``path_ids`` are those of the folders down to it, its own last."""

    id: str
    path_label: str
    path_ids: Sequence[str]


class ClassifierBackend(Protocol):
    """The operations of commands on classifiers; a classifier is given by name or id."""

    def all(self) -> Sequence[ClassifierView]: ...

    def get(self, ref: str) -> ClassifierView: ...

    def create(self, new: NewClassifier) -> ClassifierView: ...

    def update(self, ref: str, changes: ClassifierChanges) -> ClassifierView: ...

    def delete(self, ref: str) -> str:
        """Delete a classifier, and return its id."""

    def documents(self, ref: str, query: RoutedDocumentQuery) -> RoutedDocumentPage: ...

    def route(self, ref: str, document_id: str, parser_id: str) -> RoutedDocument: ...

    def upload(self, ref: str, files: Sequence[Path]) -> Sequence[str]:
        """Upload files, and return the documents' ids in their order."""


class WebhookBackend(Protocol):
    """The operations of commands on webhooks; a parser is given by slug, name or id."""

    def all(self, parser: str) -> Sequence[WebhookView]: ...

    def get(self, parser: str, webhook_id: str) -> WebhookView: ...

    def create(self, parser: str, new: Values) -> tuple[WebhookView, str]:
        """Create a webhook, and return it with its secret."""

    def update(self, parser: str, webhook_id: str, changes: Values) -> WebhookView: ...

    def delete(self, parser: str, webhook_id: str) -> str: ...

    def secret(self, parser: str, webhook_id: str) -> str: ...

    def rotate(self, parser: str, webhook_id: str) -> tuple[str, dt.datetime]:
        """Make a new secret, and return it with the moment at which the previous one expires."""

    def test(self, parser: str, webhook_id: str, event: str) -> TrialResult: ...

    def deliveries(
        self, parser: str, webhook_id: str, status: str | None, page: int, limit: int
    ) -> DeliveryPage: ...

    def retry(self, parser: str, webhook_id: str, delivery_id: str) -> None: ...

    def resend(self, parser: str, document_id: str) -> None: ...


class ExportBackend(Protocol):
    """The operations of commands on exports and their layouts; a parser is given by slug, name or id."""

    def write(
        self, parser: str, request: ExportRequest, folder: Path | None, file: str | None, only_new: str | None
    ) -> ExportView:
        """Write an export to a file on this machine.

        ``file`` is a pattern of names, ``only_new`` the name of an incremental export.
        """

    def layouts(self, parser: str) -> Sequence[LayoutView]: ...

    def layout(self, parser: str, ref: str) -> LayoutView: ...

    def put_layout(self, parser: str, new: Values) -> LayoutView: ...

    def delete_layout(self, parser: str, ref: str) -> None: ...


class UploadPageBackend(Protocol):
    """The operations of commands on upload pages."""

    def get(self, owner: PageOwner) -> UploadPageView: ...

    def put(self, owner: PageOwner, settings: UploadPageSettings) -> UploadPageView: ...

    def renew(self, owner: PageOwner) -> UploadPageView: ...

    def delete(self, owner: PageOwner) -> None: ...

    def link(self, page: UploadPageView) -> str:
        """Return the page's link; without a base URL, its path."""


class Backend(Protocol):
    """The operations of commands on parsers and documents; a parser is given by slug, name or id.

    All raise the errors of ``docduck.errors``.
    """

    @property
    def classifiers(self) -> ClassifierBackend: ...

    @property
    def webhooks(self) -> WebhookBackend: ...

    @property
    def exports(self) -> ExportBackend: ...

    @property
    def upload_pages(self) -> UploadPageBackend: ...

    def parsers(self) -> Sequence[ParserView]: ...

    def parser(self, ref: str) -> ParserView: ...

    def add_parser(self, new: NewParser) -> ParserView: ...

    def upload_hint(self, parser: ParserView) -> str:
        """Return how documents are added to a parser."""

    def forget(self, ref: str) -> int: ...

    def lessons(self, ref: str, page: int, limit: int) -> tuple[Sequence[LessonView], int]:
        """Return a page of a parser's lessons, and their total number."""

    def remove_lesson(self, ref: str, lesson_id: str) -> None: ...

    def post_processing(self, ref: str) -> Sequence[dict[str, Any]]: ...

    def set_post_processing(self, ref: str, steps: Any) -> Sequence[dict[str, Any]]: ...

    def lookup_tables(self, ref: str) -> Sequence[LookupTableView]: ...

    def put_lookup_table(self, ref: str, name: str, file: Path) -> LookupTableView: ...

    def delete_lookup_table(self, ref: str, name: str) -> None: ...

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
    ) -> AuditPage: ...

    def documents(
        self, parser: str | None, *, status: str | None, q: str | None, sort: str, page: int, limit: int
    ) -> ResultPage: ...

    def document(self, document_id: str) -> DocumentView: ...

    def upload(self, parser: str, files: Sequence[Path]) -> Sequence[str]:
        """Upload files, and return the documents' ids in their order."""

    def correct(self, document_id: str, values: Mapping[str, Any]) -> DocumentView: ...

    def reprocess(self, document_ids: Sequence[str], *, discard_corrections: bool = False) -> int: ...

    def reprocess_parser(
        self, ref: str, statuses: Sequence[str] | None, *, discard_corrections: bool = False
    ) -> int: ...

    def cancel(self, document_ids: Sequence[str]) -> int: ...

    def undo_split(self, document_id: str) -> str: ...

    def delete(self, document_ids: Sequence[str]) -> int: ...

    def folders(self, parser: str) -> Sequence[FolderPlace]: ...

    def file(self, parser: str, folder_id: str | None, document_ids: Sequence[str]) -> BulkOutcome:
        """File documents in a folder, or in none."""

    def stages(self, parser: str) -> Sequence[Json]: ...

    def create_stage(self, parser: str, new: Values) -> Json: ...

    def update_stage(self, parser: str, stage_id: str, changes: Values) -> Json: ...

    def delete_stage(self, parser: str, stage_id: str) -> None: ...

    def reviewer(self, parser: str, email: str) -> str:
        """Return the id of the team's member with this address; raise NotFound."""

    def approve(self, document_id: str, reviewer: str) -> DocumentView:
        """Approve the stage in progress as the member with the address ``reviewer``."""

    def reject(self, document_id: str, reviewer: str, reason: str | None) -> DocumentView: ...

    def reset(self, document_id: str, reviewer: str) -> DocumentView: ...

    def assign(self, document_id: str, assignee: str) -> DocumentView: ...


@dataclass(frozen=True, slots=True)
class Server:
    """A server, and the environment variable that holds its API key."""

    url: str
    key_variable: str

    @property
    def key(self) -> str:
        """The API key; raises InputError if it is not set."""
        key = os.environ.get(self.key_variable, "").strip()
        if not key:
            raise InputError(f"{self.key_variable} is not set; it must hold an API key for {self.url}")
        return key


_server: ContextVar[Server | None] = ContextVar("server", default=None)


def choose_server(server: Server | None, command: str | None) -> None:
    """Let commands use ``server``, or this machine's installation if None.

    Raise InputError for a command that doesn't work with a server.
    """
    _server.set(server)
    if server is not None and command not in (*_WORK_WITH_SERVER, *_NEED_NEITHER):
        raise InputError(
            f"docduck {command} works only where docduck runs, not with a server: leave out --server, or "
            "unset DOCDUCK_SERVER"
        )


@contextmanager
def backend() -> Iterator[Backend]:
    """Yield the backend that was chosen, closed at the end of the block.

    On this machine, a run is started for the documents that the command has queued.
    """
    server = _server.get()
    if server is None:
        from docduck.cli.backends.local_backend import LocalBackend
        from docduck.service.runs.run_starter import run_at_end

        with installation() as inst, run_at_end(inst):
            yield LocalBackend(inst)
    else:
        from docduck.cli.backends.remote_backend import connected

        with connected(server.url, server.key) as remote:
            yield remote
