"""A browser, signed in to the pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from docduck.service.core.installation import Installation
from tests.browser import browsing
from tests.server.served import Api
from tests.web.browser import PASSWORD, member


def make_user(inst: Installation, name: str = "Ann", role: str = "member") -> str:
    """A user of the team who can sign in; gives their id."""
    return member(inst, name.lower(), role, password=PASSWORD)


@contextmanager
def signed_in(
    api: Api, path: str = "/", name: str = "Ann", **context: Any
) -> Iterator[tuple[Any, list[str]]]:
    """A browser in which a user has signed in to a page, and what it complains about."""
    with browsing(base_url=api.address, **context) as (page, complaints):
        page.goto(path)
        page.fill("#email", f"{name.lower()}@example.org")
        page.fill("#password", PASSWORD)
        page.click("main button[type=submit]")
        page.wait_for_url(lambda url: "/sign-in" not in url)
        yield page, complaints


def wait_for_page(page: Any) -> None:
    """Wait for the picture of a document's page, and for boxes on it."""
    page.locator("#boxes button").first.wait_for()
    page.locator("#picture").evaluate(
        "(one) => one.complete || new Promise((done) => one.addEventListener('load', () => done()))"
    )
