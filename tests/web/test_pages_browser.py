"""The pages of users and teams in Chromium: on a desk and on a phone, and what axe finds on them."""

from __future__ import annotations

import time
from typing import Any

import pytest

from docduck.service.accounts.keys import NewKey, authenticate, create_key, list_keys
from docduck.web.team import keys
from tests.browser import chromium, expect
from tests.server.served import Api
from tests.web.browser import PASSWORD, member
from tests.web.browsing import make_user, signed_in

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.extended,
]

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
        if not url.startswith(f"{self.address}/"):
            self.complaints.append(f"asked another host: {url}")

    def sign_in(self, email: str) -> None:
        self.page.goto("/")
        self.page.get_by_label("E-mail address").fill(email)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(lambda url: "/sign-in" not in url)

    def navigate(self, name: str) -> None:
        """Go to a page by the navigation."""
        self.show_navigation()
        self.page.locator("#side").get_by_role("link", name=name, exact=True).click()

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


@SCREENS
def test_an_owner_invites_somebody_and_creates_a_key(lite: Api, screen: dict[str, Any]) -> None:
    member(lite.inst, "owner", "owner", password=PASSWORD)
    lite.parser("Bills")
    with chromium() as browser:
        owner = Visit(browser, lite, **screen)
        owner.page.goto("/")
        owner.check()
        owner.sign_in("owner@example.org")
        expect(owner.page.get_by_role("heading", name="Default")).to_be_visible()
        owner.check()
        owner.navigate("Team")
        owner.check()
        owner.page.get_by_role("link", name="Members").first.click()
        owner.page.get_by_label("E-mail address").fill("bob@example.org")
        owner.page.get_by_label("Role", exact=True).select_option("reviewer")
        owner.page.get_by_role("button", name="Invite").click()
        link = owner.page.locator("#invitation-link").inner_text()
        owner.check()

        bob = Visit(browser, lite, **screen)
        bob.page.goto(link)
        bob.check()
        bob.page.get_by_label("Your name").fill("Bob")
        bob.page.get_by_label("Choose a password").fill(PASSWORD)
        bob.page.get_by_role("button", name="Create the account and join").click()
        expect(bob.page.get_by_text("You are signed in as Bob and are reviewer")).to_be_visible()
        expect(bob.page.get_by_role("link", name="Team", exact=True)).to_have_count(0)
        bob.check()
        bob.navigate("Profile")
        bob.check()

        owner.page.get_by_role("link", name="API keys").first.click()
        owner.page.get_by_label("Name", exact=True).fill("reader")
        owner.page.get_by_label("documents:write").uncheck()
        owner.page.get_by_label("these parsers only:").check()
        owner.page.get_by_label("Bills").check()
        owner.page.get_by_role("button", name="Create the key").click()
        key = authenticate(lite.inst, owner.page.locator("#new-key").inner_text())
        assert key is not None and "documents:write" not in key.permissions
        owner.check()
        for path in ("/team", "/team/members", "/profile", "/forgot-password"):
            owner.page.goto(path)
            owner.check()
        owner.page.goto("/")
        owner.page.keyboard.press("Tab")
        assert owner.page.evaluate("document.activeElement.textContent") == "Skip to the content"
        owner.show_navigation()
        owner.page.get_by_role("button", name="Sign out").click()
        expect(owner.page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_everything_works_without_scripts(lite: Api) -> None:
    member(lite.inst, "owner", "owner", password=PASSWORD)
    with chromium() as browser:
        owner = Visit(browser, lite, java_script_enabled=False, **DESK)
        owner.sign_in("owner@example.org")
        owner.page.goto("/team")
        owner.page.get_by_label("Name").fill("Zebras")
        owner.page.get_by_role("button", name="Rename the team").click()
        expect(owner.page.get_by_role("status")).to_have_text("The team is renamed.")
        expect(owner.page.get_by_role("heading", name="Team Zebras")).to_be_visible()


def test_a_form_that_is_sent_twice_at_once_is_sent_once(lite: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    make_user(lite.inst, role="owner")

    def slow(*arguments: Any, **more: Any) -> NewKey:
        made = create_key(*arguments, **more)
        time.sleep(1)
        return made

    monkeypatch.setattr(keys, "create_key", slow)
    with signed_in(lite, "/team/keys") as (page, _):
        page.get_by_label("Name", exact=True).fill("ERP")
        button = page.get_by_role("button", name="Create the key")
        button.evaluate("(one) => { one.click(); setTimeout(() => one.click(), 200); }")
        page.get_by_text("This is the key").wait_for()
    names = [key.name for key in list_keys(lite.inst, lite.inst.team_id)]
    assert names.count("ERP") == 1
