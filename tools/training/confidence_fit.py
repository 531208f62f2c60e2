"""``python -m tools.training.confidence_fit``: fit the confidence of values to made-up documents.

Half of the documents are looks, whose fields have names that the lexicon knows and others; half are receipts,
invoices and orders, whose amounts add up. Every fifth look or sender is held out for evaluation.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, get_args

from docduck.documents.document import Document
from docduck.evaluation.calibration import Calibration, calibrate
from docduck.evaluation.comparison import Comparison, Grade, compare_values
from docduck.extraction.confidence import WEIGHTS, Evidence, Source, logistic
from docduck.extraction.fields.field_query import FieldQuery, query_of
from docduck.extraction.lexicon import scalar_concepts
from docduck.extraction.options import ExtractOptions
from docduck.extraction.run_extractors import find_values
from docduck.fields import Field, FieldType
from tools.training.documents import synthetic_documents
from tools.training.queried_looks import FIRST, HELD_OUT, asked_look
from tools.training.regression import Weights, fitted

_CONCEPTS = (
    "invoice_date", "due_date", "order_date", "delivery_date", "period_start", "period_end", "net_total",
    "tax_total", "grand_total", "amount_due", "invoice_number", "order_number", "customer_number",
    "contract_number",
)  # fmt: skip
_TYPES = {"date": FieldType.DATE, "amount": FieldType.CURRENCY}
_ABSENT_SHARE = 0.05
"""Share of absent fields among those requested: people mostly request what a document states."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What spoke for a value, and whether it was right."""

    evidence: Evidence
    right: bool


def judged(seeds: Iterable[int]) -> Iterator[Judged]:
    """Yield the values that are found in the look and the document of each seed."""
    for seed in seeds:
        yield from _of_look(seed)
        yield from _of_sender(seed)


def _of_look(seed: int) -> Iterator[Judged]:
    return _judge(*asked_look(seed))


def _of_sender(seed: int) -> Iterator[Judged]:
    (document,) = synthetic_documents(FIRST + seed, 1)
    rng = Random(seed)
    truths = {}
    fields = []
    for target in _targets(rng):
        concept = target.concept.name if target.concept else ""
        if concept in document.truth or rng.random() < _ABSENT_SHARE:
            fields.append(target.field)
            truths[target.name] = document.truth.get(concept)
    return _judge(document.document, fields, truths)


def _targets(r: Random) -> list[FieldQuery]:
    """Return fields for some of the concepts, each under one of its usual names."""
    pool = scalar_concepts()
    requested = [concept for concept in _CONCEPTS if r.random() < 0.7]
    made = [
        Field(name=r.choice([name, *pool[name].spelled]).replace(" ", "_"), type=_type(name))
        for name in requested
    ]
    return [t for t, name in zip(map(query_of, made), requested, strict=True) if _means(t, name)]


def _type(concept: str) -> FieldType:
    return _TYPES.get(scalar_concepts()[concept].kind, FieldType.TEXT)


def _means(target: FieldQuery, concept: str) -> bool:
    return target.concept is not None and target.concept.name == concept


def _judge(document: Document, fields: Sequence[Field], truths: Mapping[str, Any]) -> Iterator[Judged]:
    """Yield the values that are found of fields, each with whether it is the true one."""
    findings = find_values(fields, document, ExtractOptions())
    for field in fields:
        rows, finding = findings.tables.get(field.name, []), findings.scalars.get(field.name)
        value: Any = [{name: cell.value for name, cell in row.items()} for row in rows]
        evidence: Any = [{name: {"": cell.evidence} for name, cell in row.items()} for row in rows]
        if finding is not None:
            value, evidence = finding.value, {"": finding.evidence}
        for comparison in compare_values(field, truths[field.name], value, evidence):
            if comparison.found is not None and comparison.evidence and comparison.evidence[""]:
                yield Judged(comparison.evidence[""], comparison.grade is Grade.RIGHT)


def fit(some: Sequence[Judged]) -> Weights:
    """Return the weights of the regression; what none of the values has weighs nothing."""
    names = {name for source in get_args(Source) for name in Evidence(source, 0.0).features}
    return fitted(names, [(value.evidence.features, value.right) for value in some])


def calibration(some: Iterable[Judged], weights: Weights) -> Calibration:
    """Return the calibration of some values with these weights."""
    return calibrate(_comparison(value, logistic(weights, value.evidence.features)) for value in some)


def _comparison(value: Judged, confidence: float) -> Comparison:
    grade = Grade.RIGHT if value.right else Grade.WRONG
    return Comparison(value.evidence.source, None, FieldType.TEXT, grade, "", "", {"confidence": confidence})


def main() -> None:
    """Fit and write the weights, and print the calibration on held-out documents by source."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=300, help="of each of the two kinds")
    parser.add_argument("--into", dest="path", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    weights = fit(list(judged(seed for seed in range(arguments.documents) if seed % HELD_OUT)))
    arguments.path.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    by_source: dict[str, list[Judged]] = {"all": list(judged(range(0, arguments.documents, HELD_OUT)))}
    for value in by_source["all"]:
        by_source.setdefault(value.evidence.source, []).append(value)
    for source, some in by_source.items():
        result = calibration(some, weights)
        print(f"{source:12} {result.count:6} values, calibration error {result.error:.3f}")


if __name__ == "__main__":
    main()
