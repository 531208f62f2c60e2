"""The controls of the page: one for each setting of a parser, with its explanation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from docduck.service.parsers.settings_schema import ParserSettings, ReadingLocale
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.web.controls import Control, Raw, Section, controls_of, raw_values

ACCEPTED_FILE_TYPES = Control(
    "acceptedFileTypes",
    "file_types",
    "Accepted types of files",
    "Files of other types are refused. All types are accepted if none is chosen.",
)
_GENERAL = (
    Control("name", "text", "Name", "Its inbox folder and the name of its tables stay as they are."),
    Control("description", "long", "Description", "What the parser reads, for the members of the team."),
    Control(
        "isActive",
        "switch",
        "Active",
        "A parser that is not active takes no new documents: uploads are refused, files wait in its inbox.",
    ),
)
_READING = (
    Control(
        "dataExtractionMode",
        "choice",
        "How thoroughly documents are read",
        "Fast reads scanned pages with less effort. Accurate also asks the language model, if one is set up, "
        "and checks each of its values on the page.",
        (("fast", "fast"), ("balanced", "balanced"), ("accurate", "accurate, with the language model")),
    ),
    Control(
        "advancedTableExtraction",
        "choice",
        "Tables",
        "Automatic reads a table whose header is found, or that alone fits the types of the columns. Always "
        "takes the one that fits best.",
        (("disabled", "never"), ("auto", "automatic"), ("enabled", "always")),
    ),
    Control(
        "parsePages",
        "text",
        "Pages to read",
        "Such as 1-3,last or odd or 2n+1. All pages if empty.",
    ),
    ACCEPTED_FILE_TYPES,
    Control(
        "confidenceScores.enabled",
        "switch",
        "Confidence scores",
        "Tell for each value how sure it is. Without them, rules on confidence have nothing to compare.",
    ),
    Control(
        "unsureBelow",
        "number",
        "Values are unsure below",
        "A confidence from 0 to 1. A person is asked to look at unsure values, on the page of a document and "
        "through agents.",
    ),
    Control(
        "markdownParsing.enabled",
        "switch",
        "Markdown",
        "Keep the whole text of each document as Markdown, beside its values.",
    ),
)
_LOCALE = (
    Control(
        "readingLocale.language",
        "choice",
        "Language",
        "Used where a document itself doesn't show how it writes numbers and dates.",
        tuple(
            (language, language) for language in get_args(ReadingLocale.model_fields["language"].annotation)
        ),
    ),
    Control(
        "readingLocale.decimalSeparator",
        "choice",
        "Decimal separator",
        "How 1.234 is read: as a number with three decimals, or as a thousand and more.",
        (("auto", "automatic"), (".", "point: 1,234.50"), (",", "comma: 1.234,50")),
    ),
    Control(
        "readingLocale.dateOrder",
        "choice",
        "Order of dates",
        "How 03/04/25 is read.",
        (
            ("auto", "automatic"),
            ("day_first", "day first: 3 April 2025"),
            ("month_first", "month first: 4 March 2025"),
            ("year_first", "year first: 25 April 2003"),
        ),
    ),
    Control(
        "readingLocale.timeZone",
        "text",
        "Time zone",
        "Such as Europe/Berlin. It decides the day of moments, such as the dates of mails; auto is the "
        "moment's own zone.",
    ),
)
SPLIT = (
    Control(
        "splitDocuments.enabled",
        "switch",
        "Split PDF files",
        "Make several documents of a PDF that holds several.",
    ),
    Control(
        "splitDocuments.mode",
        "choice",
        "Where to split",
        "Beginnings are told by page numbers, titles and senders, and by the language model if there is one.",
        (
            ("everyXPages", "after a number of pages"),
            ("pageRanges", "at given pages"),
            ("partitionKey", "where a value changes"),
            ("ai", "where a document begins"),
        ),
    ),
    Control("splitDocuments.everyXPages", "number", "Number of pages", "For: after a number of pages."),
    Control(
        "splitDocuments.pageRanges",
        "text",
        "Page ranges",
        "For: at given pages. Such as 1-3,4,5- for three documents.",
    ),
    Control(
        "splitDocuments.partitionKey",
        "text",
        "Value that changes",
        "For: where a value changes. A field such as Invoice Number or Line Items.Account, or a description "
        "in words. Pages without a value belong to the document before.",
    ),
    Control(
        "splitDocuments.partitionKeySource",
        "choice",
        "The value that changes is",
        "",
        (("parserField", "a field of this parser"), ("custom", "described in words")),
    ),
    Control(
        "splitDocuments.instructions",
        "long",
        "Instructions for splitting",
        "For: where a document begins. The language model reads them.",
    ),
)
_GATE = (
    Control(
        "classificationGate.enabled",
        "switch",
        "Check the kind of documents",
        "Documents of a kind that is not wanted are skipped: they stay visible, and are in no table.",
    ),
    Control(
        "classificationGate.mode",
        "choice",
        "The kinds below are",
        "",
        (("allow", "the only ones that are read"), ("block", "those that are not read")),
    ),
    Control(
        "classificationGate.labels",
        "lines",
        "Kinds, one on each line",
        "Such as Invoice or Credit note.",
    ),
    Control(
        "classificationGate.instructions",
        "long",
        "How to tell the kinds",
        "A line that begins with a kind and a colon is about that kind.",
    ),
    Control(
        "classificationGate.costPerDocument",
        "amount",
        "Cost of a document",
        "For your own records: it is stored and shown only.",
    ),
)
MAIL = (
    Control(
        "emailParsing.parseEmailBody",
        "tristate",
        "Read the mail itself",
        "Make a document of the mail's text, beside those of its attachments.",
        (("", "if it has values of the fields, or no attachment"), ("yes", "always"), ("no", "never")),
    ),
    Control(
        "emailParsing.mergeEmailAttachments",
        "switch",
        "One document for each mail",
        "Read all attachments as pages of one document, instead of one document each.",
    ),
    Control(
        "emailParsing.includeEmailSubjectBody",
        "switch",
        "Begin that document with the mail",
        "For one document for each mail: its subject and text come before the attachments.",
    ),
    Control(
        "emailParsing.attachmentFileTypes",
        "lines",
        "Types of attachments, one on each line",
        "Such as application/pdf, image/* or .pdf. All are used if empty.",
    ),
    Control(
        "emailParsing.senderFilter.mode",
        "choice",
        "Senders",
        "Mails of other senders are kept out, and shown as such in the log of mails.",
        (
            ("disabled", "everybody may send"),
            ("allow", "only the senders below may send"),
            ("block", "everybody but the senders below"),
        ),
    ),
    Control(
        "emailParsing.senderFilter.rules",
        "senders",
        "Addresses and domains, one on each line",
        "Such as ann@example.com, or example.com for a domain with its subdomains.",
    ),
)
_KEEPING = (
    Control(
        "documentNameTemplate",
        "text",
        "Names of documents",
        "Such as Invoice {Invoice Number}. A document without one of the values keeps the name of its file, "
        "as do all if this is empty.",
    ),
    Control(
        "duplicateKeys",
        "fields",
        "Fields that tell duplicates",
        "Documents with equal values in all of these fields are shown as duplicates. Files with the same "
        "content always are.",
    ),
    Control(
        "retentionDays",
        "number",
        "Days until documents are deleted",
        "Processed and failed documents are deleted after so many days, with their rows. Documents in "
        "review, approved and rejected ones are kept, as are all if this is empty.",
    ),
)

SECTIONS: Sequence[Section] = (
    Section("General", _GENERAL),
    Section("Reading", _READING),
    Section("Numbers and dates", _LOCALE, is_advanced=True),
    Section("Files with several documents", SPLIT, is_advanced=True),
    Section("Kinds of documents", _GATE, is_advanced=True),
    Section("Mails", MAIL, is_advanced=True),
    Section("Documents", _KEEPING),
)
"""All settings, in the order of the page."""

CONTROLS: Sequence[Control] = tuple(control for section in SECTIONS for control in section.controls)
PAGE_CONTROLS = controls_of(UploadPageSettings, "page.")
"""The controls of the upload page."""


def raw_settings(
    controls: Sequence[Control],
    settings: ParserSettings,
    name: str = "",
    description: str = "",
    is_active: bool = True,
) -> Raw:
    """Return what the controls show of a parser or classifier; the rest is that of a new one."""
    general = {"name": name, "description": description, "isActive": is_active}
    return raw_values(controls, {**general, **settings.model_dump(mode="json", by_alias=True)})
