"""Signing in by an OpenID Connect provider."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from ipaddress import ip_network
from typing import Any

import pytest
from joserfc.jwk import RSAKey
from pydantic import SecretStr

from docduck.service.accounts.accounts import check_password, list_users
from docduck.service.accounts.audit_log import find_audit_entries
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.invitations import invite
from docduck.service.accounts.openid import provider as provider_module
from docduck.service.accounts.password_reset import start_reset
from docduck.service.accounts.permissions import ROLES
from docduck.service.oauth.tokens import check_access_token
from tests.conftest import MakeInstallation
from tests.openid_provider import Provider, running_provider
from tests.server.served import Api, serving
from tests.web.browser import PASSWORD, Browser, member
from tests.web.oauth.conftest import _closing
from tests.web.oauth.dance import Dance

__all__ = ["_closing"]

START = "/sign-in/provider?next=/profile"


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running_provider() as running:
        yield running


@pytest.fixture
def serve(make_installation: MakeInstallation, provider: Provider) -> Callable[..., Any]:
    """Serves an installation that knows the provider."""

    def make(**changes: Any) -> Any:
        settings = {
            "oidc_issuer": provider.issuer,
            "oidc_client_id": "docduck",
            "oidc_client_secret": SecretStr("s3cret"),
            "oidc_name": "Example ID",
            "oidc_allowed_networks": (ip_network("127.0.0.0/8"),),
            "base_url": "http://localhost:8000",
        }
        return serving(make_installation(**{**settings, **changes}))

    return make


def come_back(api: Api, provider: Provider, **claims: Any) -> tuple[int, str]:
    """Sign in at the provider; the status and text of the page afterwards."""
    with Browser(api.address) as browser:
        back = provider.confirm(browser.get(START).headers["location"], **claims)
        page = browser.get(back)
        if page.status_code == 303:
            assert page.headers["location"] == "/profile"
            page = browser.get("/profile")
        return page.status_code, page.text


def test_only_failed_sign_ins_count(serve: Callable[..., Any], provider: Provider) -> None:
    with serve(sign_in_attempts_per_address=2) as api, Browser(api.address) as browser:
        member(api.inst, "ann")
        for _ in range(3):
            assert come_back(api, provider)[0] == 200
        back = f"{START.partition('?')[0]}/callback?state=x&code=x"
        assert [browser.get(back).status_code for _ in range(3)] == [403, 403, 429]


def test_a_user_with_a_verified_address_signs_in(serve: Callable[..., Any], provider: Provider) -> None:
    with serve() as api:
        member(api.inst, "ann")
        with Browser(api.address) as browser:
            assert "Sign in with Example ID" in browser.get("/sign-in").text
            location = browser.get(START).headers["location"]
            assert location.startswith(f"{provider.issuer}/authorize?")
            back = provider.confirm(location)
            assert provider.asked["code_challenge_method"] == "S256"
            assert provider.asked["scope"] == "openid email profile"
            assert browser.get(back).headers["location"] == "/profile"
            assert "E-mail address: ann@example.org" in browser.get("/profile").text
            assert browser.get(back).status_code == 403, "it can be used once"
        # The identity stays when the address changes at the provider.
        assert come_back(api, provider, email="ann.new@example.org")[0] == 200
        status, text = come_back(api, provider, sub="subject-2")
        assert (status, "belongs to another user of the provider" in text) == (403, True)


def test_the_first_sign_in_ends_all_other_ways_into_the_account(
    serve: Callable[..., Any], provider: Provider
) -> None:
    with serve() as api:
        inst = api.inst
        eve = member(inst, "eve", "owner")
        owner = TeamUser(inst.team_id, eve, ROLES["owner"], None, eve, "owner")
        # The link of an invitation need not have reached the mailbox.
        link = f"/invitations/{invite(inst, owner, 'ann@example.org', 'member').token}"
        with Browser(api.address) as stranger:
            taken = stranger.post(link, data={"name": "Ann", "password": PASSWORD})
            assert taken.status_code == 303 and stranger.get("/").status_code == 200
            token = start_reset(inst, "ann@example.org").token
            dance, resource = Dance(api), "http://localhost:8000/mcp"
            code = dance.code(resource=resource)
            access = dance.redeem(code, resource=resource).json()["access_token"]
            assert check_access_token(inst, access, resource) is not None
            assert come_back(api, provider)[0] == 200
            assert stranger.get("/").status_code == 303, "signed out"
            assert check_password(inst, "ann@example.org", PASSWORD) is None
            assert stranger.get(f"/password-reset/{token}").status_code == 404
            assert check_access_token(inst, access, resource) is None
        (entry,) = find_audit_entries(inst, inst.team_id, action="user.identity_added").rows
        assert entry.details == {"issuer": provider.issuer, "passwordRemoved": True}
        reset = start_reset(inst, "ann@example.org")
        with Browser(api.address) as browser:
            browser.post(f"/password-reset/{reset.token}", data={"password": PASSWORD})
        assert come_back(api, provider)[0] == 200
        assert check_password(inst, "ann@example.org", PASSWORD), "later sign-ins leave the password"


def test_keys_may_change_and_metadata_are_cached(
    serve: Callable[..., Any], provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as api:
        member(api.inst, "ann")
        for _ in range(2):
            assert come_back(api, provider)[0] == 200
        assert provider.requests.count("/.well-known/openid-configuration") == 1
        assert provider.requests.count("/jwks") == 1
        monkeypatch.setattr(provider_module, "_RELOAD_SECONDS", 0)
        provider.key = RSAKey.generate_key(2048, {"kid": "2"})
        provider.published = [provider.key]
        assert come_back(api, provider)[0] == 200


def test_the_userinfo_endpoint_is_asked_for_the_address(
    serve: Callable[..., Any], provider: Provider
) -> None:
    with serve() as api:
        member(api.inst, "ann")
        provider.userinfo = {"sub": "subject-1", "email": "ann@example.org", "email_verified": True}
        assert come_back(api, provider, email=None, email_verified=None)[0] == 200
        provider.userinfo["sub"] = "subject-2"
        assert come_back(api, provider, email=None, email_verified=None)[0] == 403


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("token_endpoint", "http://accounts.example.org/endpoint", "metadata are incomplete"),
        ("userinfo_endpoint", "http://accounts.example.org/endpoint", "metadata are incomplete"),
        ("issuer", "https://evil.example", "name another issuer"),
    ],
)
def test_metadata_without_tls_or_of_another_issuer_are_refused(
    serve: Callable[..., Any], provider: Provider, name: str, value: str, told: str
) -> None:
    provider.metadata[name] = value
    with serve() as api, Browser(api.address) as browser:
        refused = browser.get(START)
        assert (refused.status_code, told in refused.text) == (503, True)


def test_who_is_not_confirmed_is_refused(serve: Callable[..., Any], provider: Provider) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"email_verified": False}, "has not verified"),
        ({"email_verified": None}, "has not verified"),
        ({"email": "nobody@example.org"}, "There is no account"),
        ({"aud": "another-client"}, "invalid ID token"),
        ({"aud": ["docduck", "another"], "azp": "another"}, "another client"),
        ({"iss": "https://evil.example"}, "invalid ID token"),
        ({"exp": 1_000_000}, "invalid ID token"),
        ({"nonce": "another"}, "invalid ID token"),
        ({"nonce": None}, "invalid ID token"),
        ({"sub": None}, "invalid ID token"),
    ]
    with serve(sign_in_attempts_per_address=100) as api:
        member(api.inst, "ann")
        for claims, told in wrong:
            status, text = come_back(api, provider, **claims)
            assert (status, told in text) == (403, True), text


def test_a_token_signed_by_somebody_else_is_refused(serve: Callable[..., Any], provider: Provider) -> None:
    with serve() as api:
        member(api.inst, "ann")
        provider.published = [RSAKey.generate_key(2048, {"kid": "1"})]
        status, text = come_back(api, provider)
        assert (status, "invalid ID token" in text) == (403, True)


def test_an_answer_that_was_not_asked_for_is_refused(serve: Callable[..., Any], provider: Provider) -> None:
    with serve() as api, Browser(api.address) as browser, Browser(api.address) as victim:
        member(api.inst, "ann")
        back = provider.confirm(browser.get(START).headers["location"])
        assert victim.get(back).status_code == 403, "begun in another browser"
        victim.get(START)
        assert victim.get(back).status_code == 403, "another state"
        assert browser.get(f"{back}&iss=https%3A%2F%2Fevil.example").status_code == 403, "mix-up"
        assert "set-cookie" in browser.get(START).headers
        denied = browser.get("/sign-in/provider/callback?error=access_denied&state=x")
        assert denied.status_code == 403


def test_users_and_domains_are_those_of_the_settings(serve: Callable[..., Any], provider: Provider) -> None:
    with serve(oidc_create_users=True, oidc_allowed_domains=("example.org",)) as api:
        status, text = come_back(api, provider, email="New@Example.org", sub="new")
        assert (status, "E-mail address: new@example.org" in text) == (200, True)
        status, text = come_back(api, provider, email="ann@evil.example", sub="evil")
        assert (status, "this domain" in text) == (403, True)
        assert [(user.email, user.has_password, user.teams) for user in list_users(api.inst)] == [
            ("new@example.org", False, ())
        ]


def test_a_provider_in_a_private_network_needs_a_setting(
    serve: Callable[..., Any], provider: Provider
) -> None:
    with serve(oidc_allowed_networks=None) as api, Browser(api.address) as browser:
        page = browser.get(START)
        assert (page.status_code, "its address is not allowed" in page.text) == (503, True)
    assert provider.requests == []
