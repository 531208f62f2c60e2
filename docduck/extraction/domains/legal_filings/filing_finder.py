"""Finds the values of this domain's concepts in one document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from docduck.extraction.domains.legal_filings import cover_pages
from docduck.extraction.domains.legal_filings.court.caption import Caption
from docduck.extraction.domains.legal_filings.lexicon import words
from docduck.extraction.extractors.prose.lexicon import ProseConcept
from docduck.extraction.extractors.prose.prose_finder import ProseFinder
from docduck.extraction.extractors.prose.text.prose import Prose, ProseFinding
from docduck.extraction.extractors.prose.values import dates
from docduck.extraction.options import ExtractOptions
from docduck.fields import Field

_OF_COURTS = frozenset({"caption", "court", "judge", "case_number", "document_kind"})


class FilingFinder(ProseFinder):
    """Finds what the caption of a court document and the cover page of a filing state."""

    def __init__(self, prose: Prose, options: ExtractOptions) -> None:
        super().__init__(prose, options)
        self.caption = Caption(prose)

    @cached_property
    def _form(self) -> str | None:
        """The form named on the cover, in upper case."""
        return next((candidate.value.upper() for candidate in cover_pages.form_types(self.prose)), None)

    def is_on_form(self, form: str) -> bool:
        """Return whether a field that is only on ``form`` may be in this document."""
        return self._form is None or form in self._form

    def would_state(self, concept: ProseConcept) -> bool:
        """Return whether a document like this one would state the concept in a recognisable way."""
        of_kind = concept.finder not in _OF_COURTS or self.caption.is_court_document
        return super().would_state(concept) and of_kind

    def value_at(
        self, field: Field, concept: ProseConcept, start: int, end: int, weight: float
    ) -> Iterator[ProseFinding]:
        """Yield the value of the concept's kind that begins at ``start``; a court's name names a court."""
        for finding in super().value_at(field, concept, start, end, weight):
            if concept.finder != "court" or _names_court(finding.value):
                yield finding

    def candidates(self, field: Field, concept: ProseConcept) -> Iterator[ProseFinding]:
        """Yield what the concept's ``finder`` finds."""
        match concept.finder:
            case "filing_date" if self.caption.is_court_document:
                yield from dates.heading_dates(self.prose, self.locale, 0.72)
            case "case_number":
                yield from self.caption.numbers()
            case "court":
                yield from self.caption.court()
            case "judge":
                yield from self.caption.judges()
            case "document_kind":
                yield from self.caption.kinds()
            case "caption" if concept.role == "both":
                yield from self.caption.case_name()
            case "caption":
                first, second = self.caption.parties()
                party = {"first": first, "second": second}.get(concept.role)
                if party is not None:
                    yield party
            case "registrant":
                yield from cover_pages.registrants(self.prose, concept.captions)
            case "form_type":
                yield from cover_pages.form_types(self.prose)
            case "below":
                for start, end in cover_pages.above_captions(self.prose, concept.captions):
                    yield from self.value_at(field, concept, start, end, 0.85)


def _names_court(text: str) -> bool:
    return bool({re.sub(r"\W", "", word).casefold() for word in text.split()} & words("court_words"))
