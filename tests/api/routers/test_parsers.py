"""Parsers over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from docduck import templates
from docduck.api.schemas.parsers import NewParser, ParserUpdate
from docduck.catalog.models import Document, Parser
from docduck.client.resources import ParserSettings as ClientSettings
from docduck.documents.detection.file_types import labels
from docduck.ids import is_uuid
from docduck.service.parsers.settings_schema import ParserSettings
from tests.api.request.hostile import nothing_changes, refused
from tests.server.served import FIELDS, Api

KEYS = {
    *("id", "name", "description", "type", "slug", "templateKey", "isActive", "acceptedFileTypes"),
    *("settings", "createdAt", "updatedAt", "counts", "fieldCount"),
}
WHOLE = KEYS | {"fields", "emailAddress", "reviewStages", "warehouseColumns", "version"}
ALL_TYPES = [{"mimeType": kind, "label": label} for kind, label in labels().items()]
DEFAULTS: dict[str, Any] = {
    "acceptedFileTypes": ALL_TYPES,
    "confidenceScores": {"enabled": True},
    "markdownParsing": {"enabled": False},
    "advancedTableExtraction": "auto",
    "dataExtractionMode": "balanced",
    "modelUse": None,
    "model": None,
    "splitDocuments": {
        "enabled": False,
        "mode": "everyXPages",
        "everyXPages": None,
        "pageRanges": None,
        "instructions": None,
        "partitionKey": None,
        "partitionKeySource": "parserField",
    },
    "classificationGate": {
        "enabled": False,
        "mode": "allow",
        "labels": [],
        "instructions": None,
        "costPerDocument": 0,
    },
    "emailParsing": {
        "parseEmailBody": None,
        "mergeEmailAttachments": False,
        "includeEmailSubjectBody": True,
        "attachmentFileTypes": [],
        "senderFilter": {"mode": "disabled", "rules": []},
    },
    "parsePages": "",
    "readingLocale": {
        "decimalSeparator": "auto",
        "dateOrder": "auto",
        "language": "auto",
        "timeZone": "auto",
    },
    "documentNameTemplate": None,
    "duplicateKeys": [],
    "unsureBelow": 0.9,
    "retentionDays": None,
}

SETTINGS: dict[str, Any] = {
    "confidenceScores": {"enabled": False},
    "markdownParsing": {"enabled": True},
    "advancedTableExtraction": "enabled",
    "dataExtractionMode": "accurate",
    "modelUse": "never",
    "model": None,
    "parsePages": "1-3, last-1,2n+1",
    "readingLocale": {"decimalSeparator": ",", "dateOrder": "day_first", "language": "de", "timeZone": "UTC"},
    "emailParsing": {
        "parseEmailBody": False,
        "mergeEmailAttachments": True,
        "includeEmailSubjectBody": False,
        "attachmentFileTypes": ["application/pdf", ".png"],
        "senderFilter": {"mode": "allow", "rules": [{"type": "domain", "value": "x.org"}]},
    },
    "classificationGate": {
        "enabled": True,
        "mode": "block",
        "labels": ["Flyer", "Spam"],
        "instructions": "no ads",
        "costPerDocument": 0.5,
    },
    "splitDocuments": {
        "enabled": True,
        "mode": "partitionKey",
        "everyXPages": 3,
        "pageRanges": "1-3,4,5-",
        "instructions": "by number",
        "partitionKey": "No.",
        "partitionKeySource": "parserField",
    },
    "documentNameTemplate": "Bill {No.}",
    "duplicateKeys": ["No."],
    "unsureBelow": 0.75,
    "retentionDays": 30,
}
"""All settings but the accepted types and the model, none at its default; they need a field ``No.``."""


def made(api: Api, **body: Any) -> Any:
    answer = api.post("/parsers", json={"name": "Invoices", **body})
    assert answer.status_code == 201, answer.text
    return answer.json()


def names(api: Api, **query: Any) -> list[str]:
    answer = api.get("/parsers", params=query)
    assert answer.status_code == 200, answer.text
    return [one["name"] for one in answer.json()["data"]]


def test_create_and_get(shared: Api) -> None:
    parser = made(shared, name=" Größe/規模 & more ", description="What we owe")
    assert set(parser) == WHOLE
    assert is_uuid(parser["id"])
    assert parser == {
        **parser,
        "name": "Größe/規模 & more",
        "description": "What we owe",
        "type": "document",
        "templateKey": None,
        "isActive": True,
        "acceptedFileTypes": ALL_TYPES,
        "settings": DEFAULTS,
        "counts": {"totalDocuments": 0, "folders": 0},
        "fields": [],
        "emailAddress": None,
        "reviewStages": [],
    }
    assert shared.get(f"/parsers/{parser['id'].upper()}").json() == parser
    twin = made(shared, name=parser["name"])
    assert twin["slug"] != parser["slug"]


def test_create_with_fields_or_from_a_template(shared: Api) -> None:
    fields = [
        {"name": "Number", "required": True, "id": "no-1"},
        {"name": "Kind", "type": "choice", "options": ["a", "b"]},
        {"type": "table", "columns": [{"name": "Item"}, {"name": "Price", "type": "currency"}]},
        {},
    ]
    shown = made(shared, fields=fields)["fields"]
    assert [one["name"] for one in shown] == ["Number", "Kind", "Field", "Field 2"]
    assert [one["position"] for one in shown] == [0, 1, 2, 3]
    assert (shown[0]["id"], shown[0]["required"]) == ("no-1", True)
    assert [column["name"] for column in shown[2]["columns"]] == ["Item", "Price"]
    parser = made(shared, templateKey="invoice", dataExtractionMode="fast")
    assert (parser["name"], parser["templateKey"]) == ("Invoices", "invoice")
    assert "Invoice Number" in [one["name"] for one in parser["fields"]]
    assert parser["settings"] == {**DEFAULTS, "dataExtractionMode": "fast"}
    assert made(shared, templateKey="invoice", description="", fields=[])["fields"] == []


def test_all_settings_are_given_at_once_or_later(shared: Api) -> None:
    fields = [{"name": "No.", "id": "no"}]
    whole = {**SETTINGS, "isActive": False, "acceptedFileTypes": ["image/PNG", "application/x-own"]}
    types = [
        {"mimeType": "image/png", "label": "PNG image"},
        {"mimeType": "application/x-own", "label": "application/x-own"},
    ]
    at_once = made(shared, fields=fields, **whole)
    assert at_once["settings"] == {"acceptedFileTypes": types, **SETTINGS, "duplicateKeys": ["no"]}
    assert (at_once["isActive"], at_once["acceptedFileTypes"]) == (False, types)
    assert shared.get(f"/parsers/{at_once['id']}").json() == at_once
    path = f"/parsers/{made(shared, fields=[{'name': 'No.', 'id': 'n2'}])['id']}"
    later = shared.patch(path, json={**whole, "name": " Bills ", "description": ""}).json()
    assert later["settings"] == {**at_once["settings"], "duplicateKeys": ["n2"]}
    assert (later["name"], later["description"], later["isActive"]) == ("Bills", "", False)
    assert shared.patch(path, json={}).json() == later == shared.get(path).json()
    changes: dict[str, Any] = {
        "acceptedFileTypes": [],
        "parsePages": None,
        "emailParsing": {"senderFilter": {"rules": []}},
        "splitDocuments": {"everyXPages": None, "mode": "smart"},
        "retentionDays": None,
    }
    merged = shared.patch(path, json=changes).json()["settings"]
    mail = {**SETTINGS["emailParsing"], "senderFilter": {"mode": "allow", "rules": []}}
    assert merged == {
        **{**later["settings"], "acceptedFileTypes": ALL_TYPES, "parsePages": "", "emailParsing": mail},
        "splitDocuments": {**SETTINGS["splitDocuments"], "everyXPages": None, "mode": "ai"},
        "retentionDays": None,
    }


def test_whatever_can_be_changed_can_be_given_at_once() -> None:
    assert ParserUpdate.model_fields.keys() <= NewParser.model_fields.keys()
    own = {"name", "description"}
    assert ParserSettings.model_fields.keys() == ParserUpdate.model_fields.keys() - {*own, "is_active"}
    assert ClientSettings.__annotations__.keys() == ParserUpdate.model_fields.keys() - own


@pytest.mark.parametrize(
    ("body", "message", "place"),
    [
        ({"name": None}, "name: must be a string", "name"),
        ({"name": " \t"}, "name: must not be blank", "name"),
        ({"name": "x" * 256}, "name: must have at most 255 characters", "name"),
        ({"description": 5}, "description: must be a string", "description"),
        ({"isActive": None}, "isActive: must be true or false", "isActive"),
        ({"acceptedFileTypes": [5]}, "acceptedFileTypes.0: must be a string", "acceptedFileTypes.0"),
        ({"markdownParsing": {"on": True}}, "Unknown property: on", "markdownParsing.on"),
        (
            {"dataExtractionMode": "Fast"},
            "dataExtractionMode: must be 'fast', 'balanced' or 'accurate'",
            "dataExtractionMode",
        ),
        (
            {"advancedTableExtraction": None},
            "advancedTableExtraction: must be 'disabled', 'auto' or 'enabled'",
            "advancedTableExtraction",
        ),
        (
            {"splitDocuments": {"partitionKey": "Sum"}},
            "splitDocuments.partitionKey: the parser has no field 'Sum'",
            "splitDocuments.partitionKey",
        ),
        (
            {"emailParsing": {"senderFilter": {"rules": [{"type": "domain", "value": "a@b.c"}]}}},
            "emailParsing.senderFilter.rules.0: 'a@b.c' is no domain such as example.com",
            "emailParsing.senderFilter.rules.0",
        ),
    ],
)
def test_wrong_parsers_and_changes(shared: Api, body: dict[str, Any], message: str, place: str) -> None:
    parser_id = made(shared)["id"]
    with nothing_changes(shared):
        for answer in (
            shared.post("/parsers", json={"name": "a", **body}),
            shared.patch(f"/parsers/{parser_id}", json={"description": "x", **body}),
        ):
            assert refused(answer, 400, message)["details"][0]["path"] == place


@pytest.mark.parametrize(
    ("body", "message", "place"),
    [
        ({}, "name: is required", "name"),
        ({"type": "Document"}, "Unsupported parser type: Document. Supported: document", "type"),
        (
            {"templateKey": "x"},
            f"Unknown templateKey: x. Known: {', '.join(templates.keys())}",
            "templateKey",
        ),
        ({"fields": {}}, "fields: must be an array", "fields"),
        (
            {"fields": [{"name": "b"}, {"name": "c", "type": "choice"}]},
            "fields.1: field 'c' is a choice and needs options",
            "fields.1.options",
        ),
        ({"fields": [{"name": "b"}, {"name": "B "}]}, "the parser names 'B' twice", "fields"),
        (
            {"fields": [{"type": "text", "columns": [{"name": "b"}]}]},
            "fields.0: field 'Field' has columns, but its type is text, not table",
            "fields.0.columns",
        ),
    ],
)
def test_wrong_new_parsers(shared: Api, body: dict[str, Any], message: str, place: str) -> None:
    with nothing_changes(shared):
        answer = shared.post("/parsers", json={"name": "a", **body} if body else {})
        assert refused(answer, 400, message)["details"][0]["path"] == place


def test_all_that_is_wrong_is_told(shared: Api) -> None:
    body = {
        "splitDocuments": {"enabled": True, "mode": "pageRanges", "pageRanges": "x"},
        "parsePages": "y",
        "dataExtractionMode": "slow",
        "acceptedFileTypes": ["pdf", 5],
        "emailParsing": {"senderFilter": {"mode": "some"}},
    }
    changed = shared.patch(f"/parsers/{shared.parser()}", json=body).json()["details"]
    assert changed == shared.post("/parsers", json={"name": "a", **body}).json()["details"]
    assert {one["path"] for one in changed} == {
        *("splitDocuments.pageRanges", "parsePages", "dataExtractionMode", "acceptedFileTypes.1"),
        "emailParsing.senderFilter.mode",
    }
    fields = [{"type": "choice"}, {"name": "b"}, {"columns": [{"name": "c"}]}]
    details = shared.post("/parsers", json={"name": "a", "fields": fields}).json()["details"]
    assert [one["path"] for one in details] == ["fields.0.options", "fields.2.columns"]


def test_list(lite: Api) -> None:
    first, *_ = (made(lite, name=name) for name in ("Beta 100%", "alpha", "Gamma"))
    lite.upload(first["id"])
    lite.patch(f"/parsers/{first['id']}", json={"isActive": False})
    folder = lite.post(f"/parsers/{first['id']}/folders", json={"name": "a"}).json()["id"]
    lite.post(f"/parsers/{first['id']}/folders", json={"name": "b", "parentId": folder})
    answer = lite.get("/parsers").json()
    row = answer["data"][2]
    assert set(row) == KEYS
    assert row["settings"].keys() == DEFAULTS.keys() - {"acceptedFileTypes"}
    assert row["acceptedFileTypes"] == ALL_TYPES
    assert row["counts"] == {"totalDocuments": 1, "folders": 2}
    assert row["counts"] == lite.get(f"/parsers/{first['id']}").json()["counts"]
    assert answer["pagination"] == {"page": 1, "limit": 50, "total": 3, "pageCount": 1}
    assert names(lite) == ["Gamma", "alpha", "Beta 100%"]
    assert names(lite, sort="name.asc", q="0%") == ["Beta 100%"]
    assert names(lite, isActive="true", q="m") == ["Gamma"] and names(lite, type="mail") == []
    assert names(lite, type="document", limit=1, page=2) == ["alpha"]
    beyond = lite.get("/parsers", params={"page": 9, "limit": 2}).json()
    assert beyond == {"data": [], "pagination": {"page": 9, "limit": 2, "total": 3, "pageCount": 2}}
    wrong: list[dict[str, Any]] = [
        *({"page": 0}, {"limit": 101}, {"limit": "many"}, {"isActive": "perhaps"}, {"sort": "createdAt"}),
        {"q": "x" * 256},
    ]
    for query in wrong:
        details = refused(lite.get("/parsers", params=query), 400)["details"]
        assert details[0]["path"] == next(iter(query))


def test_duplicate(shared: Api) -> None:
    table = {"name": "Items", "type": "table", "columns": [{"name": "Price", "type": "number"}]}
    original = made(
        shared, name="x" * 255, description="d", fields=[{"name": "Total"}, table], templateKey="receipt"
    )
    where = f"/parsers/{original['id']}"
    changed = shared.patch(where, json={"isActive": False, "parsePages": "1"}).json()
    shared.post(f"{where}/folders", json={"name": "Root"})
    answer = shared.post(f"{where}/duplicate", json={})
    assert answer.status_code == 201
    copy = answer.json()
    assert (copy["name"], copy["counts"]) == ("x" * 248 + " (Copy)", {"totalDocuments": 0, "folders": 1})
    for key in ("description", "type", "settings", "isActive", "templateKey"):
        assert copy[key] == changed[key]
    assert [without_ids(one) for one in copy["fields"]] == [without_ids(one) for one in original["fields"]]
    renamed = shared.post(f"{where}/duplicate", json={"name": " Other ", "description": ""}).json()
    assert (renamed["name"], renamed["description"]) == ("Other", "")
    refused(shared.post(f"{where}/duplicate", json={"name": " "}), 400, "name: must not be blank")


def without_ids(field: dict[str, Any]) -> dict[str, Any]:
    return {**field, "id": None, "columns": [without_ids(one) for one in field["columns"]]}


def test_delete(lite: Api) -> None:
    parser_id, other = lite.parser(), lite.parser("Other")
    document = lite.upload(parser_id)
    link = lite.get(f"/parsers/{parser_id}/documents/{document}").json()["url"]
    answer = lite.delete(f"/parsers/{parser_id}")
    assert (answer.status_code, answer.json()) == (200, {"success": True, "id": parser_id})
    for method, where in (("GET", ""), ("DELETE", ""), ("GET", f"/documents/{document}")):
        missing = refused(lite.request(method, f"/parsers/{parser_id}{where}"), 404, "Parser not found")
        assert missing["notFound"] == [{"type": "parserId", "value": parser_id}]
    refused(lite.get(f"/parsers/{other}/documents/{document}"), 404, "Document not found")
    assert lite.get(link).status_code == 404
    with lite.inst.catalog.read_session() as session:
        assert session.get_one(Document, document).status == "failed", "reading it is cancelled"


def test_a_broken_parser_stops_no_other(lite: Api) -> None:
    sound, broken = lite.parser("Sound"), lite.parser("Broken")
    with lite.inst.catalog.transaction() as session:
        session.execute(update(Parser).where(Parser.id == broken).values(settings={"parsePages": 5}))
    assert names(lite) == ["Broken", "Sound"]
    assert lite.get(f"/parsers/{broken}").json()["settings"] == DEFAULTS
    assert len(lite.get(f"/parsers/{sound}").json()["fields"]) == len(FIELDS)
    assert lite.delete(f"/parsers/{broken}").status_code == 200


def test_an_empty_description_is_null_or_empty(shared: Api) -> None:
    parser_id = shared.parser()
    hook = {"url": "https://example.org/empty", "description": "Ours"}
    made = shared.post(f"/parsers/{parser_id}/webhooks", json=hook)
    field = shared.post(f"/parsers/{parser_id}/fields", json={"name": "Odd", "description": "Ours"})
    assert (made.status_code, field.status_code) == (201, 201)
    paths = [f"/parsers/{parser_id}", f"/parsers/{parser_id}/webhooks/{made.json()['id']}"]
    for path in (*paths, f"/parsers/{parser_id}/fields/Odd"):
        for empty in (None, ""):
            assert shared.patch(path, json={"description": "Ours"}).status_code == 200, path
            answer = shared.patch(path, json={"description": empty})
            assert answer.status_code == 200, (path, answer.text)
            if path in paths:
                assert answer.json()["description"] == ""


def test_accepted_file_types_can_be_sent_as_they_were_read(shared: Api) -> None:
    path = f"/parsers/{shared.parser()}"
    everything = shared.get(path).json()["acceptedFileTypes"]
    two = [{"mimeType": "application/pdf", "label": "PDF"}, {"mimeType": "text/plain"}]
    for sent in (two, ["application/pdf", "text/plain"]):
        shown = shared.patch(path, json={"acceptedFileTypes": sent}).json()["acceptedFileTypes"]
        assert [one["mimeType"] for one in shown] == ["application/pdf", "text/plain"]
        assert shared.patch(path, json={"acceptedFileTypes": shown}).json()["acceptedFileTypes"] == shown
    assert shared.patch(path, json={"acceptedFileTypes": everything}).status_code == 200
    with shared.inst.catalog.read_session() as session:
        stored = session.get_one(Parser, path.removeprefix("/parsers/")).settings
    assert stored.get("acceptedFileTypes", []) == [], "all that can be read, also what is added later"
    for wrong in ([{"label": "PDF"}], [{"mimeType": "application/pdf", "x": 1}], ["application/pdf", two[0]]):
        refused(shared.patch(path, json={"acceptedFileTypes": wrong}), 400)


def test_page_ranges_are_case_sensitive(shared: Api) -> None:
    path = f"/parsers/{shared.parser()}"
    for wrong in ("EVEN", "1-Last", "2N+1"):
        refused(shared.patch(path, json={"parsePages": wrong}), 400)
    assert shared.patch(path, json={"parsePages": "even, 1-last"}).status_code == 200
