"""A real server on a real socket, and a key to it."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn.server

from docduck.catalog.models import Team
from docduck.fields import parse_fields
from docduck.mcp.authorization import Verifier
from docduck.server import idle_server
from docduck.server.app import create_app
from docduck.server.http_server import create_server
from docduck.service.accounts.keys import create_key
from docduck.service.core.installation import Installation
from docduck.service.oauth.tokens import check_access_token
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.processing import RunOptions, process_queue

_START_SECONDS = 20
_PAUSE_SECONDS = 0.01


class _ShortPauses:
    """What Uvicorn uses of ``asyncio``, with short pauses: it looks every 0.1 s whether it has stopped."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, _PAUSE_SECONDS))


# As in operation: what writes the access log runs in every test.
logging.getLogger("docduck.access").setLevel(logging.INFO)

# A server ends with two such pauses, in each of thousands of tests.
vars(uvicorn.server)["asyncio"] = _ShortPauses()
vars(idle_server)["TICK_SECONDS"] = _PAUSE_SECONDS

FIELDS = parse_fields(
    [
        {"name": "Number", "type": "text"},
        {"name": "Total", "type": "currency"},
        {
            "name": "Line Items",
            "type": "table",
            "columns": [{"name": "Description"}, {"name": "Amount", "type": "currency"}],
        },
    ]
)


class Api(httpx.Client):
    """A client of the served API with a key of all permissions; ``inst`` is what is served.

    ``api.get("/parsers")`` asks for ``/api/v1/parsers``.
    """

    def __init__(self, inst: Installation, address: str, key: str) -> None:
        super().__init__(
            base_url=f"{address}/api/v1",
            headers={"Authorization": f"Bearer {key}"},
            timeout=60,
            trust_env=False,
        )
        self.inst = inst
        self.address = address
        self.key = key

    def key_with(
        self,
        permissions: Sequence[str] | None = None,
        parser_ids: Sequence[str] | None = None,
        team_id: str | None = None,
    ) -> str:
        """A new key, of the same team unless told otherwise."""
        return create_key(self.inst, team_id or self.inst.team_id, "test", permissions, parser_ids).text

    def using(self, key: str) -> Api:
        """The same API by another key."""
        return Api(self.inst, self.address, key)

    def other_team(self) -> Api:
        """The same API for a team of strangers."""
        with self.inst.catalog.transaction() as session:
            team = Team(name="Strangers", slug=f"strangers-{time.monotonic_ns()}")
            session.add(team)
            session.flush()
            team_id = team.id
        return self.using(self.key_with(team_id=team_id))

    def parser(self, name: str = "Invoices", **settings: Any) -> str:
        """A new parser's id; keyword arguments are settings, spelled as in JSON."""
        return create_parser(
            self.inst, self.inst.team_id, NewParser(name, fields=FIELDS, settings=settings)
        ).id

    def upload(self, parser_id: str, content: bytes = b"Number: A-1\nTotal: 12.50\n", **form: Any) -> str:
        """A new document's id."""
        name = form.pop("name", "a.txt")
        answer = self.post(f"/process/{parser_id}/files", files={"file": (name, content)}, data=form)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["result"][0]["documentId"])

    def process(self, *parser_ids: str) -> None:
        """Read what is queued, as a run does."""
        process_queue(self.inst, RunOptions(idle_seconds=0))


@contextmanager
def serving(inst: Installation, verify: Verifier = check_access_token) -> Iterator[Api]:
    """Serve ``inst`` in a thread of this process; ``verify`` checks the tokens of MCP clients."""
    server = create_server(create_app(inst, verify), inst.settings.model_copy(update={"api_port": 0}))
    thread = threading.Thread(target=server.run, name="api")
    thread.start()
    try:
        begin = time.monotonic()
        while not server.started:
            assert thread.is_alive() and time.monotonic() - begin < _START_SECONDS
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        key = create_key(inst, inst.team_id, "tests").text
        with Api(inst, f"http://127.0.0.1:{port}", key) as api:
            yield api
    finally:
        server.should_exit = True
        thread.join()
