"""Setting a password by a link, and asking for such a link by mail."""

from __future__ import annotations

from functools import partial

from fastapi import Request
from starlette.background import BackgroundTask
from starlette.responses import Response

from docduck.api.request.current_caller import Inst
from docduck.errors import InputError
from docduck.service.accounts.account_mails import can_send_mail, mail_password_reset
from docduck.service.accounts.password_reset import find_reset, finish_reset, may_ask_for_mail
from docduck.service.accounts.sign_in import begin_session, counted_visitor
from docduck.service.core.installation import Installation
from docduck.web.page import page
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import shown_on
from docduck.web.visit import OpenForm, Visitor, browser_of, entered, form_value

router = PageRouter()

_SENT = "If somebody has an account with this address, they are sent a mail with a link to set a password."


@router.get("/forgot-password")
def ask(signed_in: Visitor, inst: Inst) -> Response:
    """Return the form that asks for a link, or the words of what to do where no mails can be sent."""
    return page(
        "password_reset/ask.html.j2", signed_in, sends_mail=can_send_mail(inst.settings), is_sent=False
    )


@router.post("/forgot-password")
def send(form: OpenForm, signed_in: Visitor, request: Request, inst: Inst) -> Response:
    """Send a link by mail; the answer is the same whoever asks, for whatever address."""
    sends_mail, email = can_send_mail(inst.settings), form_value(form, "email")
    response = page(
        "password_reset/ask.html.j2",
        signed_in,
        sends_mail=sends_mail,
        is_sent=sends_mail,
        done=_SENT if sends_mail else "",
    )
    if sends_mail and may_ask_for_mail(inst, email, browser_of(request).address):
        response.background = BackgroundTask(mail_password_reset, inst, email)
    return response


@router.get("/password-reset/{token}")
def form(token: str, inst: Inst) -> Response:
    """Return the form that sets a password."""
    return _page(inst, token)


@router.post("/password-reset/{token}")
def finish(token: str, form: OpenForm, request: Request, inst: Inst) -> Response:
    """Set the password, sign the user out elsewhere, and in here."""
    browser = browser_of(request)
    with shown_on(partial(_page, inst, token)), counted_visitor(inst, browser.address):
        user_id, email = finish_reset(inst, token, form_value(form, "password"))
    return entered("/", request, begin_session(inst, user_id, email, browser), inst)


def _page(inst: Installation, token: str, error: InputError | None = None) -> Response:
    return page(
        "password_reset/set.html.j2",
        error=error,
        token=token,
        email=find_reset(inst, token),
        shortest=inst.settings.password_min_length,
    )
