"""Types of zip and OLE files: office formats are recognised by their parts."""

from __future__ import annotations

import io
import lzma
import os
import struct
import zipfile
import zlib
from typing import BinaryIO

from docduck.documents.detection.content_types import (
    DOC,
    DOCX,
    ODP,
    ODS,
    ODT,
    OFFICE_PACKAGES,
    OLE,
    OUTLOOK,
    PPT,
    PPTX,
    XLS,
    XLSX,
    ZIP,
)
from docduck.documents.detection.file_types import type_by_suffix
from docduck.documents.detection.ole import OLE_SIGNATURE, ole_names
from docduck.errors import EncryptedFile

_OPEN_DOCUMENT = {kind + flavour: kind for kind in (ODT, ODS, ODP) for flavour in ("", "-template")}
_MAIN_PARTS = (("word/", DOCX), ("ppt/", PPTX), ("xl/", XLSX))
_STREAMS = (
    ("__properties_version1.0", OUTLOOK),
    ("WordDocument", DOC),
    ("Workbook", XLS),
    ("Book", XLS),
    ("PowerPoint Document", PPT),
)
_ENCRYPTED = "EncryptedPackage"

BROKEN_ZIP = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, RuntimeError, ValueError, OSError, EOFError,
)  # fmt: skip
"""What ``zipfile`` raises for a file that is damaged, encrypted or packed in a way that it does not know."""

_END_OF_DIRECTORY = 22
_LONGEST_END = _END_OF_DIRECTORY + 65_535
_MOST_DIRECTORY_BYTES = 2 * 1024 * 1024
"""Largest central directory of a zip that is read; that of an office file has a few hundred entries."""


def zip_type(stream: BinaryIO, name: str = "") -> str:
    """Return the type of a zip: an office format by its parts, else ``application/zip``.

    A zip without such parts but with the ``name`` of an office file is a damaged office file, not an archive.
    """
    kind = _by_parts(stream)
    return (type_by_suffix(name, OFFICE_PACKAGES) or ZIP) if kind == ZIP else kind


def _by_parts(stream: BinaryIO) -> str:
    try:
        if _directory_bytes(stream) > _MOST_DIRECTORY_BYTES:
            return ZIP
        with zipfile.ZipFile(stream) as package:
            names = package.namelist()
            if "mimetype" in names:
                with package.open("mimetype") as part:
                    declared = part.read(100).decode("ascii", errors="replace").strip()
                return _OPEN_DOCUMENT.get(declared, ZIP)
    except BROKEN_ZIP:
        return ZIP
    if "[Content_Types].xml" in names:
        for folder, kind in _MAIN_PARTS:
            if any(name.lstrip("/").startswith(folder) for name in names):
                return kind
    return ZIP


def _directory_bytes(stream: BinaryIO) -> int:
    """Return the size of a zip's central directory, which ``zipfile`` loads whole (APPNOTE, 4.3.14–16)."""
    stream.seek(max(0, stream.seek(0, os.SEEK_END) - _LONGEST_END - 76))
    tail = stream.read()
    at = tail.rfind(b"PK\x05\x06", 0, len(tail) - _END_OF_DIRECTORY + 4)
    if at < 0:
        raise zipfile.BadZipFile("no end of the central directory")
    if tail[max(0, at - 76) :].startswith(b"PK\x06\x06"):
        return int.from_bytes(tail[at - 36 : at - 28], "little")
    return int.from_bytes(tail[at + 12 : at + 16], "little")


def ole_type(stream: BinaryIO, name: str = "") -> str:
    """Return the type of an OLE compound file ([MS-CFB]), by the names of its streams.

    An encrypted office file is recognised by ``name``, and is a spreadsheet otherwise.
    """
    names = ole_names(stream)
    if _ENCRYPTED in names:
        return type_by_suffix(name, OFFICE_PACKAGES) or XLSX
    return next((kind for part, kind in _STREAMS if part in names), OLE)


def refuse_encrypted(data: bytes) -> None:
    """Raise ``EncryptedFile`` for an OLE file around an encrypted office file."""
    if data.startswith(OLE_SIGNATURE) and _ENCRYPTED in ole_names(io.BytesIO(data)):
        raise EncryptedFile()
