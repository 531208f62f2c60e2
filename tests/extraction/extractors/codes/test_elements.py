"""Which elements fields ask for, and documents of any text."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docduck.extraction.extractors.codes.code_fields import barcodes_wanted
from docduck.extraction.extractors.codes.elements import asked_elements
from docduck.extraction.extractors.codes.elements_reader import read_elements
from docduck.extraction.extractors.codes.extractor import CodesExtractor
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.lexicon import concepts, scalar_concepts
from docduck.extraction.options import ExtractOptions
from docduck.fields import Field
from tests.extraction.extractors.codes.papers import paper


def asked(**types: str) -> dict[str, list[str]]:
    fields = [
        Field.model_validate({"name": name.replace("_", " "), "type": type_}) for name, type_ in types.items()
    ]
    return asked_elements([query_of(field) for field in fields])


def test_a_field_asks_by_its_name() -> None:
    assert asked(Passport_number="text") == {"Passport number": ["holder_number"]}
    assert asked(Scadenza="date") == {"Scadenza": ["holder_expiry_date", "bill_due_date"]}
    assert asked(Supplier_Number="text", Insurance_expiry_date="date", Passport_number="date") == {}


def test_a_bare_name_asks_beside_others() -> None:
    assert asked(Nom="text", Prénoms="text")["Nom"] == ["holder_surname"]
    assert asked(Nom="text", Date_de_naissance="date")["Nom"] == ["holder_name"]
    assert "Numéro" not in asked(Numéro="text", Sexe="text")
    assert asked(Numéro="text", Sexe="text", Prénoms="text")["Numéro"] == ["holder_number"]


def test_the_labels_of_a_field_ask_if_its_name_does_not() -> None:
    field = Field.model_validate({"name": "Doc", "type": "text", "labels": ["Passport No", "Number"]})
    assert asked_elements([query_of(field)]) == {"Doc": ["holder_number"]}


def test_scans_are_searched_for_the_codes_of_elements() -> None:
    assert barcodes_wanted([Field.model_validate({"name": "Batch number", "type": "text"})]) == "pictures"
    assert barcodes_wanted([Field.model_validate({"name": "Address", "type": "text"})]) == "none"


def test_elements_are_like_concepts_that_exist() -> None:
    alike = {element.alike for element in concepts("elements").values()} - {None}
    assert alike <= scalar_concepts().keys()


EVERY = [
    query_of(Field.model_validate({"name": element.replace("_", " "), "type": type_}))
    for element, type_ in product(concepts("elements"), ("text", "date", "number"))
]
PIECES = st.sampled_from(
    [
        "P<UTO",
        "<<",
        "L898902C36UTO7408122F1204159",
        "(00)",
        "(10)",
        "@\n\x1e\rANSI 636000090002DL",
        "DAQ1\n",
        "3520",
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=12).map("".join)


@settings(max_examples=50, deadline=None)
@given(st.lists(TEXTS, max_size=4), st.lists(TEXTS, max_size=3))
def test_any_document_is_read(lines: list[str], codes: list[str]) -> None:
    page = paper(
        *((text, 0.1, 0.1 * at) for at, text in enumerate(lines) if text.split()),
        codes=tuple(("QRCode", text) for text in codes),
    )
    CodesExtractor().find(page, EVERY, ExtractOptions())


@pytest.mark.parametrize("kind", ["holder", "goods", "bill", "fiscal"])
def test_every_kind_of_document_has_a_reader(kind: str) -> None:
    elements = [name for name in concepts("elements") if name.startswith(f"{kind}_")]
    assert elements
    assert read_elements(paper(), elements, date(2026, 6, 1))[0] == {}
