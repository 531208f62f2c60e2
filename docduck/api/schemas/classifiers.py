"""Classifiers: responses; the bodies are ``docduck.service.schemas.classifiers``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from docduck.api.schemas.base import ResponseModel, Timestamp
from docduck.api.schemas.parsers import FileType, all_settings, file_types
from docduck.service.classifiers.classifier_listing import ClassifierCounts
from docduck.service.classifiers.classifiers import ClassifierView, RuleView
from docduck.service.core.property_types import Uuid
from docduck.service.core.schema import Schema, ViewPart
from docduck.service.schemas.setting_schemas import setting_schema


class RouteBody(Schema):
    """The right target of a document."""

    target_parser_id: Uuid


class FallbackView(ViewPart):
    """What happens to documents that no rule fits."""

    action: Literal["skip", "route"]
    target_parser_id: str | None


class RoutingSettingsView(ViewPart):
    """The rules of a classifier, in order, and its fallback."""

    rules: list[RuleView]
    fallback: FallbackView
    instructions: str


class ClassifierSettingsResponse(ResponseModel):
    """The settings of a classifier."""

    routing: RoutingSettingsView
    model: Annotated[str | None, setting_schema("model")]
    split_documents: Annotated[dict[str, Any], setting_schema("splitDocuments")]
    email_parsing: Annotated[dict[str, Any], setting_schema("emailParsing")]


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
    counts: ClassifierCounts

    @classmethod
    def of_view(cls, view: ClassifierView, counts: ClassifierCounts) -> ClassifierResponse:
        """Return the response for a classifier with its counts."""
        stored = all_settings(view.settings)
        settings = ClassifierSettingsResponse(
            routing=RoutingSettingsView.model_validate(view.routing),
            model=stored["model"],
            split_documents=stored["splitDocuments"],
            email_parsing=stored["emailParsing"],
        )
        return cls.of(view, settings=settings, accepted_file_types=file_types(view.settings), counts=counts)
