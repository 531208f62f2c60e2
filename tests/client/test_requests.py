"""What is sent for each call, and what is made of the answer."""

from __future__ import annotations

import datetime as dt
import decimal
import inspect
import io
import json
import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

import pytest

from docduck import client
from docduck.client import UNSET, AsyncClient, Client
from docduck.client.errors import ApiError
from docduck.errors import DocduckError, InputError
from tests.client.conftest import KEY, Caller, Reply, Seen, Server

PARSER = "0190b3c2-7c3e-7000-8000-000000000001"
ONE = "0190b3c2-7c3e-7000-8000-000000000002"


def page(ids: list[str], number: int, pages: int) -> Reply:
    facts = {"page": number, "limit": 2, "total": 5, "pageCount": pages}
    return Reply(200, {"data": [{"id": one} for one in ids], "pagination": facts})


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
    caplog.set_level(logging.DEBUG)
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


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, client.BadRequest),
        (401, client.AuthenticationError),
        (403, client.PermissionDenied),
        (404, client.NotFound),
        (409, client.Conflict),
        (413, client.BadRequest),
        (415, client.BadRequest),
        (429, client.RateLimited),
        (500, client.ServerError),
        (502, client.ServerError),
    ],
)
def test_every_status_is_an_error_of_its_own(
    call: Caller, server: Server, status: int, kind: type[ApiError]
) -> None:
    body = {
        "error": True,
        "message": "What is wrong",
        "details": [{"path": "settings.parsePages", "message": "bad syntax"}],
        "notFound": [{"type": "documentId", "value": ONE}],
        "requestId": "r-1",
        "new": {"unknown": 1},
    }
    server.answer(Reply(status, body))
    with pytest.raises(kind) as caught:
        call(lambda api: api.parsers.get("p"), retries=0)
    error = caught.value
    assert type(error) is kind and isinstance(error, DocduckError)
    assert (error.status, error.message, error.request_id) == (status, "What is wrong", "r-1")
    assert error.details == ({"path": "settings.parsePages", "message": "bad syntax"},)
    assert error.not_found == ({"type": "documentId", "value": ONE},)
    assert error.retryable == (status in (429, 502, 503))
    for fact in ("What is wrong", "settings.parsePages: bad syntax", f"documentId {ONE}", "r-1", str(status)):
        assert fact in str(error)
    assert vars(pickle.loads(pickle.dumps(error))) == vars(error)


@pytest.mark.parametrize("body", [b"<html>", b"[1]", b"", b'{"message": 5, "details": 7}', b"[" * 100_000])
def test_an_error_of_something_else_is_told_as_well(call: Caller, server: Server, body: bytes) -> None:
    server.answer(Reply(500, body, {"X-Request-Id": "r-2"}))
    with pytest.raises(client.ServerError, match="answered with status 500") as caught:
        call(lambda api: api.parsers.get("p"))
    assert caught.value.request_id == "r-2"


@pytest.mark.parametrize("body", [b"<html>Welcome", b"[]", b"[" * 100_000])
def test_an_answer_that_is_not_the_api_s_is_told(call: Caller, server: Server, body: bytes) -> None:
    server.answer(Reply(200, body))
    with pytest.raises(client.ServerError, match="is this the address of docduck"):
        call(lambda api: api.parsers.get("p"))


def test_a_redirect_is_told_and_not_followed(call: Caller, server: Server) -> None:
    server.answer(Reply(301, b"", {"Location": "https://elsewhere.example/api/v1/parsers/p"}))
    with pytest.raises(client.BadRequest, match=r"redirects to https://elsewhere\.example"):
        call(lambda api: api.parsers.get("p"))
    assert len(server.seen) == 1


def test_unknown_keys_pass_through(call: Caller, server: Server) -> None:
    server.answer(Reply(200, {"id": "p", "brandNew": [1]}))
    assert call(lambda api: api.parsers.get("p")) == {"id": "p", "brandNew": [1]}


def test_a_list_is_all_its_pages(call: Caller, server: Server) -> None:
    server.answer(page(["a", "b"], 1, 3), page(["c", "d"], 2, 3), page(["e"], 3, 3))
    found = call(lambda api: api.parsers.list(q="x", is_active=True, limit=2))
    assert [one["id"] for one in found] == ["a", "b", "c", "d", "e"]
    asked = [parse_qs(one.query) for one in server.seen]
    assert asked == [{"q": ["x"], "isActive": ["true"], "limit": ["2"], "page": [str(n)]} for n in (1, 2, 3)]


def test_a_list_that_changes_meanwhile_has_each_row_once_and_an_end(call: Caller, server: Server) -> None:
    server.answer(page(["a", "b"], 1, 3), page(["b", "c"], 2, 3), page([], 3, 9))
    assert [one["id"] for one in call(lambda api: api.parsers.list())] == ["a", "b", "c"]
    assert len(server.seen) == 3


def test_a_list_begins_at_the_page_that_is_asked_for(call: Caller, server: Server) -> None:
    server.answer(page(["e"], 3, 3))
    assert [one["id"] for one in call(lambda api: api.documents.list(PARSER, page=3))] == ["e"]
    assert parse_qs(server.seen[0].query)["page"] == ["3"]
    found = call(lambda api: api.documents.page(PARSER, page=3))
    assert found["pagination"]["pageCount"] == 3


def test_pages_are_fetched_when_they_are_needed(server: Server) -> None:
    server.answer(page(["a", "b"], 1, 3), page(["c", "d"], 2, 3))
    with Client(server.address, KEY) as api:
        rows = api.parsers.list()
        assert not server.seen
        assert [next(rows)["id"], next(rows)["id"], len(server.seen)] == ["a", "b", 1]
        next(rows)
        assert len(server.seen) == 2


MOMENT = dt.datetime(2026, 1, 31, 8, tzinfo=dt.UTC)
P, D = f"/api/v1/parsers/{PARSER}", f"/api/v1/parsers/{PARSER}/documents"
CALLS: list[tuple[Callable[[Any], Any], str, str, Any]] = [
    (
        lambda api: api.parsers.create("A", fields=[{"name": "B"}], template_key="invoice"),
        "POST",
        "/api/v1/parsers",
        {"name": "A", "fields": [{"name": "B"}], "templateKey": "invoice"},
    ),
    (
        lambda api: api.parsers.update(PARSER, is_active=False, parse_pages=None),
        "PATCH",
        P,
        {"isActive": False, "parsePages": None},
    ),
    (lambda api: api.parsers.update(PARSER, name=UNSET, description="x"), "PATCH", P, {"description": "x"}),
    (lambda api: api.parsers.duplicate(PARSER, name="C"), "POST", f"{P}/duplicate", {"name": "C"}),
    (lambda api: api.parsers.delete(PARSER), "DELETE", P, None),
    (lambda api: api.fields.add(PARSER, {"name": "B"}), "POST", f"{P}/fields", {"name": "B"}),
    (
        lambda api: api.fields.update(PARSER, "Net/Gross €", {"required": True}),
        "PATCH",
        f"{P}/fields/Net%2FGross%20%E2%82%AC",
        {"required": True},
    ),
    (lambda api: api.fields.delete(PARSER, ".."), "DELETE", f"{P}/fields/%2E%2E", None),
    (
        lambda api: api.fields.reorder(PARSER, ("B", "A")),
        "POST",
        f"{P}/fields/reorder",
        {"fieldIds": ["B", "A"]},
    ),
    (
        lambda api: api.folders.create(PARSER, "2026", parent_id=ONE, auto_assignment={"match": "all"}),
        "POST",
        f"{P}/folders",
        {"name": "2026", "color": None, "parentId": ONE, "autoAssignment": {"match": "all"}},
    ),
    (
        lambda api: api.folders.update(PARSER, ONE, parent_id=None),
        "PATCH",
        f"{P}/folders/{ONE}",
        {"parentId": None},
    ),
    (
        lambda api: api.folders.delete(PARSER, ONE, delete_documents=True),
        "DELETE",
        f"{P}/folders/{ONE}?deleteDocuments=true",
        None,
    ),
    (
        lambda api: api.documents.page(PARSER, folder_id="root", created_from=MOMENT, sort="name.asc"),
        "GET",
        f"{D}?folderId=root&createdFrom={quote(MOMENT.astimezone().isoformat())}&sort=name.asc&page=1&limit=50",
        None,
    ),
    (
        lambda api: api.documents.search_page(
            PARSER, "bolt", folder_id=None, filters=[{"field": "T", "operator": "in", "value": (1, 2)}]
        ),
        "POST",
        f"{D}/search",
        {
            "q": "bolt",
            "folderId": None,
            "filters": [{"field": "T", "operator": "in", "value": [1, 2]}],
            "page": 1,
            "limit": 50,
        },
    ),
    (lambda api: api.documents.get(PARSER, ONE), "GET", f"{D}/{ONE}", None),
    (
        lambda api: api.documents.update(PARSER, ONE, external_id=None, custom={"a": 1}),
        "PATCH",
        f"{D}/{ONE}",
        {"externalId": None, "custom": {"a": 1}},
    ),
    (
        lambda api: api.documents.bulk_update(PARSER, [ONE], external_ids=["x"], folder_id=None),
        "POST",
        f"{D}/bulk-update",
        {"documentIds": [ONE], "externalIds": ["x"], "folderId": None},
    ),
    (
        lambda api: api.documents.update_data(
            PARSER, ONE, {"Date": dt.date(2026, 1, 31), "Total": decimal.Decimal("12.5"), "Paid": None}
        ),
        "PATCH",
        f"{D}/{ONE}/data",
        {"data": {"Date": "2026-01-31", "Total": 12.5, "Paid": None}},
    ),
    (
        lambda api: api.documents.replace_data(PARSER, ONE, {"A": 1}, reviewer_id=ONE),
        "PUT",
        f"{D}/{ONE}/data",
        {"data": {"A": 1}, "reviewerId": ONE},
    ),
    (lambda api: api.documents.delete(PARSER, ONE), "POST", f"{D}/delete", {"documentIds": [ONE]}),
    (lambda api: api.documents.history(PARSER, ONE), "GET", f"{D}/{ONE}/history?page=1&limit=50", None),
    (
        lambda api: api.documents.reprocess(PARSER, external_id="x"),
        "POST",
        f"/api/v1/process/{PARSER}/reprocess",
        {"externalId": "x"},
    ),
    (
        lambda api: api.process.data(PARSER, external_id="a&b"),
        "GET",
        f"/api/v1/process/{PARSER}/files/data?externalId=a%26b",
        None,
    ),
    (
        lambda api: api.process.operation("operations/1"),
        "GET",
        "/api/v1/operations/1",
        None,
    ),
]


@pytest.mark.parametrize(("ask", "method", "path", "body"), CALLS)
def test_a_call_is_this_request(
    call: Caller, server: Server, ask: Callable[[Any], Any], method: str, path: str, body: Any
) -> None:
    call(ask)
    seen = server.seen[-1]
    assert seen.method == method
    assert seen.path + (f"?{seen.query}" if seen.query else "") == path
    assert (seen.json if seen.body else None) == body
    asks_only = path.endswith("/search")
    assert ("idempotency-key" in seen.headers) == (method == "POST" and not asks_only)


def test_urls_are_fetched_by_the_server(call: Caller, server: Server) -> None:
    server.answer(Reply(200, {"result": [{"id": "d"}]}))
    given = {"external_ids": ["a", None], "custom": [None, {"b": 1}]}
    call(lambda api: api.process.urls(PARSER, "https://a", "https://b", folder_id=ONE, wait=5, **given))
    assert (server.seen[0].path, server.seen[0].query) == (f"/api/v1/process/{PARSER}/urls", "wait=5")
    same = {"urls": ["https://a", "https://b"], "externalIds": ["a", None], "custom": [None, {"b": 1}]}
    assert server.seen[0].json == {**same, "folderId": ONE}
    call(lambda api: api.process.urls_to_classifier(ONE, "https://a", "https://b", **given))
    assert server.seen[1].path == "/api/v1/process/urls"
    assert server.seen[1].json == {**same, "classifierId": ONE}


@pytest.mark.parametrize("value", [float("nan"), object(), "self"])
def test_what_has_no_form_in_json_is_told(call: Caller, server: Server, value: Any) -> None:
    data = {"A": value}
    if value == "self":
        data["A"] = data
    with pytest.raises(InputError, match="can't be sent as JSON"):
        call(lambda api: api.documents.update_data(PARSER, ONE, data))
    assert not server.seen


def test_an_empty_id_is_told(call: Caller, server: Server) -> None:
    with pytest.raises(InputError, match="must not be empty"):
        call(lambda api: api.parsers.delete(""))
    assert not server.seen


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


def data(status: str) -> Reply:
    return Reply(
        200,
        {"data": {"Total": 1} if status == "processed" else {}, "metadata": {"name": "a", "status": status}},
    )


@pytest.mark.parametrize("last", ["processed", "failed", "in_review", "skipped", "approved", "rejected"])
def test_waiting_ends_when_nothing_more_is_to_be_done(
    call: Caller, server: Server, pauses: list[float], last: str
) -> None:
    server.answer(*[data("processing")] * 12, data(last))
    found = call(lambda api: api.wait(PARSER, ONE))
    assert found["metadata"]["status"] == last
    assert len(pauses) == 12
    assert pauses == sorted(pauses) and pauses[0] <= 0.5 and pauses[-1] == 5
    assert {one.path for one in server.seen} == {f"/api/v1/process/{PARSER}/files/data"}


def test_waiting_has_an_end(call: Caller, server: Server) -> None:
    server.answer(data("processing"))
    with pytest.raises(client.StillProcessing, match=r"a is still processing after 0\.3 seconds") as caught:
        call(lambda api: api.process.wait(PARSER, external_id="x", timeout=0.3))
    assert caught.value.retryable
    assert len(server.seen) >= 2


def test_nothing_else_of_docduck_is_loaded() -> None:
    program = (
        "import sys, docduck.client\n"
        "print(*[m for m in sys.modules if m.startswith('docduck.') and 'client' not in m])\n"
        "print(*[m for m in ('pydantic', 'sqlalchemy', 'numpy', 'fastapi', 'duckdb') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == "docduck.errors\n\n"


def test_both_clients_have_the_same_operations() -> None:
    one, other = Client("http://x", "k"), AsyncClient("http://x", "k")
    one.close()
    for group in ("parsers", "fields", "folders", "documents", "process"):
        assert type(getattr(one, group)) is type(getattr(other, group))
    assert str(inspect.signature(one.documents.get)).startswith("(parser_id: 'str', document_id: 'str')")
    assert one.documents.get.__doc__ == "A document whole."
