"""The authorization endpoint: a signed-in user chooses a team, and what a client may do there."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.errors import Forbidden, InputError
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.oauth.authorization import (
    AuthorizationRequest,
    Refused,
    check_request,
    sealed,
    unsealed,
    verified_client,
    with_team,
)
from docduck.service.oauth.clients import Client
from docduck.service.oauth.codes import grant_code, offered_scopes
from docduck.service.oauth.redirects import form_targets, host_of, is_loopback, is_program
from docduck.web.consent.scope_texts import scope_text
from docduck.web.oauth.metadata import issuer_of, resource_of
from docduck.web.page import page
from docduck.web.page_route import PageRouter
from docduck.web.visit import CurrentUser, UserForm, form_value

router = PageRouter()


@router.get("/oauth/authorize")
def authorize(user: CurrentUser, request: Request, inst: Inst) -> Response:
    """Ask the user about a client's request, first for the team if they are in several.

    The client is told of errors at its redirect URI, once it is known to be its own. Anybody can register a
    client with any website: to those, the user only goes by a link.
    """
    parameters = {name: request.query_params.getlist(name) for name in request.query_params}
    client = verified_client(inst, parameters, user)
    try:
        access = check_request(parameters, client, issuer_of(request), resource_of(request))
    except Refused as refusal:
        return _refused(request, refusal, client, user)
    if not user.teams:
        raise Forbidden("You are in no team yet. Ask the administrator of a team to add you")
    if len(user.teams) > 1:
        return page(
            "consent/teams.html.j2", user, client=client, request=sealed(inst, access, user), teams=user.teams
        )
    return _consent(inst, with_team(access, user, user.teams[0].id), client, user)


@router.post("/oauth/authorize/team")
def choose(form: UserForm, user: CurrentUser, inst: Inst) -> Response:
    """Go on with the chosen team."""
    access = with_team(unsealed(inst, form_value(form, "request"), user), user, form_value(form, "team"))
    return _consent(inst, access, _client(inst, access, user), user)


@router.post("/oauth/authorize/decision")
def decide(form: UserForm, user: CurrentUser, inst: Inst) -> Response:
    """Send the user back to the client, with a code for what they approved."""
    access = unsealed(inst, form_value(form, "request"), user)
    if access.team_id is None:
        raise Forbidden
    access = with_team(access, user, access.team_id)
    if form_value(form, "decision") != "approve":
        return _to_client(access.answer(error="access_denied", error_description="The user did not consent"))
    client = _client(inst, access, user)
    approved = form.get("scope", [])
    try:
        code = grant_code(inst, access, client, user, approved)
    except InputError as error:
        return _consent(inst, access, client, user, error.message)
    return _to_client(access.answer(code=code))


def _refused(request: Request, refusal: Refused, client: Client, user: SignedIn) -> Response:
    way, headers = refusal.redirect, {"Referrer-Policy": "no-referrer"}
    is_trusted = client.host is not None or is_loopback(way)
    if is_trusted and request.headers.get("Sec-Fetch-Site") != "same-origin":
        return _to_client(way)
    if is_trusted:
        # It comes from the form of the sign-in page, whose policy allows no redirect to another site.
        headers["Refresh"] = f"0;url={way}"
    return page(
        "consent/refused.html.j2",
        user,
        headers=headers,
        client=client,
        way=way,
        is_automatic=is_trusted,
        redirect_host=host_of(way),
    )


def _to_client(url: str) -> Response:
    return RedirectResponse(url, 303, {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})


def _client(inst: Installation, access: AuthorizationRequest, user: SignedIn) -> Client:
    """Return the client again, which may have changed while the user decided."""
    parameters = {"client_id": [access.client_id], "redirect_uri": [access.redirect_uri]}
    return verified_client(inst, parameters, user)


def _consent(
    inst: Installation, access: AuthorizationRequest, client: Client, user: SignedIn, error: str = ""
) -> Response:
    return page(
        "consent/consent.html.j2",
        user,
        form_targets=f"'self' {form_targets(access.redirect_uri)}",
        client=client,
        redirect_host=host_of(access.redirect_uri),
        is_local=is_program(access.redirect_uri),
        request=sealed(inst, access, user),
        team=next(team for team in user.teams if team.id == access.team_id),
        scopes=[(name, scope_text(name)) for name in offered_scopes(access, user)],
        error=InputError(error) if error else None,
    )
