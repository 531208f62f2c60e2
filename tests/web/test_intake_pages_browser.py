"""Classifiers, sources and usage in Chromium: on a desk, on a phone and in the dark, with axe."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.service.classifiers.classifier_listing import list_classifiers
from docduck.service.classifiers.example_changes import list_examples
from docduck.service.core.installation import Installation
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import inbox
from tests.browser import chromium
from tests.server.served import Api
from tests.service.classifiers.classifiers_world import unrouted_in
from tests.service.sources.intake_world import drop
from tests.web.browser import PASSWORD, member
from tests.web.pages import HOSTILE
from tests.web.test_pages_browser import SCREENS, Visit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.extended,
]


@SCREENS
def test_a_classifier_is_made_and_learns(lite: Api, screen: dict[str, Any]) -> None:
    inst: Installation = lite.inst
    member(inst, "ann", "member", password=PASSWORD)
    lite.parser(f"Bills {HOSTILE}")
    lite.parser("Notes")
    with chromium() as browser:
        visit = Visit(browser, lite, **screen)
        page = visit.page
        visit.sign_in("ann@example.org")
        visit.navigate("Classifiers")
        visit.check()
        page.get_by_role("link", name="New classifier").click()
        page.get_by_label("Name").fill("Incoming mail")
        page.get_by_label("Label of a new rule, 1").fill("Bill")
        visit.check()
        page.get_by_role("button", name="Create").click()
        page.get_by_text("Choose the parser of the rule 'Bill'").wait_for()
        assert "400" in visit.complaints.pop()  # the browser tells the status of the refused form
        page.get_by_label("Parser of rule 1").select_option(f"Bills {HOSTILE}")
        page.get_by_label("Label of a new rule, 2").fill("Note")
        page.get_by_label("Parser of a new rule, 2").select_option("Notes")
        page.get_by_role("button", name="Create").click()

        page.wait_for_load_state()  # with the script that sends files
        files = [{"name": "a.txt", "mimeType": "text/plain", "buffer": b"A note\n"}]
        page.get_by_label("Add documents to be routed").set_input_files(files)
        page.get_by_role("button", name="Upload").click()
        page.get_by_text("1 uploaded").wait_for()
        page.reload()
        page.get_by_role("link", name="a.txt").wait_for()
        (made,) = list_classifiers(inst, inst.team_id)
        unrouted_in(inst, made.id, HOSTILE * 3)
        with inst.catalog.transaction() as session:
            session.execute(update(Document).values(status="skipped", routing_status="skipped"))
        page.reload()
        page.get_by_role("link", name="2 wait for a decision").click()
        visit.check()
        page.get_by_label("Choose a.txt").check()
        page.get_by_label("Parser", exact=True).select_option("Notes")
        page.get_by_role("button", name="Route to this parser").click()
        page.get_by_text("and are read again: 1.").wait_for()
        page.get_by_role("link", name="Examples").click()
        visit.check()
        page.get_by_role("link", name="Add examples of Note").click()
        page.get_by_label("Part of the name of a document of Notes").wait_for()
        visit.check()
        page.get_by_role("button", name="Remove the example a.txt").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        page.get_by_role("button", name="Remove the example a.txt").wait_for(state="detached")
        assert list_examples(inst, inst.team_id, made.id) == []
        for tab in ("Rules", "Settings"):
            page.get_by_role("link", name=tab, exact=True).click()
            page.get_by_role("button", name=f"Save the {tab.lower()}").wait_for()
            visit.check()


@SCREENS
def test_sources_and_usage(lite: Api, screen: dict[str, Any]) -> None:
    inst: Installation = lite.inst
    member(inst, "ann", "owner", password=PASSWORD)
    lite.parser()
    for name in ("a.txt", f"{'long-' * 40}.txt", "b.exe"):
        drop(inst.settings.inbox / "invoices", name, name.encode())
    ingest(inst, inbox(inst))
    with chromium() as browser:
        visit = Visit(browser, lite, **screen)
        page = visit.page
        visit.sign_in("ann@example.org")
        visit.navigate("Sources")
        visit.check()
        page.get_by_role("link", name="inbox").click()
        page.get_by_role("link", name="Document of invoices/a.txt").wait_for()
        page.get_by_label("Outcome").select_option("registered")
        page.get_by_role("button", name="Show").click()
        visit.check()
        visit.navigate("Usage")
        page.get_by_role("heading", name="By month").wait_for()
        visit.check()
