"""Parsers: bodies and responses (spec.md, Parser; contract A1–A4, A11, C1–C3)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field, WithJsonSchema
from pydantic.config import JsonDict

from docduck.api.schemas.base import ClosedBody, Name, Shown
from docduck.api.schemas.fields import FieldBody, FieldShown
from docduck.api.schemas.review_stages import StageSetupShown
from docduck.service.parsers.settings_schema import ParserSettings

_PAGE = r"(\d{1,6}(\s*-\s*(\d{1,6}|last)?)?|last(\s*-\s*\d{1,6})?|odd|even|\d{0,6}\s*n(\s*[+-]\s*\d{1,6})?)"
_PAGES = rf"^\s*({_PAGE}(\s*,\s*{_PAGE})*)?\s*$"

Text = Annotated[str, Field(max_length=10_000)]
MimeTypes = Annotated[
    Any,
    WithJsonSchema(
        {
            "type": "array",
            "maxItems": 100,
            "items": {"type": "string", "pattern": r"^[a-z]{2,20}/[a-z0-9][a-z0-9.+-]{0,80}$"},
            "examples": [["application/pdf"]],
        }
    ),
]
PagesText = Annotated[
    Any,
    WithJsonSchema(
        {"type": ["string", "null"], "maxLength": 500, "pattern": _PAGES, "examples": ["1-3,last"]}
    ),
]


def _schemas() -> dict[str, Any]:
    """The JSON schemas of the settings by key, without references, titles and defaults."""
    schema = ParserSettings.model_json_schema(by_alias=True)
    known = schema["$defs"]

    def resolved(part: Any) -> Any:
        if isinstance(part, list):
            return [resolved(item) for item in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            return resolved(known[part["$ref"].rpartition("/")[2]])
        properties = {key: resolved(value) for key, value in part.get("properties", {}).items()}
        own = {k: resolved(v) for k, v in part.items() if k not in ("title", "default", "properties")}
        return {**own, "properties": properties} if properties else own

    return {key: resolved(value) for key, value in schema["properties"].items()}


_SETTINGS = _schemas()
_UNSENT: Any = Field(default_factory=lambda: None)


def _setting(key: str) -> WithJsonSchema:
    """What a setting may be; the service checks it, together with all others."""
    return WithJsonSchema(_SETTINGS[key])


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


class ParserUpdate(ClosedBody):
    """What to change; objects are merged key by key, arrays are replaced."""

    model_config = ConfigDict(json_schema_extra={"examples": [_UPDATE_EXAMPLE]})

    name: Name = _UNSENT
    description: Text = _UNSENT
    is_active: bool = _UNSENT
    accepted_file_types: MimeTypes = _UNSENT
    confidence_scores: Annotated[Any, _setting("confidenceScores")] = _UNSENT
    markdown_parsing: Annotated[Any, _setting("markdownParsing")] = _UNSENT
    advanced_table_extraction: Annotated[Any, _setting("advancedTableExtraction")] = _UNSENT
    data_extraction_mode: Annotated[Any, _setting("dataExtractionMode")] = _UNSENT
    split_documents: Annotated[Any, _setting("splitDocuments")] = _UNSENT
    classification_gate: Annotated[Any, _setting("classificationGate")] = _UNSENT
    email_parsing: Annotated[Any, _setting("emailParsing")] = _UNSENT
    parse_pages: PagesText = _UNSENT
    reading_locale: Annotated[Any, _setting("readingLocale")] = _UNSENT
    document_name_template: Annotated[Any, _setting("documentNameTemplate")] = _UNSENT
    duplicate_keys: Annotated[Any, _setting("duplicateKeys")] = _UNSENT
    retention_days: Annotated[Any, _setting("retentionDays")] = _UNSENT


class NewParser(ParserUpdate):
    """A parser to make; with `templateKey`, whatever is not given is the template's."""

    model_config = ConfigDict(json_schema_extra={"examples": [_NEW_EXAMPLE]})

    name: Name = Field(examples=["Invoices"])
    type: str = Field("document", json_schema_extra={"enum": ["document"]})
    template_key: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="A ready-made parser to start from", examples=["invoice"]
    )
    fields: list[FieldBody] = Field([], max_length=1000)


class ParserCopy(ClosedBody):
    """What the copy is called; `<name> (Copy)` unless given."""

    name: Name | None = None
    description: Text | None = None


_TYPES_SHOWN = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["mimeType", "label"],
        "properties": {"mimeType": {"type": "string"}, "label": {"type": "string"}},
    },
}


class FileTypeShown(Shown):
    """A type of files that the parser takes."""

    mime_type: str
    label: str


def _settings_shown(properties: dict[str, Any]) -> WithJsonSchema:
    return WithJsonSchema({"type": "object", "required": list(properties), "properties": properties})


_ROW_SETTINGS = {key: value for key, value in _SETTINGS.items() if key != "acceptedFileTypes"}
RowSettings = Annotated[dict[str, Any], _settings_shown(_ROW_SETTINGS)]
AllSettings = Annotated[dict[str, Any], _settings_shown({**_ROW_SETTINGS, "acceptedFileTypes": _TYPES_SHOWN})]


class ParserCountsShown(Shown):
    """What the parser has."""

    total_documents: int
    folders: int


class ParserRowShown(Shown):
    """A parser as a list shows it."""

    id: str = Field(json_schema_extra={"format": "uuid"})
    name: str = Field(examples=["Invoices"])
    description: str
    type: str = Field(examples=["document"])
    slug: str = Field(description="Names its inbox folder, its assets and its schema in DuckDB")
    template_key: str | None
    is_active: bool
    accepted_file_types: list[FileTypeShown]
    settings: RowSettings
    created_at: str
    updated_at: str
    counts: ParserCountsShown


class WholeParser(ParserRowShown):
    """A parser with what belongs to it."""

    settings: AllSettings
    fields: list[FieldShown]
    email_address: str | None
    review_stages: list[StageSetupShown]
