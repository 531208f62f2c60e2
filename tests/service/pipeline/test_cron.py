from __future__ import annotations

import pytest

from docduck.service.pipeline.cron import check_cron


@pytest.mark.parametrize(
    "line",
    ["0 2 * * *", "*/5 * * * *", "0 9-17/2 * * mon-fri", "15,45 0 1,15 jan,JUL 0", "0 0 31 1 *", "0 0 * * 7"],
)
def test_right_lines_stay_as_they_are(line: str) -> None:
    assert check_cron(line) == line


def test_spaces_and_nicknames_are_put_in_order() -> None:
    assert check_cron("  0  2 * *   * ") == "0 2 * * *"
    assert check_cron("@Daily") == "@daily"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("0 2 * *", "five fields .* not 4"),
        ("60 2 * * *", "minute: '60' is not between 0 and 59"),
        ("0 24 * * *", "hour: '24'"),
        ("0 0 0 * *", "day of month: '0'"),
        ("0 0 * 13 *", "month: '13'"),
        ("0 0 * * mo", "day of week: 'mo'"),
        ("5-1 * * * *", "minute: '5-1' names nothing"),
        ("*/0 * * * *", "names nothing"),
        ("a * * * *", "minute: 'a'"),
        ("٣ * * * *", "minute"),
        ("*/٣ * * * *", "minute"),
        ("1- * * * *", "is not \\*, a number"),
        (", * * * *", "is not \\*, a number"),
        ("0 0 30 2 *", "no such day"),
        ("0 0 31 4,6 *", "no such day"),
        ("@often", "is none of"),
        ("", "five fields"),
    ],
)
def test_wrong_lines_say_what_is_wrong(line: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        check_cron(line)
