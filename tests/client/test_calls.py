"""What is sent for each call."""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from docduck.client import UNSET
from docduck.errors import InputError
from tests.client.conftest import Caller, Reply, Server

PARSER = "0190b3c2-7c3e-7000-8000-000000000001"
ONE = "0190b3c2-7c3e-7000-8000-000000000002"
MOMENT = dt.datetime(2026, 1, 31, 8, tzinfo=dt.UTC)
P, D = f"/api/v1/parsers/{PARSER}", f"/api/v1/parsers/{PARSER}/documents"
C = f"/api/v1/classifiers/{ONE}"
CALLS: list[tuple[Callable[[Any], Any], str, str, Any]] = [
    (
        lambda api: api.parsers.create("A", fields=[{"name": "B"}], is_active=False, email_parsing=UNSET),
        "POST",
        "/api/v1/parsers",
        {"name": "A", "fields": [{"name": "B"}], "isActive": False},
    ),
    (
        lambda api: api.parsers.update(PARSER, name=UNSET, is_active=False, parse_pages=None),
        "PATCH",
        P,
        {"isActive": False, "parsePages": None},
    ),
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
        lambda api: api.folders.delete(PARSER, ONE, delete_documents=True),
        "DELETE",
        f"{P}/folders/{ONE}?deleteDocuments=true",
        None,
    ),
    (
        lambda api: api.reviews.reject(PARSER, ONE, ONE, "no order"),
        "POST",
        f"{D}/{ONE}/review/reject",
        {"reviewerId": ONE, "reason": "no order"},
    ),
    (
        lambda api: api.reviews.assign(PARSER, ONE, None),
        "POST",
        f"{D}/{ONE}/review/assign",
        {"assigneeId": None},
    ),
    (
        lambda api: api.documents.page(status="failed"),
        "GET",
        "/api/v1/documents?status=failed&limit=50",
        None,
    ),
    (
        lambda api: api.documents.page(PARSER, folder_id="root", created_from=MOMENT, sort="name.asc"),
        "GET",
        f"{D}?folderId=root&createdFrom={quote(MOMENT.astimezone().isoformat())}&sort=name.asc&limit=50",
        None,
    ),
    (
        lambda api: api.documents.search_page(
            PARSER, "bolt", folder_id=None, filters=[{"field": "T", "operator": "in", "value": (1, 2)}]
        ),
        "POST",
        f"{D}/search",
        {
            **{"q": "bolt", "folderId": None, "limit": 50},
            "filters": [{"field": "T", "operator": "in", "value": [1, 2]}],
        },
    ),
    (
        lambda api: api.upload_pages.put(parser_id=PARSER, title="Bills", files_per_hour=5),
        "PUT",
        f"{P}/upload-page",
        {"title": "Bills", "filesPerHour": 5},
    ),
    (
        lambda api: api.upload_pages.put(
            classifier_id=ONE, is_active=False, embed_origins=("https://a.org",)
        ),
        "PUT",
        f"{C}/upload-page",
        {"isActive": False, "embedOrigins": ["https://a.org"]},
    ),
    (lambda api: api.upload_pages.get(parser_id=PARSER), "GET", f"{P}/upload-page", None),
    (lambda api: api.upload_pages.renew(classifier_id=ONE), "POST", f"{C}/upload-page/renew", None),
    (lambda api: api.upload_pages.delete(parser_id=PARSER), "DELETE", f"{P}/upload-page", None),
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
    (lambda api: api.documents.delete(PARSER, ONE), "POST", f"{D}/delete", {"documentIds": [ONE]}),
    (lambda api: api.documents.history(PARSER, ONE), "GET", f"{D}/{ONE}/history?page=1&limit=50", None),
    (lambda api: api.documents.cancel(PARSER, ONE), "POST", f"{D}/{ONE}/cancel", None),
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
    (lambda api: api.process.operation(f"operations/{ONE}"), "GET", f"/api/v1/operations/{ONE}", None),
    (
        lambda api: api.classifiers.page(q="M", is_active=True),
        "GET",
        "/api/v1/classifiers?q=M&isActive=true&page=1&limit=50",
        None,
    ),
    (lambda api: api.webhooks.test(PARSER, ONE), "POST", f"{P}/webhooks/{ONE}/test", {}),
    (
        lambda api: api.exports.create(
            PARSER, format="csv", scope="table", table_name="T", document_ids=[ONE]
        ),
        "POST",
        f"{P}/exports",
        {"format": "csv", "scope": "table", "tableName": "T", "documentIds": [ONE]},
    ),
    (
        lambda api: api.exports.link(PARSER, layout_id=ONE, external_ids=["A"], filters=[{"field": "x"}]),
        "POST",
        f"{P}/exports?delivery=link",
        {"layoutId": ONE, "externalIds": ["A"], "filters": [{"field": "x"}]},
    ),
    (
        lambda api: api.parsers.evaluate(PARSER, [ONE]),
        "POST",
        f"{P}/evaluations",
        {"documentIds": [ONE]},
    ),
    (
        lambda api: api.audit_log.page(resource_type="parser", since=MOMENT, until=MOMENT),
        "GET",
        f"/api/v1/audit-log?resourceType=parser&from={quote(MOMENT.astimezone().isoformat())}"
        f"&to={quote(MOMENT.astimezone().isoformat())}&page=1&limit=50",
        None,
    ),
]
"""Of generated methods, what their declarations don't say; the others are written by hand."""


@pytest.mark.parametrize(("ask", "method", "path", "body"), CALLS)
def test_a_call_is_this_request(
    call: Caller, server: Server, ask: Callable[[Any], Any], method: str, path: str, body: Any
) -> None:
    call(ask)
    seen = server.seen[-1]
    assert seen.method == method
    assert seen.path + (f"?{seen.query}" if seen.query else "") == path
    assert (seen.json if seen.body else None) == body
    asks_only = path.endswith(("/search", "/evaluations"))
    assert ("idempotency-key" in seen.headers) == (method == "POST" and not asks_only)


@pytest.mark.parametrize("version", ["4d1f", '"4d1f"'])
def test_a_change_can_depend_on_a_version(call: Caller, server: Server, version: str) -> None:
    call(lambda api: api.parsers.update(PARSER, name="a", if_match=version))
    assert (server.seen[0].headers["if-match"], server.seen[0].json) == ('"4d1f"', {"name": "a"})


@pytest.mark.parametrize(
    ("ask", "method", "path", "answer"),
    [
        (lambda api: api.fields.list(PARSER), "GET", f"{P}/fields", {"data": [1], "fields": [1]}),
        (lambda api: api.folders.list(PARSER, parent_id="root"), "GET", f"{P}/folders", {"data": [1]}),
        (lambda api: api.models.list(), "GET", "/api/v1/models", {"data": [1]}),
        (lambda api: api.webhooks.secret(PARSER, ONE), "GET", f"{P}/webhooks/{ONE}/secret", {"secret": [1]}),
        (lambda api: api.post_processing.set(PARSER, ()), "PUT", f"{P}/post-processing", {"steps": [1]}),
    ],
)
def test_a_list_without_pages_is_what_is_in_it(
    call: Caller, server: Server, ask: Callable[[Any], Any], method: str, path: str, answer: Any
) -> None:
    server.answer(Reply(200, answer))
    assert call(ask) == [1]
    assert (server.seen[0].method, server.seen[0].path) == (method, path)
    assert "idempotency-key" not in server.seen[0].headers


def test_suggestions_come_with_what_was_found(call: Caller, server: Server) -> None:
    found = {"fields": [1], "found": [{}], "foundOn": {"Total": 1}}
    server.answer(Reply(200, found))
    assert call(lambda api: api.fields.suggest(PARSER, document_id=ONE)) == found
    (seen,) = server.seen
    assert (seen.method, seen.path, seen.json) == ("POST", f"{P}/fields/suggest", {"documentId": ONE})
    assert "idempotency-key" not in seen.headers


def test_unknown_keys_pass_through(call: Caller, server: Server) -> None:
    server.answer(Reply(200, {"id": "p", "brandNew": [1]}))
    assert call(lambda api: api.parsers.get("p")) == {"id": "p", "brandNew": [1]}


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


@pytest.mark.parametrize(
    "ask",
    [
        lambda api: api.folders.get(PARSER),
        lambda api: api.folders.get(PARSER, ONE, ONE),
        lambda api: api.folders.list(PARSER, nothing=1),
        lambda api: api.folders.create(PARSER, "2026", "red"),
        lambda api: api.process.urls(PARSER, "https://a", external_id="b"),
    ],
)
def test_wrong_arguments_are_errors_of_python(
    call: Caller, server: Server, ask: Callable[[Any], Any]
) -> None:
    with pytest.raises(TypeError, match="argument"):
        call(ask)
    assert not server.seen


def test_an_empty_id_is_told(call: Caller, server: Server) -> None:
    with pytest.raises(InputError, match="must not be empty"):
        call(lambda api: api.parsers.delete(""))
    assert not server.seen
