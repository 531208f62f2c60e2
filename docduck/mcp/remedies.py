"""What helps after an error: the names that there are, and the tool that comes next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docduck.error_codes import Code

NEXT = "Next: "

_MOST_NAMES = 50

_BY_CODE: Mapping[Code, str] = {
    "not_assigned": "get_document shows the assignee; assign_reviewer changes it.",
    "not_in_review": "confirm_document says that all values are right, without a review.",
    "assignee_required": "assign_reviewer gives it to another member.",
    "already_processing": "wait_for_document waits until it was read.",
    "document_approved": "reset_review starts its review again.",
    "no_values": "wait_for_document waits until it was read, reprocess_document reads it again.",
    "wrong_parser": "list_documents shows the parserId of each document.",
    "forbidden": "get_team tells what you may do; ask the user for more.",
    "rate_limited": "Wait, then call it again.",
}

_DOCUMENTS = "list_documents and search_documents find documents."

_BY_MISSING: Mapping[str, str] = {
    "parserId": "get_team returns the parsers.",
    "documentId": _DOCUMENTS,
    "externalId": _DOCUMENTS,
    "classifierId": "list_classifiers returns the classifiers.",
    "folderId": "list_folders returns the folders.",
    "stageId": "list_review_stages returns the stages.",
    "reviewerId": "list_reviewers returns the members of the team.",
    "assigneeId": "list_reviewers returns the members of the team.",
    "webhookId": "list_webhooks returns the webhooks.",
}
"""What to do by the type of what is not found."""


def remedies(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines that help after the error of an error body."""
    if known := body.get("known"):
        more = len(known) - _MOST_NAMES
        yield f"There are: {', '.join(known[:_MOST_NAMES])}{f' and {more} more' if more > 0 else ''}"
    missing = [_BY_MISSING.get(item["type"]) for item in body.get("notFound", ())[:1]]
    yield from (f"{NEXT}{words}" for words in (_BY_CODE.get(body["code"]), *missing) if words)
