"""The MCP SDK's own client does the whole flow, with a user who is signed in."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

import httpx2
import pytest
from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

from docduck.outbound.errors import DownloadFailed
from docduck.service.oauth.tokens import check_access_token
from tests.web.oauth.dance import REDIRECT, Dance, answer


class Storage:
    """Keeps what the client is given."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@pytest.mark.parametrize(
    ("document", "query"),
    [(None, ""), ("https://zed.dev/oauth/client-metadata.json", "?toolsets=all")],
)
def test_the_sdk_connects_refreshes_and_is_disconnected(
    dance: Dance, document: str | None, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(url: str, *_: Any, **__: Any) -> None:
        raise DownloadFailed(url, "HTTP status 403")

    monkeypatch.setattr("docduck.service.oauth.client_documents.download", refused)
    asyncio.run(_connect(dance, document, dance.resource + query))


async def _connect(dance: Dance, document: str | None, address: str) -> None:
    storage = Storage()
    answers: list[dict[str, str]] = []

    async def ask_user(url: str) -> None:
        shown = await asyncio.to_thread(dance.user.get, url)
        answers.append(answer(await asyncio.to_thread(dance.decide, shown, ["parsers:read"])))

    async def answered() -> AuthorizationCodeResult:
        told = answers[-1]
        return AuthorizationCodeResult(code=told["code"], state=told["state"], iss=told["iss"])

    metadata = OAuthClientMetadata(redirect_uris=[AnyUrl(REDIRECT)], client_name="SDK")
    provider = OAuthClientProvider(
        address, metadata, storage, ask_user, answered, client_metadata_url=document
    )
    async with httpx2.AsyncClient(auth=provider, trust_env=False) as program:

        async def ask() -> str:
            """The team's name, by a tool."""
            async with Client(streamable_http_client(address, http_client=program)) as client:
                answer = await client.call_tool("list_parsers", {})
                assert not answer.is_error and answer.structured_content is not None
                return str(answer.structured_content["data"][0]["name"])

        dance.api.parser("Bills")
        assert await ask() == "Bills"
        assert storage.client is not None and storage.client.token_endpoint_auth_method == "none"
        assert document in (None, storage.client.client_id)
        first = storage.tokens
        assert first is not None and first.scope == "parsers:read"
        refused = await program.post(
            dance.resource,
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_documents"}},
            headers={"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"},
            auth=_Bearer(first.access_token),
        )
        assert refused.status_code == 403, "a scope that the user did not give"
        # The client refreshes a token that it holds for expired.
        provider.context.token_expiry_time = 1
        assert await ask() == "Bills"
        second = storage.tokens
        assert second is not None and second.refresh_token != first.refresh_token
        assert len(answers) == 1, "the user is not asked again"
        dance.client_id = storage.client.client_id
        form = {"client_id": dance.client_id, "token": second.refresh_token}
        assert dance.program.post("/oauth/revoke", data=form).status_code == 200
        assert check_access_token(dance.api.inst, second.access_token, dance.resource) is None
        assert await ask() == "Bills"
        assert len(answers) == 2, "the user is asked anew"


class _Bearer(httpx2.Auth):
    """A token as it is."""

    def __init__(self, text: str) -> None:
        self._text = text

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._text}"
        yield request
