from __future__ import annotations

from docduck.extraction.extractors.model.choice import Choice, Reading, least_delivered
from docduck.extraction.extractors.model.printed_labels import LabelMatch
from docduck.fields import FieldType

LABELLED, BARE = LabelMatch(1.0, 0.0), LabelMatch(0.0, 0.0)


def choice(mine: Reading | None, other: Reading | None, agree: bool = False, named: float = 1.0) -> Choice:
    return Choice(FieldType.TEXT, mine, other, agree, named=named)


def test_readings_that_agree_are_surer_than_either() -> None:
    mine, other = Reading(None, 1.0, LABELLED), Reading(0.6, 1.0, LABELLED)
    agreed, _ = choice(mine, other, agree=True).probabilities()
    alone, _ = choice(mine, None).probabilities()
    assert agreed > alone > least_delivered()


def test_a_value_that_no_page_shows_is_not_delivered() -> None:
    mine, _ = choice(Reading(None, 0.0, BARE, places=0), None, named=0.0).probabilities()
    assert mine < least_delivered()


def test_what_is_printed_at_the_field_s_label_counts_more_than_at_another_s() -> None:
    own, _ = choice(Reading(None, 1.0, LABELLED), None).probabilities()
    others, _ = choice(Reading(None, 1.0, LabelMatch(0.0, 1.0)), None).probabilities()
    assert own > others


def test_one_value_for_several_fields_counts_less() -> None:
    once, _ = choice(Reading(None, 1.0, LABELLED), None).probabilities()
    twice, _ = choice(Reading(None, 1.0, LABELLED, repeated=2), None).probabilities()
    assert once > twice


def test_a_surer_other_reading_stands_more_often() -> None:
    mine = Reading(None, 1.0, BARE)
    _, sure = choice(mine, Reading(0.85, 1.0, LABELLED)).probabilities()
    _, unsure = choice(mine, Reading(0.3, 1.0, LABELLED)).probabilities()
    assert sure > unsure
