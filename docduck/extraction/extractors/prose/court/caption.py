"""The caption of a court document: court, number, parties, judges, kind of document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property

from docduck.extraction.extractors.prose import lexicon
from docduck.extraction.extractors.prose.court.case_parties import CaseParties
from docduck.extraction.extractors.prose.court.court_names import (
    CaptionLines,
    court_lines,
    court_name,
    is_court,
)
from docduck.extraction.extractors.prose.court.judges import find_judges
from docduck.extraction.extractors.prose.prose_finding import ProseFinding
from docduck.extraction.extractors.prose.text.prose import Prose

_HEAD_LINES = 120
_SPACED = re.compile(r"(?:[A-ZÄÖÜ] ){3,}[A-ZÄÖÜ]\b")
_NOT_TITLE = re.compile(r"not for publication|certified|rule|cite", re.IGNORECASE)


@cache
def _named(kinds: str) -> re.Pattern[str]:
    return re.compile(rf"\b{lexicon.any_of(kinds)}\b", re.IGNORECASE)


class Caption:
    """What the head of a court document says. Nothing is found in a document without a court's name."""

    def __init__(self, prose: Prose) -> None:
        self.prose = prose

    @cached_property
    def _head(self) -> CaptionLines:
        return [(i, self.prose.line_text(i).strip()) for i in range(min(len(self.prose.lines), _HEAD_LINES))]

    @cached_property
    def _court_lines(self) -> tuple[int, int] | None:
        return court_lines(self._head)

    @cached_property
    def _sides(self) -> CaseParties:
        return CaseParties(self.prose, self._head, self._court_lines)

    @cached_property
    def present(self) -> bool:
        """Whether this is a document of a court or to one."""
        return self._court_lines is not None or self._sides.versus is not None

    def court(self) -> Iterator[ProseFinding]:
        """Yield the court's name."""
        if self._court_lines is not None:
            first, last = self._court_lines
            yield court_name(self.prose, self._head[first:last])

    def sides(self) -> tuple[ProseFinding | None, ProseFinding | None]:
        """Return the party before the "v." and the one after it."""
        return self._sides.both()

    def both(self) -> Iterator[ProseFinding]:
        """Yield the case's name, "A v. B"."""
        first, second = self.sides()
        if first and second:
            yield ProseFinding(f"{first.value} v. {second.value}", first.start, second.end, 0.7)

    def numbers(self) -> Iterator[ProseFinding]:
        """Yield a number that stands alone in the caption."""
        if not self.present:
            return
        for index, text in self._head[:60]:
            match = re.fullmatch(
                r"\(?((?:[A-Z]{1,3})?-?\d{2,4}[-–]\d{2,6}(?:[-–]\w+)*|[A-Z]{1,2}\d{5,7}"
                r"|\d{1,2}:\d\d-\w\w-\d+(?:-\w+)*)\)?[:)]?",
                text,
            )
            if match:
                line = self.prose.lines[index]
                yield ProseFinding(match[1], line.start, line.end, 0.86)
                return

    def judges(self) -> Iterator[ProseFinding]:
        """Judges, in a document that names a court."""
        if self.present or lexicon.words("court_words").intersection(self.prose.low[:3000].split()):
            yield from find_judges(self.prose)

    def kinds(self) -> Iterator[ProseFinding]:
        """What the document calls itself in a title line: a court's decision before a party's paper."""
        if not self.present:
            return
        for kinds, weight in (("court_kind", 0.7), ("court_paper", 0.6)):
            answer = self._title(_named(kinds), weight)
            if answer is not None:
                yield answer
                return
        match = re.search(r"\b(?:opinion|per curiam)\b", self.prose.low[:6000])
        if match:
            yield ProseFinding("Opinion", match.start(), match.end(), 0.55)

    def _title(self, kinds: re.Pattern[str], weight: float) -> ProseFinding | None:
        for index, printed in self._head:
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
