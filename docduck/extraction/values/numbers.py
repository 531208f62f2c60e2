"""Numbers and amounts of money in the usual national forms, and which of them are negative.

``1.234,56``, ``1,234.56``, ``1 234,56`` and ``1'234.56`` are the same number. A trailing minus and
parentheses are negative signs. A currency sign or ISO 4217 code may precede or follow.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from docduck.extraction.values.currencies import CURRENCY_MARK

_SPACES = " \u00a0\u202f\u2009"
_BODY = (
    r"\d{1,3}(?:[.,'’" + _SPACES + r"]\d{3})+(?:[.,]\d{1,6})?"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?"
    r"|\d+(?:[.,]\d{1,6})?|[.,]\d{1,4}"
)
_WHOLE = re.compile(
    rf"(?P<open>\()?(?P<sign>[-−–+])?\s?(?:{CURRENCY_MARK})?\s?(?P<within>\()?(?P<inner>[-−–+])?\s?(?P<body>{_BODY})"
    rf"(?P<dash>,[-–—]+|\.[-–—]+)?\s?(?P<after>[-−–])?\s?(?:{CURRENCY_MARK})?\s?(?P<trail>[-−–])?(?P<close>\))?",
    re.IGNORECASE,
)


def parse_digits(body: str, decimal: str | None = None) -> Decimal | None:
    """Return the value of digits with separators; ``decimal`` is the document's decimal separator, if known.

    One separator before exactly three digits (``1.234``) is a decimal separator only if it is ``decimal``.
    All other forms are unambiguous.
    """
    digits = re.sub(rf"['’{_SPACES}]", "", body)
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        last = "." if digits.rfind(".") > digits.rfind(",") else ","
        digits = digits.replace("," if last == "." else ".", "")
        if digits.count(last) > 1:
            return None
        digits = digits.replace(last, ".")
    elif points > 1 or commas > 1:
        digits = digits.replace(".", "").replace(",", "")
    elif points or commas:
        mark = "." if points else ","
        whole, _, fraction = digits.partition(mark)
        grouped = len(fraction) == 3 and whole not in ("", "0") and len(whole) <= 3
        digits = whole + fraction if grouped and decimal != mark else f"{whole or '0'}.{fraction}"
    try:
        return Decimal(digits)
    except InvalidOperation:
        return None


def parse_number(text: str, decimal: str | None = None) -> Decimal | None:
    """Return the number that ``text`` as a whole is, None if it is anything else."""
    match = _WHOLE.fullmatch(text.strip())
    if match is None:
        return None
    value = parse_digits(match["body"], decimal)
    if value is None:
        return None
    signs = sum(1 for name in ("sign", "inner", "after", "trail") if (match[name] or "") in ("-", "−", "–"))
    negative = signs % 2 == 1 or bool((match["open"] or match["within"]) and match["close"])
    return -value if negative else value


def decimals(text: str) -> int:
    """Return the number of digits after the last possible decimal separator, 0 if there is none."""
    match = re.search(r"[.,](\d{1,6})\D*$", text)
    return len(match[1]) if match else 0


def as_json_number(value: Decimal) -> float | int:
    """Return an int if the value is whole, else a float."""
    return int(value) if value == value.to_integral_value() else float(value)
