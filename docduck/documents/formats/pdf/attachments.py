"""The files embedded in a PDF."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pypdfium2.raw as pdfium

from docduck.documents.detection.sniff import content_type
from docduck.documents.document import Attachment
from docduck.documents.formats.pdf.handles import Handle

MAX_ATTACHMENTS = 100
MAX_BYTES = 50_000_000
"""All attachments together; what goes past it is left out."""


def embedded_files(document: Handle, warnings: list[str]) -> Iterator[Attachment]:
    """Yield the embedded files of ``document``; add to ``warnings`` for what is left out."""
    count = pdfium.FPDFDoc_GetAttachmentCount(document)
    left = MAX_BYTES
    for index in range(min(count, MAX_ATTACHMENTS)):
        handle = pdfium.FPDFDoc_GetAttachment(document, index)
        if not handle:
            continue
        size = ctypes.c_ulong()
        if not pdfium.FPDFAttachment_GetFile(handle, None, 0, ctypes.byref(size)) or not size.value:
            continue
        name = _name(handle)
        if size.value > left:
            warnings.append(f"The embedded file {name!r} was left out: it has {size.value} bytes")
            continue
        buffer = (ctypes.c_char * size.value)()
        if pdfium.FPDFAttachment_GetFile(handle, buffer, size.value, ctypes.byref(size)):
            left -= size.value
            yield Attachment(name, content_type(buffer.raw, name), buffer.raw)


def _name(handle: Handle) -> str:
    size = pdfium.FPDFAttachment_GetName(handle, None, 0)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    pdfium.FPDFAttachment_GetName(handle, buffer, size)
    return bytes(buffer).decode("utf-16-le", errors="replace").rstrip("\x00")
