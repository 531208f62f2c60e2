"""Training examples from synthetic documents: rows of features, and which of them are right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.ranker.features import group_of
from docduck.extraction.extractors.layout.typed_values import TypedValueFinder
from docduck.extraction.fields.field_query import FieldQuery, query_of
from docduck.extraction.lexicon import scalar_concepts
from docduck.extraction.options import ExtractOptions
from docduck.fields import Field, FieldType
from tests.training.documents import SyntheticDocument

CONCEPTS = (
    "invoice_date", "due_date", "order_date", "delivery_date", "period_start", "period_end", "net_total",
    "tax_total", "grand_total", "amount_due", "invoice_number", "order_number", "customer_number",
    "contract_number",
)  # fmt: skip
_TYPES = {"date": FieldType.DATE, "amount": FieldType.CURRENCY}


@dataclass(slots=True)
class Example:
    """One target in one document; ``right`` marks the rows with the true value, none if it is absent."""

    group: str
    rows: NDArray[np.float64]
    right: NDArray[np.bool_]
    by_rule: int


def targets(r: Random) -> list[FieldQuery]:
    """Return fields for some of the concepts, each under one of its usual names."""
    pool = scalar_concepts()
    requested = [concept for concept in CONCEPTS if r.random() < 0.7]
    made = [
        Field(name=r.choice([name, *pool[name].spelled]).replace(" ", "_"), type=_type(name))
        for name in requested
    ]
    return [t for t, name in zip(map(query_of, made), requested, strict=True) if _means(t, name)]


def _type(concept: str) -> FieldType:
    return _TYPES.get(scalar_concepts()[concept].kind, FieldType.TEXT)


def _means(target: FieldQuery, concept: str) -> bool:
    return target.concept is not None and target.concept.name == concept


def examples(made: Sequence[SyntheticDocument], seed: int) -> Iterator[Example]:
    """Yield the examples of some documents."""
    for index, one in enumerate(made):
        r = Random(seed * 100_003 + index)
        requested = targets(r)
        scan = DocumentAnalysis(one.document, requested, ExtractOptions())
        finder = TypedValueFinder(scan, requested, ranker=None)
        for target in requested:
            group = group_of(target)
            if group is None or target.concept is None:
                continue
            scored, rows = finder.ranking_input(target)
            if not scored:
                continue
            truth = one.truth.get(target.concept.name)
            right = [same(s.value, truth) for s in scored]
            if truth is not None and not any(right):
                continue
            yield Example(group, np.array(rows), np.array(right), 0 if scored[0].score >= 0.24 else -1)


def same(value: Any, truth: Any) -> bool:
    """Return whether a candidate's value is the true one."""
    if truth is None:
        return False
    if isinstance(truth, Decimal):
        return isinstance(value, Decimal) and abs(value) == abs(truth)
    return str(value) == str(truth)
