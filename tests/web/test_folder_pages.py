"""The folders of a parser on its page."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from docduck.service.folders.folder_changes import create_folder, update_folder
from docduck.service.folders.folder_lookup import list_folders
from docduck.service.folders.folder_views import FolderView
from tests.server.served import Api
from tests.web.browser import Browser
from tests.web.pages import HOSTILE, form_of

pytestmark = pytest.mark.usefixtures("invoices")

PATH = "/parsers/invoices/folders"


def folders(api: Api) -> dict[str, FolderView]:
    return {folder.path_label: folder for folder in list_folders(api.inst, api.inst.team_id, "invoices")}


def save(browser: Browser, folder_id: str, **typed: Any) -> httpx.Response:
    path = f"{PATH}/{folder_id}"
    return browser.post(path, data={**form_of(browser.get(PATH), path), "action": "save", **typed})


def test_a_folder_is_made_renamed_moved_and_deleted(lite: Api, ann: Browser) -> None:
    assert "There are no folders yet" in ann.get(PATH).text
    assert ann.submit(PATH, PATH, name=HOSTILE).status_code == 303
    assert ann.submit(PATH, PATH, name="2026", parent=folders(lite)[HOSTILE].id).status_code == 303
    found = folders(lite)
    assert list(found) == [HOSTILE, f"{HOSTILE} / 2026"]
    page = ann.get(PATH).text
    assert "&lt;script&gt;alert(1)" in page and HOSTILE not in page
    inner = found[f"{HOSTILE} / 2026"]
    assert save(ann, inner.id, name="2027", parent="").status_code == 303
    assert set(folders(lite)) == {HOSTILE, "2027"}
    assert ann.submit(f"{PATH}/{inner.id}", PATH, action="delete").status_code == 303
    assert set(folders(lite)) == {HOSTILE}


def test_words_fill_a_folder_and_its_rules_stay(lite: Api, ann: Browser) -> None:
    rule = {"field": "Total", "condition": "extracted_value", "operator": ">", "value": 5}
    team = lite.inst.team_id
    made = create_folder(
        lite.inst,
        team,
        "invoices",
        {"name": "Large", "auto_assignment": {"rules": [rule]}, "has_auto_assign": True},
    )
    words = "Invoices of energy suppliers"
    assert save(ann, made.id, instructions=words, takes=[]).status_code == 303
    changed = folders(lite)["Large"]
    assert changed.auto_assignment is not None and not changed.has_auto_assign
    assert len(changed.auto_assignment.rules) == 1
    assert changed.auto_assignment.instructions == words
    save(ann, made.id, takes="yes")
    assert folders(lite)["Large"].has_auto_assign
    ann.submit(PATH, PATH, name="Power", instructions="Bills of power companies")
    assert folders(lite)["Power"].has_auto_assign


def test_what_is_wrong_is_told_and_what_was_typed_stays(lite: Api, ann: Browser) -> None:
    ann.submit(PATH, PATH, name="Later")
    again = ann.submit(PATH, PATH, name="later", instructions="All that waits")
    assert again.status_code == 409 and "All that waits" in again.text
    missing = ann.submit(PATH, PATH, name="  ")
    assert missing.status_code == 400 and 'role="alert"' in missing.text
    ann.submit(PATH, PATH, name="Now")
    now = folders(lite)["Now"].id
    taken = save(ann, now, name="Later", instructions="Bills")
    assert taken.status_code == 409 and "Bills" in taken.text and 'class="item" open' in taken.text
    assert set(folders(lite)) == {"Later", "Now"}


def test_what_was_changed_elsewhere_meanwhile_stays(lite: Api, ann: Browser) -> None:
    of_parser = (lite.inst, lite.inst.team_id, "invoices")
    made = create_folder(*of_parser, {"name": "Bills", "auto_assignment": {"instructions": "Bills"}})
    path = f"{PATH}/{made.id}"
    form = form_of(ann.get(PATH), path)
    update_folder(*of_parser, made.id, {"name": "Invoices", "has_auto_assign": True})
    assert ann.post(path, data={**form, "action": "save", "instructions": "Energy"}).status_code == 303
    (changed,) = list_folders(*of_parser)
    assert (changed.name, changed.has_auto_assign) == ("Invoices", True)
    assert changed.auto_assignment is not None and changed.auto_assignment.instructions == "Energy"
