"""Where a column's name stands on a page: its words side by side, and wrapped over lines below."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from docduck.extraction.extractors.layout.tables.generic.ruled_lines import ruled_lines
from docduck.extraction.extractors.layout.tables.generic.table_words import letters
from docduck.extraction.page.page_view import PageView, Token

_MOST = 40
"""Places of one name that are looked at on a page."""
_UNDER = 400
"""Words around a word that are looked at for the one that goes on below it."""
_STEPS, _ALL_STEPS = 600, 20_000
"""Words tried for one place, and for all places of a name on a page, before they are given up."""
_MARKED = 4
"""Letters from which a word may have a footnote's mark behind it."""
_WIDE, _WRAP, _UP = 5.0, 0.9, 0.55
"""In line heights: the gap within a justified line, and from a line down to the next one of the same cell."""


@dataclass(frozen=True, slots=True)
class HeaderSpan:
    """The words of a name, with their span in points. ``loose`` counts line heights of white space inside."""

    tokens: tuple[Token, ...]
    left: float
    top: float
    right: float
    bottom: float
    loose: float = 0.0

    @property
    def centre(self) -> float:
        return (self.left + self.right) / 2


def header_span(tokens: Sequence[Token], height: float) -> HeaderSpan:
    """The place that ``tokens`` (at least one) take."""
    gaps = (b.left - a.right for a, b in pairwise(tokens) if b.left >= a.right)
    return HeaderSpan(
        tuple(tokens),
        min(t.left for t in tokens),
        min(t.top for t in tokens),
        max(t.right for t in tokens),
        max(t.bottom for t in tokens),
        sum(max(0.0, gap / height - 0.6) for gap in gaps),
    )


class NameSearch:
    """Finds names among the words of one page."""

    def __init__(self, page: PageView) -> None:
        self.page = page
        self.height = page.line_height
        self.ruling = ruled_lines(page)
        self.tokens = [t for row in page.rows for t in row.tokens]
        self.keys = {id(t): letters(t.text) for t in self.tokens}
        self.next: dict[int, Token] = {}
        self.before: dict[int, Token] = {}
        for row in page.rows:
            for token, following in pairwise(row.tokens):
                self.next[id(token)] = following
                self.before[id(following)] = token
        self._found: dict[str, list[HeaderSpan]] = {}
        self._by_key: dict[str, list[int]] = defaultdict(list)
        self._by_marked: dict[str, list[int]] = defaultdict(list)
        for at, token in enumerate(self.tokens):
            word = self.keys[id(token)]
            if word:
                self._by_key[word].append(at)
            if len(word) > _MARKED:
                self._by_marked[word[:-1]].append(at)

    def neighbours(self, token: Token) -> list[tuple[Token, float]]:
        """The words before and after a word on its line, with the gaps to them."""
        before, after = self.before.get(id(token)), self.next.get(id(token))
        found = [(before, token.left - before.right)] if before is not None else []
        return [*found, (after, after.left - token.right)] if after is not None else found

    def find(self, name: str) -> list[HeaderSpan]:
        """The places of ``name`` (a normal form), one for each word that it can begin with."""
        if name not in self._found:
            self._found[name] = list(self._places(name))
        return self._found[name]

    def _places(self, name: str) -> Iterator[HeaderSpan]:
        count, tried = 0, 0
        for token in self._beginnings(name):
            first = self.keys[id(token)]
            steps = [_STEPS]
            best = self._best([token], name[len(first) :], steps)
            tried += _STEPS - steps[0]
            if tried > _ALL_STEPS:
                return
            if best is not None:
                yield header_span(best, self.height)
                count += 1
                if count >= _MOST:
                    return

    def _beginnings(self, name: str) -> list[Token]:
        """The words that a name can begin with, in reading order."""
        starts = (name[:end] for end in range(1, len(name) + 1))
        found = [at for start in starts for at in self._by_key.get(start, ())]
        if len(name) >= _MARKED:
            found += self._by_marked.get(name, ())
        return [self.tokens[at] for at in sorted(found)]

    def _goes_on(self, rest: str) -> bool:
        """Whether a word of the page is a beginning of ``rest``."""
        starts = (rest[:end] for end in range(1, len(rest) + 1))
        return any(start in self._by_key for start in starts) or (
            len(rest) >= _MARKED and rest in self._by_marked
        )

    def _ends(self, word: str, rest: str) -> bool:
        """Whether a word is the rest of a name with a footnote's mark behind it."""
        return len(rest) >= _MARKED and len(word) == len(rest) + 1 and word.startswith(rest)

    def _best(self, taken: list[Token], rest: str, steps: list[int]) -> list[Token] | None:
        if not rest:
            return self._with_signs(taken)
        if not self._goes_on(rest):
            return None
        for token in self._following(taken):
            steps[0] -= 1
            if steps[0] < 0:
                return None
            word = self.keys[id(token)]
            if self._ends(word, rest):
                return self._with_signs([*taken, token])
            if word and rest.startswith(word):
                found = self._best([*taken, token], rest[len(word) :], steps)
                if found is not None:
                    return found
        return None

    def _with_signs(self, taken: list[Token]) -> list[Token]:
        """``taken`` with the signs that stand right behind it, as in "n ="."""
        following = self.next.get(id(taken[-1]))
        while following is not None and following.left - taken[-1].right < 0.6 * self.height:
            if self.keys[id(following)].isalnum():
                break
            taken = [*taken, following]
            following = self.next.get(id(following))
        return taken

    def _following(self, taken: Sequence[Token]) -> Iterator[Token]:
        """The words that may go on after the last of ``taken``: the next on its line, then those below.

        A next word across a wide gap, as justified cells have them, comes last.
        """
        last = taken[-1]
        wide: list[Token] = []
        beside = self.next.get(id(last))
        while beside is not None and self._beside(last, beside):
            if beside.left - last.right < self.height:
                yield beside
            else:
                wide.append(beside)
            if self.keys[id(beside)].isalnum():
                break
            beside = self.next.get(id(beside))
        left, right = min(t.left for t in taken), max(t.right for t in taken)
        middle = (last.top + last.bottom) / 2
        reach = last.bottom + _WRAP * self.height
        below = [
            t
            for t in self._under(last, left - 0.6 * self.height, right + 0.6 * self.height)
            if middle < (t.top + t.bottom) / 2
            and last.bottom - _UP * self.height < t.top + 0.25 * self.height <= reach
            and t.left < right + 0.6 * self.height
            and left - 0.6 * self.height < t.right
        ]
        step = 0.5 * self.height
        yield from sorted(
            below,
            key=lambda t: (round((t.top - last.top) / step), t.right <= left or right <= t.left, t.left),
        )
        yield from wide

    def _beside(self, token: Token, following: Token) -> bool:
        """Whether a word of the same line may stand in the same cell."""
        gap = following.left - token.right
        if gap > _WIDE * self.height:
            return False
        middle = (token.top + token.bottom) / 2
        return gap < 0.5 * self.height or not self.ruling.parts(token.right, following.left, middle)

    def _under(self, token: Token, left: float, right: float) -> Iterator[Token]:
        """Yield the words on the line of ``token`` and the next lines, between ``left`` and ``right``."""
        return islice(self._near(token, left, right), _UNDER)

    def _near(self, token: Token, left: float, right: float) -> Iterator[Token]:
        for row in self.page.rows[token.segment.row : token.segment.row + 4]:
            for segment in row.between(left, right):
                if segment.top <= token.bottom + 1.2 * self.height:
                    yield from (t for t in segment.tokens if t is not token)
