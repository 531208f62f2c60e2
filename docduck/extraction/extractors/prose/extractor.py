"""The prose extractor: finds fields in running text by sentences, labels and signatures."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.prose.meaning import concept_of, role_of
from docduck.extraction.extractors.prose.prose_finder import ProseFinder, prose_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions


class ProseExtractor:
    """Finds the fields that the prose lexicon knows, if the text states them plainly."""

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings for what the text states; ``absent`` for what it would state but doesn't."""
        fields = [(query.field, concept_of(query), role_of(query)) for query in queries]
        fields = [(field, concept, role) for field, concept, role in fields if concept is not None or role]
        prose = prose_of(document) if fields else None
        return Findings() if prose is None else ProseFinder(prose, options).find_all(fields)
