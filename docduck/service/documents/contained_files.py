"""Files that a document contained, put into the store: what a worker wrote becomes documents of their own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from docduck.extraction.jobs.expansion_job import ContainedFile
from docduck.service.core.installation import Installation


@dataclass(frozen=True, slots=True)
class StoredPart:
    """A file that was inside a document and is in the store now; ``part`` counts them from 1.

    ``name`` is a path, where the document is an archive. Until a document refers to it, it is a file that
    nobody refers to, and is swept like those if that never comes.
    """

    part: int
    name: str
    content_type: str
    sha256: str
    size: int


def store_parts(
    inst: Installation, files: Sequence[ContainedFile], outputs: Path | None
) -> tuple[StoredPart, ...]:
    """Put ``files``, which a worker has written to the folder ``outputs``, into the store."""
    if not files or outputs is None:
        return ()
    parts: list[StoredPart] = []
    with inst.files.batch() as batch:
        for file in files:
            # The worker may have been taken over by its document: a link would lead to any file of ours.
            descriptor = os.open(outputs / Path(file.output).name, os.O_RDONLY | os.O_NOFOLLOW)
            with open(descriptor, "rb") as content:  # noqa: PTH123 - there is no path to open
                kept = batch.add(content)
            parts.append(StoredPart(file.part, file.name, file.content_type, kept.sha256, kept.size))
    return tuple(parts)
