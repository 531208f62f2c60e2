"""The JSON of the API's responses: plain dictionaries with typed keys.

A server may send further keys, and new values where there are a few known ones.
Generated from the OpenAPI document by ``python -m tools.client``; do not edit.
"""

from __future__ import annotations

from typing import Any, Generic, NotRequired, TypedDict, TypeVar

Row = TypeVar("Row")


class Accuracy(TypedDict):
    """Counts of values: ``values`` are true ones, ``invented`` were read where there is none."""

    values: int
    right: int
    wrong: int
    missing: int
    invented: int
    accuracy: float


class Actor(TypedDict):
    """Who did it."""

    type: str
    id: str | None
    name: str


class Attempt(TypedDict):
    """An attempt to deliver an event."""

    at: str
    statusCode: int | None
    durationMs: int
    error: str | None


class AuditEntry(TypedDict):
    """An entry of the audit log."""

    id: str
    at: str
    actor: Actor
    action: str
    resourceType: str
    resourceId: str
    details: dict[str, Any] | None


class BeforeAndNow(TypedDict):
    """A field's accuracy as documents were read at first, and as they are read now."""

    name: str
    before: Accuracy
    now: Accuracy


class BulkUpdated(TypedDict):
    """The documents that were changed."""

    success: bool
    updated: int
    ids: list[str]
    failed: list[Failure]


class Cancelled(TypedDict):
    """The number of documents that are no longer read."""

    success: bool
    cancelled: int


class ClassifiedDocument(TypedDict):
    """A document of a classifier, with the result of its routing."""

    id: str
    name: str
    externalId: str | None
    custom: dict[str, Any] | None
    source: str
    contentType: str
    pageCount: int | None
    createdAt: str
    updatedAt: str
    status: str
    routing: DocumentRouting


class Classifier(TypedDict):
    """A classifier."""

    id: str
    slug: str
    name: str
    description: str
    isActive: bool
    emailAddress: str | None
    acceptedFileTypes: list[FileType]
    settings: ClassifierSettings
    createdAt: str
    updatedAt: str
    counts: ClassifierCounts


class ClassifierCounts(TypedDict):
    """The classifier's counts; documents that wait to be routed are in the total alone."""

    totalDocuments: int
    routed: int
    skipped: int
    failed: int


class ClassifierSettings(TypedDict):
    """The settings of a classifier."""

    routing: RoutingSettings
    model: str | None
    splitDocuments: dict[str, Any]
    emailParsing: dict[str, Any]


class Column(TypedDict):
    """A column of a table."""

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
    columns: list[Any]


class ColumnInput(TypedDict):
    """A column of a table."""

    id: NotRequired[str | None]
    name: str
    type: NotRequired[str]
    description: NotRequired[str | None]
    instructions: NotRequired[str | None]
    required: NotRequired[bool]
    position: NotRequired[int | None]
    options: NotRequired[list[str]]
    columns: NotRequired[list[Any]]
    labels: NotRequired[list[str]]
    extract: NotRequired[bool]


class CombinedUploadItem(TypedDict):
    """One uploaded file, its document, and the parser or classifier that it was sent to."""

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
    parserId: str | None
    classifierId: str | None
    routing: Routing | None


class CombinedUploaded(TypedDict):
    """An upload whose target is in its body."""

    success: bool
    result: list[CombinedUploadItem]


class CreatedWebhook(TypedDict):
    """A new webhook with the secret that signs its deliveries."""

    id: str
    url: str
    events: list[str]
    valueFormat: str
    name: str
    description: str
    headers: dict[str, Any]
    isActive: bool
    parserId: str | None
    status: str
    lastDeliveryAt: str | None
    lastStatusCode: int | None
    createdAt: str
    updatedAt: str
    secret: str


class CurrentStage(TypedDict):
    """The stage that a review is at."""

    id: str
    name: str
    reviewerInstructions: str | None
    position: int


class CursorPage(TypedDict, Generic[Row]):
    """A page of a list with cursors."""

    data: list[Row]
    pagination: CursorPagination


class CursorPagination(TypedDict):
    """The position of a page in a list with cursors."""

    page: int
    limit: int
    total: int
    pageCount: int
    nextCursor: str | None


class DayUsage(TypedDict):
    """Documents of a parser that came on a day (UTC)."""

    day: str
    parserId: str
    parserName: str
    documents: int
    pages: int


class Deleted(TypedDict):
    """The documents that were deleted."""

    success: bool
    deleted: int
    ids: list[str]


class Deletion(TypedDict):
    """A document that was deleted."""

    id: str
    parserId: str | None
    deletedAt: str


class Delivery(TypedDict):
    """A delivery of an event to a webhook."""

    id: str
    event: str
    eventId: str | None
    documentId: str
    status: str
    attempts: list[Attempt]
    nextAttemptAt: str | None
    createdAt: str


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
    parserId: str | None
    confidence: float | None
    error: NotRequired[str]
    data: NotRequired[dict[str, Any]]


class DocumentData(TypedDict):
    """A document's values and metadata."""

    data: dict[str, Any]
    metadata: Metadata
    error: NotRequired[str]


class DocumentDetails(TypedDict):
    """A document with its values."""

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
    parserId: str | None
    confidence: float | None
    error: NotRequired[str]
    data: dict[str, Any]
    version: str
    url: str
    folder: Folder | None
    metadata: Metadata


class DocumentRouting(TypedDict):
    """The result of a document's routing."""

    status: str
    category: str | None
    targetParserId: str | None
    targetParserName: str | None
    targetDocumentId: str | None
    confidence: float | None
    reasoning: str | None
    error: str | None


class DocumentUsage(TypedDict):
    """What all readings of a document used of a language model."""

    model: str
    requests: int
    inputTokens: int
    outputTokens: int
    cost: float


class DocumentsByBasis(TypedDict):
    """The number of documents evaluated whose values were given, corrected or confirmed, and approved."""

    given: int
    corrected: int
    approved: int


class Done(TypedDict):
    """An action that succeeded."""

    success: bool
    id: str


class EvaluatedParser(TypedDict):
    """The accuracy of a parser on documents whose values are known."""

    basis: str
    fields: list[BeforeAndNow]
    total: BeforeAndNow
    wrongCells: list[WrongValue]
    wrongCellCount: int
    documents: int
    documentsByBasis: DocumentsByBasis
    evaluatedDocuments: list[str]
    failedDocuments: list[str]
    remainingDocuments: list[str]
    documentsNotReviewed: int


class Event(TypedDict):
    """An event of a document."""

    id: str
    event: str
    parserId: str
    documentId: str
    createdAt: str


class Explanation(TypedDict):
    """What speaks for a value and against it."""

    field: str
    row: int | None
    value: Any
    confidence: float | None
    sentences: list[str]


class ExportLayout(TypedDict):
    """A saved layout of exports."""

    id: str
    name: str
    format: str
    scope: str | None
    tableName: str | None
    columns: list[LayoutColumn] | None
    warnings: list[str]
    createdAt: str
    updatedAt: str


class ExportLink(TypedDict):
    """An export that is fetched by link, which needs no key and expires."""

    success: bool
    format: str
    scope: str | None
    fileName: str
    contentType: str
    documentCount: int
    rowCount: int
    url: str
    expiresAt: str
    skippedDocuments: NotRequired[list[str]]
    warnings: NotRequired[list[str]]


class Failure(TypedDict):
    """A document that could not be changed, and why."""

    id: str
    code: str
    message: str


class Fallback(TypedDict):
    """What happens to documents that no rule fits."""

    action: str
    targetParserId: str | None


class FeedPage(TypedDict, Generic[Row]):
    """A page of a list that only grows at its end."""

    data: list[Row]
    pagination: FeedPagination


class FeedPagination(TypedDict):
    """The position of a page in a list that only grows at its end."""

    limit: int
    hasMore: bool
    nextCursor: str


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
    columns: list[Column]


class FieldInput(TypedDict):
    """A field, or changes of one; a table's ``columns`` replace all that it has."""

    id: NotRequired[str | None]
    name: NotRequired[str]
    type: NotRequired[str]
    description: NotRequired[str | None]
    instructions: NotRequired[str | None]
    required: NotRequired[bool]
    position: NotRequired[int | None]
    options: NotRequired[list[str]]
    columns: NotRequired[list[ColumnInput]]
    labels: NotRequired[list[str]]
    extract: NotRequired[bool]


class Fields(TypedDict):
    """A parser's fields after a change."""

    fields: list[Field]
    reprocessRecommended: bool


class FileType(TypedDict):
    """An accepted file type."""

    mimeType: str
    label: str


class Folder(TypedDict):
    """A folder, its place, and its counts."""

    id: str
    name: str
    color: str | None
    parentId: str | None
    hasAutoAssign: bool
    autoAssignment: dict[str, Any] | None
    slug: str
    documentCount: int
    directDocumentCount: int
    childFolderCount: int
    pathIds: list[str]
    pathNames: list[str]
    pathLabel: str
    depth: int
    createdAt: str
    updatedAt: str


class FolderDeleted(TypedDict):
    """A deleted folder, and what was deleted or moved with it."""

    success: bool
    id: str
    deletedFolders: int
    movedDocuments: int
    deletedDocuments: int


class FoundOnSample(TypedDict):
    """What a sample has for a field."""

    value: Any
    page: int | None
    confidence: float | None
    rowCount: int | None


class HistoryEntry(TypedDict):
    """One change of a document's status."""

    at: str
    event: str
    fromStatus: str | None
    toStatus: str
    reason: str | None
    actor: str


class LanguageModel(TypedDict):
    """A language model, without its key and its files."""

    name: str
    isDefault: bool
    model: str
    isLocal: bool
    endpoint: str | None
    contextTokens: int
    takesPictures: bool
    inputPrice: float | None
    outputPrice: float | None


class LayoutColumn(TypedDict):
    """A column of a layout."""

    field: str
    header: str | None


class Lesson(TypedDict):
    """What a parser has learned of a field from one document."""

    id: str
    fieldId: str
    field: str
    column: str | None
    kind: str
    status: str
    label: str | None
    page: int | None
    value: Any
    documents: int
    corrected: bool
    documentId: str | None
    documentName: str | None
    learnedBy: Actor | None
    learnedAt: str


class LookupTable(TypedDict):
    """A lookup table."""

    name: str
    columns: list[str]
    rows: int
    updatedAt: str


class Me(TypedDict):
    """Whom a request is from, and what it may do."""

    team: MyTeam
    apiKey: MyKey | None
    permissions: list[str]
    parsers: list[MyParser] | None


class Metadata(TypedDict):
    """A document's metadata."""

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
    fileName: str
    url: str
    thumbnail: str | None
    markdownUrl: str | None
    isApproved: bool
    isRejected: bool
    field_metadata: dict[str, Any]
    locating: list[str]
    unsureBelow: float
    sourceDetail: dict[str, Any]
    classifierId: str | None
    split: dict[str, Any] | None
    parts: list[str]
    classification: dict[str, Any] | None
    duplicateOf: list[str]
    warnings: list[str]
    statusReason: str | None
    needsPassword: bool
    parserRevision: int | None
    modelUsage: list[DocumentUsage]
    waiting: Waiting | None
    progress: Progress | None


class ModelMonth(TypedDict):
    """Use of a language model in a month (UTC)."""

    month: str
    model: str
    documents: int
    requests: int
    inputTokens: int
    outputTokens: int
    cost: float


class MyKey(TypedDict):
    """A key without its text."""

    id: str
    name: str
    prefix: str
    createdAt: str
    expiresAt: str | None


class MyParser(TypedDict):
    """A parser that the key is limited to."""

    id: str
    name: str


class MyTeam(TypedDict):
    """The team that the key belongs to."""

    id: str
    name: str
    slug: str


class Operation(TypedDict):
    """The state of an upload, and the Dagster run that reads its document."""

    name: str
    done: bool
    documentId: str
    status: str
    runId: str | None
    runUrl: str | None
    error: NotRequired[str]


class Page(TypedDict, Generic[Row]):
    """A page of a list."""

    data: list[Row]
    pagination: Pagination


class Pagination(TypedDict):
    """The position of a page in its list."""

    page: int
    limit: int
    total: int
    pageCount: int


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
    fieldCount: int
    problem: NotRequired[str]


class ParserCounts(TypedDict):
    """The parser's counts."""

    totalDocuments: int
    folders: int


class ParserDetails(TypedDict):
    """A parser with its fields and review stages."""

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
    fieldCount: int
    problem: NotRequired[str]
    version: str
    fields: list[Field]
    emailAddress: str | None
    warehouseColumns: dict[str, Any]
    reviewStages: list[StageSetup]


class Person(TypedDict):
    """A member of the team."""

    id: str
    name: str
    email: str


class Progress(TypedDict):
    """How far a long document has been read."""

    pagesRead: int
    pages: int


class Queued(TypedDict):
    """The number of documents that were queued again."""

    success: bool
    queued: int


class Replayed(TypedDict):
    """What a replay sends."""

    deliveries: int
    pending: int
    skipped: int


class Reprocessed(TypedDict):
    """A document that was queued again."""

    success: bool
    documentId: str
    status: str


class Review(TypedDict):
    """The progress of a document's review."""

    isRequired: bool
    status: str
    assignee: Person | None
    currentStage: CurrentStage | None
    stages: list[Stage]


class Reviewer(TypedDict):
    """A member of the team, who can be a reviewer."""

    id: str
    name: str
    email: str
    role: str


class RotatedSecret(TypedDict):
    """The new secret; until then, the previous one signs as well."""

    secret: str
    previousSecretExpiresAt: str


class Routing(TypedDict):
    """The result of routing a document by a classifier."""

    status: str
    category: str | None
    targetParserId: str | None
    targetParserName: str | None
    reasoning: str | None
    error: str | None


class RoutingSettings(TypedDict):
    """The rules of a classifier, in order, and its fallback."""

    rules: list[Rule]
    fallback: Fallback
    instructions: str


class Rule(TypedDict):
    """A label, and the parser of documents with that label."""

    id: str
    label: str
    targetParserId: str


class Stage(TypedDict):
    """A document at one stage of its review."""

    id: str
    name: str
    reviewerInstructions: str | None
    position: int
    status: str
    assignee: Person | None
    approvedAt: str | None
    rejectedAt: str | None
    comment: str | None


class StageSetup(TypedDict):
    """The setup of a review stage."""

    id: str
    name: str
    reviewerInstructions: str | None
    position: int
    reviewType: str
    onFailedChecks: str
    rules: list[dict[str, Any]]
    reviewer: Person | None


class Success(TypedDict):
    """An action that succeeded."""

    success: bool


class SuggestedColumn(TypedDict):
    """A column found on the sample."""

    name: str
    type: str
    description: str | None
    instructions: str | None
    required: bool
    position: int | None
    options: list[str]
    labels: list[str]
    extract: bool
    columns: list[Any]


class SuggestedField(TypedDict):
    """A field found on the sample, named as printed there; it can be saved as it is."""

    name: str
    type: str
    description: str | None
    instructions: str | None
    required: bool
    position: int | None
    options: list[str]
    labels: list[str]
    extract: bool
    columns: list[SuggestedColumn]


class SuggestedFields(TypedDict):
    """The fields found on the samples, those on most samples first."""

    fields: list[SuggestedField]
    found: list[dict[str, Any]]
    foundOn: dict[str, Any]


class TeamUsage(TypedDict):
    """A team's use in this month and the eleven before it, the newest first."""

    days: list[DayUsage]
    models: list[ModelMonth]


class Trial(TypedDict):
    """The result of a test."""

    success: bool
    statusCode: int | None
    durationMs: int
    error: str | None


class UploadItem(TypedDict):
    """One uploaded file, and its document."""

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


class UploadPage(TypedDict):
    """An upload page."""

    id: str
    isActive: bool
    title: str
    message: str
    embedOrigins: list[str]
    filesPerHour: int
    url: str
    createdAt: str
    updatedAt: str


class Uploaded(TypedDict):
    """An upload: all its files are stored and queued."""

    success: bool
    result: list[UploadItem]


class Waiting(TypedDict):
    """Why a document waits, and since when."""

    since: str
    position: int
    reason: str


class Webhook(TypedDict):
    """A webhook."""

    id: str
    url: str
    events: list[str]
    valueFormat: str
    name: str
    description: str
    headers: dict[str, Any]
    isActive: bool
    parserId: str | None
    status: str
    lastDeliveryAt: str | None
    lastStatusCode: int | None
    createdAt: str
    updatedAt: str


class WrongValue(TypedDict):
    """A value that is read wrong now; texts are cut at 200 characters."""

    documentId: str
    field: str
    row: int | None
    expected: Any
    got: Any
    gotBefore: Any
