"""The structured engine: electronic invoices, form fields and tables known from the format."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.options import ExtractOptions
from docduck.fields import Field


class StructuredExtractor:
    """Answers what a file states as data; all else is left to the engines after it."""

    name = "structured"

    def find(self, document: Document, fields: Sequence[Field], options: ExtractOptions) -> Findings:
        """Findings with source ``structured``."""
        found = Findings()
        if document.attachments:
            from docduck.extraction.extractors.structured.einvoice import InvoiceAnswers, embedded_invoice

            invoice = embedded_invoice(document, found.warnings)
            if invoice is not None:
                _take(found, InvoiceAnswers(invoice, document).find(fields))
        if document.form:
            from docduck.extraction.extractors.structured.forms import FormAnswers

            _take(found, FormAnswers(document, options).find(_open(fields, found)))
        if any(page.grids for page in document.pages):
            from docduck.extraction.extractors.structured.grids import GridAnswers

            _take(found, GridAnswers(document, options).find(_open(fields, found)))
        return found


def _open(fields: Sequence[Field], found: Findings) -> list[Field]:
    known = found.scalars.keys() | found.tables.keys() | found.absent
    return [field for field in fields if field.name not in known]


def _take(found: Findings, more: Findings) -> None:
    found.scalars.update(more.scalars)
    found.tables.update(more.tables)
    found.warnings += more.warnings
    found.absent |= more.absent
