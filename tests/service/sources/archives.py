"""Archives for the service's tests, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from docduck.catalog.models import Document
from docduck.service.core.installation import Installation


@dataclass(frozen=True)
class Part:
    """A document as the catalog has it, with what its metadata say of its archive."""

    id: str
    name: str
    status: str
    error: str | None
    content_type: str
    external_id: str | None
    split: dict[str, Any] | None
    detail: dict[str, Any]

    @property
    def key(self) -> str | None:
        return self.split["key"] if self.split else None


def parts(inst: Installation) -> list[Part]:
    """All documents, those of an archive in its order."""
    with inst.catalog.read_session() as session:
        rows = session.scalars(select(Document)).all()
        found = [
            Part(
                row.id,
                row.name,
                row.status,
                row.error,
                row.content_type,
                row.external_id,
                row.split,
                row.source_detail or {},
            )
            for row in rows
        ]
    return sorted(found, key=lambda one: ((one.split or {}).get("index", 0), one.name, one.id))


def outcomes(inst: Installation) -> list[tuple[str, str | None]]:
    """Each document's name, with its error, or its status where it has none."""
    return [(one.name, one.error or one.status) for one in parts(inst)]


def locked(data: bytes, name: str) -> bytes:
    """An archive with one member marked as under a password."""
    changed = bytearray(data)
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        length = 30 if flags == 6 else 46
        at = -1
        while (at := data.find(header, at + 1)) >= 0:
            if data[at + length :].startswith(name.encode()):
                changed[at + flags] |= 1
    return bytes(changed)
