"""Waiting for documents: how long, and for what."""

from __future__ import annotations

import base64
import io
import threading
import zipfile
from typing import Any

import pytest

from docduck.mcp.tools import TOOLS
from tests.mcp.served import Agent
from tests.mcp.world import TEXT, send


def _zip(count: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(count):
            archive.writestr(f"bill-{number}.txt", TEXT.replace(b"A-1", f"A-{number}".encode()))
    return file.getvalue()


def _parser(agent: Agent) -> str:
    return str(agent.call("create_parser", name="Bills", fields=[{"name": "Number"}])["id"])


def test_all_parts_of_a_file_are_returned(shared: Agent) -> None:
    parser = _parser(shared)
    send(shared, parser, TEXT, "other.txt")
    document = send(shared, parser, _zip(3), "batch.zip")
    shared.api.process()
    named = {"parserId": parser, "documentId": document}
    shown = shared.call("wait_for_document", **named)
    values = [{"Number": f"A-{number}"} for number in range(3)]
    parts = shown["parts"]
    assert [part["name"] for part in parts] == [f"bill-{number}.txt" for number in range(3)]
    assert [shown["data"], *(part.get("data") for part in parts)] == [values[0], None, *values[1:]]
    second = shared.call("wait_for_document", parserId=parser, documentId=parts[1]["documentId"])
    assert [part.get("data") for part in second["parts"]] == [values[0], None, values[2]]
    few = shared.call("wait_for_document", **named, fields=[], detail="values")
    assert few["parts"] == [parts[0], *({**part, "data": {}} for part in parts[1:])]


def test_a_file_that_is_sent_is_waited_for_with_its_parts(shared: Agent) -> None:
    parser = _parser(shared)
    stopped = threading.Event()

    def read() -> None:
        while not stopped.wait(0.2):
            shared.api.process()

    reading = threading.Thread(target=read)
    reading.start()
    try:
        encoded = base64.b64encode(_zip(2)).decode()
        sent = {"parserId": parser, "fileName": "batch.zip", "contentBase64": encoded}
        (item,) = shared.call("process_file", **sent, waitSeconds=50)["result"]
    finally:
        stopped.set()
        reading.join()
    assert item["data"] == {"Number": "A-0"}
    assert set(item) == {"documentId", "name", "status", "data", "parts", "metadata"}
    assert [part.get("data") for part in item["parts"]] == [None, {"Number": "A-1"}]


def test_a_file_that_is_one_document_has_no_parts(shared: Agent) -> None:
    parser = _parser(shared)
    document = send(shared, parser, TEXT, "a.txt")
    shared.api.process()
    assert "parts" not in shared.call("wait_for_document", parserId=parser, documentId=document)


@pytest.mark.parametrize("name", ["wait_for_document", "process_file", "process_urls"])
def test_no_call_waits_longer_than_clients_do(name: str) -> None:
    (tool,) = (one for one in TOOLS if one.name == name)
    assert tool.input_schema["properties"]["waitSeconds"]["description"] == "At most 50"


def test_a_longer_wait_is_refused(shared: Agent) -> None:
    named: dict[str, Any] = {
        "parserId": _parser(shared),
        "documentId": "00000000-0000-7000-8000-000000000000",
    }
    assert shared.error("wait_for_document", **named, waitSeconds=51) == "waitSeconds: must be at most 50"
