"""The labels of fields, from documents whose right values are known: the words printed at these values."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from docduck.extraction.extractors.layout.labelled.places import Place, places_of
from docduck.extraction.extractors.learned.layout_learning import learn_layout
from docduck.extraction.extractors.learned.printed_values import PrintedValues
from docduck.extraction.extractors.learned.spans import describe, tokens_at
from docduck.extraction.fields.meanings import asks_for_number, disagree, likeness, meanings_of
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import Token
from docduck.extraction.result import Location
from docduck.extraction.suggest.naming import cleaned, is_known, is_name
from docduck.fields import Field, FieldType

_MOST_PLACES = 12
"""Of a value, where it is printed."""
_LEAST = 0.3
_BESIDE = 0.5
"""How likely the text left of a value is its label."""
_LIKENESS = 0.5
"""What it counts that a label means what the field's name does."""
_AGREEING = 2
"""Samples on which a label must be found that says something else than the field's name."""
_LIKE = 0.5
"""How much a further label must mean the same if it is on fewer samples."""
_LONG_NUMBER = re.compile(r"\d{3}")
_NUMERIC = (FieldType.NUMBER, FieldType.CURRENCY, FieldType.DATE)

_Candidates = Mapping[str, Mapping[int, float]]
"""The labels of a field, by their normal form: on which samples they are, and how likely they are its."""


@dataclass(frozen=True)
class PrintedTruth:
    """A sample, and its right values by field name."""

    printed: PrintedValues
    truth: Mapping[str, Any]

    def places(self, field: Field) -> list[tuple[Location, ...]]:
        """Return where a field's value, or any item of a list, is printed."""
        value = self.truth.get(field.name)
        kind = FieldType.TEXT if field.type is FieldType.LIST else field.type
        items = value if isinstance(value, list) else [value]
        return [place for item in items for place in self.printed.lookup.places(item, kind)[:_MOST_PLACES]]

    def labels(self, field: Field) -> dict[str, float]:
        """Return the labels that a field's value may have."""
        likely: dict[str, float] = {}
        for locations in self.places(field):
            for text, probability in self._at(tokens_at(self.printed.view, locations)):
                likely[text] = max(likely.get(text, 0.0), probability)
        return likely

    def _at(self, lines: Sequence[Sequence[Token]]) -> Iterator[tuple[str, float]]:
        if not lines:
            return
        for place in self._places[id(lines[0][0])]:
            yield place.label, place.probability
        described = describe(self.printed.view, lines, "")
        if described is not None and described.label:
            yield described.label, _BESIDE

    @cached_property
    def _places(self) -> Mapping[int, Sequence[Place]]:
        """The labelled places by the ids of the words with which a value in them may begin."""
        places: dict[int, list[Place]] = defaultdict(list)
        for page in self.printed.view.pages:
            for place in places_of(page):
                for token in place.tokens[:1] if place.run_on else place.tokens:
                    places[id(token)].append(place)
        return places


def with_printed_labels(fields: Sequence[Field], samples: Sequence[PrintedTruth]) -> list[Field]:
    """Return the fields with the words that the samples print at their values as labels.

    A column's are the heads over its cells.
    """
    texts: dict[str, str] = {}
    candidates: dict[str, dict[str, dict[int, float]]] = {}
    for field in fields:
        labels: dict[str, dict[int, float]] = defaultdict(dict)
        for number, sample in enumerate(samples):
            for text, probability in sample.labels(field).items():
                if probability >= _LEAST and _may_announce(field, text):
                    labels[key(text)][number] = max(probability, labels[key(text)].get(number, 0.0))
                    texts.setdefault(key(text), cleaned(text))
        candidates[field.name] = labels
    chosen = _chosen(candidates, texts)
    headers = [learn_layout(sample.printed, fields, sample.truth).headers for sample in samples]
    return [
        _with_heads(field, [some.get(field.name, {}) for some in headers])
        if field.type is FieldType.TABLE
        else _with_labels(field, [texts[form] for form in chosen[field.name]])
        for field in fields
    ]


def _may_announce(field: Field, text: str) -> bool:
    name = cleaned(text)
    return (
        is_name(name)
        and not _LONG_NUMBER.search(name)
        and not (field.type in _NUMERIC and asks_for_number(name))
    )


def _chosen(candidates: Mapping[str, _Candidates], texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the labels of each field, by their normal form: as few as are on all samples that have any.

    A label is that of one field.
    """
    ranked = sorted(
        (
            (sum(on.values()) + _LIKENESS * likeness(name, texts[form]), name, form)
            for name, forms in candidates.items()
            for form, on in forms.items()
            if len(on) >= _AGREEING or not meanings_of(name) or _agrees(name, texts[form])
        ),
        key=lambda each: (-each[0], each[1:]),
    )
    chosen: dict[str, list[str]] = {name: [] for name in candidates}
    covered: dict[str, set[int]] = defaultdict(set)
    taken: set[str] = set()
    for _, name, form in ranked:
        on = candidates[name][form].keys()
        if chosen[name] and not _may_be_further(name, texts[form], len(on)):
            continue
        if form not in taken and on - covered[name]:
            chosen[name].append(form)
            covered[name] |= on
            taken.add(form)
    return chosen


def _agrees(name: str, label: str) -> bool:
    return is_known(label) and not disagree(name, label)


def _may_be_further(name: str, label: str, samples: int) -> bool:
    """Return whether a label is one of a field that has another on most samples."""
    return samples >= _AGREEING or not meanings_of(name) or likeness(name, label) >= _LIKE


def _with_labels(field: Field, texts: Sequence[str]) -> Field:
    further = {key(text): text for text in texts if key(text) != key(field.name)}
    return field.model_copy(update={"labels": tuple(further.values())}) if further else field


def _with_heads(table: Field, headers: Sequence[Mapping[str, str]]) -> Field:
    """Return a table whose columns have the heads over them as labels, but for those of several columns."""
    heads = {
        column.name: [some[column.name] for some in headers if column.name in some]
        for column in table.columns
    }
    columns_of = Counter(form for texts in heads.values() for form in set(map(key, texts)))
    columns = (
        _with_labels(column, [text for text in heads[column.name] if columns_of[key(text)] == 1])
        for column in table.columns
    )
    return table.model_copy(update={"columns": tuple(columns)})
