"""The statuses of a document."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Where a document stands."""

    UPLOADING = "uploading"
    QUEUED = "queued"
    PROCESSING = "processing"
    PROCESSED = "processed"
    FAILED = "failed"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    REJECTED = "rejected"
    SKIPPED = "skipped"


FINAL = (
    Status.PROCESSED,
    Status.FAILED,
    Status.IN_REVIEW,
    Status.APPROVED,
    Status.REJECTED,
    Status.SKIPPED,
)

"""Where reading a document has ended, however."""


HAS_VALUES = (Status.PROCESSED, Status.IN_REVIEW, Status.APPROVED, Status.REJECTED)
"""Where a document was read, and shows its values."""
