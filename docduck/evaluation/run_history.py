"""Evaluation runs stored as JSON, and the changes between two of them.

{"suites": {suite: {"f1", "documents", "failed", "perfect", "seconds", "usage",
              "values": counts, "cells": counts, "fields": {name: counts}}},
 "cases": {"suite/case": [[name, grade, truth, found, confidence], ...]}}
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from docduck.errors import InputError
from docduck.evaluation.comparison import Grade
from docduck.evaluation.run import Evaluation
from docduck.evaluation.score import FieldScore


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field's F1 in the earlier run and now; None if that run lacks the field."""

    suite: str
    field: str
    before: float | None
    now: float | None


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A true value that is right in only one of two runs."""

    case: str
    field: str
    truth: str
    found: str
    better: bool


@dataclass(frozen=True, slots=True)
class RunComparison:
    """The changes between two runs: fields with another F1, and values won or lost."""

    fields: list[FieldChange]
    values: list[ValueChange]


def run_as_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return a run in its stored form."""
    suites = {
        name: {
            "f1": score.total.f1,
            "documents": score.documents,
            "failed": score.failed,
            "perfect": score.perfect,
            "seconds": score.seconds,
            "usage": None if score.usage is None else asdict(score.usage),
            "values": _counts(score.values),
            "cells": _counts(score.cells),
            "fields": {field: _counts(counts) for field, counts in score.fields.items()},
        }
        for name, score in evaluation.suites.items()
    }
    cases = {
        f"{case.suite}/{case.name}": [
            [each.name, each.grade.value, each.truth, each.found, each.confidence]
            for each in case.comparisons
        ]
        for case in evaluation.cases
    }
    return {"suites": suites, "cases": cases}


def _counts(score: FieldScore) -> dict[str, Any]:
    return {**asdict(score), "f1": score.f1}


def load_run(path: Path) -> dict[str, Any]:
    """Return a stored run from its file or a report's folder. Raise InputError if it is none."""
    file = path / "run.json" if path.is_dir() else path
    try:
        run = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{file} is not an earlier run: {error}") from error
    if not isinstance(run, dict) or not {"suites", "cases"} <= run.keys():
        raise InputError(f"{file} is not an earlier run: it has no suites and cases")
    return run


def compare_runs(before: Mapping[str, Any], now: Mapping[str, Any]) -> RunComparison:
    """Return the changes from ``before`` to ``now`` in the cases and suites that both have."""
    fields = []
    for suite in before["suites"].keys() & now["suites"].keys():
        old, new = before["suites"][suite]["fields"], now["suites"][suite]["fields"]
        for name in old.keys() | new.keys():
            change = FieldChange(suite, name, old.get(name, {}).get("f1"), new.get(name, {}).get("f1"))
            if change.before != change.now:
                fields.append(change)
    fields.sort(key=lambda change: ((change.now or 0.0) - (change.before or 0.0), change.suite, change.field))
    values = []
    for case in sorted(before["cases"].keys() & now["cases"].keys()):
        right_before, right_now = _right(before["cases"][case]), _right(now["cases"][case])
        found_by_truth = {(name, json.dumps(truth)): found for name, _, truth, found, _ in now["cases"][case]}
        for (name, truth), count in ((right_before - right_now) + (right_now - right_before)).items():
            found = json.dumps(found_by_truth.get((name, truth)), ensure_ascii=False)
            expected = json.dumps(json.loads(truth), ensure_ascii=False)
            values += [
                ValueChange(case, name, expected, found, (name, truth) in right_now - right_before)
            ] * count
    return RunComparison(fields, values)


def _right(comparisons: list[list[Any]]) -> Counter[tuple[str, str]]:
    return Counter(
        (name, json.dumps(truth)) for name, grade, truth, _, _ in comparisons if grade == Grade.RIGHT
    )
