"""The history on a document's page: who did what, when, and which values were changed."""

from __future__ import annotations

import re

from docduck.extraction.model_usage import ModelUsage
from docduck.service.corrections.corrections import set_values
from tests.server.served import Api
from tests.service.core.documents import add, correct, make_parser
from tests.service.processing.test_model_spending import finish_all
from tests.web.browser import Browser
from tests.web.browsing import make_user
from tests.web.pages import HOSTILE, entered
from tests.web.test_document_page import invoice


def test_a_correction_says_who_and_what(lite: Api) -> None:
    ann = make_user(lite.inst)
    parser_id = lite.parser()
    document_id = lite.upload(parser_id, b"Number: 17\nTotal: 5.00\n", name="a.txt")
    lite.process(parser_id)
    for number in ("18", HOSTILE):
        set_values(lite.inst, lite.inst.team_id, parser_id, document_id, {"Number": number}, reviewer_id=ann)
    with entered(lite) as browser:
        page = browser.get(f"/documents/{document_id}").text
    history = re.sub(r"\s+", " ", page[page.index('id="history"') :])
    assert " corrected by Ann" in history
    assert ann not in history
    assert "<del>17</del> → <ins>18</ins>" in history
    assert HOSTILE not in page
    assert re.search(r'<time datetime="[^"]+Z">[-\d]+ [\d:]+ UTC</time>', history)


def test_what_a_model_was_asked_is_told(lite: Api) -> None:
    parser = make_parser(lite.inst)
    (document_id,) = add(lite.inst, parser)
    finish_all(lite.inst, parser, ModelUsage("<small>", 2, 12_345, 678, 0.25))
    with entered(lite) as browser:
        page = browser.get(f"/documents/{document_id}").text
        why = browser.get(f"/documents/{document_id}/why/{parser.fields[0].id}")
    asked = "Asked of &lt;small&gt;: 2 requests, 12,345 tokens read, 678 written, cost 0.2500"
    assert asked in page[page.index('id="history"') :]
    assert why.json()[0].startswith("It was read from the page; “A-1” is printed on page 1")


def test_a_learned_value_says_from_which_document(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()
    first = lite.upload(parser_id, invoice("A-17"), name="<first>.pdf")
    lite.process(parser_id)
    correct(lite.inst, lite.inst.team_id, first, {"Number": "A-17"})
    second = lite.upload(parser_id, invoice("B-4711"), name="second.pdf")
    lite.process(parser_id)
    page = ann.get(f"/documents/{second}").text
    link = f'learned from <a href="/documents/{first}">&lt;first&gt;.pdf</a>'
    assert 'value="B-4711"' in page
    assert f'<p class="learned">{link}</p>' in page
    assert f"<li>Number was {link}</li>" in page[page.index('id="history"') :]
