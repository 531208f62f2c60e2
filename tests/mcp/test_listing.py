"""The list of tools: what it costs, and who is told of what."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from docduck.mcp.tools import TOOLS, TOOLSETS
from docduck.service.accounts.permissions import ALL, ROLES
from tests.mcp.served import CURRENT, Agent, answered

_ALL = {tool.name for tool in TOOLS}
_MOST_BYTES_OF_ALL, _MOST_BYTES, _MOST_BYTES_OF_ONE = 40_000, 20_500, 1_500


def listed(agent: Agent, query: str = "", **headers: str) -> dict[str, dict[str, Any]]:
    """The tools that a client is told of, by name."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    agent.revision = "2025-11-25"
    answer = agent.post(message, headers, address=f"/mcp{query}")
    assert answer.status_code == 200, answer.text
    return {tool["name"]: tool for tool in answered(answer)["result"]["tools"]}


def test_the_list_is_small(shared: Agent) -> None:
    every = listed(shared, "?toolsets=all")
    assert set(every) == _ALL
    sizes = {name: _size(tool) for name, tool in every.items()}
    assert {name: size for name, size in sizes.items() if size > _MOST_BYTES_OF_ONE} == {}
    assert sum(sizes.values()) <= _MOST_BYTES_OF_ALL
    assert sum(map(_size, listed(shared).values())) <= _MOST_BYTES


def _size(tool: Any) -> int:
    return len(json.dumps(tool, ensure_ascii=False, separators=(",", ":")).encode())


def test_nothing_is_said_twice_or_of_no_use(shared: Agent) -> None:
    text = json.dumps(listed(shared, "?toolsets=all"))
    for waste in ("outputSchema", "pattern", "maxLength", "$ref", '"title": ""', "examples"):
        assert waste not in text, waste


@pytest.mark.parametrize(
    ("query", "header", "sets"),
    [
        ("", None, ["core", "review"]),
        ("?toolsets=core", None, ["core"]),
        ("?toolsets=review,admin", None, ["review", "admin"]),
        ("?toolsets=%20Core%20,", None, ["core"]),
        ("", "admin", ["admin"]),
        ("?toolsets=core", "admin", ["core"]),
        ("?toolsets=all", None, ["core", "review", "admin"]),
    ],
)
def test_a_client_chooses_sets_of_tools(
    shared: Agent, query: str, header: str | None, sets: list[str]
) -> None:
    headers = {"X-MCP-Toolsets": header} if header else {}
    found = listed(shared, query, **headers)
    assert set(found) == {name for one in sets for name in TOOLSETS[one]} & _ALL


def test_a_set_that_does_not_exist_is_refused(shared: Agent) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    shared.revision = "2025-11-25"
    answer = shared.post(message, address="/mcp?toolsets=everything")
    assert answer.status_code == 400
    assert answer.json()["message"] == (
        "There is no toolset 'everything'. Toolsets: core, review, admin, all"
    )


def test_every_tool_is_in_one_set() -> None:
    names = [name for one in TOOLSETS.values() for name in one]
    assert sorted(names) == sorted(_ALL)


def test_a_tool_of_another_set_can_be_called(shared: Agent) -> None:
    assert "list_folders" not in TOOLSETS["core"]
    parser = shared.call("create_parser", name="Bills")["id"]
    assert shared.call("list_folders", parserId=parser)["data"] == []


@pytest.mark.parametrize("role", ROLES)
def test_what_the_role_forbids_is_not_listed(shared: Agent, role: str) -> None:
    agent = shared.other(role, scopes=ALL)
    allowed = {tool.name for tool in TOOLS if tool.permission in ROLES[role]}
    assert set(listed(agent, "?toolsets=all")) == allowed


def test_what_the_token_forbids_is_not_listed(shared: Agent) -> None:
    found = listed(shared.other(scopes=frozenset({"documents:read"})), "?toolsets=all")
    assert "get_document" in found
    assert not {"create_parser", "approve_document", "delete_documents"} & set(found)


def test_every_topic_that_is_named_is_described(shared: Agent) -> None:
    text = json.dumps(listed(shared, "?toolsets=all"))
    topics = set(re.findall(r"describe_settings\('(\w+)'\)", text))
    assert {"parser", "field", "review_stage", "document_search", "export"} <= topics
    for topic in topics:
        shown = shared.call("describe_settings", topic=topic)
        assert shown["properties"], topic
        assert len(json.dumps(shown)) < 10_000, topic
    filters = shared.call("describe_settings", topic="document_search")["properties"]["filters"]
    assert filters["items"]["properties"]["value"] == {}
    words = shared.error("describe_settings", topic="nothing")
    assert words.startswith("There is no topic 'nothing'. Topics: field, ")


def test_settings_are_one_argument(shared: Agent) -> None:
    parser = shared.call("create_parser", name="Bills", settings={"parsePages": "1-2", "retentionDays": 30})
    assert parser["settings"] == {"parsePages": "1-2", "retentionDays": 30}
    changed = shared.call("update_parser", parserId=parser["id"], settings={"retentionDays": None})
    assert changed["settings"] == {"parsePages": "1-2"}
    wrong = shared.error("update_parser", parserId=parser["id"], settings={"retentoinDays": 3})
    assert "Unknown property: retentoinDays" in wrong
    assert shared.error("create_parser", name="B", settings=[]) == "settings must be an object"
    twice = shared.error("update_parser", parserId=parser["id"], name="A", settings={"name": "B"})
    assert twice == "name is given twice: in settings and beside it"


def test_a_setting_may_be_null_where_null_clears_it(shared: Agent) -> None:
    found = listed(shared, "?toolsets=all")
    assert found["update_document"]["inputSchema"]["properties"]["folderId"]["type"] == ["string", "null"]
    assert found["process_file"]["inputSchema"]["properties"]["folderId"]["type"] == "string"


def test_the_current_revision_lists_the_same(shared: Agent) -> None:
    before = listed(shared)
    shared.revision = CURRENT
    now = answered(shared.ask("tools/list"))["result"]["tools"]
    assert {tool["name"]: tool for tool in now} == before
