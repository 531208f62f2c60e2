from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from docduck.evaluation.cases import find_cases
from docduck.extraction.extractors.model.choice import Choice, Reading
from docduck.extraction.extractors.model.printed_labels import LabelMatch
from docduck.fields import FieldType
from docduck.settings import settings
from tests.endpoint import model, says
from tools.training import choice_fit
from tools.training.choice_fit import Judged, as_json, f1, from_json, held_out, least_probability

LABELS = LabelMatch(0.5, 0.1)


def some(count: int = 200) -> list[Judged]:
    """Fields where the model is right nine times in ten if a page shows its value, and else once in ten."""
    r = random.Random(1)
    made = []
    for number in range(count):
        shown = float(r.random() < 0.6)
        right = r.random() < (0.9 if shown else 0.1)
        choice = Choice(FieldType.TEXT, Reading(None, shown, LABELS), None)
        made.append(Judged(f"suite/sender-{number % 20}", choice, right, False, True))
    return made


def test_values_that_are_likelier_wrong_are_left_out() -> None:
    chosen = held_out(some())
    assert len(chosen) == 200
    least = least_probability(chosen)
    assert 0.1 < least < 0.95
    left_out = [one for one in chosen if one.probability < least]
    assert left_out and sum(one.is_right for one in left_out) < 0.2 * len(left_out)
    assert f1(chosen, least) >= f1(chosen, 0.0)


def test_what_was_judged_is_read_again_as_it_was() -> None:
    choice = Choice(
        FieldType.DATE, Reading(None, 1.0, LABELS, 1, 2), Reading(0.4, 0.5, LABELS), True, "mine", 0.5
    )
    one = Judged("suite/a", choice, True, False, True)
    assert from_json(json.loads(json.dumps(as_json(one)))) == one


def test_the_model_of_the_settings_is_asked_for_what_is_in_doubt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = tmp_path / "cases" / "letters" / "a-1"
    case.mkdir(parents=True)
    (case / "letter.txt").write_text("Dear Ms Moor,\n\nwe met in the Zeppelin hangar.\n\nYours, Al\n")
    (case / "schema.json").write_text(json.dumps({"fields": [{"name": "Meeting point", "type": "text"}]}))
    (case / "truth.json").write_text(json.dumps({"Meeting point": "Zeppelin hangar"}))
    with model([says({"meeting_point": "Zeppelin hangar"})]) as endpoint:
        monkeypatch.setenv("DOCDUCK_MODEL_BASE_URL", endpoint.url)
        settings.cache_clear()
        (one,) = choice_fit.judged(find_cases(tmp_path / "cases"))
    assert one.sender == "letters/a"
    assert one.mine_right and one.is_stated
    assert one.choice.mine is not None and one.choice.mine.shown == 1.0


@pytest.fixture(autouse=True)
def fresh_settings() -> Iterator[None]:
    settings.cache_clear()
    yield
    settings.cache_clear()
