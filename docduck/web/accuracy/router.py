"""The page of a parser's accuracy, so far and in other modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from starlette.responses import JSONResponse, Response

from docduck.api.request.lanes import Evaluations
from docduck.evaluation.score import SuiteScore
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.models import usable_models
from docduck.service.corrections.accuracy import MOST_DOCUMENTS, parser_accuracy
from docduck.service.previews.known_documents import reviewed_documents
from docduck.service.previews.mode_comparison import compare_modes
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page_route import PageRouter
from docduck.web.visit import Sent, sent

router = PageRouter("/parsers/{parser_ref}/accuracy")

Reader = Annotated[ParserVisit, of_parser("parsers:read", "documents:read")]

_MOST_COMPARED = 20
LINE_WIDTH, LINE_HEIGHT = 120, 28
_EDGE = 2


@router.get("")
def show(at: Reader) -> Response:
    """Return the share of right values by field, over time."""
    accuracy = parser_accuracy(*at.of_parser)
    has_model = usable_models(at.inst.settings).has(at.parser.settings.get("model"))
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
        compared=reviewed_documents(at.inst, at.parser, _MOST_COMPARED) if has_model else (),
    )


@router.post("/modes/{document_id}")
async def compare(
    document_id: str, at: Reader, _asked: Annotated[Sent, sent(Sent)], lane: Evaluations
) -> Response:
    """Read a reviewed document offline and with the language model, and return the counts of both."""
    found = await lane.run(at.user.team_id, lambda: compare_modes(*at.of_parser, document_id))
    body = {
        "offline": _counts(found.offline),
        "model": _counts(found.model),
        "warnings": list(found.warnings),
    }
    return JSONResponse(body, headers={"Cache-Control": "no-store"})


def _counts(score: SuiteScore) -> dict[str, float]:
    """Return numbers that a script adds up over documents; ``read`` are values that were found."""
    usage = score.usage or ModelUsage("")
    counts: dict[str, float] = {
        "documents": score.documents,
        "perfect": score.perfect,
        "seconds": score.seconds,
        "tokensRead": usage.input_tokens,
        "tokensWritten": usage.output_tokens,
        "cost": usage.cost,
    }
    for name, counted in (("values", score.values), ("cells", score.cells)):
        counts |= {
            f"{name}True": counted.values,
            f"{name}Right": counted.right,
            f"{name}Read": counted.right + counted.wrong + counted.invented,
        }
    return counts


def line_points(shares: Sequence[float]) -> str:
    """Return the points of a line from the oldest share to the latest, 0 at the bottom; empty below two."""
    if len(shares) < 2:
        return ""
    step = (LINE_WIDTH - 2 * _EDGE) / (len(shares) - 1)
    room = LINE_HEIGHT - 2 * _EDGE
    return " ".join(
        f"{_EDGE + at * step:.1f},{_EDGE + (1 - share) * room:.1f}" for at, share in enumerate(shares)
    )
