"""Parties by what a contract calls them: the name before "the Tenant", „Arbeitnehmer“, « l'Employeur »."""

from __future__ import annotations

import re

from docduck.extraction.extractors.prose.text.prose import Prose, ProseFinding
from docduck.extraction.extractors.prose.values import names

_READ = 8000
_BACK = 260
_SURE = 0.7
_BOUNDARY = re.compile(
    r"[”\"»’)]\s*(?:genannt\s*)?[-–.,;)]|\b(?i:between|among|zwischen|entre|tra|fra|tussen|soussignés|ondergetekenden"
    r"|(?:de (?:una|otra) parte)|and|und|y|en)\b[\s:,]"
)
_CAPITAL = re.compile(r"\b[A-ZÀ-ÖØ-Þ]\w*")
_ARTICLE = r"(?:(?:the|der|die|das|le|la|el|il|de|het|o|a)\s+|l['’]\s?)?"
_CALLED = (
    r"(?:[(“\"„«‘']\s*|\b(?:called|referred to as|genannt|dénommée?|denominad[oa]|denominat[oa]|noemen"
    r"|adelante|seguito|als|as)\s+[“\"„«‘']?\s*)"
)


def called_party(prose: Prose, role: tuple[str, ...]) -> ProseFinding | None:
    """Return the party that the document calls by one of the words of ``role``."""
    some = "|".join(sorted((re.escape(word) for word in role), key=len, reverse=True))
    called = re.compile(rf"{_CALLED}{_ARTICLE}(?:{some})\b", re.IGNORECASE)
    names_before = (
        _name_before(prose, match.start()) for match in called.finditer(prose.flat, 0, min(len(prose), _READ))
    )
    return next((name for name in names_before if name is not None), None)


def _name_before(prose: Prose, position: int) -> ProseFinding | None:
    """Return the first name after the last boundary before ``position``, or after an earlier boundary."""
    floor = max(position - _BACK, 0)
    starts = [m.end() for m in _BOUNDARY.finditer(prose.text, floor, position)]
    for start in (*reversed(starts), floor):
        for begun in _CAPITAL.finditer(prose.text, start, position):
            match = names.match_name(prose.text, begun.start(), position)
            name = names.without_honorific(names.tidy(match[0])) if match else ""
            company = names.is_company(name) and not names.is_legal_form(name)
            if match and (company or names.is_person(name)) and not names.is_role(name):
                return ProseFinding(name, match.start(), match.end(), _SURE)
    return None
