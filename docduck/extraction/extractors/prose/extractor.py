"""The prose engine: answers fields from running text, by what sentences, captions and signatures say."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.prose.meaning import concept_of, role_of
from docduck.extraction.extractors.prose.prose_finder import ProseFinder
from docduck.extraction.extractors.prose.text.prose import Prose
from docduck.extraction.options import ExtractOptions
from docduck.fields import Field

_LEAST_WORDS = 40
_SHARE = 0.3
"""The share of running text from which a document counts as prose."""


class ProseExtractor:
    """Answers the fields that the lexicon of prose knows, where the text says so plainly."""

    name = "prose"

    def find(self, document: Document, fields: Sequence[Field], options: ExtractOptions) -> Findings:
        """Return findings for what the text answers; ``absent`` for what it would state and does not."""
        found = Findings()
        known = [(field, concept_of(field), role_of(field)) for field in fields]
        known = [one for one in known if one[1] is not None or one[2]]
        if not known or sum(len(line.words) for page in document.pages for line in page.lines) < _LEAST_WORDS:
            return found
        prose = Prose(document)
        finder = ProseFinder(prose, options, running=prose.share >= _SHARE)
        for field, concept, role in known:
            if finder.elsewhere(field):
                found.absent.add(field.name)
                continue
            finding = finder.find(field, concept, role)
            if finding is not None:
                found.scalars[field.name] = finding
            elif concept is not None and finder.states(concept):
                found.absent.add(field.name)
        return found
