"""Pictures that a tool returns beside its JSON."""

from __future__ import annotations

from docduck.mcp.server import _result
from docduck.mcp.tool import READ, ResponseWithImages, Result, tool


class Drawn(ResponseWithImages):
    page: int


@tool("draw", "Draw", "documents:read", READ)
def draw() -> Drawn:
    """Draw."""
    return Drawn(page=1)


def test_pictures_are_no_part_of_the_json() -> None:
    text, image = _result(draw, Result({"page": 1}, [b"\xff\xd8"])).content
    assert text.model_dump(exclude_none=True, by_alias=True) == {"type": "text", "text": '{"page":1}'}
    assert image.model_dump(exclude_none=True, by_alias=True) == {
        "type": "image",
        "data": "/9g=",
        "mimeType": "image/jpeg",
    }
