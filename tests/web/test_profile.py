"""The user's own page."""

from __future__ import annotations

from docduck.service.accounts.accounts import check_password
from docduck.service.accounts.audit_log import find_audit_entries
from docduck.service.accounts.sign_in import SIGN_IN_ATTEMPTS
from tests.server.served import Api
from tests.web.browser import PASSWORD, Browser, member

NEW = "another horse battery"


def test_a_user_changes_their_name(ann: Browser) -> None:
    changed = ann.submit("/profile/name", name=" <b>Ann</b> ")
    page = ann.get(changed.headers["location"])
    assert "Your name is changed." in page.text
    assert 'value="&lt;b&gt;Ann&lt;/b&gt;"' in page.text
    wrong = ann.submit("/profile/name", name=" ")
    assert wrong.status_code == 400
    assert 'aria-describedby="name-note"' in wrong.text
    assert "must have 1 to 200 characters" in wrong.text


def test_a_new_password_ends_all_other_sessions(api: Api) -> None:
    ann = member(api.inst, "ann", password=PASSWORD)
    with Browser(api.address) as browser, Browser(api.address) as elsewhere:
        browser.enter(api.inst, ann)
        elsewhere.enter(api.inst, ann)
        wrong = browser.submit("/profile/password", current="wrong", password=NEW)
        assert (wrong.status_code, "The current password is wrong" in wrong.text) == (400, True)
        short = browser.submit("/profile/password", current=PASSWORD, password="short")
        assert (short.status_code, "12 to 1024 characters" in short.text) == (400, True)
        assert elsewhere.get("/").status_code == 200
        before = browser.cookies["docduck_session"]
        assert browser.submit("/profile/password", current=PASSWORD, password=NEW).status_code == 303
        assert elsewhere.get("/").status_code == 303
        assert browser.get("/").status_code == 200
        assert browser.cookies["docduck_session"] != before
    assert check_password(api.inst, "ann@example.org", NEW) == ann
    assert find_audit_entries(api.inst, api.inst.team_id, action="user.password_changed").total == 1


def test_guessing_the_current_password_is_limited(lite: Api) -> None:
    ann = member(lite.inst, "ann", password=PASSWORD)
    with Browser(lite.address) as browser:
        browser.enter(lite.inst, ann)
        codes = [
            browser.submit("/profile/password", current="wrong", password=NEW).status_code
            for _ in range(SIGN_IN_ATTEMPTS + 1)
        ]
    assert codes == [400] * SIGN_IN_ATTEMPTS + [429]


def test_sessions_are_listed_and_ended(api: Api) -> None:
    ann, bob = member(api.inst, "ann"), member(api.inst, "bob")
    with Browser(api.address) as browser, Browser(api.address) as elsewhere, Browser(api.address) as other:
        for one, user in ((browser, ann), (elsewhere, ann), (other, bob)):
            one.enter(api.inst, user)
        page = browser.get("/profile").text
        assert page.count("(this one)") == 1
        assert page.count('data-label="Last used"') == 2
        assert browser.submit("/profile/sign-out").headers["location"] == "/sign-in"
        assert [one.get("/").status_code for one in (browser, elsewhere, other)] == [303, 303, 200]
