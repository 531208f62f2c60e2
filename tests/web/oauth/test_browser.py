"""Signing in and consenting in Chromium, on a desk and on a phone."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from docduck.service.accounts.accounts import add_member, create_team
from docduck.service.oauth.tokens import check_access_token
from docduck.web.visit import COOKIE
from tests.browser import browsing, expect
from tests.web.oauth.dance import PASSWORD, Dance
from tests.web.test_upload_page_browser import site

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
]

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize(
    "context",
    [
        pytest.param({}, id="desk"),
        pytest.param({**PHONE, "java_script_enabled": False}, id="phone", marks=pytest.mark.extended),
    ],
)
def test_a_user_signs_in_consents_and_disconnects(dance: Dance, ann: str, context: dict[str, Any]) -> None:
    inst = dance.api.inst
    other = create_team(inst, "Others").id
    add_member(inst, other, ann, "member")
    with site(["<title>Connected</title>"]) as origin, browsing(**context) as (page, complaints):

        def fits() -> None:
            assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]

        dance.redirect = f"{origin}/callback"
        dance.client_id = dance.register("http://localhost/callback").json()["client_id"]
        page.goto(f"{dance.api.address}/oauth/authorize?{urlencode(dance.asked())}")
        page.get_by_label("E-mail address").fill(dance.email)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Which team is Robin to work for?")).to_be_visible()
        fits()
        page.get_by_label("Others").check()
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("heading", name="Connect Robin to Others?")).to_be_visible()
        expect(page.get_by_text("Nobody has verified that name")).to_be_visible()
        fits()
        page.get_by_label("See parsers and their fields").uncheck()
        page.get_by_role("button", name="Connect").click()
        expect(page).to_have_title("Connected")
        told = dict(parse_qsl(urlsplit(page.url).query))
        tokens = dance.redeem(told["code"]).json()
        assert (tokens["scope"], told["iss"]) == ("documents:read", dance.api.address)
        caller = check_access_token(inst, tokens["access_token"], dance.resource)
        assert caller is not None and caller.team_id == other
        page.goto(f"{dance.api.address}/profile/connections")
        expect(page.get_by_role("row", name="Robin")).to_contain_text("Others")
        fits()
        page.get_by_role("button", name="Disconnect Robin").click()
        if context.get("java_script_enabled", True):
            page.get_by_role("dialog").get_by_role("button", name="Disconnect").click()
        expect(page.get_by_text("No program is connected.")).to_be_visible()
        assert check_access_token(inst, tokens["access_token"], dance.resource) is None
    assert complaints == []


def test_a_client_is_told_what_is_wrong_after_the_sign_in(dance: Dance, ann: str) -> None:
    with site(["<title>Told</title>"]) as origin, browsing() as (page, complaints):
        dance.redirect = f"{origin}/callback"
        dance.client_id = dance.register("http://localhost/callback").json()["client_id"]
        asked = dance.asked(code_challenge_method="plain")
        page.goto(f"{dance.api.address}/oauth/authorize?{urlencode(asked)}")
        page.get_by_label("E-mail address").fill(dance.email)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_title("Told")
        told = dict(parse_qsl(urlsplit(page.url).query))
        assert (told["error"], told["state"]) == ("invalid_request", asked["state"])
    assert complaints == []


def test_a_program_is_answered_by_its_own_scheme(dance: Dance, ann: str) -> None:
    dance.redirect = "cursor://anysphere.cursor-mcp/oauth/callback"
    dance.client_id = dance.register(dance.redirect).json()["client_id"]
    with browsing() as (page, complaints):
        page.context.add_cookies(
            [{"name": COOKIE, "value": str(dance.user.cookies[COOKIE]), "url": dance.api.address}]
        )
        page.goto(f"{dance.api.address}/oauth/authorize?{urlencode(dance.asked())}")
        with page.expect_request(lambda request: request.url.startswith(f"{dance.redirect}?code=")):
            page.get_by_role("button", name="Connect").click()
    assert complaints == [], "the page's policy lets the browser ask for the program"
