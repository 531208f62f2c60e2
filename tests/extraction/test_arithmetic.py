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
        f"Depot                                          5.0{number}",
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
    layout = learn_layout(PrintedValues(bill(1)), fields, truth, {**before.data, "Depot": None})
    found = extract_document(bill(2), fields, ExtractOptions(learned_layouts=(layout,)))
    assert len(found.data["Items"]) == 1 and found.data["Depot"] == 5.02
    assert problems(found.field_metadata) == {}


def failed(data: Mapping[str, Any], extras: Extras | None = None, fields: Any = FIELDS) -> list[str]:
    """The messages of the equations that fail."""
    judgement = judge(fields, data, evidence(data), extras or Extras())
    return [problem["message"] for some in judgement.problems.values() for problem in some]


@pytest.mark.parametrize(
    ("data", "extras"),
    [
        (values(95, None, 100, rows=(("Bolts", 10, 9.5, 95),)), Extras(totals=(-5, 10))),
        (values(100, 20, 120, rows=(("Bolts", 10, 9.5, 95),)), Extras(unnamed=(5, 10))),
        (values(100, 18, 118.5, rows=(("Bolts", 10, 10, 100),)), Extras(unnamed=(0.5,))),
        (values(100, 7.7, 107.5, rows=(("Bolts", 10, 10, 100),)), Extras(totals=(-0.2,))),
        (values(100, 20, 70, rows=(("Bolts", 10, 10, 100),)), Extras(unnamed=(50,))),
        (values(None, 20, 120, rows=(("Bolts", 10, 10, 100),)), Extras()),
        (values(120, 20, 120, rows=(("Bolts", 12, 10, 120),)), Extras()),
        (values(9.95, 0.77, 10.70, rows=(("Bolts", 1, 9.95, 9.95),)), Extras()),
        (values(88, None, 88, rows=(("Bolts", 3, 30, 88),)), Extras(rows=(2,))),
        (values(81, None, 81, rows=(("Bolts", 3, 30, 81),)), Extras(rows=(10,))),
        (values(850, None, 850, rows=(("Coil", 10, 100, 850),)), Extras(rows=(-100, 7, -50))),
        (values(50, None, 50, rows=(("Screws", 10000, 0.5, 50),)), Extras()),
        (values(33.33, None, 33.33, rows=(("Hours", 3.03, 11, 33.33),)), Extras()),
    ],
    ids=[
        "allowance and charge", "without labels", "two rates", "rounding", "prepaid", "tax without subtotal",
        "tax included", "cash rounding", "line discount", "percent", "two discounts", "price per 100",
        "rounded quantity",
    ],
)  # fmt: skip
def test_terms_that_the_page_prints_are_part_of_the_sum(data: dict[str, Any], extras: Extras) -> None:
    assert failed(data, extras) == []


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (values(9, 1.71, 9), "Net 9 and tax 1.71 make 10.71, but the total reads 9"),
        (values(9, 1.8, 13), "Net 9 and tax 1.8 make 10.8, but the total reads 13"),
        (values(None, 20, 120, rows=(("Bolts", 9, 10, 90),)), "The rows sum to 90, but the total reads 120"),
        (values(80, 16, 96, rows=(("Bolts", 10, 9, 80),)), "10 × 9 is not 80"),
    ],
)  # fmt: skip
def test_an_equation_that_fails_is_one_problem(data: dict[str, Any], problem: str) -> None:
    assert failed(data, Extras(unnamed=(7, 33), rows=(7, 33))) == [problem]


def test_a_failed_equation_is_shown_where_nobody_set_the_value() -> None:
    data = values(100, 20, 130, rows=(("Bolts", 10, 10, 100),))
    metadata = evidence(data)
    metadata["Total"] = {**metadata["Total"], "edited": True}
    metadata["Tax Total"] = {**metadata["Tax Total"], "confidence": 0.9}
    assert problems(checked(FIELDS, data, metadata, Extras(), Judgement())) == {"Net Total": ["net_plus_tax"]}


STATEMENT = parse_fields(
    [
        {"name": "Opening balance", "type": "currency"},
        {"name": "Closing balance", "type": "currency"},
        {
            "name": "Transactions",
            "type": "table",
            "columns": [{"name": name, "type": "currency"} for name in ("Paid out", "Paid in", "Balance")],
        },
    ]
)


def statement(*rows: tuple[float | None, float | None, float], closing: float = 130) -> dict[str, Any]:
    lines = [dict(zip(("Paid out", "Paid in", "Balance"), row, strict=True)) for row in rows]
    return {"Opening balance": 100, "Closing balance": closing, "Transactions": lines}


RUNNING = ((20, None, 80), (None, 70, 150), (5, None, 145), (15, None, 130))


def test_movements_lead_from_balance_to_balance() -> None:
    assert failed(statement(*RUNNING), fields=STATEMENT) == []
    upwards = {**statement(*reversed(RUNNING)), "Opening balance": None}
    assert failed(upwards, fields=STATEMENT) == []
    wrong = statement(*RUNNING[:1], (None, 70, 1.5), *RUNNING[2:])
    assert failed(wrong, fields=STATEMENT) == ["A movement of 70 doesn't lead to the balance 1.5"]
    metadata = evidence(wrong)
    for row, line in zip(metadata["Transactions"], wrong["Transactions"], strict=True):
        for name in [name for name, value in line.items() if value is None]:
            del row[name]
    shown = checked(STATEMENT, wrong, metadata, Extras(), Judgement())["Transactions"][1]
    assert sum(len(entry.get("validation", ())) for entry in shown.values()) == 1
    lost = statement(*RUNNING[:1], *RUNNING[2:])
    assert failed(lost, fields=STATEMENT)[-1] == "The balance 100 and movements of -40 do not make 130"


def test_tables_that_make_up_no_total_are_not_summed() -> None:
    parts = [{"name": "Text"}, {"name": "Amount", "type": "currency"}]
    payslip = parse_fields(
        [
            {"name": "Total", "type": "currency"},
            {"name": "Earnings", "type": "table", "columns": parts},
            {"name": "Deductions", "type": "table", "columns": parts},
        ]
    )
    data = {"Total": 80, "Earnings": [{"Amount": 100}], "Deductions": [{"Amount": 30}]}
    assert failed(data, fields=payslip) == []
    assert failed(data, fields=payslip[:2]) == ["The rows sum to 100, but the total reads 80"]


def test_numbers_beyond_reason_are_no_error() -> None:
    assert failed(values(1e300, 1e-300, 1e300, rows=(("Bolts", 1e200, 1e-100, 5e-324),)))


def test_extras_of_a_database() -> None:
    extras = Extras((1.5,), (2, 3), (4,))
    assert Extras.from_json(extras.as_json()) == extras
    assert Extras.from_json([1.5]) == Extras((1.5,)) and Extras.from_json(None) == Extras()


@pytest.mark.parametrize(
    ("total", "paid", "due", "unnamed", "fails"),
    [
        (120, None, 120, (), False), (120, 50, 70, (), False), (120, None, 70, (50,), False),
        (120, None, 95, (5, 20), False), (120, 120, 0, (), False), (120, 50, 75, (), True),
        (120, None, 102, (30,), True),
    ],
)  # fmt: skip
def test_payments_lead_from_the_total_to_the_amount_due(
    total: float, paid: float | None, due: float, unnamed: tuple[float, ...], fails: bool
) -> None:
    names = ("Total", "Amount paid", "Amount due")
    fields = parse_fields([{"name": name, "type": "currency"} for name in names])
    data = dict(zip(names, (total, paid, due), strict=True))
    assert bool(failed(data, Extras(unnamed=unnamed), fields)) == fails


def test_what_is_called_the_total_of_a_table_or_column_is_its_sum() -> None:
    parts = [{"name": "Text"}, {"name": "Amount", "type": "currency"}]
    lines = [{"name": "Text"}, {"name": "Charges", "type": "currency"}, {"name": "Paid", "type": "currency"}]
    fields = parse_fields(
        [
            *(
                {"name": name, "type": "currency"}
                for name in ("Total deductions", "Total charges", "Deposit")
            ),
            {"name": "Deductions", "type": "table", "columns": parts},
            {"name": "Services", "type": "table", "columns": lines},
        ]
    )
    data: dict[str, Any] = {
        "Total deductions": 30,
        "Total charges": 12,
        "Deposit": 99,
        "Deductions": [{"Amount": 10}, {"Amount": None}, {"Amount": 20}],
        "Services": [{"Charges": 5, "Paid": 1}, {"Charges": 7, "Paid": 1}],
    }
    assert failed(data, fields=fields) == []
    assert failed({**data, "Total deductions": 31}, fields=fields) == [
        "The rows of 'Amount' sum to 30, but 'Total deductions' reads 31"
    ]
    assert failed({**data, "Services": data["Services"][:1]}, fields=fields) == [
        "The rows of 'Charges' sum to 5, but 'Total charges' reads 12"
    ]
