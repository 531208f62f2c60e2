"""Opening and closing PDFium's objects, and its errors as docduck's."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pypdfium2.raw as pdfium

from docduck.documents.formats.pdf.object_scan import with_new_table
from docduck.documents.formats.pdf.patterns import without_endless_patterns
from docduck.errors import DamagedFile, EncryptedFile, WrongPassword

Handle = Any
"""A PDFium pointer."""
_MAX_TEXT = 200_000
_HEADER = 1024
"""First bytes that a PDF's header may be in (ISO 32000, annex H)."""

INCOMPLETE = "The file is damaged at its end; what is left of it was read"
"""The warning of a PDF whose table of objects was made anew."""


@contextmanager
def open_document(
    data: bytes, password: str | None = None, warnings: list[str] | None = None
) -> Iterator[Handle]:
    """Return the document in ``data``, which may have lost its end: then a warning is added.

    Raise ``EncryptedFile``, ``WrongPassword`` or ``DamagedFile``.
    """
    data = without_endless_patterns(_from_header(data))
    secret = password.encode() + b"\x00" if password is not None else None
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), secret)
    if not document:
        error = pdfium.FPDF_GetLastError()
        if error in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            raise EncryptedFile() if password is None else WrongPassword()
        data = with_new_table(data)
        document = pdfium.FPDF_LoadMemDocument64(data, len(data), secret)
        if not document or not pdfium.FPDF_GetPageCount(document):
            raise DamagedFile(f"PDFium error {error} while opening")
        if warnings is not None:
            warnings.append(INCOMPLETE)
    try:
        yield document
    finally:
        pdfium.FPDF_CloseDocument(document)


def _from_header(data: bytes) -> bytes:
    """Return a PDF without foreign bytes before it, unless they are as few as PDFium passes over."""
    if data.find(b"%PDF-", 0, _HEADER) >= 0:
        return data
    return data[max(0, data.find(b"%PDF-")) :]


@contextmanager
def open_forms(document: Handle) -> Iterator[Handle | None]:
    """Yield the form environment of ``document``, which draws its fields; ``None`` without a form."""
    if pdfium.FPDF_GetFormType(document) == pdfium.FORMTYPE_NONE:
        yield None
        return
    info = pdfium.FPDF_FORMFILLINFO()
    info.version = 2
    form = pdfium.FPDFDOC_InitFormFillEnvironment(document, ctypes.byref(info))
    try:
        yield form
    finally:
        if form:
            pdfium.FPDFDOC_ExitFormFillEnvironment(form)


@contextmanager
def open_page(document: Handle, index: int) -> Iterator[Handle]:
    """Yield page ``index`` (from 0) with its annotations and form fields; raise ``DamagedFile``."""
    page = pdfium.FPDF_LoadPage(document, index)
    if page and _has_visible_annotations(page) and pdfium.FPDFPage_Flatten(page, 0) == 1:
        pdfium.FPDF_ClosePage(page)
        page = pdfium.FPDF_LoadPage(document, index)
    if not page:
        raise DamagedFile(f"page {index + 1} can't be loaded")
    try:
        yield page
    finally:
        pdfium.FPDF_ClosePage(page)


def utf16(call: Callable[..., int], *about: Any) -> str:
    """Return what a PDFium function writes ``about`` something into a buffer of UTF-16."""
    size = min(call(*about, None, 0), _MAX_TEXT)
    if size <= 2:
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    call(*about, buffer, size)
    return bytes(buffer).decode("utf-16-le", errors="replace").split("\x00", 1)[0]


def _has_visible_annotations(page: Handle) -> bool:
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), 2000)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if annotation:
            subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
            pdfium.FPDFPage_CloseAnnot(annotation)
            if subtype in (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP):
                return True
    return False
