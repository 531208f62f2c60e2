from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from docduck.documents.document import Document
from docduck.extraction.arithmetic import Judgement, checked, judge
from docduck.extraction.extractors.learned.layout_learning import learn_layout
from docduck.extraction.extractors.learned.printed_values import PrintedValues
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Extras, no_evidence
from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields
from tests.extraction.pages import text_document

COLUMNS = [
    {"name": "Description"},
    {"name": "Quantity", "type": "number"},
    {"name": "Unit Price", "type": "currency"},
    {"name": "Amount", "type": "currency"},
]
AMOUNTS = ("Net Total", "Tax Total", "Total", "Shipping")
FIELDS = parse_fields(
    [
        *({"name": name, "type": "currency"} for name in AMOUNTS),
        {"name": "Items", "type": "table", "columns": COLUMNS},
    ]
)
ROWS = (("Bolts", 10, 0.5, 5.0), ("Nuts", 4, 1.0, 4.0))


def values(*amounts: float | None, rows: Any = ROWS) -> dict[str, Any]:
    names = [column["name"] for column in COLUMNS]
    items = [dict(zip(names, row, strict=True)) for row in rows]
    return {**dict(zip(AMOUNTS, (*amounts, None), strict=False)), "Items": items}


def evidence(data: Mapping[str, Any], source: str = "text", confidence: float = 0.8) -> dict[str, Any]:
    one = {**no_evidence(), "confidence": confidence, "source": source}
    return {
        name: [dict.fromkeys(row, one) for row in value] if isinstance(value, list) else one
        for name, value in data.items()
    }


def problems(metadata: Mapping[str, Any]) -> dict[str, list[str]]:
    return {
        name: [one["rule"] for one in entry["validation"]]
        for name, entry in metadata.items()
        if isinstance(entry, dict) and entry.get("validation")
    }


def change(
    before: Mapping[str, Any], metadata: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, Any]:
    return checked(FIELDS, after, metadata, Extras(), judge(FIELDS, before, metadata, Extras()))


def test_a_change_that_makes_the_sums_right_ends_the_problems() -> None:
    wrong, right = values(9, 1.8, 11.8), values(9, 1.8, 10.8)
    read = checked(FIELDS, wrong, evidence(wrong), Extras(), Judgement())
    assert problems(read) == {"Total": ["net_plus_tax"]}
    assert read["Total"]["confidence"] < 0.8
    found = change(wrong, read, right)
    assert problems(found) == {}
    assert found["Tax Total"]["confidence"] == pytest.approx(0.8, abs=0.001)
    assert problems(change(right, found, wrong)) == problems(read)


def test_rows_that_come_and_go() -> None:
    surplus, right = values(9, rows=(*ROWS, ("Sum", None, None, 9.0))), values(9)
    read = checked(FIELDS, surplus, evidence(surplus), Extras(), Judgement())
    assert problems(read) == {"Net Total": ["sum_of_rows"]}
    assert read["Net Total"]["validation"][0]["message"] == "The rows sum to 18.0, but the total reads 9"
    metadata = {**read, "Items": read["Items"][:2]}
    found = change(surplus, metadata, right)
    assert problems(found) == {}
    assert found["Net Total"]["confidence"] > read["Net Total"]["confidence"]
    changed = values(9, rows=(("Bolts", 10, 0.5, 6.0), ROWS[1]))
    broken = change(right, found, changed)
    assert problems(broken) == {"Net Total": ["sum_of_rows"]}
    assert [one["rule"] for one in broken["Items"][0]["Amount"]["validation"]] == ["quantity_times_price"]
    assert broken["Items"][0]["Quantity"]["confidence"] == pytest.approx(0.8, abs=0.001)
    assert broken["Items"][1]["Quantity"] is found["Items"][1]["Quantity"]


def test_amounts_between_net_and_gross_count_wherever_they_are_from() -> None:
    for data, extras in (
        (values(9, 1.8, 15.8), Extras(totals=(5.0,))),
        (values(9, 1.8, 15.8, 5), Extras()),
    ):
        assert problems(checked(FIELDS, data, evidence(data), extras, Judgement())) == {}
    data = values(9, 1.8, 15.8, 4)
    assert "Total" in problems(checked(FIELDS, data, evidence(data), Extras(), Judgement()))


def test_what_a_file_states_as_data_is_not_doubted() -> None:
    data = values(8, 1.8, 12, rows=(("Bolts", 10, 0.5, 6.0),))
    stated = evidence(data, "structured")
    assert checked(FIELDS, data, stated, Extras(), Judgement()) == stated
    edited = {**stated, "Total": {**stated["Total"], "source": "user", "edited": True}}
    found = checked(FIELDS, data, edited, Extras(), Judgement())
    assert problems(found) == {"Tax Total": ["net_plus_tax"]}
    assert found["Total"]["confidence"] == 0.8


def bill(number: int) -> Document:
    return text_document(
        f"Heron Tools  Bill {number}",
        "",
        "Description              Quantity  Unit Price    Amount",
        f"Bolts                   10       0.50          5.0{number}",
        f"Depot                   1        5.0{number}          5.0{number}",
        "",
        f"Net Total                                      5.0{number}",
    )


def test_rows_that_a_learned_layout_removes_are_not_summed() -> None:
    """The last row repeats a value that was corrected at this place on the first document."""
    fields = parse_fields(
        [
            {"name": "Depot", "type": "currency"},
            {"name": "Net Total", "type": "currency"},
            {"name": "Items", "type": "table", "columns": COLUMNS},
        ]
    )
    before = extract_document(bill(1), fields)
    assert problems(before.field_metadata) == {"Net Total": ["sum_of_rows"]}
    truth = {**before.data, "Depot": 5.01, "Items": before.data["Items"][:1]}
    layout = learn_layout(PrintedValues(bill(1)), fields, truth, before.data)
    found = extract_document(bill(2), fields, ExtractOptions(learned_layouts=(layout,)))
    assert len(found.data["Items"]) == 1 and found.data["Depot"] == 5.02
    assert problems(found.field_metadata) == {}
