"""Zip archives: their members, in the order of their names, as the pages of one document."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from PIL import Image

from docduck.documents.merging import merge, merged_page
from docduck.documents.model import Attachment, Document, Page
from docduck.documents.options import ReadOptions
from docduck.errors import DamagedFile, EncryptedFile

ZIP = "application/zip"

MAX_MEMBERS = 1000
"""Files taken from one archive and those inside it."""
MAX_BYTES = 300_000_000
"""Unpacked bytes of all of them together."""
MAX_NESTING = 3
"""Archives within one another."""

_CHUNK = 1 << 20
_HOUSEKEEPING = re.compile(r"(^|/)(__MACOSX/|\.(?!\.?/)|thumbs\.db$|desktop\.ini$)", re.IGNORECASE)
_NUMBERS = re.compile(r"(\d+)")


class ZipReader:
    """Reads ``application/zip``; a member that can't be read becomes a warning."""

    content_types: tuple[str, ...] = (ZIP,)

    def page_count(self, data: bytes) -> int:
        """The pages of all members that can be read."""
        options = ReadOptions(ocr="none")
        return self._read(data, ZIP, options, count_only=True).page_count

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """See ``docduck.documents.reader.Reader``.

        Raises ``EncryptedFile`` when every member is, ``DamagedFile`` past the limits, and a member's own
        error when none can be read.
        """
        return self._read(data, content_type, options)

    def render(self, data: bytes, number: int, width: int) -> Image.Image:
        """Page ``number`` of the archive, drawn by its member's reader."""
        return merged_page(_Members(None).of(data), number, width)

    def _read(
        self, data: bytes, content_type: str, options: ReadOptions, count_only: bool = False
    ) -> Document:
        members = _Members(options.password)
        files = members.of(data)
        if not files:
            raise EncryptedFile() if members.locked else DamagedFile("the archive has no files")
        document = Document(content_type, [], 0, warnings=members.warnings)
        merge(document, files, options, _no_page, count_only=count_only)
        return document


def _no_page(number: int) -> Page:
    raise DamagedFile(f"an archive has no page {number} of its own")


@dataclass(slots=True)
class _Members:
    """Unpacks within the limits; ``locked`` counts members whose password is missing."""

    password: str | None
    warnings: list[str] = field(default_factory=list)
    locked: int = 0
    count: int = 0
    unpacked: int = 0

    def of(self, data: bytes) -> list[Attachment]:
        """All files in an archive, with those of archives inside it. Raises ``DamagedFile``."""
        return list(self._files(data, "", 1))

    def _files(self, data: bytes, folder: str, depth: int) -> Iterator[Attachment]:
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            raise DamagedFile(f"zip: {error}") from error
        with archive:
            for entry in sorted(archive.infolist(), key=lambda entry: _natural(entry.filename)):
                if entry.is_dir() or _HOUSEKEEPING.search(entry.filename):
                    continue
                self.count += 1
                if self.count > MAX_MEMBERS:
                    raise DamagedFile(f"the archive holds more than {MAX_MEMBERS} files")
                name = f"{folder}{entry.filename}"
                content = self._content(archive, entry, name)
                if content is None:
                    continue
                if content[:4] == b"PK\x03\x04" and _is_archive(content):
                    if depth < MAX_NESTING:
                        yield from self._nested(content, name, depth)
                    else:
                        self.warnings.append(f"{name} was left out: archives are nested too deeply")
                elif content:
                    yield Attachment(name, "application/octet-stream", content)

    def _nested(self, data: bytes, name: str, depth: int) -> Iterator[Attachment]:
        files = self._files(data, f"{name}/", depth + 1)
        while True:
            try:
                file = next(files, None)
            except DamagedFile as error:
                if self.count > MAX_MEMBERS or self.unpacked > MAX_BYTES:
                    raise
                self.warnings.append(f"{name} was left out: {error.message}")
                return
            if file is None:
                return
            yield file

    def _content(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> bytes | None:
        """A member's bytes; None, and a warning, when it is damaged or locked."""
        password = self.password.encode() if self.password else None
        parts: list[bytes] = []
        try:
            with archive.open(entry, pwd=password) as stream:
                while chunk := stream.read(_CHUNK):
                    self.unpacked += len(chunk)
                    if self.unpacked > MAX_BYTES:
                        raise DamagedFile(f"the archive unpacks to more than {MAX_BYTES} bytes")
                    parts.append(chunk)
        except (RuntimeError, NotImplementedError) as error:
            if not entry.flag_bits & 1:
                self.warnings.append(f"{name} was left out: {error}")
            else:
                self.locked += 1
                self.warnings.append(f"{name} was left out: {EncryptedFile().message}")
            return None
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError) as error:
            self.warnings.append(f"{name} was left out: {DamagedFile(str(error)).message}")
            return None
        return b"".join(parts)


def _is_archive(data: bytes) -> bool:
    from docduck.documents.sniff import content_type

    return content_type(data) == ZIP


def _natural(name: str) -> list[tuple[int, str]]:
    """Sorts ``page 10`` after ``page 9``."""
    return [
        (int(part), "") if part.isdecimal() else (-1, part.casefold())
        for part in _NUMBERS.split(name)
        if part
    ]
