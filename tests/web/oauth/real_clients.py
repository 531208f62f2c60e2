"""What clients register and ask for, as their makers publish it and as servers have seen it.

A client with a metadata document has no registration, and the document is here for the rest of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

CODE, REFRESH = "authorization_code", "refresh_token"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
BOTH: dict[str, Any] = {"grant_types": [CODE, REFRESH], "response_types": ["code"]}
PUBLIC: dict[str, Any] = {**BOTH, "token_endpoint_auth_method": "none"}

CLAUDE = "https://claude.ai/api/mcp/auth_callback"
CHATGPT = "https://chatgpt.com/connector_platform_oauth_redirect"
CURSOR = [
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "https://www.cursor.com/bot/mcp/oauth/callback",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "http://localhost:8787/callback",
    "grokbot://mcp/oauth/callback",
]
VS_CODE = [
    "https://insiders.vscode.dev/redirect",
    "https://vscode.dev/redirect",
    "http://127.0.0.1/",
    "http://127.0.0.1:33418/",
]

DOCUMENTS: Mapping[str, dict[str, Any]] = {
    "https://claude.ai/oauth/mcp-oauth-client-metadata": {
        "client_name": "Claude",
        "client_uri": "https://claude.ai",
        "redirect_uris": [CLAUDE],
        "grant_types": [CODE, REFRESH, "urn:ietf:params:oauth:grant-type:jwt-bearer"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    },
    "https://claude.ai/oauth/claude-code-client-metadata": {
        "client_name": "Claude Code",
        "client_uri": "https://claude.ai",
        "redirect_uris": ["http://localhost/callback", "http://127.0.0.1/callback"],
        **PUBLIC,
    },
    "https://chatgpt.com/oauth/client.json": {
        "client_name": "ChatGPT",
        "redirect_uris": [CHATGPT],
        **BOTH,
        "token_endpoint_auth_method": "private_key_jwt",
        "token_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
        "jwks_uri": "https://chatgpt.com/oauth/jwks.json",
    },
    "https://chatgpt.com/oauth/codex/client.json": {
        "client_name": "Codex",
        "redirect_uris": ["http://127.0.0.1/callback", "http://localhost/callback"],
        **PUBLIC,
    },
    "https://vscode.dev/oauth/client-metadata.json": {
        "client_name": "Visual Studio Code",
        "application_type": "native",
        "grant_types": [CODE, REFRESH, DEVICE],
        "response_types": ["code"],
        "redirect_uris": ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
        "token_endpoint_auth_method": "none",
    },
    "https://zed.dev/oauth/client-metadata.json": {
        "client_name": "Zed",
        "client_uri": "https://zed.dev",
        "redirect_uris": ["http://127.0.0.1/callback"],
        "grant_types": [CODE],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    },
    "https://goose-docs.ai/oauth/client-metadata.json": {
        "client_name": "goose",
        "redirect_uris": ["http://127.0.0.1/oauth_callback", "http://localhost/oauth_callback"],
        **PUBLIC,
    },
}


@dataclass(frozen=True)
class RealClient:
    """Where a client is sent back to, and by what it is known: its registration, or a document's URL."""

    redirect: str
    registration: Mapping[str, Any] | None = None
    document: str = ""


def registered(redirect: str, *redirects: str, **more: Any) -> RealClient:
    return RealClient(redirect, {"redirect_uris": [*(redirects or [redirect])], **more})


CLIENTS: Mapping[str, RealClient] = {
    "Claude on the web, desktop and phone": RealClient(
        CLAUDE, document="https://claude.ai/oauth/mcp-oauth-client-metadata"
    ),
    "Claude Code": RealClient(
        "http://localhost:54321/callback", document="https://claude.ai/oauth/claude-code-client-metadata"
    ),
    "Claude Code in the desktop app": registered(
        "claude://claude.ai/mcp-auth-callback/sdk", client_name="Claude Code", **PUBLIC
    ),
    "ChatGPT": RealClient(CHATGPT, document="https://chatgpt.com/oauth/client.json"),
    "ChatGPT, registered": registered(
        "https://chatgpt.com/connector/oauth/Vq3x_7",
        client_name="ChatGPT",
        **BOTH,
        token_endpoint_auth_method="client_secret_post",
    ),
    "Codex": RealClient(
        "http://127.0.0.1:1455/callback", document="https://chatgpt.com/oauth/codex/client.json"
    ),
    "VS Code": RealClient(
        "http://127.0.0.1:50000/", document="https://vscode.dev/oauth/client-metadata.json"
    ),
    "VS Code, registered": registered(
        "http://127.0.0.1:59656/",
        *VS_CODE,
        client_name="Visual Studio Code",
        client_uri="https://code.visualstudio.com",
        grant_types=[CODE, REFRESH, DEVICE],
        response_types=["code"],
        token_endpoint_auth_method="none",
        application_type="native",
    ),
    "Cursor": registered(CURSOR[2], *CURSOR, client_name="Cursor", **PUBLIC),
    "Zed": RealClient(
        "http://127.0.0.1:45123/callback", document="https://zed.dev/oauth/client-metadata.json"
    ),
    "Goose": RealClient(
        "http://127.0.0.1:40001/oauth_callback", document="https://goose-docs.ai/oauth/client-metadata.json"
    ),
    "one without a name": registered("http://localhost:7777"),
    "one that asks for the path it left out": registered(
        "http://localhost:7777/", "http://localhost:7777", grant_types=None, scope=None
    ),
    "one that says all there is to say": registered(
        "com.example.app:/callback",
        client_name="App",
        grant_types=[CODE],
        response_types=["code", "none"],
        token_endpoint_auth_method="client_secret_basic",
        application_type="native",
        scope="parsers:read offline_access",
        contacts=["app@example.org"],
        logo_uri="https://example.org/logo.png",
        client_uri="https://example.org",
        policy_uri="https://example.org/policy",
        tos_uri="https://example.org/terms",
        jwks_uri="https://example.org/jwks.json",
        software_id="4NRB1-0XZABZI9E6-5SM3R",
        software_version="2.1",
        **{"client_name#de": "Programm", "x-own": {"a": [1]}},
    ),
}
