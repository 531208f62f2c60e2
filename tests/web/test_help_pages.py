"""The pages of help: every README, links between them and to them, and the search."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import docduck.web
from docduck.web.help.pages import FOLDERS
from docduck.web.help.rendering import help_page
from docduck.web.help.search import search
from tests.server.served import Api
from tests.test_project import ROOT, tracked_files
from tests.web.browser import Browser
from tests.web.pages import entered

TEMPLATES = Path(docduck.web.__file__).parent
LINK = re.compile(
    r'(?<!macro )\bhelp\("([\w-]+)"(?:, "([\w-]+)")?\)|\{% block help_topic %\}([\w-]+)(?:#([\w-]+))?\{'
)


def links_to_help() -> Iterator[tuple[str, str, str]]:
    """Each template with a page of help, and the anchor there."""
    for path in TEMPLATES.rglob("*.j2"):
        for page, anchor, topic, place in LINK.findall(path.read_text()):
            yield path.name, page or topic, anchor or place


def leads_somewhere(page: str, anchor: str) -> bool:
    return page in FOLDERS and (
        not anchor or anchor in {section.anchor for section in help_page(page).sections}
    )


def test_every_readme_of_the_packages_is_a_page() -> None:
    folders = {str(path.parent.relative_to(ROOT)) for path in tracked_files() if path.name == "README.md"}
    assert {folder for folder in folders if not folder.startswith((".", "examples"))} == {*FOLDERS.values()}


def test_every_link_to_help_leads_to_a_heading() -> None:
    found = list(links_to_help())
    assert len(found) > 30
    assert [link for link in found if not leads_somewhere(*link[1:])] == []


@pytest.mark.parametrize("name", FOLDERS)
def test_links_of_pages_lead_to_pages_and_headings(name: str) -> None:
    page = help_page(name)
    assert " style=" not in page.html and "<!--" not in page.html and "&lt;!--" not in page.html
    for href in re.findall(r'href="([^"]+)"', page.html):
        if href.startswith("#"):
            assert leads_somewhere(name, href[1:]), href
        elif not href.startswith(("https://", "http://")):
            where, _, anchor = href.removeprefix("/help/").partition("#")
            assert href.startswith("/help/") and leads_somewhere(where, anchor), href
    assert all(path.is_file() for path in page.pictures.values())
    assert "<th></th>" not in page.html
    labels = re.findall('aria-label="([^"]+)"', page.html)
    assert len(set(labels)) == len(labels)


def test_help_is_read_and_searched(lite: Api) -> None:
    with entered(lite, "reviewer") as client:
        index = client.get("/help")
        assert index.status_code == 200
        assert [name for name in FOLDERS if f'href="/help/{name}"' not in index.text] == []
        shown = client.get("/help/settings")
        assert '<h2 id="settings">Settings</h2>' in shown.text
        assert "<td><code>DOCDUCK_HOME</code></td>" in shown.text
        assert 'href="/help/upkeep#traces"' in shown.text, "a link between READMEs"
        picture = re.findall(r'<img src="([^"]+)"', client.get("/help/extraction").text)
        assert client.get(picture[0]).headers["content-type"] == "image/png"
        for path in (
            "/help/nothing",
            "/help/web/reading.png",
            "/help/extraction/README.md",
            "/help/..%2Fweb",
        ):
            assert client.get(path).status_code == 404, path
        answer = client.get("/help", params={"q": "docduck_oidc_issuer <b>"})
        assert "No sections with docduck_oidc_issuer &lt;b&gt;" in answer.text
        answer = client.get("/help", params={"q": "DOCDUCK_OIDC_issuer"})
        assert 'href="/help/settings#people-who-sign-in"' in answer.text
        assert "<mark>DOCDUCK_OIDC_ISSUER</mark>" in answer.text


def test_headings_come_first() -> None:
    first = search("signature")[0]
    assert (first.page.name, first.section.anchor) == ("webhooks", "verifying-a-signature")
    assert search(" ") == search("no such words anywhere") == []
    assert all(len("".join(text for text, _ in one.excerpt)) < 400 for one in search("docduck"))


def test_pages_have_a_link_to_their_help(lite: Api, ann: Browser) -> None:
    lite.parser()
    for path, topic in (
        ("/query", "web#tables-and-queries"),
        ("/parsers/invoices/fields", "extraction#fields"),
        ("/parsers/invoices/settings", "processing#split-a-batch"),
    ):
        text = html.unescape(ann.get(path).text)
        assert f'href="/help/{topic}"' in text, path
