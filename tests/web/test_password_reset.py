"""Links to set a password, and the mails that they are sent by."""

from __future__ import annotations

import datetime as dt
import logging
import re
import time

import pytest

from docduck import clock
from docduck.errors import InputError
from docduck.server.app import create_app
from docduck.service.accounts.accounts import check_password
from docduck.service.accounts.audit_log import find_audit_entries
from docduck.service.accounts.password_reset import PASSWORD_RESET_HOURS, PASSWORD_RESETS, start_reset
from tests.conftest import MakeInstallation
from tests.server.app_routes import app_routes
from tests.server.served import Api, serving
from tests.smtp_sink import running_sink
from tests.web.browser import PASSWORD, Browser, member

NEW = "another horse battery"
BASE = "https://docs.example.org"


def test_a_link_sets_a_password_once(api: Api) -> None:
    ann = member(api.inst, "ann")
    links = [f"/password-reset/{start_reset(api.inst, 'ANN@example.org').token}" for _ in range(2)]
    with Browser(api.address) as browser, Browser(api.address) as elsewhere:
        elsewhere.enter(api.inst, ann)
        assert "For ann@example.org." in browser.get(links[0]).text
        short = browser.post(links[0], data={"password": "short"})
        assert (short.status_code, "12 to 1024 characters" in short.text) == (400, True)
        assert browser.post(links[0], data={"password": NEW}).status_code == 303
        assert browser.get("/").status_code == 200, "signed in"
        assert elsewhere.get("/").status_code == 303, "signed out"
        for link in links:
            assert browser.get(link).status_code == 404
            assert browser.post(link, data={"password": PASSWORD}).status_code == 404
    assert check_password(api.inst, "ann@example.org", NEW) == ann
    told = {entry.action for entry in find_audit_entries(api.inst, api.inst.team_id).rows}
    assert {"user.password_reset_requested", "user.password_reset", "user.signed_in"} <= told


def test_links_expire(lite: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    member(lite.inst, "ann")
    link = f"/password-reset/{start_reset(lite.inst, 'ann@example.org').token}"
    later = clock.now() + dt.timedelta(hours=PASSWORD_RESET_HOURS)
    monkeypatch.setattr(clock, "now", lambda: later)
    with Browser(lite.address) as browser:
        assert browser.get(link).status_code == 404


def test_the_access_log_has_no_links(lite: Api, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "docduck.access")
    paths = {route.path for route in app_routes(lite.inst) if "{token}" in route.path}
    with Browser(lite.address) as browser:
        for path in paths:
            browser.get(path.format(token="s3cret"))
        browser.get("/sign-in?next=/invitations/s3cret")
    for path in paths:
        assert f'"path":"{path.partition("{")[0]}…"' in caplog.text
    assert len(paths) >= 7
    assert "s3cret" not in caplog.text


def test_without_a_mail_server_the_page_tells_whom_to_ask(lite: Api) -> None:
    with Browser(lite.address) as browser:
        for page in (
            browser.get("/forgot-password"),
            browser.post("/forgot-password", data={"email": "a@b.c"}),
        ):
            assert "docduck users reset-password" in page.text
            assert "<form" not in page.text


def test_a_link_is_sent_by_mail_and_nobody_learns_who_has_an_account(
    make_installation: MakeInstallation,
) -> None:
    with running_sink() as sink:
        inst = make_installation(
            outgoing_mail_url=sink.url, outgoing_mail_from="docduck@example.org", base_url=BASE
        )
        member(inst, "ann")
        with serving(inst) as api, Browser(api.address, headers={"Host": "evil.example"}) as browser:
            pages = [
                browser.post("/forgot-password", data={"email": address}).text
                for address in ("nobody@example.org", "Ann@example.org ")
            ]
            assert pages[0] == pages[1]
            mail = sink.wait(1)
            assert (mail["To"], mail["From"]) == ("ann@example.org", "docduck@example.org")
            (token,) = re.findall(rf"{BASE}/password-reset/(\S+)", mail.get_content())
            browser.headers.pop("Host")
            assert browser.post(f"/password-reset/{token}", data={"password": NEW}).status_code == 303
            for _ in range(PASSWORD_RESETS + 3):
                page = browser.post("/forgot-password", data={"email": "ann@example.org"})
                assert page.text == pages[0]
            time.sleep(0.5)
    assert len(sink.mails) <= PASSWORD_RESETS


def test_an_invitation_is_sent_by_mail(make_installation: MakeInstallation) -> None:
    with running_sink() as sink:
        inst = make_installation(
            outgoing_mail_url=sink.url, outgoing_mail_from="docduck@example.org", base_url=BASE
        )
        with serving(inst) as api, Browser(api.address) as browser:
            browser.enter(inst, member(inst, "owner", "owner"))
            page = browser.submit("/team/invitations", email="bob@example.org", role="member")
            assert "The invitation was sent to bob@example.org." in page.text
            assert "/invitations/" not in page.text.replace("/team/invitations", "")
            (path,) = re.findall(rf"{BASE}(/invitations/\S+)", sink.wait(1).get_content())
            assert browser.get(path).status_code == 200
    # The server is gone: the link is shown instead.
    with serving(inst) as api, Browser(api.address) as browser:
        browser.enter(inst, member(inst, "owner2", "owner"))
        page = browser.submit("/team/invitations", email="eve@example.org", role="member")
        assert f'<code id="invitation-link">{BASE}/invitations/' in page.text


MAIL = {"outgoing_mail_url": "smtps://mail.example.org", "outgoing_mail_from": "a@b.c"}
OPENID = {"oidc_issuer": "https://id.example.org", "oidc_client_id": "a", "base_url": BASE}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"outgoing_mail_url": MAIL["outgoing_mail_url"]}, "needs DOCDUCK_OUTGOING_MAIL_FROM"),
        (MAIL, "needs DOCDUCK_BASE_URL"),
        (
            {**MAIL, "outgoing_mail_url": "smtp+plain://mail.example.org", "base_url": BASE},
            "only this machine",
        ),
        ({"oidc_issuer": OPENID["oidc_issuer"]}, "needs DOCDUCK_OIDC_CLIENT_ID"),
        ({**OPENID, "base_url": None}, "needs DOCDUCK_BASE_URL"),
        ({**OPENID, "oidc_issuer": "http://id.example.org"}, "must be an https:// URL"),
    ],
)
def test_settings_that_do_not_fit_are_told_at_the_start(
    make_installation: MakeInstallation, settings: dict[str, str], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        create_app(make_installation(**settings))
