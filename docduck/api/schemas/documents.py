"""Documents: bodies and responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AliasPath, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.config import JsonDict

from docduck.api.schemas.base import ResponseModel, Timestamp, omitted_if_none
from docduck.service.core.property_types import INCLUSIVE_END, LowerBound, Many, Name, UpperBound, Uuid
from docduck.service.core.schema import Schema, partial
from docduck.service.documents.file_passwords import LONGEST as LONGEST_PASSWORD
from docduck.service.documents.queries.document_views import DocumentUsage
from docduck.service.documents.queries.review_progress import Review
from docduck.service.documents.queries.waiting import Progress, Waiting
from docduck.service.folders import FolderView
from docduck.service.search.cursors import LONGEST_CURSOR
from docduck.statuses import FINAL, Status

ExternalId = Annotated[str, Field(min_length=1, max_length=255, examples=["A-17"])]
Custom = Annotated[
    dict[str, Any], Field(description="Any object, at most 16 KiB as JSON and five levels deep")
]
FinalStatus = Annotated[str, WithJsonSchema({"type": "string", "enum": [*FINAL]})]
_MOST_IN_BULK = 500


_STATUS = AliasPath("status")


def _is(status: Status) -> BeforeValidator:
    """Turn a document's status into whether it is ``status``."""
    return BeforeValidator(lambda value: value == status)


class _DocumentFacts(ResponseModel):
    id: str
    name: str
    external_id: str | None
    custom: dict[str, Any] | None
    status: Status
    folder_id: str | None
    source: str = Field(examples=["api"])
    content_type: str = Field(examples=["application/pdf"])
    created_at: Timestamp
    updated_at: Timestamp
    is_processed: bool
    is_failed: Annotated[bool, _is(Status.FAILED)] = Field(validation_alias=_STATUS)
    page_count: int | None
    review: Review


class DocumentResponse(_DocumentFacts):
    """A document as a list shows it."""

    parser_id: str | None = Field(description="Null while a classifier has not routed it")
    confidence: float | None = Field(description="Of all its values; null until it was read")
    error: str | None = omitted_if_none("Only when processing failed")
    data: dict[str, Any] | None = omitted_if_none(
        "Values by field name, only with `include=data`; empty unless the document was read"
    )


class Metadata(_DocumentFacts):
    """A document's metadata."""

    file_name: str = Field(description="The name that its file came with")
    url: str = Field(description="Link to the file; it needs no key and holds for an hour")
    thumbnail: str | None
    markdown_url: str | None
    is_approved: Annotated[bool, _is(Status.APPROVED)] = Field(validation_alias=_STATUS)
    is_rejected: Annotated[bool, _is(Status.REJECTED)] = Field(validation_alias=_STATUS)
    field_metadata: dict[str, Any] = Field(
        serialization_alias="field_metadata",
        description="For each value its confidence, its page and its places, and the id of the document"
        " that it was `learnedFrom`; in the shape of `data`",
    )
    locating: list[str] = Field(
        description="Corrected values whose places on the pages are being looked for, `Table.Column` in "
        "tables; they are in `field_metadata` a few seconds later, where there are any",
        examples=[["Total"]],
    )
    unsure_below: float = Field(
        description="Values of less confidence are unsure: the parser's setting", examples=[0.9]
    )
    source_detail: dict[str, Any] = Field(
        description="What is known of where it came from",
        examples=[{"connector": "zapier"}],
    )
    classifier_id: str | None
    split: dict[str, Any] | None = Field(
        description="Of a part of a PDF or a file of an archive: the document and name of that, which of how "
        "many parts this is, its `pages`, and as `key` its partition key or its path",
        examples=[
            {
                "sourceDocumentId": "0192f0c1-2b4e-7c3a-9d5e-6f7a8b9c0d1e",
                "sourceName": "batch.zip",
                "index": 1,
                "total": 3,
                "pages": None,
                "key": "march/invoice.pdf",
                "unassignedPages": [],
            }
        ],
    )
    parts: list[str] = Field(
        description="Ids of all documents that came of the same mail, archive or PDF, in its order. The "
        "first has the id that the upload was answered with. Empty if there is only this one"
    )
    classification: dict[str, Any] | None
    duplicate_of: list[str] = Field(
        description="Ids of the parser's earlier documents with the same content, the oldest first"
    )
    warnings: list[str]
    status_reason: str | None = Field(
        description="Why the document was skipped, or failed; null for others",
        examples=["Its body is not to be parsed; its attachment is a document of its own"],
    )
    needs_password: bool = Field(
        description="Whether it failed for want of a password; it can be read again with one"
    )
    parser_revision: int | None = Field(
        description="The revision of the parser that the document was read by; it goes up with every change "
        "of the parser. Null until the document was read"
    )
    model_usage: list[DocumentUsage] = Field(
        description="What all its readings used of language models, by model; empty if none was asked"
    )
    waiting: Waiting | None = Field(description="Why it is not being read; null unless it is queued")
    progress: Progress | None = Field(description="How far a long document has been read; null for others")


class DocumentDetails(DocumentResponse):
    """A document with its values."""

    version: str = Field(
        description="Changes with every change of its values, status, review, folder or other properties; a "
        "PATCH takes it as `If-Match`, in quotes"
    )
    url: str
    folder: FolderView | None
    metadata: Metadata
    data: dict[str, Any] = Field(
        description="Values by field name; empty unless the document was read",
        examples=[{"Number": "A-1", "Total": 12.5, "Line Items": [{"Description": "Bolt", "Amount": 12.5}]}],
    )


class DocumentData(ResponseModel):
    """A document's values and metadata."""

    data: dict[str, Any]
    metadata: Metadata
    error: str | None = omitted_if_none("Only when processing failed")


@partial
class DocumentUpdate(Schema):
    """The properties to change; null clears one."""

    name: Name
    external_id: ExternalId | None
    custom: Custom | None
    folder_id: Uuid | None
    assignee_id: Uuid | None


# Rules are conditions, which generators of clients skip: they take an anyOf or oneOf for several bodies.
def _any_of(name: str, *others: str, at_least: int = 0) -> JsonDict:
    """Return the rule that a body has at least one of these keys, with ``at_least`` items in a list."""
    filled: JsonDict = {"type": "array", "minItems": at_least} if at_least else {}
    has: JsonDict = {"required": [name], "properties": {name: filled}}
    return {"if": {"not": has}, "then": _any_of(*others, at_least=at_least)} if others else has


_NAMED = _any_of("documentIds", "externalIds", at_least=1)
_CHANGED = _any_of("folderId", "assigneeId", "custom")
_ID: JsonDict = {"required": ["documentId"], "properties": {"documentId": {"type": "string"}}}
_EXTERNAL_ID: JsonDict = {"required": ["externalId"], "properties": {"externalId": {"type": "string"}}}
_NO_EXTERNAL_ID: JsonDict = {"properties": {"externalId": {"type": "null"}}}
_EXACTLY_ONE: JsonDict = {"if": _ID, "then": _NO_EXTERNAL_ID, "else": _EXTERNAL_ID}


class DocumentsNamed(Schema):
    """Documents of the parser by their ids, their external ids, or both; at least one."""

    model_config = ConfigDict(json_schema_extra=_NAMED)

    document_ids: Many[Uuid] | None = None
    external_ids: Many[ExternalId] | None = None


class BulkUpdate(Schema):
    """Documents, 1 to 500 in all, and at least one thing to change in them."""

    model_config = ConfigDict(json_schema_extra={"allOf": [_NAMED, _CHANGED]})

    document_ids: Annotated[list[Uuid], Field(max_length=_MOST_IN_BULK)] | None = None
    external_ids: Annotated[list[ExternalId], Field(max_length=_MOST_IN_BULK)] | None = None
    folder_id: Uuid | None = None
    assignee_id: Uuid | None = None
    custom: Custom | None = None


class Failure(ResponseModel):
    """A document that could not be changed, and why."""

    id: str
    code: str = Field(description="The code of the error", examples=["assignee_required"])
    message: str


class BulkUpdated(ResponseModel):
    """The documents that were changed."""

    success: bool
    updated: int
    ids: list[str]
    failed: list[Failure]


class Deleted(ResponseModel):
    """The documents that were deleted."""

    success: bool
    deleted: int
    ids: list[str]


DiscardCorrections = Annotated[
    bool,
    Field(description="Read also those values anew that people corrected or confirmed, which stay otherwise"),
]


Password = Annotated[
    Annotated[
        str,
        Field(min_length=1, max_length=LONGEST_PASSWORD, json_schema_extra={"format": "password"}),
    ]
    | None,
    Field(
        description="What opens the file, if it needs a password: a PDF, or files of a ZIP. It is kept "
        "encrypted with the document, for later readings and for pictures of its pages; it is never shown"
    ),
]


class DocumentToReprocess(Schema):
    """One document, by exactly one of its ids, and how to read it again."""

    model_config = ConfigDict(json_schema_extra=_EXACTLY_ONE)

    document_id: Uuid | None = None
    external_id: ExternalId | None = None
    discard_corrections: DiscardCorrections = False
    password: Password = None


class ReprocessOptions(Schema):
    """How to read a document again; the body may be left out."""

    discard_corrections: DiscardCorrections = False
    password: Password = None


class StatusesToReprocess(Schema):
    """Which of a parser's documents to read again, and how; the body may be left out."""

    discard_corrections: DiscardCorrections = False
    statuses: Annotated[list[FinalStatus], Field(min_length=1, max_length=20)] | None = Field(
        None, description="Only documents in these; by default in all that can be read again"
    )


class TeamDocuments(Schema):
    """Documents of any parsers."""

    document_ids: Annotated[list[Uuid], Field(min_length=1, max_length=10_000, fail_fast=True)]


class TeamDocumentsToReprocess(TeamDocuments, ReprocessOptions):
    """Documents of any parsers, and how to read them again."""


class Nothing(Schema):
    """An empty object, or no body at all."""


class Reprocessed(ResponseModel):
    """A document that was queued again."""

    success: bool
    document_id: str
    status: Literal["processing", "skipped"]


class Queued(ResponseModel):
    """The number of documents that were queued again."""

    success: bool
    queued: int


class Cancelled(ResponseModel):
    """The number of documents that are no longer read."""

    success: bool
    cancelled: int


class ValuesUpdate(Schema):
    """Values by field name or id. A table is replaced as a whole; null clears a value."""

    data: dict[str, Any] = Field(examples=[{"Total": 119.0}])
    reviewer_id: Uuid | None = Field(None, description="The member of the team who corrects the values")


class Confirmation(Schema):
    """Who confirms a document's values; the body may be left out."""

    reviewer_id: Uuid | None = Field(None, description="The member of the team who confirms the values")


UpdatedFrom = Annotated[
    LowerBound | None,
    Field(
        description="Only documents whose values, status, review, folder or other properties changed at this "
        "moment or later"
    ),
]
UpdatedTo = Annotated[
    UpperBound | None, Field(description=f"Only documents that last changed until then. {INCLUSIVE_END}")
]
Cursor = Annotated[
    Annotated[str, Field(max_length=LONGEST_CURSOR)] | None,
    Field(description="The `nextCursor` of another page, in place of `page`; the other parameters stay"),
]
Include = Annotated[Literal["data"] | None, Field(description="`data` adds the values to the rows")]

Filter = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "type": "object",
            "required": ["field", "operator"],
            "additionalProperties": False,
            "properties": {
                "field": {
                    "type": "string",
                    "description": "A field's name or id, `Table.Column`, or a property: `$name`, `$status`, "
                    "`$source`, `$contentType`, `$externalId`, `$pageCount`, `$createdAt`, `$updatedAt`, "
                    "`$folderId`, `$assigneeId`, `$reviewStageId`, `$custom.<path>`. A name in quotation "
                    'marks is always that of a field: `"$status"`, `"Table"."Column"`',
                },
                "operator": {"type": "string", "examples": ["greater_than"]},
                "value": {},
                "condition": {"type": "string", "enum": ["extracted_value", "confidence"]},
            },
        }
    ),
]
"""One condition; the search validates it."""


class SearchBody(Schema):
    """A search in the properties and values of documents."""

    q: str | None = Field(None, description="Words that must all occur")
    status: Annotated[Status, Field(strict=False)] | None = None
    folder_id: Uuid | None = Field(None, description="Null for documents in no folder")
    include_subfolders: bool = Field(False, description="Those in the folders below `folderId`, too")
    external_id: ExternalId | None = None
    assignee_id: Uuid | None = None
    review_stage_id: Uuid | None = None
    created_from: LowerBound | None = None
    created_to: UpperBound | None = Field(None, description=INCLUSIVE_END)
    updated_from: UpdatedFrom = None
    updated_to: UpdatedTo = None
    page: Annotated[int, Field(ge=1, le=1_000_000_000)] = 1
    limit: Annotated[int, Field(ge=1, le=100)] = 50
    cursor: Cursor = None
    include: Include = None
    sort: str | None = Field(
        None,
        description="A sort of the list, `field:<name>.asc`, `field:<name>.desc`, or `relevance`",
        examples=["createdAt.desc", "field:Total.desc", "relevance"],
    )
    filters: Annotated[list[Filter], Field(max_length=20)] | None = None
