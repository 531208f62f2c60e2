"""What machine-readable zones and the codes of driving licences state about their holder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from docduck.documents.document import Document
from docduck.extraction.extractors.codes.formats.aamva import DrivingLicence, parse_licence
from docduck.extraction.extractors.codes.formats.mrz import MachineReadableZone
from docduck.extraction.extractors.codes.statement import Statement
from docduck.extraction.result import Location

_ALL_AGREE, _SOME_AGREE = 0.98, 0.85
"""Confidence of elements with a check digit of their own: if all of the zone agree, and if others do not."""
_UNCHECKED = 0.96, 0.75
"""The same of elements that no check digit covers."""
_UNPRINTED_NAME = 0.7
_LICENCE = 0.97
"""Confidence of a decoded code, whose own error correction covers every element."""
_UNPRINTED_LICENCE = 0.85


def zone_statements(zones: Sequence[tuple[MachineReadableZone, Location]]) -> Iterator[Statement]:
    """Yield what the zone of one paper states; nothing if zones have several numbers."""
    if len({zone.number for zone, _ in zones}) != 1:
        return
    zone, place = max(zones, key=lambda one: one[0].is_whole)
    checked = _ALL_AGREE if zone.is_whole else _SOME_AGREE
    unchecked = _UNCHECKED[0] if zone.is_whole else _UNCHECKED[1]

    def state(
        element: str, value: str | date | None, sure: float, unprinted: float, *, may_go_on: bool = False
    ) -> Iterator[Statement]:
        if value is not None:
            yield Statement(f"holder_{element}", value, place, sure, min(sure, unprinted), may_go_on)

    yield from state("number", zone.number, checked, 0.9)
    yield from state("birth_date", zone.birth_date, checked, checked)
    yield from state("expiry_date", zone.expiry_date, checked, checked)
    yield from state("surname", zone.surname, unchecked, _UNPRINTED_NAME, may_go_on=zone.is_cut)
    yield from state("given_names", zone.given_names, unchecked, _UNPRINTED_NAME, may_go_on=zone.is_cut)
    if not zone.is_cut:
        names = [name for name in (zone.given_names, zone.surname) if name]
        yield from state("name", " ".join(names) or None, unchecked, _UNPRINTED_NAME)
    yield from state("sex", zone.sex, unchecked, 0.0)
    yield from state("nationality", zone.nationality, unchecked, 0.0)
    yield from state("issuing_state", zone.issuing_state, unchecked, 0.0)
    yield from state("personal_number", zone.optional, unchecked, 0.0)
    yield from state("zone", " ".join(zone.lines), checked, checked)


def licence_statements(document: Document) -> Iterator[Statement]:
    """Yield what the code of one driving licence states; nothing if codes have several numbers."""
    licences = [
        (licence, Location(page.number, code.box, code.text))
        for page in document.pages
        for code in page.barcodes
        if (licence := parse_licence(code.text))
    ]
    if len({licence.number for licence, _ in licences}) != 1:
        return
    licence, place = licences[0]
    for element, value in _licence_elements(licence):
        if value is not None:
            unprinted = _UNPRINTED_LICENCE if isinstance(value, str) else _LICENCE
            yield Statement(f"holder_{element}", value, place, _LICENCE, unprinted)
    if licence.height is not None:
        spellings = _heights(licence.height)
        yield Statement("holder_height", licence.height, place, _LICENCE, 0.0, spellings=spellings)


def _licence_elements(licence: DrivingLicence) -> Iterator[tuple[str, str | date | None]]:
    names = [name for name in (licence.given_names, licence.surname) if name]
    yield "number", licence.number
    yield "surname", licence.surname
    yield "given_names", licence.given_names
    yield "name", " ".join(names) or None
    yield "birth_date", licence.birth_date
    yield "expiry_date", licence.expiry_date
    yield "issue_date", licence.issue_date
    yield "sex", licence.sex
    yield "issuing_state", licence.country
    yield "address", licence.address
    yield "street", licence.street
    yield "city", licence.city
    yield "state", licence.state
    yield "postal_code", licence.postal_code
    yield "eyes", licence.eyes
    yield "class", licence.vehicle_class
    yield "restrictions", licence.restrictions
    yield "endorsements", licence.endorsements
    yield "discriminator", licence.discriminator


def _heights(coded: str) -> tuple[str, ...]:
    """Return how cards print a height that is coded in inches or centimetres."""
    number, _, unit = coded.partition(" ")
    if not (number.isascii() and number.isdecimal()) or len(number) > 3:
        return (coded,)
    if unit.lower() != "in":
        return (f"{int(number)} cm",)
    feet, inches = divmod(int(number), 12)
    return (f"{feet}'-{inches:02}\"", f"{feet}'{inches:02}\"", f"{feet}'-{inches}\"")
