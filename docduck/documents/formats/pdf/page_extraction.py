"""Pages of a PDF as PDFs of their own."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import Any

import pypdfium2.raw as pdfium

from docduck.documents.formats.pdf.handles import Handle, open_document
from docduck.errors import DamagedFile


def extract_pages(
    data: bytes, groups: Iterable[Sequence[int]], password: str | None = None
) -> Iterator[bytes]:
    """Yield a PDF for each group of page numbers (from 1), in order.

    Only one of them is in memory at a time. Embedded files are left out. Raise EncryptedFile or DamagedFile.
    """
    with open_document(data, password) as source:
        for pages in groups:
            part = pdfium.FPDF_CreateNewDocument()
            try:
                yield _copied(source, part, pages)
            finally:
                pdfium.FPDF_CloseDocument(part)


def _copied(source: Handle, part: Handle, pages: Sequence[int]) -> bytes:
    indices = (ctypes.c_int * len(pages))(*(page - 1 for page in pages))
    if not pdfium.FPDF_ImportPagesByIndex(part, source, indices, len(pages), 0):
        raise DamagedFile(f"pages {', '.join(map(str, pages))} can't be copied")
    written = BytesIO()

    def write(_: Any, block: Any, size: int) -> int:
        written.write(ctypes.string_at(block, size))
        return 1

    writer = pdfium.FPDF_FILEWRITE(version=1)
    writer.WriteBlock = type(writer.WriteBlock)(write)
    if not pdfium.FPDF_SaveAsCopy(part, writer, pdfium.FPDF_NO_INCREMENTAL):
        raise DamagedFile(f"pages {', '.join(map(str, pages))} can't be written")
    return written.getvalue()
