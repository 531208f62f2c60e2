"""``client.review_stages``: review stages of a parser, and the team's reviewers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docduck.client.transport.encoding import UNSET, Unset, path, set_values
from docduck.client.transport.endpoint import M, Resource, endpoint
from docduck.client.transport.steps import Steps
from docduck.client.types import Done, Reviewer, StageSetup


class ReviewStages(Resource[M]):
    """Review stages of a parser."""

    @endpoint
    def list(self, parser_id: str) -> Steps[Sequence[StageSetup]]:
        """Return the parser's review stages by position."""
        found = yield from self.call("GET", path("parsers", parser_id, "review-stages"))
        return found["data"]  # type: ignore[no-any-return]

    @endpoint
    def get(self, parser_id: str, stage_id: str) -> Steps[StageSetup]:
        """Return a review stage."""
        return self.call("GET", path("parsers", parser_id, "review-stages", stage_id))

    @endpoint
    def create(
        self,
        parser_id: str,
        name: str,
        *,
        reviewer_id: str | Unset | None = UNSET,
        review_type: str | Unset = UNSET,
        rules: Sequence[Mapping[str, Any]] | Unset = UNSET,
        position: int | Unset = UNSET,
        reviewer_instructions: str | Unset | None = UNSET,
        idempotency_key: str | None = None,
    ) -> Steps[StageSetup]:
        """Create a review stage, by default mandatory and the last one."""
        body = set_values(
            name=name,
            reviewer_id=reviewer_id,
            review_type=review_type,
            rules=rules,
            position=position,
            reviewer_instructions=reviewer_instructions,
        )
        return self.call(
            "POST", path("parsers", parser_id, "review-stages"), body=body, idempotency_key=idempotency_key
        )

    @endpoint
    def update(
        self,
        parser_id: str,
        stage_id: str,
        *,
        name: str | Unset = UNSET,
        reviewer_id: str | Unset | None = UNSET,
        review_type: str | Unset = UNSET,
        rules: Sequence[Mapping[str, Any]] | Unset = UNSET,
        position: int | Unset = UNSET,
        reviewer_instructions: str | Unset | None = UNSET,
    ) -> Steps[StageSetup]:
        """Change the properties that are set; documents at the stage keep their assignee."""
        body = set_values(
            name=name,
            reviewer_id=reviewer_id,
            review_type=review_type,
            rules=rules,
            position=position,
            reviewer_instructions=reviewer_instructions,
        )
        return self.call("PATCH", path("parsers", parser_id, "review-stages", stage_id), body=body)

    @endpoint
    def delete(self, parser_id: str, stage_id: str) -> Steps[Done]:
        """Delete a review stage that no document waits for."""
        return self.call("DELETE", path("parsers", parser_id, "review-stages", stage_id))

    @endpoint
    def reviewers(self, parser_id: str) -> Steps[Sequence[Reviewer]]:
        """Return the members of the team, by name."""
        found = yield from self.call("GET", path("parsers", parser_id, "reviewers"))
        return found["data"]  # type: ignore[no-any-return]
