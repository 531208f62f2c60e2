"""The folders of a parser on its page."""

from __future__ import annotations

import pytest

from docduck.service.folders.folder_changes import create_folder
from docduck.service.folders.folder_lookup import list_folders
from docduck.service.folders.folder_views import FolderView
from tests.server.served import Api
from tests.web.browser import Browser
from tests.web.pages import HOSTILE

pytestmark = pytest.mark.usefixtures("invoices")

PATH = "/parsers/invoices/folders"


def folders(api: Api) -> dict[str, FolderView]:
    return {folder.path_label: folder for folder in list_folders(api.inst, api.inst.team_id, "invoices")}


def test_a_folder_is_made_renamed_moved_and_deleted(lite: Api, ann: Browser) -> None:
    assert "There are no folders yet" in ann.get(PATH).text
    assert ann.submit(PATH, PATH, name=HOSTILE).status_code == 303
    assert ann.submit(PATH, PATH, name="2026", parent=folders(lite)[HOSTILE].id).status_code == 303
    found = folders(lite)
    assert list(found) == [HOSTILE, f"{HOSTILE} / 2026"]
    page = ann.get(PATH).text
    assert "&lt;script&gt;alert(1)" in page and HOSTILE not in page
    inner = found[f"{HOSTILE} / 2026"]
    assert ann.submit(f"{PATH}/{inner.id}", PATH, name="2027", parent="", action="save").status_code == 303
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
    form = {"name": "Large", "parent": "", "instructions": "Invoices of energy suppliers", "action": "save"}
    assert ann.submit(f"{PATH}/{made.id}", PATH, **form).status_code == 303
    changed = folders(lite)["Large"]
    assert changed.auto_assignment is not None and not changed.has_auto_assign
    assert len(changed.auto_assignment.rules) == 1
    assert changed.auto_assignment.instructions == "Invoices of energy suppliers"
    ann.submit(f"{PATH}/{made.id}", PATH, **form, takes="yes")
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
    form = {"name": "Later", "parent": "", "instructions": "Bills", "action": "save"}
    taken = ann.submit(f"{PATH}/{now}", PATH, **form)
    assert taken.status_code == 409 and "Bills" in taken.text and 'class="item" open' in taken.text
    assert set(folders(lite)) == {"Later", "Now"}
