"""Fields that people could ask for on a drawn page, with their true values.

A name is the printed label, another word for it in any language, the label with a word cut short or left
out, or a word that nobody knows. Most people list fields in the order of the page. Some fields are of labels
that the page doesn't have.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from docduck.documents.document import Document
from docduck.extraction.fields.meanings import likeness
from docduck.extraction.lexicon import scalar_concepts
from docduck.extraction.normal_text import key
from docduck.fields import Field, FieldType
from tools.looks.compose import draw_page
from tools.looks.look import make_look
from tools.looks.sheet import Piece, Sheet
from tools.looks.vocabulary import LANGUAGES, vocabulary

_TYPES = {
    "date": FieldType.DATE,
    "money": FieldType.CURRENCY,
    "quantity": FieldType.NUMBER,
    "percent": FieldType.NUMBER,
    "amount": FieldType.CURRENCY,
    "price": FieldType.CURRENCY,
    "balance": FieldType.CURRENCY,
}
_KINDS = ("id", "date", "money", "quantity", "text", "person")
_ASKED = 0.7
"""Share of a page's labels that are asked for."""
_ABSENT = 0.05
"""Fields that the page doesn't have, as a share of those that it has: people ask for what pages state."""
_LEAST_COLUMNS = 2
_SAME = 0.95
"""Likeness from which two labels mean the same."""
_PARTIES = {"sender name": "sender", "addressee name": "addressee"}
"""Roles of parties that are asked for, with the words for them."""
_NAMES = ("printed", "other", "other", "short", "unknown")
"""Where names are from: the label, another word for it, a part of it, or nowhere."""
_SPREAD = (0.0, 0.5, 1.0, 2.0, 100.0)
"""How far people list a field from where it is printed, in fields: 85 of 100 pairs are in order."""
_SOUNDS = (tuple("bdfgklmnprstvz"), ("a", "e", "i", "o", "u"), ("", "l", "m", "n", "r", "s", "t"))
_SYLLABLES = (2, 4)


@dataclass(frozen=True)
class Question:
    """A field with the text that the page prints for it, of a table by column; None if it prints none."""

    field: Field
    printed: str | list[dict[str, str]] | None


def questions(seed: int, number: int) -> tuple[Document, list[Question]]:
    """Return page ``number`` of the look ``seed`` as a document, and what is asked of it."""
    look, rng = make_look(seed), random.Random(f"questions {seed} {number}")
    sheet = draw_page(look, number)
    page, _ = sheet.page(look.scan, random.Random(f"scan {seed} {number}"))
    labels = [piece.text for piece in sheet.pieces if piece.kind == "label"]
    chosen = [question for question in _present(sheet, labels, rng) if rng.random() < _ASKED]
    chosen += [*_parties(sheet, rng), *_table(sheet, rng)]
    chosen += _absent(labels, round(len(chosen) * _ABSENT), rng)
    once = {question.field.name: question for question in chosen}
    return Document("application/pdf", [page], 1), _listed(list(once.values()), rng)


def _listed(questions: Sequence[Question], rng: random.Random) -> list[Question]:
    """Return questions as a user may list them."""
    spread = rng.choice(_SPREAD)
    places = [at + rng.gauss(0.0, spread) for at in range(len(questions))]
    return [questions[at] for at in sorted(range(len(questions)), key=places.__getitem__)]


def _present(sheet: Sheet, labels: Sequence[str], rng: random.Random) -> Iterator[Question]:
    """Yield a question for each label that has a value of its own, and that no other label resembles."""
    for label, lines in _facts(sheet):
        name = _name(label, rng)
        if name and all(other == label or likeness(name, other) < _SAME for other in labels):
            yield Question(Field(name=name, type=_type(sheet, label)), " ".join(lines))


def _parties(sheet: Sheet, rng: random.Random) -> Iterator[Question]:
    """Yield a question for the name of each party by a word for its role, unless several are printed."""
    for role, kind in _PARTIES.items():
        names = {piece.text for piece in sheet.pieces if piece.role == role}
        if len(names) == 1 and rng.random() < _ASKED:
            name = vocabulary(rng.choice(LANGUAGES)).some(kind, rng)
            yield Question(Field(name=name, type=FieldType.TEXT), names.pop())


def _table(sheet: Sheet, rng: random.Random) -> Iterator[Question]:
    """Yield a question for the page's table, if it has heads of different names."""
    heads = {id(head): head for row in sheet.rows for cell in row for head in cell.heads}
    names = {place: _name(head.text, rng) or head.text for place, head in heads.items()}
    if len(names) < _LEAST_COLUMNS or len(set(names.values())) < len(names):
        return
    columns = [Field(name=names[at], type=_type(sheet, head.text)) for at, head in heads.items()]
    rows = []
    for row in sheet.rows:
        cells: dict[str, str] = {}
        for cell in row:
            name = names[id(cell.heads[0])]
            cells[name] = f"{cells.get(name, '')} {cell.text}".strip()
        rows.append(cells)
    title = vocabulary(rng.choice(LANGUAGES)).some("heading", rng)
    yield Question(Field(name=title, type=FieldType.TABLE, columns=columns), rows)


def _facts(sheet: Sheet) -> Iterator[tuple[str, list[str]]]:
    """Yield labels that are printed once with the lines of their value."""
    values: dict[int, tuple[Piece, list[Piece]]] = {}
    for piece in sheet.pieces:
        if piece.kind == "value" and len(piece.captions) == 1 and not piece.heads and not piece.role:
            values.setdefault(id(piece.captions[0]), (piece.captions[0], []))[1].append(piece)
    forms = [key(label.text) for label, _ in values.values()]
    for label, lines in values.values():
        if forms.count(key(label.text)) == 1:
            yield label.text, [line.text for line in lines]


def _type(sheet: Sheet, label: str) -> FieldType:
    form = key(label)
    held = [text for text in sheet.kinds if key(text) and key(text) in form]
    return _TYPES.get(sheet.kinds[max(held, key=len)], FieldType.TEXT) if held else FieldType.TEXT


def _name(label: str, rng: random.Random) -> str:
    """Return a name for a label, empty if there is none of the kind that was drawn."""
    text = label.strip(" :.").strip("0123456789. ")
    match rng.choice(_NAMES):
        case "printed":
            return text.capitalize()
        case "other":
            return rng.choice(_synonyms(text) or ("",))
        case "unknown":
            return _unknown_word(rng)
    words = text.split()
    if len(words) > 1:
        words.pop(rng.randrange(len(words)))
    else:
        words[0] = words[0][: max(len(words[0]) * 2 // 3, 4)] + "."
    return " ".join(words).capitalize()


def _unknown_word(rng: random.Random) -> str:
    syllables = range(rng.randint(*_SYLLABLES))
    return "".join(rng.choice(sounds) for _ in syllables for sounds in _SOUNDS).capitalize()


@lru_cache(maxsize=4096)
def _synonyms(label: str) -> tuple[str, ...]:
    """Return the words of all languages, and names of the lexicon, that mean the same as ``label``."""
    form = key(label)
    known = [
        name for concept in scalar_concepts().values() if form in concept.labels for name in concept.spelled
    ]
    words = [text for language in LANGUAGES for text in _labels(language)]
    return (*known, *(text for text in words if key(text) != form and likeness(text, label) >= _SAME))


@lru_cache
def _labels(language: str) -> tuple[str, ...]:
    texts = vocabulary(language).texts
    return tuple(text for kind in _KINDS for text in texts[kind])


def _absent(labels: Sequence[str], count: int, rng: random.Random) -> Iterator[Question]:
    """Yield fields of labels that the page doesn't have, nor another word for them."""
    for _ in range(count):
        words = vocabulary(rng.choice(LANGUAGES))
        kind = rng.choice(_KINDS)
        name = words.some(kind, rng)
        if all(likeness(name, label) < _SAME for label in labels):
            yield Question(Field(name=name, type=_TYPES.get(kind, FieldType.TEXT)), None)
