"""The pages of a parser's accuracy, and of what it has learned."""

from __future__ import annotations

from docduck.service.corrections.lessons import list_lessons
from docduck.service.parsers.field_editing import add_field
from docduck.web.accuracy.router import line_points
from tests.conftest import MakeInstallation
from tests.endpoint import model, says
from tests.server.served import Api, serving
from tests.service.core.documents import correct
from tests.web.browser import Browser, form_token
from tests.web.pages import HOSTILE, entered


def test_the_page_shows_how_many_values_were_right(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()
    assert "no documents with values yet" in ann.get("/parsers/invoices/accuracy").text
    add_field(lite.inst, lite.inst.team_id, parser_id, {"name": HOSTILE})
    documents = [lite.upload(parser_id, b"Number: A-%d\n" % number) for number in range(4)]
    lite.process(parser_id)
    correct(lite.inst, lite.inst.team_id, documents[0], {"Number": "B-1"})
    correct(lite.inst, lite.inst.team_id, documents[1], {"Number": "A-1"})
    page = ann.get("/parsers/invoices/accuracy")
    assert '50.0 % <span class="faint">(1 of 2 corrected)</span>' in page.text
    assert "<strong>2 reviewed</strong>, 2 not reviewed" in page.text and HOSTILE not in page.text
    assert "<strong>2 of 8 values</strong>" in page.text


def test_a_script_compares_the_modes_on_reviewed_documents(make_installation: MakeInstallation) -> None:
    with (
        model([says({"number": "A-1", "total": None}, usage=(300, 20))]) as endpoint,
        serving(make_installation(model_base_url=endpoint.url)) as api,
        entered(api) as browser,
    ):
        parser_id = api.parser(modelUse="never")
        document = api.upload(parser_id, b"Number: A-1\n")
        api.process(parser_id)
        assert 'id="modes"' not in browser.get("/parsers/invoices/accuracy").text
        correct(api.inst, api.inst.team_id, document, {"Number": "A-1"})
        page = browser.get("/parsers/invoices/accuracy")
        assert f'data-documents="{document}"' in page.text
        path, headers = f"/parsers/invoices/accuracy/modes/{document}", {"Accept": "application/json"}
        assert browser.post(path, json={}, headers=headers).status_code == 403
        headers["X-Form-Token"] = form_token(browser.get("/profile"))
        found = browser.post(path, json={}, headers=headers).json()
        assert found["warnings"] == []
        for way, tokens in (("offline", 0), ("model", 300)):
            counts = found[way]
            assert (counts["documents"], counts["valuesTrue"], counts["valuesRight"]) == (1, 1, 1)
            assert counts["seconds"] > 0 and counts["tokensRead"] == tokens


def test_the_line_goes_from_the_oldest_share_to_the_latest() -> None:
    assert line_points([1.0]) == ""
    assert line_points([0.0, 0.5, 1.0]) == "2.0,26.0 60.0,14.0 118.0,2.0"


def test_lessons_are_shown_and_removed(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()
    assert "Nothing was learned yet" in ann.get("/parsers/invoices/lessons").text
    document = lite.upload(parser_id, b"Welcome to the harbour\nNumber: A-1\nOther mark: B-1\n")
    lite.process(parser_id)
    correct(lite.inst, lite.inst.team_id, document, {"Number": "B-1"})
    page = ann.get("/parsers/invoices/lessons").text
    assert "Other mark" in page and f"/documents/{document}" in page
    lessons = list_lessons(lite.inst, lite.inst.team_id, parser_id)
    for one in lessons.rows:
        path = f"/parsers/invoices/lessons/{one.id}/remove"
        assert path in page and ann.submit(path).status_code == 303
    assert "Nothing was learned yet" in ann.get("/parsers/invoices/lessons").text
