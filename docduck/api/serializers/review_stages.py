"""Review stages as JSON (spec.md, Review stage)."""

from __future__ import annotations

from typing import Any

from docduck.service.reviews.review_stages import StageSetup


def stage(one: StageSetup) -> dict[str, Any]:
    """A stage as it is set up."""
    reviewer = one.reviewer
    return {
        "id": one.id,
        "name": one.name,
        "reviewerInstructions": one.reviewer_instructions,
        "position": one.position,
        "reviewType": one.review_type,
        "reviewer": {"id": reviewer.id, "name": reviewer.name, "email": reviewer.email} if reviewer else None,
        "rules": [rule.shown() for rule in one.rules],
    }
