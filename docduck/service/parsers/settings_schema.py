"""The settings of a parser: keys, types and defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from docduck.documents.detection.file_types import labels
from docduck.documents.page_ranges import parse_pages
from docduck.errors import InputError
from docduck.extraction.values.dates import DateOrder
from docduck.service.core.schema import Schema, Shown
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


ModelUse = Literal["never", "unsure", "always"]
"""When a language model is asked; None leaves that to the mode of reading and to where the model runs."""


class Switch(Schema):
    """Whether a part of the processing is on."""

    enabled: bool = False


Language = Literal[
    "auto", "cs", "da", "de", "el", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "tr",
    "uk", "zh",
]  # fmt: skip


class ReadingLocale(Schema):
    """How ambiguous numbers and dates are read; `auto` decides by document.

    `language` applies where a document shows neither format. `timeZone` determines the day of moments, such
    as the dates of mails.
    """

    language: Annotated[
        Language,
        Shown("Language", "Used where a document itself doesn't show how it writes numbers and dates."),
    ] = "auto"
    decimal_separator: Annotated[
        Literal["auto", ".", ","],
        Shown(
            "Decimal separator",
            "How 1.234 is read: as a number with three decimals, or as a thousand and more.",
            choices={"auto": "automatic", ".": "point: 1,234.50", ",": "comma: 1.234,50"},
        ),
    ] = "auto"
    date_order: Annotated[
        DateOrder,
        Shown(
            "Order of dates",
            "How 03/04/25 is read.",
            choices={
                "auto": "automatic",
                "day_first": "day first: 3 April 2025",
                "month_first": "month first: 4 March 2025",
                "year_first": "year first: 25 April 2003",
            },
        ),
    ] = "auto"
    time_zone: Annotated[
        str,
        Field(min_length=1, max_length=64),
        Shown(
            "Time zone",
            "Such as Europe/Berlin. It decides the day of moments, such as the dates of mails; auto is the "
            "moment's own zone.",
        ),
    ] = "auto"

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

    mode: Annotated[
        Literal["disabled", "allow", "block"],
        Shown(
            "Senders",
            "Mails of other senders are kept out, and shown as such in the log of mails.",
            choices={
                "disabled": "everybody may send",
                "allow": "only the senders below may send",
                "block": "everybody but the senders below",
            },
        ),
    ] = "disabled"
    rules: Annotated[
        list[SenderRule],
        Field(max_length=1000),
        Shown(
            "Addresses and domains, one on each line",
            "Such as ann@example.com, or example.com for a domain with its subdomains.",
            kind="senders",
        ),
    ] = Field([])

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

    parse_email_body: Annotated[
        bool | None,
        Shown(
            "Read the mail itself",
            "Make a document of the mail's text, beside those of its attachments.",
            choices={"": "if it has values of the fields, or no attachment", "yes": "always", "no": "never"},
        ),
    ] = None
    merge_email_attachments: Annotated[
        bool,
        Shown(
            "One document for each mail",
            "Read all attachments as pages of one document, instead of one document each.",
        ),
    ] = False
    include_email_subject_body: Annotated[
        bool,
        Shown(
            "Begin that document with the mail",
            "For one document for each mail: its subject and text come before the attachments.",
        ),
    ] = True
    attachment_file_types: Annotated[
        list[Label],
        Field(max_length=100),
        Shown(
            "Types of attachments, one on each line",
            "Such as application/pdf, image/* or .pdf. All are used if empty.",
        ),
    ] = Field([])
    sender_filter: SenderFilter = SenderFilter()

    @property
    def attachments(self) -> Literal["apart", "merged", "only"]:
        """``ReadOptions.attachments`` for these settings."""
        if not self.merge_email_attachments:
            return "apart"
        return "merged" if self.include_email_subject_body else "only"


class SplitDocuments(Schema):
    """How a PDF is split into documents."""

    enabled: Annotated[
        bool, Shown("Split PDF files", "Make several documents of a PDF that holds several.")
    ] = False
    mode: Annotated[
        Literal["everyXPages", "pageRanges", "ai", "partitionKey"],
        Shown(
            "Where to split",
            "Beginnings are told by page numbers, titles and senders, and by the language model if there is "
            "one.",
            choices={
                "everyXPages": "after a number of pages",
                "pageRanges": "at given pages",
                "partitionKey": "where a value changes",
                "ai": "where a document begins",
            },
        ),
    ] = "everyXPages"
    every_x_pages: Annotated[
        Annotated[int, Field(ge=1, le=1_000_000)] | None,
        Shown("Number of pages", "For: after a number of pages."),
    ] = Field(None, alias="everyXPages", validate_default=True)
    page_ranges: Annotated[
        Pages | None,
        Unset,
        Shown("Page ranges", "For: at given pages. Such as 1-3,4,5- for three documents."),
    ] = Field(None, validate_default=True)
    partition_key: Annotated[
        Annotated[str, Field(max_length=600)] | None,
        Unset,
        Shown(
            "Value that changes",
            "For: where a value changes. A field such as Invoice Number or Line Items.Account, or a "
            "description in words. Pages without a value belong to the document before.",
        ),
    ] = Field(None, validate_default=True)
    partition_key_source: Annotated[
        Literal["parserField", "custom"],
        Shown(
            "The value that changes is",
            choices={"parserField": "a field of this parser", "custom": "described in words"},
        ),
    ] = "parserField"
    instructions: Annotated[
        Instructions | None,
        Unset,
        Shown(
            "Instructions for splitting",
            "For: where a document begins. The language model reads them.",
            is_long=True,
        ),
    ] = None

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

    enabled: Annotated[
        bool,
        Shown(
            "Check the kind of documents",
            "Documents of a kind that is not wanted are skipped: they stay visible, and are in no table.",
        ),
    ] = False
    mode: Annotated[
        Literal["allow", "block"],
        Shown(
            "The kinds below are",
            choices={"allow": "the only ones that are read", "block": "those that are not read"},
        ),
    ] = "allow"
    labels: Annotated[
        list[Label],
        Field(max_length=100),
        Shown("Kinds, one on each line", "Such as Invoice or Credit note."),
    ] = Field([], validate_default=True)
    instructions: Annotated[
        Instructions | None,
        Unset,
        Shown(
            "How to tell the kinds",
            "A line that begins with a kind and a colon is about that kind.",
            is_long=True,
        ),
    ] = None
    cost_per_document: Annotated[
        float,
        Field(ge=0, le=1_000_000_000),
        Shown("Cost of a document", "For your own records: it is stored and shown only.", kind="amount"),
    ] = 0

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


def _is_shown_type(value: Any) -> bool:
    """Return whether a file type is written as parsers show it."""
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("mimeType"), str)
        and {*value} <= {"mimeType", "label"}
    )


class ParserSettings(Schema):
    """The settings of a parser; keys in JSON are camelCase.

    ``duplicate_keys`` are names or ids of fields, stored as ids (see ``field_settings``).
    """

    accepted_file_types: Annotated[
        list[str],
        Field(max_length=100),
        Shown(
            "Accepted types of files",
            "Files of other types are refused. All types are accepted if none is chosen.",
            kind="file_types",
        ),
    ] = Field([])
    confidence_scores: Annotated[
        Switch,
        Shown(
            "Confidence scores",
            "Tell for each value how sure it is. Without them, rules on confidence have nothing to compare.",
        ),
    ] = Switch(enabled=True)
    markdown_parsing: Annotated[
        Switch, Shown("Markdown", "Keep the whole text of each document as Markdown, beside its values.")
    ] = Switch()
    advanced_table_extraction: Annotated[
        Literal["disabled", "auto", "enabled"],
        Shown(
            "Tables",
            "Automatic reads a table whose header is found, or that alone fits the types of the columns. "
            "Always takes the one that fits best.",
            choices={"disabled": "never", "auto": "automatic", "enabled": "always"},
        ),
    ] = "auto"
    data_extraction_mode: Annotated[
        Literal["fast", "balanced", "accurate"],
        Shown(
            "How thoroughly documents are read",
            "Fast reads scanned pages with less effort. Accurate also asks the language model, if one is set "
            "up, and checks each of its values on the page.",
            choices={"fast": "fast", "balanced": "balanced", "accurate": "accurate, with the language model"},
        ),
    ] = "balanced"
    model_use: Annotated[
        ModelUse | None,
        Unset,
        Shown(
            "Asking the language model",
            "By itself, it is asked about unsure and missing values: in accurate reading, and in balanced "
            "reading if it runs on this machine.",
            choices={
                "": "automatic",
                "never": "never",
                "unsure": "about unsure and missing values",
                "always": "about all values",
            },
        ),
    ] = None
    model: Annotated[
        Annotated[str, Field(max_length=63)] | None,
        Unset,
        Shown(
            "Language model",
            "Prices are those of a million tokens that are read, and written.",
            kind="models",
        ),
    ] = None
    split_documents: SplitDocuments = SplitDocuments()
    classification_gate: ClassificationGate = ClassificationGate()
    email_parsing: EmailParsing = EmailParsing()
    parse_pages: Annotated[
        Pages, Shown("Pages to read", "Such as 1-3,last or odd or 2n+1. All pages if empty.")
    ] = ""
    reading_locale: ReadingLocale = ReadingLocale()
    document_name_template: Annotated[
        Annotated[str, Field(max_length=500)] | None,
        Unset,
        Shown(
            "Names of documents",
            "Such as Invoice {Invoice Number}. A document without one of the values keeps the name of its "
            "file, as do all if this is empty.",
        ),
    ] = None
    duplicate_keys: Annotated[
        list[Label],
        Field(max_length=10),
        Shown(
            "Fields that tell duplicates",
            "Documents with equal values in all of these fields are shown as duplicates. Files with the same "
            "content always are.",
            kind="fields",
        ),
    ] = Field([])
    unsure_below: Annotated[
        float,
        Field(ge=0, le=1),
        Shown(
            "Values are unsure below",
            "A confidence from 0 to 1. A person is asked to look at unsure values, on the page of a document "
            "and through agents.",
        ),
    ] = UNSURE_BELOW
    retention_days: Annotated[
        Annotated[int, Field(ge=1, le=3650)] | None,
        Shown(
            "Days until documents are deleted",
            "Processed and failed documents are deleted after so many days, with their rows. Documents in "
            "review, approved and rejected ones are kept, as are all if this is empty.",
        ),
    ] = None

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

    @field_validator("accepted_file_types", mode="before")
    @classmethod
    def _types_as_shown(cls, value: Any) -> Any:
        """Return the types of what a parser shows, ``{"mimeType", "label"}``; all of them are none."""
        if not isinstance(value, list) or not value or not all(map(_is_shown_type, value)):
            return value
        types = [kind["mimeType"] for kind in value]
        return [] if {*types} == {*labels()} else types

    @field_validator("accepted_file_types")
    @classmethod
    def _types(cls, value: list[str]) -> list[str]:
        for kind in value:
            if not _MIME_TYPE.fullmatch(kind):
                raise ValueError(f"'{kind}' is no MIME type such as application/pdf")
        return list(dict.fromkeys(kind.lower() for kind in value))
