"""Files extracted from documents, moved from a worker's output to the file store."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from docduck.extraction.jobs.expansion_job import ContainedFile
from docduck.service.core.installation import Installation


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
    """Store ``files``, which a worker has written to the folder ``outputs``."""
    if not files or outputs is None:
        return ()
    parts: list[StoredPart] = []
    with inst.files.batch() as batch:
        for file in files:
            # Don't follow links: a malicious document may control the worker and point to any file.
            descriptor = os.open(outputs / Path(file.output).name, os.O_RDONLY | os.O_NOFOLLOW)
            with open(descriptor, "rb") as content:  # noqa: PTH123 - there is no path to open
                kept = batch.add(content)
            parts.append(
                StoredPart(
                    file.part, file.name, file.content_type, kept.sha256, kept.size, file.pages, file.key
                )
            )
    return tuple(parts)
