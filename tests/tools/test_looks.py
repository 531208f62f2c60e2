"""The generator of looks: what it draws is various, repeatable, and has an exact truth."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pypdfium2
import pytest

from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView
from docduck.extraction.reading.page_reading import KINDS
from docduck.fields import FieldType
from tools.looks.__main__ import draw
from tools.looks.compose import draw_page
from tools.looks.dataset import batches, example
from tools.looks.look import ARRANGEMENTS, make_look
from tools.looks.questions import Question, questions
from tools.looks.segments import truth_of
from tools.looks.sheet import place
from tools.looks.vocabulary import LANGUAGES, vocabulary

SEEDS = range(40)


@cache
def asked_of(seed: int) -> list[Question]:
    return questions(seed, 0)[1]


def test_a_look_is_the_same_each_time_and_its_pages_differ() -> None:
    texts = [[p.text for p in draw_page(make_look(7), number).pieces] for number in (0, 0, 1)]
    assert texts[0] == texts[1] != texts[2]


def test_looks_differ_in_every_choice() -> None:
    looks = [make_look(seed) for seed in range(300)]
    assert {look.words.language for look in looks} == set(LANGUAGES)
    assert {one for look in looks for one in look.arrangements} == set(ARRANGEMENTS)
    for choice in (
        "letterhead",
        "addressee",
        "party_style",
        "footer",
        "table",
        "ruled",
        "title",
        "ticks",
        "scan",
    ):
        assert len({getattr(look, choice) for look in looks}) > 1
    assert (
        len({(look.arrangements, look.letterhead, look.table, look.words.language) for look in looks}) > 295
    )


def test_languages_have_the_same_keys() -> None:
    keys = {language: set(vocabulary(language).texts) for language in LANGUAGES}
    assert len(LANGUAGES) == 12
    assert all(some == keys["en"] for some in keys.values())
    assert all(len(vocabulary(language).texts["month"]) == 12 for language in LANGUAGES)


def test_invented_labels_have_letters_of_their_language() -> None:
    words = vocabulary("pl")
    rng = random.Random(1)
    made = {words.invented(rng) for _ in range(50)}
    assert len(made) > 45
    assert any(set("ąćęłńóśźż") & set(one) for one in made)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_word_of_a_page_has_its_piece(seed: int) -> None:
    sheet = draw_page(make_look(seed), 0)
    page, owners = sheet.page(False, random.Random(1))
    for word in page.words:
        piece = owners[place(word.box.left * page.width, word.box.top * page.height)]
        assert word.text in piece.text


def test_a_value_points_to_the_segment_that_prints_its_label() -> None:
    pointed = 0
    for seed in SEEDS:
        sheet = draw_page(make_look(seed), 0)
        page, owners = sheet.page(False, random.Random(1))
        view = PageView(page)
        truth = truth_of(view, owners)
        for segment, caption in zip(view.segments, truth.captions, strict=True):
            if caption < 0:
                continue
            pointed += 1
            pieces = [owners.get(place(token.left, token.top)) for token in segment.tokens]
            labels = {label.text.split()[0] for piece in pieces if piece for label in piece.captions}
            assert any(word in view.segments[caption].text for word in labels)
    assert pointed > 200


def test_a_scan_has_no_lines_and_other_letters() -> None:
    sheet = next(one for one in (draw_page(make_look(seed), 0) for seed in SEEDS) if one.rules)
    clean, _ = sheet.page(False, random.Random(1))
    scan, _ = sheet.page(True, random.Random(1))
    assert clean.rules and not scan.rules
    assert {w.source for w in scan.words} == {"ocr"}
    assert clean.text != scan.text


def test_batches_hold_every_page_once() -> None:
    some = [example(seed, 0) for seed in SEEDS]
    count = 0
    for batch in batches(some, 512, random.Random(1)):
        assert batch.segments.hashes.shape[:2] == batch.mask.shape
        count += int((batch.truths[0] >= 0).sum())
    assert count == sum(len(one.truth.kinds) for one in some)
    assert {KINDS[kind] for one in some for kind in one.truth.kinds} == set(KINDS)


def test_looks_are_drawn_as_pdf(tmp_path: Path) -> None:
    draw(tmp_path / "look.pdf", 1, 0)
    document = pypdfium2.PdfDocument(tmp_path / "look.pdf")
    text = document[0].get_textpage().get_text_range()
    assert sum(p.text.isascii() and p.text in text for p in draw_page(make_look(1), 0).pieces) > 10
    document.close()


@pytest.mark.slow
def test_questions_ask_for_what_a_page_prints_under_its_labels_and_other_names() -> None:
    named = absent = count = 0
    for seed in SEEDS:
        labels = {key(p.text) for p in draw_page(make_look(seed), 0).pieces if p.kind == "label"}
        texts = {p.text for p in draw_page(make_look(seed), 0).pieces}
        asked = asked_of(seed)
        count += len(asked)
        for one in asked:
            absent += one.printed is None
            if isinstance(one.printed, str):
                named += key(one.field.name) in labels
                assert any(text in one.printed for text in texts)
    assert 0.1 * count < named < 0.6 * count
    assert 0.01 * count < absent < 0.15 * count


def test_questions_ask_for_tables_by_row() -> None:
    tables = [one for seed in SEEDS for one in asked_of(seed) if one.field.type is FieldType.TABLE]
    assert len(tables) > 5
    for one in tables:
        assert isinstance(one.printed, list)
        names = {column.name for column in one.field.columns}
        assert all(row.keys() <= names for row in one.printed)
