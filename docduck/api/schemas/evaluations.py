"""The accuracy of a parser: bodies and responses."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from docduck.api.schemas.base import ResponseModel
from docduck.evaluation.score import FieldScore
from docduck.service.core.property_types import Many, Uuid
from docduck.service.core.schema import Schema
from docduck.service.previews.known_documents import Basis
from docduck.service.previews.parser_evaluation import ParserEvaluation

LONGEST_VALUE = 200
"""Most characters of a value among the wrong ones."""


def _each_once(truth: list[TrueValues]) -> list[TrueValues]:
    if len({each.document_id for each in truth}) < len(truth):
        raise ValueError("must name each document once")
    return truth


def _short(value: Any) -> Any:
    text = ", ".join(map(str, value)) if isinstance(value, list) else value
    return f"{text[: LONGEST_VALUE - 1]}…" if isinstance(text, str) and len(text) > LONGEST_VALUE else text


ShortValue = Annotated[Any, AfterValidator(_short)]
_BASES: tuple[Basis, ...] = ("given", "corrected", "approved")


class TrueValues(Schema):
    """A document with true values, by field name or id; only these are judged."""

    document_id: Uuid
    data: Annotated[dict[str, Any], Field(min_length=1)]


class NewEvaluation(Schema):
    """Which documents to read again, and what their true values are; the body may be left out.

    They are the newest that are approved or corrected, or those in `documentIds`, or those of `truth`, whose
    values are not stored. The `basis` limits them: `corrected` to values that people corrected or confirmed
    in documents that are not approved, `approved` to approved documents.
    """

    document_ids: Annotated[Many[Uuid], Field(min_length=1)] | None = None
    truth: Annotated[Many[TrueValues], Field(min_length=1), AfterValidator(_each_once)] | None = None
    basis: Basis | None = None


class Accuracy(ResponseModel):
    """Counts of values: `values` are true ones, `invented` were read where there is none."""

    values: int
    right: int
    wrong: int
    missing: int
    invented: int
    accuracy: Annotated[float, AfterValidator(lambda share: round(share, 4))] = Field(
        validation_alias="share", description="The share of true values that are right"
    )


class BeforeAndNow(ResponseModel):
    """A field's accuracy as documents were read at first, and as they are read now."""

    name: str = Field(description="The field, or `Table.Column`")
    before: Accuracy
    now: Accuracy


class WrongValue(ResponseModel):
    """A value that is read wrong now; texts are cut at 200 characters."""

    document_id: str
    field: str = Field(description="The field, or `Table.Column`")
    row: int | None = Field(
        description="The true row of the table, from 1, or that which is read if there is no such row"
    )
    expected: ShortValue
    got: ShortValue
    got_before: ShortValue


class DocumentsByBasis(ResponseModel):
    """The number of documents evaluated whose values were given, corrected or confirmed, and approved."""

    given: int
    corrected: int
    approved: int


class EvaluatedParser(ResponseModel):
    """The accuracy of a parser on documents whose values are known.

    All values of approved documents are, and, of others, those that a person corrected or confirmed.
    """

    basis: Basis
    fields: list[BeforeAndNow]
    total: BeforeAndNow
    wrong_cells: list[WrongValue] = Field(description="At most 100")
    wrong_cell_count: int
    documents: int
    documents_by_basis: DocumentsByBasis
    evaluated_documents: list[str]
    failed_documents: list[str] = Field(description="Those that can't be read now")
    remaining_documents: list[str] = Field(
        description="Those that were not read in time; name them, or give their truth, in the next call"
    )
    documents_not_reviewed: int = Field(
        description="Those that nobody corrected, confirmed or approved; nothing is known of them"
    )

    @classmethod
    def of_evaluation(cls, evaluation: ParserEvaluation) -> EvaluatedParser:
        """Return the response for an evaluation."""
        before, now, nothing = evaluation.before, evaluation.now, FieldScore()
        was, reads = before.fields, now.fields
        return cls.of(
            evaluation,
            fields=[
                {"name": name, "before": was.get(name, nothing), "now": reads.get(name, nothing)}
                for name in {**was, **reads}
            ],
            total={"name": "", "before": before.total, "now": now.total},
            documents=len(evaluation.evaluated_documents),
            documents_by_basis={basis: evaluation.counts[basis] for basis in _BASES},
        )
