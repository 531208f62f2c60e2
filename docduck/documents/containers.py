"""What a zip or an OLE file holds: office formats told apart by their parts, never by their name."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePath

from docduck.errors import EncryptedFile

ZIP = "application/zip"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODT = "application/vnd.oasis.opendocument.text"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
ODP = "application/vnd.oasis.opendocument.presentation"
DOC, XLS, PPT = "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"
MSG = "application/vnd.ms-outlook"
OLE = "application/x-ole-storage"

_OPEN_DOCUMENT = {kind + flavour: kind for kind in (ODT, ODS, ODP) for flavour in ("", "-template")}
_MAIN_PARTS = (("word/", DOCX), ("ppt/", PPTX), ("xl/", XLSX))
_BY_SUFFIX = {
    ".docx": DOCX,
    ".docm": DOCX,
    ".pptx": PPTX,
    ".pptm": PPTX,
    ".xlsx": XLSX,
    ".xlsm": XLSX,
    ".odt": ODT,
    ".ods": ODS,
}
_STREAMS = (
    ("WordDocument", DOC),
    ("Workbook", XLS),
    ("Book", XLS),
    ("PowerPoint Document", PPT),
    ("__properties_version1.0", MSG),
)


def zip_type(data: bytes, name: str = "") -> str:
    """The type of a file that is a zip: an office format by its parts, else ``application/zip``.

    One that has the parts of none, but the ``name`` of an office file, is such a file that is damaged, and no
    archive of documents.
    """
    kind = _by_parts(data)
    return _BY_SUFFIX.get(PurePath(name).suffix.lower(), ZIP) if kind == ZIP else kind


def _by_parts(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            names = package.namelist()
            if "mimetype" in names:
                with package.open("mimetype") as stream:
                    declared = stream.read(100).decode("ascii", errors="replace").strip()
                return _OPEN_DOCUMENT.get(declared, ZIP)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, OSError):
        return ZIP
    if "[Content_Types].xml" in names:
        for folder, kind in _MAIN_PARTS:
            if any(name.lstrip("/").startswith(folder) for name in names):
                return kind
    return ZIP


def ole_type(data: bytes, name: str = "") -> str:
    """The type of an OLE compound file ([MS-CFB]), by the names of its streams.

    An office file under a password is one that holds the encrypted zip; which of them it is only ``name``
    tells, and it is taken for a spreadsheet otherwise.
    """
    if has_stream(data, "EncryptedPackage"):
        return _BY_SUFFIX.get(PurePath(name).suffix.lower(), XLSX)
    for stream, kind in _STREAMS:
        if has_stream(data, stream):
            return kind
    return OLE


def has_stream(data: bytes, name: str) -> bool:
    """Whether an OLE file has a directory entry (128 bytes, aligned) of that name."""
    wanted = name.encode("utf-16-le") + b"\x00\x00"
    length = len(wanted).to_bytes(2, "little")
    at = data.find(wanted, 512)
    while at >= 0:
        if at % 128 == 0 and data[at + 64 : at + 66] == length:
            return True
        at = data.find(wanted, at + 1)
    return False


def refuse_encrypted(data: bytes) -> None:
    """Raises ``EncryptedFile`` for an OLE file around an encrypted office file."""
    if data.startswith(b"\xd0\xcf\x11\xe0") and has_stream(data, "EncryptedPackage"):
        raise EncryptedFile()
