"""A client's and a user's parts of the authorization flow, over HTTP."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from docduck.service.accounts.accounts import add_member, create_user, list_users
from docduck.service.accounts.sessions import start_session
from docduck.web.visit import COOKIE
from tests.server.served import Api

PASSWORD = "correct horse battery"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
REDIRECT = "http://127.0.0.1:7777/callback"
CODE, REFRESH = "authorization_code", "refresh_token"


opened: list[httpx.Client] = []
"""Clients that are closed when a test ends."""


def browser(api: Api) -> httpx.Client:
    """A browser without a session."""
    opened.append(httpx.Client(base_url=api.address, trust_env=False, timeout=30))
    return opened[-1]


def member(api: Api, email: str = "ann@example.org", role: str = "member") -> str:
    """The id of a user with a password, in the team of the API's key."""
    user = create_user(api.inst, email, "Ann", PASSWORD)
    add_member(api.inst, api.inst.team_id, user.id, role)
    return user.id


@dataclass
class Dance:
    """A registered client and a signed-in user."""

    api: Api
    email: str = "ann@example.org"
    redirect: str = REDIRECT
    client_id: str = ""
    user: httpx.Client = field(init=False)
    program: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.user, self.program = browser(self.api), browser(self.api)
        self.client_id = self.client_id or self.register(self.redirect).json()["client_id"]
        user_id = next(one.id for one in list_users(self.api.inst) if one.email == self.email)
        self.user.cookies.set(COOKIE, start_session(self.api.inst, user_id))

    @property
    def resource(self) -> str:
        return f"{self.api.address}/mcp"

    def register(self, *redirects: str, **more: Any) -> httpx.Response:
        given = {"redirect_uris": [*redirects], "client_name": "Robin", **more}
        return self.program.post("/oauth/register", json=given)

    def asked(self, **changes: str | None) -> dict[str, str]:
        """The parameters of an authorization request; None leaves one out."""
        given: dict[str, str | None] = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "scope": "parsers:read documents:read",
            "state": "s t&a=te",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "resource": self.resource,
            **changes,
        }
        return {name: value for name, value in given.items() if value is not None}

    def authorize(self, **changes: str | None) -> httpx.Response:
        return self.user.get("/oauth/authorize", params=self.asked(**changes))

    def decide(
        self,
        shown: httpx.Response,
        scopes: Sequence[str] = ("parsers:read", "documents:read"),
        decision: str = "approve",
        user: httpx.Client | None = None,
        **changes: str,
    ) -> httpx.Response:
        form: dict[str, Any] = {**hidden(shown), "decision": decision, "scope": [*scopes], **changes}
        return (user or self.user).post("/oauth/authorize/decision", data=form)

    def code(self, **changes: str | None) -> str:
        answered = self.decide(self.authorize(**changes))
        assert answered.status_code == 303, answered.text
        return answer(answered)["code"]

    def token(self, **form: str) -> httpx.Response:
        return self.program.post("/oauth/token", data={"client_id": self.client_id, **form})

    def redeem(self, code: str, **changes: str) -> httpx.Response:
        form = {"grant_type": CODE, "code": code, "code_verifier": VERIFIER, "redirect_uri": self.redirect}
        return self.token(**{**form, "resource": self.resource, **changes})

    def refresh(self, token: str, **changes: str) -> httpx.Response:
        return self.token(**{"grant_type": REFRESH, "refresh_token": token, **changes})

    def tokens(self) -> dict[str, Any]:
        redeemed = self.redeem(self.code())
        assert redeemed.status_code == 200, redeemed.text
        found: dict[str, Any] = redeemed.json()
        return found


def hidden(shown: httpx.Response) -> dict[str, str]:
    """The hidden fields of the form about a request."""
    assert shown.status_code in (200, 400), shown.text
    return dict(re.findall(r'type="hidden" name="(form_token|request)" value="([^"]+)"', shown.text))


def answer(redirect: httpx.Response) -> dict[str, str]:
    """What a redirect tells the client."""
    assert redirect.status_code == 303, redirect.text
    return dict(parse_qsl(urlsplit(redirect.headers["location"]).query))
