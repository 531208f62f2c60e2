"""Files embedded in a PDF, and portfolios: PDFs that are nothing but a collection of such files."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator

import pypdfium2.raw as pdfium

from docduck.documents.detection.content_types import XML
from docduck.documents.detection.sniff import content_type
from docduck.documents.document import Attachment
from docduck.documents.formats.pdf.handles import Handle, open_document, utf16
from docduck.documents.formats.pdf.object_scan import catalogs
from docduck.errors import DamagedFile, EncryptedFile

MAX_FILES = 100
MAX_BYTES = 50_000_000
"""All files together; what goes past it is left out."""

_HEADER = 1024
_COLLECTION = re.compile(rb"/Collection\b")
_FOLDER = re.compile(r"^<\d+>")
"""The number of a folder before a file's name (ISO 32000-2, 7.11.6)."""


def embedded_files(
    document: Handle, warnings: list[str], most: int = MAX_FILES, most_bytes: int = MAX_BYTES
) -> Iterator[Attachment]:
    """Yield the first files embedded in ``document``; add to ``warnings`` for what is left out."""
    count = pdfium.FPDFDoc_GetAttachmentCount(document)
    left = most_bytes
    for index in range(min(count, most)):
        handle = pdfium.FPDFDoc_GetAttachment(document, index)
        if not handle:
            continue
        size = ctypes.c_ulong()
        if not pdfium.FPDFAttachment_GetFile(handle, None, 0, ctypes.byref(size)) or not size.value:
            continue
        name = _FOLDER.sub("", utf16(pdfium.FPDFAttachment_GetName, handle))
        if size.value > left:
            warnings.append(f"The embedded file {name!r} was left out: it has {size.value} bytes")
            continue
        buffer = (ctypes.c_char * size.value)()
        if pdfium.FPDFAttachment_GetFile(handle, buffer, size.value, ctypes.byref(size)):
            left -= size.value
            yield Attachment(name, content_type(buffer.raw, name), buffer.raw)


def is_portfolio(data: bytes, password: str | None = None) -> bool:
    """Return whether ``data`` is a portfolio (ISO 32000, 12.3.5): its pages only say how to open the files.

    A PDF with the XML of its electronic invoice is none.
    """
    if b"%PDF-" not in data[:_HEADER] or not (_COLLECTION.search(data) or b"/ObjStm" in data):
        return False
    try:
        return any(file.content_type != XML for file in portfolio_files(data, password, MAX_FILES, MAX_BYTES))
    except (DamagedFile, EncryptedFile):
        return False


def portfolio_files(data: bytes, password: str | None, most: int, most_bytes: int) -> Iterator[Attachment]:
    """Yield the files of a portfolio; none of any other PDF. Raise ``EncryptedFile`` and ``DamagedFile``."""
    with open_document(data, password) as document:
        if pdfium.FPDFDoc_GetAttachmentCount(document) and any(map(_COLLECTION.search, catalogs(data))):
            yield from embedded_files(document, [], most, most_bytes)
