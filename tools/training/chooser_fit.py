"""``python -m tools.training.chooser_fit [CASES]``: fit the choice of places.

The documents are looks; CASES, a folder as for ``docduck evaluate``, adds real ones. A real document of the
suites named by ``--full`` counts in full, others and looks less: what the rules were written for hides what
other documents need. The figures are of folds by sender.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from rapidfuzz import fuzz

from docduck import templates
from docduck.cli.output import progress
from docduck.evaluation.cases import find_cases
from docduck.evaluation.fitting import OFFERS, Example, Offers, fit, held_out, least_probability, offers_of
from docduck.evaluation.run import outcomes
from docduck.evaluation.score import SuiteScore
from docduck.extraction.extractors.layout.chooser.chooser import NOT_CHOSEN, WEIGHTS
from docduck.extraction.extractors.layout.chooser.features import FEATURES
from docduck.fields import Field
from docduck.settings import settings
from tools.training.queried_looks import asked_look

_FOLDS = 5
_ABSENT, _ABSENT_SUITE = 3, "absent"
"""Fields of other papers that each document is asked for, and what their scores are called."""
_UNLIKE = 60.0
"""Similarity (0–100) of names below which fields ask for other things."""
_OTHER = 0.3
"""Weight of looks and of documents that rules were written for."""


def looks(count: int) -> Iterator[Example]:
    """Yield examples of made-up documents."""
    for seed in range(count):
        document, fields, truth = asked_look(seed)
        name = f"look {seed} x"
        yield Example("looks made up", name, fields, truth, offers_of(fields, document), _OTHER)
        more = absent(fields, name)
        yield _of_absent(more, offers_of([*fields, *more], document), f"looks made up/{name}")


def real(cases: Path, full: Iterable[str]) -> Iterator[Example]:
    """Yield examples of the documents in a folder."""
    found, counted = find_cases(cases), set(full)
    asked = [replace(case, fields=(*case.fields, *absent(case.fields, case.name))) for case in found]
    by_name = {(case.suite, case.name): case for case in found}
    for some in (found, asked):
        with progress("Reading", len(some)) as advance:
            read = outcomes(OFFERS, some, settings(), mode="balanced", model=None, jobs=None)
            for number, (asking, outcome) in enumerate(read, 1):
                advance(number, len(some))
                if outcome.result is None:
                    continue
                case = by_name[asking.suite, asking.name]
                weight = 1.0 if case.suite in counted else _OTHER
                own = Example(case.suite, case.name, case.fields, case.truth, outcome.result, weight)
                more = asking.fields[len(case.fields) :]
                yield _of_absent(more, outcome.result, own.sender) if more else own


def absent(fields: Sequence[Field], name: str) -> list[Field]:
    """Return fields that a document hardly states: those that only one template has, and no field is like.

    Documents with known values seldom lack one that is asked for; templates have many that a page lacks.
    """
    random = Random(name)
    return [
        one
        for one in random.sample(_rare_fields(), 3 * _ABSENT)
        if all(fuzz.token_set_ratio(one.name.lower(), own.name.lower()) < _UNLIKE for own in fields)
    ][:_ABSENT]


@cache
def _rare_fields() -> list[Field]:
    every = [field for key in sorted(templates.keys()) for field in templates.load(key).fields]
    count = Counter(field.name for field in every)
    return [field for field in every if count[field.name] == 1 and field.type not in NOT_CHOSEN]


def _of_absent(fields: Sequence[Field], proposed: Offers, group: str) -> Example:
    """Return the example of those fields alone that a document lacks."""
    names = {field.name for field in fields}
    rows = np.frombuffer(proposed.rows, np.float32).reshape(-1, len(FEATURES))
    kept = [name in names for name, some in proposed.offers.items() for _ in some]
    offers = {name: some for name, some in proposed.offers.items() if name in names}
    alone = replace(proposed, offers=offers, rows=rows[kept].tobytes())
    return Example(_ABSENT_SUITE, group, fields, {}, alone, _OTHER, group)


def main() -> None:
    """Fit and write the trees, and print the figures of folds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path, nargs="?")
    parser.add_argument("--full", action="append", default=[], help="a suite that counts in full")
    parser.add_argument("--looks", type=int, default=300)
    parser.add_argument("--into", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    examples = list(looks(arguments.looks))
    if arguments.cases is not None:
        examples += sorted(real(arguments.cases, arguments.full), key=lambda one: (one.suite, one.name))
    pairs = list(held_out(examples, _FOLDS))
    least = least_probability(pairs)
    scores = {example.suite: SuiteScore() for example in examples}
    for example, rated in pairs:
        scores[example.suite].add(example.comparisons(rated, least))
    for suite, score in scores.items():
        values = score.values
        print(
            f"{suite}: {score.documents} documents, fields F1 {values.f1:.3f}, "
            f"{values.right} right, {values.wrong} wrong, {values.missing} missing, "
            f"{values.invented} invented"
        )
    fit(examples, least).save(arguments.into)
    print(f"new values from {least.new}, found ones from {least.kept}; written to {arguments.into}")


if __name__ == "__main__":
    main()
