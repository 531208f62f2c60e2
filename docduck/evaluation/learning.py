"""Learning before an evaluation: layouts are learned from some documents of each suite for the others."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from docduck.errors import InputError
from docduck.evaluation.cases import Case
from docduck.evaluation.job import learn_case
from docduck.evaluation.run import outcomes
from docduck.extraction.jobs.heavy_imports import HEAVY
from docduck.extraction.learned_layout import LearnedLayout
from docduck.extraction.options import Mode
from docduck.settings import Settings
from docduck.workers.pool import Job

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
    layouts: SuiteLayouts = {}
    learning = Job(learn_case, LearnedLayout, HEAVY)
    for case, outcome in outcomes(learning, cases, settings, mode=mode, jobs=jobs):
        if outcome.result is None:
            _log.warning("Nothing learned from %s: %s", outcome.key, outcome.error)
        else:
            layouts[case.suite] = (*layouts.get(case.suite, ()), outcome.result)
    return layouts
