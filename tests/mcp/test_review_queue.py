"""What an agent is told to look at."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import select

from docduck.catalog.models import DocumentResult
from tests.mcp.served import Agent
from tests.mcp.world import send

BILL = b"ACME Ltd\n\nNumber: A-1\nTotal: 12.50\n"


@pytest.fixture
def parser(agent: Agent) -> str:
    """A parser with two documents, which lack a required value."""
    fields = [{"name": "Number"}, {"name": "Total", "type": "currency"}, {"name": "Zebra", "required": True}]
    made = str(agent.call("create_parser", name="Bills", fields=fields)["id"])
    for number in range(2):
        send(agent, made, BILL.replace(b"A-1", f"A-{number}".encode()), f"{number}.txt")
    agent.api.process()
    return made


def fields_of(queue: Any) -> list[str]:
    return [cell["field"] for document in queue["data"] for cell in document["cells"]]


def test_unsure_values_are_shown_with_the_text_around(agent: Agent, parser: str) -> None:
    queue = agent.call("review_queue", parserId=parser)
    assert fields_of(queue) == ["Zebra", "Zebra"]
    assert queue["data"][0]["cells"][0]["reasons"] == ["'Zebra' is required and was not found"]
    queue = agent.call("review_queue", below=1)
    assert fields_of(queue) == ["Number", "Total", "Zebra"] * 2
    document = queue["data"][0]
    number = document["cells"][0]
    assert (document["documentName"], number["value"], number["page"]) == ("1.txt", "A-1", 1)
    assert "Number: A-1" in number["textAround"]
    assert 0 < number["confidence"] < 1 and "image" not in number
    agent.call(
        "update_document_data", parserId=parser, documentId=document["documentId"], data={"Number": "B"}
    )
    assert fields_of(agent.call("review_queue", below=1))[:2] == ["Total", "Zebra"]


def test_pages_follow_a_cursor(agent: Agent, parser: str) -> None:
    first = agent.call("review_queue", parserId=parser, below=1, limit=4)
    second = agent.call("review_queue", parserId=parser, below=1, limit=4, cursor=first["nextCursor"])
    assert fields_of(first) + fields_of(second) == ["Number", "Total", "Zebra"] * 2
    assert "nextCursor" not in second
    assert "Unknown cursor" in agent.error("review_queue", cursor="x")


def test_pictures_show_the_first_values(agent: Agent, parser: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docduck.mcp.tools.review_queue._MOST_IMAGES", 3)
    result = agent.result("review_queue", parserId=parser, below=1, images=True)
    cells = [cell for one in result["structuredContent"]["data"] for cell in one["cells"]]
    assert [cell.get("image") for cell in cells] == [1, 2, None, 3, None, None]
    images = [one for one in result["content"] if one["type"] == "image"]
    for image in images:
        data = base64.b64decode(image["data"])
        assert len(data) <= 40_000
        assert Image.open(io.BytesIO(data)).width == 600
    assert len(images) == 3


def test_long_values_are_cut(agent: Agent) -> None:
    fields = [{"name": "Note", "required": True}, {"name": "Tags", "type": "list"}]
    parser = agent.call("create_parser", name="Notes", fields=fields)["id"]
    send(agent, parser, b"Note: a\n", "a.txt")
    agent.api.process()
    with agent.api.inst.catalog.transaction() as session:
        result = session.scalars(select(DocumentResult)).one()
        note, tags = result.values
        result.values = {note: "x" * 5000, tags: ["y" * 500] * 500}
        result.evidence = {key: {"confidence": 0.5} for key in (note, tags)}
    ((long, many),) = (one["cells"] for one in agent.call("review_queue", parserId=parser)["data"])
    assert long["value"] == "x" * 299 + "…"
    assert many["value"] == ["y" * 59 + "…"] * 10


def test_other_teams_are_not_asked(agent: Agent, parser: str) -> None:
    stranger = agent.stranger()
    assert stranger.call("review_queue", below=1) == {"data": []}
    assert "not found" in stranger.error("review_queue", parserId=parser)
