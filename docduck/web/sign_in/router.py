"""Signing in and out, and the choice of a team."""

from __future__ import annotations

from fastapi import Request
from starlette.background import BackgroundTask
from starlette.responses import JSONResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.errors import InputError, NotSignedIn
from docduck.service.accounts.sessions import choose_team, end_session
from docduck.service.accounts.sign_in import TooManyAttempts, WrongPassword, note_failure, sign_in
from docduck.web.page import page, see_other
from docduck.web.page_route import PageRouter
from docduck.web.visit import (
    COOKIE,
    DEVICE_COOKIE,
    CurrentUser,
    OpenForm,
    UserForm,
    Visitor,
    browser_of,
    entered,
    forget_cookie,
    form_value,
    own_path,
)

router = PageRouter()

_NOT_STORED = {"Cache-Control": "no-store"}


@router.get("/sign-in")
def form(signed_in: Visitor, request: Request, next: str = "/") -> Response:
    """Return the form; a signed-in user goes on."""
    if signed_in is not None:
        return see_other(own_path(next))
    return sign_in_page(request, own_path(next))


@router.post("/sign-in")
def enter(form: OpenForm, request: Request, inst: Inst) -> Response:
    """Sign in by password, and go on to the page that was asked for."""
    path, browser = own_path(form_value(form, "next")), browser_of(request)
    email, password = form_value(form, "email"), form_value(form, "password")
    try:
        new = sign_in(inst, email, password, browser, request.cookies.get(DEVICE_COOKIE, ""))
    except WrongPassword as error:
        response = sign_in_page(request, path, email, error, 401)
        response.background = BackgroundTask(note_failure, inst, email, browser.address)
        return response
    except TooManyAttempts as error:
        response = sign_in_page(request, path, email, InputError(error.message), 429)
        response.headers["Retry-After"] = str(error.retry_after)
        return response
    return entered(path, request, new, inst)


@router.get("/form-token")
def form_token(signed_in: Visitor) -> Response:
    """Return the session's form token, user and team, for a page whose session had ended; 401 without one."""
    if signed_in is None:
        return JSONResponse({"code": NotSignedIn.code, "message": "Sign in first"}, 401)
    team = signed_in.team.id if signed_in.team else None
    session = {"token": signed_in.form_token, "user": signed_in.user_id, "team": team}
    return JSONResponse(session, headers=_NOT_STORED)


@router.post("/sign-out")
def leave(form: UserForm, request: Request, inst: Inst) -> Response:
    """End the session."""
    end_session(inst, request.cookies.get(COOKIE, ""))
    response = see_other("/sign-in")
    forget_cookie(response)
    return response


@router.post("/choose-team")
def choose(form: UserForm, signed_in: CurrentUser, inst: Inst) -> Response:
    """Go on in another team of the user."""
    choose_team(inst, signed_in, form_value(form, "team_id"))
    return see_other("/")


def sign_in_page(
    request: Request, path: str, email: str = "", error: InputError | None = None, status: int = 200
) -> Response:
    """Return the form, from which the visitor goes on to ``path``."""
    provider = request.app.state.openid_provider
    return page(
        "sign_in/form.html.j2",
        status=status,
        error=error,
        next=path,
        email=email,
        provider=provider.name if provider else "",
    )
