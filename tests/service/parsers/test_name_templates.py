from __future__ import annotations

from typing import Any

import pytest

from docduck.service.parsers.name_templates import document_name, is_template, placeholders, with_placeholders

DATA: dict[str, Any] = {
    "Invoice Number": "A/1\n\t2\\3",
    "Total": 1234.5,
    "Date": "2026-01-31",
    "Paid": True,
    "Tags": ["a", "b"],
    "Note": "  ",
    "Empty": [],
    "Nothing": None,
    "Dots": "..",
    "Long": "ä" * 300,
}


@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("Invoice {Invoice Number}", "Invoice A-1 2-3"),
        ("{ invoice number }", "A-1 2-3"),
        ("{Date} {Total} {Paid} {Tags}", "2026-01-31 1234.5 true a; b"),
        ("{Date}/{Date}", "2026-01-31-2026-01-31"),
        ("Scan", "Scan"),
        ("a\x00b\u202ec", "a bc"),
        ("{Note}", None),
        ("{Date} {Nothing}", None),
        ("{Date} {Empty}", None),
        ("{Date} {Unknown}", None),
        ("{Dots}", None),
        ("x {Long}", "x " + "ä" * 253),
    ],
)
def test_a_name_is_made_of_values(template: str, name: str | None) -> None:
    assert document_name(template, DATA) == name


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("a {b} {c d}", True),
        ("", True),
        ("{", False),
        ("a}", False),
        ("{}", False),
        ("{ }", False),
        ("{{a}}", False),
    ],
)
def test_braces_enclose_names(text: str, valid: bool) -> None:
    assert is_template(text) is valid


def test_names_are_found_and_replaced() -> None:
    assert placeholders("{ A } of {B}") == ["A", "B"]
    assert with_placeholders("{A} of {B}", lambda name: {"A": "B", "B": "A"}[name]) == "{B} of {A}"
