"""A server by docduck's own code with the tools that the MCP project's conformance suite asks for."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from starlette.types import ASGIApp, Receive, Scope, Send

from docduck.mcp.server import ToolServer
from docduck.server.app import create_app
from docduck.server.http_server import create_server
from docduck.service.core.installation import Installation
from tests.mcp.served import Tokens

_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
_SILENCE = base64.b64encode(
    b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0@\x1f\0\0\1\0\x08\0data\0\0\0\0"
).decode()
_TEXT = types.TextContent(type="text", text="This is a simple text response for testing.")
_IMAGE = types.ImageContent(type="image", data=_PIXEL, mime_type="image/png")
_RESOURCE = types.EmbeddedResource(
    type="resource",
    resource=types.TextResourceContents(
        uri="test://embedded-resource", mime_type="text/plain", text="Embedded."
    ),
)
_MIXED_RESOURCE = types.EmbeddedResource(
    type="resource",
    resource=types.TextResourceContents(
        uri="test://mixed-content-resource", mime_type="application/json", text='{"test":"data","value":123}'
    ),
)
_ERROR = types.TextContent(type="text", text="This tool intentionally returns an error for testing")
_CONTENTS: dict[str, list[Any]] = {
    "test_simple_text": [_TEXT],
    "test_image_content": [_IMAGE],
    "test_audio_content": [types.AudioContent(type="audio", data=_SILENCE, mime_type="audio/wav")],
    "test_embedded_resource": [_RESOURCE],
    "test_multiple_content_types": [
        types.TextContent(type="text", text="Multiple content types test:"),
        _IMAGE,
        _MIXED_RESOURCE,
    ],
    "test_error_handling": [_ERROR],
    "json_schema_2020_12_tool": [_TEXT],
    "test_tool_with_progress": [_TEXT],
    "test_x_mcp_header": [_TEXT],
    "test_missing_capability": [_TEXT],
    "test_streaming_elicitation": [_TEXT],
    "test_logging_tool": [_TEXT],
}
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
_SCHEMAS: dict[str, dict[str, Any]] = {
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
    "test_x_mcp_header": {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    },
}


class _FixtureServer(ToolServer):
    """Lists and calls the suite's tools; all else is as it is served."""

    async def _list(self, context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(name=name, description=f"Test {name}", input_schema=_SCHEMAS.get(name, _NOTHING))
                for name in _CONTENTS
            ]
        )

    async def _call(self, context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in _CONTENTS:
            return await super()._call(context, params)
        if params.name == "test_missing_capability":
            wanted: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
            raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "Sampling is required", wanted)
        if params.name == "test_tool_with_progress":
            for done in (0, 50, 100):
                await context.session.report_progress(done, 100, f"Completed step {done} of 100")
        return types.CallToolResult(
            content=_CONTENTS[params.name], is_error=params.name == "test_error_handling"
        )

    def _schema(self, name: str) -> dict[str, Any] | None:
        return _SCHEMAS.get(name, _NOTHING) if name in _CONTENTS else None


class _SignedIn:
    """Adds a token to each request, which the suite can't send."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._header = app, (b"authorization", f"Bearer {token}".encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["headers"] = [*scope["headers"], self._header]
        await self._app(scope, receive, send)


@contextmanager
def serving_fixtures(inst: Installation, monkeypatch: Any) -> Iterator[str]:
    """Serve the fixtures; the address of the MCP server."""
    monkeypatch.setattr("docduck.mcp.server.ToolServer", _FixtureServer)
    tokens = Tokens(inst)
    token, _ = tokens.give()
    app: Any = _SignedIn(create_app(inst, tokens), token)
    server = create_server(app, inst.settings.model_copy(update={"api_port": 0}))
    thread = threading.Thread(target=server.run, name="conformance")
    thread.start()
    try:
        begin = time.monotonic()
        while not server.started:
            assert thread.is_alive() and time.monotonic() - begin < 20
            time.sleep(0.01)
        yield f"http://localhost:{server.servers[0].sockets[0].getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join()
