"""The lexicon: names of common concepts in fields and documents, in 23 languages, as data files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from docduck.extraction.normal_text import key

_HERE = Path(__file__).parent
_MACRO = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that documents state: its labels by normal form, with the language of each.

    ``kind`` says what its values look like; ``spelled`` is what fields are called, ``names`` the normal
    forms of these.
    ``weak`` labels also announce other things. ``fallback`` are concepts whose value replaces one
    that the document does not state; ``side`` is the party that it belongs to;
    ``alike`` is a concept whose labels serve too.
    """

    name: str
    kind: str
    names: frozenset[str]
    spelled: tuple[str, ...]
    labels: dict[str, str]
    weak: frozenset[str] = frozenset()
    fallback: tuple[str, ...] = ()
    side: str | None = None
    range: str | None = None
    period: frozenset[str] = frozenset()
    alike: str | None = None


@cache
def entries(group: str) -> dict[str, Any]:
    """Return the entries of one file as they are written, labels with their spaces and macros."""
    return read_entries(_HERE / f"{group}.yaml")


@cache
def read_entries(path: Path) -> dict[str, Any]:
    """Return the entries of a YAML file, which is read once."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with path.open(encoding="utf-8") as file:
        data: dict[str, Any] = yaml.load(file, Loader=loader)
    return data


def words() -> dict[str, Any]:
    """Return the general words: macros, stop words, national habits, legal forms."""
    return entries("words")


@cache
def word_set(name: str, group: str = "words") -> frozenset[str]:
    """Return the normal forms of one list of a file: ``tenders``, ``legal_forms``, ``countries`` …"""
    return frozenset(key(str(form)) for form in entries(group)[name])


def _expand(label: str) -> list[str]:
    match = _MACRO.search(label)
    if match is None:
        return [key(label)]
    some = words()["macros"][match[1]]
    return [form for word in some for form in _expand(label.replace(match[0], str(word), 1))]


def _labels(by_language: dict[str, list[str]]) -> dict[str, str]:
    labels: dict[str, str] = {}
    for language, texts in by_language.items():
        for label in texts:
            for form in _expand(str(label)):
                if form:
                    labels.setdefault(form, language)
    return labels


@cache
def concepts(group: str) -> dict[str, Concept]:
    """Return the concepts of one file (``identifiers``, ``dates``, ``amounts``, ``parties``, ``columns``)."""
    by_name = {}
    for name, entry in entries(group).items():
        weak = _labels(entry.get("weak") or {})
        by_name[name] = Concept(
            name=name,
            kind=entry["kind"],
            names=frozenset(f for n in [*entry.get("names", ()), name.replace("_", " ")] for f in _expand(n)),
            spelled=tuple(n for n in entry.get("names", ()) if not _MACRO.search(n)),
            labels={**weak, **_labels(entry.get("labels") or {})},
            weak=frozenset(weak),
            fallback=tuple(entry.get("fallback", ())),
            side=entry.get("side"),
            range=entry.get("range"),
            alike=entry.get("alike"),
            period=frozenset(_labels(entry.get("period") or {})),
        )
    return by_name


@cache
def scalar_concepts() -> dict[str, Concept]:
    """Return all concepts that a scalar field can mean."""
    merged: dict[str, Concept] = {}
    for group in ("identifiers", "dates", "amounts", "parties"):
        merged.update(concepts(group))
    return merged


@cache
def concepts_by_label(*, with_periods: bool = False) -> dict[str, frozenset[str]]:
    """Return the names of the scalar concepts that each label, in its normal form, may announce.

    With ``with_periods``, the labels of a period may announce its ends.
    """
    by_label: dict[str, set[str]] = {}
    for concept in scalar_concepts().values():
        for form in (*concept.labels, *(concept.period if with_periods else ())):
            by_label.setdefault(form, set()).add(concept.name)
    return {form: frozenset(names) for form, names in by_label.items()}


def is_label(form: str) -> bool:
    """Return whether a normal form is a label of a scalar concept, or heads a column."""
    return form in concepts_by_label(with_periods=True) or form in _labels_of_columns()


@cache
def _labels_of_columns() -> frozenset[str]:
    return frozenset(form for concept in concepts("columns").values() for form in concept.labels)


@cache
def in_english() -> dict[str, tuple[str, ...]]:
    """Return the words of English labels, in normal form, by the labels in other scripts than Latin."""
    english: dict[str, tuple[str, ...]] = {}
    for group in ("identifiers", "dates", "amounts", "parties", "columns"):
        for name, concept in concepts(group).items():
            first = (entries(group)[name].get("labels") or {}).get("en", [name.replace("_", " ")])[0]
            spelled = tuple(map(key, _MACRO.sub("number", str(first)).split()))
            for form in concept.labels:
                if not form.isascii():
                    english.setdefault(form, spelled)
    for kind in entries("kinds")["kinds"].values():
        titles = (key(str(title)) for some in kind["titles"].values() for title in some)
        english.update((form, (key(kind["titles"]["en"][0]),)) for form in titles if not form.isascii())
    return english
