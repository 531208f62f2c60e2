"""Evaluates what is fitted on documents that it was not fitted to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from docduck.evaluation.cases import Case
from docduck.evaluation.fitting import OFFERS, Example, Offers, held_out, least_probability
from docduck.evaluation.job import compare_all
from docduck.evaluation.run import CaseReport, Evaluation, outcomes
from docduck.evaluation.score import SuiteScore
from docduck.extraction.options import Mode
from docduck.settings import Settings
from docduck.workers.task_queue import TaskOutcome


def run_folds(
    cases: Sequence[Case],
    settings: Settings,
    folds: int,
    *,
    mode: Mode = "balanced",
    jobs: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Evaluate ``cases`` by choices of places that were fitted to the cases of other senders alone.

    Documents of one sender have one name but for a number at its end. Raise InputError if there is nothing
    to fit to, or without LightGBM.
    """
    evaluation = Evaluation(suites={case.suite: SuiteScore() for case in cases})
    read: list[tuple[Case, TaskOutcome[Offers]]] = []
    for one in outcomes(OFFERS, cases, settings, mode=mode, model=None, jobs=jobs):
        read.append(one)
        if on_progress:
            on_progress(len(read), len(cases))
    read.sort(key=lambda one: (one[0].suite, one[0].name))
    pairs = list(
        held_out(
            [
                Example(case.suite, case.name, case.fields, case.truth, outcome.result)
                for case, outcome in read
                if outcome.result is not None
            ],
            folds,
        )
    )
    least = least_probability(pairs)
    compared = {(example.suite, example.name): example.comparisons(rated, least) for example, rated in pairs}
    for case, outcome in read:
        key = case.suite, case.name
        why = None if outcome.error is None else str(outcome.error)
        comparisons = compared.get(key) or compare_all(case.fields, case.truth, {})
        evaluation.add(CaseReport(*key, case.document, comparisons, [], why, outcome.seconds))
    return evaluation
