"""The content types of files.

A type that can be read has a reader in ``docduck.documents.reader.READERS``, and is one of ``file_types``.
"""

from __future__ import annotations

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
