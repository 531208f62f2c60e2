"""Check boxes: printed marks, filled or empty, and the words that they tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.extraction.page.page_view import PageView, Row, Token
from docduck.extraction.values.choices import parse_check_mark

_LONGEST = 3
"""Characters of a mark at most, as in "[x]"."""


@dataclass(slots=True)
class CheckBox:
    """A check box: its mark's words, whether it is ticked, and the words that follow and precede it."""

    tokens: Sequence[Token]
    ticked: bool
    after: Sequence[Token]
    before: Sequence[Token]


def find_check_boxes(row: Row, page: PageView) -> list[CheckBox]:
    """The check boxes of a row; words belong to a box up to the next box or column gap."""
    tokens = row.tokens
    spans: list[tuple[int, int, bool]] = []
    at = 0
    while at < len(tokens):
        if len(tokens[at].text) > _LONGEST:
            at += 1
            continue
        for length in (3, 2, 1):
            text = "".join(token.text for token in tokens[at : at + length])
            whole = len(text) <= _LONGEST and at + length <= len(tokens)
            mark = _mark(text) if whole and (length == 1 or text[:1] in "[(") else None
            if mark is not None:
                spans.append((at, at + length, mark))
                at += length
                break
        else:
            at += 1
    found = []
    for index, (start, end, ticked) in enumerate(spans):
        until = spans[index + 1][0] if index + 1 < len(spans) else len(tokens)
        since = spans[index - 1][1] if index else 0
        after = _joined(tokens[end:until], tokens[end - 1], page)
        before = _joined(tokens[since:start][::-1], tokens[start], page)[::-1]
        found.append(CheckBox(tokens[start:end], ticked, after, before))
    return found


def _mark(text: str) -> bool | None:
    """What a mark says; a lone X ticks a box that is drawn, or none at all."""
    return True if text in _CROSSES else parse_check_mark(text)


def _joined(tokens: Sequence[Token], last: Token, page: PageView) -> list[Token]:
    """The first of ``tokens`` without a wide gap from one to the next, beginning at ``last``."""
    run: list[Token] = []
    for token in tokens:
        if max(token.left - last.right, last.left - token.right) > _GAP * page.line_height:
            break
        run.append(token)
        last = token
    return run


_CROSSES = frozenset({"x", "X", "×", "✕"})
_GAP = 2.5
"""Blank space, in line heights, that parts a box from words that are not its own."""
