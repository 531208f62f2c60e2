"""Parsers over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from docduck import templates
from docduck.api.schemas.parsers import NewParser, ParserUpdate
from docduck.catalog.models import Classifier, ClassifierRule, Parser, ReviewStage
from docduck.client.resources import ParserSettings as ClientSettings
from docduck.documents.detection.file_types import labels
from docduck.ids import is_uuid, new_id
from docduck.service.parsers.settings_schema import ParserSettings
from tests.api.request.hostile import refused
from tests.conftest import MakeInstallation
from tests.server.served import FIELDS, Api, serving

KEYS = {
    *("id", "name", "description", "type", "slug", "templateKey", "isActive", "acceptedFileTypes"),
    *("settings", "createdAt", "updatedAt", "counts", "fieldCount"),
}
WHOLE = KEYS | {"fields", "emailAddress", "reviewStages", "warehouseColumns"}
ALL_TYPES = [{"mimeType": kind, "label": label} for kind, label in labels().items()]
DEFAULTS: dict[str, Any] = {
    "acceptedFileTypes": ALL_TYPES,
    "confidenceScores": {"enabled": True},
    "markdownParsing": {"enabled": False},
    "advancedTableExtraction": "auto",
    "dataExtractionMode": "balanced",
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
    "parsePages": "1-3, last-1,2n+1",
    "readingLocale": {
        "decimalSeparator": ",",
        "dateOrder": "day_first",
        "language": "de",
        "timeZone": "Europe/Berlin",
    },
    "emailParsing": {
        "parseEmailBody": False,
        "mergeEmailAttachments": True,
        "includeEmailSubjectBody": False,
        "attachmentFileTypes": ["application/pdf", ".png"],
        "senderFilter": {
            "mode": "allow",
            "rules": [
                {"type": "email", "value": "ann@example.com"},
                {"type": "domain", "value": "x.org"},
            ],
        },
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
"""All settings but the accepted types, none at its default; they need a field ``No.``."""


FIELDS_TO_NAME = [
    {"name": "Number"},
    {"name": "Tags", "type": "list"},
    {"name": "Line Items", "type": "table", "columns": [{"name": "Item"}]},
]


def made(api: Api, **body: Any) -> Any:
    answer = api.post("/parsers", json={"name": "Invoices", **body})
    assert answer.status_code == 201, answer.text
    return answer.json()


def names(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [one["name"] for one in answer.json()["data"]]


def test_create_and_get(api: Api) -> None:
    parser = made(api, name=" Größe/規模 & more ", description="What we owe")
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
    assert api.get(f"/parsers/{parser['id']}").json() == parser
    assert api.get(f"/parsers/{parser['id'].upper()}").json() == parser


def test_create_with_fields(api: Api) -> None:
    fields = [
        {"name": "Number", "required": True, "id": "no-1"},
        {"name": "Kind", "type": "choice", "options": ["a", "b"]},
        {"type": "table", "columns": [{"name": "Item"}, {"name": "Price", "type": "currency"}]},
        {},
    ]
    parser = made(api, fields=fields, acceptedFileTypes=["application/PDF", "image/png", "application/x-own"])
    shown = parser["fields"]
    assert [one["name"] for one in shown] == ["Number", "Kind", "Field", "Field 2"]
    assert [one["position"] for one in shown] == [0, 1, 2, 3]
    assert (shown[0]["id"], shown[0]["required"]) == ("no-1", True)
    assert [column["name"] for column in shown[2]["columns"]] == ["Item", "Price"]
    types = [
        {"mimeType": "application/pdf", "label": "PDF"},
        {"mimeType": "image/png", "label": "PNG image"},
        {"mimeType": "application/x-own", "label": "application/x-own"},
    ]
    assert parser["acceptedFileTypes"] == parser["settings"]["acceptedFileTypes"] == types


def test_create_with_settings(api: Api) -> None:
    inactive = made(
        api, fields=[{"name": "No."}], isActive=False, acceptedFileTypes=["image/png"], **SETTINGS
    )
    types = [{"mimeType": "image/png", "label": "PNG image"}]
    keys = [inactive["fields"][0]["id"]]
    assert inactive["settings"] == {"acceptedFileTypes": types, **SETTINGS, "duplicateKeys": keys}
    assert (inactive["isActive"], inactive["acceptedFileTypes"]) == (False, types)
    assert api.get(f"/parsers/{inactive['id']}").json() == inactive
    answer = api.post(f"/process/{inactive['id']}/files", files={"file": ("a.png", b"x")})
    refused(answer, 400, "Parser is inactive")
    part = made(api, templateKey="invoice", dataExtractionMode="fast", parsePages=None, acceptedFileTypes=[])
    assert part["settings"] == {**DEFAULTS, "dataExtractionMode": "fast"}
    assert part["acceptedFileTypes"] == ALL_TYPES


def test_whatever_can_be_changed_can_be_given_at_once() -> None:
    assert ParserUpdate.model_fields.keys() <= NewParser.model_fields.keys()
    own = {"name", "description"}
    assert ParserSettings.model_fields.keys() == ParserUpdate.model_fields.keys() - {*own, "is_active"}
    assert ClientSettings.__annotations__.keys() == ParserUpdate.model_fields.keys() - own


def test_create_from_a_template(api: Api) -> None:
    parser = made(api, templateKey="invoice", name="Mine")
    assert (parser["name"], parser["templateKey"]) == ("Mine", "invoice")
    assert "Invoice Number" in [one["name"] for one in parser["fields"]]
    assert made(api, templateKey="invoice", description="", fields=[])["fields"] == []


def test_names_may_be_the_same(api: Api) -> None:
    one, two = made(api, name="x" * 255), made(api, name="x" * 255)
    assert one["name"] == two["name"] == "x" * 255
    assert one["slug"] != two["slug"]


@pytest.mark.parametrize(
    ("body", "message", "place"),
    [
        ({}, "name: is required", "name"),
        ({"name": None}, "name: must be a string", "name"),
        ({"name": 5}, "name: must be a string", "name"),
        ({"name": " \t"}, "name: must not be blank", "name"),
        ({"name": "a\nb"}, "name: must not hold control characters", "name"),
        ({"name": "x" * 256}, "name: must have at most 255 characters", "name"),
        ({"name": "a", "description": None}, "description: must be a string", "description"),
        (
            {"name": "a", "type": "Document"},
            "Unsupported parser type: Document. Supported: document",
            "type",
        ),
        (
            {"name": "a", "templateKey": "invoices"},
            f"Unknown templateKey: invoices. Known: {', '.join(templates.keys())}",
            "templateKey",
        ),
        (
            {"name": "a", "acceptedFileTypes": ["pdf"]},
            "acceptedFileTypes: 'pdf' is no MIME type such as application/pdf",
            "acceptedFileTypes",
        ),
        (
            {"name": "a", "acceptedFileTypes": [{"mimeType": "application/pdf", "label": "PDF"}]},
            "acceptedFileTypes.0: must be a string",
            "acceptedFileTypes.0",
        ),
        ({"name": "a", "fields": {}}, "fields: must be an array", "fields"),
        (
            {"name": "a", "fields": [{"name": "b"}, {"name": "c", "type": "choice"}]},
            "fields.1: field 'c' is a choice and needs options",
            "fields.1.options",
        ),
        ({"name": "a", "fields": [{"name": "b"}, {"name": "B "}]}, "the parser names 'B' twice", "fields"),
        (
            {"name": "a", "fields": [{"id": "x", "name": "b"}, {"id": "x", "name": "c"}]},
            "the parser has the id 'x' twice",
            "fields",
        ),
        (
            {"name": "a", "fields": [{"type": "table", "columns": [{"name": "b", "type": "table"}]}]},
            "fields.0.columns.0.type: must be 'text', 'number', 'date', 'boolean', 'currency', "
            "'choice' or 'list'",
            "fields.0.columns.0.type",
        ),
        (
            {"name": "a", "fields": [{"type": "text", "columns": [{"name": "b"}]}]},
            "fields.0: field 'Field' has columns, but its type is text, not table",
            "fields.0.columns",
        ),
    ],
)
def test_wrong_new_parsers(shared: Api, body: dict[str, Any], message: str, place: str) -> None:
    before = shared.get("/parsers").json()
    details = refused(shared.post("/parsers", json=body), 400, message)["details"]
    assert details[0]["path"] == place
    assert shared.get("/parsers").json() == before


def test_all_wrong_fields_are_told(shared: Api) -> None:
    body = {"name": "a", "fields": [{"type": "choice"}, {"name": "b"}, {"columns": [{"name": "c"}]}]}
    details = shared.post("/parsers", json=body).json()["details"]
    assert [one["path"] for one in details] == ["fields.0.options", "fields.2.columns"]


def test_bodies_that_are_none(shared: Api) -> None:
    json_type = {"Content-Type": "application/json"}
    assert shared.post("/parsers").status_code == 400
    assert shared.post("/parsers", json=[]).status_code == 400
    assert shared.post("/parsers", content=b"{", headers=json_type).status_code == 400
    assert shared.post("/parsers", content=b'{"name": "a\\u0000"}', headers=json_type).status_code == 400
    assert shared.post("/parsers", content=b'{"name": "a\\ud800"}', headers=json_type).status_code == 400


def test_a_parser_may_have_so_many_fields(make_installation: MakeInstallation) -> None:
    with serving(make_installation(max_fields=3)) as api:
        fields = [{"name": "a"}, {"name": "t", "type": "table", "columns": [{"name": "b"}]}]
        parser = made(api, fields=fields)
        words = "A parser may have 3 fields, columns included"
        more = [*fields, {"name": "c"}]
        refused(api.post("/parsers", json={"name": "x", "fields": more}), 400, words)
        refused(api.post(f"/parsers/{parser['id']}/fields", json={}), 400, words)
        columns = {"columns": [{"name": "b"}, {"name": "d"}]}
        refused(api.patch(f"/parsers/{parser['id']}/fields/t", json=columns), 400, words)


def test_list(api: Api) -> None:
    first, *_ = (made(api, name=name) for name in ("Beta 100%", "alpha", "Gamma"))
    assert api.patch(f"/parsers/{first['id']}", json={"isActive": False}).status_code == 200
    answer = api.get("/parsers").json()
    assert set(answer["data"][0]) == KEYS
    assert answer["data"][0]["settings"].keys() == DEFAULTS.keys() - {"acceptedFileTypes"}
    assert all(row["acceptedFileTypes"] == ALL_TYPES for row in answer["data"])
    assert answer["pagination"] == {"page": 1, "limit": 50, "total": 3, "pageCount": 1}
    assert names(api.get("/parsers")) == ["Gamma", "alpha", "Beta 100%"]
    assert names(api.get("/parsers", params={"sort": "createdAt.asc"})) == ["Beta 100%", "alpha", "Gamma"]
    assert names(api.get("/parsers", params={"sort": "updatedAt.desc"}))[0] == "Beta 100%"
    assert names(api.get("/parsers", params={"sort": "updatedAt.asc"}))[-1] == "Beta 100%"
    assert names(api.get("/parsers", params={"sort": "name.asc"})) == ["alpha", "Beta 100%", "Gamma"]
    assert names(api.get("/parsers", params={"sort": "name.desc"})) == ["Gamma", "Beta 100%", "alpha"]
    assert names(api.get("/parsers", params={"q": "A"})) == ["Gamma", "alpha", "Beta 100%"]
    assert names(api.get("/parsers", params={"q": "0%"})) == ["Beta 100%"]
    assert names(api.get("/parsers", params={"q": "_"})) == []
    assert names(api.get("/parsers", params={"isActive": "false"})) == ["Beta 100%"]
    assert names(api.get("/parsers", params={"isActive": "true", "q": "m"})) == ["Gamma"]
    assert names(api.get("/parsers", params={"type": "document", "limit": 1, "page": 2})) == ["alpha"]
    assert names(api.get("/parsers", params={"type": "mail"})) == []
    beyond = api.get("/parsers", params={"page": 9, "limit": 2}).json()
    assert beyond == {"data": [], "pagination": {"page": 9, "limit": 2, "total": 3, "pageCount": 2}}


def test_names_are_sorted_whatever_their_case(api: Api) -> None:
    for name in ("Beta 100%", "alpha", "Gamma"):
        made(api, name=name)
    for name in ("Äpfel", "zebra", "STRASSE 2", "ähren", "Straße 1"):
        made(api, name=name)
    sorted_names = ["alpha", "Beta 100%", "Gamma", "Straße 1", "STRASSE 2", "zebra", "ähren", "Äpfel"]
    assert names(api.get("/parsers", params={"sort": "name.asc"})) == sorted_names
    assert names(api.get("/parsers", params={"sort": "name.desc"})) == sorted_names[::-1]
    assert names(api.get("/parsers", params={"q": "STRASSE", "sort": "name.asc"})) == sorted_names[3:5]


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ({"page": 0}, "page"),
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"isActive": "perhaps"}, "isActive"),
        ({"sort": "createdAt"}, "sort"),
        ({"q": "x" * 256}, "q"),
    ],
)
def test_wrong_queries(shared: Api, query: dict[str, Any], place: str) -> None:
    answer = shared.get("/parsers", params=query)
    assert answer.status_code == 400
    assert answer.json()["details"][0]["path"] == place


def test_counts(api: Api) -> None:
    parser_id = api.parser()
    api.upload(parser_id)
    api.upload(parser_id, b"another")
    folder = api.post(f"/parsers/{parser_id}/folders", json={"name": "a"}).json()["id"]
    api.post(f"/parsers/{parser_id}/folders", json={"name": "b", "parentId": folder})
    counts = {"totalDocuments": 2, "folders": 2}
    assert api.get(f"/parsers/{parser_id}").json()["counts"] == counts
    assert api.get("/parsers").json()["data"][0]["counts"] == counts


def test_update(api: Api) -> None:
    parser = made(api, fields=[{"name": "No."}, {"name": "T", "type": "table", "columns": [{"name": "c"}]}])

    def change(**body: Any) -> Any:
        answer = api.patch(f"/parsers/{parser['id']}", json=body)
        assert answer.status_code == 200, answer.text
        assert answer.json() == api.get(f"/parsers/{parser['id']}").json()
        return answer.json()

    assert change() == parser
    changed = change(name=" Bills ", description="", isActive=False)
    assert (changed["name"], changed["description"], changed["isActive"]) == ("Bills", "", False)
    assert (changed["slug"], changed["settings"]) == (parser["slug"], DEFAULTS)
    shown = change(**SETTINGS)["settings"]
    assert shown == {"acceptedFileTypes": ALL_TYPES, **SETTINGS, "duplicateKeys": [parser["fields"][0]["id"]]}
    assert change(parsePages=None)["settings"]["parsePages"] == ""
    assert change(acceptedFileTypes=["image/png"])["acceptedFileTypes"] == [
        {"mimeType": "image/png", "label": "PNG image"}
    ]
    assert change(acceptedFileTypes=[])["acceptedFileTypes"] == ALL_TYPES
    merged = change(
        emailParsing={"senderFilter": {"rules": []}, "attachmentFileTypes": []},
        classificationGate={"labels": ["Memo"]},
        splitDocuments={"partitionKey": "T.c", "everyXPages": None},
    )["settings"]
    assert merged["emailParsing"] == {
        **SETTINGS["emailParsing"],
        "senderFilter": {"mode": "allow", "rules": []},
        "attachmentFileTypes": [],
    }
    assert merged["classificationGate"] == {**SETTINGS["classificationGate"], "labels": ["Memo"]}
    assert merged["splitDocuments"]["partitionKey"] == "T.c"
    assert merged["splitDocuments"]["everyXPages"] is None
    unset = change(splitDocuments={"pageRanges": None, "instructions": ""})["settings"]["splitDocuments"]
    assert (unset["pageRanges"], unset["instructions"]) == (None, None)
    number = parser["fields"][0]["id"]
    mine = {"documentNameTemplate": "Bill {no.}", "duplicateKeys": ["NO."], "retentionDays": 3650}
    kept = change(**mine)["settings"]
    assert {key: kept[key] for key in mine} == {**mine, "duplicateKeys": [number]}
    assert change(duplicateKeys=[number])["settings"]["duplicateKeys"] == [number]
    cleared = change(documentNameTemplate=None, duplicateKeys=[], retentionDays=None)["settings"]
    assert [cleared[key] for key in mine] == [None, [], None]
    custom = {"partitionKey": "account number", "partitionKeySource": "custom"}
    assert change(splitDocuments=custom)["settings"]["splitDocuments"]["partitionKeySource"] == "custom"


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ({"splitDocuments": {"mode": "smart"}}, "ai"),
        ({"splitDocuments": {"mode": "auto"}}, "ai"),
        ({"classificationGate": {"mode": "deny"}}, "block"),
        ({"classificationGate": {"mode": "skip"}}, "block"),
        ({"classificationGate": {"mode": "exclude"}}, "block"),
        ({"emailParsing": {"senderFilter": {"mode": "allowlist"}}}, "allow"),
        ({"emailParsing": {"senderFilter": {"mode": "whitelist"}}}, "allow"),
        ({"emailParsing": {"senderFilter": {"mode": "blocklist"}}}, "block"),
        ({"emailParsing": {"senderFilter": {"mode": "blacklist"}}}, "block"),
        ({"emailParsing": {"senderFilter": {"mode": "deny"}}}, "block"),
    ],
)
def test_synonyms(shared: Api, body: dict[str, Any], shown: str) -> None:
    answer = shared.patch(f"/parsers/{shared.parser()}", json=body)
    ((key, given),) = body.items()
    found = answer.json()["settings"][key]
    assert (found["senderFilter"] if "senderFilter" in given else found)["mode"] == shown


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"name": None}, "name: must be a string", "name"),
    ({"description": None}, "description: must be a string", "description"),
    ({"isActive": "yes"}, "isActive: must be true or false", "isActive"),
    ({"isActive": None}, "isActive: must be true or false", "isActive"),
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
    ({"confidenceScores": True}, "confidenceScores: must be an object", "confidenceScores"),
    (
        {"markdownParsing": {"enabled": 1}},
        "markdownParsing.enabled: must be true or false",
        "markdownParsing.enabled",
    ),
    ({"markdownParsing": {"on": True}}, "Unknown property: on", "markdownParsing.on"),
    (
        {"parsePages": "0-2"},
        "parsePages: '0-2' is not a page or page range; write pages like 1, 2-4, 5-, last, odd, even or 2n+1",
        "parsePages",
    ),
    ({"parsePages": 3}, "parsePages: must be a string", "parsePages"),
    (
        {"splitDocuments": {"enabled": True}},
        "splitDocuments.everyXPages: mode 'everyXPages' needs it",
        "splitDocuments.everyXPages",
    ),
    (
        {"splitDocuments": {"everyXPages": 0}},
        "splitDocuments.everyXPages: must be at least 1",
        "splitDocuments.everyXPages",
    ),
    (
        {"splitDocuments": {"everyXPages": 2.5}},
        "splitDocuments.everyXPages: must be an integer",
        "splitDocuments.everyXPages",
    ),
    (
        {"splitDocuments": {"mode": "EveryXPages"}},
        "splitDocuments.mode: must be 'everyXPages', 'pageRanges', 'ai' or 'partitionKey'",
        "splitDocuments.mode",
    ),
    (
        {"splitDocuments": {"enabled": True, "mode": "pageRanges"}},
        "splitDocuments.pageRanges: mode 'pageRanges' needs it",
        "splitDocuments.pageRanges",
    ),
    (
        {"splitDocuments": {"partitionKey": "Line Items.Price"}},
        "splitDocuments.partitionKey: the parser has no field 'Line Items.Price'",
        "splitDocuments.partitionKey",
    ),
    (
        {"splitDocuments": {"partitionKeySource": "field"}},
        "splitDocuments.partitionKeySource: must be 'parserField' or 'custom'",
        "splitDocuments.partitionKeySource",
    ),
    ({"splitDocuments": None}, "splitDocuments: must be an object", "splitDocuments"),
    (
        {"classificationGate": {"enabled": True}},
        "classificationGate.labels must not be empty",
        "classificationGate.labels",
    ),
    (
        {"classificationGate": {"labels": [" "]}},
        "classificationGate.labels: labels must not be blank",
        "classificationGate.labels",
    ),
    (
        {"classificationGate": {"costPerDocument": -1}},
        "classificationGate.costPerDocument: must be at least 0",
        "classificationGate.costPerDocument",
    ),
    (
        {"emailParsing": {"senderFilter": {"rules": [{"type": "mail", "value": "a@b.c"}]}}},
        "emailParsing.senderFilter.rules.0.type: must be 'email' or 'domain'",
        "emailParsing.senderFilter.rules.0.type",
    ),
    (
        {"emailParsing": {"senderFilter": {"rules": [{"type": "domain", "value": "a@b.c"}]}}},
        "emailParsing.senderFilter.rules.0: 'a@b.c' is no domain such as example.com",
        "emailParsing.senderFilter.rules.0",
    ),
    (
        {"readingLocale": {"language": "svenska"}},
        "readingLocale.language: must be "
        "'auto', 'cs', 'da', 'de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'pt', 'sv' or 'tr'",
        "readingLocale.language",
    ),
    (
        {"documentNameTemplate": "Invoice {Sum}"},
        "documentNameTemplate: the parser has no field 'Sum'",
        "documentNameTemplate",
    ),
    (
        {"documentNameTemplate": "{Line Items}"},
        "documentNameTemplate: 'Line Items' is a table; name a field with one value",
        "documentNameTemplate",
    ),
    (
        {"documentNameTemplate": "Invoice {Number"},
        "documentNameTemplate: braces must enclose the name of a field, such as {Invoice Number}",
        "documentNameTemplate",
    ),
    (
        {"documentNameTemplate": " "},
        "documentNameTemplate: must not be blank; null leaves documents the names of their files",
        "documentNameTemplate",
    ),
    (
        {"documentNameTemplate": "x" * 501},
        "documentNameTemplate: must have at most 500 characters",
        "documentNameTemplate",
    ),
    (
        {"duplicateKeys": ["Number", "Sum"]},
        "duplicateKeys.1: the parser has no field 'Sum'",
        "duplicateKeys.1",
    ),
    (
        {"duplicateKeys": ["Tags"]},
        "duplicateKeys.0: 'Tags' is a list; name a field with one value",
        "duplicateKeys.0",
    ),
    ({"duplicateKeys": None}, "duplicateKeys: must be an array", "duplicateKeys"),
    (
        {"retentionDays": 0},
        "retentionDays: must be at least 1",
        "retentionDays",
    ),
    (
        {"retentionDays": 3651},
        "retentionDays: must be at most 3650",
        "retentionDays",
    ),
    ({"retentionDays": "30"}, "retentionDays: must be an integer", "retentionDays"),
    (
        {"readingLocale": {"timeZone": "Berlin"}},
        "readingLocale.timeZone: 'Berlin' is no time zone such as Europe/Berlin",
        "readingLocale.timeZone",
    ),
]
"""Properties and settings that are refused, the message, and the place that it names."""


@pytest.mark.parametrize(
    ("body", "message", "place"),
    [
        ({"nane": "a"}, "Unknown property: nane", "nane"),
        ({"settings": {}}, "Unknown property: settings", "settings"),
        ({"type": "document"}, "Unknown property: type", "type"),
        ({"fields": []}, "Unknown property: fields", "fields"),
        *WRONG,
    ],
)
def test_wrong_changes(shared: Api, body: dict[str, Any], message: str, place: str) -> None:
    parser_id = made(shared, fields=FIELDS_TO_NAME)["id"]
    before = shared.get(f"/parsers/{parser_id}").json()
    details = refused(shared.patch(f"/parsers/{parser_id}", json={"description": "x", **body}), 400, message)
    assert details["details"][0]["path"] == place
    assert shared.get(f"/parsers/{parser_id}").json() == before


@pytest.mark.parametrize(("body", "message", "place"), WRONG)
def test_what_is_wrong_in_a_change_is_wrong_at_once(
    shared: Api, body: dict[str, Any], message: str, place: str
) -> None:
    before = shared.get("/parsers").json()
    details = refused(
        shared.post("/parsers", json={"name": "a", "fields": FIELDS_TO_NAME, **body}), 400, message
    )["details"]
    assert details[0]["path"] == place
    assert shared.get("/parsers").json() == before


def test_all_wrong_settings_are_told(shared: Api) -> None:
    body = {
        "splitDocuments": {"enabled": True, "mode": "pageRanges", "pageRanges": "x"},
        "parsePages": "y",
        "dataExtractionMode": "slow",
        "acceptedFileTypes": ["pdf", 5],
        "emailParsing": {"senderFilter": {"mode": "some"}},
    }
    changed = shared.patch(f"/parsers/{shared.parser()}", json=body).json()["details"]
    created = shared.post("/parsers", json={"name": "a", **body}).json()["details"]
    assert changed == created
    assert {one["path"] for one in changed} == {
        "splitDocuments.pageRanges",
        "parsePages",
        "dataExtractionMode",
        "acceptedFileTypes.1",
        "emailParsing.senderFilter.mode",
    }


def test_duplicate(api: Api) -> None:
    fields = [
        {"id": "total", "name": "Total", "type": "currency"},
        {"name": "Kind", "id": "kind"},
        {"name": "Items", "type": "table", "columns": [{"id": "price", "name": "Price", "type": "number"}]},
    ]
    original = made(api, description="d", fields=fields, templateKey="receipt")
    where = f"/parsers/{original['id']}"
    api.patch(where, json={"dataExtractionMode": "fast", "isActive": True, "parsePages": "1"})
    rules = [
        {"field": "Kind", "condition": "extracted_value", "operator": "equals", "value": "total"},
        {"field": "Items.Price", "condition": "exists"},
        {"field": "Kind", "condition": "matches_field", "operator": "equals", "value": "Total"},
        {"field": "$custom.total", "condition": "exists"},
    ]
    body = {"name": "Root", "color": "red", "hasAutoAssign": True, "autoAssignment": {"rules": rules}}
    root = api.post(f"{where}/folders", json=body).json()
    api.post(f"{where}/folders", json={"name": "Below", "parentId": root["id"]})
    with api.inst.catalog.transaction() as session:
        row = session.get(Parser, original["id"])
        assert row is not None
        row.post_processing = {"steps": [1]}
        row.email_address = "in@example.com"
        stage = ReviewStage(
            team_id=row.team_id,
            parser_id=row.id,
            name="Check",
            position=1,
            review_type="conditional",
            rules=[
                {
                    "id": new_id(),
                    "type": "simple",
                    "field": "total",
                    "condition": "extracted_value",
                    "operator": "greater_than",
                    "value": 5,
                    "name": None,
                }
            ],
        )
        session.add(stage)
    api.upload(original["id"])
    original = api.get(where).json()
    assert original["reviewStages"][0]["rules"][0]["name"] == "Total greater than 5"

    answer = api.post(f"{where}/duplicate", json={})
    assert answer.status_code == 201
    copy = answer.json()
    assert copy["name"] == "Invoices (Copy)"
    assert copy["id"] != original["id"]
    assert copy["counts"] == {"totalDocuments": 0, "folders": 2}
    assert copy["emailAddress"] is None
    for key in ("description", "type", "settings", "isActive", "templateKey"):
        assert copy[key] == original[key]
    unlike = {one["id"] for one in original["fields"]} & {one["id"] for one in copy["fields"]}
    assert not unlike
    assert [without_ids(one) for one in copy["fields"]] == [without_ids(one) for one in original["fields"]]
    (stage_shown,) = copy["reviewStages"]
    assert stage_shown["id"] != original["reviewStages"][0]["id"]
    assert {**stage_shown, "id": None} == {**original["reviewStages"][0], "id": None}
    folders = api.get(f"/parsers/{copy['id']}/folders").json()["data"]
    assert [one["pathLabel"] for one in folders] == ["Root", "Root / Below"]
    assert [one["documentCount"] for one in folders] == [0, 0]
    assert folders[0]["autoAssignment"] == root["autoAssignment"]
    assert (folders[0]["color"], folders[0]["hasAutoAssign"]) == ("red", True)
    with api.inst.catalog.read_session() as session:
        made_row = session.get(Parser, copy["id"])
        assert made_row is not None
        assert made_row.post_processing == {"steps": [1]}
    assert api.get(where).json() == original
    # A renamed field of the copy is renamed in its rules: they name the copy's own fields.
    api.patch(f"/parsers/{copy['id']}/fields/Total", json={"name": "Sum"})
    again = api.get(f"/parsers/{copy['id']}").json()
    assert again["reviewStages"][0]["rules"][0]["field"] == "Sum"
    rules_shown = api.get(f"/parsers/{copy['id']}/folders").json()["data"][0]["autoAssignment"]["rules"]
    assert [(one["field"], one["value"]) for one in rules_shown] == [
        ("Kind", "total"),
        ("Items.Price", None),
        ("Kind", "Sum"),
        ("$custom.total", None),
    ]


def without_ids(field: dict[str, Any]) -> dict[str, Any]:
    return {**field, "id": None, "columns": [without_ids(one) for one in field["columns"]]}


def test_duplicate_under_another_name(api: Api) -> None:
    long = made(api, name="x" * 255, description="d")
    where = f"/parsers/{long['id']}/duplicate"
    assert api.post(where).json()["name"] == "x" * 248 + " (Copy)"
    copy = api.post(where, json={"name": " Other ", "description": "e"}).json()
    assert (copy["name"], copy["description"]) == ("Other", "e")
    assert api.post(where, json={"description": ""}).json()["description"] == ""
    refused(api.post(where, json={"id": new_id()}), 400, "Unknown property: id")
    refused(api.post(where, json={"name": " "}), 400, "name: must not be blank")


def test_delete(api: Api) -> None:
    parser_id = api.parser()
    document = api.upload(parser_id)
    folder = api.post(f"/parsers/{parser_id}/folders", json={"name": "a"}).json()["id"]
    api.process(parser_id)
    link = api.get(f"/parsers/{parser_id}/documents/{document}").json()["url"]
    assert api.get(link).status_code == 200
    answer = api.delete(f"/parsers/{parser_id}")
    assert (answer.status_code, answer.json()) == (200, {"success": True, "id": parser_id})
    calls: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "", {}),
        ("PATCH", "", {"json": {}}),
        ("DELETE", "", {}),
        ("POST", "/duplicate", {}),
        ("GET", "/fields", {}),
        ("GET", "/folders", {}),
        ("GET", f"/folders/{folder}", {}),
        ("GET", "/documents", {}),
        ("GET", f"/documents/{document}", {}),
        ("DELETE", f"/documents/{document}", {}),
    ]
    for method, where, how in calls:
        missing = refused(api.request(method, f"/parsers/{parser_id}{where}", **how), 404, "Parser not found")
        assert missing["notFound"] == [{"type": "parserId", "value": parser_id}]
    data = api.get(f"/process/{parser_id}/files/data", params={"documentId": document})
    refused(data, 404, "Parser not found")
    other = api.parser("Other")
    refused(api.get(f"/parsers/{other}/documents/{document}"), 404, "Document not found")
    assert api.get(link).status_code == 404
    assert names(api.get("/parsers")) == ["Other"]


def test_delete_what_classifiers_route_to(api: Api) -> None:
    by_rule, by_fallback, free = api.parser("A"), api.parser("B"), api.parser("C")
    with api.inst.catalog.transaction() as session:
        team = {"team_id": api.inst.team_id}
        sorter = Classifier(
            **team, name="Sorter", slug="sorter", accepted_file_types=[], fallback_parser_id=by_fallback
        )
        mail = Classifier(**team, name="Mail", slug="mail", accepted_file_types=[])
        session.add_all([sorter, mail])
        session.flush()
        rule = {"label": "x", "target_parser_id": by_rule, "position": 0}
        session.add_all(ClassifierRule(classifier_id=one.id, **team, **rule) for one in (sorter, mail))
    refused(
        api.delete(f"/parsers/{by_rule}"),
        409,
        "Parser is a target of classifiers: Mail, Sorter; change their rules first",
    )
    refused(
        api.delete(f"/parsers/{by_fallback}"),
        409,
        "Parser is a target of classifiers: Sorter; change their rules first",
    )
    assert api.delete(f"/parsers/{free}").status_code == 200
    with api.inst.catalog.transaction() as session:
        session.execute(update(Classifier).values(deleted_at=sorter.created_at))
    assert api.delete(f"/parsers/{by_rule}").status_code == 200


def test_a_broken_parser_stops_no_other(lite: Api) -> None:
    sound, broken = lite.parser("Sound"), lite.parser("Broken")
    with lite.inst.catalog.transaction() as session:
        session.execute(update(Parser).where(Parser.id == broken).values(settings={"parsePages": 5}))
    assert names(lite.get("/parsers")) == ["Broken", "Sound"]
    assert lite.get(f"/parsers/{broken}").json()["settings"] == DEFAULTS
    assert len(lite.get(f"/parsers/{sound}").json()["fields"]) == len(FIELDS)
    assert lite.delete(f"/parsers/{broken}").status_code == 200


def test_ids_and_methods(shared: Api) -> None:
    gone = new_id()
    missing = refused(shared.get(f"/parsers/{gone}"), 404, "Parser not found")
    assert missing["notFound"] == [{"type": "parserId", "value": gone}]
    for where in ("nothing", "5", gone.replace("-", "")):
        refused(shared.get(f"/parsers/{where}"), 400, "Invalid parserId")
    answer = shared.put("/parsers", json={})
    refused(answer, 405, "Method not allowed")
    assert answer.headers["Allow"] == "GET, HEAD, POST"


def test_who_may(api: Api) -> None:
    parser_id = api.parser()
    calls: list[tuple[str, str, dict[str, Any], str]] = [
        ("GET", f"/parsers/{parser_id}", {}, "parsers:read"),
        ("PATCH", f"/parsers/{parser_id}", {"json": {"name": "b"}}, "parsers:write"),
        ("POST", f"/parsers/{parser_id}/duplicate", {}, "parsers:write"),
        ("DELETE", f"/parsers/{parser_id}", {}, "parsers:write"),
    ]
    both: list[tuple[str, str, dict[str, Any], str]] = [
        ("GET", "/parsers", {}, "parsers:read"),
        ("POST", "/parsers", {"json": {"name": "b"}}, "parsers:write"),
    ]
    other = api.parser("Other")
    for method, where, how, permission in calls + both:
        refused(api.request(method, where, **how, headers={"Authorization": ""}), 401, "Missing API key")
        lacking = "parsers:read" if permission == "parsers:write" else "parsers:write"
        with api.using(api.key_with([lacking])) as weak:
            refused(weak.request(method, where, **how), 403, "Access denied")
    for method, where, how, _ in calls:
        with api.other_team() as stranger:
            refused(stranger.request(method, where, **how), 404, "Parser not found")
        with api.using(api.key_with(parser_ids=[other])) as elsewhere:
            refused(elsewhere.request(method, where, **how), 403, "Access denied")
    with api.other_team() as stranger:
        assert names(stranger.get("/parsers")) == []
    with api.using(api.key_with(parser_ids=[other])) as limited:
        assert names(limited.get("/parsers")) == ["Other"]
        # What a limited key made, it could not see.
        refused(limited.post("/parsers", json={"name": "b"}), 403, "Access denied")
        refused(limited.post(f"/parsers/{other}/duplicate"), 403, "Access denied")
        assert limited.patch(f"/parsers/{other}", json={"name": "Mine"}).status_code == 200
    for method, where, how, permission in both + calls:
        with api.using(api.key_with([permission])) as allowed:
            assert allowed.request(method, where, **how).status_code in (200, 201)
