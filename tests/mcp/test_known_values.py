"""What an agent says of values, and how its parser is measured by that."""

from __future__ import annotations

import pytest

from tests.mcp.served import Agent
from tests.mcp.world import TEXT, send


@pytest.fixture
def parser(agent: Agent) -> str:
    fields = [{"name": "Number"}, {"name": "Total", "type": "currency"}]
    return str(agent.call("create_parser", name="Bills", fields=fields)["id"])


def test_all_values_are_confirmed_as_the_signed_in_user(agent: Agent, parser: str) -> None:
    document = send(agent, parser, TEXT, "a.txt")
    agent.api.process()
    named = {"parserId": parser, "documentId": document}
    agent.call("confirm_document", **named)
    found = agent.call("get_document", **named, detail="full")
    for name in ("Number", "Total"):
        entry = found["metadata"]["field_metadata"][name]
        assert (entry["edited"], entry["editedBy"]) == (True, agent.user.user_id)
    told = agent.call("evaluate_parser", parserId=parser)
    assert (told["basis"], told["total"]["now"]["values"], told["total"]["now"]["right"]) == (
        "reviewed",
        2,
        2,
    )
    agent.call("confirm_document", **named)
    assert agent.call("get_document", **named, detail="full")["updatedAt"] == found["updatedAt"]


def test_a_parser_is_measured_by_values_that_the_agent_knows(agent: Agent, parser: str) -> None:
    ids = [send(agent, parser, TEXT, f"{number}.txt") for number in range(6)]
    agent.api.process()
    truth = [{"documentId": ids[0], "data": {"Total": 13.0}}, {"documentId": ids[1], "data": {"Total": 12.5}}]
    told = agent.call("evaluate_parser", parserId=parser, truth=truth)
    assert (told["basis"], told["documents"], told["documentsNotReviewed"]) == ("given", 2, 6)
    assert [field["name"] for field in told["fields"]] == ["Total"]
    (cell,) = told["wrongCells"]
    assert (cell["documentId"], cell["expected"], cell["got"], cell["gotBefore"]) == (ids[0], 13, 12.5, 12.5)
    assert (told["wrongCellCount"], told["total"]["now"]["accuracy"]) == (1, 0.5)
    unknown = [{"documentId": ids[0], "data": {"Sum": 13.0}}]
    error = agent.error("evaluate_parser", parserId=parser, truth=unknown)
    assert "There is no field 'Sum'" in error and "Number, Total" in error
    assert "yet; confirm some, or give truth" in agent.error("evaluate_parser", parserId=parser)
