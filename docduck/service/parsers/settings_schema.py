"""The settings of a parser: keys, types and defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from pydantic import (
    BeforeValidator,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from docduck.documents.page_ranges import parse_pages
from docduck.errors import InputError
from docduck.extraction.values.dates import DateOrder
from docduck.service.core.schema import Schema
from docduck.service.parsers.name_templates import is_template

_MIME_TYPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}")
UNSURE_BELOW = 0.9
"""The default confidence below which values are unsure."""

SPLIT_KEYS: Mapping[Any, str] = {
    "every_x_pages": "everyXPages",
    "page_ranges": "pageRanges",
    "partition_key": "partitionKey",
}
"""The setting required by each mode of ``splitDocuments``, which has the mode's name."""

Instructions = Annotated[str, Field(max_length=10_000)]
Pages = Annotated[str, Field(max_length=1000)]
Unset = BeforeValidator(lambda value: None if value == "" else value)
"""Treat an empty text as null."""
Label = Annotated[str, Field(min_length=1, max_length=255)]


def _pages(value: str) -> str:
    try:
        parse_pages(value)
    except InputError as error:
        raise ValueError(error.message) from error
    return value


class Switch(Schema):
    """Whether a part of the processing is on."""

    enabled: bool = False


class ReadingLocale(Schema):
    """How ambiguous numbers and dates are read; `auto` decides by document.

    `language` applies where a document shows neither format. `timeZone` determines the day of moments, such
    as the dates of mails.
    """

    decimal_separator: Literal["auto", ".", ","] = "auto"
    date_order: DateOrder = "auto"
    language: Literal["auto", "cs", "da", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv", "tr"] = "auto"
    time_zone: Annotated[str, Field(min_length=1, max_length=64)] = "auto"

    @field_validator("time_zone")
    @classmethod
    def _known(cls, value: str) -> str:
        if value != "auto" and value not in available_timezones():
            raise ValueError(f"'{value}' is no time zone such as Europe/Berlin")
        return value


_SENDER_FILTER_MODES = {
    "allowlist": "allow",
    "whitelist": "allow",
    "blocklist": "block",
    "blacklist": "block",
    "deny": "block",
}


class SenderRule(Schema):
    """A mail address, or a domain with its subdomains."""

    type: Literal["email", "domain"]
    value: Annotated[str, Field(min_length=1, max_length=320)]

    @model_validator(mode="after")
    def _is_one(self) -> SenderRule:
        name, at, domain = self.value.rpartition("@")
        fits = bool(name and domain) if self.type == "email" else not at
        if not fits or any(character.isspace() for character in self.value):
            example = "ann@example.com" if self.type == "email" else "example.com"
            raise ValueError(f"'{self.value}' is no {self.type} such as {example}")
        return self


class SenderFilter(Schema):
    """Senders whose mails are accepted."""

    mode: Literal["disabled", "allow", "block"] = "disabled"
    rules: Annotated[list[SenderRule], Field(max_length=1000)] = Field([])

    @field_validator("mode", mode="before")
    @classmethod
    def _synonyms(cls, value: Any) -> Any:
        return _SENDER_FILTER_MODES.get(value, value) if isinstance(value, str) else value


class EmailParsing(Schema):
    """How mails and their attachments are processed.

    Attachments become documents. So does the mail, with `parseEmailBody` true always, with false never, and
    with null if no attachment was taken or values of the parser's fields were found in its body: its headers
    and its signature don't count. With `mergeEmailAttachments` attachments are pages of the mail's document,
    after its own pages if `includeEmailSubjectBody` is set. Without `attachmentFileTypes` all are used.
    """

    parse_email_body: bool | None = None
    merge_email_attachments: bool = False
    include_email_subject_body: bool = True
    attachment_file_types: Annotated[list[Label], Field(max_length=100)] = Field([])
    sender_filter: SenderFilter = SenderFilter()

    @property
    def attachments(self) -> Literal["apart", "merged", "only"]:
        """``ReadOptions.attachments`` for these settings."""
        if not self.merge_email_attachments:
            return "apart"
        return "merged" if self.include_email_subject_body else "only"


class SplitDocuments(Schema):
    """How a PDF is split into documents."""

    enabled: bool = False
    mode: Literal["everyXPages", "pageRanges", "ai", "partitionKey"] = "everyXPages"
    every_x_pages: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        None, alias="everyXPages", validate_default=True
    )
    page_ranges: Annotated[Pages | None, Unset] = Field(None, validate_default=True)
    instructions: Annotated[Instructions | None, Unset] = None
    partition_key: Annotated[Annotated[str, Field(max_length=600)] | None, Unset] = Field(
        None, validate_default=True
    )
    partition_key_source: Literal["parserField", "custom"] = "parserField"

    @field_validator("mode", mode="before")
    @classmethod
    def _synonyms(cls, value: Any) -> Any:
        return "ai" if value in ("smart", "auto") else value

    @field_validator("page_ranges")
    @classmethod
    def _grammar(cls, value: str | None) -> str | None:
        return None if value is None else _pages(value)

    @field_validator("every_x_pages", "page_ranges", "partition_key")
    @classmethod
    def _needed(cls, value: Any, info: ValidationInfo) -> Any:
        mode = info.data.get("mode")
        if info.data.get("enabled") and mode == SPLIT_KEYS[info.field_name] and not str(value or "").strip():
            raise ValueError(f"mode '{mode}' needs it")
        return value


class ClassificationGate(Schema):
    """Which kinds of documents are processed: with `allow` only `labels`, with `block` all others.

    `costPerDocument` is stored and shown only.
    """

    enabled: bool = False
    mode: Literal["allow", "block"] = "allow"
    labels: Annotated[list[Label], Field(max_length=100)] = Field([], validate_default=True)
    instructions: Annotated[Instructions | None, Unset] = None
    cost_per_document: Annotated[float, Field(ge=0, le=1_000_000_000)] = 0

    @field_validator("mode", mode="before")
    @classmethod
    def _synonyms(cls, value: Any) -> Any:
        return "block" if value in ("deny", "skip", "exclude") else value

    @field_validator("labels")
    @classmethod
    def _some(cls, value: list[str], info: ValidationInfo) -> list[str]:
        labels = [label.strip() for label in value]
        if not all(labels):
            raise ValueError("labels must not be blank")
        if info.data.get("enabled") and not labels:
            raise ValueError("classificationGate.labels must not be empty")
        return list(dict.fromkeys(labels))


class ParserSettings(Schema):
    """The settings of a parser; keys in JSON are camelCase.

    ``duplicate_keys`` are names or ids of fields, stored as ids (see ``field_settings``).
    """

    accepted_file_types: Annotated[list[str], Field(max_length=100)] = Field([])
    confidence_scores: Switch = Switch(enabled=True)
    markdown_parsing: Switch = Switch()
    advanced_table_extraction: Literal["disabled", "auto", "enabled"] = "auto"
    data_extraction_mode: Literal["fast", "balanced", "accurate"] = "balanced"
    split_documents: SplitDocuments = SplitDocuments()
    classification_gate: ClassificationGate = ClassificationGate()
    email_parsing: EmailParsing = EmailParsing()
    parse_pages: Pages = ""
    reading_locale: ReadingLocale = ReadingLocale()
    document_name_template: Annotated[Annotated[str, Field(max_length=500)] | None, Unset] = None
    duplicate_keys: Annotated[list[Label], Field(max_length=10)] = Field([])
    unsure_below: Annotated[float, Field(ge=0, le=1)] = UNSURE_BELOW
    retention_days: Annotated[int, Field(ge=1, le=3650)] | None = None

    @field_validator("document_name_template")
    @classmethod
    def _template(cls, value: str | None) -> str | None:
        if value is not None and not value.strip():
            raise ValueError("must not be blank; null leaves documents the names of their files")
        if value is not None and not is_template(value):
            raise ValueError("braces must enclose the name of a field, such as {Invoice Number}")
        return value

    @field_validator("parse_pages", mode="before")
    @classmethod
    def _all(cls, value: Any) -> Any:
        return "" if value is None else value

    @field_validator("parse_pages")
    @classmethod
    def _grammar(cls, value: str) -> str:
        return _pages(value)

    @field_validator("accepted_file_types")
    @classmethod
    def _types(cls, value: list[str]) -> list[str]:
        for kind in value:
            if not _MIME_TYPE.fullmatch(kind):
                raise ValueError(f"'{kind}' is no MIME type such as application/pdf")
        return list(dict.fromkeys(kind.lower() for kind in value))
