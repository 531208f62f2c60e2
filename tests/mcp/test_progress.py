"""Calls that take long tell their progress to clients that ask for it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.mcp.served import PREVIOUS, REVISIONS, Agent, messages
from tests.mcp.world import TEXT, send


def watched(agent: Agent, name: str, **arguments: Any) -> tuple[list[dict[str, Any]], Any]:
    """The progress that a call told, and its result."""
    answer = agent.ask("tools/call", name=name, arguments=arguments, _meta={"progressToken": "mine"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    *told, last = messages(answer)
    assert {one["method"] for one in told} == {"notifications/progress"}
    assert {one["params"].pop("progressToken") for one in told} == {"mine"}
    return [one["params"] for one in told], last["result"]["structuredContent"]


@pytest.mark.parametrize("revision", REVISIONS)
def test_waiting_tells_how_long(shared: Agent, revision: str) -> None:
    shared.revision = revision
    parser = shared.call("create_parser", name="Bills", fields=[{"name": "Number"}])["id"]
    document = send(shared, parser, TEXT, "a.txt")
    told, result = watched(shared, "wait_for_document", parserId=parser, documentId=document, waitSeconds=2.5)
    assert [one["total"] for one in told] == [2.5] * len(told)
    done = [one["progress"] for one in told]
    # A busy machine may miss one of the two.
    assert done and done == sorted(done) and done[0] >= 0 and done[-1] <= 2.5
    assert {one["message"] for one in told} == {"0 of 1 documents are read"}
    assert result["status"] == "processing"


def test_a_file_that_is_waited_for(shared: Agent) -> None:
    parser = shared.call("create_parser", name="Bills", fields=[{"name": "Number"}])["id"]
    content = {"fileName": "a.txt", "contentBase64": "TnVtYmVyOiAx"}
    told, result = watched(shared, "process_file", parserId=parser, waitSeconds=0.5, **content)
    assert len(told) == 1 and 0 < told[0]["total"] <= 0.5
    assert result["result"][0]["status"] == "processing"


def test_evaluation_tells_how_many_documents_are_read(shared: Agent) -> None:
    parser = shared.call("create_parser", name="Bills", fields=[{"name": "Number"}])["id"]
    documents = [send(shared, parser, TEXT, f"{number}.txt") for number in range(3)]
    shared.api.process()
    for one in documents:
        shared.call("update_document_data", parserId=parser, documentId=one, data={"Number": "A-2"})
    told, result = watched(shared, "evaluate_parser", parserId=parser)
    done = [one["progress"] for one in told]
    assert done == list(range(1, len(done) + 1)) and 2 <= len(done) <= 3
    assert told[0]["message"] == "1 of 3 documents are read"
    assert result["documents"] == 3


def test_without_a_token_the_answer_is_one_message(shared: Agent) -> None:
    parser = shared.call("create_parser", name="Bills", fields=[{"name": "Number"}])["id"]
    document = send(shared, parser, TEXT, "a.txt")
    arguments = {"parserId": parser, "documentId": document, "waitSeconds": 0.5}
    answer = shared.ask("tools/call", name="wait_for_document", arguments=arguments)
    assert answer.headers["content-type"] == "application/json"
    shared.revision = PREVIOUS
    answer = shared.ask("tools/call", name="wait_for_document", arguments=arguments)
    assert answer.headers["content-type"] == "application/json"


def test_clients_that_go_away_hold_nobody_up(shared: Agent) -> None:
    parser = shared.call("create_parser", name="Bills", fields=[{"name": "Number"}])["id"]
    document = send(shared, parser, TEXT, "a.txt")
    arguments = {"parserId": parser, "documentId": document, "waitSeconds": 30}
    for _ in range(3):
        params = {"name": "wait_for_document", "arguments": arguments, "_meta": {"progressToken": 1}}
        shared.revision = PREVIOUS
        with shared.http.stream(
            "POST",
            "/mcp",
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
            headers={
                "Authorization": f"Bearer {shared.token}",
                "Accept": "application/json, text/event-stream",
                "MCP-Protocol-Version": PREVIOUS,
            },
        ) as answer:
            assert next(answer.iter_lines()).startswith("event:")
    begin = time.monotonic()
    assert shared.call("get_team")["id"]
    assert time.monotonic() - begin < 20
    # The server ends when nothing waits for the document any more.
    assert shared.api.delete(f"/parsers/{parser}/documents/{document}").is_success
