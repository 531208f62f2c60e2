"""Results of tool calls in the protocol's types: the REST API's JSON, also as a text for older clients."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, TextContent

from docduck.api.response.responses import response_for

_MOST_DETAILS = 10


def result_of(shown: Mapping[str, Any]) -> CallToolResult:
    """Return the result of a call that succeeded."""
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(content=[_text(text)], structured_content=shown)


def error_of(error: Exception, request_id: str | None) -> CallToolResult:
    """Return the result for ``error``, with the REST API's message; defects are logged, not shown."""
    body = json.loads(bytes(response_for(error, request_id).body))
    details = [f"{detail['path']}: {detail['message']}" for detail in body.get("details", ())[:_MOST_DETAILS]]
    missing = [f"{item['type']} {item['value']}" for item in body.get("notFound", ())[:_MOST_DETAILS]]
    further = details if len(details) > 1 else missing
    return CallToolResult(content=[_text("\n".join([body["message"], *further]))], is_error=True)


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)
