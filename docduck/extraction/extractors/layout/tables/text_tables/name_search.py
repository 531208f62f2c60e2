"""Search for column names on a page: words side by side, and wrapped over lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from docduck.extraction.extractors.layout.tables.text_tables.ruled_lines import ruled_lines
from docduck.extraction.extractors.layout.tables.text_tables.table_words import letters
from docduck.extraction.page.page_view import PageView, Token

_MAX_SPANS = 40
"""Maximum number of positions of one name on a page."""
_MAX_BELOW = 400
"""Maximum number of words near a word that are tried as its continuation below."""
_STEPS, _ALL_STEPS = 600, 20_000
"""Maximum number of words tried for one position, and for all positions of a name on a page."""
_MARKED = 4
"""Minimum length of a word that may carry a footnote mark."""
_WIDE, _WRAP, _UP = 5.0, 0.9, 0.55
"""In line heights: gap within a justified line, and distance and overlap of the next line of a cell."""


@dataclass(frozen=True, slots=True)
class HeaderSpan:
    """The words of a name with their span in points. ``loose`` is the white space inside, in line heights."""

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
    """Return the span of ``tokens`` (at least one)."""
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
        """Return the words before and after a word on its line, with the gaps to them."""
        before, after = self.before.get(id(token)), self.next.get(id(token))
        found = [(before, token.left - before.right)] if before is not None else []
        return [*found, (after, after.left - token.right)] if after is not None else found

    def find(self, name: str) -> list[HeaderSpan]:
        """Return the spans of ``name`` (a normal form), one for each word it can begin with."""
        if name not in self._found:
            self._found[name] = list(self._spans(name))
        return self._found[name]

    def _spans(self, name: str) -> Iterator[HeaderSpan]:
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
                if count >= _MAX_SPANS:
                    return

    def _beginnings(self, name: str) -> list[Token]:
        """Return the words that a name can begin with, in reading order."""
        starts = (name[:end] for end in range(1, len(name) + 1))
        found = [at for start in starts for at in self._by_key.get(start, ())]
        if len(name) >= _MARKED:
            found += self._by_marked.get(name, ())
        return [self.tokens[at] for at in sorted(found)]

    def _can_continue(self, rest: str) -> bool:
        """Return whether a word of the page is a prefix of ``rest``."""
        starts = (rest[:end] for end in range(1, len(rest) + 1))
        return any(start in self._by_key for start in starts) or (
            len(rest) >= _MARKED and rest in self._by_marked
        )

    def _ends(self, word: str, rest: str) -> bool:
        """Return whether a word is ``rest`` with a footnote mark."""
        return len(rest) >= _MARKED and len(word) == len(rest) + 1 and word.startswith(rest)

    def _best(self, taken: list[Token], rest: str, steps: list[int]) -> list[Token] | None:
        if not rest:
            return self._with_signs(taken)
        if not self._can_continue(rest):
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
        """Return ``taken`` with the signs directly behind it, as in "n ="."""
        following = self.next.get(id(taken[-1]))
        while following is not None and following.left - taken[-1].right < 0.6 * self.height:
            if self.keys[id(following)].isalnum():
                break
            taken = [*taken, following]
            following = self.next.get(id(following))
        return taken

    def _following(self, taken: Sequence[Token]) -> Iterator[Token]:
        """Yield the words that may continue ``taken``: the next on its line, then those below.

        A next word across a wide gap, as in justified cells, comes last.
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
            for t in self._words_below(last, left - 0.6 * self.height, right + 0.6 * self.height)
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
        """Return whether the next word of the line may be in the same cell."""
        gap = following.left - token.right
        if gap > _WIDE * self.height:
            return False
        middle = (token.top + token.bottom) / 2
        return gap < 0.5 * self.height or not self.ruling.separates(token.right, following.left, middle)

    def _words_below(self, token: Token, left: float, right: float) -> Iterator[Token]:
        """Yield the words on the line of ``token`` and the next lines, between ``left`` and ``right``."""
        return islice(self._words_near(token, left, right), _MAX_BELOW)

    def _words_near(self, token: Token, left: float, right: float) -> Iterator[Token]:
        for row in self.page.rows[token.segment.row : token.segment.row + 4]:
            for segment in row.between(left, right):
                if segment.top <= token.bottom + 1.2 * self.height:
                    yield from (t for t in segment.tokens if t is not token)
