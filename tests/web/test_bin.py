"""Deleting on the pages: undone, restored from the bin's page, and deleted for good."""

from __future__ import annotations

import re
from html import unescape

from docduck.service.corrections.corrections import set_values
from docduck.service.documents.bin.binning import bin_documents
from docduck.service.documents.bin.contents import list_binned
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parsers import delete_parser
from docduck.service.reviews.decisions import approve
from docduck.service.reviews.stage_changes import create_stage
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving
from tests.web.browser import Browser, member
from tests.web.pages import HOSTILE, entered, form_of


def names(api: Api) -> list[str]:
    return sorted(row.name for row in list_documents(api.inst, api.inst.team_id).rows)


def binned(api: Api) -> list[str]:
    return sorted(row.name for row in list_binned(api.inst, api.inst.team_id).rows)


def test_deleting_is_undone_and_the_list_stays_where_it_was(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()
    first, second, _ = (lite.upload(parser_id, name=f"{name}.txt") for name in ("a", "b", "c"))
    path = "/documents?parser=invoices&status=queued"
    form = form_of(ann.get(path), "/documents") | {"action": ["delete"], "document": [first, second]}
    answer = ann.post("/documents", data=form)
    assert names(lite) == ["c.txt"] and binned(lite) == ["a.txt", "b.txt"]
    shown = ann.get(answer.headers["location"])
    assert "2 documents deleted" in shown.text
    answer = ann.post("/bin/undo", data=form_of(shown, "/bin/undo"))
    assert answer.headers["location"] == path
    assert names(lite) == ["a.txt", "b.txt", "c.txt"] and binned(lite) == []
    assert "documents deleted" not in ann.get(path).text


def test_the_bin_is_listed_restored_and_emptied(lite: Api) -> None:
    parser_id, gone = lite.parser(), lite.parser("Gone")
    ids = [lite.upload(parser_id, name=f"{name}.txt") for name in ("a", "b", HOSTILE)]
    lost = lite.upload(gone, name="lost.txt")
    with entered(lite) as browser:
        assert "The bin is empty" in browser.get("/bin").text
        ann = member(lite.inst, "ann")
        bin_documents(lite.inst, lite.inst.team_id, [*ids, lost], ann)
        delete_parser(lite.inst, lite.inst.team_id, gone)
        page = browser.get("/bin")
        assert "4 documents" in page.text and "Ann" in page.text and "for 30 days" in page.text
        assert "<script>alert" not in page.text
        form = form_of(page, "/bin")
        assert browser.post("/bin", data=form | {"action": ["restore"]}).status_code == 400
        refused = browser.post("/bin", data=form | {"action": ["restore"], "document": [lost]})
        assert refused.status_code == 409 and "lost.txt" in refused.text and "deleted" in refused.text
        browser.post("/bin", data=form | {"action": ["restore"], "document": ids[:1]})
        browser.post("/bin", data=form | {"action": ["delete"], "document": [ids[1], lost]})
        assert names(lite) == ["a.txt"] and len(binned(lite)) == 1
        assert browser.post("/bin", data=form | {"action": ["empty"]}).status_code == 303
        assert names(lite) == ["a.txt"] and binned(lite) == []


def test_what_one_action_deleted_is_restored_together(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()
    team = (lite.inst, lite.inst.team_id)
    for together in ("ab", "c"):
        bin_documents(*team, [lite.upload(parser_id, name=f"{name}.txt") for name in together], "user")
    page = ann.get("/bin")
    (batch,) = re.findall(r'name="batch" value="([^"]+)"[^>]*>Restore all 2 deleted together<', page.text)
    answer = ann.post("/bin/undo", data=form_of(page, "/bin") | {"batch": [batch]})
    assert answer.headers["location"] == "/bin"
    assert (names(lite), binned(lite)) == (["a.txt", "b.txt"], ["c.txt"])
    assert "deleted together" not in ann.get("/bin").text


def test_what_was_not_restored_is_told(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()
    document = lite.upload(parser_id, name="a.txt", externalIds='["A-1"]')
    bin_documents(lite.inst, lite.inst.team_id, [document], "user")
    lite.upload(parser_id, name="b.txt", externalIds='["A-1"]')
    form = form_of(ann.get("/bin"), "/bin") | {"action": ["restore"], "document": [document]}
    told = ann.post("/bin", data=form)
    assert told.status_code == 200 and "without its external id" in told.text
    assert names(lite) == ["a.txt", "b.txt"]


def test_lists_and_pages_know_what_reading_again_would_discard(lite: Api) -> None:
    parser_id = lite.parser()
    ann = member(lite.inst, "ann")
    create_stage(lite.inst, lite.inst.team_id, parser_id, {"name": "Check", "reviewer_id": ann})
    approved, corrected, plain = (lite.upload(parser_id, name=f"{name}.txt") for name in "abc")
    lite.process(parser_id)
    approve(lite.inst, lite.inst.team_id, parser_id, approved, ann, ann)
    set_values(lite.inst, lite.inst.team_id, parser_id, corrected, {"Number": "B-2"})
    marks = {approved: ["data-approved"], corrected: ["data-corrected"], plain: []}
    with entered(lite) as browser:
        listed = browser.get("/documents").text
        for document, expected in marks.items():
            row = next(part for part in listed.split("<input") if f'value="{document}"' in part)
            assert [mark for mark in ("data-approved", "data-corrected") if mark in row] == expected
            page = browser.get(f"/documents/{document}").text
            assert [mark for mark in ("data-approved", "data-corrected") if mark in page] == expected


def test_without_a_bin_the_list_says_that_deleting_is_for_good(make_installation: MakeInstallation) -> None:
    with serving(make_installation(bin_days=0)) as api:
        document = api.upload(api.parser())
        with entered(api) as browser:
            page = browser.get("/documents")
            assert "This can't be undone." in unescape(page.text) and 'href="/bin"' not in page.text
            form = form_of(page, "/documents") | {"action": ["delete"], "document": [document]}
            answer = browser.post("/documents", data=form)
            assert "deleted=" not in answer.headers["location"]
        assert names(api) == [] and binned(api) == []
