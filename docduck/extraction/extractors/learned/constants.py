"""Constants: unprinted values that are the same on all documents of a layout.

Examples are a company shown only as a logo, and the currency of a foreign sender. A constant is established
when several corrected documents of a layout agree on it and none has another value. Identifiers, dates,
amounts and names of the other party differ between documents, so their fields have no constant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from docduck.extraction.extractors.layout.candidates.names import has_legal_form
from docduck.extraction.extractors.prose.meaning import concept_of, role_of
from docduck.extraction.extractors.prose.values.names import is_person
from docduck.extraction.fields.announcements import is_role
from docduck.extraction.fields.field_query import FieldQuery, query_of
from docduck.extraction.fields.issuers import is_issuer
from docduck.extraction.learned_layout import LearnedLayout, Mistake, field_identity
from docduck.extraction.lexicon import concepts, word_set
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.values import bank, contacts
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.identifiers import find_vat_ids, is_identifier
from docduck.extraction.values.numbers import parse_number
from docduck.fields import Field, FieldType

_MIN_DOCUMENTS = 2
"""Number of corrected documents that must agree."""
_MAX_CONFIDENCE = 0.7
_TYPES = (FieldType.TEXT, FieldType.CHOICE)
_VARYING = frozenset({
    "identifier", "iban", "bic", "vat", "phone", "mail", "web", "date", "time", "amount", "percent", "number",
})  # fmt: skip
"""Kinds of values that are identifiers or differ between documents."""
_CONSTANT_IN_PROSE = frozenset({"place", "kind"})
"""Kinds of values in running text that neither differ between documents nor name a party."""
_SIDE = "seller"
_CLAUSE = re.compile(r"[,;.(]")


@dataclass(frozen=True, slots=True)
class Constant:
    """An established constant.

    ``documents`` is the number of corrected documents that agree on it, ``document_id`` the first of them,
    ``mistakes`` the values read there instead.
    """

    value: Any
    documents: int
    mistakes: tuple[Mistake, ...]
    document_id: str | None

    @property
    def confidence(self) -> float:
        return min(_MAX_CONFIDENCE, self.documents / (self.documents + 1))

    def replaces(self, text: str, at: Sequence[Mistake]) -> bool:
        """Return whether a value is a mistake that people corrected to the constant.

        ``text`` is its normal form, ``at`` holds those of ``mistakes`` that were read at the same place. It
        is one if the same text was corrected before, or if the same place was corrected with different texts.
        """
        if any(mistake.text == text for mistake in self.mistakes):
            return True
        return len({mistake.text for mistake in at}) >= _MIN_DOCUMENTS


@lru_cache(maxsize=4096)
def may_have_constant(field: Field) -> bool:
    """Return whether, by its name and description, a field's value may be constant within a layout."""
    if field.type not in _TYPES:
        return False
    target = _as_text(field)
    if target.kind in _VARYING:
        return False
    if _is_of_issuer(field):
        return True
    if target.concept is not None and (target.concept.side or target.concept.kind in ("party", "address")):
        return False
    prose = concept_of(target)
    if (prose is not None and prose.kind not in _CONSTANT_IN_PROSE) or role_of(target):
        return False
    if target.for_name or target.kind == "address" or _names_party(field.name):
        return False
    return target.concept is not None or not _names_party(_CLAUSE.split(field.description or "")[0])


def established(field: Field, layouts: Sequence[LearnedLayout]) -> Constant | None:
    """Return the constant of a field in ``layouts``, all of one fingerprint; None if there is none.

    A different value, printed or not, or a cleared value rules a constant out.
    """
    if not may_have_constant(field):
        return None
    name = field_identity(field)
    learned = [layout for layout in layouts if name in layout.unprinted]
    counts = Counter(key(str(layout.unprinted[name])) for layout in learned)
    known = {key(str(layout.values[name])) for layout in layouts if name in layout.values}
    cleared = any(name in layout.mistakes and layout.mistakes[name].cleared for layout in layouts)
    if len(known) != 1 or not known >= counts.keys() or counts.total() < _MIN_DOCUMENTS or cleared:
        return None
    value = learned[0].unprinted[name]
    if _varies(field, str(value)) or (field.type is FieldType.CHOICE and value not in field.options):
        return None
    mistakes = tuple(layout.mistakes[name] for layout in learned if name in layout.mistakes)
    return Constant(value, counts.total(), mistakes, learned[0].document_id)


def _varies(field: Field, value: str) -> bool:
    """Return whether a value is an identifier, date, amount, or name of a party other than the issuer."""
    if any(find(value) for find in (bank.find_ibans, find_vat_ids, contacts.find_phones, find_dates)):
        return True
    if "@" in value or parse_number(value) is not None or is_identifier(value):
        return True
    return (has_legal_form(value) or is_person(value)) and not _is_of_issuer(field)


def _is_of_issuer(field: Field) -> bool:
    """Return whether a field asks for the issuer of the documents."""
    query = _as_text(field)
    concept = query.concept
    if concept is not None and concept.side is not None:
        return concept.side == _SIDE and not _names_party(field.name)
    return is_issuer(query)


def _as_text(field: Field) -> FieldQuery:
    return query_of(field.model_copy(update={"type": FieldType.TEXT, "options": ()}))


def _names_party(text: str) -> bool:
    """Return whether one of the words means a person, or a party other than the issuer."""
    forms = [form for form in map(key, words_of(text)) if form not in _issuer_words()]
    return any(is_role(form) or form in word_set("litigant_words", "asking") for form in forms)


@lru_cache(maxsize=1)
def _issuer_words() -> frozenset[str]:
    """Return the words that name the issuer of documents."""
    issuers = [concept for concept in concepts("parties").values() if concept.side == _SIDE]
    spelled = {key(word) for issuer in issuers for name in issuer.spelled for word in words_of(name)}
    return frozenset(spelled.union(*(issuer.labels for issuer in issuers)))
