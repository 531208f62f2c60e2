"""Running text as documents: typeset line by line on pages, as a PDF reader returns it."""

from __future__ import annotations

import textwrap
from typing import Any

from docduck.documents.document import Document, Page, Word
from docduck.documents.geometry.lines import build_lines
from docduck.extraction.domains.legal_filings.extractor import LegalFilingsExtractor
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.prose.extractor import ProseExtractor
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.options import ExtractOptions
from docduck.fields import Field, FieldType
from tests.extraction.pages import HEIGHT, WIDTH
from tests.extraction.pages import words as set_words

_LINE, _ROWS, _TOP = 14, 50, 40


def written(*pages: str, width: int = 90, content_type: str = "application/pdf") -> Document:
    """Return a document of these pages; paragraphs (separated by blank lines) wrap at ``width``."""
    made = []
    for number, text in enumerate(pages, 1):
        made.append(Page(number, WIDTH, HEIGHT, build_lines(_set(text, width), WIDTH, HEIGHT)))
    return Document(content_type, made, len(made))


def _set(text: str, width: int) -> list[Word]:
    placed: list[Word] = []
    row = 0
    for paragraph in textwrap.dedent(text).strip("\n").split("\n\n"):
        for line in _lines(paragraph, width):
            at = 0
            for part in line.split("  "):
                if part.strip():
                    lead = len(part) - len(part.lstrip())
                    placed += set_words(40 + (at + lead) * 5.5, _TOP + _LINE * row, part.strip())
                at += len(part) + 2
            row += 1
        row += 1
    return placed


def _lines(paragraph: str, width: int) -> list[str]:
    if paragraph.lstrip().startswith("|"):
        return [line.lstrip().removeprefix("|") for line in paragraph.splitlines()]
    return textwrap.wrap(" ".join(paragraph.split()), width)


def read(document: Document, *fields: Field) -> Findings:
    """Return the findings of the extractors of running text for ``fields``."""
    queries, findings = [query_of(field) for field in fields], Findings()
    for extractor in (LegalFilingsExtractor(), ProseExtractor()):
        findings.add(extractor.find(document, findings.open(queries), ExtractOptions()))
    return findings


def value(document: Document, name: str, type_: FieldType = FieldType.TEXT, description: str = "") -> Any:
    """Return the value of one field, None if the extractor finds none."""
    field = Field(name=name, type=type_, description=description or None)
    finding = read(document, field).scalars.get(name)
    return None if finding is None else finding.value


FILLER = """
The parties wish to set out in writing what they have agreed and what each of them may expect of the
other in the course of the work that lies before them. Nothing in this section limits what the law gives
to either of them, and each will do what is needed so that the purpose of these terms is reached in full.
"""
"""A paragraph without any fact that a field could ask for."""
