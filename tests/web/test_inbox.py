"""The inbox in Chromium: uploads, live rows, filters, and actions on many documents."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from docduck.catalog.models import UserSession
from docduck.service.documents.bin.binning import bin_documents
from docduck.service.documents.queries.listing import list_documents
from docduck.service.folders.folder_changes import create_folder
from tests.browser import expect
from tests.server.served import Api
from tests.web.browsing import make_user, signed_in

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
]


def test_files_are_uploaded_and_followed_until_they_are_read(lite: Api, tmp_path: Path) -> None:
    make_user(lite.inst)
    parser_id = lite.parser()
    create_folder(lite.inst, lite.inst.team_id, parser_id, {"name": "Later"})
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for file in files:
        file.write_text("Number: A-1\nTotal: 12.50\n")
    with signed_in(lite, "/documents?parser=invoices") as (page, complaints):
        page.set_input_files("#upload-files", files)
        page.get_by_role("button", name="Upload").click()
        page.get_by_text("2 uploaded to Invoices").wait_for()
        expect(page.locator("#rows .status")).to_have_text(["queued", "queued"])
        page.keyboard.press("j")
        page.get_by_label("Choose b.txt").check()
        page.get_by_role("link", name="a.txt").focus()
        lite.process(parser_id)
        page.locator("#rows .status.processed").nth(1).wait_for()
        expect(page.get_by_role("link", name="a.txt")).to_be_focused()
        expect(page.locator("#rows tr.current")).to_have_count(1)
        assert "UTC" not in page.locator("#rows time").first.inner_text()
        page.get_by_label("Choose a.txt").click(modifiers=["Shift"])
        expect(page.locator("#chosen-count")).to_have_text("2 chosen")
        page.get_by_role("link", name="a.txt").click()
        page.get_by_role("heading", name="a.txt").wait_for()
        assert complaints == []
    rows = list_documents(lite.inst, lite.inst.team_id).rows
    assert {row.source for row in rows} == {"upload"}


def test_filters_and_actions(lite: Api) -> None:
    make_user(lite.inst)
    parser_id = lite.parser()
    for name in ("one", "two", "three"):
        lite.upload(parser_id, f"Number: {name}\n".encode(), name=f"{name}.txt")
    lite.process(parser_id)
    with signed_in(lite, "/documents") as (page, complaints):
        page.get_by_label("Parser").select_option("Invoices")
        page.get_by_label("Words in names and values").fill("")
        page.get_by_role("button", name="Show").click()
        page.wait_for_url("**parser=*")
        page.get_by_label("Words in names and values").fill("two")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("#rows td.name a")).to_have_text(["two.txt"])
        page.wait_for_load_state()  # with the script that counts what is chosen
        page.get_by_label("Choose two.txt").check()
        page.get_by_role("button", name="Delete").click()
        dialog = page.get_by_role("dialog", name="Delete 1 document?")
        dialog.get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name="Delete").click()
        dialog.get_by_role("button", name="Delete").click()
        page.get_by_text("No documents are here").wait_for()
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#rows td.name a")).to_have_text(["two.txt"])
        page.wait_for_load_state()
        page.get_by_label("Choose two.txt").check()
        page.get_by_role("button", name="Delete").click()
        dialog.get_by_role("button", name="Delete").click()
        page.locator(".toast").get_by_text("1 document deleted").wait_for()
        page.goto("/documents?status=processed")
        for box in page.locator("#rows tbody input").all():
            box.check()
        page.get_by_role("button", name="Read again").click()
        page.get_by_text("No documents are here").wait_for()
        assert complaints == []
    rows = list_documents(lite.inst, lite.inst.team_id).rows
    assert {(row.name, row.status.value) for row in rows} == {("one.txt", "queued"), ("three.txt", "queued")}


def test_deleting_asks_before_the_other_scripts_are_loaded(lite: Api) -> None:
    make_user(lite.inst)
    parser_id = lite.parser()
    lite.upload(parser_id, b"Number: 1\n", name="one.txt")
    with signed_in(lite) as (page, _):
        others = re.compile(r"/static/(?!asking)\w+\.js")
        page.route(others, lambda route: None)
        page.goto("/documents", wait_until="commit")
        page.get_by_label("Choose one.txt").check()
        for _ in range(2):
            page.get_by_role("button", name="Delete").click(no_wait_after=True)
        page.get_by_role("button", name="Read again").click(no_wait_after=True)
        page.unroute(others)  # lets them through
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("dialog")).to_have_count(0)

        page.route("**/static/dialogs.js", lambda route: route.abort())
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.goto("/documents")
        page.get_by_label("Choose one.txt").check()
        page.get_by_role("button", name="Delete").click()
        expect(page.locator("#rows td.name a")).to_have_text(["one.txt"])
    assert len(list_documents(lite.inst, lite.inst.team_id).rows) == 1


def test_rows_are_chosen_by_keys_in_ranges_and_altogether(lite: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docduck.web.documents.list_query.LIMIT", 10)
    make_user(lite.inst)
    parser_id = lite.parser()
    for number in range(12):
        lite.upload(parser_id, f"Number: {number}\n".encode(), name=f"{number}.txt")
    lite.process(parser_id)
    with signed_in(lite, "/documents") as (page, complaints):
        boxes, chosen = page.locator("#rows tbody input"), page.locator("#chosen-count")
        expect(chosen).not_to_be_visible()
        for key in "jjxj":
            page.keyboard.press(key)
        expect(chosen).to_have_text("1 chosen")
        expect(boxes.nth(1)).to_be_checked()
        boxes.nth(6).click(modifiers=["Shift"])
        expect(chosen).to_have_text("6 chosen")
        page.keyboard.press("#")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("x")
        page.get_by_role("dialog", name="Delete 6 documents?").get_by_role("button", name="Cancel").click()
        expect(chosen).to_have_text("6 chosen")
        page.get_by_label("Choose all on this page").check()
        expect(chosen).to_have_text("10 chosen")
        page.get_by_role("button", name="Choose all 12").click()
        expect(chosen).to_have_text("All 12 chosen")
        page.get_by_role("button", name="Read again").click()
        dialog = page.get_by_role("dialog", name="Read 12 documents again?")
        dialog.get_by_role("button", name="Read again").click()
        page.get_by_text("12 documents wait to be read again").wait_for()
        expect(page.locator("#rows .status.queued")).to_have_count(10)
        page.get_by_label("Choose all on this page").check()
        page.get_by_role("button", name="Choose all 12").click()
        expect(chosen).to_have_text("All 12 chosen")
        gone = list_documents(lite.inst, lite.inst.team_id).rows[0].id
        bin_documents(lite.inst, lite.inst.team_id, [gone], "test")
        page.keyboard.press("Delete")
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        page.locator(".toast").get_by_text("11 documents deleted", exact=True).wait_for()
        page.locator(".toast").get_by_text("11 documents deleted, 1 not: Document not found").wait_for()
        page.get_by_role("button", name="Undo").click()
        page.get_by_text("11 documents", exact=True).wait_for()
        assert all("404" in one for one in complaints), complaints
        complaints.clear()
        page.locator("#rows tbody a").nth(2).click()
        page.go_back()
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.wait_for_url("**/documents/*-*")
        page.go_back()
        assert complaints == []
        with lite.inst.catalog.transaction() as session:
            session.execute(delete(UserSession))
        page.get_by_text("Your session has ended. Sign in again.").wait_for()


def drop(page: Any, *paths: Path, at: tuple[float, float] = (400, 300)) -> None:
    """Drop files and folders on the page, as from the desktop."""
    devtools = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        devtools.send("Input.dispatchDragEvent", {"type": kind, "x": at[0], "y": at[1], "data": data})


def test_a_folder_is_dropped_and_what_is_refused_keeps_nothing_else_back(lite: Api, tmp_path: Path) -> None:
    make_user(lite.inst)
    lite.parser()
    month = tmp_path / "bills" / "May"
    month.mkdir(parents=True)
    for number in range(23):  # more than one request takes
        (month / f"{number}.txt").write_text(f"Number: {number}\n")
    (tmp_path / "bills" / "April.txt").write_text("Number: 30\n")
    (tmp_path / "bills" / ".DS_Store").write_text("clutter")
    (tmp_path / "bills" / "setup.exe").write_bytes(b"MZ\x90\x00" + bytes(200))
    single = tmp_path / "single.txt"
    single.write_text("Number: 31\n")
    with signed_in(lite, "/documents?parser=invoices") as (page, complaints):
        drop(page, tmp_path / "bills", single)
        page.get_by_text("25 uploaded to Invoices, 1 not. setup.exe").wait_for()
        page.locator("#upload progress").first.wait_for(state="hidden")
        assert all("415" in one for one in complaints), complaints
        complaints.clear()
        page.set_input_files("#upload-folder", month)
        page.get_by_text("23 uploaded to Invoices", exact=True).wait_for()
        page.get_by_text("48 documents").wait_for()
        assert complaints == []
    names = [row.name for row in list_documents(lite.inst, lite.inst.team_id, limit=100).rows]
    assert sorted(names) == sorted(
        [*[f"{number}.txt" for number in range(23)] * 2, "April.txt", "single.txt"]
    )
