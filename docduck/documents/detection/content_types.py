"""The content types of files, and the suffixes by which some of them are recognised.

A type that can be read has a reader in ``docduck.documents.reader.READERS`` and a label in ``file_types``.
"""

from __future__ import annotations

from collections.abc import Container
from pathlib import PurePath

PDF = "application/pdf"
PNG, JPEG, TIFF, BMP = "image/png", "image/jpeg", "image/tiff", "image/bmp"
GIF, WEBP, HEIC, AVIF = "image/gif", "image/webp", "image/heic", "image/avif"
PLAIN, CSV, TSV = "text/plain", "text/csv", "text/tab-separated-values"
HTML, MARKDOWN, RTF = "text/html", "text/markdown", "application/rtf"
XML, SIGNED = "application/xml", "application/pkcs7-mime"
RFC822, OUTLOOK = "message/rfc822", "application/vnd.ms-outlook"
ZIP, OLE = "application/zip", "application/x-ole-storage"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODT = "application/vnd.oasis.opendocument.text"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
ODP = "application/vnd.oasis.opendocument.presentation"
DOC, XLS, PPT = "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"
UNKNOWN = "application/octet-stream"

IMAGES = (PNG, JPEG, TIFF, BMP, GIF, WEBP, HEIC, AVIF)
PAGED = (PDF, *IMAGES)
"""Types that are read page by page, long files in pieces."""
MAILS = (RFC822, OUTLOOK)
OFFICE_PACKAGES = (DOCX, PPTX, XLSX, ODT, ODS)
"""Office files that are zips."""

_SUFFIXES = {
    **{".docx": DOCX, ".docm": DOCX, ".pptx": PPTX, ".pptm": PPTX, ".xlsx": XLSX, ".xlsm": XLSX},
    **{".odt": ODT, ".ods": ODS, ".eml": RFC822, ".html": HTML, ".htm": HTML, ".xhtml": HTML},
    **{".md": MARKDOWN, ".markdown": MARKDOWN, ".csv": CSV, ".tsv": TSV, ".tab": TSV},
}

_OTHER_SUFFIXES = {
    **{".pdf": PDF, ".png": PNG, ".jpg": JPEG, ".jpeg": JPEG, ".tif": TIFF, ".tiff": TIFF, ".bmp": BMP},
    **{".gif": GIF, ".webp": WEBP, ".heic": HEIC, ".heif": HEIC, ".avif": AVIF, ".txt": PLAIN, ".rtf": RTF},
    **{".xml": XML, ".p7m": SIGNED, ".msg": OUTLOOK, ".zip": ZIP, ".xls": XLS},
}
"""Suffixes of types that are recognised by their content."""


def suffixes_of(content_types: Container[str]) -> list[str]:
    """Return the usual suffixes of files of these types."""
    known = {**_OTHER_SUFFIXES, **_SUFFIXES}
    return [suffix for suffix, content_type in known.items() if content_type in content_types]


def type_by_suffix(name: str, among: Container[str]) -> str | None:
    """Return the content type that the suffix of a file name stands for, None if not ``among`` these."""
    content_type = _SUFFIXES.get(PurePath(name).suffix.lower())
    return content_type if content_type in among else None
