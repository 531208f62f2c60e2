"""The prose extractor: finds fields in running text by sentences, captions and signatures."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.prose.meaning import concept_of, role_of
from docduck.extraction.extractors.prose.prose_finder import ProseFinder
from docduck.extraction.extractors.prose.text.prose import Prose
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions

_MIN_WORDS = 40
_MIN_PROSE_SHARE = 0.3
"""Minimum share of running text in a prose document."""


class ProseExtractor:
    """Finds the fields that the prose lexicon knows, if the text states them plainly."""

    name = "prose"

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings for what the text states; ``absent`` for what it would state but doesn't."""
        found = Findings()
        known = [(query.field, concept_of(query), role_of(query)) for query in queries]
        known = [one for one in known if one[1] is not None or one[2]]
        if not known or sum(len(line.words) for page in document.pages for line in page.lines) < _MIN_WORDS:
            return found
        prose = Prose(document)
        finder = ProseFinder(prose, options, is_prose=prose.share >= _MIN_PROSE_SHARE)
        for field, concept, role in known:
            if finder.is_stated_elsewhere(field):
                found.absent.add(field.name)
                continue
            finding = finder.find(field, concept, role)
            if finding is not None:
                found.scalars[field.name] = finding
            elif concept is not None and finder.would_state(concept):
                found.absent.add(field.name)
        return found
