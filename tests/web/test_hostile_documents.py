"""Documents with scripts and markup, read and shown on every page: nothing runs, nothing is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from docduck.fields import parse_fields
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.document_views import get_document
from docduck.service.folders.folder_changes import create_folder
from docduck.service.outputs.saved_queries import save_query
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.reviews.decisions import reject
from docduck.service.reviews.stage_changes import create_stage
from tests.server.served import Api
from tests.service.core.documents import correct
from tests.web.browser import Browser
from tests.web.browsing import make_user, signed_in
from tests.web.hostile_files import CONTROLS, FILES, MARKUP, SHORT, TEXTS, URL

pytestmark = pytest.mark.slow

HARMLESS = ("Applying inline style", "Failed to load resource: the server responded with a status of 404")
"""What the browser itself writes where it shows a picture, and about a document that has none."""

POLICY = "sandbox; default-src 'none'"
DRAWN = ("image/jpeg", "image/png", "image/webp")
INJECTED = """() => [...document.querySelectorAll("*")].filter((one) =>
    one.matches("iframe, object, embed, base, [http-equiv], script:not([src^='/static/'])")
    || one.matches("main img:not([src^='/'])")
    || [...one.attributes].some(({name, value}) => name.startsWith("on") || /^\\s*javascript:/i.test(
        ["href", "src", "action", "formaction"].includes(name) ? value : "")))
    .map((one) => one.outerHTML)"""
"""What no template has: elements that hold markup of documents."""


class World:
    """A parser whose names are hostile, and hostile documents: read, corrected, in review, and rejected."""

    def __init__(self, api: Api) -> None:
        inst, team = api.inst, api.inst.team_id
        self.api = api
        self.ann = make_user(inst, "Ann", "owner")
        fields = [
            {"name": "Number", "labels": ["Number"], "description": MARKUP},
            {"name": SHORT, "type": "choice", "options": [MARKUP, URL]},
            {"name": "Total", "type": "currency", "required": True},
            {"name": MARKUP[:200], "type": "list"},
            {
                "name": "Lines",
                "type": "table",
                "columns": [{"name": "Description"}, {"name": "Amount", "type": "currency"}],
            },
        ]
        parser = create_parser(inst, team, NewParser(MARKUP, fields=parse_fields(fields)))
        self.parser_id, self.slug = parser.id, parser.slug
        create_folder(inst, team, self.parser_id, {"name": SHORT})
        create_stage(
            inst,
            team,
            self.parser_id,
            {"name": MARKUP, "reviewer_id": self.ann, "reviewer_instructions": SHORT},
        )
        self.ids = [api.upload(self.parser_id, content, name=name) for name, content in FILES.items()]
        api.process(self.parser_id)
        first, second = self.ids[:2]
        lines = [{"Description": text, "Amount": at + 1} for at, text in enumerate(TEXTS)]
        values = {"Number": URL, SHORT: MARKUP, "Total": 1, MARKUP[:200]: list(TEXTS), "Lines": lines}
        correct(inst, team, first, values)
        correct(inst, team, second, {"Number": CONTROLS, "Total": 2})
        update_document(inst, team, self.parser_id, first, {"name": MARKUP})
        reject(inst, team, self.parser_id, second, self.ann, MARKUP, self.ann)
        save_query(inst, team, SHORT, f"SELECT '{URL}' -- {MARKUP}", self.ann)
        sync_warehouse(inst)
        inst.warehouse.publish(force=True)

    def pages(self) -> list[str]:
        parser = f"/parsers/{self.parser_id}"
        return [
            *(
                "/",
                "/documents",
                f"/documents?parser={self.parser_id}",
                f"/documents?parser={self.parser_id}&q=alert",
            ),
            *("/review", "/query", "/usage", "/team/audit", "/parsers", "/profile"),
            *("/tables", f"/tables/{self.slug}/documents?facet=name&facet=number&facet=total"),
            *(f"/documents/{one}" for one in self.ids),
            *(
                f"{parser}/{tab}"
                for tab in ("fields", "settings", "review-stages", "post-processing", "accuracy")
            ),
            *(f"{parser}/exports", f"{parser}/suggestions?document={self.ids[4]}"),
        ]

    def links(self, document_id: str) -> dict[str, str]:
        """The signed links of a document."""
        found = self.api.get(f"/parsers/{self.parser_id}/documents/{document_id}").json()["metadata"]
        return {key: value for key, value in found.items() if "/files/" in str(value)}


@pytest.fixture(scope="module")
def world(shared: Api) -> World:
    return World(shared)


def test_hostile_documents_are_read_and_kept_as_text(world: World) -> None:
    inst = world.api.inst
    views = [get_document(inst, inst.team_id, one) for one in world.ids]
    assert [
        view.error for view in views if view.error and view.name.endswith((".html", ".eml", ".txt"))
    ] == []
    assert views[0].data["Number"] == URL and views[0].name == MARKUP
    assert sum(view.is_processed for view in views) >= 6, [(view.name, view.error) for view in views]


def test_what_documents_hold_is_sent_so_that_it_cannot_run(world: World) -> None:
    answers: dict[str, httpx.Response] = {}
    with Browser(world.api.address) as browser, httpx.Client(trust_env=False, timeout=60) as anybody:
        browser.enter(world.api.inst, world.ann)
        for one in world.ids:
            links = world.links(one)
            assert "url" in links
            answers |= {f"{key} {one}": anybody.get(link) for key, link in links.items()}
            for part in ("picture", "words"):
                answers[f"{part} {one}"] = browser.get(f"/documents/{one}/pages/1/{part}")
        export = {"action": "download", "filters": "", "layout": ""}
        for format in ("csv", "json", "xml", "xlsx"):
            answers[format] = browser.submit(
                f"/parsers/{world.parser_id}/exports", format=format, scope="", **export
            )
        answers["query"] = browser.submit("/query/file", format="csv", sql=f"SELECT '{URL}' AS a")
        stored = world.api.post(
            f"/parsers/{world.parser_id}/exports", params={"delivery": "link"}, json={"format": "xml"}
        )
        answers["linked export"] = anybody.get(stored.json()["url"])
    shown = {name: answer for name, answer in answers.items() if answer.status_code == 200}
    assert len(shown) > 20, {name: (one.status_code, one.text[:200]) for name, one in answers.items()}
    for name, answer in shown.items():
        assert answer.headers["x-content-type-options"] == "nosniff", name
        assert answer.headers["content-security-policy"] == POLICY, name
        kind = answer.headers["content-type"].split(";")[0]
        if not (kind in DRAWN or name.startswith("words")):
            assert answer.headers["content-disposition"].startswith("attachment"), name


@pytest.mark.browser
class TestInChromium:
    @pytest.fixture(
        params=["with the policy", pytest.param("without the policy", marks=pytest.mark.extended)]
    )
    def opened(self, world: World, request: pytest.FixtureRequest) -> Iterator[tuple[Any, list[str]]]:
        """An owner's page, and all that should not happen; pages must hold without their policy too."""
        without = request.param == "without the policy"
        with signed_in(world.api, bypass_csp=without, accept_downloads=True) as (page, complaints):
            _watch(page, world.api.address, complaints)
            page.context.on("page", lambda one: complaints.append(f"window {one.url}"))
            yield page, complaints

    def test_nothing_runs_on_any_page(self, world: World, opened: tuple[Any, list[str]]) -> None:
        page, complaints = opened
        for path in world.pages():
            answer = page.goto(path, wait_until="load")
            assert answer.status == 200, path
            _look(page)
            assert page.evaluate(INJECTED) == [], path
            assert complaints == [], path
        page.goto(f"/documents/{world.ids[0]}")
        assert page.locator("h1").inner_text() == MARKUP
        assert URL in page.locator("#fields input").evaluate_all("all => all.map((one) => one.value)")
        for key in ("Control+a", "x", "Alt+b", "Escape", "Control+s"):
            page.keyboard.press(key)
        page.wait_for_load_state("networkidle")
        # What was typed may be refused by its field: the page is not left before it is saved.
        for refused in page.locator("[aria-invalid=true]").all():
            refused.fill("1")
            page.keyboard.press("Control+s")
            page.wait_for_load_state("networkidle")
        complaints[:] = [one for one in complaints if "400 (Bad Request)" not in one]
        page.goto("/query")
        page.get_by_label("SQL").fill(_QUERY.format(MARKUP.replace("'", "''")))
        page.get_by_role("button", name="Run").click()
        page.locator("svg.chart").wait_for()
        assert page.evaluate(INJECTED) == [] and complaints == []
        page.goto(f"/parsers/{world.parser_id}/exports")
        page.get_by_role("button", name=re.compile("preview", re.I)).click()
        page.locator("table, pre").first.wait_for()
        assert page.evaluate(INJECTED) == [] and complaints == []

    @pytest.mark.extended
    def test_no_link_to_a_document_runs_it(self, world: World, opened: tuple[Any, list[str]]) -> None:
        from playwright.sync_api import Error

        page, complaints = opened
        downloads: list[str] = []
        page.on("download", lambda one: downloads.append(one.url))
        for one in world.ids:
            for link in world.links(one).values():
                try:
                    page.goto(link)
                except Error as error:
                    assert "Download is starting" in error.message, link
                page.wait_for_timeout(300)
                assert [one for one in complaints if not one.startswith(HARMLESS)] == [], link
        assert len(downloads) >= len(world.ids), "all files are saved, none is opened"


_QUERY = "SELECT label, n FROM (VALUES ('{}', 1), ('javascript:alert(20)', 2)) AS found(label, n)"


def _watch(page: Any, address: str, complaints: list[str]) -> None:
    def asked(request: Any) -> None:
        if not request.url.startswith((f"{address}/", "data:", "blob:")):
            complaints.append(f"asked {request.url}")

    def told(dialog: Any) -> None:
        complaints.append(f"dialog {dialog.message}")
        dialog.dismiss()

    page.on("request", asked)
    page.on("dialog", told)


def _look(page: Any) -> None:
    """Open and focus everything."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.evaluate("for (const one of document.querySelectorAll('main input, main select, td')) one.focus()")
    page.wait_for_timeout(100)
