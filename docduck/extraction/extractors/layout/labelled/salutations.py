"""Names without the words by which a letter addresses somebody: "Sayın", "Mevrouw", "Dña."."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.page.page_view import Token


def without_salutation(query: FieldQuery, tokens: Sequence[Token]) -> Sequence[Token]:
    """Return a name without its greeting, and without "Mr" if the field's description says so."""
    idle = word_set("greetings")
    if _asks_without(query):
        idle = (idle | word_set("salutations")) - word_set("titles")
    named = (at for at, token in enumerate(tokens) if token.key not in idle or _is_initial(at, token))
    count = next(named, 0)
    return tokens[count:]


def without_line_of_salutation(name: Sequence[Token]) -> Sequence[Token]:
    """Return a name without a salutation in a line of its own."""
    rest = [token for token in name if token.segment is not name[0].segment]
    alone = len(name) - len(rest) == 1 and name[0].key in word_set("salutations")
    return rest if alone and rest else name


def _is_initial(at: int, token: Token) -> bool:
    """Return whether a letter behind a salutation is that of a first name: "De heer M. Jansen"."""
    return at > 0 and len(token.key) == 1


def _asks_without(query: FieldQuery) -> bool:
    """Return whether a description says that a salutation is left out."""
    words = {key(word) for word in words_of(query.description.text)}
    named = word_set("salutation_names") | word_set("salutations")
    return not words.isdisjoint(word_set("exclusive")) and not words.isdisjoint(named)
