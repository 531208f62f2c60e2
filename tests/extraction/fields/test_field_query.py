from __future__ import annotations

from docduck.extraction.fields.field_query import query_of
from docduck.extraction.fields.phrases import Description
from docduck.fields import Field, FieldType

LINES = Field(
    name="Line Items",
    type=FieldType.TABLE,
    columns=(Field(name="Description"), Field(name="Unit Price", type=FieldType.CURRENCY)),
)


def test_columns_mean_concepts_of_columns() -> None:
    assert [c.concept.name for c in query_of(LINES).columns if c.concept] == ["description", "unit_price"]


def test_names_are_compared_without_spelling() -> None:
    query = query_of(Field(name="invoiceNumber", labels=("Rechnungs-Nr.",)))
    assert query.title.words == ("invoice", "number")
    assert query.keys == {"invoicenumber", "rechnungsnr"}
    assert query.weight("invoicenumber") == 1.0
    assert query.weight("rechnungsnr") == 1.0
    assert query.weight("lieferschein") == 0.0


def test_the_currency_behind_the_name_of_an_amount_is_none_of_its_words() -> None:
    total = query_of(Field(name="Total (SGD)", type=FieldType.CURRENCY))
    assert total.concept is not None and total.concept.name == "grand_total"
    assert query_of(Field(name="EUR", type=FieldType.CURRENCY)).title.words == ("eur",)
    assert query_of(Field(name="Account USD")).title.words == ("account", "usd")


def test_the_parts_of_a_description() -> None:
    text = "Name of the (main) tenant, such as a firm. Who rents; empty if none"
    parts = Description(text)
    assert parts.whole.text == text
    assert parts.headline.text == "Name of the (main) tenant, such as a firm. Who rents"
    assert parts.sentence.words == ("name", "of", "the", "tenant", "such", "as", "a", "firm")
    assert parts.clause.text == "Name of the"
    assert parts.noun_phrase.words == ("name", "of", "the", "tenant")
    assert Description("").noun_phrase.words == ()
