"""XML files to Document: an electronic invoice as its readable text."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.documents.detection.encoding import decode_text
from docduck.documents.document import Attachment, Document
from docduck.documents.formats.einvoice.model import Invoice
from docduck.documents.formats.einvoice.parse import parse_invoice
from docduck.documents.formats.einvoice.sections import sections
from docduck.documents.formats.flow.blocks import Paragraph, Section
from docduck.documents.formats.flow.reader import FlowReader
from docduck.documents.formats.markup.xml import xml_sections
from docduck.documents.read_options import ReadOptions
from docduck.errors import DamagedFile


class XmlReader(FlowReader):
    """Reads ``application/xml``.

    An electronic invoice is also an attachment of its document. Other XML is shown by its elements
    (``markup.xml``), malformed XML as plain text.
    """

    def sections(self, data: bytes, warnings: list[str]) -> Sequence[Section]:
        """Return the invoice or the XML's elements."""
        invoice = _invoice(data, warnings)
        if invoice is not None:
            warnings += invoice.warnings
            return sections(invoice)
        try:
            return xml_sections(data)
        except DamagedFile:
            return [Section([Paragraph(line, literal=True) for line in decode_text(data).splitlines()])]

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """Return the document; an electronic invoice is its own attachment, too."""
        document = super().read(data, content_type, options)
        if _invoice(data, []) is not None:
            document.attachments.append(Attachment("", content_type, data))
        return document


def _invoice(data: bytes, warnings: list[str]) -> Invoice | None:
    try:
        return parse_invoice(data)
    except DamagedFile as error:
        warnings.append(f"The file is no well-formed XML: {error.detail}")
        return None
