"""The page of a parser's accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from starlette.responses import Response

from docduck.service.corrections.accuracy import MOST_DOCUMENTS, parser_accuracy
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page_route import PageRouter

router = PageRouter("/parsers/{parser_ref}/accuracy")

LINE_WIDTH, LINE_HEIGHT = 120, 28
_EDGE = 2


@router.get("")
def show(at: Annotated[ParserVisit, of_parser("parsers:read", "documents:read")]) -> Response:
    """Return the share of right values by field, over time."""
    accuracy = parser_accuracy(*at.of_parser)
    return at.page(
        "accuracy/accuracy.html.j2",
        accuracy=accuracy,
        lines={
            str(field.id): line_points(
                [
                    share
                    for period in reversed(accuracy.periods)
                    if (share := period.share(str(field.id))) is not None
                ]
            )
            for field in accuracy.fields
        },
        size=(LINE_WIDTH, LINE_HEIGHT),
        most_documents=MOST_DOCUMENTS,
    )


def line_points(shares: Sequence[float]) -> str:
    """Return the points of a line from the oldest share to the latest, 0 at the bottom; empty below two."""
    if len(shares) < 2:
        return ""
    step = (LINE_WIDTH - 2 * _EDGE) / (len(shares) - 1)
    room = LINE_HEIGHT - 2 * _EDGE
    return " ".join(
        f"{_EDGE + at * step:.1f},{_EDGE + (1 - share) * room:.1f}" for at, share in enumerate(shares)
    )
