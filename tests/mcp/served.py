"""An MCP server on a real socket, and agents that speak to it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import httpx

from docduck.error_codes import CODES
from docduck.mcp.remedies import NEXT
from docduck.service.accounts.accounts import add_member, create_team, create_user
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.permissions import ROLES
from docduck.service.core.installation import Installation
from tests.server.served import Api, serving

CURRENT, PREVIOUS, OLDEST = "2026-07-28", "2025-11-25", "2025-06-18"
REVISIONS = (CURRENT, PREVIOUS, OLDEST)

_META = "io.modelcontextprotocol"


class Tokens:
    """A verifier that knows the tokens that it has given."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._users: dict[str, TeamUser] = {}
        self._numbers = itertools.count()
        self._clients = ExitStack()

    def http(self, address: str) -> httpx.Client:
        """A client that ``close`` closes."""
        return self._clients.enter_context(httpx.Client(base_url=address, trust_env=False, timeout=90))

    def close(self) -> None:
        """Close all clients."""
        self._clients.close()

    def __call__(self, inst: Installation, text: str, resource: str) -> TeamUser | None:
        assert resource.endswith("/mcp")
        return self._users.get(text)

    def give(
        self, role: str = "owner", team_id: str | None = None, scopes: frozenset[str] | None = None
    ) -> tuple[str, TeamUser]:
        """A token of a new user with a role, and all that it permits unless ``scopes`` are given."""
        number, team = next(self._numbers), team_id or self._inst.team_id
        user = create_user(self._inst, f"user{number}-{team}@example.org", f"User {number}")
        add_member(self._inst, team, user.id, role)
        allowed = ROLES[role] if scopes is None else ROLES[role] & scopes
        token = f"token-{number}"
        self._users[token] = TeamUser(team, user.id, allowed, None, user.id, role)
        return token, self._users[token]


def answered(answer: httpx.Response) -> Any:
    """The message that answers a request, which is the last of an event stream."""
    return messages(answer)[-1]


def messages(answer: httpx.Response) -> list[Any]:
    """All messages of an answer."""
    if answer.headers["content-type"] == "application/json":
        return [answer.json()]
    assert answer.headers["content-type"].startswith("text/event-stream")
    lines = answer.text.splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]


class CallFailed(AssertionError):
    """A tool returned an error."""


class Agent:
    """A client of the MCP server."""

    def __init__(self, api: Api, tokens: Tokens, token: str, user: TeamUser, revision: str = CURRENT) -> None:
        self.api, self.tokens, self.token, self.user = api, tokens, token, user
        self.revision = revision
        self.http = tokens.http(api.address)

    def other(self, role: str = "owner", team_id: str | None = None, **more: Any) -> Agent:
        """An agent of another user."""
        return Agent(self.api, self.tokens, *self.tokens.give(role, team_id, **more))

    def stranger(self, role: str = "owner") -> Agent:
        """An agent of another team."""
        team = create_team(self.api.inst, f"Strangers {next(self.tokens._numbers)}")
        return self.other(role, team.id)

    def post(
        self, message: Any, headers: Mapping[str, str] | None = None, address: str = "/mcp", **more: Any
    ) -> httpx.Response:
        """Send a message, with the headers that the revision wants."""
        given = {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": self.revision,
        }
        if isinstance(message, dict) and self.revision == CURRENT:
            given["Mcp-Method"] = message["method"]
            params = message.get("params", {})
            if name := params.get("name", params.get("uri")):
                given["Mcp-Name"] = name
        return self.http.post(address, json=message, headers={**given, **(headers or {})}, **more)

    def ask(self, method: str, headers: Mapping[str, str] | None = None, **params: Any) -> httpx.Response:
        """Send a request."""
        if self.revision == CURRENT:
            params["_meta"] = params.get("_meta", {}) | {
                f"{_META}/protocolVersion": CURRENT,
                f"{_META}/clientCapabilities": {},
                f"{_META}/clientInfo": {"name": "tests", "version": "1"},
            }
        return self.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, headers)

    def result(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """The result of a call, also of one that failed."""
        answer = self.ask("tools/call", name=name, arguments=arguments)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answered(answer)["result"]
        return found

    def call(self, name: str, /, **arguments: Any) -> Any:
        """The structured result of a call that succeeds."""
        result = self.result(name, **arguments)
        if result.get("isError"):
            raise CallFailed(result["content"][0]["text"].partition(f"\n{NEXT}")[0])
        shown = result["structuredContent"]
        text, *_ = result["content"]
        assert json.loads(text["text"]) == shown
        return shown

    def error(self, name: str, /, **arguments: Any) -> str:
        """The text of a call that fails, without the advice."""
        return self.whole_error(name, **arguments).partition(f"\n{NEXT}")[0]

    def whole_error(self, name: str, /, **arguments: Any) -> str:
        """The text of a call that fails."""
        result = self.result(name, **arguments)
        assert result["isError"], result
        assert result["_meta"]["docduck/code"] in CODES
        assert "structuredContent" not in result or result["structuredContent"] is None
        return str(result["content"][0]["text"])


@contextmanager
def serving_mcp(inst: Installation) -> Iterator[Agent]:
    """Serve ``inst``; the agent is an owner's."""
    tokens = Tokens(inst)
    with closing(tokens), serving(inst, tokens) as api:
        yield Agent(api, tokens, *tokens.give())
