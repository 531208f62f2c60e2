"""The API keys of a team."""

from __future__ import annotations

import datetime as dt
from functools import partial

from starlette.responses import Response

from docduck import clock
from docduck.errors import Forbidden, InputError
from docduck.service.accounts.keys import NewKey, create_key, list_keys, revoke_key, rotate_key
from docduck.service.accounts.permissions import ALL, PERMISSIONS
from docduck.service.parsers.parser_listing import parser_names
from docduck.web.member import Manager, Visit
from docduck.web.page import see_other
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import shown_on
from docduck.web.visit import Form, UserForm, form_value

router = PageRouter("/team/keys")

_MOST_DAYS = 36_500


@router.get("")
def show(at: Manager, done: str = "") -> Response:
    """Return the page."""
    return _page(at, done="The key is revoked." if done == "revoked" else "")


@router.post("")
def create(form: UserForm, at: Manager) -> Response:
    """Create a key, and show it once."""
    permissions = form.get("permissions", [])
    parser_ids = form.get("parser_ids", []) if form_value(form, "parsers") == "chosen" else None
    with shown_on(partial(_page, at, form), apart=(Forbidden,)):
        new = create_key(
            *at.team,
            form_value(form, "name"),
            None if ALL.issubset(permissions) else permissions,
            parser_ids,
            _expiry(form_value(form, "days")),
            by=at.user,
        )
    return _page(at, new=new)


@router.post("/{key_id}/revoke")
def revoke(key_id: str, form: UserForm, at: Manager) -> Response:
    """Revoke a key."""
    revoke_key(*at.team, key_id, at.user)
    return see_other("/team/keys", done="revoked")


@router.post("/{key_id}/rotate")
def rotate(key_id: str, form: UserForm, at: Manager) -> Response:
    """Replace a key at once, and show the new one."""
    with shown_on(partial(_page, at, None)):
        new = rotate_key(*at.team, key_id, by=at.user)
    return _page(at, new=new)


def _expiry(days: str) -> dt.datetime | None:
    if not days.strip():
        return None
    if not days.isascii() or not days.isdecimal() or not 1 <= int(days[:6]) <= _MOST_DAYS:
        raise InputError(f"The days must be a number from 1 to {_MOST_DAYS}", "days")
    return clock.now() + dt.timedelta(days=int(days))


def _page(
    at: Visit,
    form: Form | None = None,
    error: InputError | None = None,
    *,
    done: str = "",
    new: NewKey | None = None,
) -> Response:
    form = form or {}
    moment = clock.now()
    return at.page(
        "team/keys.html.j2",
        done=done,
        error=error,
        keys=[(key, key.is_valid(moment)) for key in list_keys(*at.team)],
        parsers=parser_names(*at.team),
        permissions=PERMISSIONS,
        chosen=form.get("permissions", PERMISSIONS),
        chosen_parsers=form.get("parser_ids", []),
        is_limited=form_value(form, "parsers") == "chosen",
        name=form_value(form, "name"),
        days=form_value(form, "days"),
        new=new,
    )
