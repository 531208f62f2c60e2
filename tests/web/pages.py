"""A signed-in browser for tests of pages, and forms as browsers send them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser

import httpx

from tests.server.served import Api
from tests.web.browser import Browser, member

HOSTILE = """<script>alert(1)</script>"><img src=x onerror=alert(2)>"""


@contextmanager
def entered(api: Api, role: str = "member") -> Iterator[Browser]:
    """A browser of a new user of the team."""
    with Browser(api.address) as browser:
        browser.enter(api.inst, member(api.inst, role, role))
        yield browser


def form_of(page: httpx.Response, action: str) -> dict[str, list[str]]:
    """The values of a form of the page as a browser would send them, without those of buttons."""
    reader = _Forms(action)
    reader.feed(page.text)
    assert reader.found, f"no form sends to {action}"
    return reader.values


class _Forms(HTMLParser):
    def __init__(self, action: str) -> None:
        super().__init__()
        self._action = action
        self._inside = False
        self._area: str | None = None
        self._text = ""
        self._select: str | None = None
        self._options: list[tuple[str, bool]] = []
        self.found = False
        self.values: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if tag == "form":
            self._inside = has.get("action") == self._action
            self.found |= self._inside
        name = has.get("name") or ""
        if not self._inside or (not name and tag != "option"):
            return
        if tag == "input" and ("checked" in has or has.get("type") not in ("checkbox", "radio")):
            self._add(name, has.get("value") or "")
        elif tag == "textarea":
            self._area, self._text = name, ""
        elif tag == "select":
            self._select, self._options = name, []
        elif tag == "option":
            self._options.append((has.get("value") or "", "selected" in has))

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False
        elif tag == "textarea" and self._area is not None:
            # As browsers: the first line break is not part of the text, and line breaks are sent as CRLF.
            self._add(self._area, self._text.removeprefix("\n").replace("\n", "\r\n"))
            self._area = None
        elif tag == "select" and self._select is not None:
            chosen = [value for value, selected in self._options if selected] or [self._options[0][0]]
            self._add(self._select, chosen[0])
            self._select = None

    def _add(self, name: str, value: str) -> None:
        self.values.setdefault(name, []).append(value)
