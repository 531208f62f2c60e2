"""``POST /mcp``: admits requests with an access token, within limits of rate, number and size."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docduck.api.request.body import LARGE_BYTES, parse_body, read_limited
from docduck.api.request.current_caller import base_url_of
from docduck.api.request.key_limits import KeyShares, rate_exceeded, with_rate
from docduck.api.request.lane import Lane
from docduck.api.request.lanes import lane_of
from docduck.api.response.responses import request_id, response_for
from docduck.errors import DocduckError, Forbidden, InputError
from docduck.hosts import is_own_host, is_own_origin
from docduck.mcp import authorization
from docduck.mcp.authorization import Verifier
from docduck.mcp.on_demand import OnDemand
from docduck.mcp.sent_files import most_encoded_bytes
from docduck.service.accounts.caller import TeamUser
from docduck.service.core.installation import Installation
from docduck.service.oauth import protocol
from docduck.service.requests.rate_limits import RateLimit, count_request

if TYPE_CHECKING:
    from docduck.mcp.server import ToolServer

TEAM_THREADS = 4
WAIT_SECONDS = 15
"""How long a tool call waits for its turn."""

_FURTHER_BYTES = 1024 * 1024
"""Of a message, beside a file in it."""

_PARSE_ERROR = -32700


class McpEndpoint:
    """The MCP server of an installation, as an ASGI application."""

    def __init__(self, inst: Installation, verify: Verifier) -> None:
        self._inst, self._verify = inst, verify
        self._most_bytes = most_encoded_bytes() + _FURTHER_BYTES
        self._shares = KeyShares()
        self._server = OnDemand(self._made)

    def _made(self) -> ToolServer:
        # Imported late: the SDK weighs more than all pages.
        from docduck.mcp.server import ToolServer
        from docduck.mcp.tools import TOOLS

        limits = self._inst.settings
        lane = Lane("tool calls", limits.mcp_threads, TEAM_THREADS, WAIT_SECONDS)
        return ToolServer(TOOLS, lane, self._most_bytes)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Respond to requests while the block runs."""
        return self._server.running()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Whitespace around a value is no part of it (RFC 9110, 5.5); the SDK compares values as they are.
        scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        request = Request(scope, receive)
        try:
            respond = await self._admitted(request)
        except Exception as error:
            respond = response_for(error, request_id(request))
        await respond(scope, receive, send)

    async def _admitted(self, request: Request) -> ASGIApp:
        """Return the application that responds to a request: the server, or a refusal."""
        _check_host(request, self._inst)
        base_url, number = base_url_of(request), request_id(request)
        text = authorization.token_of(request.headers.get("authorization"))
        admitted = await run_in_threadpool(self._admit, text, f"{base_url}{protocol.PATH}")
        if admitted is None:
            return authorization.unauthorized(base_url, text, number)
        caller, rate = admitted

        async def respond(scope: Scope, receive: Receive, send: Send) -> None:
            send = with_rate(send, rate)
            if rate is not None and not rate.allowed:
                scope["state"]["rate_limited"] = True
                await rate_exceeded(rate, number)(scope, receive, send)
                return
            try:
                with self._shares.request(authorization.counter_of(caller)):
                    async with self._message(request, caller) as (body, message):
                        handler = self._handler(request, caller, message, await self._server.get())
                        await handler(scope, _replayed(body, receive), send)
            except DocduckError as error:
                await response_for(error, number)(scope, receive, send)

        return respond

    def _admit(self, text: str | None, resource: str) -> tuple[TeamUser, RateLimit | None] | None:
        caller = None if text is None else self._verify(self._inst, text, resource)
        if caller is None:
            return None
        return caller, count_request(self._inst, authorization.counter_of(caller))

    @asynccontextmanager
    async def _message(self, request: Request, caller: TeamUser) -> AsyncIterator[tuple[bytes, Any]]:
        """Read and parse the body; a large one holds its turn in the lane of large requests."""
        announced = request.headers.get("content-length", "")
        is_small = announced.isdecimal() and int(announced) <= LARGE_BYTES
        turn = nullcontext() if is_small else lane_of(request, "large_requests").turn(caller.team_id)
        async with turn:
            body = await read_limited(request, self._most_bytes)
            try:
                message = await parse_body(body)
            except InputError as error:
                message = error
            yield body, message

    def _handler(self, request: Request, caller: TeamUser, message: Any, server: ToolServer) -> ASGIApp:
        if isinstance(message, InputError):
            # Not the REST API's body: clients expect an error of JSON-RPC.
            problem = {"code": _PARSE_ERROR, "message": message.message}
            return JSONResponse({"jsonrpc": "2.0", "id": None, "error": problem}, 400)
        permission = server.permission(message)
        if permission is not None and authorization.lacks_scope(caller, permission):
            return authorization.insufficient_scope(
                base_url_of(request), caller, permission, request_id(request)
            )
        request.scope["state"]["caller"] = caller
        return server.handler(request, message)


class McpRoute:
    """Passes requests to the MCP server of their application."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await scope["app"].state.mcp(scope, receive, send)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that yields a body that was read, then what comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed


def _check_host(request: Request, inst: Installation) -> None:
    """Raise Forbidden for a host that is not this server's, and for pages of other sites."""
    settings = inst.settings
    own = (*(settings.trusted_hosts or ()), urlsplit(settings.base_url or "").netloc)
    if not is_own_host(request.headers.get("host", ""), own):
        raise Forbidden(
            "This server is not known by the name in the Host header: its operator must set DOCDUCK_BASE_URL"
        )
    origin = request.headers.get("origin")
    allowed = settings.cors_allowed_origins or ()
    if origin is None or origin in allowed or "*" in allowed:
        return
    if not is_own_origin(origin, own):
        raise Forbidden("Requests from pages of other sites are not allowed")
