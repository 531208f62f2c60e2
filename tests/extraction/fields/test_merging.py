from __future__ import annotations

from docduck.extraction.fields.merging import merge_suggestions
from docduck.extraction.result import Extraction
from docduck.fields import Field, FieldType


def sample(*fields: Field) -> Extraction:
    numbered = (field.model_copy(update={"position": number}) for number, field in enumerate(fields))
    return Extraction({}, {}, "", [], 1, "application/pdf", fields=tuple(numbered))


def text(name: str, type_: FieldType = FieldType.TEXT) -> Field:
    return Field(name=name, type=type_)


def table(name: str, *columns: str) -> Field:
    return Field(name=name, type=FieldType.TABLE, columns=tuple(text(column) for column in columns))


def test_the_same_name_is_one_field_and_those_on_most_samples_come_first() -> None:
    merged = merge_suggestions(
        [sample(text("Ship"), text("Invoice Date")), sample(text("INVOICE DATE"), text("Total"))]
    )
    assert [field.name for field in merged.fields] == ["Invoice Date", "Ship", "Total"]
    assert [field.position for field in merged.fields] == [0, 1, 2]
    assert merged.found_on == {"Invoice Date": 2, "Ship": 1, "Total": 1}
    assert merged.names[1] == {"Invoice Date": "INVOICE DATE", "Total": "Total"}


def test_types_that_differ_are_amounts_if_they_are_numbers_and_text_else() -> None:
    merged = merge_suggestions(
        [
            sample(text("Total", FieldType.NUMBER), text("Due date", FieldType.DATE)),
            sample(text("Total", FieldType.CURRENCY), text("Due date")),
        ]
    )
    assert [field.type for field in merged.fields] == [FieldType.CURRENCY, FieldType.TEXT]


def test_an_unknown_name_on_one_of_three_samples_is_left_out() -> None:
    both = sample(text("Zorbel"), text("Ship"))
    assert [field.name for field in merge_suggestions([both, sample()]).fields] == ["Zorbel", "Ship"]
    assert [field.name for field in merge_suggestions([both, sample(), sample()]).fields] == ["Ship"]


def test_tables_with_the_same_columns_are_one() -> None:
    merged = merge_suggestions(
        [
            sample(table("Line Items", "Item", "Price"), table("Table", "Port", "Berth")),
            sample(table("Table", "Item", "Price", "Tax"), table("Table 2", "Line Items", "Berths")),
        ]
    )
    assert [(field.name, [column.name for column in field.columns]) for field in merged.fields] == [
        ("Line Items", ["Item", "Price", "Tax"]),
        ("Table", ["Port", "Berth"]),
        ("Table 2", ["Line Items", "Berths"]),
    ]
    assert merged.names[1]["Line Items"] == "Table"
