"""Parsers: bodies and responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AliasPath, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.config import JsonDict

from docduck.api.schemas.base import ResponseModel, Timestamp, omitted_if_none
from docduck.api.schemas.fields import FieldInput, FieldResponse
from docduck.documents.detection.file_types import labels
from docduck.errors import InputError
from docduck.service.core.property_types import Name
from docduck.service.core.schema import UNSENT, Schema, Shown
from docduck.service.parsers.parser_listing import ParserCounts
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.settings_schema import ParserSettings
from docduck.service.reviews.review_stages import StageSetup
from docduck.service.schemas.setting_schemas import (
    SETTINGS_SCHEMAS,
    MimeTypes,
    Text,
    setting_schema,
)

_PAGE = r"(\d{1,6}(\s*-\s*(\d{1,6}|last)?)?|last(\s*-\s*\d{1,6})?|odd|even|\d{0,6}\s*n(\s*[+-]\s*\d{1,6})?)"
_PAGES = rf"^\s*({_PAGE}(\s*,\s*{_PAGE})*)?\s*$"

PagesText = Annotated[
    Any,
    WithJsonSchema(
        {"type": ["string", "null"], "maxLength": 500, "pattern": _PAGES, "examples": ["1-3,last"]}
    ),
]

_UPDATE_EXAMPLE: JsonDict = {
    "name": "Invoices",
    "dataExtractionMode": "accurate",
    "acceptedFileTypes": ["application/pdf"],
    "splitDocuments": {"enabled": True, "mode": "everyXPages", "everyXPages": 2},
    "parsePages": "1-3,last",
}
_NEW_EXAMPLE: JsonDict = {
    "name": "Invoices",
    "fields": [
        {"name": "Invoice Number", "required": True},
        {"name": "Total", "type": "currency"},
        {
            "name": "Line Items",
            "type": "table",
            "columns": [{"name": "Description"}, {"name": "Amount", "type": "currency"}],
        },
    ],
}


class ParserUpdate(Schema):
    """The properties and settings to change; objects are merged key by key, arrays are replaced."""

    model_config = ConfigDict(json_schema_extra={"examples": [_UPDATE_EXAMPLE]})

    name: Annotated[Name, Shown("Name", "Its inbox folder and the name of its tables stay as they are.")] = (
        UNSENT
    )
    description: Annotated[
        Text, Shown("Description", "What the parser reads, for the members of the team.", is_long=True)
    ] = UNSENT
    is_active: Annotated[
        bool,
        Shown(
            "Active",
            "A parser that is not active takes no new documents: uploads are refused, files wait in its "
            "inbox.",
        ),
    ] = UNSENT
    accepted_file_types: MimeTypes = UNSENT
    confidence_scores: Annotated[Any, setting_schema("confidenceScores")] = UNSENT
    markdown_parsing: Annotated[Any, setting_schema("markdownParsing")] = UNSENT
    advanced_table_extraction: Annotated[Any, setting_schema("advancedTableExtraction")] = UNSENT
    data_extraction_mode: Annotated[Any, setting_schema("dataExtractionMode")] = UNSENT
    model_use: Annotated[Any, setting_schema("modelUse")] = UNSENT
    model: Annotated[Any, setting_schema("model")] = UNSENT
    split_documents: Annotated[Any, setting_schema("splitDocuments")] = UNSENT
    classification_gate: Annotated[Any, setting_schema("classificationGate")] = UNSENT
    email_parsing: Annotated[Any, setting_schema("emailParsing")] = UNSENT
    parse_pages: PagesText = UNSENT
    reading_locale: Annotated[Any, setting_schema("readingLocale")] = UNSENT
    document_name_template: Annotated[Any, setting_schema("documentNameTemplate")] = UNSENT
    duplicate_keys: Annotated[Any, setting_schema("duplicateKeys")] = UNSENT
    unsure_below: Annotated[Any, setting_schema("unsureBelow")] = UNSENT
    retention_days: Annotated[Any, setting_schema("retentionDays")] = UNSENT


class NewParser(ParserUpdate):
    """A parser to create; with `templateKey`, the template has the defaults."""

    model_config = ConfigDict(json_schema_extra={"examples": [_NEW_EXAMPLE]})

    name: Name = Field(examples=["Invoices"])
    type: str = Field("document", json_schema_extra={"enum": ["document"]})
    template_key: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="A ready-made parser to start from", examples=["invoice"]
    )
    fields: list[FieldInput] = Field(default_factory=list, max_length=1000)


class ParserCopy(Schema):
    """The name of the copy; `<name> (Copy)` unless set."""

    name: Name | None = None
    description: Text | None = None


FILE_TYPES_SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["mimeType", "label"],
        "properties": {"mimeType": {"type": "string"}, "label": {"type": "string"}},
    },
}


class FileType(ResponseModel):
    """An accepted file type."""

    mime_type: str
    label: str


def settings_or_defaults(stored: Mapping[str, Any]) -> ParserSettings:
    """Return the settings; the defaults if they are broken in the catalog, which the health checks report."""
    try:
        return read_settings(stored)
    except InputError:
        return ParserSettings()


def all_settings(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings with their defaults; without file types, all that can be read are accepted."""
    values = settings_or_defaults(stored).model_dump(mode="json", by_alias=True)
    known = labels()
    types = values["acceptedFileTypes"] or list(known)
    return {**values, "acceptedFileTypes": [{"mimeType": t, "label": known.get(t, t)} for t in types]}


def _list_settings(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings but the file types, which a list has beside the settings."""
    return {key: value for key, value in all_settings(stored).items() if key != "acceptedFileTypes"}


def file_types(stored: Mapping[str, Any]) -> list[FileType]:
    """Return the accepted file types of settings."""
    types = all_settings(stored)["acceptedFileTypes"]
    return [FileType(mime_type=type_["mimeType"], label=type_["label"]) for type_ in types]


def _settings_schema(properties: dict[str, Any]) -> WithJsonSchema:
    return WithJsonSchema({"type": "object", "required": list(properties), "properties": properties})


_LIST_SCHEMAS = {key: value for key, value in SETTINGS_SCHEMAS.items() if key != "acceptedFileTypes"}
ListSettings = Annotated[dict[str, Any], BeforeValidator(_list_settings), _settings_schema(_LIST_SCHEMAS)]
AllSettings = Annotated[
    dict[str, Any],
    BeforeValidator(all_settings),
    _settings_schema({**_LIST_SCHEMAS, "acceptedFileTypes": FILE_TYPES_SCHEMA}),
]


class ParserResponse(ResponseModel):
    """A parser as a list shows it."""

    id: str = Field(json_schema_extra={"format": "uuid"})
    name: str = Field(examples=["Invoices"])
    description: str
    type: str = Field(examples=["document"])
    slug: str = Field(description="Names its inbox folder, its assets and its schema in DuckDB")
    template_key: str | None
    is_active: bool
    accepted_file_types: Annotated[list[FileType], BeforeValidator(file_types)] = Field(
        validation_alias=AliasPath("settings")
    )
    settings: ListSettings
    created_at: Timestamp
    updated_at: Timestamp
    counts: ParserCounts
    field_count: int
    problem: str | None = omitted_if_none("Why the parser can't be used, only if it can't")


class ParserDetailsResponse(ParserResponse):
    """A parser with its fields and review stages."""

    version: str = Field(
        description="Changes with every change of the parser, its fields and post-processing; a PATCH "
        "takes it as `If-Match`, in quotes"
    )
    settings: AllSettings
    fields: list[FieldResponse]
    email_address: str | None
    warehouse_columns: dict[str, str] = Field(
        validation_alias="columns",
        description="The columns of the parser's tables in DuckDB, by the id of the field",
        examples=[{"f_7kq2mwa4": "invoice_number"}],
    )
    review_stages: list[StageSetup]
