"""The settings object of a parser: keys, values and defaults (spec.md, Parser; contract J)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel

from docduck.documents.options import ReadOptions
from docduck.documents.page_ranges import parse_pages
from docduck.errors import InputError
from docduck.extraction.configured import read_options
from docduck.fields import Field as ParserField
from docduck.settings import Settings

_MIME_TYPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}")
_COMPLETE = ("Unknown property", "classificationGate.")
"""How messages begin that say by themselves where they belong."""

_KEYS: Mapping[Any, str] = {
    "every_x_pages": "everyXPages",
    "page_ranges": "pageRanges",
    "partition_key": "partitionKey",
}
"""The settings that a mode of ``splitDocuments`` needs; each mode is called as its own."""

Instructions = Annotated[str, Field(max_length=10_000)]
Pages = Annotated[str, Field(max_length=1000)]
Label = Annotated[str, Field(min_length=1, max_length=255)]


def _pages(value: str) -> str:
    try:
        parse_pages(value)
    except InputError as error:
        raise ValueError(error.message) from error
    return value


class _Object(BaseModel):
    model_config = ConfigDict(
        extra="forbid", strict=True, alias_generator=to_camel, validate_by_name=False, validate_by_alias=True
    )


class Switch(_Object):
    """``{"enabled": true}``."""

    enabled: bool = False


class ReadingLocale(_Object):
    """How ambiguous numbers and dates are read; ``auto`` decides by the document."""

    decimal_separator: Literal["auto", ".", ","] = "auto"
    date_order: Literal["auto", "day_first", "month_first", "year_first"] = "auto"
    language: Annotated[str, Field(min_length=1, max_length=35)] = "auto"
    time_zone: Annotated[str, Field(min_length=1, max_length=64)] = "UTC"

    @field_validator("time_zone")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in available_timezones():
            raise ValueError(f"'{value}' is no time zone such as Europe/Berlin")
        return value


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
    value: Annotated[str, Field(min_length=1, max_length=320)]

    @model_validator(mode="after")
    def _is_one(self) -> SenderRule:
        name, at, domain = self.value.rpartition("@")
        fits = bool(name and domain) if self.type == "email" else not at
        if not fits or any(character.isspace() for character in self.value):
            example = "ann@example.com" if self.type == "email" else "example.com"
            raise ValueError(f"'{self.value}' is no {self.type} such as {example}")
        return self


class SenderFilter(_Object):
    """Whose mails are taken (contract A4)."""

    mode: Literal["disabled", "allow", "block"] = "disabled"
    rules: Annotated[list[SenderRule], Field(max_length=1000)] = []

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
    attachment_file_types: Annotated[list[Label], Field(max_length=100)] = []
    sender_filter: SenderFilter = SenderFilter()

    @property
    def attachments(self) -> Literal["apart", "merged", "only"]:
        """How the mail is read (``ReadOptions.attachments``)."""
        if not self.merge_email_attachments:
            return "apart"
        return "merged" if self.include_email_subject_body else "only"


class SplitDocuments(_Object):
    """How a PDF is to be parted into documents (contract A2).

    This is what is wished: it is checked, kept and shown, and no more than that here.
    """

    enabled: bool = False
    mode: Literal["everyXPages", "pageRanges", "ai", "partitionKey"] = "everyXPages"
    every_x_pages: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        None, alias="everyXPages", validate_default=True
    )
    page_ranges: Pages = Field("", validate_default=True)
    instructions: Instructions = ""
    partition_key: str = Field("", max_length=600, validate_default=True)
    partition_key_source: Literal["parserField", "custom"] = "parserField"

    @field_validator("mode", mode="before")
    @classmethod
    def _synonyms(cls, value: Any) -> Any:
        return "ai" if value in ("smart", "auto") else value

    @field_validator("page_ranges")
    @classmethod
    def _grammar(cls, value: str) -> str:
        return _pages(value)

    @field_validator("every_x_pages", "page_ranges", "partition_key")
    @classmethod
    def _needed(cls, value: Any, info: ValidationInfo) -> Any:
        mode = info.data.get("mode")
        if info.data.get("enabled") and mode == _KEYS[info.field_name] and not str(value or "").strip():
            raise ValueError(f"mode '{mode}' needs it")
        return value


class ClassificationGate(_Object):
    """Which kinds of documents are to be read (contract A3).

    This is what is wished: it is checked, kept and shown, and no more than that here.
    """

    enabled: bool = False
    mode: Literal["allow", "block"] = "allow"
    labels: Annotated[list[Label], Field(max_length=100)] = Field([], validate_default=True)
    instructions: Instructions = ""
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


class ParserSettings(_Object):
    """What a parser can be told; keys in JSON are camelCase."""

    accepted_file_types: Annotated[list[str], Field(max_length=100)] = []
    confidence_scores: Switch = Switch(enabled=True)
    markdown_parsing: Switch = Switch()
    advanced_table_extraction: Literal["disabled", "auto", "enabled"] = "auto"
    data_extraction_mode: Literal["fast", "balanced", "accurate"] = "balanced"
    split_documents: SplitDocuments = SplitDocuments()
    classification_gate: ClassificationGate = ClassificationGate()
    email_parsing: EmailParsing = EmailParsing()
    parse_pages: Pages = ""
    reading_locale: ReadingLocale = ReadingLocale()

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


def read_settings(stored: Mapping[str, Any], prefix: str = "settings") -> ParserSettings:
    """Settings with all defaults filled in; raises InputError naming each place that is wrong."""
    try:
        return ParserSettings.model_validate(stored)
    except ValidationError as error:
        problems = error.errors()
        paths = [".".join(filter(None, (prefix, *_place(problem)))) for problem in problems]
        words = [_words(problem) for problem in problems]
        first = words[0] if words[0].startswith(_COMPLETE) else f"{paths[0]}: {words[0]}"
        raise InputError(first, paths[0], list(zip(paths, words, strict=True))) from error


def _place(problem: Mapping[str, Any]) -> list[str]:
    """The keys that lead to a problem; Pydantic names attributes where a default is wrong."""
    given = problem["type"] == "extra_forbidden"
    return [str(part) if given else _KEYS.get(part, str(part)) for part in problem["loc"]]


def _words(problem: Mapping[str, Any]) -> str:
    if problem["type"] == "extra_forbidden":
        return f"Unknown property: {problem['loc'][-1]}"
    if problem["type"] == "model_type":
        return "Input should be an object"
    return str(problem["msg"]).removeprefix("Value error, ")


def check_split(
    settings: ParserSettings, fields: Sequence[ParserField], path: str = "splitDocuments"
) -> None:
    """Raises InputError when documents are to be parted by a field that the parser does not have."""
    split = settings.split_documents
    if not split.partition_key or split.partition_key_source != "parserField":
        return
    if split.partition_key not in _paths(fields):
        where = f"{path}.partitionKey"
        raise InputError(f"{where}: the parser has no field '{split.partition_key}'", where)


def follow_renames(
    stored: Mapping[str, Any], before: Sequence[ParserField], after: Sequence[ParserField]
) -> Mapping[str, Any]:
    """``stored``, with the field that documents are parted by as it is called now, if it is still there."""
    split = stored.get("splitDocuments", {})
    field_id = _paths(before).get(split.get("partitionKey", ""))
    now = next((path for path, one in _paths(after).items() if one == field_id), None)
    if field_id is None or now is None or split.get("partitionKeySource", "parserField") != "parserField":
        return stored
    return {**stored, "splitDocuments": {**split, "partitionKey": now}}


def _paths(fields: Sequence[ParserField]) -> Mapping[str, str | None]:
    """The ids of fields and columns by their dotted paths."""
    columns = {f"{table.name}.{column.name}": column.id for table in fields for column in table.columns}
    return columns | {field.name: field.id for field in fields}


def reading_of(parser: ParserSettings, settings: Settings) -> ReadOptions:
    """How a parser reads a file: to extract from it, and to learn from it."""
    return replace(
        read_options(settings, parser.data_extraction_mode),
        pages=parser.parse_pages or None,
        attachments=parser.email_parsing.attachments,
        attachment_types=tuple(parser.email_parsing.attachment_file_types),
    )


def merge_settings(
    stored: Mapping[str, Any], changes: Mapping[str, Any], prefix: str = "settings"
) -> dict[str, Any]:
    """``stored`` with ``changes`` merged key by key, nested objects too, arrays replaced.

    Synonyms become what they stand for. Raises InputError naming each place that is wrong, below ``prefix``.
    """
    merged = read_settings(_merged(stored, changes), prefix)
    return merged.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _merged(stored: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(stored)
    for key, value in changes.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _merged(old, value) if both and old is not None else value
    return merged
