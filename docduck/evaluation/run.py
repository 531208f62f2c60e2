"""Runs an evaluation: reads all cases in the worker pool and compares them with their truth."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from docduck.evaluation.cases import Case
from docduck.evaluation.check_score import CheckScore
from docduck.evaluation.comparison import Comparison
from docduck.evaluation.job import EVALUATION, CaseResult, CaseTask, Picture, case_task, compare_all
from docduck.evaluation.score import SuiteScore
from docduck.extraction.extraction_settings import (
    extract_options,
    for_worker,
    model_seconds,
    read_options,
    worker_limits,
)
from docduck.extraction.extractors.model.asking.endpoint import Endpoints
from docduck.extraction.learned_layout import LearnedLayout
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.options import Mode
from docduck.settings import Settings
from docduck.workers.pool import Job, WorkerPool
from docduck.workers.task_queue import TaskOutcome

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class CaseReport:
    """An evaluated case; ``error`` says why it could not be read, ``seconds`` how long it took.

    ``usage`` is the language model's, if one was asked.
    """

    suite: str
    name: str
    document: Path
    comparisons: list[Comparison]
    pictures: list[Picture]
    error: str | None
    seconds: float
    usage: ModelUsage | None = None


@dataclass(slots=True)
class Evaluation:
    """The result of an evaluation: every case, scores by suite, and that of the checks of all."""

    cases: list[CaseReport] = field(default_factory=list)
    suites: dict[str, SuiteScore] = field(default_factory=dict)
    checks: CheckScore = field(default_factory=CheckScore)

    def add(self, case: CaseReport) -> None:
        """Add a case."""
        self.cases.append(case)
        score = self.suites[case.suite]
        score.failed += case.error is not None
        score.add_reading(case.seconds, case.usage)
        score.add(case.comparisons)
        self.checks.add(case.comparisons)


def run(
    cases: Sequence[Case],
    settings: Settings,
    *,
    mode: Mode = "balanced",
    model: str | None = None,
    jobs: int | None = None,
    predictions: Path | None = None,
    pictures: bool = False,
    layouts: Mapping[str, tuple[LearnedLayout, ...]] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Evaluate ``cases``. With ``predictions``, write the values read to ``<suite>/<case>.json`` there.

    A document that can't be read counts as one without values. With ``pictures``, pages with missed values
    are drawn. ``layouts`` holds the learned layouts of each suite. ``model`` names that of mode ``accurate``;
    raise InputError if there is none of that name.
    """
    if predictions is not None:
        predictions.mkdir(parents=True, exist_ok=True)
    evaluation = Evaluation(suites={case.suite: SuiteScore() for case in cases})
    for case, outcome in outcomes(
        EVALUATION, cases, settings, mode=mode, model=model, jobs=jobs, pictures=pictures, layouts=layouts
    ):
        evaluation.add(_report(case, outcome))
        if predictions is not None:
            data = outcome.result.data if outcome.result is not None else {}
            _write(predictions / case.suite / f"{case.name}.json", data)
        if on_progress:
            on_progress(len(evaluation.cases), len(cases))
    evaluation.cases.sort(key=lambda case: (case.suite, case.name))
    return evaluation


def outcomes(
    job: Job[CaseTask, R],
    cases: Sequence[Case],
    settings: Settings,
    *,
    mode: Mode,
    model: str | None,
    jobs: int | None,
    pictures: bool = False,
    layouts: Mapping[str, tuple[LearnedLayout, ...]] | None = None,
) -> Iterator[tuple[Case, TaskOutcome[R]]]:
    """Do ``job`` for each case in the worker pool, and yield how it ended, as they end."""
    reading, options = read_options(settings, mode), extract_options(settings, mode, model)
    by_key = {f"{case.suite}/{case.name}": case for case in cases}
    more = model_seconds(options.model)
    with (
        Endpoints([options.model] if options.model else []) as endpoints,
        WorkerPool(job, jobs or settings.workers, worker_limits(settings)) as pool,
    ):
        responder = endpoints.responder([options.model.name] if options.model else [])
        for key, case in by_key.items():
            taught = replace(for_worker(options), learned_layouts=(layouts or {}).get(case.suite, ()))
            task = case_task(case, reading, taught, pictures=pictures)
            pool.submit(key, task, [case.document], more_seconds=more, responder=responder)
        left = len(by_key)
        while left:
            for outcome in pool.wait():
                left -= 1
                yield by_key[outcome.key], outcome


def _report(case: Case, outcome: TaskOutcome[CaseResult]) -> CaseReport:
    result = outcome.result
    error = None if outcome.error is None else str(outcome.error)
    comparisons = result.comparisons if result is not None else compare_all(case.fields, case.truth, {})
    pictures = result.pictures if result is not None else []
    usage = result.usage if result is not None else None
    return CaseReport(
        case.suite, case.name, case.document, comparisons, pictures, error, outcome.seconds, usage
    )


def _write(path: Path, data: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), "utf-8")
