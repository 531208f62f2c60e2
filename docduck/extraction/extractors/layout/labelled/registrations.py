"""Numbers that register a party, such as a VAT number, told apart by whose line or block shows them."""

from __future__ import annotations

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.labelled.places import COUNTRY, Place
from docduck.extraction.extractors.layout.parties.sides import side_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.meanings import meanings_of
from docduck.extraction.fields.registrations import (
    asked_side,
    is_registration_label,
    is_same_registration,
    says_addressee,
)
from docduck.extraction.normal_text import key
from docduck.extraction.reading import reading_of

_FOOTER = 0.5
"""Probability from which a line belongs to the letterhead or footer of who issues the document."""
_SPELLED, _MEANT = 1.0, 0.8
"""Match of a label that the field's name repeats, and of one that means the same."""
_ANYBODY = 0.9
"""Factor for a place that is in nobody's block."""
_OTHER = 0.4
"""Factor for a place in the other party's block."""


def registration_score(query: FieldQuery, place: Place, analysis: DocumentAnalysis) -> float:
    """Return how much a place shows the registration number that a field asks for, 0–1."""
    side, addressed, label = asked_side(query), says_addressee(place.label), place.label
    if COUNTRY.fullmatch(place.tokens[0].text) and meanings_of(label) == {"tax"}:
        label = f"{label} no"
    if side is None or not (addressed or is_registration_label(label)):
        return 0.0
    if not is_same_registration(query.name, label) or is_of_other(query, place):
        return 0.0
    names = {key(word) for word in query.name.split()}
    match = _SPELLED if key(place.label) in names else _MEANT
    shown = "buyer" if addressed else _side(place, analysis)
    return match * (1.0 if shown == side else _ANYBODY if shown is None else _OTHER)


def is_of_other(query: FieldQuery, place: Place) -> bool:
    """Return whether a field asks for the issuer's number and a label announces the addressee's."""
    return asked_side(query) == "seller" and says_addressee(place.label)


def _side(place: Place, analysis: DocumentAnalysis) -> str | None:
    """Return the side of the party whose line or block a place is in."""
    segment = place.segment
    reading = reading_of(place.page)
    if reading.kind(segment.index, "furniture") + reading.role(segment.index, "sender line") >= _FOOTER:
        return "seller"
    return side_of(segment, analysis.label_index(segment))
