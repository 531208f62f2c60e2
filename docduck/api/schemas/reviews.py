"""Reviews: bodies and responses; the bodies of stages are ``docduck.service.schemas.review_stages``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from docduck.api.schemas.base import ResponseModel, WholeList
from docduck.service.core.property_types import Uuid
from docduck.service.core.schema import Schema
from docduck.service.reviews.decisions import LONGEST_REASON
from docduck.service.reviews.review_stages import StageSetup


class ReviewerNamed(Schema):
    """The member of the team who acts."""

    reviewer_id: Uuid


class Rejection(ReviewerNamed):
    """The member of the team who rejects the document, and why."""

    reason: Annotated[str, Field(max_length=LONGEST_REASON)] | None = None


class Assignment(Schema):
    """The member of the team who the document is assigned to; null for nobody."""

    assignee_id: Uuid | None


class StageList(WholeList[StageSetup]):
    """Review stages by position."""


class Reviewer(ResponseModel):
    """A member of the team, who can be a reviewer."""

    id: str
    name: str
    email: str
    role: str = Field(examples=["reviewer"])


class ReviewerList(WholeList[Reviewer]):
    """The members of the team, by name."""
