"""The choice of places is fitted to documents, and measured on those of other senders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from docduck.errors import InputError
from docduck.evaluation import fitting
from docduck.evaluation.comparison import Comparison, Grade
from docduck.evaluation.fitting import Example, Offered, Offers, fit, held_out, least_probability, offers_of
from docduck.extraction.extractors.layout.chooser.features import FEATURES
from docduck.extraction.extractors.layout.chooser.trees import Least, Trees
from docduck.fields import Field, FieldType
from tools.training.queried_looks import asked_look

try:
    import lightgbm  # noqa: F401
except OSError:
    pytest.skip("LightGBM needs the system's libgomp1", allow_module_level=True)

LEAST = Least(0.3, 0.3)
TOTAL = Field(name="Total", type=FieldType.NUMBER)


def example(name: str, truth: Any = 5, values: Sequence[Any] = (5, 7)) -> Example:
    """A document whose right value alone has a first feature of 1."""
    rows = np.zeros((len(values), len(FEATURES)), np.float32)
    rows[:, 0] = [float(value == truth) for value in values]
    offers = {"Total": [Offered(value, f"{at}") for at, value in enumerate(values)]}
    return Example("mail", name, [TOTAL], {"Total": truth}, Offers(offers, rows.tobytes(), {"Total": None}))


def many(senders: int = 30) -> list[Example]:
    return [
        example(f"sender {chr(97 + at % 26)}{chr(97 + at // 26)}-{n}")
        for at in range(senders)
        for n in (1, 2)
    ]


def compared(name: str, truth: Any, trees: Trees) -> list[Comparison]:
    one = example(name, truth)
    return one.comparisons(one.rated(trees), LEAST)


def test_what_was_right_is_chosen() -> None:
    trees = fit(many())
    (right,) = compared("another", 7, trees)
    assert (right.grade, right.found) == (Grade.RIGHT, 7)
    assert right.confidence is not None and right.confidence > 0.5
    (missing,) = compared("another", 8, trees)
    assert missing.grade is Grade.MISSING


def test_fields_that_are_not_chosen_are_compared_as_read() -> None:
    read = Example("mail", "one", [TOTAL], {"Total": 5}, Offers({}, b"", {"Total": 5}, {}))
    assert [one.grade for one in read.comparisons(read.rated(fit(many())), LEAST)] == [Grade.RIGHT]


def test_no_sender_is_on_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted_to: list[set[str]] = []

    def record(some: Sequence[Example]) -> Any:
        fitted_to.append({one.sender for one in some})

    monkeypatch.setattr(fitting, "fit", record)
    monkeypatch.setattr(Example, "rated", lambda example, trees: len(fitted_to) - 1)
    examples = many()
    pairs: list[tuple[Example, Any]] = list(held_out(examples, 3))
    assert sorted(one.name for one, _ in pairs) == sorted(one.name for one in examples)
    assert len(fitted_to) == 3
    assert all(one.sender not in fitted_to[fold] for one, fold in pairs)
    assert example("acme-12").sender == example("acme-7").sender != example("acme").sender + "x"


def test_the_least_probability_is_the_best_on_what_was_held_out() -> None:
    pairs = list(held_out(many(), 3))
    least = least_probability(pairs)
    assert 0 < least.kept < least.new <= 0.6
    best = sum(one.comparisons(rated, least)[0].grade is Grade.RIGHT for one, rated in pairs)
    assert best == len(pairs)


def test_nothing_to_fit_to_is_said() -> None:
    with pytest.raises(InputError, match="nothing to fit to"):
        fit([example("one", 9)])


def test_a_fit_to_looks_finds_most_of_what_is_proposed() -> None:
    examples = []
    for seed in range(8):
        document, fields, truth = asked_look(seed)
        examples.append(Example("looks", f"look {seed} x", fields, truth, offers_of(fields, document)))
    trees = fit(examples)
    assert isinstance(trees, Trees)
    assert fit(examples).log_odds(examples[0].rows).tolist() == trees.log_odds(examples[0].rows).tolist()
    compared = [
        one for some in examples for one in some.comparisons(some.rated(trees), LEAST) if one.column is None
    ]
    assert sum(one.grade is Grade.RIGHT for one in compared) > 0.7 * len(compared)
