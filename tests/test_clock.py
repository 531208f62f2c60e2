from __future__ import annotations

import datetime as dt

import pytest

from docduck.clock import iso, iso_span, span

_EAST = dt.timezone(dt.timedelta(hours=2))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-01-31", "2026-01-31T00:00:00.000Z", "2026-01-31T23:59:59.999Z"),
        ("20260131", "2026-01-31T00:00:00.000Z", "2026-01-31T23:59:59.999Z"),
        ("2026-01-31Z", "2026-01-31T00:00:00.000Z", "2026-01-31T23:59:59.999Z"),
        ("2026-01-31+02:00", "2026-01-30T22:00:00.000Z", "2026-01-31T21:59:59.999Z"),
        ("2026-01-31-02:00", "2026-01-31T02:00:00.000Z", "2026-02-01T01:59:59.999Z"),
        ("2026-01-31T08:00", "2026-01-31T08:00:00.000Z", "2026-01-31T08:00:00.000Z"),
        ("2026-01-31T08:00:00+02:00", "2026-01-31T06:00:00.000Z", "2026-01-31T06:00:00.000Z"),
        ("9999-12-31", "9999-12-31T00:00:00.000Z", "9999-12-31T23:59:59.999Z"),
    ],
)
def test_a_date_without_a_time_is_its_whole_day(text: str, first: str, last: str) -> None:
    assert tuple(map(iso, iso_span(text))) == (first, last)


def test_bounds_include_their_last_microsecond() -> None:
    moment = dt.datetime(2026, 1, 31, 8, 0, 0, 1234, tzinfo=dt.UTC)
    assert span(moment) == (moment.replace(microsecond=1000), moment.replace(microsecond=1999))
    assert span(dt.date(2026, 1, 31))[1].microsecond == 999_999


def test_the_zone_is_that_of_what_names_none() -> None:
    assert span(dt.date(2026, 1, 31), _EAST)[0] == dt.datetime(2026, 1, 30, 22, tzinfo=dt.UTC)
    assert iso_span("2026-01-31T08:00", _EAST)[0] == dt.datetime(2026, 1, 31, 6, tzinfo=dt.UTC)
    assert iso_span("2026-01-31T08:00Z", _EAST)[0] == dt.datetime(2026, 1, 31, 8, tzinfo=dt.UTC)
    local = dt.datetime(2026, 7, 31).astimezone()
    assert iso_span("2026-07-31", None)[0] == local


@pytest.mark.parametrize("text", ["", "x", "2026-02-30", "2026", "9999-12-31-14:00", "0001-01-01+14:00"])
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be an ISO 8601 date or date-time"):
        iso_span(text)
