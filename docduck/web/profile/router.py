"""The user's own page: name, password and sessions."""

from __future__ import annotations

from functools import partial

from fastapi import Request
from starlette.responses import Response

from docduck.api.request.current_caller import Inst
from docduck.errors import InputError
from docduck.service.accounts.profile import change_password, has_password, rename_user
from docduck.service.accounts.sessions import SignedIn, end_all_sessions, list_sessions
from docduck.service.accounts.sign_in import TooManyAttempts
from docduck.service.core.installation import Installation
from docduck.web.page import page, see_other
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import shown_on
from docduck.web.visit import (
    DEVICE_COOKIE,
    CurrentUser,
    UserForm,
    browser_of,
    entered,
    forget_cookie,
    form_value,
)

router = PageRouter()

_DONE = {
    "name": "Your name is changed.",
    "password": "Your password is changed. You are signed out elsewhere, and your connections have ended.",
}


@router.get("/profile")
def show(signed_in: CurrentUser, inst: Inst, done: str = "") -> Response:
    """Return the page."""
    return _page(inst, signed_in, done=_DONE.get(done, ""))


@router.post("/profile/name")
def rename(form: UserForm, signed_in: CurrentUser, inst: Inst) -> Response:
    """Change the user's name."""
    with shown_on(partial(_page, inst, signed_in)):
        rename_user(inst, signed_in.user_id, form_value(form, "name"))
    return see_other("/profile", done="name")


@router.post("/profile/password")
def change(form: UserForm, signed_in: CurrentUser, request: Request, inst: Inst) -> Response:
    """Change the user's password, sign them out elsewhere, and end their connections."""
    current, password = form_value(form, "current"), form_value(form, "password")
    device = request.cookies.get(DEVICE_COOKIE, "")
    try:
        with shown_on(partial(_page, inst, signed_in)):
            new = change_password(inst, signed_in, current, password, browser_of(request), device)
    except TooManyAttempts as error:
        return _page(inst, signed_in, InputError(error.message), status=429)
    return entered("/profile?done=password", request, new, inst)


@router.post("/profile/sign-out")
def leave_everywhere(form: UserForm, signed_in: CurrentUser, inst: Inst) -> Response:
    """Sign the user out in all browsers, and end their connections."""
    end_all_sessions(inst, signed_in.user_id)
    response = see_other("/sign-in")
    forget_cookie(response)
    return response


def _page(
    inst: Installation,
    signed_in: SignedIn,
    error: InputError | None = None,
    done: str = "",
    status: int = 200,
) -> Response:
    return page(
        "profile/profile.html.j2",
        signed_in,
        status,
        done=done,
        error=error,
        sessions=list_sessions(inst, signed_in),
        has_password=has_password(inst, signed_in.user_id),
        shortest=inst.settings.password_min_length,
    )
