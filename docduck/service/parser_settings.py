"""The settings object of a parser: keys, values and defaults (spec.md, Parser; contract J)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator
from pydantic.alias_generators import to_camel

from docduck.documents.options import ReadOptions
from docduck.documents.page_ranges import parse_pages
from docduck.errors import InputError
from docduck.extraction.configured import read_options
from docduck.settings import Settings


class _Object(BaseModel):
    model_config = ConfigDict(
        extra="forbid", alias_generator=to_camel, validate_by_name=False, validate_by_alias=True
    )


class Switch(_Object):
    """``{"enabled": true}``."""

    enabled: bool = False


class ReadingLocale(_Object):
    """How ambiguous numbers and dates are read; ``auto`` decides by the document."""

    decimal_separator: Literal["auto", ".", ","] = "auto"
    date_order: Literal["auto", "day_first", "month_first", "year_first"] = "auto"
    language: str = "auto"
    time_zone: str = "UTC"


_SENDER_FILTER_MODES = {
    "allowlist": "allow",
    "whitelist": "allow",
    "blocklist": "block",
    "blacklist": "block",
    "deny": "block",
}


class SenderRule(_Object):
    """A mail address, or a domain with its sub-domains."""

    type: Literal["email", "domain"]
    value: str


class SenderFilter(_Object):
    """Whose mails are taken (contract A4)."""

    mode: Literal["disabled", "allow", "block"] = "disabled"
    rules: list[SenderRule] = []

    @field_validator("mode", mode="before")
    @classmethod
    def _synonyms(cls, value: Any) -> Any:
        return _SENDER_FILTER_MODES.get(value, value) if isinstance(value, str) else value


class EmailParsing(_Object):
    """What becomes of a mail and of what is attached to it.

    Attachments are documents of their own, and the mail is one as well where ``parse_email_body`` says so.
    With ``merge_email_attachments`` they are pages of the mail's document instead, after its own pages
    where ``include_email_subject_body`` is set. No ``attachment_file_types`` means all.
    """

    parse_email_body: bool = True
    merge_email_attachments: bool = False
    include_email_subject_body: bool = True
    attachment_file_types: list[str] = []
    sender_filter: SenderFilter = SenderFilter()

    @property
    def attachments(self) -> Literal["apart", "merged", "only"]:
        """How the mail is read (``ReadOptions.attachments``)."""
        if not self.merge_email_attachments:
            return "apart"
        return "merged" if self.include_email_subject_body else "only"


class ParserSettings(_Object):
    """What a parser can be told; keys in JSON are camelCase."""

    accepted_file_types: list[str] = []
    confidence_scores: Switch = Switch(enabled=True)
    markdown_parsing: Switch = Switch()
    advanced_table_extraction: Literal["disabled", "auto", "enabled"] = "auto"
    data_extraction_mode: Literal["fast", "balanced", "accurate"] = "balanced"
    email_parsing: EmailParsing = EmailParsing()
    parse_pages: str = ""
    reading_locale: ReadingLocale = ReadingLocale()

    @field_validator("parse_pages")
    @classmethod
    def _grammar(cls, value: str) -> str:
        try:
            parse_pages(value)
        except InputError as error:
            raise ValueError(error.message) from error
        return value


def read_settings(stored: Mapping[str, Any]) -> ParserSettings:
    """Settings with all defaults filled in; raises InputError naming ``settings.<key>``."""
    try:
        return ParserSettings.model_validate(stored)
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(("settings", *(str(part) for part in first["loc"])))
        if first["type"] == "extra_forbidden":
            raise InputError(f"Unknown property: {first['loc'][-1]}", path) from error
        raise InputError(f"{path}: {first['msg'].removeprefix('Value error, ')}", path) from error


def reading_of(parser: ParserSettings, settings: Settings) -> ReadOptions:
    """How a parser reads a file: to extract from it, and to learn from it."""
    return replace(
        read_options(settings, parser.data_extraction_mode),
        pages=parser.parse_pages or None,
        attachments=parser.email_parsing.attachments,
        attachment_types=tuple(parser.email_parsing.attachment_file_types),
    )


def merge_settings(stored: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """``stored`` with ``changes`` merged key by key, nested objects too; raises InputError when bad."""
    merged = dict(stored)
    for key, value in changes.items():
        old = merged.get(key)
        merged[key] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
    read_settings(merged)
    return merged
