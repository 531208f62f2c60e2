"""Pages that an agent looks at."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image

from tests.mcp.served import Agent
from tests.mcp.world import send


@pytest.fixture
def named(shared: Agent) -> dict[str, Any]:
    """A document of two pages, by its ids."""
    parser = shared.call("create_parser", name="Bills", fields=[{"name": "Total", "type": "currency"}])["id"]
    lines = "".join(f"Line {number}\n" for number in range(70))
    document = send(shared, parser, f"{lines}Total: 12.50\n".encode(), "a.txt")
    shared.api.process()
    return {"parserId": parser, "documentId": document}


def picture(agent: Agent, **arguments: Any) -> tuple[int, Image.Image]:
    """The number of the page, and its picture."""
    result = agent.result("get_page_image", **arguments)
    *_, image = result["content"]
    assert (image["type"], image["mimeType"]) == ("image", "image/jpeg")
    return result["structuredContent"]["page"], Image.open(io.BytesIO(base64.b64decode(image["data"])))


def test_text_is_read_by_page(shared: Agent, named: dict[str, Any]) -> None:
    first, second = shared.call("get_document_text", **named)["pages"]
    assert "Line 1" in first["text"] and "Total: 12.50" not in first["text"]
    shown = shared.call("get_document_text", **named, pages="2")
    assert shown == {"pages": [second], "pageCount": 2, "nextOffset": 0}
    assert "Total: 12.50" in second["text"]
    assert "'a' is not a page" in shared.error("get_document_text", **named, pages="a")


def test_pages_are_drawn(shared: Agent, named: dict[str, Any]) -> None:
    page, drawn = picture(shared, **named, page=2)
    assert (page, drawn.width) == (2, 800)
    assert drawn.height > drawn.width
    assert picture(shared, **named, width=400)[1].width == 400
    assert "width" in shared.error("get_page_image", **named, width=5000)
    assert shared.error("get_page_image", **named, page=3).startswith("There is no such page")


def test_a_value_is_drawn_with_its_surroundings(shared: Agent, named: dict[str, Any]) -> None:
    page, drawn = picture(shared, **named, field="Total")
    assert page == 2
    assert drawn.width > 2 * drawn.height
    assert min(drawn.convert("L").tobytes()) < 100
    assert shared.error("get_page_image", **named, field="Nothing") == (
        "Unknown field: Nothing\nThere are: Total"
    )


def test_a_reviewer_of_the_team_sees_pages_and_no_stranger_does(shared: Agent, named: dict[str, Any]) -> None:
    assert shared.other("reviewer").call("get_document_text", **named)["pageCount"] == 2
    for name in ("get_document_text", "get_page_image"):
        assert "not found" in shared.stranger().error(name, **named)
