"""Chromium on pages at several screens, with what axe finds on them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.served import Api
from tests.web.browser import PASSWORD

DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 375, "height": 667}, "has_touch": True, "is_mobile": True}
DARK = {**DESK, "color_scheme": "dark"}
SCREENS = pytest.mark.parametrize(
    "screen",
    [
        pytest.param(DESK, id="desk"),
        pytest.param(PHONE, id="phone", marks=pytest.mark.extended),
        pytest.param(DARK, id="dark", marks=pytest.mark.extended),
    ],
)

MOST_BYTES = 300_000
WEIGHT = """["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
    .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
"""The bytes of a page with all that it loads, as sent, also of what the browser had kept."""


class Visit:
    """A page without scripts of its own, what it complains about, and the hosts that it asks."""

    def __init__(self, browser: Any, api: Api, **context: Any) -> None:
        # Pages load no scripts; axe is run by the browser's own tools, beside their policy.
        self.page = browser.new_context(base_url=api.address, bypass_csp=True, **context).new_page()
        self.address = api.address
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("request", lambda request: self._check(request.url))

    def _check(self, url: str) -> None:
        # What a page shows of a file that was chosen has the page's own origin.
        if not url.removeprefix("blob:").startswith(f"{self.address}/"):
            self.complaints.append(f"asked another host: {url}")

    def sign_in(self, email: str) -> None:
        self.page.goto("/")
        self.page.get_by_label("E-mail address").fill(email)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(lambda url: "/sign-in" not in url)

    def show_navigation(self) -> None:
        """Show the navigation, which narrow screens show only when asked to."""
        menu = self.page.get_by_role("button", name="Menu")
        if menu.is_visible():
            menu.click()

    def check(self) -> None:
        """Nothing is wider than the screen or too heavy, and axe finds nothing."""
        from axe_playwright_python.sync_playwright import Axe

        self.page.wait_for_load_state()
        assert self.page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        ), self.page.url
        assert self.page.evaluate(WEIGHT) < MOST_BYTES, self.page.url
        found = Axe().run(self.page).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == [], self.page.url
        assert self.complaints == []
