"""Files as they are sent."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from docduck.errors import InputError
from tests.client.conftest import Caller, Reply, Seen, Server

PARSER = "0190b3c2-7c3e-7000-8000-000000000001"
ONE = "0190b3c2-7c3e-7000-8000-000000000002"


def form(seen: Seen) -> dict[str, list[tuple[str | None, bytes]]]:
    """The parts of a form by name: their file names and contents."""
    from email import message_from_bytes

    head = f"Content-Type: {seen.headers['content-type']}\r\n\r\n".encode()
    found: dict[str, list[tuple[str | None, bytes]]] = {}
    for part in message_from_bytes(head + seen.body).walk():
        if not part.is_multipart():
            name = part.get_param("name", header="content-disposition")
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            found.setdefault(str(name), []).append((part.get_filename(), content))
    return found


def test_an_upload_is_a_form(call: Caller, server: Server, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"one")
    stream = io.BytesIO(b"three")
    stream.read()
    server.answer(Reply(200, {"result": [{"id": "d"}]}))
    found = call(
        lambda api: api.process.files(
            PARSER,
            tmp_path / "a.pdf",
            ("b.txt", b"two"),
            ("c.txt", stream),
            external_ids=["x", None, "é"],
            custom=[{"a": 1}, None, None],
            folder_id=ONE,
            wait=2,
        )
    )
    assert found == [{"id": "d"}]
    seen = server.seen[0]
    assert (seen.path, seen.query) == (f"/api/v1/process/{PARSER}/files", "wait=2")
    parts = form(seen)
    assert parts["file"] == [("a.pdf", b"one"), ("b.txt", b"two"), ("c.txt", b"three")]
    assert json.loads(parts["externalIds"][0][1]) == ["x", None, "é"]
    assert json.loads(parts["custom"][0][1]) == [{"a": 1}, None, None]
    assert parts["folderId"] == [(None, ONE.encode())]
    call(lambda api: api.process.files_to_classifier(ONE, str(tmp_path / "a.pdf")))
    assert server.seen[1].path == "/api/v1/process/files"
    assert form(server.seen[1]) == {"classifierId": [(None, ONE.encode())], "file": [("a.pdf", b"one")]}


def test_a_file_may_have_any_name(call: Caller, server: Server, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_bytes(b"x")
    server.answer(Reply(200, {"result": [{"id": "d"}]}))
    call(lambda api: api.process.files(PARSER, path, ('a"\r\nb\ud800.txt', b"y")))
    assert b'filename="caf?.txt"' in server.seen[0].body
    assert b"\r\nb" not in server.seen[0].body


def test_a_missing_file_and_none_at_all_are_told(call: Caller, server: Server, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        call(lambda api: api.process.files(PARSER, ("a", b"x"), tmp_path / "none.pdf"))
    with pytest.raises(InputError, match="at least one file"):
        call(lambda api: api.process.files(PARSER))
    with pytest.raises(InputError, match="at least one file"):
        call(lambda api: api.fields.suggest(PARSER))
    assert not server.seen


@pytest.mark.slow
def test_a_large_file_is_streamed(call: Caller, server: Server, tmp_path: Path) -> None:
    path = tmp_path / "large.pdf"
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    # The server of this test takes the body as a whole, so a process of its own sends it.
    kind = "Client" if call.kind == "sync" else "AsyncClient"
    program = f"""
import asyncio, inspect, resource
from docduck.client import Client, AsyncClient

async def send(client):
    found = client.process.files({PARSER!r}, {str(path)!r})
    return await found if inspect.isawaitable(found) else found

before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
asyncio.run(send({kind}({server.address!r}, "k")))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    server.answer(Reply(200, {"result": [{"id": "d"}]}))
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert len(server.seen[0].body) > 100 * 1024 * 1024
    assert int(said.stdout) < 20 * 1024
