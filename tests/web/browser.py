"""A browser without scripts: it keeps cookies, and sends forms as pages do."""

from __future__ import annotations

import re
from typing import Any

import httpx

from docduck.service.accounts.accounts import add_member, create_user
from docduck.service.accounts.sessions import start_session
from docduck.service.core.installation import Installation
from docduck.web.visit import COOKIE

PASSWORD = "correct horse battery"


class Browser(httpx.Client):
    """A visitor of the pages; after ``sign_in`` a user."""

    def __init__(self, address: str, **more: Any) -> None:
        super().__init__(base_url=address, trust_env=False, timeout=30, **more)

    def sign_in(self, email: str, password: str = PASSWORD, next: str = "/") -> httpx.Response:
        return self.post("/sign-in", data={"email": email, "password": password, "next": next})

    def enter(self, inst: Installation, user_id: str) -> None:
        """Begin a session without a password, which takes long to check."""
        self.hold(COOKIE, start_session(inst, user_id))

    def hold(self, cookie: str, value: str) -> None:
        """Hold a cookie as if this server had set it."""
        self.cookies.set(cookie, value, domain=self.base_url.host, path="/")

    def submit(self, path: str, shown_on: str = "/profile", **form: Any) -> httpx.Response:
        """Send a form with the session's form token, which is on every page."""
        return self.post(path, data={"form_token": form_token(self.get(shown_on)), **form})


def form_token(page: httpx.Response) -> str:
    found = re.search(r'name="form_token" value="([0-9a-f]+)"', page.text)
    assert found is not None, page.text
    return found[1]


def member(
    inst: Installation,
    name: str,
    role: str | None = "member",
    team_id: str | None = None,
    password: str | None = None,
) -> str:
    """The id of a new user ``<name>@example.org``, in a team unless the role is None."""
    user = create_user(inst, f"{name}@example.org", name.capitalize(), password)
    if role is not None:
        add_member(inst, team_id or inst.team_id, user.id, role)
    return user.id
