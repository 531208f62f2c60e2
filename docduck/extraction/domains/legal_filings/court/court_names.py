"""The name of a court: which lines it takes, and how they are joined."""

from __future__ import annotations

import re

from docduck.extraction.domains.legal_filings import lexicon
from docduck.extraction.extractors.prose.text.prose import Prose, ProseFinding

CaptionLines = list[tuple[int, str]]
"""The first lines of a document: the index of each line, and its text."""

_SEARCHED_LINES = 70
"""Number of lines searched for the court."""
_MAX_LINES = 5
_JOINS = re.compile(r"^(?:for|of|in|within|and|from)\b", re.IGNORECASE)
_DIVISION = re.compile(
    r"\b(?:district|division|circuit|county|department|state of|term|panel|chamber|senat|kammer|appellate)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(r"(?:IN THE|In the|in the|UNITED STATES|United States|SUPREME|SUPERIOR|IN)")
_NOT_COURT = re.compile(r"clerk|rules? of|appeal from|filed|no\.", re.IGNORECASE)
_PARTY = re.compile(
    r"\bclerk\b|^no\b|^in re\b|plaintiff|appell(?:ant|ee)|petitioner|respond|defend"
    r"|(?:^|\s)(?:v\.?|vs\.?|against|gegen)(?:\s|$)",
    re.IGNORECASE,
)


def court_lines(lines: CaptionLines) -> tuple[int, int] | None:
    """Return the span in ``lines`` of the court's name, None if there is none."""
    for position, (_, text) in enumerate(lines[:_SEARCHED_LINES]):
        if not is_court(text):
            continue
        first, last = position, position + 1
        while first and _LEADS.fullmatch(lines[first - 1][1]) and not is_court(lines[first - 1][1]):
            first -= 1
        while last < len(lines) and last - position < _MAX_LINES and _continues(lines[last][1]):
            last += 1
        return first, last
    return None


def is_court(text: str) -> bool:
    """Return whether a line names a court."""
    words = [word.strip(".,:;()[]*").casefold() for word in text.split()]
    if len(words) == 1 and words[0].endswith(("gericht", "gerichtshof")) and text[:1].isupper():
        return True
    if not 2 <= len(words) <= 22 or text.startswith("[") or ":" in text:
        return False
    if not lexicon.words("court_words").intersection(words) or (len(words) > 9 and not text.isupper()):
        return False
    capitals = sum(1 for word in text.split() if word[:1].isupper())
    return capitals >= 0.55 * len(words) and _NOT_COURT.search(text) is None


def is_division(text: str) -> bool:
    """Return whether a line continues a court's name: "FOR THE DISTRICT OF COLUMBIA"."""
    return _DIVISION.search(text) is not None and _JOINS.match(text) is not None


def court_name(prose: Prose, lines: CaptionLines) -> ProseFinding:
    """Return the court's name, its lines joined by commas, or by spaces if a line continues another."""
    value = lines[0][1]
    for _, text in lines[1:]:
        begun = value.isupper() and value.startswith(("IN THE", "UNITED STATES")) and len(value) < 16
        value = value.rstrip(",") + (" " if begun or _JOINS.match(text) else ", ") + text
    value = re.sub(r"^(?:in the|im|before the)\s+", "", value.strip(" .,:"), flags=re.IGNORECASE)
    start, end = prose.lines[lines[0][0]].start, prose.lines[lines[-1][0]].end
    return ProseFinding(" ".join(value.split()), start, end, 0.86)


def _continues(text: str) -> bool:
    if len(text) > 80 or text.endswith(".") or _PARTY.search(text):
        return False
    if any(char.isdigit() for char in text) and not re.search(r"\d(?:st|nd|rd|th)\b", text):
        return False
    return bool(_JOINS.match(text) or (_DIVISION.search(text) and text[:1].isupper()))
