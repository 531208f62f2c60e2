"""The lexicon of court documents and filings: concepts of fields and the phrases that state them."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from docduck.extraction.extractors.prose import lexicon as prose_lexicon
from docduck.extraction.extractors.prose.lexicon import ProseConcept
from docduck.extraction.extractors.prose.meaning import nearest_concept
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import read_entries

_FILE = Path(__file__).with_name("lexicon.yaml")


@cache
def words(name: str) -> frozenset[str]:
    """Return a list of words in lower case: ``court_words``, ``capacities``."""
    return prose_lexicon.word_list(read_entries(_FILE), name)


@cache
def any_of(name: str) -> str:
    """Return the alternatives of a list as one group of a pattern."""
    return prose_lexicon.alternatives(read_entries(_FILE), name)


@cache
def concepts() -> dict[str, ProseConcept]:
    """Return every concept by its name."""
    return prose_lexicon.concepts_of(read_entries(_FILE))


@lru_cache(maxsize=4096)
def concept_of(query: FieldQuery) -> ProseConcept | None:
    """Return the concept that a field asks for, None if there is none near or one of all texts is nearer."""
    concept, likeness = nearest_concept(query, concepts())
    _, likeness_in_prose = nearest_concept(query, prose_lexicon.concepts())
    return concept if likeness > likeness_in_prose else None
