from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.document import Document
from docduck.errors import InputError
from docduck.extraction.extractors.learned.printed_values import PrintedValues
from docduck.extraction.suggest.truth_fields import fields_of_truth, typed_truth
from docduck.extraction.suggest.truth_labels import PrintedTruth, with_printed_labels
from docduck.fields import Field, FieldType
from tests.extraction.pages import document, page, right, text_document, words


def types(truth: dict[str, Any]) -> dict[str, str]:
    return {field.name: field.type.value for field in fields_of_truth([truth])}


def labels(samples: list[Document], truths: list[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    fields = fields_of_truth(truths)
    printed = [
        PrintedTruth(PrintedValues(sample), typed_truth(fields, truth))
        for sample, truth in zip(samples, truths, strict=True)
    ]
    return {field.name: field.labels for field in with_printed_labels(fields, printed)}


def test_values_tell_the_types_of_their_fields() -> None:
    assert types(
        {
            "Total": 12,
            "Kestrels": 12,
            "Invoice number": 20417,
            "Order number": "14/05/2024",
            "Day": "14.05.2024",
            "Paid": True,
            "Price": "12.50",
            "Room": "214",
            "Names": ["A", "B"],
            "None yet": [],
            "Nothing": None,
        }
    ) == {
        "Total": "currency",
        "Kestrels": "number",
        "Invoice number": "text",
        "Order number": "text",
        "Day": "date",
        "Paid": "boolean",
        "Price": "currency",
        "Room": "text",
        "Names": "list",
        "None yet": "list",
        "Nothing": "text",
    }


def test_rows_are_a_table_with_the_columns_of_all() -> None:
    (table,) = fields_of_truth([{"Items": [{"What": "Rope"}]}, {"Items": [{"What": "Tar", "Amount": 3.5}]}])
    assert table.type is FieldType.TABLE
    assert [(column.name, column.type.value) for column in table.columns] == [
        ("What", "text"), ("Amount", "currency"),
    ]  # fmt: skip


def test_true_values_are_written_as_the_fields_have_them() -> None:
    truth = {"Day": "14.05.2024", "Sum": "1,234.50", "Items": [{"Qty": "2"}], "Other": None}
    fields = [
        Field(name="Day", type=FieldType.DATE),
        Field(name="Sum", type=FieldType.CURRENCY),
        Field(name="Items", type=FieldType.TABLE, columns=(Field(name="Qty", type=FieldType.NUMBER),)),
        Field(name="Other"),
    ]
    assert typed_truth(fields, truth) == {
        "Day": "2024-05-14", "Sum": 1234.5, "Items": [{"Qty": 2}], "Other": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ({"A": {"b": 1}}, "truth.A must be a value, or an array in all samples"),
        ({"A": [[1]]}, "truth.A must be an array of rows, or of texts"),
        ({"A": [{"b": [{"c": 1}]}]}, "truth.A.b must be an array of rows, or of texts"),
        ({"A": 1, "a": 2}, "the parser names 'a' twice"),
        ({" ": 1}, "fields.0: a field needs a name"),
    ],
)
def test_what_no_field_can_have_is_refused(truth: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refused:
        fields_of_truth([truth])
    assert str(refused.value).startswith(message)


def test_the_words_before_and_over_a_value_are_its_labels() -> None:
    sample = document(
        page(
            words(40, 40, "Zorbel: A-17"),
            *(words(40 + 160 * x, 80, text) for x, text in enumerate(("Guest", "Room", "Arrival"))),
            *(words(40 + 160 * x, 94, text) for x, text in enumerate(("Dr Hanneke Vos", "214", "12-Aug-24"))),
        )
    )
    truth = {"X1": "A-17", "X2": "Dr Hanneke Vos", "X3": "214", "X4": "2024-08-12"}
    assert labels([sample], [truth]) == {
        "X1": ("Zorbel",), "X2": ("Guest",), "X3": ("Room",), "X4": ("Arrival",),
    }  # fmt: skip


def test_a_label_is_that_on_most_samples_and_of_one_field() -> None:
    samples = [
        text_document("Total: 5.00", "Zorbel: 5.00"),
        text_document("Total: 7.00", "Zorbel: 9.00"),
        text_document("Total: 8.00", "Zorbel: 3.00"),
    ]
    truths = [{"X1": 5.0, "X2": 5.0}, {"X1": 7.0, "X2": 9.0}, {"X1": 8.0, "X2": 3.0}]
    assert labels(samples, truths) == {"X1": ("Total",), "X2": ("Zorbel",)}


def test_a_label_that_says_something_else_needs_a_second_sample() -> None:
    one, two = text_document("Vehicle: Aurora"), text_document("Vehicle: Boreas")
    truths = [{"Buyer": "Aurora"}, {"Buyer": "Boreas"}]
    assert labels([one], truths[:1]) == {"Buyer": ()}
    assert labels([one, two], truths) == {"Buyer": ("Vehicle",)}


def test_the_heads_of_columns_are_their_labels() -> None:
    header = [words(40, 100, "Bezeichnung")] + [
        right(edge, 100, text) for edge, text in zip((300, 400), ("Menge", "Gesamt"), strict=True)
    ]
    rows = [
        piece
        for number, (name, count, total) in enumerate([("Tau", "2", "40,00"), ("Anker", "1", "60,00")])
        for piece in (
            words(40, 120 + 16 * number, name),
            right(300, 120 + 16 * number, count),
            right(400, 120 + 16 * number, total),
        )
    ]
    truth = {
        "X": [{"Qa": "Tau", "Qb": 2, "Qc": 40.0}, {"Qa": "Anker", "Qb": 1, "Qc": 60.0}],
    }
    (table,) = with_printed_labels(
        fields_of_truth([truth]), [PrintedTruth(PrintedValues(document(page(*header, *rows))), truth)]
    )
    assert {column.name: column.labels for column in table.columns} == {
        "Qa": ("Bezeichnung",), "Qb": ("Menge",), "Qc": ("Gesamt",),
    }  # fmt: skip
