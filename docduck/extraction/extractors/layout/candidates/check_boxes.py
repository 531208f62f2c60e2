"""Check boxes: printed marks, ticked or empty, and the words beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.extraction.page.page_view import Row, Token
from docduck.extraction.values.choices import parse_check_mark

_MAX_MARK = 3
"""Maximum length of a mark, such as "[x]"."""


@dataclass(slots=True)
class CheckBox:
    """A check box: the tokens of its mark, whether it is ticked, and the words after and before it."""

    tokens: Sequence[Token]
    ticked: bool
    after: Sequence[Token]
    before: Sequence[Token]


def find_check_boxes(row: Row) -> list[CheckBox]:
    """Return the check boxes of a row; a box's words end at the next box or column gap."""
    tokens = row.tokens
    spans: list[tuple[int, int, bool]] = []
    at = 0
    while at < len(tokens):
        if len(tokens[at].text) > _MAX_MARK:
            at += 1
            continue
        for length in (3, 2, 1):
            text = "".join(token.text for token in tokens[at : at + length])
            whole = len(text) <= _MAX_MARK and at + length <= len(tokens)
            mark = _mark(text) if whole and (length == 1 or text[:1] in "[(") else None
            if mark is not None:
                spans.append((at, at + length, mark))
                at += length
                break
        else:
            at += 1
    boxes = []
    for index, (start, end, ticked) in enumerate(spans):
        until = spans[index + 1][0] if index + 1 < len(spans) else len(tokens)
        since = spans[index - 1][1] if index else 0
        after = _joined(tokens[end:until], tokens[end - 1])
        before = _joined(tokens[since:start][::-1], tokens[start])[::-1]
        boxes.append(CheckBox(tokens[start:end], ticked, after, before))
    return boxes


def _mark(text: str) -> bool | None:
    """Return whether a mark is ticked; a lone X counts as ticked."""
    return True if text in _CROSSES else parse_check_mark(text)


def _joined(tokens: Sequence[Token], last: Token) -> list[Token]:
    """Return the leading ``tokens`` without a wide gap between neighbours, starting from ``last``."""
    run: list[Token] = []
    widest = _GAP * last.segment.page.line_height
    for token in tokens:
        if max(token.left - last.right, last.left - token.right) > widest:
            break
        run.append(token)
        last = token
    return run


_CROSSES = frozenset({"x", "X", "×", "✕"})
_GAP = 2.5
"""Gap, in line heights, between a box and words that don't belong to it."""
