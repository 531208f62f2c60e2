"""The names of this authorization server and of the resource that its tokens are for."""

from __future__ import annotations

from fastapi import Request

from docduck.api.request.current_caller import base_url_of
from docduck.errors import InputError
from docduck.service.oauth.resource import PATH


def issuer_of(request: Request) -> str:
    """Return the issuer, which is this server's URL; raise InputError if it is not known."""
    base_url = base_url_of(request)
    if not base_url:
        raise InputError("This server does not know its own address: its operator must set DOCDUCK_BASE_URL")
    return base_url


def resource_of(request: Request) -> str:
    """Return the resource of tokens, which is the URL of MCP; raise InputError if it is not known."""
    return f"{issuer_of(request)}{PATH}"
