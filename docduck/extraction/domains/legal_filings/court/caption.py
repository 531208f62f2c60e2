"""The caption of a court document: court, case number, parties, judges, type of document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property

from docduck.extraction.domains.legal_filings import lexicon
from docduck.extraction.domains.legal_filings.court.case_parties import CASE_NUMBER, CaseParties
from docduck.extraction.domains.legal_filings.court.court_names import (
    CaptionLines,
    court_lines,
    court_name,
    is_court,
)
from docduck.extraction.domains.legal_filings.court.judges import find_judges
from docduck.extraction.extractors.prose.text.prose import Prose, ProseFinding

_HEAD_LINES = 120
_SPACED = re.compile(r"(?:[A-ZÄÖÜ] ){3,}[A-ZÄÖÜ]\b")
_SECTION = re.compile(r"(?:[A-Z]|[IVX]{1,4}|\d{1,2})\.")
_NOT_TITLE = re.compile(r"not for publication|certified|rule|cite", re.IGNORECASE)


@cache
def _named(kinds: str) -> re.Pattern[str]:
    return re.compile(rf"\b{lexicon.any_of(kinds)}\b", re.IGNORECASE)


class Caption:
    """The caption of a court document. Without a court's name or a "v.", nothing is found."""

    def __init__(self, prose: Prose) -> None:
        self.prose = prose

    @cached_property
    def _lines(self) -> CaptionLines:
        return [(i, self.prose.line_text(i).strip()) for i in range(min(len(self.prose.lines), _HEAD_LINES))]

    @cached_property
    def _court_lines(self) -> tuple[int, int] | None:
        return court_lines(self._lines)

    @cached_property
    def _case_parties(self) -> CaseParties:
        return CaseParties(self.prose, self._lines, self._court_lines)

    @cached_property
    def is_court_document(self) -> bool:
        """Whether this is a court document."""
        return self._court_lines is not None or self._case_parties.versus is not None

    def court(self) -> Iterator[ProseFinding]:
        """Yield the court's name."""
        if self._court_lines is not None:
            first, last = self._court_lines
            yield court_name(self.prose, self._lines[first:last])

    def parties(self) -> tuple[ProseFinding | None, ProseFinding | None]:
        """Return the party before the "v." and the party after it."""
        return self._case_parties.find()

    def case_name(self) -> Iterator[ProseFinding]:
        """Yield the case's name, "A v. B"."""
        first, second = self.parties()
        if first and second:
            yield ProseFinding(f"{first.value} v. {second.value}", first.start, second.end, 0.7)

    def numbers(self) -> Iterator[ProseFinding]:
        """Yield a case number on a line of its own in the caption."""
        if not self.is_court_document:
            return
        for index, text in self._lines[:60]:
            match = re.fullmatch(CASE_NUMBER, text)
            if match:
                line = self.prose.lines[index]
                yield ProseFinding(match[1], line.start, line.end, 0.86)
                return

    def judges(self) -> Iterator[ProseFinding]:
        """Judges, in a document that names a court."""
        if self.is_court_document or lexicon.words("court_words").intersection(self.prose.low[:3000].split()):
            yield from find_judges(self.prose)

    def kinds(self) -> Iterator[ProseFinding]:
        """Yield the type of document from its title line; court decisions come before parties' papers."""
        if not self.is_court_document:
            return
        for kinds, weight in (("court_kind", 0.7), ("court_paper", 0.6)):
            finding = self._title(_named(kinds), weight)
            if finding is not None:
                yield finding
                return
        match = re.search(r"\b(?:opinion|per curiam)\b", self.prose.low[:6000])
        if match:
            yield ProseFinding("Opinion", match.start(), match.end(), 0.55)

    def _title(self, kinds: re.Pattern[str], weight: float) -> ProseFinding | None:
        for index, printed in self._lines:
            if self._is_numbered(index):
                continue
            text = _SPACED.sub(lambda spaced: spaced[0].replace(" ", ""), printed).removesuffix(".")
            match = kinds.search(text)
            if match is None or not 0 < len(text.split()) <= 12 or is_court(text):
                continue
            if (
                (printed.endswith((",", ".")) and not printed.isupper())
                or ":" in text
                or _NOT_TITLE.search(text)
            ):
                continue
            if sum(word[:1].isupper() for word in text.split()) < 0.6 * len(text.split()):
                continue
            line = self.prose.lines[index]
            return ProseFinding(match[0].capitalize(), line.start, line.end, weight)
        return None

    def _is_numbered(self, index: int) -> bool:
        """Return whether a line is the heading of a numbered section: "A. The Petition"."""
        lines = self.prose.lines
        beside = index > 0 and lines[index - 1].row == lines[index].row
        return beside and _SECTION.fullmatch(self.prose.line_text(index - 1).strip()) is not None
