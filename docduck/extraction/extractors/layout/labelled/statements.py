"""Answers to yes-or-no fields by sentences that affirm or deny what the field's name says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from docduck.extraction.extractors.layout.labelled.clauses import SHORTEST
from docduck.extraction.extractors.layout.labelled.sentences import SENTENCE_END
from docduck.extraction.extractors.layout.token_text import ocr_score, text_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.terms import Term, query_terms, terms
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import Token, locations, starts_of, tokens_at
from docduck.extraction.result import Finding

_AFFIRMED, _DENIED = 0.5, 0.7
_VERBS = frozenset({"is", "has", "are"})
_WORD = re.compile(r"\w+")
_OPPOSITE = re.compile(r"\bun(?=\w{4})", re.IGNORECASE)
"""What makes the opposite of a word: "unsecured"."""


def stated(query: FieldQuery, passages: Iterable[Sequence[Token]]) -> Finding | None:
    """Return whether the first sentence with all words of a field's name affirms; None without one."""
    terms = [t for t in query_terms(query).name if t.weight == 1.0 and t.word not in _VERBS]
    for tokens in passages if terms else ():
        text, starts = text_of(tokens), starts_of(tokens)
        for start, end in pairwise((0, *(m.end() for m in SENTENCE_END.finditer(text)), len(text))):
            value = _affirmed(terms, text[start:end])
            if value is not None:
                words = tokens_at(tokens, starts, start, end)
                sure = (_AFFIRMED if value else _DENIED) * ocr_score(words)
                return Finding(value, sure, locations(words), text_of(words))
    return None


def _affirmed(asked: Iterable[Term], sentence: str) -> bool | None:
    words = [key(word) for word in _WORD.findall(sentence)]
    if len(words) < SHORTEST:
        return None
    held, opposites = terms(sentence), terms(_OPPOSITE.sub("", sentence))
    known = [any(term.means(held_term) for held_term in held) for term in asked]
    if not all(said or any(t.means(o) for o in opposites) for t, said in zip(asked, known, strict=True)):
        return None
    denied = not word_set("negations", "meanings").isdisjoint(words)
    return denied != all(known)
