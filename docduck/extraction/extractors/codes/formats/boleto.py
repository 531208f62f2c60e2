"""Brazilian payment slips: boletos of banks, and bills of utilities and taxes (arrecadação).

Sources: FEBRABAN, "Layout padrão de arrecadação/recebimento com código de barras", and the Banco Central's
Carta Circular 2.926: bar code of 44 digits; typeable line of 47 digits (banks) or 48 (utilities).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from docduck.extraction.extractors.codes.formats.check_digits import mod10, mod11_rest

LENGTHS = (44, 47, 48)
_UTILITY = "8"
_BASE = date(1997, 10, 7)
_FIRST_FACTOR, _FACTORS = 1000, 9000
"""Factors count days from the base; after 9999, on 2025-02-21, they begin again at 1000."""
_BY_MOD10, _BY_MOD11 = "67", "89"
"""The third digit of utilities' codes: how check digits are computed, and whether the value is money."""
_MONEY = "68"


@dataclass(frozen=True, slots=True)
class Boleto:
    """A payment slip: ``barcode`` of 44 digits, ``line`` as typed; what it leaves open is None.

    ``bank`` is the code of three digits, None for utilities. ``due`` are the dates that the factor can mean,
    the earlier first.
    """

    barcode: str
    line: str
    bank: str | None
    amount: float | None
    due: tuple[date, ...]


def parse_boleto(digits: str) -> Boleto | None:
    """Return the slip of a typeable line or a bar code; None if it is none or a check digit is wrong."""
    if len(digits) not in LENGTHS or not (digits.isascii() and digits.isdecimal()):
        return None
    if digits[0] == _UTILITY:
        return _utility(digits)
    return _bank(digits)


def _bank(digits: str) -> Boleto | None:
    if len(digits) == 47:
        blocks = (digits[:9], digits[10:20], digits[21:31])
        if [mod10(block) for block in blocks] != [int(digits[at]) for at in (9, 20, 31)]:
            return None
        code = digits[:4] + digits[32:47] + digits[4:9] + digits[10:20] + digits[21:31]
    else:
        code = digits
    if len(code) != 44 or code[3] != "9" or int(code[4]) != _bank_check(code[:4] + code[5:]):
        return None  # The fourth digit is the currency: 9 is the real.
    free = code[19:]
    line = "".join(f"{block}{mod10(block)}" for block in (code[:4] + free[:5], free[5:15], free[15:]))
    cents = int(code[9:19])
    return Boleto(code, line + code[4:19], code[:3], cents / 100 if cents else None, _due(int(code[5:9])))


def _bank_check(digits: str) -> int:
    check = 11 - mod11_rest([int(digit) for digit in digits])
    return check if check in range(2, 10) else 1


def _due(factor: int) -> tuple[date, ...]:
    if factor < _FIRST_FACTOR:
        return ()
    first = _BASE + timedelta(days=factor)
    return (first, first + timedelta(days=_FACTORS))


def _utility(digits: str) -> Boleto | None:
    check = _utility_check_of(digits[2])
    if check is None or len(digits) == 47:
        return None
    code = digits
    if len(digits) == 48:
        blocks = [digits[at : at + 12] for at in range(0, 48, 12)]
        if any(str(check(block[:11])) != block[11] for block in blocks):
            return None
        code = "".join(block[:11] for block in blocks)
    if str(check(code[:3] + code[4:])) != code[3]:
        return None
    line = "".join(f"{code[at : at + 11]}{check(code[at : at + 11])}" for at in range(0, 44, 11))
    cents = int(code[4:15])
    return Boleto(code, line, None, cents / 100 if cents and code[2] in _MONEY else None, ())


def _utility_check_of(kind: str) -> Callable[[str], int] | None:
    if kind in _BY_MOD10:
        return mod10
    return _mod11 if kind in _BY_MOD11 else None


def _mod11(digits: str) -> int:
    rest = mod11_rest([int(digit) for digit in digits])
    return 0 if rest < 2 else 11 - rest
