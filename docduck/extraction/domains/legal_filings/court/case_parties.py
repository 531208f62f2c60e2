"""The two parties of a case: beside the "v.", or in a column above and below it."""

from __future__ import annotations

import re
from functools import cache, cached_property

from docduck.extraction.domains.legal_filings import lexicon
from docduck.extraction.domains.legal_filings.court.court_names import CaptionLines, is_court, is_division
from docduck.extraction.extractors.prose.text.prose import Prose, ProseFinding
from docduck.extraction.extractors.prose.values import names

_LEFT_COLUMN = 0.35
"""Minimum share of the page's width of the parties' column."""
_TITLED = re.compile(
    r"^(?:\[?[Cc]ite as\s+)?(?P<first>[^\d:;\[\]]{2,90}?)\s+(?:v\.?|vs\.?|versus)\s+"
    r"(?P<second>[^\d:;\[\]]{2,90}?)"
    r"(?:,?\s*[(\[]?\d.*|\])?$"
)
_VERSUS = re.compile(r"(?:^|\s)(?:v\.?|vs\.?|versus|against|gegen|contre|contra|tegen|-v-|-against-)(?:\s|$)")
_VERSUS_LINE = re.compile(
    r"^[-–—\s]*(?:v|vs|versus|against|gegen|g\s?e\s?g\s?e\s?n|contre|contra|contro|tegen"
    r"|(?<=[-–—] )and(?= [-–—]))[.\s–—-]*[:)]?$",
    re.IGNORECASE,
)
_TITLE_LINE = re.compile(r"\[?cite as|\bfiled\b|super\.?\s?ct\. ca|^in re", re.IGNORECASE)
_BESIDE = frozenset({"and", "und", "et", "ed", "in", "error", "below", "real", "party"})
"""Words beside a capacity that are no capacity themselves."""
_CAPACITY_ENDS = ("kläger", "klägerin", "beklagte", "beklagter", "beklagten", "klägers")
_NUMBERED = re.compile(r"^\(\d{1,2}\)\s*")
CASE_NUMBER = (
    r"\(?((?:[A-Z]{1,3})?-?\d{2,4}[-–]\d{2,6}(?:[-–]\w+)*|[A-Z]{1,2}\d{5,7}"
    r"|\d{1,2}:\d\d-\w\w-\d+(?:-\w+)*)\)?[:)]?"
)
"""A case number on a line of its own."""
_NUMBER_LINE = re.compile(
    rf"\(?(?:(?:\w+\s){{0,2}}nos?\.|(?:case|docket|civil action|super)\b[.\s])|{CASE_NUMBER}$", re.IGNORECASE
)
_BRACKETS = re.compile(r"\s*[:)§*|]+\s*$|^\s*[:)§(*|]+\s*")


@cache
def _caption_ends() -> re.Pattern[str]:
    return re.compile(lexicon.any_of("caption_ends"), re.IGNORECASE)


class CaseParties:
    """The parties of a caption; ``court`` is the span of the court's name in ``caption_lines``."""

    def __init__(self, prose: Prose, caption_lines: CaptionLines, court: tuple[int, int] | None) -> None:
        self.prose = prose
        self.caption_lines = caption_lines
        self.court = court

    @cached_property
    def versus(self) -> int | None:
        """The position of the "v." line, alone or inside a line."""
        for position, (index, text) in enumerate(self.caption_lines):
            if _VERSUS_LINE.match(text) and not self.prose.lines[index].heading:
                return position
        for position, (_, text) in enumerate(self.caption_lines[:40]):
            if (
                _VERSUS.search(text)
                and len(text) < 400
                and not text.startswith(("#", "["))
                and self._has_capacity(text)
            ):
                return position
        return None

    def _has_capacity(self, text: str) -> bool:
        words = {word.strip(".,:;()").casefold() for word in text.split()}
        return bool(words & lexicon.words("capacities") - _BESIDE)

    def find(self) -> tuple[ProseFinding | None, ProseFinding | None]:
        """Return the party before the "v." and the party after it."""
        if self.versus is None:
            return self._from_short_name()
        index, text = self.caption_lines[self.versus]
        if not _VERSUS_LINE.match(text):
            start = self.prose.lines[index].start
            parts = _VERSUS.split(text, maxsplit=1)
            right = text.find(parts[1], len(parts[0]))
            return self._inline(parts[0], start), self._inline(parts[1], start + right)
        return self._party_beside(-1), self._party_beside(1)

    def _from_short_name(self) -> tuple[ProseFinding | None, ProseFinding | None]:
        """Return the parties from the case's short name in its heading or citation."""
        if self.court is None:
            return None, None
        for index, text in self.caption_lines[:25]:
            match = _TITLED.match(text)
            if match is not None and text[:1].isalpha() | text.startswith("["):
                start = self.prose.lines[index].start + len(self.prose.line_text(index)) - len(text)
                parties = [
                    ProseFinding(
                        names.tidy(match[side]), start + match.start(side), start + match.end(side), 0.5
                    )
                    for side in ("first", "second")
                ]
                return parties[0], parties[1]
        return None, None

    def _inline(self, text: str, start: int) -> ProseFinding | None:
        pieces = re.split(r",\s*", text.strip(" ,;:"))
        parties = []
        for piece in pieces:
            if self._is_capacity(piece):
                break
            parties.append(piece)
        name = ", ".join(parties).strip(" ,;:")
        return (
            ProseFinding(names.tidy(name), start, start + len(text.rstrip()), 0.9) if len(name) > 1 else None
        )

    def _is_capacity(self, text: str) -> bool:
        words = [word.strip(".,:;()").casefold() for word in re.sub("[–—/]", "-", text).split()]
        known = lexicon.words("capacities")
        if not set(words) - _BESIDE:
            return False
        return all(word in known or word.endswith(_CAPACITY_ENDS) for word in words)

    def _party_beside(self, step: int) -> ProseFinding | None:
        """Return one party, from its lines above (-1) or below (1) the "v." in its column."""
        assert self.versus is not None
        position = self.versus
        here = self.prose.lines[self.caption_lines[position][0]]
        rows: list[int] = []
        has_capacity = False
        position += step
        while 0 <= position < len(self.caption_lines) and len(rows) < 8:
            index, text = self.caption_lines[position]
            line = self.prose.lines[index]
            bare = _BRACKETS.sub("", text).strip()
            if line.page != here.page:
                break
            if line.left >= self._second_column or line.row == here.row:
                position += step
                continue
            is_far = abs(line.row - here.row) > 12
            if is_far or self._ends_caption(bare, step):
                break
            if self._is_capacity(bare.rstrip(";,.")):
                if step > 0 or rows:
                    if step > 0 and not rows:
                        position += step
                        continue
                    has_capacity = has_capacity or step > 0
                    break
                has_capacity = True
            elif any(char.isalnum() for char in bare) and not _NUMBER_LINE.match(text):
                rows.append(index)
            position += step
        if step < 0:
            rows.reverse()
        if not rows or (len(rows) > 5 and not has_capacity):
            return None
        parts = [self.prose.line_text(i).strip() for i in rows]
        if len(parts) > 1 and all(_NUMBERED.match(part) for part in parts):
            parts = [part.rstrip(",;") + "," for part in parts]
        text = " ".join(_BRACKETS.sub("", _NUMBERED.sub("", part)).strip() for part in parts)
        inline = self._inline(text, 0)
        if inline is None:
            return None
        weight = 0.9 if has_capacity else 0.84
        return ProseFinding(
            inline.value, self.prose.lines[rows[0]].start, self.prose.lines[rows[-1]].end, weight
        )

    @cached_property
    def _second_column(self) -> float:
        """The left edge of the column right of the parties (numbers, a title); 1 if there is none."""
        assert self.versus is not None
        middle = self.caption_lines[self.versus][0]
        nearby = range(max(1, middle - 14), min(middle + 14, len(self.prose.lines)))
        edges = [
            self.prose.lines[i].left
            for i in nearby
            if self.prose.lines[i].row == self.prose.lines[i - 1].row
            and self._has_words(i)
            and self._has_words(i - 1)
        ]
        if self.prose.lines[middle].left < 0.5:
            edges.append(0.5)
        least = max(_LEFT_COLUMN, self.prose.lines[middle].left + 0.1)
        beyond = [edge for edge in edges if edge > least]
        return min(beyond, default=1.0) - 0.01

    def _has_words(self, index: int) -> bool:
        """Return whether a line has words, not only brackets."""
        return any(char.isalnum() for char in self.prose.line_text(index))

    def _ends_caption(self, text: str, step: int) -> bool:
        if (step < 0 and is_court(text)) or _TITLE_LINE.search(text) or re.fullmatch(r"[-–—_=*]{3,}", text):
            return True
        if len(text) > 90 or _caption_ends().search(text):
            return True
        if is_division(text) and not text.endswith((",", ";")):
            return True
        if self.court is None:
            return False
        first, last = self.court
        return any(text == line for _, line in self.caption_lines[first:last])
