"""Uploads and their operations: bodies and responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from docduck.api.schemas.base import ResponseModel, omitted_if_none
from docduck.service.core.property_types import Many, Uuid
from docduck.service.core.schema import Schema

UrlText = Annotated[str, Field(min_length=1, max_length=8192, examples=["https://example.org/invoice.pdf"])]
Custom = Annotated[list[dict[str, Any] | None], Field(max_length=20)]
ExternalIds = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=255)] | None], Field(max_length=20)
]


def _json_text(items: dict[str, Any], example: str, description: str) -> dict[str, Any]:
    """Return the schema of a part that is a JSON array: a text, as generated clients send it."""
    return {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": {"type": "array", "items": items},
        "examples": [example],
        "description": f"A JSON array with {description} for each file, such as `{example}`; null for none",
    }


EXTERNAL_IDS = _json_text(
    {"type": ["string", "null"], "minLength": 1, "maxLength": 255}, '["A-17"]', "an external id"
)
CUSTOM = _json_text({"type": ["object", "null"]}, '[{"order": 7}]', "an object of the sender's own")
"""Schemas of the JSON arrays beside an upload's files."""


class UrlUpload(Schema):
    """Files to fetch for one parser."""

    urls: Many[UrlText] = Field(description="1 to 20 public HTTP or HTTPS URLs")
    external_ids: ExternalIds | None = None
    custom: Custom | None = None
    folder_id: Uuid | None = None


class CombinedUrlUpload(UrlUpload):
    """Files to fetch for exactly one parser or classifier; `folderId` for a parser only."""

    parser_id: Uuid | None = None
    classifier_id: Uuid | None = None


class Routing(ResponseModel):
    """The result of routing a document by a classifier."""

    status: Literal["pending", "routed", "skipped", "failed"]
    category: str | None
    target_parser_id: str | None
    target_parser_name: str | None
    reasoning: str | None
    error: str | None


class UploadItem(ResponseModel):
    """One uploaded file, and its document."""

    id: str
    document_id: str
    name: str
    url: str | None
    is_processed: bool
    status: str = Field(examples=["processing"])
    message: str
    operation_name: str = Field(examples=["operations/0190b3c2-7c3e-7000-8000-000000000000"])
    page_count: int | None
    external_id: str | None
    custom: dict[str, Any] | None
    data: dict[str, Any] | None = omitted_if_none("With `wait`, once it is processed")


class CombinedUploadItem(UploadItem):
    """One uploaded file, its document, and the parser or classifier that it was sent to."""

    parser_id: str | None
    classifier_id: str | None
    routing: Routing | None


class Uploaded(ResponseModel):
    """An upload: all its files are stored and queued."""

    success: bool
    result: list[UploadItem]


class CombinedUploaded(ResponseModel):
    """An upload whose target is in its body."""

    success: bool
    result: list[CombinedUploadItem]


class OperationResponse(ResponseModel):
    """The state of an upload, and the Dagster run that reads its document."""

    name: str = Field(examples=["operations/0190b3c2-7c3e-7000-8000-000000000000"])
    done: bool
    document_id: str
    status: str = Field(examples=["processing"])
    run_id: str | None
    run_url: str | None
    error: str | None = omitted_if_none("Only when it failed")
