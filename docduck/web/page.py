"""Rendering of pages, and the headers that they are sent with."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Query
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse

from docduck import clock
from docduck.api.response.responses import status_of
from docduck.errors import InputError
from docduck.service.accounts.sessions import SignedIn

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action {targets}; frame-ancestors 'none'"
)

PageNumber = Annotated[int, Query(alias="page", ge=1, le=1_000_000)]
"""The page of a list that an address names."""


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
    text = render(template, **shared, page_folder=folder, **values)
    return HTMLResponse(text, status, {**page_headers(form_targets), **(headers or {})})


def render(template: str, **values: object) -> str:
    """Return the HTML of a template."""
    return _environment().get_template(template).render(**values)


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


def see_other(path: str, **query: object) -> RedirectResponse:
    """Lead to a page after a form was sent; ``query`` as in ``page_link``."""
    return RedirectResponse(page_link(path, **query), 303)


def page_link(path: str, **values: object) -> str:
    """Return a path with those values of its query that are not empty."""
    return with_query(path, urlencode({name: value for name, value in values.items() if value}))


def with_query(path: str, query: str) -> str:
    """Return a path with a query, which may be empty."""
    return f"{path}?{query}" if query else path


def day_of(day: str) -> dt.date | None:
    """Return the day that an address holds; None for none; raise InputError."""
    try:
        return dt.date.fromisoformat(day) if day else None
    except ValueError as error:
        raise InputError("A day is written as in 2026-01-31") from error


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("docduck.web", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "iso": clock.iso,
        "moment": _moment,
        "time": _time,
        "number": "{:,}".format,
        "counted": _counted,
        "words": _words,
        "pairs": _pairs,
        "word_pairs": lambda names: [(name, _words(name)) for name in names],
    }
    return environment


def _moment(moment: dt.datetime | None) -> str:
    return "" if moment is None else f"{moment.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC"


def _time(moment: dt.datetime | None) -> str:
    """Return a moment as HTML, for scripts to show it in the person's own time zone; empty for None."""
    element = Markup('<time datetime="{}">{}</time>').format(clock.iso(moment), _moment(moment))
    return "" if moment is None else element


def _counted(count: int, noun: str, plural: str = "") -> str:
    """Return a number with what is counted."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def _pairs(rows: Iterable[Any], value: str = "", label: str = "") -> list[tuple[Any, Any]]:
    """Return values and labels of a choice: two attributes of each row, or each row as both."""
    if not value:
        return [(row, row) for row in rows]
    return [(getattr(row, value), getattr(row, label)) for row in rows]


def _words(name: str) -> str:
    return name.replace("_", " ").replace(".", " ")
