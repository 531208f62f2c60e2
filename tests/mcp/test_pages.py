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
def named(lite: Agent) -> dict[str, Any]:
    """A document of two pages, by its ids."""
    parser = lite.call("create_parser", name="Bills", fields=[{"name": "Total", "type": "currency"}])["id"]
    lines = "".join(f"Line {number}\n" for number in range(70))
    document = send(lite, parser, f"{lines}Total: 12.50\n".encode(), "a.txt")
    lite.api.process()
    return {"parserId": parser, "documentId": document}


def picture(agent: Agent, **arguments: Any) -> tuple[int, Image.Image]:
    """The number of the page, and its picture."""
    result = agent.result("get_page_image", **arguments)
    *_, image = result["content"]
    assert (image["type"], image["mimeType"]) == ("image", "image/jpeg")
    return result["structuredContent"]["page"], Image.open(io.BytesIO(base64.b64decode(image["data"])))


def test_text_is_read_by_page(lite: Agent, named: dict[str, Any]) -> None:
    first, second = lite.call("get_document_text", **named)["pages"]
    assert "Line 1" in first["text"] and "Total: 12.50" not in first["text"]
    shown = lite.call("get_document_text", **named, pages="2")
    assert shown == {"pages": [second], "pageCount": 2, "nextOffset": 0}
    assert "Total: 12.50" in second["text"]
    assert "'a' is not a page" in lite.error("get_document_text", **named, pages="a")


def test_pages_are_drawn(lite: Agent, named: dict[str, Any]) -> None:
    page, drawn = picture(lite, **named, page=2)
    assert (page, drawn.width) == (2, 800)
    assert drawn.height > drawn.width
    assert picture(lite, **named, width=400)[1].width == 400
    assert "width" in lite.error("get_page_image", **named, width=5000)
    assert lite.error("get_page_image", **named, page=3).startswith("There is no such page")


def test_a_value_is_drawn_with_its_surroundings(lite: Agent, named: dict[str, Any]) -> None:
    page, drawn = picture(lite, **named, field="Total")
    assert page == 2
    assert drawn.width > 2 * drawn.height
    assert min(drawn.convert("L").tobytes()) < 100
    assert lite.error("get_page_image", **named, field="Nothing") == (
        "Unknown field: Nothing\nThere are: Total"
    )


def test_a_reviewer_of_the_team_sees_pages_and_no_stranger_does(lite: Agent, named: dict[str, Any]) -> None:
    assert lite.other("reviewer").call("get_document_text", **named)["pageCount"] == 2
    for name in ("get_document_text", "get_page_image"):
        assert "not found" in lite.stranger().error(name, **named)
