"""The API's resources, with a method for each operation.

Generated from the OpenAPI document by ``python -m tools.client``; do not edit. Methods that are written by
hand are in the base classes.
"""

# mypy: disable-error-code="empty-body"
# fmt: off

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

from docduck.client import types
from docduck.client.documents import DocumentSets
from docduck.client.exports import ExportFiles
from docduck.client.processing import Processing
from docduck.client.transport.encoding import UNSET, Unset
from docduck.client.transport.endpoint import M, Resource, Runner, listing
from docduck.client.transport.operation import operation
from docduck.client.transport.retries import Retries
from docduck.client.transport.uploads import File
from docduck.client.types import CursorPage, FeedPage, FieldInput, Page
from docduck.client.upload_pages import UploadPages


class AuditLog(Resource[M]):
    """Who changed what in the team; the key needs the permission ``audit:read``."""

    @operation("GET", "/audit-log", names={"since": "from", "until": "to"})
    def page(
        self, *, resource_type: str | None = None, resource_id: str | None = None, actor: str | None = None,
        action: str | None = None, since: str | dt.date | None = None, until: str | dt.date | None = None,
        page: int = 1, limit: int = 50,
    ) -> Page[types.AuditEntry]:
        """Return who changed what in the team, newest first; not for keys that are limited to parsers.

        ``actor``: Id of a user or key, or name of a part of the system. ``until``: Inclusive; a date
        without a time includes that whole day (UTC, or as in ``2026-01-31+02:00``).
        """

    list = listing(page)


class ClassifierSettings(TypedDict, total=False):
    """Settings of a classifier."""

    is_active: bool | Unset
    accepted_file_types: Sequence[str | Mapping[str, Any]] | Unset
    model: str | Unset | None
    split_documents: Mapping[str, Any] | Unset
    email_parsing: Mapping[str, Any] | Unset


class Classifiers(Resource[M]):
    """Classifiers; ``client.process.files_to_classifier`` uploads documents."""

    @operation("GET", "/classifiers")
    def page(
        self, *, q: str | None = None, is_active: bool | None = None, sort: str | None = None, page: int = 1,
        limit: int = 50,
    ) -> Page[types.Classifier]:
        """Return the team's classifiers; a key limited to parsers sees those that route to these alone.

        ``q``: Part of the name, in any case. ``is_active``: Only active, or only inactive ones.
        """

    list = listing(page)

    @operation("POST", "/classifiers")
    def create(
        self, name: str, routing: Mapping[str, Any], *, description: str | None = None,
        idempotency_key: str | None = None, **settings: Unpack[ClassifierSettings],
    ) -> types.Classifier:
        """Create a classifier with at least one rule.

        ``routing`` is ``{"rules": [{"label": "Invoice", "targetParserId": "…"}]}``.

        ``name``: The name, for people. ``routing``: The rules of a classifier, in order, and its
        fallback; ``instructions`` are about all labels. ``description``: For the members of the team.
        """

    @operation("GET", "/classifiers/{classifier_id}")
    def get(self, classifier_id: str) -> types.Classifier:
        """Return a classifier."""

    @operation("PATCH", "/classifiers/{classifier_id}")
    def update(
        self, classifier_id: str, *, name: str | Unset = UNSET, description: str | Unset | None = UNSET,
        routing: Mapping[str, Any] | Unset = UNSET, **settings: Unpack[ClassifierSettings],
    ) -> types.Classifier:
        """Change what is sent; objects are merged key by key, and rules are replaced."""

    @operation("DELETE", "/classifiers/{classifier_id}")
    def delete(self, classifier_id: str) -> types.Done:
        """Delete a classifier and its documents that are in no parser; routed ones stay in their parsers."""

    @operation("GET", "/classifiers/{classifier_id}/documents")
    def documents_page(
        self, classifier_id: str, *, q: str | None = None, status: str | None = None,
        target_parser_id: str | None = None, external_id: str | None = None,
        created_from: str | dt.date | None = None, created_to: str | dt.date | None = None,
        sort: str | None = None, page: int = 1, limit: int = 50,
    ) -> Page[types.ClassifiedDocument]:
        """Return a page of the classifier's documents with the results of their routing.

        ``q``: Part of the name or external id. ``status``: The status of the routing.
        ``target_parser_id``: Routed to this parser. ``created_to``: Inclusive; a date without a time
        includes that whole day (UTC, or as in ``2026-01-31+02:00``).
        """

    documents = listing(documents_page)

    @operation("POST", "/classifiers/{classifier_id}/documents/{document_id}/route")
    def route(
        self, classifier_id: str, document_id: str, target_parser_id: str, *,
        idempotency_key: str | None = None,
    ) -> types.ClassifiedDocument:
        """Move a routed, skipped or failed document to the right target parser, where it is read again.

        The classifier remembers it as an example.

        ``target_parser_id``: The id of the parser that the document is moved to.
        """


class Documents(DocumentSets[M]):
    """Documents of a parser, and their values."""

    @operation("POST", "/process/{parser_id}/reprocess")
    def reprocess(
        self, parser_id: str, document_id: str | None = None, *, external_id: str | None = None,
        discard_corrections: bool | None = None, password: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.Reprocessed:
        """Queue a document again, to be read with its parser's current setup; values that people set stay.

        ``document_id``: The id of the document. ``external_id``: The sender's own id of the document,
        unique in the parser; None for none. ``discard_corrections``: Read also those values anew that
        people corrected or confirmed, which stay otherwise. ``password``: What opens the file, if it
        needs a password: a PDF, or files of a ZIP. It is kept encrypted with the document, for later
        readings and for pictures of its pages; it is never shown.
        """

    @operation("GET", "/parsers/{parser_id}/documents")
    def page(
        self, parser_id: str | None = None, *, q: str | None = None, status: str | None = None,
        folder_id: str | None = None, include_subfolders: bool | None = None, assignee_id: str | None = None,
        review_stage_id: str | None = None, external_id: str | None = None,
        created_from: str | dt.date | None = None, created_to: str | dt.date | None = None,
        updated_from: str | dt.date | None = None, updated_to: str | dt.date | None = None,
        sort: str | None = None, cursor: str | None = None, include: str | None = None,
        page: int | None = None, limit: int = 50,
    ) -> CursorPage[types.Document]:
        """Return a page of the parser's documents.

        Without ``parser_id``, it is a page of the documents of all parsers.

        ``q``: Part of the name or external id. ``folder_id``: A folder's id; ``root`` for those in no
        folder. ``include_subfolders``: Include the folders below ``folder_id``. ``review_stage_id``:
        Pending or in progress at this stage. ``created_to``: Inclusive; a date without a time includes
        that whole day (UTC, or as in ``2026-01-31+02:00``). ``updated_from``: Only documents whose
        values, status, review, folder or other properties changed at this moment or later.
        ``updated_to``: Only documents that last changed until then. Inclusive; a date without a time
        includes that whole day (UTC, or as in ``2026-01-31+02:00``). ``cursor``: The ``nextCursor`` of
        another page, in place of ``page``; the other parameters stay. ``include``: ``data`` adds the
        values to the rows. ``page``: The page, from 1.
        """

    list = listing(page)

    @operation("POST", "/parsers/{parser_id}/documents/search", read_only=True)
    def search_page(
        self, parser_id: str, q: str | None = None, *, status: str | None = None,
        folder_id: str | Unset | None = UNSET, include_subfolders: bool | None = None,
        external_id: str | None = None, assignee_id: str | None = None, review_stage_id: str | None = None,
        created_from: str | dt.date | None = None, created_to: str | dt.date | None = None,
        updated_from: str | dt.date | None = None, updated_to: str | dt.date | None = None,
        cursor: str | None = None, include: str | None = None, sort: str | None = None,
        filters: Sequence[Mapping[str, Any]] | None = None, page: int | None = None, limit: int = 50,
    ) -> CursorPage[types.Document]:
        """Return a page of the documents that match and have all words of ``q`` in name, external id or
        values.

        A filter is ``{"field": "Total", "operator": "greater_than", "value": 100}``. A server with
        ``DOCDUCK_SEARCH_DAYS`` finds older documents by their names, statuses, dates and other
        properties alone.

        ``q``: Words that must all occur. ``status``: Only documents in this status. ``folder_id``: None
        for documents in no folder. ``include_subfolders``: Those in the folders below ``folder_id``,
        too. ``external_id``: Only the document with this external id. ``assignee_id``: Only documents
        that are assigned to this member of the team. ``review_stage_id``: The id of the review stage
        that the document is in. ``created_from``: Created at this moment or later. ``created_to``:
        Inclusive; a date without a time includes that whole day (UTC, or as in ``2026-01-31+02:00``).
        ``updated_from``: Only documents whose values, status, review, folder or other properties
        changed at this moment or later. ``updated_to``: Only documents that last changed until then.
        Inclusive; a date without a time includes that whole day (UTC, or as in ``2026-01-31+02:00``).
        ``cursor``: The ``nextCursor`` of another page, in place of ``page``; the other parameters stay.
        ``include``: ``data`` adds the values to the rows. ``sort``: A sort of the list,
        ``field:<name>.asc``, ``field:<name>.desc``, or ``relevance``. ``filters``: Conditions on values
        and properties, which must all hold. ``page``: The page, from 1. ``limit``: The most rows of a
        page.
        """

    search = listing(search_page)

    @operation("GET", "/documents/deletions")
    def deletions_page(
        self, *, parser_id: str | None = None, since: str | dt.date | None = None, cursor: str | None = None,
        limit: int = 50,
    ) -> CursorPage[types.Deletion]:
        """Return the ids of documents that were deleted, themselves or with their parser, the oldest
        first.

        They are listed for as long as the bin keeps documents, and at least for 30 days; a document
        that is restored is not listed any more.

        ``parser_id``: Only this parser's; of all parsers by default. ``since``: Only deletions at this
        moment or later. ``cursor``: The ``nextCursor`` of another page, in place of ``page``; the other
        parameters stay.
        """

    deletions = listing(deletions_page)

    @operation("POST", "/documents/reprocess")
    def reprocess_many(
        self, document_ids: Sequence[str], *, discard_corrections: bool | None = None,
        password: str | None = None, idempotency_key: str | None = None,
    ) -> types.Queued:
        """Queue documents again, all or none; values that people set stay.

        ``document_ids``: The ids of documents. ``discard_corrections``: Read also those values anew
        that people corrected or confirmed, which stay otherwise. ``password``: What opens the file, if
        it needs a password: a PDF, or files of a ZIP. It is kept encrypted with the document, for later
        readings and for pictures of its pages; it is never shown.
        """

    @operation("POST", "/documents/cancel")
    def cancel_many(
        self, document_ids: Sequence[str], *, idempotency_key: str | None = None,
    ) -> types.Cancelled:
        """Stop reading documents that are queued or being read, all or none.

        ``document_ids``: The ids of documents.
        """

    @operation("POST", "/documents/delete")
    def delete_many(
        self, document_ids: Sequence[str], *, idempotency_key: str | None = None,
    ) -> types.Deleted:
        """Delete documents, all or none.

        ``document_ids``: The ids of documents.
        """

    @operation("GET", "/documents/{document_id}")
    def find(self, document_id: str) -> types.DocumentDetails:
        """Return a document of any parser; a key limited to parsers sees the documents of these."""

    @operation("GET", "/documents/{document_id}/history")
    def history_of_page(
        self, document_id: str, *, page: int = 1, limit: int = 50,
    ) -> Page[types.HistoryEntry]:
        """Return every change of its status, the oldest first: what, when, by whom and why."""

    history_of = listing(history_of_page)

    @operation("POST", "/parsers/{parser_id}/documents/reprocess")
    def reprocess_all(
        self, parser_id: str, *, discard_corrections: bool | None = None,
        statuses: Sequence[str] | None = None, idempotency_key: str | None = None,
    ) -> types.Queued:
        """Queue all that are done, or those in some statuses, again; values that people set stay.

        ``discard_corrections``: Read also those values anew that people corrected or confirmed, which
        stay otherwise. ``statuses``: Only documents in these; by default in all that can be read again.
        """

    @operation("GET", "/parsers/{parser_id}/documents/{document_id}")
    def get(self, parser_id: str, document_id: str) -> types.DocumentDetails:
        """Return a document with its values, their places, and its review."""

    @operation("PATCH", "/parsers/{parser_id}/documents/{document_id}")
    def update(
        self, parser_id: str, document_id: str, *, name: str | Unset = UNSET,
        external_id: str | Unset | None = UNSET, custom: Mapping[str, Any] | Unset | None = UNSET,
        folder_id: str | Unset | None = UNSET, assignee_id: str | Unset | None = UNSET,
        if_match: str | None = None,
    ) -> types.DocumentDetails:
        """Change a document's name, external id, custom data (replaced as a whole), folder or assignee.

        ``assignee_id`` needs the permission ``reviews:write`` too.
        """

    @operation("GET", "/parsers/{parser_id}/documents/{document_id}/explanation")
    def explanation(
        self, parser_id: str, document_id: str, *, field: str | None = None, row: int | None = None,
    ) -> types.Explanation:
        """Return in sentences why a value is what it is: its source, its place, failed checks, confidence.

        No language model is asked.

        ``field``: Field, or ``Table.Column``.
        """

    @operation("POST", "/parsers/{parser_id}/documents/{document_id}/cancel")
    def cancel(
        self, parser_id: str, document_id: str, *, idempotency_key: str | None = None,
    ) -> types.DocumentDetails:
        """Stop reading a document that is queued or being read; it is ``failed``, with the error
        ``Cancelled``.
        """

    @operation("POST", "/parsers/{parser_id}/documents/{document_id}/split/undo")
    def undo_split(
        self, parser_id: str, document_id: str, *, idempotency_key: str | None = None,
    ) -> types.Reprocessed:
        """Read a split PDF as one document again, given any of its parts; the other parts are deleted."""

    @operation("PATCH", "/parsers/{parser_id}/documents/{document_id}/data")
    def update_data(
        self, parser_id: str, document_id: str, data: Mapping[str, Any], *,
        reviewer_id: str | Unset | None = UNSET, if_match: str | None = None,
    ) -> types.DocumentDetails:
        """Set some values, by field name or id; None clears one, and a table is replaced as a whole.

        A document that failed is ``processed`` then, or ``in_review``: what could not be read was
        filled in by hand. The parser learns where they are printed on documents that look alike.
        """

    @operation("PUT", "/parsers/{parser_id}/documents/{document_id}/data")
    def replace_data(
        self, parser_id: str, document_id: str, data: Mapping[str, Any], *,
        reviewer_id: str | Unset | None = UNSET, if_match: str | None = None,
    ) -> types.DocumentDetails:
        """Set all values; a field that is not named is cleared.

        ``data``: The values to set, by field name or id; None clears one. ``reviewer_id``: The member
        of the team who corrects the values. ``if_match``: The ``ETag`` or ``version`` that is to be
        changed: 412 if it is another by now.
        """

    @operation("POST", "/parsers/{parser_id}/documents/{document_id}/confirm")
    def confirm(
        self, parser_id: str, document_id: str, *, reviewer_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.DocumentDetails:
        """Confirm that all values are right, also empty ones: they stay when the document is read again.

        The parser learns from them as from corrections.

        ``reviewer_id``: The member of the team who confirms the values.
        """

    @operation("GET", "/parsers/{parser_id}/documents/{document_id}/history")
    def history(
        self, parser_id: str, document_id: str, *, page: int = 1, limit: int = 50,
    ) -> Page[types.HistoryEntry]:
        """Return a page of the changes of a document's status, the oldest first: when, by whom and why."""


class Events(Resource[M]):
    """What happened to the team's documents."""

    @operation("GET", "/events")
    def page(
        self, *, parser_id: str | None = None, event: str | None = None, since: str | dt.date | None = None,
        cursor: str | None = None, limit: int = 50,
    ) -> FeedPage[types.Event]:
        """Return what happened to documents in the last 30 days, the oldest first, as webhooks are told.

        Keep ``nextCursor`` and send it the next time: no event is missed, and none comes twice.

        ``parser_id``: Only of this parser's documents. ``event``: Only this kind of event. ``since``:
        Only events at this moment or later. ``cursor``: The ``nextCursor`` of another page, in place of
        ``page``; the other parameters stay.
        """

    list = listing(page)


class Exports(ExportFiles[M]):
    """Documents of a parser as files, and saved layouts of them."""

    @operation("GET", "/parsers/{parser_id}/export-layouts")
    def layouts_page(self, parser_id: str, *, page: int = 1, limit: int = 50) -> Page[types.ExportLayout]:
        """Return the parser's export layouts, by name."""

    layouts = listing(layouts_page)

    @operation("POST", "/parsers/{parser_id}/export-layouts")
    def create_layout(
        self, parser_id: str, name: str, *, format: str | None = None, scope: str | None = None,
        table_name: str | None = None, columns: Sequence[Mapping[str, Any]] | None = None,
        idempotency_key: str | None = None,
    ) -> types.ExportLayout:
        """Save a layout: columns with their order and headings, format, scope and table.

        ``name``: The name, for people. ``format``: The format of the file. ``scope``: By default nested
        documents for ``json`` and ``xml``, ``all_flat`` for ``csv``, ``all_sheets`` for the others.
        ``table_name``: The table of the scope ``table``, by name or id; needed if the parser has
        several. ``columns``: The columns in their order; None for the usual ones.
        """

    @operation("GET", "/parsers/{parser_id}/export-layouts/{layout_id}")
    def layout(self, parser_id: str, layout_id: str) -> types.ExportLayout:
        """Return an export layout."""

    @operation("PATCH", "/parsers/{parser_id}/export-layouts/{layout_id}")
    def update_layout(
        self, parser_id: str, layout_id: str, *, name: str | Unset = UNSET, format: str | Unset = UNSET,
        scope: str | Unset | None = UNSET, table_name: str | Unset | None = UNSET,
        columns: Sequence[Mapping[str, Any]] | Unset | None = UNSET,
    ) -> types.ExportLayout:
        """Change the properties of an export layout that are sent."""

    @operation("DELETE", "/parsers/{parser_id}/export-layouts/{layout_id}")
    def delete_layout(self, parser_id: str, layout_id: str) -> types.Done:
        """Delete an export layout."""


class ParserFields(Resource[M]):
    """Fields of a parser, named by name or id."""

    @operation("GET", "/parsers/{parser_id}/fields", result="data")
    def list(self, parser_id: str) -> Sequence[types.Field]:
        """Return the parser's fields, by position."""

    @operation("POST", "/parsers/{parser_id}/fields", body="field")
    def add(
        self, parser_id: str, field: FieldInput | Mapping[str, Any], *, idempotency_key: str | None = None,
    ) -> types.Fields:
        """Add a field or table; one without a name is given a name."""

    @operation("PUT", "/parsers/{parser_id}/fields")
    def put(
        self, parser_id: str, fields: Sequence[FieldInput | Mapping[str, Any]], *,
        delete_others: bool | Unset = UNSET,
    ) -> types.Fields:
        """Change the fields that have one of these ids or names, and add the others at the end, all or
        none.

        What isn't given of a field stays as it is; other fields stay unless ``delete_others`` is True.

        ``fields``: Fields, in their order. ``delete_others``: Delete the fields that aren't given; the
        order is then that of ``fields``.
        """

    @operation("POST", "/parsers/{parser_id}/fields/reorder", names={"fields": "fieldIds"})
    def reorder(
        self, parser_id: str, fields: Sequence[str], *, idempotency_key: str | None = None,
    ) -> types.Fields:
        """Put all fields in a new order.

        ``fields``: Names or ids of fields.
        """

    @operation("POST", "/parsers/{parser_id}/fields/suggest", read_only=True)
    def suggest(
        self, parser_id: str, *, use_model: bool | None = None, file: File | None = None,
        document_id: str | None = None,
    ) -> types.SuggestedFields:
        """Return the fields and tables found on a sample: a file, or a document of the parser.

        For a document the key also needs the permission ``documents:read``.

        ``use_model``: Whether the language model proposes further ones. ``document_id``: The id of the
        document.
        """

    @operation("PATCH", "/parsers/{parser_id}/fields/{field}", body="changes")
    def update(self, parser_id: str, field: str, changes: FieldInput | Mapping[str, Any]) -> types.Fields:
        """Change a field, by its name or id; a table's ``columns`` replace all that it has."""

    @operation("DELETE", "/parsers/{parser_id}/fields/{field}")
    def delete(self, parser_id: str, field: str) -> types.Fields:
        """Remove a field; documents keep its values until they are read again."""


class Folders(Resource[M]):
    """Folders of a parser's documents."""

    @operation("GET", "/parsers/{parser_id}/folders", result="data")
    def list(
        self, parser_id: str, *, parent_id: str | None = None, q: str | None = None, flat: bool | None = None,
    ) -> Sequence[types.Folder]:
        """Return the parser's folders, depth-first, siblings by name.

        ``parent_id``: A folder's id, or ``root``: only its direct subfolders. ``q``: Part of the name,
        in any case. ``flat``: Folders of all levels, or of one only; all unless ``parent_id`` is given.
        """

    @operation("POST", "/parsers/{parser_id}/folders")
    def create(
        self, parser_id: str, name: str, *, color: str | None = None, parent_id: str | None = None,
        has_auto_assign: bool | None = None, auto_assignment: Mapping[str, Any] | bool | None = None,
        idempotency_key: str | None = None,
    ) -> types.Folder:
        """Create a folder, for documents to be put in by hand or by its rules.

        ``name``: The name, for people. ``color``: Any text, such as ``#1f77b4``; None for none.
        ``parent_id``: The id of the folder that it is in; None at the root. ``has_auto_assign``:
        Whether the rules assign documents to the folder. ``auto_assignment``: Rules that assign
        documents to the folder; ``True`` and ``False`` turn the rules on and off, ``None`` removes
        them.
        """

    @operation("GET", "/parsers/{parser_id}/folders/{folder_id}")
    def get(self, parser_id: str, folder_id: str) -> types.Folder:
        """Return a folder."""

    @operation("PATCH", "/parsers/{parser_id}/folders/{folder_id}")
    def update(
        self, parser_id: str, folder_id: str, *, name: str | Unset = UNSET, color: str | Unset | None = UNSET,
        parent_id: str | Unset | None = UNSET, has_auto_assign: bool | Unset = UNSET,
        auto_assignment: Mapping[str, Any] | bool | Unset | None = UNSET,
    ) -> types.Folder:
        """Rename, colour or move a folder, or change its rules; a ``parent_id`` of None moves it to the
        root.
        """

    @operation("DELETE", "/parsers/{parser_id}/folders/{folder_id}")
    def delete(
        self, parser_id: str, folder_id: str, *, delete_documents: bool | None = None,
    ) -> types.FolderDeleted:
        """Delete a folder and all below it; their documents are then in no folder.

        With ``delete_documents`` they are deleted as well; the key then also needs the permission
        ``documents:delete``.

        ``delete_documents``: Delete the documents of the folder, and of those below it, as well.
        """


class Lessons(Resource[M]):
    """What a parser has learned from corrections and approvals."""

    @operation("GET", "/parsers/{parser_id}/lessons")
    def page(self, parser_id: str, *, page: int = 1, limit: int = 50) -> Page[types.Lesson]:
        """Return what the parser has learned of its fields from corrections and approvals, newest first."""

    list = listing(page)

    @operation("DELETE", "/parsers/{parser_id}/lessons/{lesson_id}")
    def remove(self, parser_id: str, lesson_id: str) -> types.Done:
        """Forget a lesson: it counts for no document that is read from now on. The document keeps its
        values.
        """


class Me(Resource[M]):
    """What the client's key is, and what it may do."""

    @operation("GET", "/me")
    def get(self) -> types.Me:
        """Return the team of the key, what the key may do, with which parsers, and until when."""


class Models(Resource[M]):
    """The language models that parsers and classifiers can name."""

    @operation("GET", "/models", result="data")
    def list(self) -> Sequence[types.LanguageModel]:
        """Return the language models that parsers and classifiers can name.

        They are not tried: a model that is listed may not answer.
        """


class ParserSettings(TypedDict, total=False):
    """Settings of a parser."""

    is_active: bool | Unset
    accepted_file_types: Sequence[str | Mapping[str, Any]] | Unset
    confidence_scores: Mapping[str, Any] | Unset
    markdown_parsing: Mapping[str, Any] | Unset
    advanced_table_extraction: str | Unset
    data_extraction_mode: str | Unset
    model_use: str | Unset | None
    model: str | Unset | None
    split_documents: Mapping[str, Any] | Unset
    classification_gate: Mapping[str, Any] | Unset
    email_parsing: Mapping[str, Any] | Unset
    parse_pages: str | Unset | None
    reading_locale: Mapping[str, Any] | Unset
    document_name_template: str | Unset | None
    duplicate_keys: Sequence[str] | Unset
    unsure_below: float | Unset
    retention_days: int | Unset | None


class Parsers(Resource[M]):
    """Parsers of the key's team, and their settings."""

    @operation("GET", "/parsers")
    def page(
        self, *, q: str | None = None, is_active: bool | None = None, sort: str | None = None,
        type: str | None = None, page: int = 1, limit: int = 50,
    ) -> Page[types.Parser]:
        """Return the team's parsers that the key may see.

        ``q``: Part of the name, in any case. ``is_active``: Only active, or only inactive ones.
        """

    list = listing(page)

    @operation("POST", "/parsers")
    def create(
        self, name: str, *, description: str | None = None, template_key: str | None = None,
        fields: Sequence[FieldInput | Mapping[str, Any]] | None = None, idempotency_key: str | None = None,
        **settings: Unpack[ParserSettings],
    ) -> types.ParserDetails:
        """Create a parser, with its fields or from a template such as ``invoice``.

        ``name``: The name, for people. ``description``: For the members of the team. ``template_key``:
        A ready-made parser to start from. ``fields``: Fields, in their order.
        """

    @operation("GET", "/parsers/{parser_id}")
    def get(self, parser_id: str) -> types.ParserDetails:
        """Return a parser with its fields and review stages."""

    @operation("PATCH", "/parsers/{parser_id}")
    def update(
        self, parser_id: str, *, name: str | Unset = UNSET, description: str | Unset | None = UNSET,
        if_match: str | None = None, **settings: Unpack[ParserSettings],
    ) -> types.ParserDetails:
        """Change what is sent; objects are merged key by key."""

    @operation("DELETE", "/parsers/{parser_id}")
    def delete(self, parser_id: str) -> types.Done:
        """Delete a parser; its documents are hidden with it, and reading them is cancelled."""

    @operation("POST", "/parsers/{parser_id}/duplicate")
    def duplicate(
        self, parser_id: str, *, name: str | None = None, description: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.ParserDetails:
        """Copy a parser's setup; documents, keys, webhooks and history are not copied.

        ``name``: The name, for people. ``description``: For the members of the team.
        """

    @operation("POST", "/parsers/{parser_id}/evaluations", read_only=True, held_seconds=60)
    def evaluate(
        self, parser_id: str, document_ids: Sequence[str] | None = None, *,
        truth: Sequence[Mapping[str, Any]] | None = None, basis: str | None = None,
    ) -> types.EvaluatedParser:
        """Read documents with known values again, and return the accuracy before and now; nothing is
        changed.

        Known are all values of approved documents, those that people corrected or confirmed in others,
        and those given as ``truth``. If ``remainingDocuments`` has ids, there was no time for them:
        evaluate them by another request.

        ``document_ids``: The ids of documents. ``truth``: Documents with their True values. ``basis``:
        Which documents are evaluated: see above.
        """


class PostProcessing(Resource[M]):
    """Steps that change extracted values, and their lookup tables."""

    @operation("GET", "/parsers/{parser_id}/post-processing", result="steps")
    def get(self, parser_id: str) -> Sequence[dict[str, Any]]:
        """Return the steps that change extracted values, in their order."""

    @operation("PUT", "/parsers/{parser_id}/post-processing", result="steps")
    def set(self, parser_id: str, steps: Sequence[Mapping[str, Any]]) -> Sequence[dict[str, Any]]:
        """Replace all steps; documents that are processed from now on use them.

        ``steps``: The steps, in their order.
        """

    @operation("GET", "/parsers/{parser_id}/lookup-tables")
    def tables_page(self, parser_id: str, *, page: int = 1, limit: int = 50) -> Page[types.LookupTable]:
        """Return the parser's lookup tables, by name."""

    tables = listing(tables_page)

    @operation("PUT", "/parsers/{parser_id}/lookup-tables/{name}")
    def put_table(self, parser_id: str, name: str, file: File) -> types.LookupTable:
        """Create or replace a lookup table from a CSV file; steps of post-processing look up its rows."""

    @operation("DELETE", "/parsers/{parser_id}/lookup-tables/{name}")
    def delete_table(self, parser_id: str, name: str) -> types.Done:
        """Delete a lookup table that no step uses."""


class ReviewStages(Resource[M]):
    """Review stages of a parser, and the team's reviewers."""

    @operation("GET", "/parsers/{parser_id}/review-stages", result="data")
    def list(self, parser_id: str) -> Sequence[types.StageSetup]:
        """Return the parser's review stages by position."""

    @operation("POST", "/parsers/{parser_id}/review-stages")
    def create(
        self, parser_id: str, name: str, *, reviewer_instructions: str | None = None,
        position: int | None = None, review_type: str | None = None, on_failed_checks: str | None = None,
        reviewer_id: str | None = None, rules: Sequence[Mapping[str, Any]] | None = None,
        idempotency_key: str | None = None,
    ) -> types.StageSetup:
        """Create a review stage, by default mandatory and the last one; those from its position on move
        on.

        ``name``: The name, for people. ``reviewer_instructions``: What the reviewer is told; None for
        nothing. ``position``: Its place among the review stages, from 1; it is the last one unless it
        is set. ``review_type``: Whether every document is reviewed, or those for which ``rules`` hold.
        ``on_failed_checks``: Whether a document with failed checks or missing required values can be
        approved: ``ask`` lets the reviewer decide, ``block`` refuses. ``reviewer_id``: A member of the
        team, who gets the documents. A body may have ``reviewer``, as a stage shows them, in its place.
        ``rules``: All must hold for a document to be reviewed, if the stage is conditional.
        """

    @operation("GET", "/parsers/{parser_id}/review-stages/{stage_id}")
    def get(self, parser_id: str, stage_id: str) -> types.StageSetup:
        """Return a review stage."""

    @operation("PATCH", "/parsers/{parser_id}/review-stages/{stage_id}")
    def update(
        self, parser_id: str, stage_id: str, *, name: str | Unset = UNSET,
        reviewer_instructions: str | Unset | None = UNSET, position: int | Unset = UNSET,
        review_type: str | Unset = UNSET, on_failed_checks: str | Unset = UNSET,
        reviewer_id: str | Unset | None = UNSET, rules: Sequence[Mapping[str, Any]] | Unset = UNSET,
    ) -> types.StageSetup:
        """Change a review stage; documents that are at it keep their assignee."""

    @operation("DELETE", "/parsers/{parser_id}/review-stages/{stage_id}")
    def delete(self, parser_id: str, stage_id: str) -> types.Done:
        """Delete a review stage that no document waits for; documents processed later don't get it."""

    @operation("GET", "/parsers/{parser_id}/reviewers", result="data")
    def reviewers(self, parser_id: str) -> Sequence[types.Reviewer]:
        """Return the members of the team, by name."""


class Reviews(Resource[M]):
    """Decisions on a parser's documents in review."""

    @operation("POST", "/parsers/{parser_id}/documents/{document_id}/review/approve")
    def approve(
        self, parser_id: str, document_id: str, reviewer_id: str, *, idempotency_key: str | None = None,
    ) -> types.DocumentDetails:
        """Approve the stage in progress, as its assignee; the last approval approves the document.

        ``reviewer_id``: The id of a member of the team who acts.
        """

    @operation("POST", "/parsers/{parser_id}/documents/{document_id}/review/reject")
    def reject(
        self, parser_id: str, document_id: str, reviewer_id: str, reason: str | None = None, *,
        idempotency_key: str | None = None,
    ) -> types.DocumentDetails:
        """Reject the document at the stage in progress, as its assignee; the reason is the stage's
        comment.

        ``reviewer_id``: The id of a member of the team who acts. ``reason``: Why, in words; None
        without a reason.
        """

    @operation("POST", "/parsers/{parser_id}/documents/{document_id}/review/reset")
    def reset(
        self, parser_id: str, document_id: str, reviewer_id: str, *, idempotency_key: str | None = None,
    ) -> types.DocumentDetails:
        """Start the review of an approved or rejected document again; its values are kept.

        The reviewer is the one who acted last, or an owner or admin of the team.

        ``reviewer_id``: The id of a member of the team who acts.
        """

    @operation("POST", "/parsers/{parser_id}/documents/{document_id}/review/assign")
    def assign(
        self, parser_id: str, document_id: str, assignee_id: str | None, *,
        idempotency_key: str | None = None,
    ) -> types.DocumentDetails:
        """Assign the document, and its review stage in progress, to another person.

        A document in review can't be assigned to nobody.

        ``assignee_id``: The id of a member of the team who the document is assigned to; None for
        nobody.
        """


class Usage(Resource[M]):
    """The team's documents and pages, and its use of language models."""

    @operation("GET", "/usage")
    def get(self) -> types.TeamUsage:
        """Return documents and pages by day and parser, and the use of language models by month.

        Documents that were deleted don't count. Not for keys that are limited to parsers.
        """


class Webhooks(Resource[M]):
    """Webhooks of a parser or of all of them, and their deliveries."""

    @operation("GET", "/parsers/{parser_id}/webhooks", result="data")
    def list(self, parser_id: str | None) -> Sequence[types.Webhook]:
        """Return the parser's webhooks, the oldest first.

        ``parser_id`` is None for webhooks of all parsers.
        """

    @operation("POST", "/parsers/{parser_id}/webhooks")
    def create(
        self, parser_id: str | None, url: str, *, events: Sequence[str] | None = None,
        value_format: str | None = None, name: str | None = None, description: str | None = None,
        headers: Mapping[str, str] | None = None, is_active: bool | None = None,
        idempotency_key: str | None = None,
    ) -> types.CreatedWebhook:
        """Create a webhook, by default for ``document.exported``; the response has its secret.

        ``parser_id`` is None for webhooks of all parsers.

        ``url``: Where events are posted to. ``events``: The events that are sent; ``*`` for all.
        ``value_format``: Values as in Get Document Data, or all scalars as text and None as empty text.
        ``name``: The name, for people. ``description``: For the members of the team. ``headers``:
        Further headers of each request, all of them; the value ``***`` keeps a header's present value.
        ``is_active``: While False, no events are recorded for the webhook.
        """

    @operation("GET", "/parsers/{parser_id}/webhooks/{webhook_id}")
    def get(self, parser_id: str | None, webhook_id: str) -> types.Webhook:
        """Return a webhook.

        ``parser_id`` is None for webhooks of all parsers.
        """

    @operation("PATCH", "/parsers/{parser_id}/webhooks/{webhook_id}")
    def update(
        self, parser_id: str | None, webhook_id: str, *, url: str | Unset = UNSET,
        events: Sequence[str] | Unset = UNSET, value_format: str | Unset = UNSET, name: str | Unset = UNSET,
        description: str | Unset | None = UNSET, headers: Mapping[str, str] | Unset = UNSET,
        is_active: bool | Unset = UNSET,
    ) -> types.Webhook:
        """Change a webhook: ``headers`` are replaced, and ``is_active`` True also activates one that was
        disabled.

        ``parser_id`` is None for webhooks of all parsers.
        """

    @operation("DELETE", "/parsers/{parser_id}/webhooks/{webhook_id}")
    def delete(self, parser_id: str | None, webhook_id: str) -> types.Done:
        """Delete a webhook and its deliveries; those that are pending are not sent.

        ``parser_id`` is None for webhooks of all parsers.
        """

    @operation("GET", "/parsers/{parser_id}/webhooks/{webhook_id}/secret", result="secret")
    def secret(self, parser_id: str | None, webhook_id: str) -> str:
        """Return the secret that signs the webhook's deliveries.

        ``parser_id`` is None for webhooks of all parsers.
        """

    @operation("POST", "/parsers/{parser_id}/webhooks/{webhook_id}/secret/rotate")
    def rotate_secret(
        self, parser_id: str | None, webhook_id: str, *, idempotency_key: str | None = None,
    ) -> types.RotatedSecret:
        """Make a new secret; for 24 hours, deliveries are signed with the previous one as well.

        ``parser_id`` is None for webhooks of all parsers.
        """

    @operation("POST", "/parsers/{parser_id}/webhooks/{webhook_id}/test")
    def test(
        self, parser_id: str | None, webhook_id: str, *, event: str | None = None,
        idempotency_key: str | None = None,
    ) -> types.Trial:
        """Send an event of a document that doesn't exist, by default ``webhook.test``, and return the
        result.

        It is sent once, and is in no log.

        ``parser_id`` is None for webhooks of all parsers.

        ``event``: The event that is sent.
        """

    @operation("GET", "/parsers/{parser_id}/webhooks/{webhook_id}/deliveries")
    def deliveries_page(
        self, parser_id: str | None, webhook_id: str, *, status: str | None = None, page: int = 1,
        limit: int = 50,
    ) -> Page[types.Delivery]:
        """Return the deliveries with their attempts, the newest first.

        ``parser_id`` is None for webhooks of all parsers.
        """

    deliveries = listing(deliveries_page)

    @operation("POST", "/parsers/{parser_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/retry")
    def retry(
        self, parser_id: str | None, webhook_id: str, delivery_id: str, *, idempotency_key: str | None = None,
    ) -> types.Success:
        """Send a delivery now, whatever its status; if that fails, the schedule goes on.

        ``parser_id`` is None for webhooks of all parsers.
        """

    @operation("POST", "/parsers/{parser_id}/documents/{document_id}/export")
    def resend_export(
        self, parser_id: str, document_id: str, *, idempotency_key: str | None = None,
    ) -> types.Success:
        """Send ``document.exported`` with the present values to the webhooks that subscribe to it."""

    @operation("POST", "/webhooks/{webhook_id}/replay")
    def replay(
        self, webhook_id: str, *, event_id: str | None = None, created_from: str | dt.date | None = None,
        created_to: str | dt.date | None = None, idempotency_key: str | None = None,
    ) -> types.Replayed:
        """Send one event of the last 30 days, or all of a range to which the webhook subscribes.

        The webhook may be one of a parser or of all of them. It gets each event under one message id,
        however often it is sent; an event that waits to be sent already is not sent twice. An event to
        which no webhook subscribed when it happened describes its document as it is now.

        ``event_id``: The event, whether the webhook subscribes to it or not. ``created_from``: All
        events from this moment on to which the webhook subscribes. ``created_to``: Not those after it.
        Inclusive; a date without a time includes that whole day (UTC, or as in ``2026-01-31+02:00``).
        """


class Api(Resource[M]):
    """All operations of the API, by resource."""

    def __init__(self, runner: Runner, retries: Retries) -> None:
        super().__init__(runner, retries)
        self.audit_log: AuditLog[M] = AuditLog(runner, retries)
        self.classifiers: Classifiers[M] = Classifiers(runner, retries)
        self.documents: Documents[M] = Documents(runner, retries)
        self.events: Events[M] = Events(runner, retries)
        self.exports: Exports[M] = Exports(runner, retries)
        self.fields: ParserFields[M] = ParserFields(runner, retries)
        self.folders: Folders[M] = Folders(runner, retries)
        self.lessons: Lessons[M] = Lessons(runner, retries)
        self.me: Me[M] = Me(runner, retries)
        self.models: Models[M] = Models(runner, retries)
        self.parsers: Parsers[M] = Parsers(runner, retries)
        self.post_processing: PostProcessing[M] = PostProcessing(runner, retries)
        self.process: Processing[M] = Processing(runner, retries)
        self.review_stages: ReviewStages[M] = ReviewStages(runner, retries)
        self.reviews: Reviews[M] = Reviews(runner, retries)
        self.upload_pages: UploadPages[M] = UploadPages(runner, retries)
        self.usage: Usage[M] = Usage(runner, retries)
        self.webhooks: Webhooks[M] = Webhooks(runner, retries)

    wait = Processing.wait
