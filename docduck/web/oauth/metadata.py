"""Metadata of the protected resource (RFC 9728) and of the authorization server (RFC 8414)."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from docduck.api.request.current_caller import base_url_of
from docduck.errors import InputError
from docduck.service.oauth.client_metadata import GRANT_TYPES
from docduck.service.oauth.protocol import METADATA_PATH, METADATA_ROOT, PATH, SCOPES
from docduck.web.oauth.oauth_route import OAuthRoute

router = APIRouter(include_in_schema=False, route_class=OAuthRoute)


@router.get(METADATA_ROOT)
@router.get(METADATA_PATH)
async def protected_resource(request: Request) -> Response:
    """Return which server gives tokens for MCP."""
    return JSONResponse(
        {
            "resource": resource_of(request),
            "authorization_servers": [issuer_of(request)],
            "scopes_supported": SCOPES,
            "bearer_methods_supported": ["header"],
            "resource_name": "docduck",
        }
    )


@router.get("/.well-known/oauth-authorization-server")
async def authorization_server(request: Request) -> Response:
    """Return where clients register, ask users, and get tokens."""
    issuer = issuer_of(request)
    return JSONResponse(
        {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/oauth/authorize",
            "token_endpoint": f"{issuer}/oauth/token",
            "registration_endpoint": f"{issuer}/oauth/register",
            "revocation_endpoint": f"{issuer}/oauth/revoke",
            "scopes_supported": SCOPES,
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": GRANT_TYPES,
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "client_id_metadata_document_supported": True,
            "authorization_response_iss_parameter_supported": True,
        }
    )


def issuer_of(request: Request) -> str:
    """Return the issuer, which is this server's URL; raise InputError if it is not known."""
    base_url = base_url_of(request)
    if not base_url:
        raise InputError("This server does not know its own address: its operator must set DOCDUCK_BASE_URL")
    return base_url


def resource_of(request: Request) -> str:
    """Return the resource of tokens, which is the URL of MCP; raise InputError if it is not known."""
    return f"{issuer_of(request)}{PATH}"
