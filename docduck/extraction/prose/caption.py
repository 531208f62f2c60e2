"""The caption of a court document: court, number, parties, judges, kind of document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property

from docduck.extraction.prose import lexicon, names
from docduck.extraction.prose.answer import Answer
from docduck.extraction.prose.judges import find_judges
from docduck.extraction.prose.text import Prose

_HEAD_LINES = 120
_LEFT_COLUMN = 0.35
"""The share of the page's width that the parties' column takes at least."""
_SPACED = re.compile(r"(?:[A-ZÄÖÜ] ){3,}[A-ZÄÖÜ]\b")
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
_JOINS = re.compile(r"^(?:for|of|in|within|and|from)\b", re.IGNORECASE)
_DIVISION = re.compile(
    r"\b(?:district|division|circuit|county|department|state of|term|panel|chamber|senat|kammer|appellate)\b",
    re.IGNORECASE,
)
_BESIDE = frozenset({"and", "und", "et", "ed", "in", "error", "below", "real", "party"})
"""Words that stand beside a capacity and are none themselves."""
_CAPACITY_ENDS = ("kläger", "klägerin", "beklagte", "beklagter", "beklagten", "klägers")
_NOT_TITLE = re.compile(r"not for publication|certified|rule|cite", re.IGNORECASE)
_NUMBERED = re.compile(r"^\(\d{1,2}\)\s*")
_BRACKETS = re.compile(r"\s*[:)§*|]+\s*$|^\s*[:)§(*|]+\s*")


@cache
def _caption_ends() -> re.Pattern[str]:
    return re.compile(lexicon.any_of("caption_ends"), re.IGNORECASE)


@cache
def _named(kinds: str) -> re.Pattern[str]:
    return re.compile(rf"\b{lexicon.any_of(kinds)}\b", re.IGNORECASE)


class Caption:
    """What the head of a court document says. Nothing is found in a document without a court's name."""

    def __init__(self, prose: Prose) -> None:
        self.prose = prose

    @cached_property
    def _head(self) -> list[tuple[int, str]]:
        return [(i, self.prose.line_text(i).strip()) for i in range(min(len(self.prose.lines), _HEAD_LINES))]

    @cached_property
    def present(self) -> bool:
        """Whether this is a document of a court or to one."""
        return self._court_lines is not None or self._versus is not None

    @cached_property
    def _court_lines(self) -> tuple[int, int] | None:
        """The first and the last line (excluded) of the court's name."""
        for position, (_, text) in enumerate(self._head[:70]):
            if not self._is_court(text):
                continue
            first, last = position, position + 1
            while (
                first
                and self._leads(self._head[first - 1][1])
                and not self._is_court(self._head[first - 1][1])
            ):
                first -= 1
            while (
                last < len(self._head)
                and last - position < 5
                and self._continues(self._head[last][1], position)
            ):
                last += 1
            return first, last
        return None

    def _is_court(self, text: str) -> bool:
        words = [word.strip(".,:;()[]*").casefold() for word in text.split()]
        if len(words) == 1 and words[0].endswith(("gericht", "gerichtshof")) and text[:1].isupper():
            return True
        if not 2 <= len(words) <= 22 or text.startswith("[") or ":" in text:
            return False
        if not lexicon.words("court_words").intersection(words) or (len(words) > 9 and not text.isupper()):
            return False
        capitals = sum(1 for word in text.split() if word[:1].isupper())
        return capitals >= 0.55 * len(words) and not re.search(
            r"clerk|rules? of|appeal from|filed|no\.", text, re.IGNORECASE
        )

    def _leads(self, text: str) -> bool:
        return (
            re.fullmatch(
                r"(?:IN THE|In the|in the|UNITED STATES|United States|SUPREME|SUPERIOR|IN)", text.strip()
            )
            is not None
        )

    def _continues(self, text: str, position: int) -> bool:
        if len(text) > 80 or (any(c.isdigit() for c in text) and not re.search(r"\d(?:st|nd|rd|th)\b", text)):
            return False
        if _VERSUS.search(text) or re.search(
            r"\bclerk\b|^no\b|plaintiff|appell(?:ant|ee)|petitioner|respond|defend", text, re.IGNORECASE
        ):
            return False
        return bool(
            _JOINS.match(text) or (_DIVISION.search(text) and text[:1].isupper())
        ) and not text.endswith(".")

    def court(self) -> Iterator[Answer]:
        """The court's name, its lines joined."""
        if self._court_lines is None:
            return
        first, last = self._court_lines
        lines = self._head[first:last]
        value = lines[0][1]
        for _, text in lines[1:]:
            value = (
                value.rstrip(",")
                + (
                    " "
                    if _JOINS.match(text)
                    or (value.isupper() and value.startswith(("IN THE", "UNITED STATES")) and len(value) < 16)
                    else ", "
                )
                + text
            )
        value = re.sub(r"^(?:in the|im|before the)\s+", "", value.strip(" .,:"), flags=re.IGNORECASE)
        start, end = self.prose.lines[lines[0][0]].start, self.prose.lines[lines[-1][0]].end
        yield Answer(" ".join(value.split()), start, end, 0.86)

    @cached_property
    def _versus(self) -> int | None:
        """The line of the "v." that parts the parties, alone on it or inside it."""
        for position, (index, text) in enumerate(self._head):
            if _VERSUS_LINE.match(text) and not self.prose.lines[index].heading:
                return position
        for position, (_, text) in enumerate(self._head[:40]):
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

    def sides(self) -> tuple[Answer | None, Answer | None]:
        """The party before the "v." and the one after it."""
        if self._versus is None:
            return self._titled()
        index, text = self._head[self._versus]
        if not _VERSUS_LINE.match(text):
            start = self.prose.lines[index].start
            parts = _VERSUS.split(text, maxsplit=1)
            right = text.find(parts[1], len(parts[0]))
            return self._inline(parts[0], start), self._inline(parts[1], start + right)
        return self._side(-1), self._side(1)

    def _titled(self) -> tuple[Answer | None, Answer | None]:
        """The sides as a case's short name gives them, in its heading or citation."""
        if self._court_lines is None:
            return None, None
        for index, text in self._head[:25]:
            match = _TITLED.match(text)
            if match is not None and text[:1].isalpha() | text.startswith("["):
                start = self.prose.lines[index].start + len(self.prose.line_text(index)) - len(text)
                sides = [
                    Answer(names.tidy(match[side]), start + match.start(side), start + match.end(side), 0.5)
                    for side in ("first", "second")
                ]
                return sides[0], sides[1]
        return None, None

    def _inline(self, text: str, start: int) -> Answer | None:
        pieces = re.split(r",\s*", text.strip(" ,;:"))
        kept = []
        for piece in pieces:
            if self._is_capacity(piece):
                break
            kept.append(piece)
        name = ", ".join(kept).strip(" ,;:")
        return Answer(names.tidy(name), start, start + len(text.rstrip()), 0.9) if len(name) > 1 else None

    def _is_capacity(self, text: str) -> bool:
        words = [word.strip(".,:;()").casefold() for word in re.sub("[–—/]", "-", text).split()]
        known = lexicon.words("capacities")
        if not set(words) - _BESIDE:
            return False
        return all(word in known or word.endswith(_CAPACITY_ENDS) for word in words)

    def _side(self, step: int) -> Answer | None:
        """The lines of one party: from the "v." up or down, in its column."""
        assert self._versus is not None
        position = self._versus
        here = self.prose.lines[self._head[position][0]]
        rows: list[int] = []
        capacity = False
        position += step
        while 0 <= position < len(self._head) and len(rows) < 8:
            index, text = self._head[position]
            line = self.prose.lines[index]
            bare = _BRACKETS.sub("", text).strip()
            if line.page != here.page:
                break
            if line.left >= self._second_column or line.row == here.row:
                position += step
                continue
            apart = abs(line.row - here.row) > 12
            if apart or self._ends_caption(bare, step):
                break
            if self._is_capacity(bare.rstrip(";,.")):
                if step > 0 or rows:
                    if step > 0 and not rows:
                        position += step
                        continue
                    capacity = capacity or step > 0
                    break
                capacity = True
            elif bare and not re.fullmatch(r"[\W_]+", bare):
                rows.append(index)
            position += step
        if step < 0:
            rows.reverse()
        rows = self._without_numbers(rows)
        if not rows or (len(rows) > 5 and not capacity):
            return None
        parts = [self.prose.line_text(i).strip() for i in rows]
        if len(parts) > 1 and all(_NUMBERED.match(part) for part in parts):
            parts = [part.rstrip(",;") + "," for part in parts]
        text = " ".join(_BRACKETS.sub("", _NUMBERED.sub("", part)).strip() for part in parts)
        inline = self._inline(text, 0)
        if inline is None:
            return None
        weight = 0.9 if capacity else 0.84
        return Answer(inline.value, self.prose.lines[rows[0]].start, self.prose.lines[rows[-1]].end, weight)

    @cached_property
    def _second_column(self) -> float:
        """The left edge of what stands to the right of the parties (numbers, a title); 1 if nothing does."""
        assert self._versus is not None
        middle = self._head[self._versus][0]
        nearby = range(max(1, middle - 14), min(middle + 14, len(self.prose.lines)))
        edges = [
            self.prose.lines[i].left
            for i in nearby
            if self.prose.lines[i].row == self.prose.lines[i - 1].row
            and self._is_named(i)
            and self._is_named(i - 1)
        ]
        if self.prose.lines[middle].left < 0.5:
            edges.append(0.5)
        least = max(_LEFT_COLUMN, self.prose.lines[middle].left + 0.1)
        beyond = [edge for edge in edges if edge > least]
        return min(beyond, default=1.0) - 0.01

    def _is_named(self, index: int) -> bool:
        """Whether a line has words, not only the brackets of a caption."""
        return any(char.isalnum() for char in self.prose.line_text(index))

    def _without_numbers(self, rows: list[int]) -> list[int]:
        return [
            i
            for i in rows
            if not re.match(
                r"^\(?(?:(?:\w+\s){0,2}nos?\.|(?:case|docket|civil action|super)\b[.\s])",
                self.prose.line_text(i).strip(),
                re.IGNORECASE,
            )
        ]

    def _ends_caption(self, text: str, step: int) -> bool:
        if (
            (step < 0 and self._is_court(text))
            or _TITLE_LINE.search(text)
            or re.fullmatch(r"[-–—_=*]{3,}", text)
        ):
            return True
        if len(text) > 90 or _caption_ends().search(text):
            return True
        if _DIVISION.search(text) and not text.endswith((",", ";")) and _JOINS.match(text):
            return True
        if self._court_lines is None:
            return False
        first, last = self._court_lines
        return any(text == line for _, line in self._head[first:last])

    def both(self) -> Iterator[Answer]:
        """The case's name, "A v. B"."""
        first, second = self.sides()
        if first and second:
            yield Answer(f"{first.value} v. {second.value}", first.start, second.end, 0.7)

    def numbers(self) -> Iterator[Answer]:
        """A number that stands alone in the caption."""
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
                yield Answer(match[1], line.start, line.end, 0.86)
                return

    def judges(self) -> Iterator[Answer]:
        """Judges, in a document that names a court."""
        if self.present or lexicon.words("court_words").intersection(self.prose.low[:3000].split()):
            yield from find_judges(self.prose)

    def kinds(self) -> Iterator[Answer]:
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
            yield Answer("Opinion", match.start(), match.end(), 0.55)

    def _title(self, kinds: re.Pattern[str], weight: float) -> Answer | None:
        for index, printed in self._head:
            text = _SPACED.sub(lambda spaced: spaced[0].replace(" ", ""), printed).removesuffix(".")
            match = kinds.search(text)
            if match is None or not 0 < len(text.split()) <= 12 or self._is_court(text):
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
            return Answer(match[0].capitalize(), line.start, line.end, weight)
        return None
