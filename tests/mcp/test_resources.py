"""Resources: tables and documents of the team, listed and read."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from docduck.mcp import resources
from docduck.mcp.resources import CUT, MOST_ROWS, UNTRUSTED
from docduck.service.accounts.permissions import ALL
from docduck.service.outputs.warehouse_sync import publish, sync_warehouse
from tests.mcp.served import CURRENT, PREVIOUS, REVISIONS, Agent, answered
from tests.service.core.documents import add, complete, make_parser

TABLE = "docduck://tables/invoices/documents"
LINES = "docduck://tables/invoices/line_items"


def filled(agent: Agent, rows: int = 2) -> str:
    """Have a document in published tables; its id."""
    inst = agent.api.inst
    parser = make_parser(inst)
    (document,) = add(inst, parser)
    complete(inst, parser, number="=A-1", rows=rows)
    sync_warehouse(inst)
    publish(inst, force=True)
    return document


@pytest.fixture(scope="module")
def document(served: Agent) -> str:
    """A document of the module's server."""
    return filled(served)


def read(agent: Agent, uri: str) -> dict[str, Any]:
    """The content of a resource."""
    (content,) = answered(agent.ask("resources/read", uri=uri))["result"]["contents"]
    found: dict[str, Any] = content
    return found


def problem(agent: Agent, method: str, **params: Any) -> str:
    """The message of a request that is refused because of its parameters."""
    error = answered(agent.ask(method, **params))["error"]
    assert error["code"] == -32602
    return str(error["message"])


async def _session(agent: Agent, mode: str) -> tuple[list[str], list[str], str, str]:
    headers = {"Authorization": f"Bearer {agent.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False) as http,
        Client(streamable_http_client(f"{agent.api.address}/mcp", http_client=http), mode=mode) as client,
    ):
        listed = await client.list_resources()
        templates = await client.list_resource_templates()
        table = await client.read_resource(TABLE)
        prompts = await client.list_prompts()
        prompt = await client.get_prompt("explain_a_number", {"document": "a.pdf", "field": "Total"})
        return (
            [str(one.uri) for one in listed.resources],
            [one.uri_template for one in templates.resource_templates],
            table.contents[0].text,  # type: ignore[union-attr]
            f"{len(prompts.prompts)} {prompt.messages[0].content.text}",  # type: ignore[union-attr]
        )


@pytest.mark.parametrize("mode", ["auto", CURRENT, "legacy"])
def test_the_sdks_client_lists_reads_and_gets(shared: Agent, document: str, mode: str) -> None:
    listed, templates, table, prompt = asyncio.run(_session(shared, mode))
    assert {TABLE, LINES} <= {*listed}
    assert templates == ["docduck://documents/{documentId}", "docduck://tables/{schema}/{table}"]
    assert "document_id" in table
    assert prompt.startswith("3 Explain the value of this field: Total")


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_table_is_read_as_csv(shared: Agent, document: str, revision: str) -> None:
    shared.revision = revision
    listed = answered(shared.ask("resources/list"))["result"]["resources"]
    (shown,) = [one for one in listed if one["uri"] == TABLE]
    assert (shown["name"], shown["mimeType"]) == ("invoices.documents", "text/csv")
    assert "number" in shown["description"]
    content = read(shared, TABLE)
    (row,) = csv.DictReader(io.StringIO(content["text"]))
    assert (row["document_id"], row["number"]) == (document, "'=A-1")
    assert (content["mimeType"], content["_meta"]) == ("text/csv", {UNTRUSTED: True, CUT: False})


def test_a_long_table_is_cut(lite: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    document = filled(lite, rows=MOST_ROWS + 1)
    content = read(lite, LINES)
    assert len([*csv.DictReader(io.StringIO(content["text"]))]) == MOST_ROWS
    assert content["_meta"][CUT]
    content = read(lite, f"docduck://documents/{document}")
    assert len(json.loads(content["text"])["data"]["Line Items"]) == MOST_ROWS
    assert content["_meta"][CUT]
    monkeypatch.setattr(resources, "_MOST_CHARACTERS", 1000)
    content = read(lite, LINES)
    assert (len(content["text"]) < 1500, content["_meta"][CUT]) == (True, True)


def test_a_document_is_read_as_json(shared: Agent, document: str) -> None:
    content = read(shared, f"docduck://documents/{document}")
    shown = json.loads(content["text"])
    assert (shown["id"], shown["name"], shown["status"]) == (document, "doc-0.txt", "processed")
    assert shown["data"]["Number"] == "=A-1"
    assert shown["data"]["Line Items"][1] == {"Description": "item 1", "Amount": 1.0}
    assert (content["mimeType"], content["_meta"]) == ("application/json", {UNTRUSTED: True, CUT: False})


def test_others_see_and_read_nothing(shared: Agent, document: str) -> None:
    stranger = shared.stranger()
    assert answered(stranger.ask("resources/list"))["result"]["resources"] == []
    assert problem(stranger, "resources/read", uri=TABLE) == "There is no table invoices.documents"
    assert problem(stranger, "resources/read", uri=f"docduck://documents/{document}") == "Document not found"


def test_a_scope_that_is_missing_can_be_asked_for(shared: Agent, document: str) -> None:
    uri_of = f"docduck://documents/{document}"
    for uri, missing, other in (
        (TABLE, "exports:read", uri_of),
        (uri_of, "documents:read", TABLE),
    ):
        limited = shared.other(scopes=ALL - {missing})
        refused = limited.ask("resources/read", uri=uri)
        assert refused.status_code == 403
        challenge = refused.headers["www-authenticate"]
        assert 'error="insufficient_scope"' in challenge and missing in challenge
        assert read(limited, other)["text"]


def test_listing_asks_for_nothing(shared: Agent, document: str) -> None:
    limited = shared.other(scopes=ALL - {"exports:read"})
    assert answered(limited.ask("resources/list"))["result"]["resources"] == []


def test_what_the_role_forbids_is_denied(shared: Agent, document: str) -> None:
    reviewer = shared.other("reviewer")
    assert problem(reviewer, "resources/read", uri=TABLE) == "Access denied"
    assert read(reviewer, f"docduck://documents/{document}")["text"]


def test_the_list_comes_in_pages(shared: Agent, document: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = answered(shared.ask("resources/list"))["result"]["resources"]
    monkeypatch.setattr(resources, "PAGE", 1)
    found, cursor = [], None
    for _ in whole:
        page = answered(shared.ask("resources/list", **({"cursor": cursor} if cursor else {})))["result"]
        (one,) = page["resources"]
        found.append(one)
        cursor = page.get("nextCursor")
    assert (found, cursor) == (whole, None)
    for wrong in ("x", "-1", "1" * 20):
        assert problem(shared, "resources/list", cursor=wrong) == "cursor is none of this server's"


def test_other_addresses_lead_nowhere(shared: Agent, document: str) -> None:
    for uri in (
        "docduck://tables/invoices/nothing",
        "docduck://tables/nothing/documents",
        "docduck://tables/_docduck/documents",
        'docduck://tables/invoices/documents" --',
        "docduck://tables/invoices",
        "docduck://tables/../documents",
        "docduck://documents/x",
        "docduck://documents/00000000-0000-7000-8000-000000000000",
        f"docduck://documents/{'-' * 36}",
        "file:///etc/passwd",
        "https://example.com/",
    ):
        told = problem(shared, "resources/read", uri=uri)
        assert told.startswith("There is no ") or told == "Document not found", uri


def test_a_defect_is_not_shown(shared: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(resources, "team_tables", broken)
    shared.revision = PREVIOUS
    for answer in (shared.ask("resources/list"), shared.ask("resources/read", uri=TABLE)):
        error = answered(answer)["error"]
        assert (error["code"], error["message"]) == (-32603, "Internal server error")
