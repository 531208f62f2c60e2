"""The label that fits a document best, by its title, words and examples, with a probability and a reason.

Evidence is added up in logarithms of odds: the document's title, phrases and labels usual in
its kind, the words of the label itself, and likeness to examples. That no label fits is one more
alternative. The weights are set by hand so that the winner's probability is about how often it is right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from docduck.documents.document import Document
from docduck.errors import InputError
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.lexicon import entries, words
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.triage.classify.classified_text import ClassifiedText, classified_text
from docduck.extraction.triage.classify.examples import similarities
from docduck.extraction.triage.classify.kinds import (
    Kind,
    closing_in,
    found_in,
    holds,
    kind_of,
    kinds,
    kinds_named,
    opening_in,
    plain,
    titles_in,
)
from docduck.extraction.triage.classify.labels import Classification, Label
from docduck.extraction.triage.classify.model_opinion import (
    needs_opinion,
    with_model_opinion,
    without_model,
)

_TITLE, _PHRASE, _CONCEPT, _OWN_NAME, _OWN_WORD = 5.0, 0.75, 0.45, 2.6, 0.8
_FORMAT = 5.0
_OPENING, _CLOSING = 2.0, 1.0
_PHRASE_UNTITLED = 1.5
"""For kinds without a title, such as letters."""
_MOST_PHRASES, _MOST_CONCEPTS, _MOST_OWN = 4, 4, 5
_LIKE, _UNLIKE = 9.0, 0.3
"""Likeness counts from ``_UNLIKE`` on; two texts of one language and no common matter are that alike."""
_CONTRAST, _FEW = 30.0, 2
"""Of likeness beyond that of the next label with examples; with ``_FEW`` examples it counts half."""
_NONE = 2.0
_INSTRUCTED = 0.8
"""Of the evidence for a kind that a label's instructions name."""
_AGAINST = 0.6
"""Of another kind's title, how much it speaks against a label."""
_SHORTEST_WORD = 4
_SHORT_TITLE = 3
_NARROWS, _NARROWER = 3, 1.5
"""Phrases that make a kind of the wider one, and what they count beyond themselves."""


@dataclass(slots=True)
class _Evidence:
    score: float = 0.0
    reasons: list[str] = field(default_factory=list)


def classify(
    document: Document,
    labels: Sequence[Label],
    instructions: str = "",
    model: ModelOptions | None = None,
    model_context: ModelContext | None = None,
    no_model: str = "",
) -> Classification:
    """Return which of ``labels`` the document is; ``model`` is asked as well where it may change that.

    ``instructions`` are about all labels. ``no_model`` is why there is no model that should help. Raise
    InputError when there are no labels.
    """
    if not labels:
        raise InputError("There are no labels to choose from", "labels")
    classification = _offline(document, labels)
    if not needs_opinion(classification):
        return classification
    if model is None:
        warnings = (without_model(no_model),) if no_model else ()
        return replace(classification, warnings=warnings)
    context = model_context or ModelContext()
    return with_model_opinion(classification, document, labels, instructions, model, context)


def _offline(document: Document, labels: Sequence[Label]) -> Classification:
    seen = classified_text(document)
    if not seen.text:
        return Classification(None, 0.9, "The document has no text.", {label.name: 0.0 for label in labels})
    titled = _titled_kinds(seen)
    named = [kind_of(label.name) for label in labels]
    evidence = [_of_label(label, kind, titled, seen) for label, kind in zip(labels, named, strict=True)]
    for label, kind, support in zip(labels, named, evidence, strict=True):
        _own_words(label, kind, seen, support)
    alike = similarities(document.text, [label.examples for label in labels])
    for label, like, support in zip(labels, alike, evidence, strict=True):
        if label.examples and like > _UNLIKE:
            support.score += _LIKE * (like - _UNLIKE)
            support.reasons.append(
                f"it reads like {'the example' if len(label.examples) == 1 else 'the examples'}"
            )
    _contrast(labels, alike, evidence)
    return _decide(labels, evidence)


def _contrast(labels: Sequence[Label], alike: Sequence[float], evidence: Sequence[_Evidence]) -> None:
    """Add how much more a document is like the examples of a label than like those of any other.

    Examples outweigh titles: a kind's documents may all carry the title of another kind.
    """
    indices = [index for index, label in enumerate(labels) if label.examples]
    for index in indices:
        others = [alike[other] for other in indices if other != index]
        if others:
            many = len(labels[index].examples)
            evidence[index].score += _CONTRAST * many / (many + _FEW) * (alike[index] - max(others))


def _titled_kinds(seen: ClassifiedText) -> dict[str, tuple[float, str]]:
    """Return for each kind how much a title names it, and the title; a longer title hides those inside it."""
    titled: dict[str, tuple[float, str]] = {}
    for title in seen.titles:
        hits = [(phrase, kind.name) for kind in kinds().values() for phrase in titles_in(title.text, kind)]
        for phrase, name in hits:
            if any(phrase != other and holds(other, phrase) for other, _ in hits):
                continue
            compounded = phrase not in kinds()[name].titles
            if compounded and any(phrase in kinds()[other].titles for _, other in hits):
                continue
            weight = title.weight * _share(title.text, phrase)
            if weight > titled.get(name, (0.0, ""))[0]:
                titled[name] = (weight, title.printed)
    return titled


def _share(title: str, phrase: str) -> float:
    """Return how much of a title a phrase is: all, or its beginning before a number, or something in it."""
    if title == phrase:
        return 1.0
    if title.startswith(f"{phrase} "):
        rest = title[len(phrase) :].split()
        return 0.9 if any(c.isdigit() for word in rest[:3] for c in word) or len(rest) == 1 else 0.6
    return 0.8 if title.endswith(f" {phrase}") and len(title.split()) <= _SHORT_TITLE else 0.35


def _of_label(
    label: Label, kind: Kind | None, titled: Mapping[str, tuple[float, str]], seen: ClassifiedText
) -> _Evidence:
    """Return the evidence for the kind of a label's name, or for one that its instructions name."""
    named = _of_kind(kind, titled, seen) if kind else _Evidence()
    others = [other for other in kinds_named(label.instructions) if other != kind]
    candidates = (_of_kind(kind, titled, seen) for kind in others)
    best = max(candidates, key=lambda evidence: evidence.score, default=_Evidence())
    best.score *= _INSTRUCTED
    return best if best.score > named.score else named


def _of_kind(kind: Kind, titled: Mapping[str, tuple[float, str]], seen: ClassifiedText) -> _Evidence:
    evidence = _Evidence()
    weight, title = titled.get(kind.name, (0.0, ""))
    rival = max((other for name, (other, _) in titled.items() if name != kind.name), default=0.0)
    evidence.score += _TITLE * (weight - _AGAINST * max(0.0, rival - weight))
    if weight:
        evidence.reasons.append(f"it is titled '{title}'")
    phrases = found_in(seen.text, kind.phrases)
    wider, title = max((titled[base] for base in kind.narrows if base in titled), default=(0.0, ""))
    if len(phrases) >= _NARROWS and wider > weight:
        evidence.score += _TITLE * (wider - weight) + _NARROWER
        evidence.score += max(_wording(kinds()[base], seen) for base in kind.narrows if base in titled)
        evidence.reasons = [f"it is titled '{title}'"]
    evidence.score += _wording(kind, seen)
    if seen.content_type in kind.formats:
        evidence.score += _FORMAT
        evidence.reasons.append(f"its file is of the type {seen.content_type}")
    if opening := opening_in(seen.short_lines, kind.openings):
        evidence.score += _OPENING
        evidence.reasons.append(f"it opens with '{opening.rstrip(',')}'")
    if closing_in(seen.short_lines, kind.closings):
        evidence.score += _CLOSING
    if phrases:
        evidence.reasons.append("it says " + ", ".join(f"'{phrase}'" for phrase in phrases[:3]))
    return evidence


def _wording(kind: Kind, seen: ClassifiedText) -> float:
    """Return the score of the phrases and labels that are usual in documents of a kind."""
    phrases = found_in(seen.text, kind.phrases)
    score = (_PHRASE if kind.titled else _PHRASE_UNTITLED) * min(len(phrases), _MOST_PHRASES)
    return score + _CONCEPT * min(len(kind.concepts & seen.concepts), _MOST_CONCEPTS)


def _own_words(label: Label, kind: Kind | None, seen: ClassifiedText, evidence: _Evidence) -> None:
    """Add the evidence of the label's own name and instructions, beyond the name of its kind."""
    name = plain(label.name)
    if kind is None:
        if any(holds(title.text, name) for title in seen.titles):
            evidence.score += _TITLE * 0.7
            evidence.reasons.append(f"its head says '{label.name}'")
        elif holds(seen.text, name):
            evidence.score += _OWN_NAME
            evidence.reasons.append(f"it says '{label.name}'")
    known = {word for known in (kind.names | kind.titles if kind else ()) for word in known.split()}
    own = {
        word
        for word in plain(f"{label.name} {label.instructions}").split()
        if len(word) >= _SHORTEST_WORD and word not in known and word not in _stop_words()
    }
    text = set(seen.text.split())
    said = sorted(word for word in own if word in text or word.rstrip("s") in text)
    evidence.score += _OWN_WORD * min(len(said), _MOST_OWN)
    if said and not (kind is None and holds(seen.text, name)):
        evidence.reasons.append("it mentions " + ", ".join(f"'{word}'" for word in said[:3]))


@cache
def _stop_words() -> frozenset[str]:
    table = [*words()["stop_words"].values(), entries("kinds")["general"]]
    return frozenset(plain(str(word)) for some in table for word in some)


def _decide(labels: Sequence[Label], evidence: Sequence[_Evidence]) -> Classification:
    highest = max(_NONE, *(support.score for support in evidence))
    odds = [math.exp(support.score - highest) for support in evidence]
    none = math.exp(_NONE - highest)
    total = sum(odds) + none
    scores = {label.name: round(odd / total, 4) for label, odd in zip(labels, odds, strict=True)}
    best = max(range(len(labels)), key=lambda index: odds[index])
    if none >= odds[best]:
        nearest = f"; '{labels[best].name}' comes nearest" if evidence[best].reasons else ""
        return Classification(None, min(0.99, none / total), f"None of the labels fits{nearest}.", scores)
    because = " and ".join(evidence[best].reasons) or "its words and labels are usual there"
    reason = f"It is '{labels[best].name}' because {because}."
    return Classification(labels[best].name, min(0.99, odds[best] / total), reason, scores)
