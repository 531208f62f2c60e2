"""Registration of clients, tokens, and their revocation."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import JSONResponse, Response

from docduck.api.request.body import parse_body, read_limited
from docduck.api.request.current_caller import Inst
from docduck.service.oauth.client_metadata import GRANT_TYPES
from docduck.service.oauth.clients import register_client
from docduck.service.oauth.codes import Redemption, redeem_code
from docduck.service.oauth.protocol import OAuthError, asked_scopes
from docduck.service.oauth.tokens import Tokens, refresh_tokens, revoke_token
from docduck.web.oauth.oauth_route import NOT_KEPT, OAuthRoute
from docduck.web.visit import browser_of, read_form

router = APIRouter(include_in_schema=False, route_class=OAuthRoute)

_MOST_BYTES = 64 * 1024


async def _json(request: Request) -> dict[str, Any]:
    body = await read_limited(request, _MOST_BYTES)
    parameters = await parse_body(body)
    if not isinstance(parameters, dict):
        raise OAuthError("invalid_client_metadata", "Send the metadata as a JSON object")
    return parameters


_SECRETS = ("client_secret", "client_assertion", "client_assertion_type")


async def _client_form(request: Request) -> dict[str, str]:
    """Return the form of a public client, without empty values; raise OAuthError.

    Clients have no secrets here, so one that sends a secret is not the one that it claims to be.
    """
    form = await read_form(request)
    for name, values in form.items():
        if len(values) > 1:
            raise OAuthError("invalid_request", f"{name[:50]} is given twice")
    credentials = {name: values[0] for name, values in form.items() if values[0]}
    if "authorization" in request.headers or any(secret in credentials for secret in _SECRETS):
        raise OAuthError("invalid_client", "Clients are public here: send client_id alone, without a secret")
    if "client_id" not in credentials:
        raise OAuthError("invalid_client", "client_id is missing")
    return credentials


ClientForm = Annotated[dict[str, str], Depends(_client_form)]


def _required(form: dict[str, str], name: str) -> str:
    """Return a value of the form; raise OAuthError if it is missing."""
    if name not in form:
        raise OAuthError("invalid_request", f"{name} is missing")
    return form[name]


@router.post("/oauth/register")
def register(metadata: Annotated[dict[str, Any], Depends(_json)], request: Request, inst: Inst) -> Response:
    """Register a public client (RFC 7591), whatever else it asked to be."""
    client = register_client(inst, metadata, request.client.host if request.client else "")
    registered = {
        "client_id": client.client_id,
        "client_name": client.name,
        "redirect_uris": client.redirect_uris,
        "grant_types": GRANT_TYPES,
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
    return JSONResponse(registered, 201, NOT_KEPT)


@router.post("/oauth/token")
def token(form: ClientForm, request: Request, inst: Inst) -> Response:
    """Return tokens for a code or for a refresh token."""
    kind = _required(form, "grant_type")
    if kind == "authorization_code":
        return _tokens(
            redeem_code(
                inst,
                Redemption(
                    client_id=form["client_id"],
                    code=_required(form, "code"),
                    verifier=_required(form, "code_verifier"),
                    redirect_uri=_required(form, "redirect_uri"),
                    resource=form.get("resource"),
                    sender=browser_of(request),
                ),
            )
        )
    if kind == "refresh_token":
        scopes = asked_scopes(form["scope"]) or None if "scope" in form else None
        text = _required(form, "refresh_token")
        sender = browser_of(request)
        return _tokens(refresh_tokens(inst, form["client_id"], text, form.get("resource"), scopes, sender))
    raise OAuthError("unsupported_grant_type", f"grant_type must be one of {', '.join(GRANT_TYPES)}")


@router.post("/oauth/revoke")
def revoke(form: ClientForm, inst: Inst) -> Response:
    """End a token, or with a refresh token all that belongs to it."""
    revoke_token(inst, form["client_id"], _required(form, "token"))
    return Response(status_code=200, headers=NOT_KEPT)


def _tokens(tokens: Tokens) -> Response:
    return JSONResponse(
        {
            "access_token": tokens.access,
            "token_type": "Bearer",
            "expires_in": tokens.expires_in,
            "refresh_token": tokens.refresh,
            "scope": " ".join(tokens.scopes),
        },
        headers=NOT_KEPT,
    )
