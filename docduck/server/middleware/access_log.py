"""The access log, and the headers that every response has."""

from __future__ import annotations

import logging
import re
import time
from typing import Any

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docduck import clock
from docduck.ids import new_id
from docduck.service.accounts.caller import KeyOwner, TeamUser

API_VERSION = "1"
_PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
_ALIAS, _PREFIX = "/v1", "/api/v1"
_log = logging.getLogger("docduck.access")
_LINKS = ("/upload/", "/uploads/", "/first-user/", "/invitations/", "/password-reset/")
"""Below them, paths hold the secrets of links."""
_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestLog:
    """Sets the id of each request (the client's, if its X-Request-Id is valid) and logs it as JSON.

    The line has no query, header, body or secret of a link. ``/v1`` becomes ``/api/v1`` here.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client_id = Headers(scope=scope).get("x-request-id", "")
        request_id = client_id if _GIVEN_ID.fullmatch(client_id) else new_id()
        state = scope.setdefault("state", {})
        state["request_id"] = request_id
        if scope["path"] == _ALIAS or scope["path"].startswith(f"{_ALIAS}/"):
            scope["path"] = f"{_PREFIX}{scope['path'].removeprefix(_ALIAS)}"
            scope["raw_path"] = None
        begin = time.perf_counter()
        sent: dict[str, Any] = {"status": 0, "bytes": 0}

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent["status"] = message["status"]
                MutableHeaders(scope=message).update(common_headers(request_id))
            elif message["type"] == "http.response.body":
                sent["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        finally:
            # Monitors send requests every other second; only failures are logged.
            level = logging.DEBUG if scope["path"] in _PROBES and sent["status"] == 200 else logging.INFO
            if _log.isEnabledFor(level):
                caller = state.get("caller")
                log_request(
                    request_id,
                    sent["status"],
                    sent["bytes"],
                    level=level,
                    method=scope["method"],
                    path=_logged_path(scope["path"]),
                    route=getattr(scope.get("route"), "path", None),
                    ms=round((time.perf_counter() - begin) * 1000, 1),
                    key=caller.prefix if isinstance(caller, KeyOwner) else None,
                    user=caller.user_id if isinstance(caller, TeamUser) else None,
                    team=caller.team_id if caller else None,
                    client=(scope.get("client") or [None])[0],
                )


def _logged_path(path: str) -> str:
    return next((f"{start}…" for start in _LINKS if path.startswith(start)), path)


def common_headers(request_id: str) -> dict[str, str]:
    """Return the headers that every response has."""
    return {
        "X-Request-Id": request_id,
        "X-API-Version": API_VERSION,
        "X-Content-Type-Options": "nosniff",
    }


def log_request(
    request_id: str, status: int, size: int, *, level: int = logging.INFO, **facts: str | float | None
) -> None:
    """Write a line of the access log; ``size`` is that of the response's body in bytes."""
    line = {"at": clock.iso(clock.now()), "request": request_id, "status": status, "bytes": size, **facts}
    _log.log(level, "%s", msgspec.json.encode(line).decode("utf-8", "replace"))
