"""Numbers and dates of spreadsheet cells, by their number format codes (ECMA-376 part 1, 18.8.31).

Numbers are written as in English: ``.`` before decimals, ``,`` between thousands, English names of months.
Dates whose order of day and month depends on the country (``m/d/yy``, ``dd-mm-yyyy``, and the built-in ones)
are written ISO 8601.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne
from typing import NamedTuple

BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '"$"#,##0', 6: '"$"#,##0',
    7: '"$"#,##0.00', 8: '"$"#,##0.00', 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
    20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0;-#,##0", 38: "#,##0;-#,##0",
    39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00", 41: "#,##0;-#,##0", 42: '"$"#,##0',
    43: "#,##0.00;-#,##0.00", 44: '"$"#,##0.00', 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0",
    48: "##0.0E+0", 49: "@",
    **dict.fromkeys((27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58), "yyyy-mm-dd"),
    32: "h:mm", 33: "h:mm:ss", **dict.fromkeys((34, 35, 55, 56), "[<1]h:mm:ss;yyyy-mm-dd"),
}  # fmt: skip
"""Format codes by the ids that files use without defining them (18.8.30).

From 27 to 36 and from 50 to 58 are dates of Chinese, Japanese and Korean; four of them are times in Chinese.
"""

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<pad>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<general>General)|(?P<half>AM/PM|A/P)|(?P<exponent>E[+-])|(?P<date>y+|m+|d+|h+|s+|b+|g+|e+)"
    r"|(?P<digit>[0#?]+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[\d.]+)$")
_COMPARISONS = {"<": lt, ">": gt, "=": eq, "<=": le, ">=": ge, "<>": ne}
_MAX_CODE = 255


_Condition = tuple[Callable[[float, float], bool], float]


class _Token(NamedTuple):
    kind: str
    text: str


class _Section(NamedTuple):
    tokens: tuple[_Token, ...]
    condition: _Condition | None


def format_number(value: float, code: str, epoch_1904: bool = False) -> str:
    """Return ``value`` in the format ``code``; ``epoch_1904`` counts days from 1904-01-01 instead of
    1899-12-30.
    """
    if not math.isfinite(value):
        return ""
    sections = _sections(code[:_MAX_CODE])
    section, positive = _section_for(sections, value)
    kinds = {token.kind for token in section.tokens}
    if "date" in kinds or "elapsed" in kinds:
        return _date(value, section.tokens, epoch_1904) or _general(value)
    if any(token.text == "@" and token.kind == "other" for token in section.tokens) and "digit" not in kinds:
        return _general(value)
    if not kinds & {"digit", "general"}:
        text = "".join(token.text for token in section.tokens if token.kind == "literal").strip()
        return text if section.tokens else ""
    if "general" in kinds:
        parts = (_general(abs(value)) if t.kind == "general" else t.text for t in section.tokens)
        text = "".join(parts)
    else:
        text = _number(abs(value), section.tokens)
    text = text.strip()
    return f"-{text}" if value < 0 and not positive and any(char in "123456789" for char in text) else text


def is_date_format(code: str) -> bool:
    """Return whether a format code shows a date or a time of day."""
    return any(token.kind in ("date", "elapsed") for token in _sections(code[:_MAX_CODE])[0].tokens)


def date_of(value: float, code: str, epoch_1904: bool = False) -> str:
    """Return the date, ISO 8601, of a cell whose format shows a part of it; nothing for other formats."""
    shows_date = any(
        t.kind == "date" and t.text[0] not in "hns" for t in _sections(code[:_MAX_CODE])[0].tokens
    )
    when = _moment(value, epoch_1904) if shows_date and value >= 1 else None
    return f"{when:%Y-%m-%d}" if when is not None else ""


@lru_cache(maxsize=512)
def _sections(code: str) -> tuple[_Section, ...]:
    sections: list[_Section] = []
    tokens: list[_Token] = []
    condition: _Condition | None = None
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup or "", match[match.lastgroup or 0]
        if kind == "other" and text == ";":
            sections.append(_Section(_resolved(tokens), condition))
            tokens, condition = [], None
        elif kind == "bracket":
            comparison = _CONDITION.match(text)
            if comparison:
                condition = _COMPARISONS[comparison[1]], float(comparison[2])
            elif text.startswith("$"):
                tokens.append(_Token("literal", text[1:].rpartition("-")[0] if "-" in text else text[1:]))
            elif text and set(text.lower()) in ({"h"}, {"m"}, {"s"}):
                tokens.append(_Token("elapsed", text.lower()))
        elif kind in ("quoted", "escaped"):
            tokens.append(_Token("literal", text))
        elif kind == "pad":
            tokens.append(_Token("literal", " "))
        elif kind != "fill":
            tokens.append(_Token(kind, text.lower() if kind == "date" else text))
    sections.append(_Section(_resolved(tokens), condition))
    return tuple(sections[:4])


def _resolved(tokens: list[_Token]) -> tuple[_Token, ...]:
    """Return the tokens with ``m`` resolved to month or minute, and letters without a code as literals."""
    dates = [i for i, token in enumerate(tokens) if token.kind in ("date", "elapsed")]
    settled = list(tokens)
    for at, i in enumerate(dates):
        token = tokens[i]
        if token.kind == "date" and token.text in ("m", "mm"):
            before = tokens[dates[at - 1]].text[0] if at else ""
            after = tokens[dates[at + 1]].text[0] if at + 1 < len(dates) else ""
            if before == "h" or after == "s":
                settled[i] = _Token("date", "n" * len(token.text))
    if any(token.kind == "digit" for token in tokens) and not any(
        t.text[:1] in "ymdhs" for t in tokens if t.text
    ):
        settled = [_Token("literal", t.text) if t.kind == "date" else t for t in settled]
    return tuple(settled)


def _section_for(sections: tuple[_Section, ...], value: float) -> tuple[_Section, bool]:
    """Return the section for ``value``, and whether it has a sign of its own."""
    if any(section.condition for section in sections):
        for section in sections:
            compare, limit = section.condition or (eq, value)
            if compare(value, limit):
                return section, False
        return sections[-1], False
    if value < 0 and len(sections) > 1:
        return sections[1], True
    if value == 0 and len(sections) > 2:
        return sections[2], False
    return sections[0], False


def _general(value: float) -> str:
    """Return up to 11 significant digits, without an exponent where that can be."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    if 1e-5 <= abs(value) < 1e11:
        digits = max(0, 10 - max(0, math.floor(math.log10(abs(value)))))
        return f"{_rounded(value, min(digits, 10)):f}".rstrip("0").rstrip(".")
    return f"{value:.5E}"


def _rounded(value: float, decimals: int) -> Decimal:
    try:
        return Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    except InvalidOperation:
        return Decimal(repr(value))


def _number(value: float, tokens: tuple[_Token, ...]) -> str:
    """Return a number by its digit places; a fraction is shown as a decimal."""
    places = [i for i, token in enumerate(tokens) if token.kind == "digit"]
    inside = tokens[places[0] : places[-1] + 1]
    if any(t.kind == "other" and t.text == "/" for t in inside):
        return _general(float(_rounded(value, 4)))
    point = next(
        (i for i, t in enumerate(tokens) if t.kind == "other" and t.text == "." and i > places[0] - 2), None
    )
    exponent = next((i for i, t in enumerate(tokens) if t.kind == "exponent"), None)
    whole = [i for i in places if (point is None or i < point) and (exponent is None or i < exponent)]
    decimals = [i for i in places if point is not None and point < i and (exponent is None or i < exponent)]
    last_whole = whole[-1] if whole else -1
    value *= 100 ** sum(t.kind == "other" and t.text == "%" for t in tokens)
    scaling = 0
    for token in tokens[places[-1] + 1 :] if not decimals else tokens[last_whole + 1 : point]:
        if token.kind != "other" or token.text != ",":
            break
        scaling += 1
    value /= 1000**scaling
    pattern = "".join(tokens[i].text for i in decimals)
    if exponent is not None:
        return _scientific(value, tokens, pattern)
    text = f"{_rounded(value, len(pattern)):f}"
    integer, _, fraction = text.partition(".")
    fraction = _trimmed(fraction, pattern)
    grouped = any(
        t.kind == "other" and t.text == "," for t in (tokens[whole[0] : last_whole + 1] if whole else ())
    )
    return _filled(tokens, whole, decimals, point, integer, fraction, grouped)


def _trimmed(fraction: str, pattern: str) -> str:
    """Return decimals without the zeros that ``#`` and ``?`` leave out."""
    while fraction and fraction[-1] == "0" and pattern[len(fraction) - 1] in "#?":
        fraction = fraction[:-1]
    return fraction


def _filled(
    tokens: tuple[_Token, ...],
    whole: list[int],
    decimals: list[int],
    point: int | None,
    integer: str,
    fraction: str,
    grouped: bool,
) -> str:
    """Return the tokens with digits in their places, counted from the decimal point."""
    least = sum(tokens[i].text.count("0") for i in whole)
    integer = "" if integer == "0" and not least else integer.rjust(least, "0")
    if grouped and integer:
        integer = f"{int(integer):,}".rjust(least, "0")
    texts: dict[int, str] = {}
    for i in reversed(whole):
        size = len(tokens[i].text)
        if i == whole[0] or grouped:
            texts[i], integer = (integer, "") if i == whole[0] else ("", integer)
        else:
            texts[i], integer = integer[-size:], integer[:-size]
    for i in decimals:
        size = len(tokens[i].text)
        texts[i], fraction = fraction[:size], fraction[size:]
    parts: list[str] = []
    for i, token in enumerate(tokens):
        if token.kind == "digit":
            parts.append(texts.get(i, ""))
        elif i == point:
            parts.append("." if any(texts.get(d) for d in decimals) else "")
        elif token.kind == "other" and token.text == ",":
            continue
        elif not (token.kind == "other" and token.text == "@"):
            parts.append(token.text)
    return "".join(parts)


def _scientific(value: float, tokens: tuple[_Token, ...], pattern: str) -> str:
    before = "".join(t.text for t in tokens[: next(i for i, t in enumerate(tokens) if t.kind == "digit")])
    return before + f"{value:.{len(pattern)}E}"


def _moment(value: float, epoch_1904: bool = False) -> datetime | None:
    """Return the date and time of a day number, to the millisecond; None outside of the calendar."""
    start = datetime(1904, 1, 1) if epoch_1904 else datetime(1899, 12, 31 if value < 60 else 30)
    try:
        return start + timedelta(milliseconds=round(value * 86_400_000))
    except OverflowError:
        return None


def _date(value: float, tokens: tuple[_Token, ...], epoch_1904: bool) -> str | None:
    when = _moment(value, epoch_1904)
    if when is None or (value < 0 and not epoch_1904):
        return None
    codes = [token.text for token in tokens if token.kind == "date"]
    halves = any(token.kind == "half" for token in tokens)
    if _is_ambiguous(tokens):
        rest = [c for c in codes if c[0] in "hns"]
        time = when.strftime("%H:%M:%S" if any(c[0] == "s" for c in rest) else "%H:%M")
        return f"{when:%Y-%m-%d} {time}" if rest else f"{when:%Y-%m-%d}"
    if not any(code[0] == "s" for code in codes):
        when += timedelta(seconds=when.microsecond >= 500_000)
    parts: list[str] = []
    for at, token in enumerate(tokens):
        if token.kind == "date":
            parts.append(_date_part(token.text, when, halves))
        elif token.kind == "elapsed":
            seconds = round(value * 86400)
            count = seconds // {"h": 3600, "m": 60, "s": 1}[token.text[0]]
            parts.append(str(count).rjust(len(token.text), "0"))
        elif token.kind == "half":
            parts.append("AM" if when.hour < 12 else "PM")
        elif token.kind == "digit":
            decimal = at and tokens[at - 1].text == "."
            parts.append(f"{when.microsecond:06d}"[: len(token.text)] if decimal else "")
        elif token.text != "@":
            parts.append(token.text)
    return "".join(parts).strip()


def _is_ambiguous(tokens: tuple[_Token, ...]) -> bool:
    """Return whether day and month are numbers in an order that depends on the country."""
    dates = [(i, t.text) for i, t in enumerate(tokens) if t.kind == "date" and t.text[0] in "ymd"]
    order = "".join(text[0] for _, text in dates)
    if order not in ("mdy", "dmy", "md", "dm") or any(len(text) > 2 for _, text in dates if text[0] in "md"):
        return False
    between = "".join(t.text for t in tokens[dates[0][0] : dates[1][0]] if t.kind in ("other", "literal"))
    return order.endswith("y") and ("/" in between or "-" in between)


def _date_part(code: str, when: datetime, halves: bool) -> str:
    kind, size = code[0], len(code)
    if kind in "ye":
        return f"{when.year:04d}" if size > 2 or kind == "e" else f"{when.year % 100:02d}"
    if kind == "m" and size > 2:
        name = _MONTHS[when.month - 1]
        return name[0] if size == 5 else name[:3] if size == 3 else name
    if kind == "d" and size > 2:
        name = _DAYS[when.weekday()]
        return name[:3] if size == 3 else name
    hour = (when.hour % 12 or 12) if halves else when.hour
    number = {"m": when.month, "d": when.day, "h": hour, "n": when.minute, "s": when.second}.get(kind)
    if number is None:
        return ""
    return f"{number:02d}" if size > 1 else str(number)
