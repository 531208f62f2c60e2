"""Client id metadata documents: the id of a client is the https URL of a document that describes it."""

from __future__ import annotations

import asyncio
import datetime as dt
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from docduck import clock
from docduck.errors import DocduckError, TooLarge
from docduck.outbound.download import download
from docduck.outbound.errors import DownloadFailed, UrlNotAllowed
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.resolving import Connecting
from docduck.service.core.installation import Installation
from docduck.service.oauth.client_metadata import ClientMetadata, client_metadata
from docduck.service.oauth.protocol import OAuthError, UnverifiedClient

LONGEST_URL = 1000

_MOST_BYTES = 16 * 1024
_SECONDS = 5.0
_SHORTEST, _USUAL, _LONGEST = 60, 3600, 86_400
_URL = re.compile(r"https://([A-Za-z0-9.-]+(?::[0-9]{1,5})?)(/[^?#\s\\]+)(\?[^#\s\\]*)?")
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age=\"?([0-9]{1,9})\"?(?:$|[\s,])", re.IGNORECASE)
_NOT_STORED = re.compile(r"(?:^|[\s,])no-(?:store|cache)(?:$|[\s,])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClientDocument:
    """A client's document, and until when it may be used."""

    metadata: ClientMetadata
    fresh_until: dt.datetime


def is_document_url(client_id: str) -> bool:
    """Return whether a client id is the URL of a document: https with a path, without dot segments."""
    match = _URL.fullmatch(client_id)
    if match is None or len(client_id) > LONGEST_URL or not client_id.isascii():
        return False
    return not {".", ".."}.intersection(match[2].split("/"))


def host_of_document(client_id: str) -> str:
    """Return the host that a document's URL names."""
    match = _URL.fullmatch(client_id)
    assert match is not None
    return match[1]


def fetch_document(inst: Installation, client_id: str, connecting: Connecting) -> ClientDocument:
    """Return the document of a client, fetched from a public address; raise UnverifiedClient.

    Where it can't be fetched, well-known clients are known nevertheless.
    """
    try:
        return _fetched(inst, client_id, connecting)
    except UnverifiedClient:
        if (known := KNOWN_CLIENTS.get(client_id)) is None:
            raise
        return ClientDocument(known, clock.now() + dt.timedelta(seconds=_USUAL))


def _fetched(inst: Installation, client_id: str, connecting: Connecting) -> ClientDocument:
    policy = replace(
        OutboundPolicy.for_downloads(inst.settings),
        max_bytes=_MOST_BYTES,
        max_redirects=0,
        seconds=_SECONDS,
    )
    body = io.BytesIO()
    try:
        response = asyncio.run(download(client_id, body, policy, connecting=connecting))
    except (UrlNotAllowed, DownloadFailed, TooLarge) as error:
        raise _unusable(client_id, error) from error
    if response.content_type != "application/json" and not response.content_type.endswith("+json"):
        raise _unusable(client_id, OAuthError("", "its Content-Type is not application/json"))
    try:
        metadata = _checked(client_id, body.getvalue())
    except OAuthError as error:
        raise _unusable(client_id, error) from error
    return ClientDocument(metadata, clock.now() + dt.timedelta(seconds=_kept_seconds(response.cache_control)))


def _checked(client_id: str, body: bytes) -> ClientMetadata:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise OAuthError("", "it is no JSON") from error
    if not isinstance(document, dict) or document.get("client_id") != client_id:
        raise OAuthError("", "its client_id is not its URL")
    if "client_secret" in document or not _may_be_public(document):
        raise OAuthError("", "it asks for a client secret or a key, but clients are public here")
    return client_metadata(document, host_of_document(client_id))


def _may_be_public(document: Mapping[str, Any]) -> bool:
    """Return whether a client can do without a secret or key; ChatGPT prefers a key, but lists ``none``."""
    others = document.get("token_endpoint_auth_methods_supported", [])
    methods = [
        document.get("token_endpoint_auth_method", "none"),
        *(others if isinstance(others, list) else []),
    ]
    return "none" in methods


def _kept_seconds(cache_control: str) -> int:
    if _NOT_STORED.search(cache_control):
        return _SHORTEST
    match = _MAX_AGE.search(cache_control)
    return min(_LONGEST, max(_SHORTEST, int(match[1]))) if match else _USUAL


def _unusable(client_id: str, error: DocduckError) -> UnverifiedClient:
    return UnverifiedClient(f"The client's description at {client_id} can't be used: {error.message}")


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
