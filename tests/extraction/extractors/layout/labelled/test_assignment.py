"""Fields choose from the page's reading: names, contexts, whole values, and each place for one field."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.document import Box, Document, Page, Word
from docduck.documents.geometry.lines import build_lines
from docduck.extraction.extractors.layout.labelled.name_match import NameMatch
from docduck.extraction.extractors.layout.labelled.places import Place, label_text, places_of
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.fields.issuers import is_issuer
from docduck.extraction.page.page_view import views_of
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, FieldType


def field(name: str, kind: FieldType = FieldType.TEXT) -> Field:
    """A field of a type."""
    return Field(name=name, type=kind)


def document(*words: tuple[float, float, str], size: float = 10) -> Document:
    """A page of A4 with words at (left, top) in points."""
    some = [
        Word(text, Box(x / 595, y / 842, len(text) * size * 0.5 / 595, size * 1.1 / 842))
        for x, y, text in words
    ]
    return Document("application/pdf", [Page(1, 595, 842, build_lines(some, 595, 842))], 1)


def spread(x: float, y: float, text: str) -> list[tuple[float, float, str]]:
    """The words of a line that begins at (x, y)."""
    found = []
    for word in text.split():
        found.append((x, y, word))
        x += 5 * len(word) + 3
    return found


PAYSLIP = document(
    *spread(60, 60, "Otterburn Mill"), *spread(420, 60, "PAYSLIP"),
    *spread(60, 110, "Employee"), *spread(180, 110, "Pers.nr."), *spread(300, 110, "Period"),
    *spread(460, 110, "Pay date"),
    *spread(60, 124, "Ximena Torres"), *spread(180, 124, "TF 20 4418"),
    *spread(300, 124, "01/04/2024 - 30/04/2024"), *spread(460, 124, "26/04/2024"),
    *spread(60, 200, "Total gross"), *spread(460, 200, "2,496.75"),
    *spread(60, 216, "NET PAY"), *spread(460, 216, "1,967.41"),
)  # fmt: skip


def values(source: Document, *fields: Field) -> dict[str, Any]:
    """The values of fields in a document."""
    return extract_document(source, fields).data


def test_periods_groups_and_abbreviations() -> None:
    found = values(
        PAYSLIP,
        field("Employee"),
        field("Personeelsnummer"),
        field("Début de période", FieldType.DATE),
        field("Fin de période", FieldType.DATE),
        field("Gross pay", FieldType.CURRENCY),
    )
    assert found == {
        "Employee": "Ximena Torres",
        "Personeelsnummer": "TF 20 4418",
        "Début de période": "2024-04-01",
        "Fin de période": "2024-04-30",
        "Gross pay": 2496.75,
    }


def match(name: str, label: str, context: str = "", *others: str) -> float:
    """How much a label names a field, among others."""
    place = Place(label, views_of(PAYSLIP).segments[0].tokens, 1.0, context)
    queries = [query_of(field(one)) for one in (name, *others)]
    return NameMatch(queries).score(queries[0], place)


@pytest.mark.parametrize(
    ("name", "label", "context"),
    [
        ("Numer CMR", "CMR", ""),
        ("Folio number", "Folio", ""),
        ("Registreringsnummer", "Reg.nr", ""),
        ("Bill of Lading", "BOL", ""),
        ("CRO/TRN", "TRN", ""),
        ("Ort", "ORT / LIEU", ""),
        ("Factuurnummer", "Nummer", "FACTUUR"),
        ("Lectura anterior", "Anterior", "LECTURAS DEL CONTADOR"),
        ("Potencia contratada (kW)", "Potencia contratada", ""),
    ],
)
def test_labels_that_name_a_field(name: str, label: str, context: str) -> None:
    assert match(name, label, context) >= 0.6


@pytest.mark.parametrize(
    ("name", "label"),
    [("Employer", "Employee"), ("Leverantör", "Leveranssätt"), ("Date", "Delivery date"),
     ("Contract number", "Contact"), ("Advertiser", "Advertiser code")],
)  # fmt: skip
def test_labels_of_something_else(name: str, label: str) -> None:
    assert match(name, label) < 0.65


def test_the_role_in_the_context_decides_between_fields_of_one_concept() -> None:
    right = match("IBAN ordinante", "IBAN", "ORDINANTE", "IBAN beneficiario")
    assert right > match("IBAN ordinante", "IBAN", "BENEFICIARIO", "IBAN beneficiario")


def test_a_label_without_its_number_and_note() -> None:
    assert label_text("16 Przewoźnik (nazwisko lub nazwa, adres, kraj)") == "Przewoźnik"
    assert label_text("Betreft factuur:") == "Betreft factuur"


def test_a_segment_is_divided_into_label_and_value() -> None:
    page = views_of(document(*spread(300, 100, "Kundennummer: 10442"), *spread(60, 60, "Rechnung"))).pages[0]
    assert ("Kundennummer", "10442") in {
        (one.label, " ".join(token.text for token in one.tokens)) for one in places_of(page)
    }


@pytest.mark.parametrize("name", ["Travel agency", "Autowerkstatt", "Uitzendbureau", "Szkoła", "Hotel"])
def test_fields_that_ask_for_the_issuer(name: str) -> None:
    assert is_issuer(query_of(field(name)))


@pytest.mark.parametrize("name", ["Customer", "Remarks", "Hotel guest name and room"])
def test_fields_that_ask_for_something_else(name: str) -> None:
    assert not is_issuer(query_of(field(name)))
