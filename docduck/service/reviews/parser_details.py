"""A parser with its counts and review stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_listing import ParserCounts, parser_counts
from docduck.service.parsers.parsers import ParserView, find, view
from docduck.service.reviews.review_stages import StageSetup, stages_of


@dataclass(frozen=True, slots=True)
class ParserDetails:
    """A parser, its counts and its review stages."""

    parser: ParserView
    counts: ParserCounts
    stages: Sequence[StageSetup]


def parser_details(inst: Installation, team_id: str, parser_id: str) -> ParserDetails:
    """Return the team's parser with its details; raise NotFound."""
    with inst.catalog.read_session() as session:
        parser = view(find(session, team_id, parser_id))
        counts = parser_counts(session, [parser.id])[parser.id]
        return ParserDetails(parser, counts, stages_of(session, parser.id, parser.fields))
