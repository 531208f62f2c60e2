"""The last extractor: fields that nothing else found, by what their words and those of the text mean."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.prose.meaning import role_of
from docduck.extraction.extractors.prose.text.prose import Prose
from docduck.extraction.extractors.wording import addresses, people, roles, vitae
from docduck.extraction.extractors.wording.sentences import Sentences
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import decide
from docduck.extraction.page.page_view import views_of
from docduck.fields import FieldType

_RUNNING = 0.4
"""The share of running text from which a sentence may answer a field that has labels."""
_SENTENCE, _SAID = 0.5, 0.8
"""Scores from which a sentence answers a field, and one whose labels the lexicon knows."""


class WordingExtractor:
    """Finds values in sentences, addresses and curricula vitae, with low confidence."""

    name = "wording"

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings for fields of all types but tables."""
        found = Findings()
        open_ = [query for query in queries if query.type is not FieldType.TABLE]
        if not open_ or not document.pages:
            return found
        view = views_of(document)
        locale = decide(view, options.locale)
        is_vitae = vitae.is_vitae(view)
        prose: Prose | None = None
        left: list[FieldQuery] = []
        for query in open_:
            finding = None
            role = role_of(query)
            if role:
                prose = prose or Prose(document)
                finding = roles.find(prose, role)
            if finding is None and is_vitae:
                finding = vitae.of_vitae(view, query)
            finding = finding or addresses.find(view, query)
            if finding is None:
                left.append(query)
            else:
                found.scalars[query.name] = finding
        if left:
            sentences = Sentences(prose or Prose(document), locale)
            for query in left:
                if query.concept is not None and sentences.prose.share < _RUNNING:
                    continue
                finding = people.find(sentences, query)
                least = _SAID if query.concept is not None else _SENTENCE
                finding = finding or sentences.find(query, least)
                if finding is not None:
                    found.scalars[query.name] = finding
        return found
