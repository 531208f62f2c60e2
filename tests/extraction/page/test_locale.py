"""The language, nation and order of dates that a document's text shows."""

from __future__ import annotations

import pytest

from docduck.extraction.options import ReadingLocale
from docduck.extraction.page.locale import locale_of


@pytest.mark.parametrize(
    ("text", "national", "day_first"),
    [
        ("Kiama Pumps Pty Ltd\nABN 51 824 753 556\nPenrith NSW 2750\nGST 8.20\nTotal $90.20", "AUD", True),
        ("Hutt Fittings Limited\nNew Zealand\nGST No: 123-456-789\nTotal $90.20", "NZD", True),
        ("Tampines Tools Pte Ltd\nUEN 201912345K\nTotal $90.20", "SGD", True),
        ("Lakeshore Supply\nToronto, ON M5V 2T6\nHST 13%\nTotal $90.20", "CAD", True),
        ("Prairie Tools Inc.\nAustin, TX 78701\nSales Tax\nTotal $90.20", "USD", False),
        ("Highveld Tools (Pty) Ltd\nPretoria\nTotal R 90.20", "ZAR", True),
        ("Refacciones S.A. de C.V.\nRFC: RNO010101AB1\nTotal $90.20", "MXN", True),
        ("請求書 支払期限 ￥90", "JPY", True),
        ("发票 付款期限 ￥90", "CNY", True),
        ("Total $90.20", None, False),
        ("Total 90.20", None, True),
        # The customer's nation has fewer signs than the sender's.
        ("Prairie Tools Inc.\nAustin, TX 78701\nSales Tax\nTo: Perth, Australia\nTotal $90.20", "USD", False),
    ],
)
def test_the_nation_by_all_its_signs(text: str, national: str | None, day_first: bool) -> None:
    locale = locale_of(text, ReadingLocale())
    assert (locale.national, locale.day_first) == (national, day_first)


@pytest.mark.parametrize(
    ("text", "year_first"), [("請求書 お支払期限 25.03.10", True), ("Due 25.03.10", False)]
)
def test_languages_whose_dates_begin_with_the_year(text: str, year_first: bool) -> None:
    assert locale_of(text, ReadingLocale()).year_first is year_first


def test_a_date_that_only_one_order_allows_decides_before_the_nation() -> None:
    text = "Kiama Pumps Pty Ltd\nABN 51 824 753 556\n04/25/2024 and 05/06/2024"
    assert locale_of(text, ReadingLocale()).day_first is False


@pytest.mark.parametrize(
    ("text", "language", "decimal"),
    [
        ("Счет на оплату 12", "ru", ","),
        ("Рахунок на оплату, кількість", "uk", ","),
        ("Τιμολόγιο πώλησης 12", "el", ","),
        ("請求書 お支払期限 12", "ja", "."),
        ("請求書番号 支払期限 合計金額 12", "ja", "."),
        ("增值税发票 数量 12", "zh", "."),
        ("청구서 합계 12", "ko", "."),
        ("Invoice for the repair of a 10 µF capacitor, Ω", "en", "."),
    ],
)
def test_the_language_by_its_letters(text: str, language: str, decimal: str) -> None:
    locale = locale_of(text, ReadingLocale())
    assert (locale.language, locale.decimal) == (language, decimal)
