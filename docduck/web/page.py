"""Rendering of pages, and the headers that they are sent with."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from docduck import clock
from docduck.api.response.responses import status_of
from docduck.errors import InputError
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.pages import Page

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action {targets}; frame-ancestors 'none'"
)


def page(
    template: str,
    signed_in: SignedIn | None = None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    form_targets: str = "'self'",
    done: str = "",
    error: InputError | None = None,
    **values: object,
) -> HTMLResponse:
    """Return a page for a user, or for a visitor; ``template`` is its path, such as ``sign_in/form.html.j2``.

    ``done`` tells what was done, ``error`` what is wrong with a form: it is shown at the field that it names.
    ``form_targets`` are the sources to which its forms may lead, in words of the Content-Security-Policy.
    """
    problems = {} if error is None else {error.path or "": error.message}
    if error is not None and status == 200:
        status = status_of(error)
    shared = {"signed_in": signed_in, "done": done, "problems": problems}
    folder, _, _ = template.partition("/")
    text = _environment().get_template(template).render(**shared, page_folder=folder, **values)
    return HTMLResponse(text, status, {**page_headers(form_targets), **(headers or {})})


def page_headers(form_targets: str = "'self'") -> dict[str, str]:
    """Return the headers of every page: nothing from other hosts, no inline scripts, no frames, no copies."""
    return {
        "Content-Security-Policy": _POLICY.format(targets=form_targets),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        # Paths may hold the secrets of links, so that only origins are sent.
        "Referrer-Policy": "strict-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "X-Robots-Tag": "noindex",
        "Cache-Control": "no-store",
    }


def last_page(rows: Page[Any]) -> int:
    """Return the number of the last page of a list; 1 for an empty list."""
    return max(1, rows.page_count)


def page_link(path: str, **values: object) -> str:
    """Return a path with those values of its query that are not empty."""
    query = urlencode({name: value for name, value in values.items() if value})
    return f"{path}?{query}" if query else path


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("docduck.web", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"iso": clock.iso, "moment": _moment, "words": _words}
    return environment


def _moment(moment: dt.datetime | None) -> str:
    return "" if moment is None else f"{moment.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC"


def _words(name: str) -> str:
    return name.replace("_", " ").replace(".", " ")
