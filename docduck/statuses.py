"""The statuses of a document."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """The status of a document."""

    UPLOADING = "uploading"
    QUEUED = "queued"
    PROCESSING = "processing"
    PROCESSED = "processed"
    FAILED = "failed"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    REJECTED = "rejected"
    SKIPPED = "skipped"


IN_PROGRESS = (Status.UPLOADING, Status.QUEUED, Status.PROCESSING)
"""The statuses of documents that are yet to be processed."""

FINAL = (
    Status.PROCESSED,
    Status.FAILED,
    Status.IN_REVIEW,
    Status.APPROVED,
    Status.REJECTED,
    Status.SKIPPED,
)
"""The statuses of documents that have been processed, with or without success."""

HAS_VALUES = (Status.PROCESSED, Status.IN_REVIEW, Status.APPROVED, Status.REJECTED)
"""The statuses of documents that have values."""
