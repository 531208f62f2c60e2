"""The types of files that can be read: docduck's own, and those of readers that other packages add."""

from __future__ import annotations

import logging
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import Protocol

from docduck.documents.detection.content_types import (
    CSV,
    HTML,
    MARKDOWN,
    OLE,
    PLAIN,
    TSV,
    XML,
    ZIP,
    suffixes_of,
)
from docduck.plugins import BrokenPlugin, plugins

_log = logging.getLogger(__name__)

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
"""The labels of the types that docduck's own readers read."""

_GENERAL = frozenset({PLAIN, CSV, TSV, MARKDOWN, HTML, XML, ZIP, OLE})
"""Types that many formats are built on: files of another package's type may look like them."""


@dataclass(frozen=True, slots=True)
class FileType:
    """A type of file that a reader of another package reads.

    A file is of this type if it has one of ``signatures`` (offset and bytes, within the first 64 KiB) or, for
    a type without signatures, if its name ends in one of ``suffixes`` (``.log``). Files that docduck
    recognises as a PDF, a picture, a mail or an office file stay what they are.
    """

    content_type: str
    label: str
    suffixes: tuple[str, ...] = ()
    signatures: tuple[tuple[int, bytes], ...] = ()

    def matches(self, head: bytes, name: str) -> bool:
        """Return whether a file with this ``head`` and ``name`` is of this type."""
        if self.signatures:
            return any(head.startswith(signature, offset) for offset, signature in self.signatures)
        return PurePath(name).suffix.lower() in self.suffixes


class HasFileTypes(Protocol):
    """A reader that tells which types it reads."""

    file_types: tuple[FileType, ...]


@cache
def added_readers() -> tuple[HasFileTypes, ...]:
    """Return the readers of other packages that can be loaded, in the order of their names.

    One that reads a type of docduck's own, or of another package before it, is left out and logged.
    """
    readers: list[HasFileTypes] = []
    known = set(LABELS)
    for plugin in plugins("readers"):
        try:
            reader: HasFileTypes = plugin.load()
        except BrokenPlugin:
            continue
        types = {file_type.content_type for file_type in reader.file_types}
        if doubled := sorted(types & known):
            _log.error("The plugin %s is not used: %s has a reader already", plugin, ", ".join(doubled))
            continue
        known |= types
        readers.append(reader)
    return tuple(readers)


@cache
def added_types() -> tuple[FileType, ...]:
    """Return the types that readers of other packages read."""
    return tuple(file_type for reader in added_readers() for file_type in reader.file_types)


def added_type(head: bytes, name: str, content_type: str) -> str:
    """Return another package's type if the file is of one, else ``content_type``, which docduck detected."""
    if content_type in LABELS and content_type not in _GENERAL:
        return content_type
    types = (added.content_type for added in added_types() if added.matches(head, name))
    return next(types, content_type)


@cache
def labels() -> Mapping[str, str]:
    """Return the labels of all types that can be read."""
    return {**LABELS, **{added.content_type: added.label for added in added_types()}}


def usual_suffixes(content_types: Container[str]) -> list[str]:
    """Return the usual suffixes of files of these types."""
    added = (
        suffix for added in added_types() if added.content_type in content_types for suffix in added.suffixes
    )
    return [*suffixes_of(content_types), *added]
