"""The types of files that can be read: docduck's own, and those of readers that other packages add."""

from __future__ import annotations

import logging
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import Protocol

from docduck.documents.detection import content_types as types
from docduck.plugins import BrokenPlugin, plugins

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FileType:
    """A type of file that a reader reads.

    A file is of another package's type if it has one of ``signatures`` (offset and bytes, within the first
    64 KiB) or, for a type without signatures, if its name ends in one of ``suffixes`` (``.log``). Files that
    docduck recognises as a PDF, a picture, a mail or an office file stay what they are.
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


OWN_TYPES: Sequence[FileType] = (
    FileType(types.PDF, "PDF", (".pdf",)),
    FileType(types.PNG, "PNG image", (".png",)),
    FileType(types.JPEG, "JPEG image", (".jpg", ".jpeg")),
    FileType(types.TIFF, "TIFF image", (".tif", ".tiff")),
    FileType(types.BMP, "BMP image", (".bmp",)),
    FileType(types.GIF, "GIF image", (".gif",)),
    FileType(types.WEBP, "WebP image", (".webp",)),
    FileType(types.HEIC, "HEIC image", (".heic", ".heif")),
    FileType(types.AVIF, "AVIF image", (".avif",)),
    FileType(types.PLAIN, "Plain text", (".txt",)),
    FileType(types.CSV, "CSV", (".csv",)),
    FileType(types.TSV, "TSV", (".tsv", ".tab")),
    FileType(types.HTML, "HTML", (".html", ".htm", ".xhtml")),
    FileType(types.MARKDOWN, "Markdown", (".md", ".markdown")),
    FileType(types.RTF, "RTF", (".rtf",)),
    FileType(types.XML, "XML", (".xml",)),
    FileType(types.SIGNED, "Signed file", (".p7m",)),
    FileType(types.RFC822, "E-mail", (".eml",)),
    FileType(types.OUTLOOK, "Outlook message", (".msg",)),
    FileType(types.ZIP, "ZIP archive", (".zip",)),
    FileType(types.DOCX, "Word (DOCX)", (".docx", ".docm")),
    FileType(types.PPTX, "PowerPoint (PPTX)", (".pptx", ".pptm")),
    FileType(types.XLSX, "Excel (XLSX)", (".xlsx", ".xlsm")),
    FileType(types.XLS, "Excel 97 (XLS)", (".xls",)),
    FileType(types.ODT, "OpenDocument text (ODT)", (".odt",)),
    FileType(types.ODS, "OpenDocument spreadsheet (ODS)", (".ods",)),
)
"""The types that docduck's own readers read."""

_GENERAL = frozenset(
    {types.PLAIN, types.CSV, types.TSV, types.MARKDOWN, types.HTML, types.XML, types.ZIP, types.OLE}
)
"""Types that many formats are built on: files of another package's type may look like them."""


class HasFileTypes(Protocol):
    """A reader that tells which types it reads."""

    file_types: tuple[FileType, ...]


@cache
def added_readers() -> tuple[HasFileTypes, ...]:
    """Return the readers of other packages that can be loaded, in the order of their names.

    One that reads a type of docduck's own, or of another package before it, is left out and logged.
    """
    readers: list[HasFileTypes] = []
    known = {own.content_type for own in OWN_TYPES}
    for plugin in plugins("readers"):
        try:
            reader: HasFileTypes = plugin.load()
        except BrokenPlugin:
            continue
        read = {file_type.content_type for file_type in reader.file_types}
        if doubled := sorted(read & known):
            _log.error("The plugin %s is not used: %s has a reader already", plugin, ", ".join(doubled))
            continue
        known |= read
        readers.append(reader)
    return tuple(readers)


@cache
def added_types() -> tuple[FileType, ...]:
    """Return the types that readers of other packages read."""
    return tuple(file_type for reader in added_readers() for file_type in reader.file_types)


def added_type(head: bytes, name: str, content_type: str) -> str:
    """Return another package's type if the file is of one, else ``content_type``, which docduck detected."""
    if content_type not in _GENERAL and any(own.content_type == content_type for own in OWN_TYPES):
        return content_type
    matching = (added.content_type for added in added_types() if added.matches(head, name))
    return next(matching, content_type)


@cache
def labels() -> Mapping[str, str]:
    """Return the labels of all types that can be read."""
    return {known.content_type: known.label for known in (*OWN_TYPES, *added_types())}


def usual_suffixes(content_types: Container[str]) -> list[str]:
    """Return the usual suffixes of files of these types."""
    known = (known for known in (*OWN_TYPES, *added_types()) if known.content_type in content_types)
    return [suffix for file_type in known for suffix in file_type.suffixes]


def type_by_suffix(name: str, among: Container[str]) -> str | None:
    """Return the content type that the suffix of a file name stands for, None if not ``among`` these."""
    suffix = PurePath(name).suffix.lower()
    named = (own.content_type for own in OWN_TYPES if suffix in own.suffixes)
    return next((content_type for content_type in named if content_type in among), None)
