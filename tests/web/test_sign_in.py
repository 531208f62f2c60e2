"""Signing in and out on the pages."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update

from docduck import clock
from docduck.catalog.models import UserSession
from docduck.service.accounts.accounts import add_member, create_team, list_teams, remove_member
from docduck.service.accounts.audit_log import AuditEntryView, find_audit_entries
from docduck.service.accounts.sessions import Browser as Visitor
from docduck.service.accounts.sign_in import SIGN_IN_ATTEMPTS, TooManyAttempts, WrongPassword, sign_in
from docduck.service.core.pages import Page
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving
from tests.waiting import wait_for
from tests.web.browser import PASSWORD, Browser, form_token, member

FORM = {"email": "ann@example.org", "password": PASSWORD, "next": "/"}


@pytest.fixture
def ann(api: Api) -> str:
    """The id of a user with a password, in the team of the API's key."""
    return member(api.inst, "ann", password=PASSWORD)


@pytest.mark.usefixtures("ann")
def test_a_user_signs_in_and_out(api: Api) -> None:
    with Browser(api.address) as browser:
        page = browser.get("/sign-in?next=/docs")
        assert page.status_code == 200
        assert 'value="/docs"' in page.text
        entered = browser.post("/sign-in", data={**FORM, "next": "/docs"})
        assert (entered.status_code, entered.headers["location"]) == (303, "/docs")
        cookie = entered.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert browser.get("/sign-in").status_code == 303, "a signed-in user goes on"
        assert browser.get("/nothing-here").status_code == 404


@pytest.mark.usefixtures("ann")
def test_what_is_wrong_is_not_told(api: Api) -> None:
    with Browser(api.address) as browser:
        for email, password in (
            ("ann@example.org", "wrong"),
            ("nobody@example.org", PASSWORD),
            ("", ""),
            ("ann@example.org", ""),
        ):
            page = browser.sign_in(email, password)
            assert page.status_code == 401
            assert "The e-mail address or the password is wrong" in page.text
            assert "set-cookie" not in page.headers


@pytest.mark.usefixtures("ann")
def test_the_way_on_stays_on_this_server(api: Api) -> None:
    with Browser(api.address) as browser:
        for path in ("//evil.example", "https://evil.example", "/\\evil.example", "x", "/a\nb"):
            assert browser.sign_in("ann@example.org", next=path).headers["location"] == "/", path


@pytest.mark.usefixtures("ann")
def test_attempts_are_limited(api: Api) -> None:
    with Browser(api.address) as browser:
        for _ in range(SIGN_IN_ATTEMPTS):
            browser.post("/sign-in", data={**FORM, "password": "wrong"})
        refused = browser.post("/sign-in", data=FORM)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) <= 900
        assert "Try again in" in refused.text
        other = browser.post("/sign-in", data={**FORM, "email": "bob@example.org"})
        assert other.status_code == 401, "others aren't kept out"

    def failures() -> Page[AuditEntryView]:
        return find_audit_entries(api.inst, api.inst.team_id, action="user.sign_in_failed")

    wait_for(lambda: failures().total >= SIGN_IN_ATTEMPTS)  # they are recorded after the answers
    log = failures()
    assert log.total == SIGN_IN_ATTEMPTS
    assert {entry.details and entry.details["address"] for entry in log.rows} == {"127.0.0.1"}
    assert "wrong" not in str(log)


@pytest.mark.usefixtures("ann")
def test_right_passwords_do_not_count(api: Api) -> None:
    with Browser(api.address) as browser:
        for _ in range(SIGN_IN_ATTEMPTS + 1):
            assert browser.post("/sign-in", data=FORM).status_code == 303
            browser.cookies.clear()
        for number in range(SIGN_IN_ATTEMPTS):
            assert browser.post("/sign-in", data={**FORM, "password": "wrong"}).status_code == 401
            right = browser.post("/sign-in", data=FORM).status_code
            browser.cookies.clear()
            assert right == (303 if number + 1 < SIGN_IN_ATTEMPTS else 429), (
                "nor do they take wrong ones back"
            )


def test_guesses_at_the_same_time_do_not_pass_the_limit(make_installation: MakeInstallation) -> None:
    inst = make_installation(sign_in_attempts=3)
    member(inst, "ann", password=PASSWORD)

    def guess(number: int) -> bool:
        try:
            sign_in(inst, "ann@example.org", f"wrong {number}", Visitor("192.0.2.1"))
        except WrongPassword:
            return True
        except TooManyAttempts:
            return False
        raise AssertionError("it was right")

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(guess, range(16))) == 3


@pytest.mark.usefixtures("ann")
def test_a_session_ends_when_it_is_not_used(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    with Browser(api.address) as browser:
        browser.post("/sign-in", data=FORM)
        assert browser.get("/sign-in").status_code == 303
        later = clock.now() + dt.timedelta(hours=api.inst.settings.session_idle_hours + 1)
        monkeypatch.setattr(clock, "now", lambda: later)
        assert browser.get("/sign-in").status_code == 200


def test_strangers_can_not_lock_a_user_out_of_their_own_browser(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(sign_in_attempts_per_user=3, sign_in_attempts=100)
    member(inst, "ann", password=PASSWORD)
    with serving(inst) as api, Browser(api.address) as own, Browser(api.address) as stranger:
        assert own.sign_in("ann@example.org").status_code == 303
        while stranger.sign_in("ann@example.org", "wrong").status_code == 401:
            pass
        assert stranger.sign_in("ann@example.org").status_code == 429
        assert own.sign_in("ann@example.org").status_code == 303
        forged = own.cookies["docduck_device"].partition(".")[0] + "." + "0" * 64
        stranger.hold("docduck_device", forged)
        assert stranger.sign_in("ann@example.org").status_code == 429


def test_every_sign_in_has_a_token_of_its_own(lite: Api) -> None:
    member(lite.inst, "bob", password=PASSWORD)
    with Browser(lite.address) as browser:
        browser.hold("docduck_session", "chosen-by-an-attacker")
        browser.sign_in("bob@example.org")
        first = browser.cookies["docduck_session"]
        assert first != "chosen-by-an-attacker"
        browser.sign_in("bob@example.org")
        assert browser.cookies["docduck_session"] != first
        browser.hold("docduck_session", first)
        assert browser.get("/").status_code == 303, "the earlier session is ended"


def test_cookies_are_for_https_alone_where_that_is_used(make_installation: MakeInstallation) -> None:
    inst = make_installation(base_url="https://docs.example.org")
    member(inst, "ann", password=PASSWORD)
    with serving(inst) as api, Browser(api.address) as browser:
        cookies = browser.sign_in("ann@example.org").headers.get_list("set-cookie")
    assert len(cookies) == 2
    assert all("; Secure" in cookie and "; HttpOnly" in cookie for cookie in cookies)


def test_a_user_of_several_teams_chooses_one(api: Api) -> None:
    other = create_team(api.inst, "Zebras")
    ann = member(api.inst, "ann", "reviewer")
    add_member(api.inst, other.id, ann, "owner")
    strangers = create_team(api.inst, "Strangers")
    with Browser(api.address) as browser:
        browser.enter(api.inst, ann)
        page = browser.get("/")
        assert "<h1>Default</h1>" in page.text
        assert 'href="/team"' not in page.text
        assert browser.submit("/choose-team", team_id=other.id).status_code == 303
        page = browser.get("/")
        assert "<h1>Zebras</h1>" in page.text
        assert 'href="/team"' in page.text
        assert browser.submit("/choose-team", team_id=strangers.id).status_code == 404
        assert "<h1>Zebras</h1>" in browser.get("/").text


def test_a_form_holds_for_the_team_that_it_showed(api: Api) -> None:
    other = create_team(api.inst, "Zebras")
    ann = member(api.inst, "ann", "owner")
    add_member(api.inst, other.id, ann, "owner")
    with Browser(api.address) as browser:
        browser.enter(api.inst, ann)
        stale = {"form_token": form_token(browser.get("/team")), "name": "Renamed"}
        assert browser.submit("/choose-team", team_id=other.id).status_code == 303
        refused = browser.post("/team", data=stale)
        assert (refused.status_code, "This form has expired" in refused.text) == (403, True)
        assert browser.submit("/team", name="Zoo").status_code == 303
        stale = {"form_token": form_token(browser.get("/team")), "name": "Renamed"}
        add_member(api.inst, other.id, member(api.inst, "bob"), "owner")
        remove_member(api.inst, other.id, ann)
        assert "<h1>Team Default</h1>" in browser.get("/team").text, "the team that is left"
        assert browser.post("/team", data=stale).status_code == 403
        assert {team.name for team in list_teams(api.inst)} == {"Default", "Zoo"}


def test_a_user_without_a_team_signs_out(api: Api) -> None:
    ann = member(api.inst, "ann", None)
    with Browser(api.address) as browser:
        browser.enter(api.inst, ann)
        assert browser.submit("/sign-out").status_code == 303
        assert browser.get("/profile").status_code == 303


def test_polls_of_pages_keep_no_session_alive(lite: Api) -> None:
    with Browser(lite.address) as ann:
        ann.enter(lite.inst, member(lite.inst, "ann"))
        hours = lite.inst.settings.session_idle_hours / 2 + 1
        with lite.inst.catalog.transaction() as session:
            used = clock.now() - dt.timedelta(hours=hours)
            session.execute(update(UserSession).values(last_used_at=used))
        assert ann.get("/counts", headers={"X-Poll": "yes"}).status_code == 200
        with lite.inst.catalog.read_session() as session:
            assert session.scalar(select(UserSession.last_used_at)) == used
        assert ann.get("/counts").status_code == 200
        with lite.inst.catalog.read_session() as session:
            assert (session.scalar(select(UserSession.last_used_at)) or used) > used
