"""Parsers: bodies and responses (spec.md, Parser; contract A1–A4, A11, C1–C3)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, WithJsonSchema

from docduck.api.schemas.base import ClosedBody, Name, OpenBody, Shown
from docduck.api.schemas.fields import FieldBody, FieldShown
from docduck.service.parser_settings import (
    ClassificationGate,
    EmailParsing,
    ReadingLocale,
    SplitDocuments,
    Switch,
)

_PAGE = r"(\d{1,6}(\s*-\s*(\d{1,6}|last)?)?|last(\s*-\s*\d{1,6})?|odd|even|\d{0,6}\s*n(\s*[+-]\s*\d{1,6})?)"
_PAGES = rf"^\s*({_PAGE}(\s*,\s*{_PAGE})*)?\s*$"

Text = Annotated[str, Field(max_length=10_000)]
MimeType = Annotated[
    str,
    WithJsonSchema(
        {
            "type": "string",
            "pattern": r"^[a-z]{2,20}/[a-z0-9][a-z0-9.+-]{0,80}$",
            "examples": ["application/pdf"],
        }
    ),
]
MimeTypes = Annotated[list[MimeType], Field(max_length=100)]
PagesText = Annotated[
    str | None,
    WithJsonSchema(
        {"type": ["string", "null"], "maxLength": 500, "pattern": _PAGES, "examples": ["1-3,last"]}
    ),
]


def _as(model: type[BaseModel]) -> WithJsonSchema:
    """The description of a settings object, which the service checks."""
    schema = model.model_json_schema(by_alias=True)
    known = schema.pop("$defs", {})

    def resolve(part: Any) -> Any:
        if isinstance(part, dict):
            if "$ref" in part:
                return resolve(known[part["$ref"].rpartition("/")[2]])
            return {key: resolve(value) for key, value in part.items()}
        return [resolve(item) for item in part] if isinstance(part, list) else part

    resolved = resolve(schema)
    assert isinstance(resolved, dict)
    return WithJsonSchema(resolved)


OnOff = Annotated[dict[str, Any], _as(Switch)]
Splitting = Annotated[dict[str, Any], _as(SplitDocuments)]
Gate = Annotated[dict[str, Any], _as(ClassificationGate)]
Mails = Annotated[dict[str, Any], _as(EmailParsing)]
Locale = Annotated[dict[str, Any], _as(ReadingLocale)]


class ParserUpdate(ClosedBody):
    """What to change; objects are merged key by key, arrays are replaced."""

    name: Name = ""
    description: Text = ""
    is_active: bool = True
    accepted_file_types: MimeTypes = Field([])
    confidence_scores: OnOff = Field({})
    markdown_parsing: OnOff = Field({})
    advanced_table_extraction: Literal["disabled", "auto", "enabled"] = "auto"
    data_extraction_mode: Literal["fast", "balanced", "accurate"] = "balanced"
    split_documents: Splitting = Field({})
    classification_gate: Gate = Field({})
    email_parsing: Mails = Field({})
    parse_pages: PagesText = None
    reading_locale: Locale = Field({})


class NewParser(OpenBody):
    """A parser to make; with `templateKey`, whatever is not given is the template's."""

    name: Name = Field(examples=["Invoices"])
    description: Text = ""
    type: str = Field("document", json_schema_extra={"enum": ["document"]})
    template_key: Annotated[str, Field(max_length=64)] | None = Field(
        None, description="A ready-made parser to start from", examples=["invoice"]
    )
    accepted_file_types: MimeTypes = Field([])
    fields: list[FieldBody] = Field([], max_length=1000)


class ParserCopy(ClosedBody):
    """What the copy is called; `<name> (Copy)` unless given."""

    name: Name | None = None
    description: Text | None = None


class FileTypeShown(Shown):
    """A type of files that the parser takes."""

    mime_type: str
    label: str


class ParserCountsShown(Shown):
    """What the parser has."""

    total_documents: int
    folders: int


class ParserShown(Shown):
    """A parser."""

    id: str
    name: str
    description: str
    type: str = Field(examples=["document"])
    slug: str = Field(description="Names its inbox folder, its assets and its schema in DuckDB")
    template_key: str | None
    is_active: bool
    accepted_file_types: list[FileTypeShown]
    settings: dict[str, Any]
    created_at: str
    updated_at: str
    counts: ParserCountsShown


class WholeParser(ParserShown):
    """A parser with what belongs to it."""

    fields: list[FieldShown]
    email_address: str | None
    review_stages: list[dict[str, Any]]
