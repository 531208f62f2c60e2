"""Doubts about a correction: its position or value contradicts what the field is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.learned_layout import LearnedLayout, PrintedPlace

_OWN_LABEL = 0.95
"""Minimum weight of a label that names a field itself."""
_NAMES = ("party", "names", "address", "city", "street", "bank")
"""Kinds of values that are words."""
_MIN_OTHERS, _SAME_SHARE = 2, 0.75


def is_foreign(target: FieldQuery, queries: Iterable[FieldQuery], place: PrintedPlace) -> bool:
    """Return whether a position contradicts the field ``target``, one of ``queries``.

    It does if the label of another field announces it, or if a field that asks for a name has a number there.
    """
    if (target.for_name or target.kind in _NAMES) and _form(place.shape) == "digits":
        return True
    labels = [text for text in (place.before, place.beside) if text]
    if any(is_label_of(target, label) for label in labels):
        return False
    return any(is_label_of(query, label) for query in queries if query is not target for label in labels)


def is_label_of(query: FieldQuery, form: str) -> bool:
    """Return whether words in normal form name a field itself."""
    return query.weight(form) >= _OWN_LABEL


def with_doubts(layouts: Sequence[LearnedLayout]) -> tuple[LearnedLayout, ...]:
    """Return the layouts; positions whose value has another form than on most other documents are foreign."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for layout in layouts:
        for name, place in layout.places.items():
            forms[name][_form(place.shape)] += 1
    return tuple(_doubted(layout, forms) for layout in layouts)


def _doubted(layout: LearnedLayout, forms: dict[str, Counter[str]]) -> LearnedLayout:
    odd = [name for name, place in layout.places.items() if _is_odd(_form(place.shape), forms[name])]
    if not odd:
        return layout
    foreign = {name: replace(layout.places[name], foreign=True) for name in odd}
    return replace(layout, places={**layout.places, **foreign})


def _is_odd(form: str, forms: Counter[str]) -> bool:
    """Return whether a value is of digits and most others are of letters, or the other way round."""
    opposite = {"digits": "letters", "letters": "digits"}.get(form)
    others = forms.total() - 1
    return opposite is not None and others >= _MIN_OTHERS and forms[opposite] >= _SAME_SHARE * others


def _form(shape: str) -> str:
    """Return what the characters of a value are: ``digits``, ``letters`` or ``mixed``."""
    digits, letters = "9" in shape, "a" in shape.lower()
    return "mixed" if digits == letters else "digits" if digits else "letters"
