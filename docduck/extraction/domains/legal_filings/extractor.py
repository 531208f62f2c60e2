"""The extractor of court documents and filings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docduck.documents.document import Document
from docduck.extraction.domains.legal_filings.filing_finder import FilingFinder
from docduck.extraction.domains.legal_filings.lexicon import concept_of
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.prose import meaning
from docduck.extraction.extractors.prose.prose_finder import prose_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions
from docduck.fields import Field

_ONLY_ON = re.compile(
    r"\bon\s+(?:an?\s+)?(?P<form>[\w/-]*\d[\w/-]*|proxy)\s+(?:forms?|reports?|filings?|statements?)\b", re.I
)
"""A description that restricts a field to one form: "on 10-K forms"."""


class LegalFilingsExtractor:
    """Finds the fields that the lexicon of this domain knows: of a caption, a cover page, a report."""

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings for what the document states.

        ``absent`` are fields that it would state but doesn't, and those of other forms than this document's.
        """
        fields = [(query.field, concept_of(query), meaning.role_of(query)) for query in queries]
        known = [(field, concept, role) for field, concept, role in fields if concept is not None]
        restricted = [query for query in queries if _form_of(query.field) and _is_in_prose(query)]
        prose = prose_of(document) if known or restricted else None
        if prose is None:
            return Findings()
        finder = FilingFinder(prose, options)
        elsewhere = {query.name for query in restricted if not finder.is_on_form(_form_of(query.field))}
        findings = finder.find_all(field for field in known if field[0].name not in elsewhere)
        findings.absent |= elsewhere
        return findings


def _form_of(field: Field) -> str:
    """Return the form to which the field's description restricts it, in upper case; empty if to none."""
    restriction = _ONLY_ON.search(f"{field.description or ''}. {field.instructions or ''}")
    if restriction is None:
        return ""
    return "14A" if restriction["form"].casefold() == "proxy" else restriction["form"].upper()


def _is_in_prose(query: FieldQuery) -> bool:
    """Return whether running text may state the field."""
    return bool(concept_of(query) or meaning.concept_of(query) or meaning.role_of(query))
