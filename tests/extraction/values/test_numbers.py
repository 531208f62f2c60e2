from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docduck.extraction.values.currencies import currency_of, is_money
from docduck.extraction.values.numbers import WIDE, as_json_number, decimals, find_numbers, parse_number


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
        ("2,500.-", "2500"),
        ("12 500:-", "12500"),
        ("500,=", "500"),
        ("1,23,456/-", "123456"),
        ("KES 8,500/=", "8500"),
        ("12 345.60", "12345.60"),
        ("2.300,00+", "2300.00"),
        ("$1,333.26*", "1333.26"),
        ("1,333.26¹", "1333.26"),
        ("***1,333.26", "1333.26"),
        ("24.99CR", "24.99"),
        ("1.234.56", "1234.56"),
        ("￥１２３，４５６", "123456"),
        ("¥123,456-", "123456"),
        ("△1,234", "-1234"),
        ("金123,456円也", "123456"),
        ("¥1,234.50元", "1234.50"),
        ("123,456원", "123456"),
        ("1 234,50 руб.", "1234.50"),
        ("1 234,50 грн", "1234.50"),
        ("21 720 руб. 45 коп.", "21720.45"),
        ("1,333.26[1]", "1333.26"),
        ("١٬٢٣٤٫٥٠", "1234.50"),
        ("१,२३,४५६.५०", "123456.50"),
    ],
)
def test_national_forms(text: str, value: str) -> None:
    assert parse_number(text) == Decimal(value)


def test_single_separator_is_read_by_locale() -> None:
    assert parse_number("1.234") == Decimal(1234)
    assert parse_number("1.234", ".") == Decimal("1.234")
    assert parse_number("1.234", ",") == Decimal(1234)
    assert parse_number("2,150", ".") == Decimal(2150)
    assert parse_number("¥4.500", ".") == Decimal(4500)


@pytest.mark.parametrize(
    "text", ["", "abc", "12 rue", "1.2.3", "12/05/2024", "AB12", "1,2,3.4.5", "***1123", "12 5001"]
)
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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Total: CHF 12 345.60 due", [("CHF 12 345.60", "12345.60")]),
        ("12 500:- per month", [("12 500:-", "12500")]),
        (f"2{WIDE}345.60", [("2", "2"), ("345.60", "345.60")]),
        ("Rent - 5.00", [("- 5.00", "-5.00")]),
        ("pages 10 - 20", [("10", "10"), ("20", "20")]),
        ("five hundred (USD 500.00) only", [("(USD 500.00)", "500.00")]),
        ("Loss (1 234.50) in 2023", [("(1 234.50)", "-1234.50"), ("2023", "2023")]),
        ("850,00 -", [("850,00 -", "-850.00")]),
        ("a 12.05.2024 b 12kg c AB-12", []),
    ],
)
def test_numbers_in_a_text_are_taken_whole(text: str, found: list[tuple[str, str]]) -> None:
    numbers = [(text[n.start : n.end], n.value) for n in find_numbers(text, ".")]
    assert numbers == [(printed, Decimal(value)) for printed, value in found]


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("CAD $5.00", "CAD"),
        ("$5.00 CAD", "CAD"),
        ("$5.00", "USD"),
        ("5,00 kr", None),
        ("5 Euro", "EUR"),
        ("5 руб.", "RUB"),
    ],
)
def test_a_code_tells_more_than_a_sign(text: str, currency: str | None) -> None:
    assert next(find_numbers(text)).currency == currency


@pytest.mark.parametrize(
    ("mark", "national", "currency"),
    [
        ("$", "AUD", "AUD"),
        ("$", "EUR", "USD"),
        ("kr", "NOK", "NOK"),
        ("kr", None, None),
        ("¥", "CNY", "CNY"),
        ("US$", "AUD", "USD"),
    ],
)
def test_a_shared_sign_means_the_national_currency(
    mark: str, national: str | None, currency: str | None
) -> None:
    assert currency_of(mark, national) == currency


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("24.99 CR", "credit"),
        ("24.99 Dr", "debit"),
        ("24,99 Soll", "debit"),
        ("DR 24.99", "debit"),
        ("Dr 24.99", None),
        ("24.99 credit card", None),
    ],
)
def test_the_side_of_an_account_behind_an_amount(text: str, side: str | None) -> None:
    assert next(find_numbers(text)).side == side


def test_what_replaces_the_cents_shows_money() -> None:
    assert [next(find_numbers(text)).decimals for text in ("12 500:-", "500,-", "8,500/=", "12 500")] == [
        2,
        2,
        2,
        0,
    ]
