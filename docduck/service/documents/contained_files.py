"""Files extracted from mails, archives and PDFs: how deep they may be nested, and storing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from docduck.extraction.jobs.expansion_job import ContainedFile
from docduck.service.core.installation import Installation
from docduck.workers.messages import open_output

MOST_NESTED = 3
"""Maximum nesting of mails and archives; deeper files remain pages of their container."""

_PART, _DEPTH = "part", "depth"


@dataclass(frozen=True, slots=True)
class StoredPart:
    """A stored file from inside a document; ``part`` counts from 1.

    ``name`` is a path if the document is an archive; a part of a PDF has ``pages`` and may have a ``key``.
    The file is deleted like any unreferenced file unless a document is registered for it.
    """

    part: int
    name: str
    content_type: str
    sha256: str
    size: int
    pages: str | None = None
    key: str | None = None


def store_parts(
    inst: Installation, files: Sequence[ContainedFile], outputs: Path | None
) -> tuple[StoredPart, ...]:
    """Store ``files``, which a worker has written to ``outputs``; raise WorkerEnded if one is not there."""
    if not files:
        return ()
    parts: list[StoredPart] = []
    with inst.files.batch() as batch:
        for file in files:
            with open_output(outputs, file.output) as content:
                stored = batch.add(content)
            parts.append(
                StoredPart(
                    file.part, file.name, file.content_type, stored.sha256, stored.size, file.pages, file.key
                )
            )
    return tuple(parts)


def nested_detail(
    detail: Mapping[str, Any] | None, container: Literal["mail", "archive"], document_id: str, part: int
) -> dict[str, Any]:
    """Return the source detail of a part of a mail or archive with the source detail ``detail``."""
    return {**(detail or {}), container: document_id, _PART: part, _DEPTH: _depth(detail) + 1}


def may_split_mail(detail: Mapping[str, Any] | None) -> bool:
    """Return whether attachments of a mail with this source detail become documents."""
    return _depth(detail) < MOST_NESTED


def may_unpack(detail: Mapping[str, Any] | None) -> bool:
    """Return whether members of an archive with this source detail become documents.

    Archives inside an archive are unpacked with it. What comes out is never unpacked again, so that a small
    file can't become very many documents.
    """
    return may_split_mail(detail) and "archive" not in (detail or {})


def _depth(detail: Mapping[str, Any] | None) -> int:
    return int((detail or {}).get(_DEPTH, 0))
