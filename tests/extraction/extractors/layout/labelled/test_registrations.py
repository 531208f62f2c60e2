"""Registration numbers are told apart by whose line shows them, and by what the field calls them."""

from __future__ import annotations

from docduck.extraction.extractors.layout.labelled.places import places_of
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.fields.registrations import asked_side
from docduck.extraction.page.page_view import text_of, views_of
from docduck.fields import Field, FieldType
from tests.extraction.extractors.layout.labelled.test_assignment import document, field, spread, values

BILL = document(
    *spread(60, 60, "Clínica Veterinaria Arga"),
    *spread(60, 110, "Responsable del animal"), *spread(300, 110, "Paciente"),
    *spread(60, 124, "Rosario Iturbe Lasa"), *spread(300, 124, "Kira"),
    *spread(60, 138, "DNI 15.937.204-K"),
    *spread(60, 200, "Importe"), *spread(460, 200, "229,50"),
    *spread(60, 800, "Clínica Veterinaria Arga, S.L.P. · CIF B-31882045 · Inscrita en Navarra"),
)  # fmt: skip


def side(name: str, type_: FieldType = FieldType.TEXT) -> str | None:
    """The side of the number that a field asks for."""
    return asked_side(query_of(Field(name=name, type=type_)))


def test_numbers_of_both_parties() -> None:
    found = values(BILL, field("CIF de la clínica"), field("DNI del cliente"))
    assert found == {"CIF de la clínica": "B-31882045", "DNI del cliente": "15.937.204-K"}


def test_whose_number_a_field_asks_for() -> None:
    assert side("P.IVA dell'autonoleggio") == side("SIRET du théâtre") == "seller"
    assert side("DNI del cliente") == "buyer"
    assert (
        side("Contribuinte do prestador") == side("Operator EIN") == side("Cod fiscal furnizor") == "seller"
    )
    assert side("CIF") is None
    assert side("Invoice number") is None
    assert side("CIF de la clínica", FieldType.NUMBER) is None


def test_a_label_may_name_its_party() -> None:
    receipt = document(
        *spread(60, 60, "RECIBO"), *spread(60, 110, "Data: 18-04-2024"),
        *spread(60, 130, "NIF cliente: 245 108 993"),
        *spread(60, 800, "Táxis do Sado, Lda · NIF 501 884 207"),
    )  # fmt: skip
    asked = ("NIF do passageiro", "Contribuinte do prestador")
    assert list(values(receipt, *map(field, asked)).values()) == ["245 108 993", "501 884 207"]


def test_the_country_belongs_to_the_number() -> None:
    bill = document(
        *spread(60, 60, "De Zaaimarkt"), *spread(60, 200, "Totaal"), *spread(460, 200, "229,50"),
        *spread(60, 800, "De Zaaimarkt B.V. · KvK 36 04 11 87 · btw NL 0081.62.447.B01 · info@zaaimarkt.nl"),
    )  # fmt: skip
    asked = "Btw-nr. leverancier"
    assert values(bill, field(asked)) == {asked: "NL 0081.62.447.B01"}


def test_a_number_behind_other_contact_data_of_its_line() -> None:
    order = document(
        *spread(60, 60, "GARAGE DU VIEUX PONT"),
        *spread(60, 80, "14, quai Jean-Bart 35600 REDON Tél. 02 99 55 40 12 SIRET 418 220 917 00024"),
    )  # fmt: skip
    (page,) = views_of(order).pages
    found = {text_of(place.tokens) for place in places_of(page) if place.label == "SIRET"}
    assert found == {"418 220 917 00024"}
