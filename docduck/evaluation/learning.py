"""Learning before an evaluation: layouts are learned from some documents of each suite for the others."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from docduck.errors import InputError
from docduck.evaluation.cases import Case
from docduck.evaluation.job import case_task, learn_case
from docduck.extraction.extraction_settings import (
    extract_options,
    for_worker,
    model_seconds,
    read_options,
    worker_limits,
)
from docduck.extraction.extractors.model.endpoint import responder
from docduck.extraction.jobs.heavy_imports import HEAVY
from docduck.extraction.learned_layout import LearnedLayout
from docduck.extraction.options import Mode
from docduck.settings import Settings
from docduck.workers.pool import Job, WorkerPool

_log = logging.getLogger(__name__)

SuiteLayouts = dict[str, tuple[LearnedLayout, ...]]
"""Learned layouts by suite."""


def split_cases(cases: Sequence[Case], count: int) -> tuple[list[Case], list[Case]]:
    """Return the first ``count`` cases of each suite, by name, and all others.

    Raise InputError if a suite has no others.
    """
    first: list[Case] = []
    others: list[Case] = []
    for suite in dict.fromkeys(case.suite for case in cases):
        mine = sorted((case for case in cases if case.suite == suite), key=lambda case: case.name)
        if len(mine) <= count:
            raise InputError(f"Suite {suite} has {len(mine)} documents; to learn from {count} needs more")
        first += mine[:count]
        others += mine[count:]
    return first, others


def learn(
    cases: Sequence[Case], settings: Settings, *, mode: Mode = "balanced", jobs: int | None = None
) -> SuiteLayouts:
    """Return the layouts learned from ``cases`` if all wrong values are corrected, by suite.

    A document that can't be read is skipped with a warning.
    """
    limits = worker_limits(settings)
    reading, options = read_options(settings, mode), extract_options(settings, mode)
    suites = {f"{case.suite}/{case.name}": case.suite for case in cases}
    layouts: SuiteLayouts = {}
    with (
        responder(options.model) as respond,
        WorkerPool(
            Job(learn_case, LearnedLayout, HEAVY), jobs or settings.workers, limits, responder=respond
        ) as pool,
    ):
        for key, case in zip(suites, cases, strict=True):
            task = case_task(case, reading, for_worker(options))
            more = model_seconds(options.model)
            pool.submit(key, task, [case.document], more_seconds=more, may_ask=respond is not None)
        left = len(suites)
        while left:
            for outcome in pool.wait():
                left -= 1
                if outcome.result is None:
                    _log.warning("Nothing learned from %s: %s", outcome.key, outcome.error)
                    continue
                suite = suites[outcome.key]
                layouts[suite] = (*layouts.get(suite, ()), outcome.result)
    return layouts
