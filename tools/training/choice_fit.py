"""``python -m tools.training.choice_fit CASES``: fit which reading is right.

CASES are folders as for ``docduck evaluate``. The language model of the settings reads each document; with
``--judged FILE`` what it said is kept, and read again from there if the file exists. The figures are of
folds: documents of one sender are never on both sides.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import sqrt
from pathlib import Path
from typing import Any

from docduck.documents.document import Document
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.evaluation.cases import Case, find_cases
from docduck.evaluation.comparison import Grade, compare_values
from docduck.extraction.confidence import logistic
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.model.choice import WEIGHTS, Choice, Reading
from docduck.extraction.extractors.model.doubts import asked_for
from docduck.extraction.extractors.model.evidence import Evidence
from docduck.extraction.extractors.model.extractor import ModelExtractor
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.extractors.model.printed_labels import LabelMatch
from docduck.extraction.extractors.model.reading_comparison import compare_readings
from docduck.extraction.models import read_models
from docduck.extraction.options import ExtractOptions
from docduck.extraction.run_extractors import find_values
from docduck.fields import Field, FieldType
from docduck.settings import settings
from tools.training.regression import Weights, fitted

_FOLDS = 5
_NUMBERED = re.compile(r"[-_]?\d+$")
_STEPS = 20


@dataclass(frozen=True, slots=True)
class Judged:
    """The two readings of a field, which of them is right, and whether the document states the field."""

    sender: str
    choice: Choice
    mine_right: bool
    other_right: bool
    is_stated: bool


def judged(cases: Iterable[Case]) -> Iterator[Judged]:
    """Yield the fields that the model of the settings is asked for. Raise SystemExit without one."""
    for case in cases:
        document = read(case.document.read_bytes(), case.document.name, ReadOptions())
        yield from judge(case, document, find_values(case.fields, document, ExtractOptions()))


def judge(case: Case, document: Document, findings: Findings) -> Iterator[Judged]:
    """Yield the fields of one document, whose reading without the model is ``findings``."""
    model = read_models(settings()).default
    if model is None:
        raise SystemExit("Name the language model to ask: set DOCDUCK_MODEL_BASE_URL and DOCDUCK_MODEL_NAME")
    options = ExtractOptions()
    wanted = asked_for(case.fields, findings, options)
    if not wanted:
        return
    evidence = Evidence(document)
    reading = ModelExtractor(model, ModelContext()).read(document, wanted, evidence, options)
    for both in compare_readings(reading, findings, case.fields, document, evidence):
        truth = case.truth.get(both.field.name)
        yield Judged(
            f"{case.suite}/{_NUMBERED.sub('', case.name)}",
            both.choice,
            both.mine is not None and _is_right(both.field, truth, both.mine.value),
            both.other is not None and _is_right(both.field, truth, both.other.value),
            truth not in (None, "", []),
        )


def _is_right(field: Field, truth: Any, value: Any) -> bool:
    return {found.grade for found in compare_values(field, truth, value)} == {Grade.RIGHT}


def as_json(one: Judged) -> dict[str, Any]:
    """Return what ``from_json`` reads."""
    return asdict(one)


def from_json(entry: dict[str, Any]) -> Judged:
    """Return what ``as_json`` made."""

    def reading(some: dict[str, Any] | None) -> Reading | None:
        return None if some is None else Reading(**{**some, "labels": LabelMatch(*some["labels"])})

    choice = entry["choice"]
    made = Choice(
        FieldType(choice["type"]),
        reading(choice["mine"]),
        reading(choice["other"]),
        choice["agree"],
        choice["within"],
        choice["named"],
    )
    return Judged(**{**entry, "choice": made})


def fit(some: Sequence[Judged]) -> dict[str, Weights]:
    """Return the weights for the model's values and for the other ones."""
    mine = [(one.choice.for_mine(), one.mine_right) for one in some if one.choice.mine]
    other = [
        (one.choice.for_other(), one.other_right) for one in some if one.choice.other and not one.choice.agree
    ]
    return {
        "mine": fitted({name for features, _ in mine for name in features}, mine),
        "other": fitted({name for features, _ in other for name in features}, other),
    }


@dataclass(frozen=True, slots=True)
class Outcome:
    """The probabilities of a field's readings, 0 without one, which are right, and whether it is stated."""

    mine: float
    other: float
    mine_right: bool
    other_right: bool
    is_stated: bool

    def delivered(self, least: float) -> tuple[float, bool] | None:
        """Return the value that is delivered, as its probability and whether it is right; None for none.

        A model's value needs a probability of ``least``; what was read without it is delivered in any case.
        """
        if self.mine >= max(self.other, least):
            return self.mine, self.mine_right
        return (self.other, self.other_right) if self.other else None


def outcomes(some: Iterable[Judged], weights: dict[str, Weights]) -> list[Outcome]:
    """Return the probabilities of the readings of each field by these weights."""
    return [_outcome(one, weights) for one in some]


def _outcome(one: Judged, weights: dict[str, Weights]) -> Outcome:
    mine = logistic(weights["mine"], one.choice.for_mine()) if one.choice.mine else 0.0
    other = mine if one.choice.agree else 0.0
    if one.choice.other and not one.choice.agree:
        other = logistic(weights["other"], one.choice.for_other())
    return Outcome(mine, other, one.mine_right, one.other_right, one.is_stated)


def f1(some: Iterable[Outcome], least: float) -> float:
    """Return the F1 of the values that are delivered; a wrong one counts twice."""
    right = wrong = missing = 0
    for one in some:
        found = one.delivered(least)
        is_right = found is not None and found[1]
        right += is_right
        wrong += found is not None and not is_right
        missing += one.is_stated and not is_right
    return 2 * right / max(1, 2 * right + wrong + missing)


def held_out(some: Sequence[Judged]) -> list[Outcome]:
    """Return the outcome of each field by weights that were fitted to other senders."""
    chosen: list[Outcome] = []
    for fold in range(_FOLDS):
        weights = fit([one for one in some if _fold(one.sender) != fold])
        chosen += outcomes([one for one in some if _fold(one.sender) == fold], weights)
    return chosen


def _fold(sender: str) -> int:
    return sha256(sender.encode()).digest()[0] % _FOLDS


def least_probability(some: Sequence[Outcome]) -> float:
    """Return the probability from which to deliver values: the highest as good as the best, up to chance.

    That is within one standard error of the best F1: a value that is left out can't be wrong.
    """
    scores = {step / _STEPS: f1(some, step / _STEPS) for step in range(_STEPS)}
    best = max(scores.values())
    error = sqrt(best * (1 - best) / max(1, len(some)))
    return max(least for least, score in scores.items() if score >= best - error)


def main() -> None:
    """Fit and write the weights, and print the figures of folds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--suite", action="append", default=[], help="may be repeated; all by default")
    parser.add_argument("--judged", type=Path, help="keep what was said, or read it from there")
    parser.add_argument("--into", dest="path", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    if arguments.judged and arguments.judged.is_file():
        lines = arguments.judged.read_text("utf-8").splitlines()
        some = [from_json(json.loads(line)) for line in lines]
    else:
        some = list(judged(find_cases(arguments.cases, arguments.suite)))
    if arguments.judged and not arguments.judged.is_file():
        arguments.judged.write_text("".join(json.dumps(as_json(one)) + "\n" for one in some), "utf-8")
    chosen = held_out(some)
    least = least_probability(chosen)
    weights = fit(some) | {"delivered": {"from": least}}
    arguments.path.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    model = sum(one.mine_right for one in some)
    other = sum(one.other_right for one in some)
    print(f"{len(some)} fields in doubt: the model is right in {model}, the other reading in {other}")
    found = [one.delivered(least) for one in chosen]
    right = sum(value is not None and value[1] for value in found)
    print(f"by folds: {right} of them are right, F1 {f1(chosen, least):.3f}")
    absent = [value for value, one in zip(found, chosen, strict=True) if not one.is_stated]
    print(f"{absent.count(None)} of {len(absent)} not stated are left empty")
    sure = [is_right for value in found if value is not None for chance, is_right in [value] if chance >= 0.9]
    print(f"{len(sure)} with 0.9 and more, {sum(sure)} of them right")


if __name__ == "__main__":
    main()
