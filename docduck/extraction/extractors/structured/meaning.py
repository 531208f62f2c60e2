"""What a field asks of an electronic invoice: from names and descriptions to the model's terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml

from docduck.documents.formats.einvoice.model import DATES, NUMBERS
from docduck.extraction.lexicon import concepts, scalar_concepts, word_set
from docduck.extraction.normal_text import key, words_of
from docduck.fields import Field, FieldType

_NUMERIC = (FieldType.NUMBER, FieldType.CURRENCY)
_FILLERS = frozenset({"the", "of", "a", "an", "to", "for", "de", "du", "des", "la", "le", "del", "der", "die",
                      "das", "dem", "di", "van", "het", "do", "da", "invoice", "s"})  # fmt: skip
_GENERIC = frozenset({"name", "number", "date", "total", "amount", "address", "vat", "tax", "email", "phone",
                      "country", "city", "street", "id", "code", "reference", "value", "sum", "text",
                      "price", "nummer", "datum", "betrag", "nom", "montant", "nombre", "importe",
                      "fecha"})  # fmt: skip
_CLAUSE = re.compile(r"[;,(]| for example| if | such as|\. |\.$| or ")


@cache
def _data() -> dict[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with (Path(__file__).parent / "terms.yaml").open(encoding="utf-8") as file:
        data: dict[str, Any] = yaml.load(file, Loader=loader)
    return data


def instead(term: str) -> Sequence[str]:
    """The terms that stand in where ``term`` is not stated."""
    found: Sequence[str] = _data()["instead"].get(term, ())
    return found


def codes(name: str) -> dict[str, str]:
    """A code list in words: ``invoice_type`` or ``payment_means``."""
    found: dict[str, str] = _data()["codes"][name]
    return found


@lru_cache(maxsize=4096)
def term_of(field: Field) -> str | None:
    """The term that a scalar field asks for; None when it asks for nothing that invoices state as data."""
    pool = _scalar_names(_form(field))
    for text in _texts(field):
        term = pool.get(key(text))
        if term is None or (term in NUMBERS and _form(field) == "text"):
            term = _party_term(field, text) or term or pool.get(_sorted_key(text))
        if term is not None:
            return _by_description(field, term) if text == field.name else term
    return None


@lru_cache(maxsize=4096)
def column_of(field: Field, table: str) -> str | None:
    """The term of a group's rows (``lines``, ``vat``, ``allowances``) that a column asks for."""
    pool = _column_names(table, _form(field))
    for text in _texts(field):
        term = pool.get(key(text)) or pool.get(_sorted_key(text))
        if term is not None:
            return term
    return None


def table_of(field: Field) -> str | None:
    """The repeating group that a table field asks for."""
    wanted = key(field.name)
    counts: dict[str, float] = {}
    for table, names in _data()["tables"].items():
        known = sum(column_of(column, table) is not None for column in field.columns)
        named = wanted in {key(name) for name in names}
        if known and (named or known >= 2 or known == len(field.columns)):
            counts[table] = known / len(field.columns) + 0.5 * named
    return max(counts, key=lambda table: counts[table]) if counts else None


def _form(field: Field) -> str:
    if field.type is FieldType.DATE:
        return "date"
    if field.type in _NUMERIC:
        return "number"
    return "boolean" if field.type is FieldType.BOOLEAN else "text"


def _fits(term: str, form: str) -> bool:
    if form == "date":
        return term in DATES
    if form == "number":
        return term in NUMBERS
    return form == "text"


def _texts(field: Field) -> Iterator[str]:
    """What says the field's meaning: its description first where its name says too little."""
    described = _CLAUSE.split(field.description or "", maxsplit=1)[0].strip()
    generic = key(field.name) in _GENERIC or not any(len(word) > 2 for word in words_of(field.name))
    if generic and described:
        yield described
    yield field.name
    if described and not generic:
        yield described
    yield from field.labels


def _sorted_key(text: str) -> str:
    """The same for any order of words, and without those that say nothing: ``name of the seller``."""
    return " ".join(sorted(word for w in words_of(text) if (word := key(w)) and word not in _FILLERS))


def _put(pool: dict[str, str], name: str, term: str) -> None:
    pool.setdefault(key(name), term)
    pool.setdefault(_sorted_key(name), term)


@cache
def _scalar_names(form: str) -> dict[str, str]:
    """The normal forms of names, each with the term that a field of a form of value means by it."""
    pool: dict[str, str] = {}
    renamed = _data()["concepts"]
    own = [(term, names) for term, names in _data()["terms"].items() if _fits(term, form)]
    known = [
        (renamed.get(c.name, c.name), c) for c in scalar_concepts().values()
        if _fits(renamed.get(c.name, c.name), form)
        and c.kind in {"date": ("date",), "number": ("amount", "percent", "number")}.get(form, (c.kind,))
    ]  # fmt: skip
    if form == "text":
        known.sort(key=lambda pair: pair[0] in NUMBERS or pair[0] in DATES)
    for term, names in own:
        for name in [term.replace("_", " "), *names]:
            _put(pool, name, term)
    for term, concept in known:
        for name in [concept.name.replace("_", " "), *concept.spelled]:
            _put(pool, name, term)
    for term, concept in known:
        for label in concept.labels:
            if label not in concept.weak:
                pool.setdefault(label, term)
    pool.pop("", None)
    return pool


@cache
def _column_names(table: str, form: str) -> dict[str, str]:
    pool: dict[str, str] = {}
    for term, names in _data()["columns"][table].items():
        if _fits(term, form):
            for name in [term.replace("_", " "), *names]:
                _put(pool, name, term)
    if table == "lines":
        renamed = _data()["concepts"]
        found = [(renamed.get(c.name, c.name), c) for c in concepts("columns").values()]
        for term, concept in found:
            if _fits(term, form):
                for name in [concept.name.replace("_", " "), *concept.spelled]:
                    _put(pool, name, term)
        for term, concept in found:
            if _fits(term, form):
                for label in concept.labels:
                    pool.setdefault(label, term)
    pool.pop("", None)
    return pool


@cache
def _party_forms() -> tuple[tuple[str, str], ...]:
    """Normal forms of what parties are called, longest first."""
    forms = [(key(name), party) for party, names in _data()["parties"].items() for name in names]
    return tuple(sorted(forms, key=lambda pair: -len(pair[0])))


@cache
def _attribute_forms() -> dict[str, str]:
    forms: dict[str, str] = {}
    for attribute, names in _data()["attributes"].items():
        for name in names:
            forms.setdefault(_sorted_key(name), attribute)
            forms.setdefault(key(name), attribute)
    return forms


def _party_term(field: Field, text: str) -> str | None:
    """A party's attribute: ``Name of the customer``, ``vendor_tax_id``, ``Lieferantenname``."""
    if _form(field) != "text":
        return None
    words = [word for w in words_of(text) if (word := key(w))]
    if not words or len(words) > 7:
        return None
    party, rest = _split_party(words)
    attribute = _attribute_forms().get(_sorted_key(" ".join(rest)))
    if attribute is None and rest:
        attribute = _attribute_forms().get("".join(w for w in rest if w not in _FILLERS))
    if attribute is None or (party is None and not rest):
        return None
    if party is None:
        described = [key(w) for w in words_of(field.description or "")]
        party = _split_party(described)[0] or "seller"
        if attribute in ("id", "name") and party == "seller" and not described:
            return None
    return f"{party}_{attribute}"


def _split_party(words: list[str]) -> tuple[str | None, list[str]]:
    """The party that words name, and the words without it; a German compound is cut."""
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


def _by_description(field: Field, term: str) -> str:
    """A total whose name leaves open which one is meant is settled by what the description says of tax."""
    if term != "grand_total" or key(field.name) not in (
        "total",
        "amount",
        "totalamount",
        "sum",
        "summe",
        "betrag",
    ):
        return term
    words = {key(w) for w in words_of(field.description or "")}
    if words & word_set("exclusive") and words & word_set("tax_words"):
        return "net_total"
    return "amount_due" if words & {"due", "payable", "pay", "outstanding"} else term
