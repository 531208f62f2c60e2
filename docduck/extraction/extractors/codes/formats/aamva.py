"""Codes of North American driving licences and identity cards.

Source: AAMVA DL/ID Card Design Standard, annex D: a header with the issuer and the version, then elements of
three letters, one a line. Dates are MMDDCCYY in the United States, CCYYMMDD in Canada and in version 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from docduck.extraction.extractors.codes.formats.control_characters import with_controls

_MOST_CHARACTERS = 4000
_HEADER = re.compile(r"@\s{0,4}[\x1e\x1c]?\s{0,4}(?:ANSI |AAMVA)\s?([0-9]{6})([0-9]{2})")
_FIRST = re.compile(r"(?:DL|ID)(?=D[A-Z]{2})")
"""The kind of card before its first element."""
_ELEMENT = re.compile(r"D[A-Z]{2}")
_NOTHING = frozenset({"", "NONE", "UNAVL", "UNK", "N/A"})
_FULL_POSTAL_CODE = 9


@dataclass(frozen=True, slots=True)
class DrivingLicence:
    """What the code of a card states; what it leaves open is None. ``sex`` is F, M or X.

    ``state`` is that of the address. ``height`` is as coded ("070 in"), ``restrictions`` and ``endorsements``
    are codes.
    """

    number: str
    surname: str | None
    given_names: str | None
    birth_date: date | None
    expiry_date: date | None
    issue_date: date | None
    sex: str | None
    street: str | None
    city: str | None
    state: str | None
    postal_code: str | None
    country: str | None
    height: str | None
    eyes: str | None
    vehicle_class: str | None
    restrictions: str | None
    endorsements: str | None
    discriminator: str | None

    @property
    def address(self) -> str | None:
        """The whole address in one line."""
        region = " ".join(part for part in (self.state, self.postal_code) if part)
        parts = [part for part in (self.street, self.city, region) if part]
        return ", ".join(parts) if len(parts) > 1 else None


def parse_licence(text: str) -> DrivingLicence | None:
    """Return the card of a code's text; None if it is none or has no number."""
    if text[:1] != "@" or len(text) > _MOST_CHARACTERS:
        return None
    plain = with_controls(text)
    header = _HEADER.match(plain)
    first = _FIRST.search(plain, header.end()) if header else None
    if header is None or first is None:
        return None
    elements = _elements(plain[first.end() :])
    number = elements.get("DAQ")
    if number is None:
        return None
    year_first = elements.get("DCG") == "CAN" or header[2] == "01"
    surname, given = _names(elements)
    street = [elements[name] for name in ("DAG", "DAH") if name in elements]
    return DrivingLicence(
        number=number,
        surname=surname,
        given_names=given,
        birth_date=_date(elements.get("DBB"), year_first),
        expiry_date=_date(elements.get("DBA"), year_first),
        issue_date=_date(elements.get("DBD"), year_first),
        sex={"1": "M", "2": "F", "9": "X", "M": "M", "F": "F", "X": "X"}.get(elements.get("DBC", "")),
        street=", ".join(street) or None,
        city=elements.get("DAI"),
        state=elements.get("DAJ"),
        postal_code=_postal_code(elements.get("DAK")),
        country=elements.get("DCG"),
        height=elements.get("DAU"),
        eyes=elements.get("DAY"),
        vehicle_class=elements.get("DCA") or elements.get("DAR"),
        restrictions=elements.get("DCB") or elements.get("DAS"),
        endorsements=elements.get("DCD") or elements.get("DAT"),
        discriminator=elements.get("DCF"),
    )


def _elements(text: str) -> dict[str, str]:
    """Return the elements of the card's own part by name, without those that say that there is nothing."""
    found: dict[str, str] = {}
    for line in re.split(r"[\n\r]", text):
        value = " ".join(line[3:].split())
        if _ELEMENT.match(line) and value.upper() not in _NOTHING:
            found.setdefault(line[:3], value)
    return found


def _names(elements: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Return the surname and the given names; early versions have one element for all."""
    surname = elements.get("DCS") or elements.get("DAB")
    given = [elements[name] for name in ("DAC", "DAD") if name in elements] or [elements.get("DCT", "")]
    if surname is None and "DAA" in elements:
        surname, *given = (part.strip() for part in elements["DAA"].split(","))
    names = " ".join(part.replace(",", " ") for part in given)
    return surname or None, " ".join(names.split()) or None


def _date(text: str | None, year_first: bool) -> date | None:
    """Return a date of eight digits, in the other order if it is none in that of its country."""
    if text is None or not (text.isascii() and text.isdecimal()) or len(text) != 8:
        return None
    for order in (year_first, not year_first):
        year, month, day = (text[:4], text[4:6], text[6:]) if order else (text[4:], text[:2], text[2:4])
        if year[:2] in ("19", "20", "21"):
            try:
                return date(int(year), int(month), int(day))
            except ValueError:
                continue
    return None


def _postal_code(text: str | None) -> str | None:
    """Return a postal code; nine digits as the United States write them, without four zeros."""
    if text is None:
        return None
    digits = text.replace(" ", "").replace("-", "")
    if not (digits.isdecimal() and len(digits) == _FULL_POSTAL_CODE):
        return text
    return digits[:5] if digits.endswith("0000") else f"{digits[:5]}-{digits[5:]}"
