"""Parties by what a contract calls them: the name before "the Tenant", „Arbeitnehmer“, « l'Employeur »."""

from __future__ import annotations

import re

from docduck.extraction.extractors.prose.text.prose import Prose
from docduck.extraction.extractors.prose.values import names
from docduck.extraction.result import Finding

_READ = 8000
_BACK = 260
_SURE = 0.7
_BOUNDARY = re.compile(
    r"[”\"»’)]\s*(?:genannt\s*)?[-–.,;)]|\b(?i:between|among|zwischen|entre|tra|fra|tussen|soussignés|ondergetekenden"
    r"|(?:de (?:una|otra) parte)|and|und|y|en)\b[\s:,]"
)
_ARTICLE = r"(?:(?:the|der|die|das|le|la|el|il|de|het|o|a)\s+|l['’]\s?)?"
_CALLED = (
    r"(?:[(“\"„«‘']\s*|\b(?:called|referred to as|genannt|dénommée?|denominad[oa]|denominat[oa]|noemen"
    r"|adelante|seguito|als|as)\s+[“\"„«‘']?\s*)"
)


def find(prose: Prose, role: tuple[str, ...]) -> Finding | None:
    """Return the party that the document calls by one of the words of ``role``."""
    some = "|".join(sorted((re.escape(word) for word in role), key=len, reverse=True))
    called = re.compile(rf"{_CALLED}{_ARTICLE}(?:{some})\b", re.IGNORECASE)
    for match in called.finditer(prose.flat, 0, min(len(prose), _READ)):
        found = _before(prose, match.start())
        if found is not None:
            name, start, end = found
            sure = _SURE * prose.ocr_score(start, end)
            return Finding(name, sure, prose.locations(start, end), " ".join(prose.flat[start:end].split()))
    return None


def _before(prose: Prose, position: int) -> tuple[str, int, int] | None:
    """Return the first name after the last boundary before ``position``, or after an earlier boundary."""
    floor = max(position - _BACK, 0)
    starts = [m.end() for m in _BOUNDARY.finditer(prose.text, floor, position)]
    for start in (*reversed(starts), floor):
        at = start
        while at < position:
            char = prose.text[at]
            if char.isupper() and (not at or not prose.text[at - 1].isalnum()):
                match = names.match_name(prose.text, at, position)
                if match is not None:
                    name = names.without_honorific(names.tidy(match[0]))
                    company = names.is_company(name) and not names.is_legal_form(name)
                    if (company or names.is_person(name)) and not names.is_role(name):
                        return name, match.start(), match.end()
                while at < position and prose.text[at].isalnum():
                    at += 1
            at += 1
    return None
