"""The accuracy of a parser on documents whose values are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import Query
from pydantic import Field

from docduck.api.request.current_caller import CurrentCaller, Inst
from docduck.api.request.lanes import Evaluations
from docduck.api.request.params import ParserId
from docduck.api.schemas.base import ResponseModel, Uuid
from docduck.errors import InputError
from docduck.evaluation.score import FieldScore
from docduck.mcp.progress import Progress, from_threads
from docduck.mcp.tool import READ, tool
from docduck.service.previews.parser_evaluation import ParserEvaluation
from docduck.service.previews.parser_evaluation import evaluate_parser as evaluate


class Accuracy(ResponseModel):
    """Counts of values: `values` are true ones, `invented` were read where there is none."""

    values: int
    right: int
    wrong: int
    missing: int
    invented: int
    accuracy: float = Field(description="The share of true values that are right")


class BeforeAndNow(ResponseModel):
    """A field's accuracy as documents were read at first, and as they are read now."""

    name: str = Field(description="The field, or `Table.Column`")
    before: Accuracy
    now: Accuracy


class EvaluatedParser(ResponseModel):
    """The accuracy of a parser on its approved and corrected documents."""

    fields: list[BeforeAndNow]
    total: BeforeAndNow
    documents: int
    evaluated_documents: list[str]
    failed_documents: list[str] = Field(description="Those that can't be read now")
    remaining_documents: list[str] = Field(
        description="Those that were not read in time; give them as documentIds to the next call"
    )
    documents_not_reviewed: int = Field(
        description="Those that nobody corrected, confirmed or approved; nothing is known of them"
    )


@tool("evaluate_parser", "Evaluate a parser", "documents:read", READ)
async def evaluate_parser(
    parserId: ParserId,
    inst: Inst,
    caller: CurrentCaller,
    lane: Evaluations,
    progress: Progress,
    documentIds: Annotated[list[Uuid] | None, Query(min_length=1)] = None,
) -> EvaluatedParser:
    """Read approved and corrected documents of a parser again with its present fields, and return the
    accuracy of each field: before (as they were read at first) and now. Nothing is changed. If
    remainingDocuments has ids, call it again with them as documentIds.
    """
    most = inst.settings.mcp_evaluate_documents
    if documentIds is not None and len(documentIds) > most:
        raise InputError(f"documentIds must have at most {most} items", "documentIds")
    report = from_threads(progress)

    def work() -> ParserEvaluation:
        return evaluate(
            inst,
            caller.team_id,
            parserId,
            documentIds,
            lambda read, count: report(read, count, f"{read} of {count} documents are read"),
        )

    found = await lane.run(caller.team_id, work)
    names = [*found.before.fields, *(name for name in found.now.fields if name not in found.before.fields)]
    return EvaluatedParser(
        fields=[_pair(name, found.before.fields, found.now.fields) for name in names],
        total=BeforeAndNow(name="", before=_shown(found.before.total), now=_shown(found.now.total)),
        documents=len(found.evaluated),
        evaluated_documents=found.evaluated,
        failed_documents=found.failed,
        remaining_documents=found.remaining,
        documents_not_reviewed=found.not_reviewed,
    )


def _pair(name: str, before: Mapping[str, FieldScore], now: Mapping[str, FieldScore]) -> BeforeAndNow:
    nothing = FieldScore()
    return BeforeAndNow(
        name=name, before=_shown(before.get(name, nothing)), now=_shown(now.get(name, nothing))
    )


def _shown(score: FieldScore) -> Accuracy:
    return Accuracy(
        values=score.values,
        right=score.right,
        wrong=score.wrong,
        missing=score.missing,
        invented=score.invented,
        accuracy=round(score.share, 4),
    )


TOOLS = (evaluate_parser,)
