"""The page of what a parser has learned."""

from __future__ import annotations

from docduck.service.corrections.lessons import list_lessons
from tests.server.served import Api
from tests.service.core.documents import correct
from tests.web.pages import entered


def test_lessons_are_shown_and_removed(lite: Api) -> None:
    parser_id = lite.parser()
    with entered(lite) as browser:
        assert "Nothing was learned yet" in browser.get("/parsers/invoices/lessons").text
        document = lite.upload(parser_id, b"Welcome to the harbour\nNumber: A-1\nOther mark: B-1\n")
        lite.process(parser_id)
        correct(lite.inst, lite.inst.team_id, document, {"Number": "B-1"})
        page = browser.get("/parsers/invoices/lessons").text
        assert "Other mark" in page and f"/documents/{document}" in page
        lessons = list_lessons(lite.inst, lite.inst.team_id, parser_id)
        for one in lessons.rows:
            path = f"/parsers/invoices/lessons/{one.id}/remove"
            assert path in page and browser.submit(path).status_code == 303
        assert "Nothing was learned yet" in browser.get("/parsers/invoices/lessons").text
