"""What helps after an error: the names that there are, and the tool that comes next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docduck.service.documents.document_changes import KEEPS_ASSIGNEE, ONLY_ASSIGNED
from docduck.service.reviews.decisions import NOT_IN_REVIEW

NEXT = "Next: "

_MOST_NAMES = 50

_NEXT: Sequence[tuple[str, str]] = (
    (ONLY_ASSIGNED, "get_document shows the assignee; assign_reviewer changes it."),
    (NOT_IN_REVIEW, "confirm_document says that all values are right, without a review."),
    (KEEPS_ASSIGNEE, "assign_reviewer gives it to another member."),
    ("Document is already being processed", "wait_for_document waits until it was read."),
    ("Document is approved", "reset_review starts its review again."),
    (
        "Document has no values",
        "wait_for_document waits until it was read, reprocess_document reads it again.",
    ),
    ("Parser not found", "get_team returns the parsers."),
    ("Parser ID mismatch", "list_documents shows the parserId of each document."),
    ("Document not found", "list_documents and search_documents find documents."),
    ("Classifier not found", "list_classifiers returns the classifiers."),
    ("Folder not found", "list_folders returns the folders."),
    ("Review stage not found", "list_review_stages returns the stages."),
    ("Reviewer not found", "list_reviewers returns the members of the team."),
    ("Webhook not found", "list_webhooks returns the webhooks."),
    ("Access denied", "get_team tells what you may do; ask the user for more."),
    ("Rate limit exceeded", "Wait, then call it again."),
)
"""Beginnings of messages, and what to do then."""


def remedies(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines that help after the error of an error body."""
    if known := body.get("known"):
        more = len(known) - _MOST_NAMES
        yield f"There are: {', '.join(known[:_MOST_NAMES])}{f' and {more} more' if more > 0 else ''}"
    yield from (f"{NEXT}{words}" for beginning, words in _NEXT if body["message"].startswith(beginning))
