"""The members of a team, and invitations to it."""

from __future__ import annotations

from functools import partial

from starlette.responses import Response

from docduck.api.request.current_caller import BaseUrl
from docduck.errors import InputError
from docduck.service.accounts.account_mails import can_send_mail, mail_invitation
from docduck.service.accounts.accounts import change_role, members, remove_member
from docduck.service.accounts.invitations import invite, list_invitations, revoke_invitation
from docduck.service.accounts.permissions import assignable_roles
from docduck.web.member import Manager, Visit
from docduck.web.page import see_other
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import error_at_top, shown_on
from docduck.web.visit import UserForm, form_value

router = PageRouter("/team")

_DONE = {
    "role": "The role is changed.",
    "removed": "The member is removed, and their API keys are revoked.",
    "revoked": "The invitation is revoked.",
}


@router.get("/members")
def show(at: Manager, done: str = "") -> Response:
    """Return the page."""
    return _page(at, done=_DONE.get(done, ""))


@router.post("/members/{user_id}/role")
def change(user_id: str, form: UserForm, at: Manager) -> Response:
    """Change a member's role."""
    # Rows have fields of the same names as the form for invitations.
    with shown_on(lambda error: _page(at, error_at_top(error))):
        change_role(at.inst, at.user, user_id, form_value(form, "role"))
    return see_other("/team/members", done="role")


@router.post("/members/{user_id}/remove")
def remove(user_id: str, form: UserForm, at: Manager) -> Response:
    """Remove a member."""
    with shown_on(lambda error: _page(at, error_at_top(error))):
        remove_member(*at.team, user_id, at.user)
    return see_other("/") if user_id == at.user.user_id else see_other("/team/members", done="removed")


@router.post("/invitations")
def send(form: UserForm, at: Manager, base_url: BaseUrl) -> Response:
    """Invite an address: by mail if mails can be sent, otherwise by a link that is shown once."""
    email = form_value(form, "email")
    with shown_on(partial(_page, at, email=email)):
        new = invite(at.inst, at.user, email, form_value(form, "role"))
    address = new.invitation.email
    if can_send_mail(at.inst.settings) and mail_invitation(at.inst, new):
        return _page(at, done=f"The invitation was sent to {address}.")
    return _page(at, done=f"{address} is invited.", link=f"{base_url}/invitations/{new.token}")


@router.post("/invitations/{invitation_id}/revoke")
def revoke(invitation_id: str, form: UserForm, at: Manager) -> Response:
    """Revoke an invitation."""
    revoke_invitation(at.inst, at.user, invitation_id)
    return see_other("/team/members", done="revoked")


def _page(
    at: Visit, error: InputError | None = None, *, done: str = "", email: str = "", link: str = ""
) -> Response:
    return at.page(
        "team/members.html.j2",
        done=done,
        error=error,
        members=members(*at.team),
        invitations=list_invitations(at.inst, at.user),
        assignable=assignable_roles(at.user.role),
        email=email,
        link=link,
        sends_mail=can_send_mail(at.inst.settings),
    )
