"""The extractor of structured data: electronic invoices, form fields and tables known from the format."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions


class StructuredExtractor:
    """Finds what a file states as data."""

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings with source ``structured``."""
        findings = Findings()
        if document.attachments:
            from docduck.extraction.extractors.structured.einvoice import InvoiceFields, embedded_invoice

            invoice = embedded_invoice(document, findings.warnings)
            if invoice is not None:
                findings.add(InvoiceFields(invoice, document).find(queries))
        if document.form:
            from docduck.extraction.extractors.structured.forms import FormFields

            findings.add(FormFields(document, options).find(findings.open(queries)))
        if any(page.grids for page in document.pages):
            from docduck.extraction.extractors.structured.grids import GridFields

            findings.add(GridFields(document, options).find(findings.open(queries)))
        return findings
