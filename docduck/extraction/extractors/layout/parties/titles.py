"""The titles of documents, which name nobody."""

from __future__ import annotations

from functools import cache, lru_cache

from docduck.extraction.extractors.layout.candidates.names import has_legal_form
from docduck.extraction.fields.meanings import names_document
from docduck.extraction.lexicon import entries, scalar_concepts, word_set
from docduck.extraction.normal_text import key

_TITLE_WORDS = 4
"""Words of a title at most, numbers aside."""


@cache
def _document_titles() -> frozenset[str]:
    """Return the normal forms of document titles, such as "invoice"."""
    concepts = scalar_concepts()
    labels = (
        form
        for name in ("invoice_number", "order_number", "statement_number", "delivery_number")
        for form in concepts[name].labels
    )
    titles = (
        key(str(title))
        for kind in entries("kinds")["kinds"].values()
        for some in (kind["names"], *kind["titles"].values())
        for title in some
    )
    return frozenset((*labels, *titles))


@lru_cache(maxsize=8192)
def is_title(text: str) -> bool:
    """Return whether a text is a document's title: a known one, or one that begins or ends with it.

    Numbers don't count, and the word at the end can be a compound: "Lehrvertrag 2024".
    """
    words = [key(word) for word in text.split() if not word.isdigit()]
    known = _document_titles()
    if "".join(words) in known:
        return True
    if has_legal_form(text) or not 0 < len(words) <= _TITLE_WORDS:
        return False
    ends = ("".join(words[:1]), "".join(words[:2]), "".join(words[-1:]), "".join(words[-2:]))
    if not known.isdisjoint(ends) or words[-1].endswith(tuple(word_set("title_ends"))):
        return True
    return any(names_document(word) for word in (words[0], words[-1]))
