"""The numbers that tokens print; the gaps between them say which digits are groups of one number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from docduck.extraction.page.locale import Locale
from docduck.extraction.page.page_view import Token, is_letter_space, starts_of, tokens_at
from docduck.extraction.values.numbers import WIDE, NumberMatch, find_numbers

_BLANK, _DIGITS_WIDE = 0.45, 1.25
"""Width of a blank between groups of digits at most: in heights of the line, and in digits."""


def numbers_of(
    tokens: Sequence[Token], locale: Locale, text: str = ""
) -> Iterator[tuple[NumberMatch, list[Token]]]:
    """Yield the numbers of tokens, each with those that show it; ``text`` is another reading of them."""
    starts = starts_of(tokens)
    text = text or spaced_text(tokens, locale)
    for match in find_numbers(text, locale.decimal, locale.national):
        yield match, list(tokens_at(tokens, starts, match.start, match.end))


def spaced_text(tokens: Sequence[Token], locale: Locale) -> str:
    """Return the texts of tokens, joined by blanks, or by ``WIDE`` where the gap is wider."""
    joints = (" " if _is_blank(before, token, locale) else WIDE for before, token in pairwise(tokens))
    return "".join(part for token in tokens for part in (token.text, next(joints, "")))


def _is_blank(before: Token, token: Token, locale: Locale) -> bool:
    """Return whether the gap between two tokens is no wider than the blank between groups of digits.

    Where the decimal separator is a comma, it may be as wide as a digit, as it may in fonts of one width.
    """
    if token.top >= before.bottom:
        return False
    widest = _BLANK * (before.bottom - before.top)
    if locale.decimal == ",":
        widest = max(widest, _DIGITS_WIDE * (before.right - before.left) / len(before.text))
    return token.left - before.right < widest or (locale.spaced and is_letter_space(before, token))
