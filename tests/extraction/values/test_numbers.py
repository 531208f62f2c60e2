from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docduck.extraction.values.currencies import is_money
from docduck.extraction.values.numbers import as_json_number, decimals, parse_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.234,56", "1234.56"),
        ("1,234.56", "1234.56"),
        ("1 234,56", "1234.56"),
        ("1\u202f234,56", "1234.56"),
        ("1'234.56", "1234.56"),
        ("1’234.56", "1234.56"),
        ("12.345.678", "12345678"),
        ("1,00,000.00", "100000.00"),
        ("0,5", "0.5"),
        ("0.125", "0.125"),
        ("-12,00", "-12.00"),
        ("−12,00", "-12.00"),
        ("12,00-", "-12.00"),
        ("(12.00)", "-12.00"),
        ("($1,234.56)", "-1234.56"),
        ("$(1,234.56)", "-1234.56"),
        ("EUR (12,00)", "-12.00"),
        ("€ 19,99", "19.99"),
        ("19,99 €", "19.99"),
        ("EUR 1.234,56", "1234.56"),
        ("CHF 9'464.37", "9464.37"),
        ("-£5.00", "-5.00"),
        ("$-5.00", "-5.00"),
        ("R$ 5,00", "5.00"),
        ("12,5", "12.5"),
        ("2.500,-", "2500"),
    ],
)
def test_national_forms(text: str, value: str) -> None:
    assert parse_number(text) == Decimal(value)


def test_single_separator_is_read_by_locale() -> None:
    assert parse_number("1.234") == Decimal(1234)
    assert parse_number("1.234", ".") == Decimal("1.234")
    assert parse_number("1.234", ",") == Decimal(1234)
    assert parse_number("2,150", ".") == Decimal(2150)


@pytest.mark.parametrize("text", ["", "abc", "12 rue", "1.2.3", "12/05/2024", "AB12", "1,2,3.4.5"])
def test_not_a_number(text: str) -> None:
    assert parse_number(text) is None


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_grouped_numbers_round_trip(value: Decimal) -> None:
    english = f"{value:,.2f}"
    german = english.replace(",", "\0").replace(".", ",").replace("\0", ".")
    french = english.replace(",", " ").replace(".", ",")
    assert parse_number(english) == parse_number(german) == parse_number(french) == value


def test_json_numbers_are_integers_if_whole() -> None:
    assert as_json_number(Decimal("2.00")) == 2 and isinstance(as_json_number(Decimal("2.00")), int)
    assert as_json_number(Decimal("2.50")) == 2.5


def test_printed_decimals() -> None:
    assert [decimals(t) for t in ("12", "1.234,5", "9.99 €", "3.3333")] == [0, 1, 2, 4]


@pytest.mark.parametrize(
    ("text", "expected"), [("kr", True), ("kr.", True), ("€", True), ("TL", True), ("kg", False)]
)
def test_words_that_mean_money(text: str, expected: bool) -> None:
    assert is_money(text) is expected
