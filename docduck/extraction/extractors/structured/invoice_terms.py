"""The term of the electronic invoice that a field asks for, by its name, labels and description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from docduck.documents.formats.einvoice.model import DATES, NUMBERS
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.phrases import Phrase
from docduck.extraction.lexicon import Concept, concepts, entries, scalar_concepts, word_set
from docduck.extraction.normal_text import key
from docduck.fields import NUMERIC, FieldType

_KINDS = {"date": ("date",), "number": ("amount", "percent", "number")}
"""The kinds of concepts whose values have a form."""
_MOST_WORDS = 7
"""Words in the name of a party's attribute, at most."""


def instead(term: str) -> Sequence[str]:
    """Return the terms that may replace ``term`` where it is not stated."""
    texts: Sequence[str] = entries("einvoice")["instead"].get(term, ())
    return texts


def codes(name: str) -> dict[str, str]:
    """Return a code list in words: ``invoice_type`` or ``payment_means``."""
    words: dict[str, str] = entries("einvoice")["codes"][name]
    return words


@lru_cache(maxsize=4096)
def term_of(query: FieldQuery) -> str | None:
    """Return the term that a scalar field asks for; None if invoices state nothing like it as data."""
    form = _form(query)
    pool = _scalar_names(form)
    for phrase in _phrases(query):
        term = pool.get(phrase.key)
        if term is None or (term in NUMBERS and form == "text"):
            party = _party_term(query, phrase) if form == "text" else None
            term = party or term or pool.get(_sorted(phrase.words))
        if term is not None:
            return _by_description(query, term) if phrase.text == query.name else term
    return None


@lru_cache(maxsize=4096)
def column_of(query: FieldQuery, table: str) -> str | None:
    """Return the term of a group's rows (``lines``, ``vat``, ``allowances``) that a column asks for."""
    pool = _column_names(table, _form(query))
    terms = (pool.get(phrase.key) or pool.get(_sorted(phrase.words)) for phrase in _phrases(query))
    return next((term for term in terms if term is not None), None)


def table_of(query: FieldQuery) -> str | None:
    """Return the repeating group that a table field asks for."""
    scores: dict[str, float] = {}
    for table, names in entries("einvoice")["tables"].items():
        known = sum(column_of(column, table) is not None for column in query.columns)
        named = query.title.key in {key(name) for name in names}
        if known and (named or known >= 2 or known == len(query.columns)):
            scores[table] = known / len(query.columns) + 0.5 * named
    return max(scores, key=lambda table: scores[table]) if scores else None


def _form(query: FieldQuery) -> str:
    if query.type is FieldType.DATE:
        return "date"
    if query.type in NUMERIC:
        return "number"
    return "boolean" if query.type is FieldType.BOOLEAN else "text"


def _fits(term: str, form: str) -> bool:
    if form == "date":
        return term in DATES
    if form == "number":
        return term in NUMBERS
    return form == "text"


def _phrases(query: FieldQuery) -> Iterator[Phrase]:
    """Yield what says the field's meaning: its description first where its name says too little."""
    described = query.description.clause
    generic = query.title.key in word_set("generic", "einvoice") or not any(
        len(word) > 2 for word in query.title.spelled
    )
    if generic and described.text:
        yield described
    yield query.title
    if described.text and not generic:
        yield described
    yield from query.labels


def _telling(words: Iterable[str]) -> list[str]:
    """Return the words that say something."""
    idle = word_set("fillers", "einvoice")
    return [word for word in words if word not in idle]


def _sorted(words: Iterable[str]) -> str:
    """Return the same for any order of words, without those that say nothing: ``name of the seller``."""
    return " ".join(sorted(_telling(words)))


def _put(pool: dict[str, str], name: str, term: str) -> None:
    phrase = Phrase.of(name)
    pool.setdefault(phrase.key, term)
    pool.setdefault(_sorted(phrase.words), term)


@cache
def _scalar_names(form: str) -> dict[str, str]:
    """Return the normal forms of names, each with the term that a field of a form of value means by it."""
    known = _terms_of(scalar_concepts().values(), form)
    if form in _KINDS:
        known = [(term, concept) for term, concept in known if concept.kind in _KINDS[form]]
    if form == "text":
        known.sort(key=lambda pair: pair[0] in NUMBERS or pair[0] in DATES)
    return _pool(entries("einvoice")["terms"], known, form, weak=False)


@cache
def _column_names(table: str, form: str) -> dict[str, str]:
    """Return the same for the columns of a repeating group."""
    known = _terms_of(concepts("columns").values(), form) if table == "lines" else []
    return _pool(entries("einvoice")["columns"][table], known, form, weak=True)


def _terms_of(concepts: Iterable[Concept], form: str) -> list[tuple[str, Concept]]:
    """Return the concepts that a form of value fits, each with its term."""
    renamed = entries("einvoice")["concepts"]
    pairs = ((renamed.get(concept.name, concept.name), concept) for concept in concepts)
    return [(term, concept) for term, concept in pairs if _fits(term, form)]


def _pool(
    own: dict[str, list[str]], known: Sequence[tuple[str, Concept]], form: str, *, weak: bool
) -> dict[str, str]:
    """Return terms by the names of terms, then of concepts, then by their labels; ``weak`` ones if wished."""
    pool: dict[str, str] = {}
    for term, names in own.items():
        if _fits(term, form):
            for name in [term.replace("_", " "), *names]:
                _put(pool, name, term)
    for term, concept in known:
        for name in [concept.name.replace("_", " "), *concept.spelled]:
            _put(pool, name, term)
    for term, concept in known:
        for label in concept.labels:
            if weak or label not in concept.weak:
                pool.setdefault(label, term)
    pool.pop("", None)
    return pool


@cache
def _party_forms() -> tuple[tuple[str, str], ...]:
    """Return the normal forms of what parties are called, longest first."""
    forms = [(key(name), party) for party, names in entries("einvoice")["parties"].items() for name in names]
    return tuple(sorted(forms, key=lambda pair: -len(pair[0])))


@cache
def _attribute_forms() -> dict[str, str]:
    forms: dict[str, str] = {}
    for attribute, names in entries("einvoice")["attributes"].items():
        for name in names:
            _put(forms, name, attribute)
    return forms


def _party_term(query: FieldQuery, phrase: Phrase) -> str | None:
    """Return a party's attribute: ``Name of the customer``, ``vendor_tax_id``, ``Lieferantenname``."""
    words = [word for word in phrase.words if word]
    if not words or len(words) > _MOST_WORDS:
        return None
    party, rest = _split_party(words)
    attribute = _attribute_forms().get(_sorted(rest))
    if attribute is None and rest:
        attribute = _attribute_forms().get("".join(_telling(rest)))
    if attribute is None or (party is None and not rest):
        return None
    if party is None:
        described = query.description.whole.words
        party = _split_party(described)[0] or "seller"
        if attribute in ("id", "name") and party == "seller" and not described:
            return None
    return f"{party}_{attribute}"


def _split_party(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the party that words name, and the words without it; a German compound is cut."""
    words = list(words)
    for form, party in _party_forms():
        for size in (2, 1):
            for at in range(len(words) - size + 1):
                if "".join(words[at : at + size]) in (form, f"{form}s"):
                    return party, words[:at] + words[at + size :]
    for form, party in _party_forms():
        for at, word in enumerate(words):
            if len(form) > 4 and word.startswith(form) and len(word) > len(form) + 2:
                rest = word[len(form) :]
                if rest in _attribute_forms() or rest[1:] in _attribute_forms():
                    rest = rest if rest in _attribute_forms() else rest[1:]
                    return party, [*words[:at], rest, *words[at + 1 :]]
    return None, words


def _by_description(query: FieldQuery, term: str) -> str:
    """Return the total that the description speaks of, where the name leaves open which one is meant."""
    if term != "grand_total" or query.title.key not in word_set("any_total", "einvoice"):
        return term
    words = query.description.whole.words
    if not word_set("exclusive").isdisjoint(words) and not word_set("tax_words").isdisjoint(words):
        return "net_total"
    return term if word_set("payable", "einvoice").isdisjoint(words) else "amount_due"
