"""Reading all cases in the worker pool, and comparing them with their truth."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from docduck.evaluation.cases import Case
from docduck.evaluation.comparison import Comparison
from docduck.evaluation.job import CaseResult, Picture, case_pool, case_task, compare_all
from docduck.evaluation.score import SuiteScore
from docduck.extraction.extractors.model.endpoint import responder
from docduck.extraction.from_settings import (
    extract_options,
    for_worker,
    model_seconds,
    read_options,
    worker_limits,
)
from docduck.extraction.learned_layout import LearnedLayout
from docduck.extraction.options import Mode
from docduck.settings import Settings
from docduck.workers.task_queue import TaskOutcome


@dataclass(frozen=True, slots=True)
class CaseReport:
    """A case after its evaluation; ``error`` says why it could not be read, ``seconds`` how long it took."""

    suite: str
    name: str
    document: Path
    judged: list[Comparison]
    pictures: list[Picture]
    error: str | None
    seconds: float


@dataclass(slots=True)
class Evaluation:
    """All that was found out: every case, and counts by suite."""

    cases: list[CaseReport] = field(default_factory=list)
    suites: dict[str, SuiteScore] = field(default_factory=dict)

    def add(self, case: CaseReport) -> None:
        """Count a case in."""
        self.cases.append(case)
        score = self.suites[case.suite]
        score.failed += case.error is not None
        score.seconds += case.seconds
        score.add(case.judged)


def run(
    cases: Sequence[Case],
    settings: Settings,
    *,
    mode: Mode = "balanced",
    jobs: int | None = None,
    predictions: Path | None = None,
    pictures: bool = False,
    lessons: Mapping[str, tuple[LearnedLayout, ...]] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Evaluate ``cases``. With ``predictions``, what was read is written to ``<suite>/<case>.json`` there.

    A document that can't be read counts with no values. With ``pictures``, pages on which something was
    missed are drawn. ``lessons`` are what each suite's documents are read with.
    """
    if predictions is not None:
        predictions.mkdir(parents=True, exist_ok=True)
    reading, options = read_options(settings, mode), extract_options(settings, mode)
    by_key = {f"{case.suite}/{case.name}": case for case in cases}
    evaluation = Evaluation(suites={case.suite: SuiteScore() for case in cases})
    workers, limits, more = jobs or settings.workers, worker_limits(settings), model_seconds(options)
    with (
        responder(options.model) as respond,
        case_pool(workers, limits, settings.worker_tasks, respond) as pool,
    ):
        for key, case in by_key.items():
            taught = replace(for_worker(options), lessons=(lessons or {}).get(case.suite, ()))
            task = case_task(case, reading, taught, pictures=pictures)
            pool.submit(key, task, [case.document], more_seconds=more, may_ask=respond is not None)
        while len(evaluation.cases) < len(by_key):
            for outcome in pool.wait():
                case = by_key[outcome.key]
                evaluation.add(_report(case, outcome))
                if predictions is not None:
                    data = outcome.result.data if outcome.result is not None else {}
                    _write(predictions / case.suite / f"{case.name}.json", data)
                if on_progress:
                    on_progress(len(evaluation.cases), len(by_key))
    evaluation.cases.sort(key=lambda one: (one.suite, one.name))
    return evaluation


def _report(case: Case, outcome: TaskOutcome[CaseResult]) -> CaseReport:
    result = outcome.result
    error = None if outcome.error is None else str(outcome.error)
    judged = result.judged if result is not None else compare_all(case.fields, case.truth, {})
    pictures = result.pictures if result is not None else []
    return CaseReport(case.suite, case.name, case.document, judged, pictures, error, outcome.seconds)


def _write(path: Path, data: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), "utf-8")
