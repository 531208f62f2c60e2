from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.document import Box
from docduck.errors import PostProcessingFailed
from docduck.extraction.post_processing.loading import load, pack
from docduck.extraction.post_processing.post_process import post_process
from docduck.extraction.post_processing.steps import PostProcessing
from docduck.extraction.result import Extraction, Finding, Location
from docduck.fields import parse_fields
from docduck.service.parsers.post_processing_steps import parse_steps

FIELDS = parse_fields(
    [
        {"id": "f1", "name": "Vendor", "required": True},
        {"id": "f2", "name": "Account", "type": "number", "extract": False},
        {"id": "f3", "name": "Day", "type": "date"},
        {"id": "f4", "name": "Printed day", "extract": False},
        {"id": "f5", "name": "Total", "type": "currency"},
        {"id": "f6", "name": "Kind", "type": "choice", "options": ["Goods", "Services"]},
        {"id": "f7", "name": "Tags", "type": "list"},
        {
            "id": "t1",
            "name": "Items",
            "type": "table",
            "columns": [{"id": "c1", "name": "Code"}, {"id": "c2", "name": "Group"}],
        },
    ]
)
TABLES = {
    "vendors": b"name,account,kind\nAcme Tools,7001,goods\nBolt,none,\n",
    "groups": b"vendor;code;group\nAcme Tools;A-1;Nails\nBolt;A-1;Bolts\n",
}
COLUMNS = {"vendors": ["name", "account", "kind"], "groups": ["vendor", "code", "group"]}
VENDOR_LOOKUP = {
    "type": "lookup",
    "table": "vendors",
    "match": [{"field": "Vendor", "column": "name"}],
    "write": [{"field": "Account", "column": "account"}, {"field": "Kind", "column": "kind"}],
}


def extraction(vendor: Any = "ACME  tools", **more: Any) -> Extraction:
    def entry(value: Any, confidence: float = 0.9) -> dict[str, Any]:
        return Finding(value, confidence, (Location(1, Box(0, 0, 1, 1), str(value)),), str(value)).as_json()

    data = {"Vendor": vendor, "Day": "2026-01-31", "Total": 1234.5, "Tags": [" a ", " "], **more}
    rows: list[dict[str, Any]] = [{"Code": "a-1", "Group": None}, {"Code": "x", "Group": "old"}]
    return Extraction(
        data={**data, "Items": rows},
        field_metadata={
            **{name: entry(value) for name, value in data.items() if value is not None},
            "Items": [{"Code": entry(row["Code"], 0.6)} for row in rows],
        },
        markdown="",
        pages=[],
        page_count=1,
        content_type="text/plain",
    )


def run(*steps: dict[str, Any], found: Extraction | None = None, **limits: int) -> Extraction:
    parsed = parse_steps(list(steps), FIELDS, COLUMNS)
    limits = {"regex_work": 20_000_000, "comparisons": 1000, **limits}
    content = pack(PostProcessing(parsed, TABLES, **limits))
    loaded = load(str(hash(content)), lambda: content)
    return post_process(found or extraction(), loaded.processing, loaded.table)


def transform(name: str, field: str = "Vendor", **options: Any) -> dict[str, Any]:
    return {"type": "transform", "field": field, "transform": name, **options}


@pytest.mark.parametrize(
    ("step", "before", "after"),
    [
        (transform("trim"), " Acme ", "Acme"),
        (transform("trim"), "  ", None),
        (transform("uppercase"), "Straße", "STRASSE"),
        (transform("lowercase"), "ACME", "acme"),
        (transform("titlecase"), "o'neil & SONS gmbh-co", "O'neil & Sons Gmbh-Co"),
        (transform("collapse_whitespace"), " a \t b\n c", "a b c"),
        (transform("regex_replace", pattern=r"inv-(\d+)", replacement=r"<\1|\0>"), "INV-7", "<7|INV-7>"),
        (transform("regex_replace", pattern="x", replacement=r"\\"), "axb", "a\\b"),
        (transform("regex_replace", pattern=".", replacement=""), "abc", None),
        (transform("date_format", format="DD.MM.YY"), "January 5, 2026", "05.01.26"),
        (
            transform("number_format", decimals=1, decimalSeparator=",", groupSeparator="."),
            "1,234,567.85",
            "1.234.567,9",
        ),
        (transform("default", value="nobody"), None, "nobody"),
        (transform("default", value="nobody"), "Acme", "Acme"),
    ],
)
def test_transforms(step: dict[str, Any], before: Any, after: Any) -> None:
    found = run(step, found=extraction(before))
    assert (found.data["Vendor"], found.warnings) == (after, [])


def test_a_changed_value_keeps_its_evidence() -> None:
    before = extraction()
    entry = dict(before.field_metadata["Vendor"])
    found = run(transform("uppercase"), transform("trim", "Items.Code"), found=before)
    assert found.field_metadata["Vendor"] == {**entry, "source": "transform"}
    assert found.field_metadata["Items"][0]["Code"]["source"] == "text"


def test_lists_and_rows_are_changed_item_by_item() -> None:
    found = run(transform("trim", "Tags"), transform("uppercase", "items.code"))
    assert found.data["Tags"] == ["a"]
    assert [row["Code"] for row in found.data["Items"]] == ["A-1", "X"]
    assert [row["Code"]["source"] for row in found.field_metadata["Items"]] == ["transform", "transform"]


def test_a_format_is_written_from_another_field() -> None:
    found = run(
        transform("date_format", "Printed day", format="D.M.YYYY", **{"from": "Day"}),
        transform("number_format", "Items.Group", **{"from": "Total"}),
    )
    assert found.data["Printed day"] == "31.1.2026"
    assert [row["Group"] for row in found.data["Items"]] == ["1234.50", "1234.50"]
    entry = found.field_metadata["Printed day"]
    assert (entry["source"], entry["confidence"], entry["locations"]) == ("transform", 0.9, [])


def test_what_can_t_be_formatted_stays_and_is_reported_once() -> None:
    found = run(transform("date_format", "Items.Code", format="YYYY"))
    assert [row["Code"] for row in found.data["Items"]] == ["a-1", "x"]
    assert found.warnings == ["Post-processing, date_format of 'Items.Code': 'a-1' is not a date (2 times)"]


def test_a_regular_expression_has_bounds() -> None:
    short = run(
        transform("regex_replace", pattern="a", replacement="b"), found=extraction("a" * 50), regex_work=9
    )
    assert short.data["Vendor"] == "a" * 50
    replace = transform("regex_replace", pattern="(?:)", replacement="b" * 1000)
    grown = run(replace, found=extraction("a" * 5000))
    assert grown.data["Vendor"] == "a" * 5000
    assert ["too long" in one.warnings[0] for one in (short, grown)] == [True, True]


def test_an_exact_lookup_writes_values_of_the_fields_types() -> None:
    found = run(VENDOR_LOOKUP)
    assert (found.data["Account"], found.data["Kind"]) == (7001.0, "Goods")
    entry = found.field_metadata["Account"]
    assert (entry["source"], entry["confidence"], entry["edited"]) == ("lookup", 0.9, False)
    assert found.confidence == pytest.approx((0.9 * 6 + 0.6) / 7, abs=1e-4)


def test_a_value_that_does_not_fit_stays_with_a_warning() -> None:
    found = run(VENDOR_LOOKUP, found=extraction("bolt", Account=5.0, Kind="Services"))
    assert (found.data["Account"], found.data["Kind"]) == (5.0, "Services")
    assert found.warnings == [
        "Post-processing, lookup in 'vendors': 'none' does not fit the number 'Account'"
    ]


def test_rows_are_looked_up_with_fields_beside_them() -> None:
    step = {
        "type": "lookup",
        "table": "groups",
        "match": [{"field": "Vendor", "column": "vendor"}, {"field": "Items.Code", "column": "code"}],
        "write": [{"field": "Items.Group", "column": "group"}],
    }
    found = run(step)
    assert [row["Group"] for row in found.data["Items"]] == ["Nails", "old"]
    entry = found.field_metadata["Items"][0]["Group"]
    assert (entry["source"], entry["confidence"]) == ("lookup", 0.6)
    cleared = run({**step, "onMissing": "clear"})
    assert [row["Group"] for row in cleared.data["Items"]] == ["Nails", None]


def test_a_fuzzy_lookup_lowers_the_confidence() -> None:
    step = {**VENDOR_LOOKUP, "mode": "fuzzy", "threshold": 0.8}
    found = run(step, found=extraction("Acme Toolz"))
    assert found.data["Account"] == 7001.0
    assert found.field_metadata["Account"]["confidence"] == pytest.approx(0.9 * 0.9, abs=0.01)
    far = run(step, found=extraction("Other"))
    assert far.data.get("Account") is None
    bounded = run(step, found=extraction("Acme Toolz"), comparisons=1)
    assert bounded.data.get("Account") is None
    assert "too many comparisons" in bounded.warnings[0]


def test_a_required_value_that_is_filled_in_is_no_longer_missing() -> None:
    before = extraction(None)
    before.field_metadata["Vendor"] = Finding(
        None, 0.0, validation=[{"rule": "required", "message": "…"}]
    ).as_json()
    found = run(transform("default", value="Acme Tools"), VENDOR_LOOKUP, found=before)
    assert found.data["Account"] == 7001.0
    assert "validation" not in found.field_metadata["Vendor"]


def test_a_table_without_a_file_fails_the_document() -> None:
    steps = parse_steps([VENDOR_LOOKUP], FIELDS, COLUMNS)
    content = pack(PostProcessing(steps, {"vendors": None}, 1, 1))
    loaded = load("missing", lambda: content)
    with pytest.raises(PostProcessingFailed) as caught:
        post_process(extraction(), loaded.processing, loaded.table)
    assert caught.value.message == (
        "Post-processing failed: the file of the lookup table 'vendors' is missing"
    )
