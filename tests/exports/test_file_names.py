from __future__ import annotations

import datetime as dt

import pytest

from docduck.errors import InputError
from docduck.exports.file_names import DEFAULT, check_pattern, file_name, is_dated

MOMENT = dt.datetime(2024, 1, 31, 23, 5, 9, tzinfo=dt.timezone(dt.timedelta(hours=-2)))


def named(pattern: str, export: str = "Nightly") -> str:
    return file_name(pattern, "zip", MOMENT, parser="invoices", export=export, format="csv")


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        (DEFAULT, "invoices-20240201-010509.zip"),
        ("{export} {format} {date}", "Nightly csv 20240201.zip"),
        ("latest", "latest.zip"),
        ("a.b", "a.b.zip"),
        ("con", "con_.zip"),
    ],
)
def test_file_name(pattern: str, name: str) -> None:
    assert named(pattern) == name


def test_names_of_exports_can_not_leave_the_folder() -> None:
    assert named("{export}", export="../../etc/x") == "_.._etc_x.zip"


@pytest.mark.parametrize("pattern", ["{year}", "{parser", "{{parser}}", "a/b", "a\\b", "", " . "])
def test_what_is_refused(pattern: str) -> None:
    with pytest.raises(InputError):
        check_pattern(pattern)


def test_is_dated() -> None:
    assert [is_dated(one) for one in (DEFAULT, "{date}", "{time}", "{parser}")] == [True, True, True, False]
