from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from docduck.documents.document import Document
from docduck.documents.reader import read
from docduck.evaluation.job import compare_all
from docduck.evaluation.score import SuiteScore
from docduck.extraction.extractors.learned.layout_learning import learn_layout
from docduck.extraction.extractors.learned.printed_values import PrintedValues
from docduck.extraction.jobs.extraction_job import ReadTask, extract, load, pack_fields
from docduck.extraction.learned_layout import LearnedLayout
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Extraction, Location
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, FieldType
from docduck.workers.context import Context
from tests.extraction.extractors.learned.sender_documents import FIELDS, SENDERS, Sender, paper
from tests.extraction.pages import by_ocr

OTHERS = 6


@functools.cache
def read_paper(sender: Sender, number: int) -> tuple[Document, dict[str, Any]]:
    data, truth = paper(sender, number)
    return read(data, "paper.pdf"), truth


@functools.cache
def layout_of(sender: Sender, number: int = 0) -> LearnedLayout:
    document, truth = read_paper(sender, number)
    lesson = learn_layout(PrintedValues(document), FIELDS, truth, extract_document(document, FIELDS).data)
    return LearnedLayout.from_json(json.loads(json.dumps(lesson.as_json())))


def read_with(document: Document, *layouts: LearnedLayout) -> Extraction:
    return extract_document(document, FIELDS, ExtractOptions(learned_layouts=layouts))


@functools.cache
def read_without_lesson(sender: Sender, number: int, is_taught: bool) -> Extraction:
    return read_with(read_paper(sender, number)[0], *([layout_of(sender, 1)] if is_taught else []))


def score(sender: Sender, *layouts: LearnedLayout) -> SuiteScore:
    total = SuiteScore()
    for number in range(1, OTHERS + 1):
        document, truth = read_paper(sender, number)
        total.add(compare_all(FIELDS, truth, read_with(document, *layouts).data))
    return total


@pytest.mark.slow
@pytest.mark.parametrize("sender", SENDERS, ids=lambda sender: sender.name)
def test_one_corrected_document_teaches_its_layout(sender: Sender) -> None:
    untaught, taught = score(sender), score(sender, layout_of(sender))
    assert untaught.total.f1 < 0.985, "nothing is left to learn here"
    assert taught.total.f1 >= 0.98, {name: f.f1 for name, f in taught.fields.items()}


@pytest.mark.slow
def test_layouts_are_separate() -> None:
    layouts = [layout_of(sender) for sender in SENDERS]
    for sender in SENDERS:
        assert score(sender, *layouts).total.f1 >= 0.98


def test_other_layout_is_unchanged() -> None:
    document, _ = read_paper(SENDERS[1], 1)
    assert read_with(document, layout_of(SENDERS[0])).data == read_with(document).data


def test_learned_value_has_location_and_confidence() -> None:
    document, truth = read_paper(SENDERS[0], 1)
    entry = read_with(document, layout_of(SENDERS[0])).field_metadata["Reference"]
    (place,) = entry["locations"]
    assert place["text"] == truth["Reference"]
    assert place["bbox"]["left"] == pytest.approx(410 / 595, abs=0.01)
    assert entry["confidence"] > 0.9


def test_value_itself_is_not_learned() -> None:
    document, truth = read_paper(SENDERS[0], 1)
    data = read_with(document, layout_of(SENDERS[0])).data
    _, taught = read_paper(SENDERS[0], 0)
    assert data["Recipient"] == truth["Recipient"] != taught["Recipient"]


@pytest.mark.parametrize("sender", SENDERS, ids=lambda sender: sender.name)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Reference", "R 2024 - 17 - B"),
        ("Recipient", "Somebody Else Entirely Ltd"),
        ("Recipient", "{} Junior"),
        ("Recipient Address", "Nowhere Near Here 5, 99999 Farthing"),
        ("Issued", "1999-12-31"),
        ("Grand Total", 987654.32),
        ("Depot", "South"),
    ],
)
def test_unprinted_correction_changes_no_other_document(sender: Sender, name: str, value: Any) -> None:
    document, truth = read_paper(sender, 0)
    read_before = extract_document(document, FIELDS).data
    given = value.format(truth[name]) if isinstance(value, str) else value
    lesson = learn_layout(PrintedValues(document), FIELDS, {**read_before, name: given}, read_before)
    for number in range(2, 5):
        other, _ = read_paper(sender, number)
        for taught in ((), (layout_of(sender, 1),)):
            without = read_without_lesson(sender, number, bool(taught))
            with_it = read_with(other, lesson, *taught)
            assert (with_it.data, places(with_it)) == (without.data, places(without))


def places(extraction: Extraction) -> dict[str, Any]:
    """Where the values of fields are; a document that was read right makes those of others surer."""
    metadata = extraction.field_metadata
    return {name: entry["locations"] for name, entry in metadata.items() if isinstance(entry, dict)}


def test_layout_holds_no_text_of_printed_values() -> None:
    _, truth = read_paper(SENDERS[0], 0)
    stored = json.dumps(layout_of(SENDERS[0]).as_json())
    for name in ("Reference", "Recipient", "Recipient Address"):
        assert truth[name] not in stored


def test_misread_text_is_not_replaced_from_another_document() -> None:
    sender = SENDERS[0]
    document, truth = read_paper(sender, 0)
    lesson = learn_layout(PrintedValues(by_ocr(document, misread={"Quill": "Qui1l"})), FIELDS, truth, {})
    assert lesson.places["Recipient"].corrected
    for number in (1, 2):
        other, _ = read_paper(sender, number)
        first, _, last = str(read_paper(sender, number)[1]["Recipient"]).partition(" ")
        scanned = by_ocr(other, misread={first: "Anna", last: "Quill"})
        assert read_with(scanned, lesson).data["Recipient"] == "Anna Quill"


def test_nothing_is_learned_from_empty_values() -> None:
    document, _ = read_paper(SENDERS[0], 0)
    lesson = learn_layout(PrintedValues(document), FIELDS, {"Reference": "", "Issued": None, "Items": []})
    assert (lesson.places, lesson.unprinted, lesson.mistakes, lesson.headers) == ({}, {}, {}, {})


def test_right_values_are_left_to_other_extractors() -> None:
    document, truth = read_paper(SENDERS[0], 0)
    lesson = learn_layout(PrintedValues(document), FIELDS, truth, truth)
    assert not any(place.corrected for place in lesson.places.values())
    assert (lesson.unprinted, lesson.mistakes, lesson.headers) == ({}, {}, {})


def test_document_is_not_read_by_its_own_layout(tmp_path: Path) -> None:
    data, truth = paper(SENDERS[0], 0)
    path, stored = tmp_path / "paper.pdf", tmp_path / "learned_layouts.json"
    path.write_bytes(data)
    stored.write_text(json.dumps([replace(layout_of(SENDERS[0]), document_id="mine").as_json()]))
    task = ReadTask("paper.pdf", pack_fields(FIELDS), learned_layouts=stored.name)
    with path.open("rb") as first, stored.open("rb") as second:
        context = Context([first.fileno(), second.fileno()])
        found = [
            extract(replace(task, document_id=document_id), *load(task, context), context).field_metadata[
                "Reference"
            ]
            for document_id in (None, "other", "mine")
        ]
    assert {entry["rawText"] for entry in found} == {truth["Reference"]}
    untold, other, mine = (entry["confidence"] for entry in found)
    assert untold == other > mine


@pytest.mark.parametrize("line", [0, 1, 2])
def test_the_place_that_a_person_showed_is_learned(line: int) -> None:
    document = read(b"Wibble 4711\nSnarf 4711\nGlorp 4711\n", "a.txt")
    field = Field(name="Number", type=FieldType.TEXT)
    box = document.pages[0].lines[line].words[1].box
    shown = {"Number": Location(1, box, "4711")}
    lesson = learn_layout(PrintedValues(document), [field], {"Number": "4711"}, {"Number": None}, shown)
    (place,) = lesson.places.values()
    assert place.before == ("wibble", "snarf", "glorp")[line]
