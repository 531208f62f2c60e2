"""Every tool: what it returns, and who may call it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from docduck.mcp.tools import TOOLS
from docduck.service.accounts.permissions import ALL, ROLES
from tests.mcp.served import Agent, CallFailed
from tests.mcp.world import ARGUMENTS, OF_THE_TEAM, REFUSED, World, make_world, send

_BY_NAME = {tool.name: tool for tool in TOOLS}
_REST = {
    "get_parser": "/parsers/{parser}",
    "list_parsers": "/parsers?q=bill&limit=5",
    "list_fields": "/parsers/{parser}/fields",
    "get_document": "/parsers/{parser}/documents/{document}",
    "explain_value": "/parsers/{parser}/documents/{document}/explanation?field=Number",
    "get_document_data": "/process/{parser}/files/data?documentId={document}",
    "wait_for_document": "/process/{parser}/files/data?documentId={document}",
    "list_documents": "/parsers/{parser}/documents?status=in_review",
    "list_review_stages": "/parsers/{parser}/review-stages",
    "list_reviewers": "/parsers/{parser}/reviewers",
    "list_folders": "/parsers/{parser}/folders",
    "list_classifiers": "/classifiers",
    "get_classifier": "/classifiers/{classifier}",
    "list_classifier_documents": "/classifiers/{classifier}/documents",
    "list_lessons": "/parsers/{parser}/lessons",
    "list_webhooks": "/parsers/{parser}/webhooks",
    "list_webhook_deliveries": "/parsers/{parser}/webhooks/{webhook}/deliveries",
}
_LINKS = ("url", "thumbnail", "markdownUrl")


def test_every_tool_is_tried() -> None:
    assert set(ARGUMENTS) == set(_BY_NAME)
    for tool in TOOLS:
        Draft202012Validator.check_schema(tool.input_schema)


def test_every_tool_works(agent: Agent) -> None:
    world = make_world(agent)
    for name, arguments in ARGUMENTS.items():
        given = arguments(world)
        Draft202012Validator(_BY_NAME[name].input_schema).validate(given)
        if name in REFUSED:
            assert agent.error(name, **given) == REFUSED[name]
        else:
            assert agent.call(name, **given) is not None, name


def test_results_are_parts_of_the_rest_api_s(agent: Agent) -> None:
    world = make_world(agent)
    for name, path in _REST.items():
        shown = agent.call(name, **ARGUMENTS[name](world))
        answer = agent.api.get(path.format(**vars(world)))
        assert answer.status_code == 200, path
        assert_part(_without_signatures(shown), _without_signatures(_flat(answer.json())), name)


def assert_part(part: Any, whole: Any, place: str) -> None:
    """Everything that is shown is what the REST API has there."""
    if isinstance(part, dict):
        for key, value in part.items():
            assert key in whole, (place, key)
            assert_part(value, whole[key], f"{place}.{key}")
    elif isinstance(part, list):
        assert len(part) <= len(whole), place
        for number, (one, other) in enumerate(zip(part, whole, strict=False)):
            assert_part(one, other, f"{place}.{number}")
    else:
        assert part == whole, place


def _flat(document: Any) -> Any:
    """A document of which values and metadata alone were asked for has its name and status in these."""
    metadata = document.get("metadata", {})
    return {**{key: metadata[key] for key in ("name", "status") if key in metadata}, **document}


def test_no_tool_reaches_another_team(agent: Agent) -> None:
    world, stranger = make_world(agent), agent.stranger()
    before = _everything(agent, world)
    for name, arguments in ARGUMENTS.items():
        given = arguments(world)
        result = stranger.result(name, **given)
        shown = json.dumps(result.get("structuredContent"))
        if name in OF_THE_TEAM:
            assert not result.get("isError"), name
        else:
            assert result["isError"], name
            text = result["content"][0]["text"]
            assert "not found" in text or text == REFUSED.get(name), (name, text)
        known = set(vars(world).values()) - set(map(str, given.values()))
        assert not any(one in shown for one in known), name
    assert _everything(agent, world) == before


@pytest.mark.parametrize(
    "role", [pytest.param(role, marks=() if role == "reviewer" else pytest.mark.extended) for role in ROLES]
)
def test_every_tool_asks_for_its_permission(lite: Agent, role: str) -> None:
    world = make_world(lite)
    caller = lite.other(role, scopes=ALL)
    for name, arguments in ARGUMENTS.items():
        allowed = _BY_NAME[name].permission in ROLES[role]
        try:
            text = str(caller.call(name, **arguments(world)))
        except CallFailed as error:
            text = str(error)
        assert (text == "Access denied") is not allowed, (role, name, text)


def test_a_scope_that_was_not_given_is_asked_for(lite: Agent) -> None:
    world = make_world(lite)
    for name, arguments in ARGUMENTS.items():
        without = lite.other(scopes=ALL - {_BY_NAME[name].permission})
        answer = without.ask("tools/call", name=name, arguments=arguments(world))
        assert answer.status_code == 403, name
        assert _BY_NAME[name].permission in answer.headers["www-authenticate"]


def test_exports_show_their_first_rows(agent: Agent) -> None:
    fields = [{"name": "Number"}, {"name": "Items", "type": "table", "columns": [{"name": "Note"}]}]
    parser = agent.call("create_parser", name="Bills", fields=fields)["id"]
    for number in range(3):
        send(agent, parser, f"Number: A-{number}\n".encode(), f"{number}.txt")
    agent.api.process()
    ids = [one["id"] for one in agent.call("list_documents", parserId=parser, sort="createdAt.asc")["data"]]
    for one in ids:
        items = [{"Note": f"note {row}"} for row in range(30)]
        agent.call("update_document_data", parserId=parser, documentId=one, data={"Items": items})
    shown = agent.call("export_documents", parserId=parser, format="xlsx")
    assert (shown["rowCount"], shown["hasMoreRows"]) == (93, True)
    assert [(sheet["name"], len(sheet["rows"])) for sheet in shown["sheets"]] == [
        ("Fields", 2),
        ("Items", 48),
    ]
    assert shown["sheets"][1]["columns"][-2:] == ["row_number", "Note"]
    assert shown["sheets"][1]["rows"][0][-2:] == [1, "note 0"]
    layout = {"name": "L", "scope": "fields_only", "columns": [{"field": "Number", "header": "No"}]}
    made = agent.api.post(f"/parsers/{parser}/export-layouts", json=layout).json()
    shown = agent.call("export_documents", parserId=parser, layoutId=made["id"])
    assert [(one["columns"], one["rows"]) for one in shown["sheets"]] == [
        (["No"], [["A-0"], ["A-1"], ["A-2"]])
    ]
    assert shown["hasMoreRows"] is False


def test_a_reviewer_finds_the_parsers(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    made = {name: agent.call("create_parser", name=name)["id"] for name in ("orders", "Bills", "Mail")}
    reviewer = agent.other("reviewer")
    assert reviewer.error("list_parsers") == "Access denied"
    found = reviewer.call("get_team")
    assert found["parsers"] == [{"id": made[name], "name": name} for name in ("Bills", "Mail", "orders")]
    assert found["parserCount"] == 3
    assert reviewer.call("list_documents", parserId=found["parsers"][0]["id"])["data"] == []
    assert agent.stranger("reviewer").call("get_team")["parsers"] == []
    monkeypatch.setattr("docduck.mcp.tools.team._MOST_PARSERS", 2)
    found = reviewer.call("get_team")
    assert ([one["name"] for one in found["parsers"]], found["parserCount"]) == (["Bills", "Mail"], 3)


def test_wrong_arguments_are_all_named(lite: Agent) -> None:
    text = lite.error("list_documents", parserId="x", limit=1000, colour="red")
    assert "limit" in text and "colour" in text
    assert "parserId" in lite.error("get_parser")
    assert "Unknown property: nmae" in lite.error("create_parser", name="A", nmae="B")
    assert lite.error("get_parser", parserId="a\x7f") == "Invalid parserId"


def test_errors_name_what_is_missing(lite: Agent) -> None:
    nothing = "00000000-0000-7000-8000-000000000000"
    assert lite.error("get_parser", parserId=nothing) == f"Parser not found\nparserId {nothing}"


def test_no_tool_returns_a_secret(lite: Agent) -> None:
    parser = lite.call("create_parser", name="Bills")["id"]
    made = lite.call(
        "create_webhook", parserId=parser, url="https://hooks.example.com/a", headers={"Authorization": "abc"}
    )
    assert "secret" not in made
    assert made["headers"] == {"Authorization": "***"}
    tried = lite.call("test_webhook", parserId=parser, webhookId=made["id"])
    assert tried["success"] is False and tried["error"]
    of_all = lite.call("create_webhook", url="https://hooks.example.com/b")["id"]
    assert [one["id"] for one in lite.call("list_webhooks")["data"]] == [of_all]
    assert lite.call("list_webhook_deliveries", webhookId=of_all)["data"] == []
    assert lite.call("delete_webhook", webhookId=of_all)["success"]
    assert "whsec_" not in json.dumps([tried, lite.call("list_webhooks", parserId=parser)])


def test_reviews_are_the_signed_in_user_s(lite: Agent) -> None:
    world = make_world(lite)
    named = {"parserId": world.parser, "documentId": world.document}
    other = lite.other("reviewer")
    only = "Only the assigned reviewer can act on this stage"
    assert other.error("approve_document", **named) == only
    assert "reviewerId" in lite.error("approve_document", **named, reviewerId=world.reviewer)
    assert lite.other("member").error("update_document_data", **named, data={"Total": 1}) == only
    lite.call("confirm_document", **named)
    number = lite.call("get_document", **named, detail="full")["metadata"]["field_metadata"]["Number"]
    assert (number["edited"], number["editedBy"]) == (True, lite.user.user_id)
    assert lite.call("approve_document", **named)["status"] == "approved"


def test_assigning_needs_the_scope_for_reviews(lite: Agent) -> None:
    world = make_world(lite)
    writer = lite.other(scopes=frozenset({"documents:read", "documents:write"}))
    one = {"parserId": world.parser, "documentId": world.document, "assigneeId": world.reviewer}
    many = {"parserId": world.parser, "documentIds": [world.document], "assigneeId": world.reviewer}
    assert writer.error("update_document", **one) == "Access denied"
    assert writer.error("bulk_update_documents", **many) == "Access denied"
    del one["assigneeId"]
    assert writer.call("update_document", **one, custom={"a": 1})["metadata"]["custom"] == {"a": 1}


def _everything(agent: Agent, world: World) -> Any:
    """What the world's readers return."""
    reading = (name for name, tool in _BY_NAME.items() if tool.effect.read_only)
    skipped = {"export_documents", "suggest_fields", "evaluate_parser"}
    return _without_signatures(
        [agent.call(name, **ARGUMENTS[name](world)) for name in reading if name not in skipped]
    )


def _without_signatures(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_signatures(one) for one in value]
    if isinstance(value, dict):
        return {
            key: one.partition("?")[0] if key in _LINKS and isinstance(one, str) else _without_signatures(one)
            for key, one in value.items()
            if key != "nextCursor"
        }
    return value
