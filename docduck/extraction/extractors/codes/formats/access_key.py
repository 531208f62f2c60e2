"""Access keys of Brazilian electronic fiscal documents: NF-e, NFC-e, CT-e, MDF-e and others.

Source: Manual de Orientação do Contribuinte, 2.2.6: 44 characters: state, year and month, issuer, model,
series, number, kind of issue, random code, and a check digit modulo 11. The issuer's number may have letters
since 2026.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from docduck.extraction.extractors.codes.formats.check_digits import mod11_rest

LENGTH = 44
_KEY = re.compile(
    r"([0-9]{2})([0-9]{2})([0-9]{2})([0-9A-Z]{12}[0-9]{2})([0-9]{2})([0-9]{3})([0-9]{9})[0-9]{10}"
)
_IN_URL = re.compile(r"(?<![0-9A-Z])[0-9]{6}[0-9A-Z]{12}[0-9]{26}(?![0-9A-Z])")
_MOST_CHARACTERS = 2000
MODELS = {
    "55": "NF-e", "57": "CT-e", "58": "MDF-e", "62": "NFCom", "63": "BP-e", "64": "GTV-e", "65": "NFC-e",
    "66": "NF3e", "67": "CT-e OS",
}  # fmt: skip
"""The documents by their model."""
_STATES = {
    "11": "RO", "12": "AC", "13": "AM", "14": "RR", "15": "PA", "16": "AP", "17": "TO", "21": "MA",
    "22": "PI", "23": "CE", "24": "RN", "25": "PB", "26": "PE", "27": "AL", "28": "SE", "29": "BA",
    "31": "MG", "32": "ES", "33": "RJ", "35": "SP", "41": "PR", "42": "SC", "43": "RS", "50": "MS",
    "51": "MT", "52": "GO", "53": "DF",
}  # fmt: skip
"""The federal units by their code of IBGE."""
_OF_PERSONS = range(920, 970)
"""Series whose issuer is a person, whose CPF fills the issuer's number from the right."""


@dataclass(frozen=True, slots=True)
class AccessKey:
    """A fiscal document as its key names it; ``issuer`` is a CNPJ, None if a person issued it.

    ``series`` and ``number`` have no leading zeros.
    """

    key: str
    state: str
    year: int
    month: int
    issuer: str | None
    model: str
    series: str
    number: str


def parse_access_key(text: str, *, checked: bool = True) -> AccessKey | None:
    """Return the key that a text without blanks is; None if it is none.

    With ``checked``, a key with a wrong check digit is none.
    """
    match = _KEY.fullmatch(text)
    if match is None:
        return None
    state, year, month, issuer, model, series, number = match.groups()
    rest = mod11_rest([ord(char) - ord("0") for char in text[:-1]])
    if checked and int(text[-1]) != (0 if rest < 2 else 11 - rest):
        return None
    if state not in _STATES or model not in MODELS or not 1 <= int(month) <= 12:
        return None
    return AccessKey(
        key=text,
        state=_STATES[state],
        year=2000 + int(year),
        month=int(month),
        issuer=None if int(series) in _OF_PERSONS else issuer,
        model=model,
        series=str(int(series)),
        number=str(int(number)),
    )


def key_of_code(text: str) -> AccessKey | None:
    """Return the key that a bar code is, or that the address of a QR code has; None without one."""
    for match in _IN_URL.finditer(text[:_MOST_CHARACTERS]):
        if key := parse_access_key(match[0]):
            return key
    return None
