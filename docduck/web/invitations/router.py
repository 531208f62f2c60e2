"""Accepting an invitation: by the user with its address, or by somebody who gets an account."""

from __future__ import annotations

from functools import partial

from fastapi import Request
from starlette.responses import Response

from docduck.api.request.current_caller import Inst
from docduck.errors import Conflict, InputError, NotFound
from docduck.service.accounts.invitations import accept_as_new_user, accept_as_user, find_invitation
from docduck.service.accounts.sessions import SignedIn, choose_team
from docduck.service.accounts.sign_in import begin_session, counted_visitor
from docduck.service.core.installation import Installation
from docduck.web.page import page, see_other
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import shown_on
from docduck.web.visit import CurrentUser, OpenForm, UserForm, Visitor, browser_of, entered, form_value

router = PageRouter()


@router.get("/invitations/{token}")
def show(token: str, signed_in: Visitor, inst: Inst) -> Response:
    """Return the page that tells who invites whom, with the form to accept."""
    return _page(inst, token, signed_in)


@router.post("/invitations/{token}")
def accept(token: str, form: OpenForm, request: Request, inst: Inst) -> Response:
    """Create an account for the invited address, and sign it in."""
    browser, name = browser_of(request), form_value(form, "name")
    form_page = shown_on(partial(_page, inst, token, None, name), apart=(Conflict, NotFound))
    with form_page, counted_visitor(inst, browser.address):
        user_id, email = accept_as_new_user(inst, token, name, form_value(form, "password"))
    return entered("/", request, begin_session(inst, user_id, email, browser), inst)


@router.post("/invitations/{token}/join")
def join(token: str, form: UserForm, signed_in: CurrentUser, inst: Inst) -> Response:
    """Let the signed-in user join the team, and go on in it."""
    choose_team(inst, signed_in, accept_as_user(inst, token, signed_in.user_id))
    return see_other("/")


def _page(
    inst: Installation,
    token: str,
    signed_in: SignedIn | None,
    name: str = "",
    error: InputError | None = None,
) -> Response:
    invitation, has_account = find_invitation(inst, token)
    return page(
        "invitations/invitation.html.j2",
        signed_in,
        error=error,
        token=token,
        invitation=invitation,
        has_account=has_account,
        name=name,
        shortest=inst.settings.password_min_length,
    )
