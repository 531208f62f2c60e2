from __future__ import annotations

from datetime import date

import pytest

from docduck.extraction.values.dates import find_dates, first_of_range, parse_partial, repair_date


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024-03-14", "2024-03-14"),
        ("14.03.2024", "2024-03-14"),
        ("14/03/24", "2024-03-14"),
        ("14. März 2024", "2024-03-14"),
        ("14 March 2024", "2024-03-14"),
        ("2 December 2024", "2024-12-02"),
        ("March 14th, 2024", "2024-03-14"),
        ("Mar 14 2024", "2024-03-14"),
        ("14-Mar-24", "2024-03-14"),
        ("1er janvier 2024", "2024-01-01"),
        ("2024. szeptember 12.", "2024-09-12"),
        ("12. syyskuuta 2024", "2024-09-12"),
        ("23 aprilie 2024", "2024-04-23"),
        ("14 août 2024", "2024-08-14"),
        ("14 de noviembre de 2024", "2024-11-14"),
        ("14 gennaio 2024", "2024-01-14"),
        ("14 maart 2024", "2024-03-14"),
        ("14 de fevereiro de 2024", "2024-02-14"),
        ("14 października 2024", "2024-10-14"),
        ("20240314", "2024-03-14"),
        ("31 июля 2024 г", "2024-07-31"),
        ("«31» июля 2024 года", "2024-07-31"),
        ("2 травня 2024 р", "2024-05-02"),
        ("2 Μαΐου 2024", "2024-05-02"),
        ("2024年7月31日", "2024-07-31"),
        ("2024 年 07 月 31 日", "2024-07-31"),
        ("２０２４年７月３１日", "2024-07-31"),
        ("令和６年６月６日", "2024-06-06"),
        ("令和元年5月1日", "2019-05-01"),
        ("平成31年4月30日", "2019-04-30"),
        ("中華民國113年7月31日", "2024-07-31"),
        ("2024년 7월 31일", "2024-07-31"),
        ("٣١/٠٧/٢٠٢٤", "2024-07-31"),
        ("३१/०७/२०२४", "2024-07-31"),
    ],
)
def test_date_formats_and_languages(text: str, iso: str) -> None:
    (found,) = find_dates(f"on {text}.")
    assert found.read(day_first=True).isoformat() == iso


def test_ambiguous_date_has_two_readings() -> None:
    (found,) = find_dates("03/04/2024")
    assert len(found.readings) == 2 and found.day_first is None
    assert found.read(True) == date(2024, 4, 3)
    assert found.read(False) == date(2024, 3, 4)


def test_unambiguous_date_proves_the_order() -> None:
    assert find_dates("25/04/2024")[0].day_first is True
    assert find_dates("04/25/2024")[0].day_first is False
    assert find_dates("05/05/2024")[0].day_first is None


@pytest.mark.parametrize(
    "text",
    [
        "1.2.3",
        "31.02.2024",
        "12.345.67",
        "2024",
        "192.168.10.24",
        "14 bananas 2024",
        "2024年13月31日",
        "令和6年",
    ],
)
def test_not_a_date(text: str) -> None:
    assert find_dates(text) == []


def test_date_without_year_falls_into_period() -> None:
    start, end = date(2023, 12, 15), date(2024, 1, 14)
    assert parse_partial("20.12.", True, start, end) == date(2023, 12, 20)
    assert parse_partial("03.01.", True, start, end) == date(2024, 1, 3)
    assert parse_partial("Jan 3", False, start, end) == date(2024, 1, 3)
    assert parse_partial("01/03", False, start, end) == date(2024, 1, 3)
    assert parse_partial("1月3日", True, start, end) == date(2024, 1, 3)
    assert parse_partial("03.01.", True, None, None) is None


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("05/24/20-05/26/20", "2020-05-24", "2020-05-26"),
        ("03/30/20 -04/26/20", "2020-03-30", "2020-04-26"),
        ("14.06.2013-27.07.2013", "2013-06-14", "2013-07-27"),
        ("21 Juli 2014-14 August 2014", "2014-07-21", "2014-08-14"),
        ("2020-01-02-2020-02-03", "2020-01-02", "2020-02-03"),
    ],
)
def test_glued_date_range(text: str, first: str, second: str) -> None:
    found = [match.read(day_first=not text.startswith("03")).isoformat() for match in find_dates(text)]
    assert found == [first, second]


@pytest.mark.parametrize("text", ["19-03-201811:12:15", "20180319/191204"])
def test_glued_time_is_not_part_of_date(text: str) -> None:
    assert [match.read(True).isoformat() for match in find_dates(text)] == ["2018-03-19"]


def test_misread_digits_and_slashes_are_corrected() -> None:
    assert repair_date("06t07t20 - O6/l7/2O20") == "06/07/20 - 06/17/2020"
    assert repair_date("Total SOLD 1Z 12.50") == "Total SOLD 1Z 12.50"


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("20.–21. März 2025", "2025-03-20"),
        ("ma 16-9 t/m zo 22-9-2024", "2024-09-16"),
        ("Aug 30 - Sep 2, 2024", "2024-08-30"),
        ("28.12. - 03.01.2025", "2024-12-28"),
        ("28 de dezembro a 3 de janeiro de 2025", "2024-12-28"),
        ("från 12 till 14 mars 2025", "2025-03-12"),
    ],
)
def test_ranges_that_leave_out_a_year(text: str, iso: str) -> None:
    first = first_of_range(text, find_dates(text)[-1])
    assert first is not None
    assert first.read(True).isoformat() == iso


@pytest.mark.parametrize("text", ["No. 3 – 12.05.2024", "Invoice 12 - 12 May 2024", "12 May 2024"])
def test_dates_that_end_no_range(text: str) -> None:
    assert first_of_range(text, find_dates(text)[0]) is None
