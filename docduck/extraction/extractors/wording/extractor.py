"""The last extractor: fields that nothing else found, by what their words and those of the page mean."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from docduck.documents.document import Document
from docduck.extraction.confidence import Evidence
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.prose.meaning import role_of
from docduck.extraction.extractors.prose.text.prose import Prose
from docduck.extraction.extractors.wording import addresses, people, roles, vitae
from docduck.extraction.extractors.wording.pairs import Pair, pairs
from docduck.extraction.extractors.wording.sentences import Sentences
from docduck.extraction.extractors.wording.text_values import in_words, located
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.terms import QueryTerms, likeness, query_terms, range_terms, terms
from docduck.extraction.lexicon import entries
from docduck.extraction.normal_text import key
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import Locale, decide
from docduck.extraction.page.page_view import PageViews, locations, views_of
from docduck.extraction.result import Finding
from docduck.fields import FieldType

_ENOUGH = 0.62
_INLINE, _ASKED = 0.75, 0.45
"""Scores from which a pair answers, one whose label runs into its value, and a question of yes or no."""
_KNOWN = 0.9
"""The score from which a pair answers a field whose labels the lexicon knows, for none of them is printed."""
_PAGES = 12
_BARE = 0.5
"""The confidence of a date that is labelled just so."""
_RUNNING = 0.4
"""The share of running text from which a sentence may answer a field that has labels."""
_SENTENCE, _SAID = 0.5, 0.8
"""Scores from which a sentence answers a field, and one whose labels the lexicon knows."""


class WordingExtractor:
    """Finds values by fuzzy labels, sentences and addresses, with low confidence."""

    name = "wording"

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings for fields of all types but tables."""
        found = Findings()
        open_ = [query for query in queries if query.type is not FieldType.TABLE]
        if not open_ or not document.pages:
            return found
        view = views_of(document)
        locale = decide(view, options.locale)
        is_vitae = vitae.is_vitae(view)
        prose: Prose | None = None
        left: list[FieldQuery] = []
        for query in open_:
            finding = None
            role = role_of(query)
            if role:
                prose = prose or Prose(document)
                finding = roles.find(prose, role)
            if finding is None and is_vitae:
                finding = vitae.of_vitae(view, query)
            finding = finding or addresses.find(view, query)
            if finding is None:
                left.append(query)
            else:
                found.scalars[query.name] = finding
        found.scalars.update(_paired(view, left, locale))
        left = [query for query in left if query.name not in found.scalars]
        if left:
            sentences = Sentences(prose or Prose(document), locale)
            for query in left:
                if query.concept is not None and sentences.prose.share < _RUNNING:
                    continue
                finding = people.find(sentences, query)
                least = _SAID if query.concept is not None else _SENTENCE
                finding = finding or sentences.find(query, least) or _dated(view, query, locale)
                if finding is not None:
                    found.scalars[query.name] = finding
        return found


def _paired(view: PageViews, queries: Sequence[FieldQuery], locale: Locale) -> dict[str, Finding]:
    """Return values of labels whose words are those of a field; each place answers one field."""
    index: dict[int | str, list[Pair]] = defaultdict(list)
    for page in view.pages[:_PAGES]:
        for pair in pairs(page):
            for term in terms(pair.label):
                index[term.stem].append(pair)
                for group in term.groups:
                    index[group].append(pair)
    scored: list[tuple[float, int, FieldQuery, Pair, tuple[object, int, int]]] = []
    for query in queries:
        expected, known = query_terms(query), _known(query)
        ranged = [range_terms(query)] if query.type is FieldType.DATE else []
        for pair in _near(expected, index):
            score = max(likeness(one, pair.label) for one in (expected, *ranged)) * pair.weight
            least = _KNOWN if known else _INLINE if pair.inline else _ENOUGH
            if query.type is FieldType.BOOLEAN and pair.label.endswith("?"):
                least = _ASKED
            if score < least:
                continue
            read = in_words(query, " ".join(t.text for t in pair.value), locale)
            if read is not None:
                scored.append((score, len(scored), query, pair, read))
    scored.sort(key=lambda one: (-one[0], one[1]))
    found: dict[str, Finding] = {}
    taken: set[int] = set()
    for score, _, query, pair, (value, start, end) in scored:
        tokens = located(pair.value, start, end)
        if query.name in found or any(id(t) in taken for t in tokens):
            continue
        taken |= {id(t) for t in tokens}
        if isinstance(value, str) and query.type is FieldType.TEXT:
            value = value.strip(" :–-|_·•*,;")
        ocr = min(t.score for t in tokens)
        evidence = Evidence("pair", score, ocr=ocr, known=query.concept is not None)
        place = locations(tokens)
        found[query.name] = Finding(value, evidence.probability, place, pair.text, evidence=evidence)
    return found


def _known(query: FieldQuery) -> bool:
    """Whether the lexicon knows how documents label a field."""
    concept = query.concept
    return concept is not None and concept.kind != "party"


def _dated(view: PageViews, query: FieldQuery, locale: Locale) -> Finding | None:
    """Return the one date of a document that is labelled just "Date", for a field that asks when."""
    named = not _dates().isdisjoint(query.title.words)
    if (
        query.type is not FieldType.DATE
        or not named
        or _known(query)
        or any(t.groups & _ends() for t in query_terms(query).name)
    ):
        return None
    some = [
        p for page in view.pages[:1] for p in pairs(page) if key(p.label) in _dates() and p.weight > _INLINE
    ]
    read = [(p, value) for p in some if (value := in_words(query, " ".join(t.text for t in p.value), locale))]
    if len({value[0] for _, value in read}) != 1:
        return None
    pair, (value, start, end) = read[0]
    return Finding(value, _BARE, locations(located(pair.value, start, end)), pair.text)


@cache
def _dates() -> frozenset[str]:
    group = next(g for g in entries("meanings")["weak"] if "date" in g)
    return frozenset(key(str(word)) for word in group)


@cache
def _ends() -> frozenset[int]:
    """Return the groups of words that ask for another date than the document's own."""
    words = "start end birth expiry due next previous first"
    return frozenset(g for t in terms(words) for g in t.groups) | frozenset(
        g for t in terms("date of birth") for g in t.groups
    )


def _near(expected: QueryTerms, index: dict[int | str, list[Pair]]) -> list[Pair]:
    """Return the pairs whose label shares a term with the field, or may be its initials."""
    keys: set[int | str] = set()
    for term in expected.terms:
        keys.add(term.stem)
        keys |= term.groups
    keys.add(expected.initials.casefold())
    some = {id(pair): pair for one in keys if one in index for pair in index[one]}
    return list(some.values())
