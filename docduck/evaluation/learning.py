"""Learning before an evaluation: layouts are learned from some documents of each suite for the others.

Read with and without what was learned, these tell which values lessons mend and break.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from docduck.errors import InputError
from docduck.evaluation.cases import Case
from docduck.evaluation.comparison import Comparison, Grade
from docduck.evaluation.job import learn_case
from docduck.evaluation.run import Evaluation, outcomes
from docduck.extraction.jobs.heavy_imports import HEAVY
from docduck.extraction.learned_layout import LearnedLayout
from docduck.extraction.options import Mode
from docduck.settings import Settings
from docduck.workers.pool import Job

_log = logging.getLogger(__name__)

SuiteLayouts = dict[str, tuple[LearnedLayout, ...]]
"""Learned layouts by suite."""


@dataclass(slots=True)
class LessonScore:
    """What lessons do to the true ``values`` of documents, and to fields without one.

    ``broken`` are right without lessons and wrong, missing or invented with them, ``mended`` the other way
    round.
    """

    values: int = 0
    broken: int = 0
    mended: int = 0

    @property
    def share(self) -> float:
        """The share of values that are broken."""
        return self.broken / self.values if self.values else 0.0


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
    cases: Sequence[Case],
    settings: Settings,
    *,
    mode: Mode = "balanced",
    model: str | None = None,
    jobs: int | None = None,
) -> SuiteLayouts:
    """Return the layouts learned from ``cases`` if all wrong values are corrected, by suite.

    A document that can't be read is skipped with a warning. ``model`` is as in ``run``.
    """
    layouts: SuiteLayouts = {}
    learning = Job(learn_case, LearnedLayout, HEAVY)
    for case, outcome in outcomes(learning, cases, settings, mode=mode, model=model, jobs=jobs):
        if outcome.result is None:
            _log.warning("Nothing learned from %s: %s", outcome.key, outcome.error)
        else:
            layouts[case.suite] = (*layouts.get(case.suite, ()), outcome.result)
    return layouts


def lesson_scores(untaught: Evaluation, taught: Evaluation) -> dict[str, LessonScore]:
    """Return what lessons do, by suite, from readings of the same documents without and with them."""
    scores = {suite: LessonScore(values=score.total.values) for suite, score in untaught.suites.items()}
    for before, after in zip(untaught.cases, taught.cases, strict=True):
        right, now = (_of_grade(case.comparisons, Grade.RIGHT) for case in (before, after))
        invented, invented_now = (_of_grade(case.comparisons, Grade.INVENTED) for case in (before, after))
        score = scores[before.suite]
        score.broken += (right - now).total() + (invented_now - invented).total()
        score.mended += (now - right).total() + (invented - invented_now).total()
    return scores


def _of_grade(comparisons: Sequence[Comparison], grade: Grade) -> Counter[tuple[str, str]]:
    return Counter((each.name, json.dumps(each.truth)) for each in comparisons if each.grade is grade)
