"""The phrases that a form may print to announce a field, by its name and description.

``tenant_name`` with the description "Name of the (main) tenant" is announced by "Name of tenant" and by
"Tenant", and answered under "What is the name of the main tenant?".
"""

from __future__ import annotations

from functools import cache

from docduck.extraction.fields.phrases import Description, Phrase
from docduck.extraction.lexicon import entries, word_set
from docduck.extraction.normal_text import key
from docduck.fields import FieldType

_WHOLE, _NAMED, _BARE, _ALIKE, _HEAD = 0.97, 0.95, 0.85, 0.8, 0.78
_MOST_WORDS = 6
"""Words of a description that a form may print as a whole, at most."""


@cache
def _synonyms() -> dict[str, tuple[str, ...]]:
    synonyms: dict[str, tuple[str, ...]] = {}
    for group in entries("asking")["synonyms"]:
        forms = tuple(dict.fromkeys(key(word) for word in group))
        for form in forms:
            synonyms.setdefault(form, forms)
    return synonyms


def is_role(form: str) -> bool:
    """Whether a normal form is what documents call a party or a person: "tenant", "Versicherungsnehmer"."""
    return form in _synonyms() or form in word_set("party_words", "asking") | word_set(
        "person_words", "asking"
    )


def asks_for_name(type_: FieldType, title: Phrase, description: Description) -> bool:
    """Whether the value of a field names somebody."""
    heads = word_set("name_words", "asking")
    last = title.words[-1] if title.words else ""
    return type_ is FieldType.TEXT and (
        last in heads
        or not heads.isdisjoint(description.noun_phrase.words[:3])
        or last in word_set("party_words", "asking") | word_set("person_words", "asking")
    )


def announcements(title: Phrase, description: Description, name: bool) -> dict[str, float]:
    """Return the normal forms of the phrases that announce a field, each with its weight 0–1.

    ``name`` is whether the field asks for a name.
    """
    words, described = title.words, description.noun_phrase.words
    people = word_set("person_words", "asking")
    rest = [word for word in words if word not in word_set("name_words", "asking")]
    weights: dict[str, float] = {}
    if described and len(described) <= _MOST_WORDS:
        weights["".join(word for word in described if word not in word_set("articles", "asking"))] = _WHOLE
        weights.setdefault("".join(described), _WHOLE)
    if name and rest:
        noun = "".join(rest)
        for form in (f"nameof{noun}", f"nameofthe{noun}", f"{noun}name", f"{noun}sname", f"full{noun}name"):
            weights.setdefault(form, _NAMED)
        if people.isdisjoint(rest):
            weights.setdefault(noun, _BARE)
    if name and (not rest or not people.isdisjoint(rest)):
        for form in ("name", "fullname", "nom", "nombre", "nome", "naam"):
            weights.setdefault(form, _HEAD)
    if words and words[-1] in word_set("address_words", "asking"):
        rest = list(words[:-1])
        noun = "".join(rest)
        for form in (f"addressof{noun}", f"addressofthe{noun}", f"nameandaddressof{noun}"):
            weights.setdefault(form, _NAMED)
        weights.setdefault(noun, _ALIKE)
    for form in _synonyms().get("".join(rest), ()):
        weights.setdefault(form, _ALIKE)
    weights.pop("", None)
    return weights
