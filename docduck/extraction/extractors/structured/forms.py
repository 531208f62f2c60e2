"""Values of a PDF's form fields, found by their names, titles and the labels beside them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docduck.documents.document import Box, Document, FormField, Page, Word
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.layout.candidates.conversion import from_text
from docduck.extraction.extractors.structured.label_match import label_weight
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.normal_text import key, squeeze
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import Locale, locale_of
from docduck.extraction.result import Finding, Location
from docduck.extraction.values.choices import best_option, parse_boolean
from docduck.fields import Field, FieldType

_BY_NAME, _BY_LABEL = 0.97, 0.9
"""Confidence in a field found by its own name or title, and by the words beside it."""
_ENOUGH = 0.7
_REACH = 15.0
"""Heights of a word that may lie between a field and the words beside it."""
_BUTTONS = ("check", "radio")
_INDEX = re.compile(r"\[\d+\]|\.\d+$")
_MARKS = re.compile(r"^[☐☒☑□■○●\s]+|[\s:*_.]+$")


@dataclass(slots=True)
class _Entry:
    """A form field with all its places: ``names`` are its own, ``labels`` the words beside it."""

    fields: list[FormField]
    names: list[str]
    labels: list[str]

    @property
    def buttons(self) -> bool:
        return self.fields[0].kind in _BUTTONS


class FormFields:
    """The form of one document with the words around its fields."""

    def __init__(self, document: Document, options: ExtractOptions) -> None:
        self.locale: Locale = locale_of(document.text, options.locale)
        self.around = _Around(document)
        groups: dict[str, list[FormField]] = defaultdict(list)
        for number, field in enumerate(document.form):
            groups[field.name or f"?{number}"].append(field)
        self.entries = [self._entry(fields) for fields in groups.values()]

    def find(self, queries: Sequence[FieldQuery]) -> Findings:
        """Return findings for scalars; a field that the form has and is not filled in is absent."""
        findings = Findings()
        for query in queries:
            field = query.field
            if field.type is FieldType.TABLE:
                continue
            best = self._best(query)
            if best is not None:
                weight, entry = best
                finding = self._finding(field, entry, weight)
                if finding is not None:
                    findings.scalars[field.name] = finding
                    continue
                if weight >= 0.95 and not entry.buttons and not any(f.value for f in entry.fields):
                    findings.absent.add(field.name)
                    continue
            if field.type in (FieldType.CHOICE, FieldType.LIST) and (finding := self._ticked(field)):
                findings.scalars[field.name] = finding
        return findings

    def _entry(self, fields: list[FormField]) -> _Entry:
        first = fields[0]
        parts = [_INDEX.sub("", part) for part in first.name.split(".")]
        names = [first.title, parts[-1], " ".join(parts[-2:])]
        return _Entry(fields, [n for n in names if n], [text for text in self.around.labels(first) if text])

    def _best(self, query: FieldQuery) -> tuple[float, _Entry] | None:
        """Return the entry whose name or label is the field's; None if there is none or several are alike."""
        scored = sorted(
            ((max(_weight(query, entry.names), 0.93 * _weight(query, entry.labels)), at)
             for at, entry in enumerate(self.entries)),
            reverse=True,
        )  # fmt: skip
        if not scored or scored[0][0] < _ENOUGH:
            return None
        if len(scored) > 1 and scored[1][0] == scored[0][0]:
            alike = [self.entries[at] for weight, at in scored if weight == scored[0][0]]
            filled = [entry for entry in alike if any(f.value and not entry.buttons for f in entry.fields)]
            return (scored[0][0], filled[0]) if len(filled) == 1 else None
        return scored[0][0], self.entries[scored[0][1]]

    def _finding(self, field: Field, entry: _Entry, weight: float) -> Finding | None:
        confidence = (_BY_NAME if weight >= 0.95 else _BY_LABEL) * min(1.0, weight + 0.05)
        if entry.buttons:
            return self._pressed(field, entry, confidence)
        filled = next((f for f in entry.fields if f.value), None)
        if filled is None:
            return None
        value: object
        if field.type is FieldType.LIST and filled.kind == "choice":
            value = [line for line in filled.value.split("\n") if line.strip()]
        else:
            value = from_text(field, filled.value, self.locale)
        return None if value in (None, []) else _at(filled, value, confidence, filled.value)

    def _pressed(self, field: Field, entry: _Entry, confidence: float) -> Finding | None:
        """Return the value of check boxes and radio buttons: whether one is set, or which of several."""
        pressed = [f for f in entry.fields if f.checked]
        if field.type is FieldType.BOOLEAN:
            if len(entry.fields) == 1:
                return _at(entry.fields[0], entry.fields[0].checked, confidence)
            if len(pressed) != 1:
                return None
            says = (parse_boolean(text) for text in self._says(pressed[0]))
            truth = next((answer for answer in says if answer is not None), None)
            return None if truth is None else _at(pressed[0], truth, confidence, pressed[0].value)
        if len(pressed) != 1:
            return None
        for text in self._says(pressed[0]):
            value: object = None
            if field.type is FieldType.CHOICE:
                option = best_option(text, field.options)
                value = option[0] if option else None
            elif len(entry.fields) > 1:
                value = from_text(field, text, self.locale)
            if value is not None:
                return _at(pressed[0], value, confidence, text)
        return None

    def _ticked(self, field: Field) -> Finding | None:
        """Return the options beside whose names a box is set, where most options have a box of their own."""
        boxes = [entry.fields[0] for entry in self.entries if entry.buttons and len(entry.fields) == 1]
        boxes += [
            f for entry in self.entries if entry.buttons and len(entry.fields) > 1 for f in entry.fields
        ]
        options = {key(option): option for option in field.options}
        meant = [(f, options[form]) for f in boxes if (form := next(
            (key(text) for text in self._says(f) if key(text) in options), None)) is not None]  # fmt: skip
        if len({option for _, option in meant}) < 2:
            return None
        pressed = [(f, option) for f, option in meant if f.checked]
        if not pressed or (field.type is FieldType.CHOICE and len(pressed) > 1):
            return None
        value: object = pressed[0][1] if field.type is FieldType.CHOICE else [option for _, option in pressed]
        return _at(pressed[0][0], value, _BY_LABEL, pressed[0][1])

    def _says(self, field: FormField) -> Iterator[str]:
        """Yield the texts that name a button, the printed words first."""
        yield from filter(None, (self.around.after(field), field.title, field.value, field.name))


class _Around:
    """The words of the pages that are not in form fields."""

    def __init__(self, document: Document) -> None:
        boxes: dict[int, list[Box]] = defaultdict(list)
        for field in document.form:
            boxes[field.page].append(field.box)
        self.pages = {
            page.number: _Words(page, [w for w in page.words if not _within(w, boxes[page.number])])
            for page in document.pages
            if page.number in boxes
        }

    def labels(self, field: FormField) -> list[str]:
        """Return the words left of a field, above it and after a button; of a check box only the last."""
        words = self.pages.get(field.page)
        if words is None:
            return []
        after = self.after(field) if field.kind in _BUTTONS else ""
        if after and field.kind == "check":
            return [after]
        return [words.beside(field.box, before=True), words.above(field.box), after]

    def after(self, field: FormField) -> str:
        words = self.pages.get(field.page)
        return words.beside(field.box, before=False) if words else ""


class _Words:
    def __init__(self, page: Page, words: list[Word]) -> None:
        self.aspect = page.height / (page.width or 1.0)
        self.words = words

    def beside(self, box: Box, before: bool) -> str:
        """Return the run of words that ends left of ``box``, or begins right of it, on its line."""
        line = [w for w in self.words if box.top - 0.004 <= w.box.middle <= box.bottom + 0.004]
        line.sort(key=lambda w: -w.box.right if before else w.box.left)
        run: list[Word] = []
        edge = box.left if before else box.right
        for word in line:
            gap = edge - word.box.right if before else word.box.left - edge
            if gap < -0.01:
                continue
            height = word.box.height * self.aspect
            if gap > (1.0 if run else _REACH) * height:
                break
            run.append(word)
            edge = word.box.left if before else word.box.right
        return _bare(run[::-1] if before else run)

    def above(self, box: Box) -> str:
        """Return the words of the line next above ``box``."""
        over = [
            w
            for w in self.words
            if 0 <= box.top - w.box.bottom + 0.3 * w.box.height <= 1.2 * w.box.height
            and w.box.centre >= box.left - 0.01
            and w.box.left < box.right
        ]
        return _bare(sorted(over, key=lambda w: w.box.left))


def _bare(words: Sequence[Word]) -> str:
    return _MARKS.sub("", squeeze(" ".join(word.text for word in words)))


def _within(word: Word, boxes: Sequence[Box]) -> bool:
    box = word.box
    return any(b.holds_middle_of(box) for b in boxes)


def _weight(query: FieldQuery, texts: Sequence[str]) -> float:
    return max((label_weight(query, text) for text in texts), default=0.0)


def _at(field: FormField, value: object, confidence: float, text: str = "") -> Finding:
    place = Location(field.page, field.box, text or field.value)
    return Finding(value, round(min(confidence, 0.97), 4), (place,), text or field.value, "structured")
