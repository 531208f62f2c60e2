"""What a field asks for in words: a name or any text, and the phrases that a form may print for it.

``tenant_name`` with the description "Name of the (main) tenant" is announced by "Name of tenant" and by
"Tenant", and answered under "What is the name of the main tenant?".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from docduck.extraction.lexicon import entries
from docduck.extraction.normal_text import key, words_of
from docduck.fields import Field, FieldType

_WHOLE, _NAMED, _BARE, _ALIKE, _HEAD = 0.97, 0.95, 0.85, 0.8, 0.78
_CLAUSE = re.compile(r"[,;.]|\s(?:that|which|who|whose|on|as|if|in|for|from|with)\s")
_BRACKETS = re.compile(r"\s*\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Asked:
    """``phrases`` that announce the field, each with its weight 0–1; ``words`` a question must contain.

    ``name`` tells that the answer names somebody, ``person`` that it names a person.
    """

    phrases: dict[str, float]
    words: frozenset[str]
    name: bool
    person: bool


@lru_cache(maxsize=1)
def _sets() -> dict[str, frozenset[str]]:
    lists = {name: some for name, some in entries("asking").items() if name != "synonyms"}
    return {name: frozenset(key(w) for w in some) for name, some in lists.items()}


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for group in entries("asking")["synonyms"]:
        forms = tuple(dict.fromkeys(key(word) for word in group))
        for form in forms:
            found.setdefault(form, forms)
    return found


def asking(name: str) -> frozenset[str]:
    """The normal forms of one list of the words that questions are made of."""
    return _sets()[name]


def is_role(form: str) -> bool:
    """Whether a normal form is what documents call a party or a person: "tenant", "Versicherungsnehmer"."""
    return form in _synonyms() or form in asking("party_words") or form in asking("person_words")


@lru_cache(maxsize=4096)
def asked(field: Field) -> Asked:
    """What ``field`` asks for, by its name and description."""
    words = [key(word) for word in words_of(field.name)]
    described = _CLAUSE.split(_BRACKETS.sub("", field.description or "").casefold())[0]
    says = [key(word) for word in words_of(described)]
    heads, people, parties = asking("name_words"), asking("person_words"), asking("party_words")
    last = words[-1] if words else ""
    name = field.type is FieldType.TEXT and (
        last in heads or bool(says[:3] and heads & set(says[:3])) or last in parties | people
    )
    rest = [w for w in words if w not in heads]
    phrases: dict[str, float] = {}
    if says and len(says) <= 6:
        phrases["".join(w for w in says if w not in asking("articles"))] = _WHOLE
        phrases.setdefault("".join(says), _WHOLE)
    if name and rest:
        noun = "".join(rest)
        for phrase in (f"nameof{noun}", f"nameofthe{noun}", f"{noun}name", f"{noun}sname", f"full{noun}name"):
            phrases.setdefault(phrase, _NAMED)
        if not set(rest) & people:
            phrases.setdefault(noun, _BARE)
    if name and (not rest or set(rest) & people):
        for phrase in ("name", "fullname", "nom", "nombre", "nome", "naam"):
            phrases.setdefault(phrase, _HEAD)
    if last in asking("address_words"):
        noun = "".join(words[:-1])
        for phrase in (f"addressof{noun}", f"addressofthe{noun}", f"nameandaddressof{noun}"):
            phrases.setdefault(phrase, _NAMED)
        phrases.setdefault(noun, _ALIKE)
        rest = words[:-1]
    for form in _synonyms().get("".join(rest), ()):
        phrases.setdefault(form, _ALIKE)
    phrases.pop("", None)
    content = frozenset(w for w in words if len(w) > 2)
    return Asked(phrases, content, name, name and bool(set(words) & people))
