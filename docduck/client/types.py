"""What the server answers, as it stands in its JSON (spec.md): plain dictionaries with typed keys.

A server may send keys that are not listed here, and statuses and sources that are new: they pass through.
"""

from __future__ import annotations

from typing import Any, Generic, NotRequired, TypedDict, TypeVar

Row = TypeVar("Row")

FINAL = frozenset({"processed", "failed", "in_review", "approved", "rejected", "skipped"})
"""Statuses of a document that nothing is being done about at the moment."""


class Pagination(TypedDict):
    """Where a page stands."""

    page: int
    limit: int
    total: int
    pageCount: int


class Page(TypedDict, Generic[Row]):
    """A page of a list."""

    data: list[Row]
    pagination: Pagination


class FieldInput(TypedDict, total=False):
    """A field to make, or what to change of one."""

    id: str
    name: str
    type: str
    description: str | None
    instructions: str | None
    required: bool
    position: int
    options: list[str]
    columns: list[FieldInput]
    labels: list[str]
    extract: bool


class Field(TypedDict):
    """A field of a parser; ``columns`` are a table's."""

    id: str
    name: str
    type: str
    description: str | None
    instructions: str | None
    required: bool
    position: int | None
    options: list[str]
    labels: list[str]
    extract: bool
    columns: NotRequired[list[Field]]


class Fields(TypedDict):
    """A parser's fields after a change."""

    fields: list[Field]
    reprocessRecommended: bool


class SuggestedField(TypedDict):
    """A field found on a sample; it can be saved as it is."""

    name: str
    type: str
    description: str | None
    instructions: str | None
    required: bool
    position: int | None
    options: list[str]
    labels: list[str]
    extract: bool
    columns: list[SuggestedField]


class FileType(TypedDict):
    """A type of files."""

    mimeType: str
    label: str


class ParserCounts(TypedDict):
    """What a parser has."""

    totalDocuments: int
    folders: int


class Parser(TypedDict):
    """A parser as a list shows it."""

    id: str
    name: str
    description: str
    type: str
    slug: str
    templateKey: str | None
    isActive: bool
    acceptedFileTypes: list[FileType]
    settings: dict[str, Any]
    createdAt: str
    updatedAt: str
    counts: ParserCounts


class ParserDetails(Parser):
    """A parser with what belongs to it."""

    fields: list[Field]
    emailAddress: str | None
    reviewStages: list[dict[str, Any]]


class Folder(TypedDict):
    """A folder of a parser, its place, and what is in it."""

    id: str
    name: str
    slug: str
    color: str | None
    parentId: str | None
    documentCount: int
    directDocumentCount: int
    childFolderCount: int
    pathIds: list[str]
    pathNames: list[str]
    pathLabel: str
    depth: int
    hasAutoAssign: bool
    autoAssignment: dict[str, Any] | None
    createdAt: str
    updatedAt: str


class FolderDeleted(TypedDict):
    """What went with a folder."""

    success: bool
    id: str
    deletedFolders: int
    movedDocuments: int
    deletedDocuments: int


class Person(TypedDict):
    """A member of the team."""

    id: str
    name: str
    email: str


class Review(TypedDict):
    """How far a document is through its review."""

    isRequired: bool
    status: str
    assignee: Person | None
    currentStage: dict[str, Any] | None
    stages: list[dict[str, Any]]


class Document(TypedDict):
    """A document as a list shows it."""

    id: str
    name: str
    externalId: str | None
    custom: dict[str, Any] | None
    status: str
    folderId: str | None
    source: str
    contentType: str
    createdAt: str
    updatedAt: str
    isProcessed: bool
    isFailed: bool
    pageCount: int | None
    review: Review


class Metadata(TypedDict):
    """What is known of a document beside its values; ``field_metadata`` has their places."""

    id: str
    name: str
    fileName: str
    externalId: str | None
    custom: dict[str, Any] | None
    url: str | None
    status: str
    isProcessed: bool
    isFailed: bool
    thumbnail: str | None
    markdownUrl: str | None
    createdAt: str
    updatedAt: str
    pageCount: int | None
    isApproved: bool
    isRejected: bool
    field_metadata: dict[str, Any]
    review: Review
    contentType: str
    source: str
    sourceDetail: dict[str, Any]
    folderId: str | None
    classifierId: str | None
    split: dict[str, Any] | None
    classification: dict[str, Any] | None
    duplicateOf: list[str]
    warnings: list[str]
    parserRevision: int | None


class DocumentData(TypedDict):
    """A document's values by field name; ``error`` is there when it failed."""

    data: dict[str, Any]
    metadata: Metadata
    error: NotRequired[str]


class DocumentDetails(Document):
    """A document whole."""

    url: NotRequired[str | None]
    folder: Folder | None
    metadata: Metadata
    data: dict[str, Any]
    error: NotRequired[str]


class HistoryEntry(TypedDict):
    """One change of a document's state."""

    at: str
    event: str
    fromStatus: str | None
    toStatus: str
    reason: str | None
    actor: str


class Failure(TypedDict):
    """A document that could not be changed, and why."""

    id: str
    message: str


class BulkUpdated(TypedDict):
    """Which documents were changed."""

    success: bool
    updated: int
    ids: list[str]
    failed: list[Failure]


class Deleted(TypedDict):
    """Which documents were deleted."""

    success: bool
    deleted: int
    ids: list[str]


class Reprocessed(TypedDict):
    """A document that is read again."""

    success: bool
    documentId: str
    status: str


class Routing(TypedDict):
    """Where a classifier sent a document."""

    status: str
    category: str | None
    targetParserId: str | None
    targetParserName: str | None
    reasoning: str | None
    error: str | None


class UploadItem(TypedDict):
    """What became of one file; ``data`` is there when it was waited for and is done."""

    id: str
    documentId: str
    name: str
    url: str | None
    isProcessed: bool
    status: str
    message: str
    operationName: str
    pageCount: int | None
    externalId: str | None
    custom: dict[str, Any] | None
    data: NotRequired[dict[str, Any]]
    parserId: NotRequired[str | None]
    classifierId: NotRequired[str | None]
    routing: NotRequired[Routing | None]


class Operation(TypedDict):
    """What became of an upload, and the run that reads its document."""

    name: str
    done: bool
    documentId: str
    status: str
    runId: str | None
    runUrl: str | None
    error: NotRequired[str]
