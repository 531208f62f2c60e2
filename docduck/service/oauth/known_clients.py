"""The metadata documents of well-known clients, for servers that can't fetch them.

A server may have no way to the internet, and some hosts of documents refuse to answer data centres. Only
their redirect URIs matter for security: codes are sent to their makers' websites, or to the user's machine.
"""

from __future__ import annotations

from collections.abc import Mapping

from docduck.service.oauth.client_metadata import ClientMetadata

_CALLBACK = ("http://localhost/callback", "http://127.0.0.1/callback")

KNOWN_CLIENTS: Mapping[str, ClientMetadata] = {
    "https://claude.ai/oauth/mcp-oauth-client-metadata": ClientMetadata(
        "Claude", ("https://claude.ai/api/mcp/auth_callback",)
    ),
    "https://claude.ai/oauth/claude-code-client-metadata": ClientMetadata("Claude Code", _CALLBACK),
    "https://chatgpt.com/oauth/client.json": ClientMetadata(
        "ChatGPT", ("https://chatgpt.com/connector_platform_oauth_redirect",)
    ),
    "https://chatgpt.com/oauth/codex/client.json": ClientMetadata("Codex", _CALLBACK),
    "https://vscode.dev/oauth/client-metadata.json": ClientMetadata(
        "Visual Studio Code", ("http://127.0.0.1:33418/", "https://vscode.dev/redirect")
    ),
    "https://zed.dev/oauth/client-metadata.json": ClientMetadata("Zed", ("http://127.0.0.1/callback",)),
    "https://goose-docs.ai/oauth/client-metadata.json": ClientMetadata(
        "goose", ("http://127.0.0.1/oauth_callback", "http://localhost/oauth_callback")
    ),
}
