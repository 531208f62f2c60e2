"""Registration numbers are told apart by whose line shows them, and by what the field calls them."""

from __future__ import annotations

from docduck.extraction.fields.field_query import query_of
from docduck.extraction.fields.registrations import asked_side, is_registration_label
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


def test_labels_say_nothing_else() -> None:
    assert is_registration_label("CIF")
    assert not is_registration_label("Daňový doklad č.")
