"""The zip of an office file, read within limits, and the relations between its parts."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Mapping
from typing import IO, Any, cast

from docduck.documents.detection.containers import BROKEN_ZIP
from docduck.documents.detection.ole import OLE_SIGNATURE
from docduck.documents.formats.xml_tree import MAX_XML, Element, parse_xml
from docduck.errors import DamagedFile, EncryptedFile

MAX_PARTS = 10_000
"""Entries of a zip."""
MAX_STREAM = 1024 * 1024 * 1024
"""Unpacked bytes of a part that is read as a stream."""
MAX_TOTAL = 2 * MAX_STREAM
"""Unpacked bytes read from one file in all."""

R_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
"""The attribute that refers to another part."""
_RELATIONS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"

_STRICT = b"http://purl.oclc.org/ooxml/"
_SCHEMAS = b"http://schemas.openxmlformats.org/"
_TRANSITIONAL = (
    (_STRICT + b"officeDocument/relationships", _SCHEMAS + b"officeDocument/2006/relationships"),
    *(
        (_STRICT + kind + b"/" + part, _SCHEMAS + kind + b"/2006/" + part)
        for kind in (b"wordprocessingml", b"spreadsheetml", b"presentationml", b"drawingml")
        for part in (b"main", b"chart", b"diagram", b"wordprocessingDrawing", b"spreadsheetDrawing")
    ),
)


class Package:
    """An office file's parts by name.

    Raise ``EncryptedFile`` for a file with a password (an OLE file around the encrypted zip, or encrypted
    entries), ``DamagedFile`` for a broken zip or one over the limits; so do the methods.
    """

    def __init__(self, data: bytes) -> None:
        if data.startswith(OLE_SIGNATURE):
            raise EncryptedFile()
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except BROKEN_ZIP as error:
            raise DamagedFile(f"zip: {error}") from error
        entries = self._zip.infolist()
        if len(entries) > MAX_PARTS:
            raise DamagedFile(f"a zip of {len(entries)} entries is too large")
        self._entries = {entry.filename.lstrip("/"): entry for entry in entries}
        self._read = 0

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def stream(self, name: str, limit: int = MAX_STREAM) -> IO[bytes]:
        """Return a part as a stream that ends in ``DamagedFile`` after ``limit`` bytes."""
        entry = self._entries.get(name)
        if entry is None:
            raise DamagedFile(f"the part {name} is missing")
        if entry.flag_bits & 1:
            raise EncryptedFile()
        try:
            return cast(IO[bytes], _Bounded(self, self._zip.open(entry), name, limit))
        except BROKEN_ZIP as error:
            raise DamagedFile(f"zip: {error}") from error

    def read(self, name: str, limit: int = MAX_XML) -> bytes:
        """Return a part's bytes."""
        with self.stream(name, limit) as stream:
            chunks = []
            while chunk := stream.read(1 << 20):
                chunks.append(chunk)
        return b"".join(chunks)

    def tree(self, name: str) -> Element:
        """Return a part's XML; the strict namespaces of ISO 29500 read as the transitional ones."""
        data = self.read(name)
        if _STRICT in data:
            for strict, transitional in _TRANSITIONAL:
                data = data.replace(strict, transitional)
        return parse_xml(data)

    def optional_tree(self, name: str) -> Element | None:
        """Return a part's XML; None when there is no such part."""
        return self.tree(name) if name in self._entries else None

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """Return the parts inside the file that ``part`` refers to: id to (last word of its type, name)."""
        folder, name = posixpath.split(part)
        root = self.optional_tree(posixpath.join(folder, "_rels", f"{name}.rels"))
        relations: dict[str, tuple[str, str]] = {}
        for relation in root.iter(_RELATIONS) if root is not None else ():
            if relation.get("TargetMode") == "External":
                continue
            target = posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/")
            kind = relation.get("Type", "").rpartition("/")[2]
            relations[relation.get("Id", "")] = (kind, target)
        return relations

    def main_part(self) -> str:
        """Return the name of the part that the file is about."""
        main = self.first_part(self.relations(""), "officeDocument")
        if main is None:
            raise DamagedFile("no main part")
        return main

    def first_part(self, relations: Mapping[str, tuple[str, str]], kind: str) -> str | None:
        """Return the first of the related parts that is of a kind and in the file, None if there is none."""
        return next((part for known, part in relations.values() if known == kind and part in self), None)

    def related_tree(self, relations: Mapping[str, tuple[str, str]], kind: str) -> Element | None:
        """Return the XML of ``first_part``."""
        part = self.first_part(relations, kind)
        return self.tree(part) if part else None


class _Bounded(io.RawIOBase):
    """A zip entry's stream that counts what it unpacks."""

    def __init__(self, package: Package, stream: IO[bytes], name: str, limit: int) -> None:
        super().__init__()
        self._package, self._stream, self._name, self._left = package, stream, name, limit

    def read(self, size: int = -1) -> Any:
        """Return up to ``size`` bytes (all the limit allows, when negative)."""
        amount = min(size if size >= 0 else self._left + 1, 1 << 20)
        try:
            chunk = self._stream.read(amount)
        except BROKEN_ZIP as error:
            raise DamagedFile(f"zip: {self._name}: {error}") from error
        self._left -= len(chunk)
        self._package._read += len(chunk)
        if self._left < 0 or self._package._read > MAX_TOTAL:
            raise DamagedFile(f"the part {self._name} unpacks to more than is read")
        return chunk

    def readable(self) -> bool:
        """Return True."""
        return True

    def close(self) -> None:
        """Close the entry."""
        self._stream.close()
        super().close()
