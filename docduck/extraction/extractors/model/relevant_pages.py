"""The pages of a long document that a model is shown: those with the words of the fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

from docduck.documents.document import Page
from docduck.extraction.extractors.model.windows import tokens_of
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.normal_text import key, words_of
from docduck.fields import Field, FieldType


def relevant_pages(pages: Sequence[Page], fields: Sequence[Field], room: int) -> Sequence[Page]:
    """Return the pages to read for ``fields``, in order: at most ``room`` tokens of those with their words.

    All pages, if they fit, if none has such words, or if a table is asked for: its rows may be on any page.
    Words that are on many pages count less.
    """
    texts = [page.text for page in pages]
    sizes = [tokens_of(text) for text in texts]
    if sum(sizes) <= room or any(field.type is FieldType.TABLE for field in fields):
        return pages
    wanted = Counter(word for field in fields for word in _words(field))
    held = [wanted.keys() & {key(word) for word in words_of(text)} for text in texts]
    pages_with = Counter(word for words in held for word in words)
    scores = [sum(wanted[word] * log(len(pages) / pages_with[word]) for word in words) for words in held]
    chosen: list[int] = []
    for index in sorted(range(len(pages)), key=lambda index: (-scores[index], index)):
        if scores[index] and sizes[index] <= room:
            chosen.append(index)
            room -= sizes[index]
    return [pages[index] for index in sorted(chosen)] or pages


def _words(field: Field) -> frozenset[str]:
    query = query_of(field)
    return query.words.union(*(label.words for label in query.labels))
