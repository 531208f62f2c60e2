"""The lexicon of court documents and filings: concepts of fields and the phrases that state them."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path

from docduck.extraction.extractors.prose import lexicon as prose_lexicon
from docduck.extraction.extractors.prose.lexicon import ProseConcept
from docduck.extraction.extractors.prose.meaning import nearest_concept
from docduck.extraction.fields.field_query import FieldQuery

_FILE = Path(__file__).with_name("lexicon.yaml")


words = partial(prose_lexicon.words, file=_FILE)
any_of = partial(prose_lexicon.any_of, file=_FILE)


@lru_cache(maxsize=4096)
def concept_of(query: FieldQuery) -> ProseConcept | None:
    """Return the concept that a field asks for, None if there is none near or one of all texts is nearer."""
    concept, likeness = nearest_concept(query, prose_lexicon.concepts(_FILE))
    _, likeness_in_prose = nearest_concept(query, prose_lexicon.concepts())
    return concept if likeness > likeness_in_prose else None
