"""Files that users add on the pages, how far their reading is, and samples of new parsers."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.service.classifiers.classifiers import create_classifier
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parser_listing import find_parsers
from tests.server.served import Api
from tests.web.browser import Browser, form_token
from tests.web.pages import form_of

PROGRAM = ("file", ("x.bin", b"\x7fELF\x02\x01\x01"))
TEXT = ("file", ("a.txt", b"Number: 1\n"))
BROKEN = ("file", ("b.pdf", b"%PDF-1.7 broken"))
ADD = "/add-documents"
JSON = {"Accept": "application/json"}


def names(api: Api) -> list[str]:
    return [one.name for one in list_documents(api.inst, api.inst.team_id).rows]


def test_what_is_wrong_with_files_is_told_at_the_form(lite: Api, ann: Browser) -> None:
    lite.parser()
    form = {
        name: one[0]
        for name, one in form_of(ann.get("/documents?parser=invoices"), ADD).items()
        if name != "file"
    }
    refused = ann.post(ADD, data=form, files=[TEXT, PROGRAM])
    assert refused.status_code == 415
    assert 'role="alert">Unsupported file type' in refused.text
    missing = ann.post(ADD, data=form, files=[("other", ("", b""))])
    assert missing.status_code == 400 and "Add documents" in missing.text
    nowhere = ann.post(ADD, data={**form, "to": ""}, files=[TEXT])
    assert nowhere.status_code == 400 and "Choose where the documents go" in nowhere.text
    assert names(lite) == []
    taken = ann.post(ADD, data=form, files=[TEXT])
    assert (taken.status_code, taken.headers["location"]) == (303, "/documents?parser=invoices")
    assert names(lite) == ["a.txt"]
    assert ann.post(ADD, data={**form, "to": "parser:nothing"}, files=[TEXT]).status_code == 404


def test_a_script_is_told_what_became_of_files(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()
    shown = ann.get(ADD, params={"to": "parser:invoices"})
    assert f'<option value="parser:{parser_id}" selected>' in shown.text
    assert "/classifiers/new" in shown.text
    rules = {"rules": [{"label": "Bill", "targetParserId": parser_id}]}
    made = create_classifier(lite.inst, lite.inst.team_id, {"name": "Mail", "routing": rules})
    assert "Decide for me</option>" in ann.get(ADD).text
    create_classifier(lite.inst, lite.inst.team_id, {"name": "Post", "routing": rules})
    assert "Decide for me: Mail</option>" in ann.get(ADD).text

    form = {"form_token": form_token(shown), "to": f"classifier:{made.id}"}
    taken = ann.post(ADD, data=form, files=[TEXT], headers=JSON).json()
    assert (taken["name"], taken["path"]) == ("Mail", f"/classifiers/{made.id}/documents")
    assert [one["name"] for one in taken["documents"]] == ["a.txt"]
    refused = ann.post(ADD, data=form, files=[PROGRAM], headers=JSON)
    assert refused.status_code == 415 and "Unsupported file type" in refused.json()["message"]
    ann.cookies.clear()
    assert ann.post(ADD, data=form, files=[TEXT], headers=JSON).json()["message"] == "Sign in first"


def test_the_progress_of_reading_is_told(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()

    def progress(**query: str) -> dict[str, Any]:
        found: dict[str, Any] = ann.get("/documents/progress", params=query, headers=JSON).json()
        return found

    assert progress()["total"] == 0
    begin = {"form_token": form_token(ann.get(ADD)), "to": f"parser:{parser_id}"}
    since = ann.post(ADD, data=begin, files=[TEXT, BROKEN], headers=JSON).json()["since"]
    lite.upload(lite.parser("Other"))
    mine = progress(to=f"parser:{parser_id}", since=since)
    assert (mine["total"], mine["done"], mine["secondsLeft"]) == (2, 0, None)
    assert progress()["total"] == 3
    lite.process(parser_id)
    mine = progress(to=f"parser:{parser_id}", since=since)
    assert (mine["total"], mine["done"], mine["failed"]) == (2, 2, 1)
    ((failure),) = mine["failures"]
    assert failure["name"] == "b.pdf" and failure["error"] and failure["path"].startswith("/documents/")
    assert [(one["name"], one["count"]) for one in mine["parsers"]] == [("Invoices", 2)]
    assert ann.get("/documents/progress?since=2026-01-01T00:00:00", headers=JSON).status_code == 400
    assert ann.get("/documents/progress?to=parser:nothing", headers=JSON).status_code == 404


@pytest.mark.parametrize("template", ["", "invoice"])
def test_a_wrong_sample_leaves_no_parser_behind(lite: Api, ann: Browser, template: str) -> None:
    given = {"form_token": form_token(ann.get("/parsers/new")), "name": "Bills", "template": template}
    refused = ann.post("/parsers/new", data=given, files=[TEXT, PROGRAM])
    assert refused.status_code == 415
    assert find_parsers(lite.inst, lite.inst.team_id, sort="name.asc").total == 0
    assert ann.post("/parsers/new", data=given, files=[TEXT]).status_code == 303
    assert names(lite) == ["a.txt"]
