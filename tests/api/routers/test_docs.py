"""The page at ``/docs``: all of it comes from docduck, and nothing in it runs but its own program."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest

from tests.browser import browsing, expect
from tests.server.served import Api

_LOADING = {"src", "href", "action", "data", "poster", "srcset", "formaction"}


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.inline: list[str] = []
        self._script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in _LOADING]
        self.inline += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        self._script = tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if self._script and data.strip():
            self.inline.append(data)


def test_what_the_page_loads_is_here(lite: Api) -> None:
    page = lite.get(f"{lite.address}/docs", headers={"Authorization": ""})
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    parsed = Page(page.text)
    assert parsed.inline == []
    links = [urljoin(str(page.url), link) for link in parsed.links if not link.startswith("data:")]
    assert len(links) >= 4
    for link in links:
        assert urlsplit(link).netloc == urlsplit(lite.address).netloc
        found = lite.get(link, headers={"Authorization": ""})
        assert found.status_code == 200, link
        if found.headers["content-type"].startswith("text/css"):
            assert re.findall(r"@import|url\((?!\"?data:)", found.text) == []


@pytest.mark.parametrize(
    "path", ["/docs", "/docs/start.js", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js"]
)
def test_nothing_else_may_be_loaded_or_run(lite: Api, path: str) -> None:
    policy = lite.get(f"{lite.address}{path}").headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert {rules[name] for name in ("script-src", "style-src", "connect-src")} == {"'self'"}
    assert "unsafe" not in policy and "http" not in policy


@pytest.mark.parametrize("name", ["index.html", "redoc.standalone.js", "%2e%2e%2f__init__.py", "a/b"])
def test_nothing_else_is_served(lite: Api, name: str) -> None:
    assert lite.get(f"{lite.address}/docs/{name}").status_code == 404


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.extended
def test_the_page_shows_every_operation_and_asks_nobody_else(lite: Api) -> None:
    described = lite.get("/openapi.json").json()
    items = [*described["paths"].values(), *described["webhooks"].values()]
    asked: list[str] = []
    with browsing() as (page, complaints):
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{lite.address}/docs")
        operations = page.locator(".opblock")
        expect(operations).to_have_count(sum(map(len, items)))
        operations.first.click()
        expect(page.get_by_text("Try it out").first).to_be_visible()
    assert complaints == []
    assert {urlsplit(url).netloc for url in asked if not url.startswith("data:")} == {
        urlsplit(lite.address).netloc
    }
