"""Where the address and the key come from, and that no text shows the key."""

from __future__ import annotations

import inspect
import logging
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from docduck import client
from docduck.client import AsyncClient, Client
from docduck.errors import InputError
from tests.client.conftest import KEY, Caller, Reply, Server

PARSER = "0190b3c2-7c3e-7000-8000-000000000001"


def test_every_request_carries_the_key_and_goes_below_the_prefix(call: Caller, server: Server) -> None:
    for base_url in (server.address, f"{server.address}/", f"{server.address}/api/v1/"):
        call(lambda api: api.parsers.get(PARSER), base_url=base_url)
        assert server.seen[-1].path == f"/api/v1/parsers/{PARSER}"
        assert server.seen[-1].headers["authorization"] == f"Bearer {KEY}"
        assert "idempotency-key" not in server.seen[-1].headers


def test_server_and_key_are_the_environment_s_unless_given(
    call: Caller, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCDUCK_SERVER", server.address)
    monkeypatch.setenv("DOCDUCK_KEY", "from-environment")
    call(lambda api: api.parsers.get("p"), base_url=None, key=None)
    assert server.seen[-1].headers["authorization"] == "Bearer from-environment"


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize(
    ("base_url", "key", "words"),
    [
        (None, KEY, "DOCDUCK_SERVER"),
        ("http://x", None, "DOCDUCK_KEY"),
        ("http://x", "secret\nkey", "characters"),
        ("http://x", "schlüssel", "characters"),
        ("localhost:8000", KEY, "https://docs.example.org"),
        ("ftp://x", KEY, "https://docs.example.org"),
        ("http://", KEY, "https://docs.example.org"),
        ("http://x:99999", KEY, "https://docs.example.org"),
        ("http://me:secret@x", KEY, "user"),
        ("http://x/?a=1", KEY, "query"),
    ],
)
def test_an_address_or_key_that_can_t_be_used_is_told_without_the_key(
    kind: Callable[..., Any],
    base_url: str | None,
    key: str | None,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DOCDUCK_SERVER", raising=False)
    monkeypatch.delenv("DOCDUCK_KEY", raising=False)
    with pytest.raises(InputError) as caught:
        kind(base_url, key)
    assert words in str(caught.value)
    assert "secret" not in str(caught.value) and "schlüssel" not in str(caught.value)


def test_no_text_shows_the_key(call: Caller, server: Server, caplog: pytest.LogCaptureFixture) -> None:
    for library in ("", "httpx", "httpcore"):
        caplog.set_level(logging.DEBUG, library)
    server.answer(Reply(401, {"message": "Invalid API key"}))
    shown = []

    def ask(api: Any) -> Any:
        shown.append(repr(api) + repr(vars(api)) + repr(api.parsers))
        return api.parsers.get("p")

    with pytest.raises(client.AuthenticationError) as caught:
        call(ask)
    assert call.kind in ("sync", "async") and server.address in shown[0]
    assert caplog.records
    told = [*shown, caplog.text, str(caught.value), repr(caught.value), repr(vars(caught.value))]
    assert not [text for text in told if KEY in text]


def test_nothing_else_of_docduck_is_loaded() -> None:
    program = (
        "import sys, docduck.client\n"
        "print(*[m for m in sys.modules if m.startswith('docduck.') and 'client' not in m])\n"
        "print(*[m for m in ('pydantic', 'sqlalchemy', 'numpy', 'fastapi', 'duckdb') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == "docduck.error_codes docduck.errors\n\n"


def test_both_clients_have_the_same_operations() -> None:
    one, other = Client("http://x", "k"), AsyncClient("http://x", "k")
    one.close()
    for group in ("parsers", "fields", "folders", "documents", "process"):
        assert type(getattr(one, group)) is type(getattr(other, group))
    assert str(inspect.signature(one.documents.get)).startswith("(parser_id: 'str', document_id: 'str')")
    assert one.documents.get.__doc__ == "Return a document with its values, their places, and its review."
