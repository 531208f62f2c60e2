"""Constants: values that no words show and that are the same on all documents of a look.

A firm shown only as a logo and the currency of a foreign sender are such values. A constant is established
when several corrected documents of a look agree on it and none has another value. Values that identify a
document, dates, amounts and whatever names the other party differ from document to document, so fields that
ask for them have no constant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from docduck.extraction.extractors.layout.candidates.names import has_legal_form
from docduck.extraction.extractors.learned.field_identity import field_identity
from docduck.extraction.extractors.prose.meaning import concept_of, role_of
from docduck.extraction.extractors.prose.values.names import is_person
from docduck.extraction.extractors.wording.issuer import issuer_words
from docduck.extraction.fields.field_targets import target_of
from docduck.extraction.fields.field_words import asked, is_role
from docduck.extraction.learned_layout import LearnedLayout, Mistake
from docduck.extraction.lexicon import concepts
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.values import bank, contacts, vat
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.identifiers import is_identifier
from docduck.extraction.values.numbers import parse_number
from docduck.fields import Field, FieldType

LEAST_DOCUMENTS = 2
"""Corrected documents that must agree."""
MOST_CONFIDENCE = 0.7
_TYPES = (FieldType.TEXT, FieldType.CHOICE)
_VARYING = frozenset({
    "identifier", "iban", "bic", "vat", "phone", "mail", "web", "date", "time", "amount", "percent", "number",
})  # fmt: skip
"""Kinds of values that identify something, or differ from document to document."""
_STEADY_IN_PROSE = frozenset({"place", "kind"})
"""Kinds of values in running text that neither vary nor name anybody."""
_SIDE = "seller"
_CLAUSE = re.compile(r"[,;.(]")


@dataclass(frozen=True, slots=True)
class Constant:
    """An established constant.

    ``documents`` is how many corrected ones agree on it, ``mistakes`` what had been read in them instead.
    """

    value: Any
    documents: int
    mistakes: tuple[Mistake, ...]

    @property
    def confidence(self) -> float:
        return min(MOST_CONFIDENCE, self.documents / (self.documents + 1))

    def replaces(self, text: str, at: Sequence[Mistake]) -> bool:
        """Return whether a reading is the mistake that people corrected to the constant.

        ``text`` is its normal form, ``at`` those of ``mistakes`` whose place it is read from. It is, if the
        same text was corrected before, or the same place was although it showed another text each time.
        """
        if any(one.text == text for one in self.mistakes):
            return True
        return len({one.text for one in at}) >= LEAST_DOCUMENTS


@lru_cache(maxsize=4096)
def may_have_constant(field: Field) -> bool:
    """Return whether a field asks for nothing that varies within a look, as far as its name and description tell."""
    if field.type not in _TYPES:
        return False
    as_text = field.model_copy(update={"type": FieldType.TEXT, "options": ()})
    target = target_of(as_text)
    if target.kind in _VARYING:
        return False
    if _is_of_issuer(as_text):
        return True
    if target.concept is not None and (target.concept.side or target.concept.kind in ("party", "address")):
        return False
    prose = concept_of(as_text)
    if (prose is not None and prose.kind not in _STEADY_IN_PROSE) or role_of(as_text):
        return False
    if asked(as_text).name or target.kind == "address" or _names_party(field.name):
        return False
    return target.concept is not None or not _names_party(_CLAUSE.split(field.description or "")[0])


def established(field: Field, lessons: Sequence[LearnedLayout]) -> Constant | None:
    """Return the constant that ``lessons``, all of one look, have for a field; None if they have none.

    A lesson contradicts with another value, printed or not, and with a value that a person cleared.
    """
    if not may_have_constant(field):
        return None
    name = field_identity(field)
    given = [one for one in lessons if name in one.unprinted]
    counts = Counter(key(str(one.unprinted[name])) for one in given)
    known = {key(str(one.values[name])) for one in lessons if name in one.values}
    cleared = any(name in one.mistakes and one.mistakes[name].cleared for one in lessons)
    if len(known) != 1 or not known >= counts.keys() or counts.total() < LEAST_DOCUMENTS or cleared:
        return None
    value = given[0].unprinted[name]
    if _varies(field, str(value)) or (field.type is FieldType.CHOICE and value not in field.options):
        return None
    mistakes = tuple(one.mistakes[name] for one in given if name in one.mistakes)
    return Constant(value, counts.total(), mistakes)


def _varies(field: Field, value: str) -> bool:
    """Return whether a value identifies something, has a date, is an amount, or names a party but the issuer."""
    if any(find(value) for find in (bank.find_ibans, vat.find_vat_ids, contacts.find_phones, find_dates)):
        return True
    if "@" in value or parse_number(value) is not None or is_identifier(value):
        return True
    return (has_legal_form(value) or is_person(value)) and not _is_of_issuer(field)


def _is_of_issuer(field: Field) -> bool:
    """Return whether a field asks for the party that issues the documents."""
    as_text = field.model_copy(update={"type": FieldType.TEXT, "options": ()})
    concept = target_of(as_text).concept
    if concept is not None and concept.side is not None:
        return concept.side == _SIDE and not _names_party(field.name)
    return issuer_words(as_text) is not None


def _names_party(text: str) -> bool:
    """Return whether one of the words means a person, or a party that does not issue the document."""
    return any(is_role(form) and form not in _issuing() for form in map(key, words_of(text)))


@lru_cache(maxsize=1)
def _issuing() -> frozenset[str]:
    """Return the words that name the party which issues documents."""
    mine = [one for one in concepts("parties").values() if one.side == _SIDE]
    spelled = {key(word) for one in mine for name in one.spelled for word in words_of(name)}
    return frozenset(spelled.union(*(one.labels for one in mine)))
