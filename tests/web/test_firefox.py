"""The main pages in Firefox."""

from __future__ import annotations

import json

import pytest

from docduck.service.reviews.stage_changes import create_stage
from tests.server.served import Api
from tests.web.browser import PASSWORD
from tests.web.browsing import make_user
from tests.web.firefox import FIREFOX, firefox
from tests.web.test_document_page import invoice

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.extended,
    pytest.mark.skipif(not FIREFOX.exists(), reason="Firefox is not installed (make system-deps)"),
]


def test_a_document_is_found_corrected_and_approved(lite: Api) -> None:
    ann = make_user(lite.inst)
    parser_id = lite.parser()
    create_stage(lite.inst, lite.inst.team_id, parser_id, {"name": "Check", "reviewer_id": ann})
    document_id = lite.upload(parser_id, invoice(), name="Acme 17.pdf")
    lite.process(parser_id)
    with firefox() as page:
        page.goto(f"{lite.address}/documents")
        fill = "document.querySelector({}).value = {}"
        page.evaluate(fill.format("'#email'", json.dumps("ann@example.org")))
        page.evaluate(fill.format("'#password'", json.dumps(PASSWORD)))
        page.evaluate("document.querySelector('main form').requestSubmit()")
        page.wait_for("document.querySelector('#rows tbody a')?.textContent === 'Acme 17.pdf'")
        page.wait_for("!document.querySelector('#palette-open').hidden")
        page.press("Control", "k")
        page.wait_for("document.querySelector('dialog[open] input')")
        page.type("acme")
        page.wait_for("document.querySelector('[role=option]')?.textContent.startsWith('Acme 17.pdf')")
        page.press("Enter")
        page.wait_for(f"location.pathname === '/documents/{document_id}'")
        page.wait_for(
            "document.querySelector('#picture')?.naturalWidth && document.querySelector('#boxes button')"
        )
        labels = "[...document.querySelectorAll('#fields label')]"
        number = f"{labels}.find((one) => one.textContent.startsWith('Number')).control"
        page.evaluate(f"({number}.focus(), {number}.select())")
        page.type("A-18")
        page.press("Control", "Enter")
        page.wait_for("document.querySelector('.status.approved')")
        assert page.complaints == []
    shown = lite.get(f"/documents/{document_id}").json()
    assert (shown["status"], shown["data"]["Number"]) == ("approved", "A-18")
