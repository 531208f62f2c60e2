"""The MCP server as one process on real sockets: calls a second of tools that read little."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from docduck.cli.runtime.addresses import free_port
from docduck.service.core.installation import open_installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.settings import Settings
from tests.benchmarks.clients import send_all
from tests.benchmarks.documents import invoice
from tests.benchmarks.figures import Figure
from tests.benchmarks.mcp_server import TOKEN
from tests.benchmarks.running import served
from tests.service.core.documents import upload

CALLS_PER_SECOND = 200.0
_MOST_CALLS = 3000
_WARM_UP = 50
_CONNECTIONS = 8
_REVISION = "2026-07-28"


def mcp(folder: Path, documents: int) -> Iterator[Figure]:
    """Measure the server in ``folder``."""
    home = folder / "home"
    inst = open_installation(Settings(home=home))
    try:
        parser_id = create_parser(inst, inst.team_id, NewParser(template_key="invoice")).id
        path = folder / "invoice.pdf"
        path.write_bytes(invoice(0))
        document_id = upload(inst, inst.team_id, parser_id, path)
        process_queue(inst, RunOptions(idle_seconds=0))
    finally:
        inst.close()
    count = min(documents, _MOST_CALLS)
    port = free_port("127.0.0.1", 0, "the API", "DOCDUCK_API_PORT")
    program = ["-m", "tests.benchmarks.mcp_server", str(home), str(port)]
    with served(program, folder / "serve.log", port) as (address, process):
        yield Figure("memory at the start", process.memory_info().rss / 1e6, "MB")
        document = {"parserId": parser_id, "documentId": document_id}
        for name, arguments, limit in (
            ("get_team", {}, CALLS_PER_SECOND),
            ("list_fields", {"parserId": parser_id}, CALLS_PER_SECOND),
            ("get_document_data", document, None),
        ):
            request = _call(address, name, arguments)
            send_all(address, repeat(request, _WARM_UP), _CONNECTIONS)
            spent = sum(process.cpu_times()[:2])
            seconds = send_all(address, repeat(request, count), _CONNECTIONS)
            spent = sum(process.cpu_times()[:2]) - spent
            note = f"{count} calls, {_CONNECTIONS} connections"
            yield Figure(name, count / seconds, "/s", limit, "more", note)
            yield Figure("  processor", 1000 * spent / count, "ms/call", note="holds on a busy machine too")
        yield Figure("memory at the end", process.memory_info().rss / 1e6, "MB")


def _call(address: str, name: str, arguments: Mapping[str, Any]) -> bytes:
    meta = {
        "io.modelcontextprotocol/protocolVersion": _REVISION,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": name, "arguments": arguments, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
        f"MCP-Protocol-Version: {_REVISION}\r\nMcp-Method: tools/call\r\nMcp-Name: {name}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
