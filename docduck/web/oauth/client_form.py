"""The forms that clients send: one value for each name, from a public client."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from docduck.service.oauth.errors import OAuthError
from docduck.web.visit import read_form

_SECRETS = ("client_secret", "client_assertion", "client_assertion_type")


async def client_form(request: Request) -> dict[str, str]:
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


ClientForm = Annotated[dict[str, str], Depends(client_form)]


def required(form: dict[str, str], name: str) -> str:
    """Return a value of the form; raise OAuthError if it is missing."""
    if name not in form:
        raise OAuthError("invalid_request", f"{name} is missing")
    return form[name]
