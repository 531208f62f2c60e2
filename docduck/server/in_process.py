"""The REST API for commands on the installation's machine: in this process, without a socket and a key.

The caller of each request is the operator of the installation. Only ``InProcess`` sets it; requests over HTTP
reach another application, whose authentication knows the owners of keys alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from tempfile import SpooledTemporaryFile

import httpx
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Scope

from docduck.api.request.authentication import PREFIX
from docduck.api.request.lanes import open_lanes
from docduck.api.response.responses import handle_errors, response_for, status_of
from docduck.errors import DocduckError
from docduck.service.accounts.caller import Operator
from docduck.service.accounts.permissions import ALL
from docduck.service.core.installation import Installation

ACTOR = "cli"
"""The operator's name in the audit log and in histories."""

_ROUTERS = {
    "documents": ("documents.document_lists", "documents.team_documents", "documents.documents"),
    "export": ("webhooks.webhooks",),
    "export-layouts": ("exports",),
    "lookup-tables": ("post_processing",),
    "process": ("uploads.processing",),
    "review": ("reviews",),
    "reviewers": ("review_stages",),
    "upload-page": ("upload_page_settings",),
    "webhooks": ("webhooks.webhooks", "webhooks.team_webhooks"),
}
"""The modules with the routes of paths that have a name, where the module's name is another.

They are imported when asked for, as commands start often.
"""

_IN_MEMORY = 1024 * 1024
_CHUNK = 64 * 1024


class InProcess(httpx.BaseTransport):
    """A transport of httpx to an open installation.

    Errors for which the API has a status are responses; other exceptions are raised by the request.
    """

    def __init__(self, inst: Installation) -> None:
        self._caller = Operator(inst.team_id, ACTOR, ALL, None)
        self._loop = asyncio.Runner()
        self._app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
        self._app.state.installation = inst
        self._app.state.lanes = open_lanes(inst.settings)
        handle_errors(self._app)
        self._app.add_exception_handler(DocduckError, _answered)
        self._loaded: set[str] = set()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the response once it is complete."""
        self._load(request.url.path)
        return self._loop.run(self._respond(request))

    def close(self) -> None:
        """End the threads and the event loop."""
        for lane in self._app.state.lanes.values():
            lane.close()
        self._loop.close()

    def _load(self, path: str) -> None:
        """Add the routes of a path, if they are not there yet."""
        # Names and ids take turns in a path.
        for name in path.removeprefix(f"{PREFIX}/").split("/")[::2]:
            for module_name in _ROUTERS.get(name, (name.replace("-", "_"),)):
                self._add(f"docduck.api.routers.{module_name}")

    def _add(self, module_name: str) -> None:
        if module_name in self._loaded or find_spec(module_name) is None:
            return
        self._loaded.add(module_name)
        module = import_module(module_name)
        for name in ("router", "team_router"):
            if (router := getattr(module, name, None)) is not None:
                self._app.include_router(router, prefix=PREFIX)

    async def _respond(self, request: httpx.Request) -> httpx.Response:
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "scheme": request.url.scheme,
            "path": request.url.path,
            "raw_path": request.url.raw_path.partition(b"?")[0],
            "query_string": request.url.query,
            "server": (request.url.host, request.url.port),
            "client": None,
            "root_path": "",
            "state": {"caller": self._caller},
        }
        assert isinstance(request.stream, httpx.SyncByteStream)
        body = iter(request.stream)
        answer = _Answer()
        is_read = False

        async def receive() -> Message:
            nonlocal is_read
            if is_read:
                await answer.sent.wait()
                return {"type": "http.disconnect"}
            chunk = next(body, None)
            is_read = chunk is None
            return {"type": "http.request", "body": chunk or b"", "more_body": not is_read}

        await self._app(scope, receive, answer.send)
        return httpx.Response(answer.status, headers=answer.headers, stream=answer)


async def _answered(request: Request, error: Exception) -> Response:
    if status_of(error) == 500:
        raise error
    return response_for(error)


class _Answer(httpx.SyncByteStream):
    """A response's body, which is on disk if it is large."""

    def __init__(self) -> None:
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self.sent = asyncio.Event()
        self._body = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with the response

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], message.get("headers", [])
        elif message["type"] == "http.response.body":
            self._body.write(message.get("body", b""))
            if not message.get("more_body"):
                self.sent.set()

    def __iter__(self) -> Iterator[bytes]:
        self._body.seek(0)
        while chunk := self._body.read(_CHUNK):
            yield chunk

    def close(self) -> None:
        self._body.close()
