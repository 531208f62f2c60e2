"""The application identifiers of GS1 that are known, with the form of their values.

Source: GS1 General Specifications, figure 3.2-1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_CHARACTERS = r"[!\"%-?A-Z_a-z]"
"""Character set 82."""
_WITH_CHECK = frozenset(
    {"00", "01", "02", "03", "402", "410", "411", "412", "413", "414", "415", "416", "417"}
)
_DATES = frozenset({"11", "12", "13", "15", "16", "17"})
_MEASURE = re.compile(r"3[1-6][0-9][0-5]")
"""Measures of six digits; the fourth digit of their identifier is the number of decimals."""
_AMOUNT = re.compile(r"39[0-4][0-9]")
"""Amounts of up to eighteen digits."""
_FIXED = {
    "00": 18, "01": 14, "02": 14, "03": 14, "20": 2, "402": 17, "422": 3, "424": 3, "426": 3, "7003": 10,
    "8005": 6, "8006": 18, "8017": 18, "8018": 18, **dict.fromkeys(_DATES, 6),
    **{str(number): 13 for number in range(410, 418)},
}  # fmt: skip
"""Identifiers whose values are so many digits."""
_UP_TO_DIGITS = {"30": 8, "37": 8}
_UP_TO = {
    "10": 20, "21": 20, "22": 20, "235": 28, "240": 30, "241": 30, "243": 20, "250": 30, "251": 30, "254": 20,
    "400": 30, "401": 30, "403": 30, "420": 20, "421": 12, "710": 20, "711": 20, "712": 20, "713": 20,
    "714": 20, "715": 20, "8020": 25, "8200": 70, **{str(number): 90 for number in range(90, 100)},
}  # fmt: skip
"""Identifiers whose values have up to so many characters."""
_WITHOUT_SEPARATOR = frozenset(
    {"00", "01", "02", "03", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20"}
)
_LONGEST = 4


@dataclass(frozen=True, slots=True)
class Identifier:
    """An application identifier; ``length`` is the most characters of its values.

    ``predefined``: the length needs no separator behind it.
    """

    code: str
    length: int
    fixed: bool
    digits: bool
    predefined: bool
    checked: bool

    def allows(self, value: str) -> bool:
        """Return whether a value has this form, apart from its check digit."""
        return _form(self.length, self.fixed, self.digits).fullmatch(value) is not None


@cache
def _form(length: int, fixed: bool, digits: bool) -> re.Pattern[str]:
    count = f"{{{length}}}" if fixed else f"{{1,{length}}}"
    return re.compile(("[0-9]" if digits else _CHARACTERS) + count)


def identifier_at(text: str, at: int) -> Identifier | None:
    """Return the identifier that a text has at a place; no identifier begins another."""
    for size in range(2, _LONGEST + 1):
        if found := identifier_of(text[at : at + size]):
            return found
    return None


def identifier_of(code: str) -> Identifier | None:
    """Return the identifier of this code; None if it isn't known."""
    if _MEASURE.fullmatch(code):
        return Identifier(code, 6, True, True, True, False)
    if _AMOUNT.fullmatch(code):
        return Identifier(code, 18, False, True, False, False)
    if length := _FIXED.get(code):
        ends_itself = code in _WITHOUT_SEPARATOR or code[:2] == "41"
        return Identifier(code, length, True, True, ends_itself, code in _WITH_CHECK)
    if length := _UP_TO_DIGITS.get(code):
        return Identifier(code, length, False, True, False, False)
    if length := _UP_TO.get(code):
        return Identifier(code, length, False, False, False, False)
    return None
