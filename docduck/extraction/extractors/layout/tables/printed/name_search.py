"""Search for column names on a page: words side by side, and wrapped over lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, pairwise

from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView, Token

_MAX_FOUND = 40
"""Maximum number of positions of one name on a page."""
_MAX_BELOW = 400
"""Maximum number of words near a word that are tried as its continuation below."""
_STEPS, _ALL_STEPS = 600, 20_000
"""Maximum number of words tried for one position, and for all positions of a name on a page."""
_MARKED = 4
"""Minimum length of a word that may carry one more character: a footnote mark, an ending."""
_CLOSE, _WIDE = 0.45, 5.0
"""Gap between words of running text at most, and within a justified line, in line heights."""
_WRAP, _UP, _SIDE = 0.65, 0.8, 0.6
"""Distance and overlap of the next line of a cell at most, and its offset, in line heights."""


class NameSearch:
    """Finds names among the words of one page."""

    def __init__(self, page: PageView) -> None:
        self.page = page
        self.height = page.line_height
        self.words: list[Token] = []
        self._next: dict[int, Token] = {}
        self._before: dict[int, Token] = {}
        for row in page.rows:
            words = [t for t in row.tokens if t.key]
            self.words += words
            for word, following in pairwise(words):
                self._next[id(word)] = following
                self._before[id(following)] = word
        self._by_form: dict[str, list[int]] = defaultdict(list)
        for at, word in enumerate(self.words):
            self._by_form[word.key].append(at)
            if len(word.key) > _MARKED:
                self._by_form[word.key[:-1]].append(at)
        self._found = cache(lambda form: list(islice(self._positions(form), _MAX_FOUND)))

    def is_embedded(self, name: Sequence[Token], known: set[int]) -> bool:
        """Return whether other words than the ``known`` are directly beside those of a name."""
        pairs = [(self._before.get(id(t)), t) for t in name] + [(t, self._next.get(id(t))) for t in name]
        return any(
            token is not None
            and other is not None
            and not {id(token), id(other)} <= known
            and other.left - token.right < _CLOSE * self.height
            for token, other in pairs
        )

    def find(self, name: str) -> list[list[Token]]:
        """Return the words of each position of a name, at most one for each word it can begin with."""
        return self._found(key(name))

    def _positions(self, name: str) -> Iterator[list[Token]]:
        starts = (name[:end] for end in range(1, len(name) + 1))
        budget = iter(range(_ALL_STEPS))
        for at in sorted({at for start in starts for at in self._by_form.get(start, ())}):
            word = self.words[at]
            rest = _rest(name, word)
            if rest is not None and (tokens := self._whole([word], rest, islice(budget, _STEPS))):
                yield tokens

    def _whole(self, taken: list[Token], rest: str, steps: Iterator[int]) -> list[Token]:
        """Return ``taken`` with the words of the ``rest`` of a name, none if they don't follow."""
        if not rest:
            return taken
        if not any(rest[:end] in self._by_form for end in range(1, len(rest) + 1)):
            return []
        for word, _ in zip(self._following(taken), steps, strict=False):
            left = _rest(rest, word)
            if left is not None and (tokens := self._whole([*taken, word], left, steps)):
                return tokens
        return []

    def _following(self, taken: Sequence[Token]) -> Iterator[Token]:
        """Yield the words that may continue ``taken``: the next on its line, then those below.

        A next word across a wide gap, as in justified cells, comes last.
        """
        beside = self._next.get(id(taken[-1]))
        gap = beside.left - taken[-1].right if beside is not None else _WIDE * self.height
        if beside is not None and gap < self.height:
            yield beside
        step = self.height / 2
        left, right = min(t.left for t in taken), max(t.right for t in taken)
        yield from sorted(
            islice(
                self._below(taken[-1], left - _SIDE * self.height, right + _SIDE * self.height), _MAX_BELOW
            ),
            key=lambda t: (round((t.top - taken[-1].top) / step), t.right <= left or right <= t.left, t.left),
        )
        if beside is not None and self.height <= gap < _WIDE * self.height:
            yield beside

    def _below(self, word: Token, left: float, right: float) -> Iterator[Token]:
        """Yield the words between ``left`` and ``right`` on the line below a word."""
        middle = (word.top + word.bottom) / 2
        high, low = word.bottom - _UP * self.height, word.bottom + _WRAP * self.height
        for row in self.page.rows[word.segment.row : word.segment.row + 4]:
            for t in (t for segment in row.between(left, right) for t in segment.tokens):
                is_below = high < t.top <= low and middle < (t.top + t.bottom) / 2
                if is_below and t.key and t.left < right and left < t.right:
                    yield t


def _rest(name: str, word: Token) -> str | None:
    """Return what follows a word in a name that begins with it, None if it doesn't."""
    if name.startswith(word.key):
        return name[len(word.key) :]
    return "" if len(name) >= _MARKED and word.key[:-1] == name else None
