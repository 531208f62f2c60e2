"""Bank identifiers: IBAN (ISO 13616) and BIC (ISO 9362)."""

from __future__ import annotations

import re

# Total length of an IBAN by country, from the registry of ISO 13616.
LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "BA": 20, "BE": 16, "BG": 22, "BR": 29, "CH": 21,
    "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20, "ES": 24, "FI": 18, "FO": 18,
    "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IS": 26, "IT": 27, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MD": 24,
    "ME": 22, "MK": 19, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "RO": 24, "RS": 22,
    "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TR": 26, "UA": 29, "XK": 20,
}  # fmt: skip

_NUMERIC = frozenset({
    "AE", "AT", "BA", "BE", "CZ", "DE", "DK", "EE", "ES", "FI", "HR", "HU", "IL", "IS", "LT", "ME", "NO",
    "PL", "PT", "RS", "SE", "SI", "SK", "XK",
})  # fmt: skip
"""Countries whose IBAN has only digits after the country code."""
_MISREAD = str.maketrans("ODQISBZ", "0001582")
IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\s?[\dODQISBZ]{2}(?:\s?[A-Z0-9]){10,30}(?![A-Za-z0-9])")
MASKED_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[\dA-Z*•]{2,5}){2,}(?!\w)")
"""An IBAN in groups of which some may be hidden: "ES47 2095 **** **** **** 3381"."""
BIC = re.compile(r"(?<![A-Za-z0-9])[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![A-Za-z0-9])")


def iban_valid(iban: str) -> bool:
    """Return whether the check digits (ISO 7064 mod 97-10) and the country's length are right."""
    if LENGTHS.get(iban[:2]) != len(iban) or not (iban.isascii() and iban.isalnum()):
        return False
    return int("".join(str(int(c, 36)) for c in iban[4:] + iban[:4])) % 97 == 1


def find_ibans(text: str) -> list[tuple[int, int, str]]:
    """Return spans and compact values of strings in IBAN form; the checksum isn't checked.

    Groups of four may be separated by spaces. A longer run is cut to its country's length. OCR errors are
    corrected if the check digits then match.
    """
    ibans = []
    for match in IBAN.finditer(text):
        compact = re.sub(r"\s", "", match[0])
        length = LENGTHS.get(compact[:2])
        if length is None or len(compact) < min(length, 15):
            continue
        end = match.end()
        if len(compact) > length:
            seen = 0
            for offset, char in enumerate(match[0]):
                seen += not char.isspace()
                if seen == length:
                    end = match.start() + offset + 1
                    break
            compact = compact[:length]
        if not compact[2:4].isdigit() or (compact[:2] in _NUMERIC and not compact[4:].isdigit()):
            compact = compact[:2] + compact[2:].translate(_MISREAD)
            if not compact[2:].isdigit() or not iban_valid(compact):
                continue
        ibans.append((match.start(), end, compact))
    return ibans
