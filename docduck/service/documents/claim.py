"""Claims on queued documents."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import literal_column

from docduck import clock
from docduck.catalog.models import Document
from docduck.statuses import Status

IS_QUEUED = Document.status == literal_column(f"'{Status.QUEUED}'")
"""With a literal: SQLite uses a partial index only if the condition is in the statement's text."""

NOT_CLAIMED = {"claimed_by": None, "lease_expires_at": None}
"""The columns of a document that nobody has claimed."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A document that a run has claimed; its outcome is stored only while ``attempt`` is the document's
    attempt.

    ``name`` is the name of its file. ``target_id`` is its parser, or the classifier that has yet to route it.
    With ``is_part`` it was split from a file, or is not to be split; with ``is_example`` a classifier learns
    from its text. ``folder_id`` is the folder that it was in; ``sealed_password`` opens its file.
    """

    document_id: str
    team_id: str
    target_id: str
    parser_id: str | None
    name: str
    sha256: str
    content_type: str
    attempt: int
    queued_at: dt.datetime | None
    source_detail: Mapping[str, Any] | None = None
    source: str = "folder"
    operation_id: str = ""
    size: int = 0
    slow: bool = False
    is_part: bool = False
    is_example: bool = False
    folder_id: str | None = None
    sealed_password: str | None = field(default=None, repr=False)
    claimed_at: dt.datetime = field(default_factory=clock.now, compare=False)

    @classmethod
    def of(cls, document: Document) -> Claim:
        """Return a claim to what is read of a document, which stays as it is."""
        return cls(
            document.id,
            document.team_id,
            document.target_id,
            document.parser_id,
            document.file_name,
            document.sha256,
            document.content_type,
            document.attempt,
            None,
            document.source_detail,
            sealed_password=document.sealed_password,
        )

    @property
    def key(self) -> str:
        """The key of its task: an earlier attempt may still be in work."""
        return f"{self.document_id} {self.attempt}"

    @property
    def duration_class(self) -> DurationClass:
        """The documents expected to take as long as this one."""
        return DurationClass.of(self.target_id, self.content_type, self.size)


@dataclass(frozen=True, slots=True)
class DurationClass:
    """Documents expected to take equally long: same target, same type, similar size."""

    target_id: str
    content_type: str
    magnitude: int

    @staticmethod
    def of(target_id: str, content_type: str, size: int) -> DurationClass:
        """Return the class of a document of ``size`` bytes."""
        return DurationClass(target_id, content_type, size.bit_length())

    @property
    def sizes(self) -> tuple[int, int]:
        """The smallest and largest size in bytes."""
        return (1 << self.magnitude) >> 1, (1 << self.magnitude) - 1
