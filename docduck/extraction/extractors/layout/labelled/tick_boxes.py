"""Places of check boxes: questions answered by yes or no, and boxes that are ticked or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docduck.extraction.extractors.layout.candidates.check_boxes import CheckBox, find_check_boxes
from docduck.extraction.extractors.layout.labelled.places import Place, label_text
from docduck.extraction.page.page_view import PageView, Row, Token, text_of
from docduck.extraction.reading import reading_of
from docduck.extraction.values.choices import parse_boolean

_ASKING = 0.25
"""Probability from which a segment is the question of a box."""


def tick_boxes(page: PageView) -> Iterator[Place]:
    """Yield the ticked answer of each question of a page, and each other box with the words beside it."""
    for row in page.rows:
        answers: list[CheckBox] = []
        for box in find_check_boxes(row):
            said = _answer(box)
            if said is None:
                words = box.after or box.before
                if words and not any(char.isdigit() for char in words[0].text):
                    yield Place(label_text(text_of(words)), box.tokens, 1.0)
                continue
            if said in map(_answer, answers):
                yield from _answered(answers, row)
                answers = []
            answers.append(box)
        yield from _answered(answers, row)


def _answer(box: CheckBox) -> bool | None:
    """Return whether the word beside a box says yes or no."""
    word = _word(box)
    return parse_boolean(word.text) if word else None


def _word(box: CheckBox) -> Token | None:
    """Return the word after a box, else the one before it."""
    return next(iter((*box.after[:1], *box.before[-1:])), None)


def _answered(answers: Sequence[CheckBox], row: Row) -> Iterator[Place]:
    """Yield the ticked one of several answers, for each text that may be their question."""
    ticked = [box for box in answers if box.ticked]
    answer = _word(ticked[0]) if len(ticked) == 1 else None
    if answer is not None:
        for question in _questions(answers, row):
            yield Place(label_text(question), [answer], 1.0)


def _questions(answers: Sequence[CheckBox], row: Row) -> set[str]:
    """Return the texts that may ask for some answers: left of them, above them, and as the page is read."""
    page = answers[0].tokens[0].segment.page
    captions = [reading_of(page).captions[box.tokens[0].segment.index] for box in answers]
    likely = (
        pointer.segment for pointers in captions for pointer in pointers if pointer.probability >= _ASKING
    )
    texts = {page.segments[index].text for index in likely}
    word = _word(answers[0])
    left = min(token.left for token in (*answers[0].tokens, *([word] if word else [])))
    for segment in page.rows[row.index - 1].segments if row.index else ():
        if abs(segment.left - left) < page.line_height:
            texts.add(segment.text)
    before = [token for token in row.tokens if token.right <= left]
    while before and parse_boolean(before[-1].text) is not None:
        before.pop()
    if before:
        texts.add(text_of([token for token in before if token.segment is before[-1].segment]))
    return texts
