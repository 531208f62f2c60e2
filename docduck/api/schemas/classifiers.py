"""Classifiers: bodies and responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, WithJsonSchema
from pydantic.config import JsonDict

from docduck.api.schemas.base import ResponseModel, Timestamp
from docduck.api.schemas.parsers import (
    SETTINGS_SCHEMAS,
    UNSENT,
    FileType,
    MimeTypes,
    Text,
    all_settings,
    file_types,
    schemas_of,
    setting_schema,
)
from docduck.service.classifiers.classifier_listing import ClassifierCounts
from docduck.service.classifiers.classifiers import ClassifierView
from docduck.service.classifiers.routing_settings import RoutingSettings
from docduck.service.core.property_types import Name, Uuid
from docduck.service.core.schema import Schema
from docduck.statuses import Status

_EXAMPLE_ID = "0192f0c1-2b4e-7c3a-9d5e-6f7a8b9c0d1e"
_RULES = [{"label": "Invoice", "targetParserId": _EXAMPLE_ID}]
_NEW_EXAMPLE: JsonDict = {
    "name": "Incoming mail",
    "routing": {"rules": _RULES, "fallback": {"action": "skip"}},  # type: ignore[dict-item]
}


class _Whole(Schema):
    routing: RoutingSettings


def _fallback_schema() -> dict[str, Any]:
    target = {"type": "string", "format": "uuid"}
    routed = {"action": {"enum": ["route", "parser", "target_parser"]}, "targetParserId": target}
    skipped = {"action": {"const": "skip"}, "targetParserId": {"type": "null"}}
    closed: dict[str, Any] = {"type": "object", "additionalProperties": False}
    return {
        "oneOf": [
            {**closed, "properties": routed, "required": ["action", "targetParserId"]},
            {**closed, "properties": skipped},
        ]
    }


def _routing_schema(*required: str) -> dict[str, Any]:
    routing: dict[str, Any] = schemas_of(_Whole)["routing"]
    properties = {**routing["properties"], "fallback": _fallback_schema()}
    return {**routing, "properties": properties, "required": list(required)}


def _split_schema() -> dict[str, Any]:
    """Return the schema of the parsers' setting without what needs fields."""
    split: dict[str, Any] = SETTINGS_SCHEMAS["splitDocuments"]
    by_key = {"properties": {"mode": {"const": "partitionKey"}}, "required": ["mode"]}
    custom = {"properties": {"partitionKeySource": {"const": "custom"}}, "required": ["partitionKeySource"]}
    return {**split, "anyOf": [{"not": by_key}, custom]}


_SPLIT = WithJsonSchema(_split_schema())


class ClassifierUpdate(Schema):
    """The properties and settings to change; objects are merged key by key, arrays are replaced.

    A rule keeps its id by `id` or by `label`.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"isActive": False}]})

    name: Name = UNSENT
    description: Text = UNSENT
    is_active: bool = UNSENT
    accepted_file_types: MimeTypes = UNSENT
    routing: Annotated[dict[str, Any], WithJsonSchema(_routing_schema())] = UNSENT
    split_documents: Annotated[Any, _SPLIT] = UNSENT
    email_parsing: Annotated[Any, setting_schema("emailParsing")] = UNSENT


class NewClassifier(ClassifierUpdate):
    """A classifier to create."""

    model_config = ConfigDict(json_schema_extra={"examples": [_NEW_EXAMPLE]})

    name: Name = Field(examples=["Incoming mail"])
    routing: Annotated[dict[str, Any], WithJsonSchema(_routing_schema("rules"))]


class RouteBody(Schema):
    """The right target of a document."""

    target_parser_id: Uuid


class RuleResponse(ResponseModel):
    """A label, and the parser of documents with that label."""

    id: str
    label: str = Field(examples=["Invoice"])
    target_parser_id: str


class FallbackResponse(ResponseModel):
    """What happens to documents that no rule fits."""

    action: Literal["skip", "route"]
    target_parser_id: str | None


class RoutingSettingsResponse(ResponseModel):
    """The rules of a classifier, in order, and its fallback."""

    rules: list[RuleResponse]
    fallback: FallbackResponse
    instructions: str


class ClassifierSettingsResponse(ResponseModel):
    """The settings of a classifier."""

    routing: RoutingSettingsResponse
    split_documents: Annotated[dict[str, Any], setting_schema("splitDocuments")]
    email_parsing: Annotated[dict[str, Any], setting_schema("emailParsing")]


class ClassifierCountsResponse(ResponseModel):
    """The classifier's counts; documents that wait to be routed are in the total alone."""

    total_documents: int = Field(validation_alias="documents")
    routed: int
    skipped: int
    failed: int


class ClassifierResponse(ResponseModel):
    """A classifier."""

    id: str = Field(json_schema_extra={"format": "uuid"})
    slug: str = Field(description="Names it in paths", examples=["incoming_mail"])
    name: str = Field(examples=["Incoming mail"])
    description: str
    is_active: bool
    email_address: str | None
    accepted_file_types: list[FileType]
    settings: ClassifierSettingsResponse
    created_at: Timestamp
    updated_at: Timestamp
    counts: ClassifierCountsResponse

    @classmethod
    def of_view(cls, view: ClassifierView, counts: ClassifierCounts) -> ClassifierResponse:
        """Return the response for a classifier with its counts."""
        stored = all_settings(view.settings)
        routing = RoutingSettingsResponse(
            rules=[RuleResponse.of(rule) for rule in view.rules],
            fallback=FallbackResponse.model_validate(
                {"action": view.fallback_action, "target_parser_id": view.fallback_parser_id}
            ),
            instructions=view.instructions,
        )
        settings = ClassifierSettingsResponse(
            routing=routing,
            split_documents=stored["splitDocuments"],
            email_parsing=stored["emailParsing"],
        )
        return cls.of(view, settings=settings, accepted_file_types=file_types(view.settings), counts=counts)


class DocumentRouting(ResponseModel):
    """The result of a document's routing."""

    status: Literal["pending", "routed", "skipped", "failed"]
    category: str | None = Field(description="The label of the rule; `fallback` if none fits")
    target_parser_id: str | None
    target_parser_name: str | None
    target_document_id: str | None = Field(description="The document's id, once it is in the target parser")
    confidence: float | None
    reasoning: str | None
    error: str | None


class ClassifiedDocumentResponse(ResponseModel):
    """A document of a classifier, with the result of its routing."""

    id: str
    name: str
    external_id: str | None
    custom: dict[str, Any] | None
    source: str = Field(examples=["api"])
    content_type: str = Field(examples=["application/pdf"])
    page_count: int | None
    created_at: Timestamp
    updated_at: Timestamp
    status: Status
    routing: DocumentRouting
