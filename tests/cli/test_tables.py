"""Tables on narrow and wide terminals, and in pipes."""

from __future__ import annotations

import io
from decimal import Decimal
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from docduck.cli import tables
from docduck.cli.output import percent, shown
from docduck.cli.tables import print_table

ID = "01a1fc57-5c4b-7013-b764-b10936b2240c"
NAME = "Rechnung 2024-0815 der Nordlicht Bürobedarf Handels GmbH vom 31. Mai.pdf"
LIST = ["Id", "Name", "Status", "Conf.", "Created"]
ROW = (ID, NAME, "failed: Unsupported file type", "97%", "2024-05-31 10:00:00")


def printed(
    monkeypatch: pytest.MonkeyPatch, width: int | None, columns: list[str], rows: list[tuple[Any, ...]]
) -> list[str]:
    """The lines on a terminal of this width, or in a pipe."""
    to = io.StringIO()
    monkeypatch.setattr(
        tables,
        "console",
        Console(file=to, width=width, force_terminal=width is not None, color_system=None, soft_wrap=True),
    )
    print_table(columns, rows)
    return [line.rstrip() for line in to.getvalue().splitlines()]


@pytest.mark.parametrize("width", [40, 45, 60, 80, 100, 200])
def test_nothing_is_cut_however_narrow(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    lines = printed(monkeypatch, width, LIST, [ROW])
    assert max(map(cell_len, lines)) <= width
    letters = "".join("".join(lines).split())
    for cell in ROW:
        for letter in set(cell) - {" "}:
            assert letters.count(letter) >= cell.count(letter)
    if width >= 45:
        assert any(ID in line for line in lines)


def test_a_list_of_documents_is_a_table_at_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = printed(monkeypatch, 80, LIST, [ROW])
    assert lines[0].split() == LIST
    assert lines[1].startswith(f"{ID}  Rechnung")


def test_too_many_columns_go_down_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [f"column_{i}" for i in range(20)]
    lines = printed(monkeypatch, 80, columns, [tuple(range(20)), tuple(range(20, 40))])
    assert lines[:2] == ["row 1", "column_0   0"]
    assert lines[21:23] == ["row 2", "column_0   20"]
    assert lines[-1] == "column_19  39"


def test_a_pipe_gets_each_row_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = "x" * 5000
    lines = printed(monkeypatch, None, ["A", "B", "C"], [(wide, 1, "y"), ("z", 22, None)])
    assert lines == [f"A{' ' * 4999}   B  C", f"{wide}   1  y", f"z{' ' * 4999}  22"]


def test_wide_letters_keep_columns_straight(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = printed(monkeypatch, None, ["Name", "N"], [("請求書", 1), ("ab", 2)])
    assert lines == ["Name    N", "請求書  1", "ab      2"]


def test_markup_and_control_characters_are_but_text(monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (None, 80):
        lines = printed(monkeypatch, width, ["[b]A[/b]", "B"], [("[red]x[/red]", "a\x1b[31m\nb\tc")])
        assert lines[0].startswith("[b]A[/b]")
        assert lines[1].split("  ")[0] == "[red]x[/red]"
        assert "\x1b" not in lines[1]
        assert len(lines) == 2


def test_numbers_stand_right(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("a", Decimal("1.50"), True), ("b", 200, False), ("c", None, None)]
    lines = printed(monkeypatch, None, ["Name", "Amount", "Paid"], rows)
    assert lines == ["Name  Amount  Paid", "a       1.50  yes", "b        200  no", "c"]


def test_no_rows_and_no_columns_are_printed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (None, 80):
        assert printed(monkeypatch, width, ["A", "B"], []) == ["A  B"]
        assert printed(monkeypatch, width, [], []) in ([], [""])


def test_cells_are_words_for_people() -> None:
    assert [shown(value) for value in (None, True, ["a", None, 2], 0, "")] == ["", "yes", "a; ; 2", "0", ""]
    assert [percent(share) for share in (None, 0, 0.974)] == ["", "0%", "97%"]
