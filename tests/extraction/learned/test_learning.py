from __future__ import annotations

import json
from typing import Any

import pytest

from docduck.documents.model import Document
from docduck.documents.reader import read
from docduck.evaluation.job import judge_all
from docduck.evaluation.score import SuiteScore
from docduck.extraction.engine import extract_document
from docduck.extraction.learned.lesson import Lesson
from docduck.extraction.learned.teach import teach
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Extraction
from tests.extraction.learned.papers import FIELDS, SENDERS, Sender, paper

OTHERS = 12


def opened(sender: Sender, number: int) -> tuple[Document, dict[str, Any]]:
    data, truth = paper(sender, number)
    return read(data, "paper.pdf"), truth


def lesson_of(sender: Sender, number: int = 0) -> Lesson:
    document, truth = opened(sender, number)
    lesson = teach(document, FIELDS, truth, extract_document(document, FIELDS).data)
    return Lesson.from_json(json.loads(json.dumps(lesson.as_json())))


def read_with(document: Document, *lessons: Lesson) -> Extraction:
    return extract_document(document, FIELDS, ExtractOptions(lessons=lessons))


def score(sender: Sender, *lessons: Lesson) -> SuiteScore:
    total = SuiteScore()
    for number in range(1, OTHERS + 1):
        document, truth = opened(sender, number)
        total.add(judge_all(FIELDS, truth, read_with(document, *lessons).data))
    return total


@pytest.mark.parametrize("sender", SENDERS, ids=lambda sender: sender.name)
def test_one_corrected_document_is_enough_for_the_others_of_its_look(sender: Sender) -> None:
    untaught, taught = score(sender), score(sender, lesson_of(sender))
    assert untaught.total.f1 < 0.8, "nothing is left to learn here"
    assert taught.total.f1 >= 0.98, {name: f.f1 for name, f in taught.fields.items()}


def test_several_looks_are_kept_apart() -> None:
    lessons = [lesson_of(sender) for sender in SENDERS]
    for sender in SENDERS:
        assert score(sender, *lessons).total.f1 >= 0.98


def test_another_look_is_not_touched() -> None:
    document, _ = opened(SENDERS[1], 1)
    assert read_with(document, lesson_of(SENDERS[0])).data == read_with(document).data


def test_a_taught_value_comes_with_its_place_and_confidence() -> None:
    document, truth = opened(SENDERS[0], 1)
    entry = read_with(document, lesson_of(SENDERS[0])).field_metadata["Reference"]
    (place,) = entry["locations"]
    assert place["text"] == truth["Reference"]
    assert place["bbox"]["left"] == pytest.approx(410 / 595, abs=0.01)
    assert entry["confidence"] > 0.9


def test_the_value_itself_is_not_learned() -> None:
    document, truth = opened(SENDERS[0], 1)
    data = read_with(document, lesson_of(SENDERS[0])).data
    _, taught = opened(SENDERS[0], 0)
    assert data["Recipient"] == truth["Recipient"] != taught["Recipient"]


def test_what_no_words_show_is_taken_over_within_the_look() -> None:
    document, truth = opened(SENDERS[0], 0)
    lesson = teach(document, FIELDS, {**truth, "Recipient": "Somebody Else Entirely Ltd"})
    other, _ = opened(SENDERS[0], 3)
    assert read_with(other, lesson).data["Recipient"] == "Somebody Else Entirely Ltd"
    stranger, _ = opened(SENDERS[2], 3)
    assert read_with(stranger, lesson).data["Recipient"] != "Somebody Else Entirely Ltd"


def test_empty_values_teach_nothing() -> None:
    document, _ = opened(SENDERS[0], 0)
    lesson = teach(document, FIELDS, {"Reference": "", "Issued": None, "Items": []})
    assert (lesson.places, lesson.constants, lesson.headers) == ({}, {}, {})


def test_what_was_read_right_is_left_to_the_other_engines() -> None:
    document, truth = opened(SENDERS[0], 0)
    lesson = teach(document, FIELDS, truth, truth)
    assert not any(place.corrected for place in lesson.places.values())
    assert (lesson.constants, lesson.headers) == ({}, {})
