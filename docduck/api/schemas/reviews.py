"""Decisions on documents in review: bodies."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from docduck.service.core.property_types import Uuid
from docduck.service.core.schema import Schema
from docduck.service.reviews.decisions import LONGEST_REASON


class ReviewerNamed(Schema):
    """The member of the team who acts."""

    reviewer_id: Uuid


class Rejection(ReviewerNamed):
    """The member of the team who rejects the document, and why."""

    reason: Annotated[str, Field(max_length=LONGEST_REASON)] | None = None


class Assignment(Schema):
    """The member of the team who the document is assigned to; null for nobody."""

    assignee_id: Uuid | None
