"""The protocol: revisions, listing, calls, errors."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from docduck.mcp.sent_files import MAX_FILES_BYTES
from docduck.mcp.server import INSTRUCTIONS
from docduck.mcp.tools import TOOLS, TOOLSETS
from tests.mcp.served import CURRENT, OLDEST, PREVIOUS, REVISIONS, Agent, answered
from tests.waiting import wait_for

_NAMES = [tool.name for tool in TOOLS if tool.name in TOOLSETS["core"] | TOOLSETS["review"]]


async def _session(agent: Agent, mode: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {agent.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False) as http,
        Client(streamable_http_client(f"{agent.api.address}/mcp", http_client=http), mode=mode) as client,
    ):
        listed = await client.list_tools()
        made = await client.call_tool("create_parser", {"name": "Bills", "templateKey": "invoice"})
        wrong = await client.call_tool("get_parser", {"parserId": "nothing"})
        return {
            "names": [tool.name for tool in listed.tools],
            "made": made.structured_content,
            "wrong": (wrong.is_error, wrong.content[0].text),  # type: ignore[union-attr]
            "instructions": client.instructions,
            "revision": client.protocol_version,
        }


@pytest.mark.parametrize(("mode", "revision"), [("auto", CURRENT), (CURRENT, CURRENT), ("legacy", PREVIOUS)])
def test_the_sdks_client_lists_and_calls(shared: Agent, mode: str, revision: str) -> None:
    found = asyncio.run(_session(shared, mode))
    assert found["names"] == _NAMES
    assert found["made"]["name"] == "Bills"
    assert found["wrong"] == (True, "Invalid parserId")
    assert found["revision"] == revision
    if mode != CURRENT:
        assert found["instructions"] == INSTRUCTIONS


@pytest.mark.parametrize("revision", REVISIONS)
def test_each_revision_lists_and_calls(shared: Agent, revision: str) -> None:
    shared.revision = revision
    listed = answered(shared.ask("tools/list"))["result"]["tools"]
    assert [tool["name"] for tool in listed] == _NAMES
    text = shared.result("create_parser", name="Größe")["content"][0]["text"]
    assert json.loads(text)["name"] == "Größe" and "Größe" in text
    assert shared.error("get_parser", parserId="nothing") == "Invalid parserId"


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("accept", ["application/json", "*/*", "application/json;q=0.9, */*;q=0.1", ""])
def test_clients_that_ask_for_no_events_get_json(shared: Agent, revision: str, accept: str) -> None:
    shared.revision = revision
    params = {"name": "get_team", "arguments": {}, "_meta": {"progressToken": "mine"}}
    headers = {"Accept": accept}
    for answer in (shared.ask("tools/list", headers), shared.ask("tools/call", headers, **params)):
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
        assert answer.json()["result"]


@pytest.mark.parametrize("revision", REVISIONS)
def test_events_come_only_to_who_asks_for_progress(shared: Agent, revision: str) -> None:
    shared.revision = revision
    call: dict[str, Any] = {"name": "get_team", "arguments": {}}
    for answer in (shared.ask("tools/list"), shared.ask("tools/call", **call)):
        assert answer.headers["content-type"] == "application/json"
    if revision == PREVIOUS:
        watched = shared.ask("tools/call", **call, _meta={"progressToken": 0})
        assert watched.headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize("revision", [PREVIOUS, OLDEST])
def test_older_revisions_are_negotiated(shared: Agent, revision: str) -> None:
    shared.revision = revision
    asked: dict[str, Any] = {
        "protocolVersion": revision,
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    result = answered(shared.ask("initialize", **asked))["result"]
    assert result["protocolVersion"] == revision
    assert result["instructions"] == INSTRUCTIONS
    assert {"tools", "resources", "prompts"} <= result["capabilities"].keys()
    assert shared.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).status_code == 202


def test_an_unknown_revision_is_refused(shared: Agent) -> None:
    shared.revision = "2031-01-01"
    assert shared.ask("tools/list").status_code == 400


def test_tools_say_what_they_do(shared: Agent) -> None:
    listed = {tool["name"]: tool for tool in answered(shared.ask("tools/list"))["result"]["tools"]}
    for name in ("get_parser", "suggest_fields"):
        assert listed[name]["annotations"]["readOnlyHint"] is True
    assert listed["delete_documents"]["annotations"]["destructiveHint"] is True
    assert listed["create_parser"]["annotations"]["destructiveHint"] is False
    assert listed["process_urls"]["annotations"]["openWorldHint"] is True
    for tool in listed.values():
        assert tool["inputSchema"]["additionalProperties"] is False, tool["name"]
        assert 20 < len(tool["description"]) <= 300, tool["name"]
        assert tool["title"]


def test_other_methods_are_not_allowed(shared: Agent) -> None:
    for method in ("GET", "DELETE", "PUT"):
        answer = shared.http.request(method, "/mcp", headers={"Authorization": f"Bearer {shared.token}"})
        assert answer.status_code == 405
        assert answer.headers["allow"] == "POST"


def test_unknown_tools_and_methods_are_errors_of_the_protocol(shared: Agent) -> None:
    answer = answered(shared.ask("tools/call", name="drop_tables", arguments={}))
    assert answer["error"]["code"] == -32602
    assert answer["error"]["message"] == "Unknown tool: drop_tables"
    assert answered(shared.ask("nothing/list"))["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "it ends too early"),
        (b'{"a": 1, "a": 2}', "given twice"),
        (b'{"a": "\\u0000"}', "NUL character"),
        (b"[" * 100 + b"]" * 100, "nested too deeply"),
    ],
)
def test_what_is_not_strict_json_is_refused(shared: Agent, body: bytes, words: str) -> None:
    headers = {"Authorization": f"Bearer {shared.token}", "Content-Type": "application/json"}
    answer = shared.http.post("/mcp", content=body, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == -32700
    assert words in answer.json()["error"]["message"]


def test_a_defect_is_logged_and_not_shown(shared: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("docduck.mcp.tools.team.find_team", broken)
    assert shared.error("get_team") == "Internal server error"


def test_the_access_log_names_the_user_and_no_token(shared: Agent, caplog: pytest.LogCaptureFixture) -> None:
    team = shared.call("get_team")
    shared.call("list_parsers")
    wait_for(lambda: sum(one.name == "docduck.access" for one in caplog.records) >= 2, 10)
    lines = [json.loads(one.message) for one in caplog.records if one.name == "docduck.access"]
    assert {(line["path"], line["status"], line["user"], line["key"]) for line in lines} == {
        ("/mcp", 200, team["userId"], None)
    }
    assert shared.token not in caplog.text
    assert all(one.levelno < logging.ERROR for one in caplog.records)


def test_bodies_are_bounded(shared: Agent) -> None:
    most = MAX_FILES_BYTES * 3 // 2 + 4 + 1024 * 1024
    headers = {"Authorization": f"Bearer {shared.token}", "Content-Type": "application/json"}
    answer = shared.http.post("/mcp", content=b" " * (most + 1), headers=headers)
    assert answer.status_code == 413
