"""Check digits of the standards that codes follow."""

from __future__ import annotations

from collections.abc import Sequence

_ICAO_WEIGHTS = (7, 3, 1)


def icao_check(text: str) -> int:
    """Return the check digit of ICAO Doc 9303 part 3, 4.9: ``A`` is 10, ``Z`` 35 and ``<`` 0."""
    return sum(_icao_value(char) * _ICAO_WEIGHTS[at % 3] for at, char in enumerate(text)) % 10


def _icao_value(char: str) -> int:
    return int(char, 36) if char.isascii() and char.isalnum() else 0


def gs1_check(digits: str) -> int:
    """Return the check digit of the GS1 General Specifications, 7.9.1: weights 3 and 1 from the right."""
    return -sum(int(digit) * (3 - at % 2 * 2) for at, digit in enumerate(reversed(digits))) % 10


def mod10(digits: str) -> int:
    """Return FEBRABAN's check digit modulo 10: weights 2 and 1 from the right, products by their digits."""
    total = 0
    for at, digit in enumerate(reversed(digits)):
        product = int(digit) * (2 - at % 2)
        total += product // 10 + product % 10
    return -total % 10


def mod11_rest(values: Sequence[int]) -> int:
    """Return the sum modulo 11 with weights 2 to 9 from the right, which start again after 9."""
    return sum(value * (2 + at % 8) for at, value in enumerate(reversed(values))) % 11
