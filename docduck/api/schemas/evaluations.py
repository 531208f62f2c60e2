"""The accuracy of a parser: bodies and responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from docduck.api.schemas.base import ResponseModel
from docduck.evaluation.score import FieldScore
from docduck.service.core.property_types import Many, Uuid
from docduck.service.core.schema import Schema
from docduck.service.previews.parser_evaluation import ParserEvaluation


class NewEvaluation(Schema):
    """Which documents to read again: the newest known-good ones, unless they are named."""

    document_ids: Annotated[Many[Uuid], Field(min_length=1)] | None = None


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

    @classmethod
    def of_evaluation(cls, evaluation: ParserEvaluation) -> EvaluatedParser:
        """Return the response for an evaluation."""
        before, now = evaluation.before, evaluation.now
        names = [*before.fields, *(name for name in now.fields if name not in before.fields)]
        return cls(
            fields=[_pair(name, before.fields, now.fields) for name in names],
            total=BeforeAndNow(name="", before=_shown(before.total), now=_shown(now.total)),
            documents=len(evaluation.evaluated),
            evaluated_documents=evaluation.evaluated,
            failed_documents=evaluation.failed,
            remaining_documents=evaluation.remaining,
            documents_not_reviewed=evaluation.not_reviewed,
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
