"""The members of a team, and invitations to it."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import BaseUrl, Inst
from docduck.errors import Forbidden, InputError, NotFound
from docduck.service.accounts.account_mails import can_send_mail, mail_invitation
from docduck.service.accounts.accounts import change_role, members, remove_member
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.invitations import invite, list_invitations, revoke_invitation
from docduck.service.accounts.permissions import assignable_roles
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.visit import CurrentManager, CurrentUser, UserForm, form_value

router = APIRouter(include_in_schema=False, route_class=PageRoute)

_DONE = {
    "role": "The role is changed.",
    "removed": "The member is removed, and their API keys are revoked.",
    "revoked": "The invitation is revoked.",
}


@router.get("/team/members")
def show(signed_in: CurrentUser, by: CurrentManager, inst: Inst, done: str = "") -> Response:
    """Return the page."""
    return _page(inst, signed_in, by, done=_DONE.get(done, ""))


@router.post("/team/members/{user_id}/role")
def change(user_id: str, form: UserForm, signed_in: CurrentUser, by: CurrentManager, inst: Inst) -> Response:
    """Change a member's role."""
    try:
        change_role(inst, by, user_id, form_value(form, "role"))
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return _page(inst, signed_in, by, error=_general(error))
    return RedirectResponse("/team/members?done=role", 303)


@router.post("/team/members/{user_id}/remove")
def remove(user_id: str, form: UserForm, signed_in: CurrentUser, by: CurrentManager, inst: Inst) -> Response:
    """Remove a member."""
    try:
        remove_member(inst, by.team_id, user_id, by)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return _page(inst, signed_in, by, error=_general(error))
    return RedirectResponse("/" if user_id == by.user_id else "/team/members?done=removed", 303)


@router.post("/team/invitations")
def send(
    form: UserForm, signed_in: CurrentUser, by: CurrentManager, inst: Inst, base_url: BaseUrl
) -> Response:
    """Invite an address: by mail if mails can be sent, otherwise by a link that is shown once."""
    email = form_value(form, "email")
    try:
        new = invite(inst, by, email, form_value(form, "role"))
    except Forbidden:
        raise
    except InputError as error:
        return _page(inst, signed_in, by, error=error, email=email)
    address = new.invitation.email
    if can_send_mail(inst.settings) and mail_invitation(inst, new):
        return _page(inst, signed_in, by, done=f"The invitation was sent to {address}.")
    link = f"{base_url}/invitations/{new.token}"
    return _page(inst, signed_in, by, done=f"{address} is invited.", link=link)


@router.post("/team/invitations/{invitation_id}/revoke")
def revoke(invitation_id: str, form: UserForm, by: CurrentManager, inst: Inst) -> Response:
    """Revoke an invitation."""
    revoke_invitation(inst, by, invitation_id)
    return RedirectResponse("/team/members?done=revoked", 303)


def _general(error: InputError) -> InputError:
    """Return an error of a row's form as one of the page, whose fields have the same names."""
    return type(error)(error.message)


def _page(
    inst: Installation,
    signed_in: SignedIn,
    by: TeamUser,
    *,
    done: str = "",
    error: InputError | None = None,
    email: str = "",
    link: str = "",
) -> Response:
    return page(
        "team/members.html.j2",
        signed_in,
        done=done,
        error=error,
        members=members(inst, by.team_id),
        invitations=list_invitations(inst, by),
        assignable=assignable_roles(by.role),
        email=email,
        link=link,
        sends_mail=can_send_mail(inst.settings),
    )
