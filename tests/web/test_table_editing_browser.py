"""A table of values as a grid in Chromium: moving, editing, blocks of cells, rows, and undoing all of it."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.service.documents.queries.document_views import get_document
from tests.browser import expect
from tests.server.served import Api
from tests.web.browsing import make_user, signed_in
from tests.web.test_document_page import invoice

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
]

DESK: dict[str, Any] = {
    "viewport": {"width": 1400, "height": 900},
    "permissions": ["clipboard-read", "clipboard-write"],
}
AS_READ = [["Bolt", "10"], ["Nut", "2.5"], ["Screw", "4"]]


def texts(page: Any) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(
        "[...document.querySelectorAll('table.grid tbody tr')].map((row) => "
        "[...row.querySelectorAll('[data-places]')].map((cell) => cell.textContent))"
    )
    return found


def at(page: Any) -> list[int]:
    """The row and column of the cell that has the focus."""
    found: list[int] = page.evaluate(
        "(() => { const cell = document.activeElement.closest('td'); "
        "return [cell.parentElement.sectionRowIndex, cell.cellIndex]; })()"
    )
    return found


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_a_table_is_edited_like_a_spreadsheet(lite: Api) -> None:
    make_user(lite.inst)
    parser_id = lite.parser()
    document_id = lite.upload(parser_id, invoice(), name="a.pdf")
    lite.process(parser_id)
    with signed_in(lite, f"/documents/{document_id}", **DESK) as (page, complaints):
        grid = page.get_by_role("grid", name="Line Items")
        assert grid.locator("[tabindex='0']").count() == 1
        grid.get_by_role("gridcell", name="Bolt").click()
        press(page, "ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp")
        assert at(page) == [0, 1]
        press(page, "Control+End")
        assert at(page) == [2, 1]
        press(page, "Home", "PageUp")
        assert at(page) == [0, 0]
        assert grid.locator("[tabindex='0']").all_inner_texts() == ["Bolt"]

        # Typing replaces, F2 edits, Escape restores; Tab goes on and adds a row, which Escape takes back.
        page.keyboard.type("Washer")
        press(page, "Tab")
        page.keyboard.type("11")
        press(page, "Enter")
        assert at(page) == [1, 1]
        press(page, "F2")
        page.keyboard.type("999")
        press(page, "Escape")
        changed = [["Washer", "11"], *AS_READ[1:]]
        assert texts(page) == changed
        press(page, "Control+End", "Enter", "Tab")
        assert texts(page) == [*changed, ["", ""]]
        press(page, "Escape")
        assert texts(page) == changed

        # A block is copied, cleared and pasted further down, where rows are added.
        press(page, "Control+Home", "ArrowDown", "Shift+ArrowRight", "Shift+ArrowDown")
        assert grid.locator("[aria-selected=true]").count() == 4
        press(page, "Control+c")
        assert page.evaluate("navigator.clipboard.readText()") == "Nut\t2.5\nScrew\t4"
        press(page, "Delete")
        assert texts(page) == [changed[0], ["", ""], ["", ""]]
        press(page, "Control+End", "Home", "Control+v")
        assert texts(page) == [changed[0], ["", ""], *AS_READ[1:]]

        # Rows by key.
        press(page, "Alt+ArrowUp")
        assert texts(page)[1] == ["Nut", "2.5"]
        press(page, "Alt+Shift+Enter")
        page.keyboard.type("Above")
        press(page, "Enter")
        press(page, "Alt+Enter")
        page.keyboard.type("Below")
        press(page, "Enter")
        assert [row[0] for row in texts(page)] == ["Washer", "Above", "Nut", "Below", "", "Screw"]
        press(page, "Control+Home", "Control+Delete")
        assert [row[0] for row in texts(page)] == ["Above", "Nut", "Below", "", "Screw"]

        undo = page.get_by_role("button", name="Undo")
        for _ in range(20):
            if undo.is_enabled():
                undo.click()
        assert texts(page) == AS_READ
        assert page.evaluate("document.querySelector('#save').disabled")
        page.get_by_role("button", name="Add a row").click()
        page.keyboard.type("New")
        press(page, "Escape")
        assert texts(page) == [*AS_READ, ["", ""]]
        undo.click()
        grid.get_by_role("gridcell", name="Nut").click()
        page.evaluate("navigator.clipboard.writeText('Gear\\t5\\n\"Cog\"\\t6\\nPin\\t7,50\\tmore\\n')")
        press(page, "Control+v", "Control+s")
        expect(grid.get_by_role("gridcell", name="7.5", exact=True)).to_be_visible()
        assert complaints == []
    rows = get_document(lite.inst, lite.inst.team_id, document_id).data["Line Items"]
    assert [list(row.values()) for row in rows] == [["Bolt", 10], ["Gear", 5], ["Cog", 6], ["Pin", 7.5]]
