"""Original files of many documents as one ZIP archive, written while it is sent."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from sqlalchemy import select

from docduck.catalog.models import Document
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_lookup import by_parser

MOST_FILES = 1000
MOST_BYTES = 4 * 1024**3
"""Of one archive."""

_CHUNK = 1 << 20


def zip_originals(inst: Installation, team_id: str, document_ids: Sequence[str]) -> Iterator[bytes]:
    """Return the parts of an archive of these documents of the team, by their files' names.

    Raise NotFound listing all unknown ones, InputError for too many or too large ones, before the first part.
    """
    if not 1 <= len(document_ids) <= MOST_FILES:
        raise InputError(f"1 to {MOST_FILES:,} files can be downloaded at once")
    by_parser(inst, team_id, document_ids)
    ids = [document_id.lower() for document_id in document_ids]
    columns = (Document.sha256, Document.size, Document.file_name, Document.created_at)
    mine = select(*columns).where(Document.team_id == team_id, Document.id.in_(ids))
    with inst.catalog.read_session() as session:
        rows = session.execute(mine.order_by(Document.created_at, Document.id)).all()
    if sum(row.size for row in rows) > MOST_BYTES:
        raise InputError(f"At most {MOST_BYTES >> 30} GiB can be downloaded at once; choose fewer documents")
    return _parts(inst, rows)


def _parts(inst: Installation, rows: Sequence[Any]) -> Iterator[bytes]:
    sink = _Sink()
    names: Counter[str] = Counter()
    with zipfile.ZipFile(sink, "w") as archive:
        for row in rows:
            info = zipfile.ZipInfo(_free_name(row.file_name, names), row.created_at.timetuple()[:6])
            with inst.files.open(row.sha256) as stored, archive.open(info, "w") as entry:
                while chunk := stored.read(_CHUNK):
                    entry.write(chunk)
                    yield sink.taken()
            yield sink.taken()
    yield sink.taken()


def _free_name(name: str, names: Counter[str]) -> str:
    """Return a name without folders that no other file of the archive has."""
    path = PurePosixPath(name.replace("\\", "/").replace("\0", ""))
    plain = path.name if path.name not in ("", ".", "..") else "document"
    names[plain.casefold()] += 1
    count = names[plain.casefold()]
    if count == 1:
        return plain
    return _free_name(f"{PurePosixPath(plain).stem} ({count}){path.suffix}", names)


class _Sink(io.RawIOBase):
    """What an archive is written to: it keeps what was not taken yet."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, chunk: Any) -> int:
        """Keep a chunk."""
        self._chunks.append(bytes(chunk))
        return len(chunk)

    def taken(self) -> bytes:
        """Return what was written since the last time."""
        chunks, self._chunks = self._chunks, []
        return b"".join(chunks)
