"""Unpacking zip archives and PDF portfolios, with the archives inside them, within limits."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass

from docduck.documents.detection.containers import BROKEN_ZIP
from docduck.documents.detection.content_types import ZIP
from docduck.documents.detection.sniff import content_type
from docduck.documents.formats.pdf.embedded import is_portfolio, portfolio_files
from docduck.documents.read_options import ReadOptions
from docduck.errors import DamagedFile, DocumentError, EncryptedFile, UnsupportedFile, WrongPassword

MAX_NESTING = 3
"""Archives within one another that are unpacked with the outermost."""

_CHUNK = 1 << 20
_SYSTEM_FILES = re.compile(r"(^|/)(__MACOSX/|\.(?!\.?/)|thumbs\.db$|desktop\.ini$)", re.IGNORECASE)
_SIGNATURE = re.compile(r"META-INF/[^/]*signature[^/]*\.(?:xml|p7s)$", re.IGNORECASE)
_SIGNED_FILES = re.compile(rf"{_SYSTEM_FILES.pattern}|^META-INF/|^mimetype$", re.IGNORECASE)
"""In a container of signed files (ASiC, ETSI EN 319 162-1), its signatures and type are left out, too."""
_NUMBERS = re.compile(r"(\d+)")
_ENCRYPTED, _UTF8 = 0x1, 0x800
_MOST = 0xFFFFFFFE
_LOCAL = struct.Struct("<26xHH")
_CENTRAL = struct.Struct("<4s4B4H3I5H2I")
_END = struct.Struct("<4s4H2IH")


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive; ``path`` leads through the archives around it.

    One that can't be unpacked has an ``error``. Its ``data`` is then an archive of it alone, as it was
    packed, or the archive that is nested too deeply or damaged.
    """

    path: str
    data: bytes
    error: DocumentError | None = None


def is_archive(data: bytes, name: str = "", password: str | None = None) -> bool:
    """Return whether ``data`` is a zip that is no office file, or a PDF portfolio."""
    if data[:2] == b"PK":
        return content_type(data, name) == ZIP
    return is_portfolio(data, password)


def unpack(data: bytes, options: ReadOptions) -> Iterator[Member]:
    """Yield the files of an archive, and of archives inside it, by their paths in natural order.

    Folders and system files (``__MACOSX``, hidden files) are skipped. Raise ``DamagedFile`` for a broken
    archive, and past ``options.max_archive_files`` or ``max_unpacked_bytes``, all archives together; if no
    file can be unpacked, raise the first one's error at the end.
    """
    usable, refused = False, None
    for member in _Unpacking(options).members(data, "", 1):
        usable = usable or member.error is None
        refused = refused or member.error
        yield member
    if not usable:
        raise refused or DamagedFile("the archive has no files")


class _PastLimits(DamagedFile):
    """The archive is not unpacked any further."""


@dataclass(slots=True)
class _Unpacking:
    options: ReadOptions
    count: int = 0
    unpacked: int = 0

    def members(self, data: bytes, folder: str, depth: int) -> Iterator[Member]:
        """Yield the files of an archive, and of those inside it."""
        if data[:2] != b"PK":
            yield from self._embedded(data, folder, depth)
            return
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
        except BROKEN_ZIP as error:
            raise DamagedFile(f"zip: {error}") from error
        with archive:
            infos = archive.infolist()
            is_signed = any(_SIGNATURE.match(entry.filename) for entry in infos)
            left_out = _SIGNED_FILES if is_signed else _SYSTEM_FILES
            entries = [
                (_path(entry), entry)
                for entry in infos
                if not entry.is_dir() and not left_out.search(entry.filename)
            ]
            for path, entry in sorted(entries, key=lambda entry: _natural_key(entry[0])):
                self._count()
                try:
                    content = self._content(archive, entry)
                except _PastLimits:
                    raise
                except (EncryptedFile, DamagedFile) as error:
                    yield Member(folder + path, _single_entry_archive(data, entry), error)
                    continue
                yield from self._member(content, folder + path, depth)

    def _embedded(self, data: bytes, folder: str, depth: int) -> Iterator[Member]:
        options = self.options
        left = options.max_unpacked_bytes - self.unpacked
        for file in portfolio_files(data, options.password, options.max_archive_files, left):
            self._count()
            self.unpacked += len(file.data)
            yield from self._member(file.data, folder + file.name, depth)

    def _member(self, content: bytes, path: str, depth: int) -> Iterator[Member]:
        if is_archive(content, path, self.options.password):
            yield from self._nested(content, path, depth)
        else:
            yield Member(path, content)

    def _nested(self, data: bytes, path: str, depth: int) -> Iterator[Member]:
        if depth == MAX_NESTING:
            yield Member(path, data, UnsupportedFile(ZIP))
            return
        try:
            yield from self.members(data, f"{path}/", depth + 1)
        except _PastLimits:
            raise
        except DamagedFile as error:
            yield Member(path, data, error)

    def _count(self) -> None:
        self.count += 1
        if self.count > self.options.max_archive_files:
            raise _PastLimits(f"the archive holds more than {self.options.max_archive_files} files")

    def _content(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
        password = self.options.password
        parts: list[bytes] = []
        try:
            with archive.open(entry, pwd=password.encode() if password else None) as stream:
                while chunk := stream.read(_CHUNK):
                    self.unpacked += len(chunk)
                    if self.unpacked > self.options.max_unpacked_bytes:
                        most = self.options.max_unpacked_bytes
                        raise _PastLimits(f"the archive unpacks to more than {most} bytes")
                    parts.append(chunk)
        except BROKEN_ZIP as error:
            if isinstance(error, RuntimeError) and entry.flag_bits & _ENCRYPTED:
                raise (EncryptedFile() if password is None else WrongPassword()) from error
            raise DamagedFile(f"zip: {error}") from error
        return b"".join(parts)


def _path(entry: zipfile.ZipInfo) -> str:
    """Return the member's path; undeclared UTF-8 is decoded, too."""
    if entry.flag_bits & _UTF8 or entry.filename.isascii():
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


def _single_entry_archive(data: bytes, entry: zipfile.ZipInfo) -> bytes:
    """Return an archive of this one entry of ``data``, packed or encrypted as it is there (APPNOTE 4.3)."""
    start = entry.header_offset
    name_length, extra_length = _LOCAL.unpack(data[start : start + _LOCAL.size].ljust(_LOCAL.size, b"\0"))
    packed = data[start : start + _LOCAL.size + name_length + extra_length + entry.compress_size]
    name = entry.orig_filename.encode("utf-8" if entry.flag_bits & _UTF8 else "cp437", "replace")
    year, month, day, hour, minute, second = entry.date_time
    central = _CENTRAL.pack(
        b"PK\x01\x02",
        entry.create_version & 0xFF,
        entry.create_system & 0xFF,
        entry.extract_version & 0xFF,
        0,
        entry.flag_bits,
        entry.compress_type,
        hour << 11 | minute << 5 | second // 2,
        (year - 1980 & 0x7F) << 9 | month << 5 | day,
        entry.CRC,
        min(entry.compress_size, _MOST),
        min(entry.file_size, _MOST),
        len(name),
        len(entry.extra),
        0,
        0,
        entry.internal_attr,
        entry.external_attr,
        0,
    )
    end = _END.pack(b"PK\x05\x06", 0, 0, 1, 1, len(central) + len(name) + len(entry.extra), len(packed), 0)
    return b"".join((packed, central, name, entry.extra, end))


def _natural_key(name: str) -> list[tuple[int, str]]:
    """Return a sort key that orders ``page 9`` before ``page 10``."""
    return [
        (int(part), "") if part.isdecimal() else (-1, part.casefold())
        for part in _NUMBERS.split(name)
        if part
    ]
