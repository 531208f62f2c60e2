"""A server that answers as a test tells it, over a real socket, and both clients of it."""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from docduck.client import AsyncClient, Client

KEY = "docduck_" + "k" * 43


class Seen:
    """A request as it arrived."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        self.method = handler.command
        self.path, _, self.query = handler.path.partition("?")
        self.headers = {name.lower(): value for name, value in handler.headers.items()}
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Reply:
    """What to answer; ``hang_up`` closes the connection instead."""

    def __init__(
        self,
        status: int = 200,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        *,
        hang_up: bool = False,
    ) -> None:
        self.status = status
        self.body = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
        self.headers = headers or {}
        self.hang_up = hang_up


class Server:
    """Gives the ``replies`` in turn, the last one again and again, and keeps what it ``seen``."""

    def __init__(self) -> None:
        self.replies: list[Reply | Callable[[Seen], Reply]] = [Reply()]
        self.seen: list[Seen] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                request = Seen(self, self._body())
                outer.seen.append(request)
                reply = outer.replies.pop(0) if len(outer.replies) > 1 else outer.replies[0]
                if not isinstance(reply, Reply):
                    reply = reply(request)
                if reply.hang_up:
                    self.close_connection = True
                    self.connection.shutdown(2)
                    return
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            def _body(self) -> bytes:
                if "chunked" not in self.headers.get("Transfer-Encoding", ""):
                    return self.rfile.read(int(self.headers.get("Content-Length", 0)))
                body = b""
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, *replies: Reply | Callable[[Seen], Reply]) -> None:
        self.replies = list(replies)
        self.seen = []

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Caller:
    """Calls either client the same way: ``call(lambda api: api.parsers.get(id))`` gives the result."""

    def __init__(self, kind: str, address: str, key: str) -> None:
        self.kind = kind
        self._address, self._key = address, key

    def __call__(self, what: Callable[[Any], Any], **options: Any) -> Any:
        options = {"base_url": self._address, "key": self._key, **options}
        if self.kind == "sync":
            with Client(**options) as client:
                found = what(client)
                return list(found) if inspect.isgenerator(found) else found

        async def run() -> Any:
            async with AsyncClient(**options) as client:
                found = what(client)
                return [row async for row in found] if inspect.isasyncgen(found) else await found

        return asyncio.run(run())


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture(params=["sync", "async"])
def call(request: pytest.FixtureRequest, server: Server, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Both clients of ``server``; proxies of the environment stay out of it."""
    for name in ("DOCDUCK_SERVER", "DOCDUCK_KEY", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return Caller(request.param, server.address, KEY)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that the clients would have made; they make none."""
    made: list[float] = []

    async def pause(seconds: float) -> None:
        made.append(seconds)

    monkeypatch.setattr("docduck.client.sync.time.sleep", made.append)
    monkeypatch.setattr("docduck.client.asynchronous.anyio.sleep", pause)
    return made
