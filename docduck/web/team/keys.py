"""The API keys of a team."""

from __future__ import annotations

import datetime as dt

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from docduck import clock
from docduck.api.request.current_caller import Inst
from docduck.errors import Conflict, Forbidden, InputError
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.keys import NewKey, create_key, list_keys, revoke_key, rotate_key
from docduck.service.accounts.permissions import ALL, PERMISSIONS
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_listing import parser_names
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.visit import CurrentManager, CurrentUser, Form, UserForm, form_value

router = APIRouter(include_in_schema=False, route_class=PageRoute)

_MOST_DAYS = 36_500


@router.get("/team/keys")
def show(signed_in: CurrentUser, by: CurrentManager, inst: Inst, done: str = "") -> Response:
    """Return the page."""
    return _page(inst, signed_in, by, done="The key is revoked." if done == "revoked" else "")


@router.post("/team/keys")
def create(form: UserForm, signed_in: CurrentUser, by: CurrentManager, inst: Inst) -> Response:
    """Create a key, and show it once."""
    permissions = form.get("permissions", [])
    parser_ids = form.get("parser_ids", []) if form_value(form, "parsers") == "chosen" else None
    try:
        new = create_key(
            inst,
            by.team_id,
            form_value(form, "name"),
            None if ALL.issubset(permissions) else permissions,
            parser_ids,
            _expiry(form_value(form, "days")),
            by=by,
        )
    except Forbidden:
        raise
    except InputError as error:
        return _page(inst, signed_in, by, error=error, form=form)
    return _page(inst, signed_in, by, new=new)


@router.post("/team/keys/{key_id}/revoke")
def revoke(key_id: str, form: UserForm, by: CurrentManager, inst: Inst) -> Response:
    """Revoke a key."""
    revoke_key(inst, by.team_id, key_id, by)
    return RedirectResponse("/team/keys?done=revoked", 303)


@router.post("/team/keys/{key_id}/rotate")
def rotate(key_id: str, form: UserForm, signed_in: CurrentUser, by: CurrentManager, inst: Inst) -> Response:
    """Replace a key at once, and show the new one."""
    try:
        return _page(inst, signed_in, by, new=rotate_key(inst, by.team_id, key_id, by=by))
    except Conflict as error:
        return _page(inst, signed_in, by, error=error)


def _expiry(days: str) -> dt.datetime | None:
    if not days.strip():
        return None
    if not days.isascii() or not days.isdecimal() or not 1 <= int(days[:6]) <= _MOST_DAYS:
        raise InputError(f"The days must be a number from 1 to {_MOST_DAYS}", "days")
    return clock.now() + dt.timedelta(days=int(days))


def _page(
    inst: Installation,
    signed_in: SignedIn,
    by: TeamUser,
    *,
    done: str = "",
    error: InputError | None = None,
    form: Form | None = None,
    new: NewKey | None = None,
) -> Response:
    parsers = parser_names(inst, by.team_id)
    form = form or {}
    moment = clock.now()
    return page(
        "team/keys.html.j2",
        signed_in,
        done=done,
        error=error,
        keys=[(key, key.is_valid(moment)) for key in list_keys(inst, by.team_id)],
        parsers=parsers,
        permissions=PERMISSIONS,
        chosen=form.get("permissions", PERMISSIONS),
        chosen_parsers=form.get("parser_ids", []),
        is_limited=form_value(form, "parsers") == "chosen",
        name=form_value(form, "name"),
        days=form_value(form, "days"),
        new=new,
    )
