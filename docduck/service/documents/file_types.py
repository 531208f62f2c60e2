"""Labels of readable file types."""

from __future__ import annotations

from collections.abc import Mapping

LABELS: Mapping[str, str] = {
    "application/pdf": "PDF",
    "image/png": "PNG image",
    "image/jpeg": "JPEG image",
    "image/tiff": "TIFF image",
    "image/bmp": "BMP image",
    "image/gif": "GIF image",
    "image/webp": "WebP image",
    "image/heic": "HEIC image",
    "image/avif": "AVIF image",
    "text/plain": "Plain text",
    "text/csv": "CSV",
    "text/tab-separated-values": "TSV",
    "text/html": "HTML",
    "text/markdown": "Markdown",
    "application/rtf": "RTF",
    "application/xml": "XML",
    "application/pkcs7-mime": "Signed XML",
    "message/rfc822": "E-mail",
    "application/vnd.ms-outlook": "Outlook message",
    "application/zip": "ZIP archive",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word (DOCX)",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PowerPoint (PPTX)",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel (XLSX)",
    "application/vnd.ms-excel": "Excel 97 (XLS)",
    "application/vnd.oasis.opendocument.text": "OpenDocument text (ODT)",
    "application/vnd.oasis.opendocument.spreadsheet": "OpenDocument spreadsheet (ODS)",
}

READABLE = frozenset(LABELS)
"""The MIME types of readable files."""
