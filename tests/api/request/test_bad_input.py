"""Careless clients: values of any type, queries and filters are taken, or refused by name."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from docduck.ids import new_id
from tests.api.request.hostile import nothing_changes, refused, send
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving

_VALUES: list[Any] = [
    None, True, 0, -1, 1.5, 10**60, 1e308, "", " ", "x", "1", "\u202e", "a" * 300, [], [1], [None], [[[]]],
    {}, {"a": 1},
]  # fmt: skip
_BODIES: list[tuple[str, str, dict[str, Any], str]] = [
    ("POST", "/parsers", {"name": "n"}, "name description type templateKey acceptedFileTypes fields"),
    (
        "PATCH",
        "/parsers/{p}",
        {},
        "name description isActive acceptedFileTypes confidenceScores markdownParsing advancedTableExtraction"
        " dataExtractionMode modelUse model splitDocuments classificationGate emailParsing parsePages"
        " readingLocale",
    ),
    ("PATCH", "/parsers/{p}/documents/{d}", {}, "name externalId custom folderId assigneeId"),
    (
        "PATCH",
        "/parsers/{p}/documents",
        {"documentIds": ["{d}"], "custom": {}},
        "documentIds externalIds folderId assigneeId custom",
    ),
    ("PATCH", "/parsers/{p}/documents/{d}/data", {"data": {}}, "data reviewerId"),
    (
        "POST",
        "/parsers/{p}/documents/search",
        {},
        "q status folderId externalId assigneeId reviewStageId createdFrom createdTo page limit sort filters",
    ),
    ("POST", "/process/{p}/urls", {"urls": ["http://127.0.0.1/"]}, "urls externalIds custom folderId"),
    ("POST", "/process/urls", {"urls": ["http://127.0.0.1/"]}, "urls parserId classifierId folderId"),
    ("POST", "/process/{p}/reprocess", {}, "documentId externalId"),
    ("POST", "/parsers/{p}/documents/delete", {}, "documentIds externalIds"),
    ("POST", "/parsers/{p}/folders", {"name": "f"}, "name color parentId hasAutoAssign autoAssignment"),
    (
        "POST",
        "/parsers/{p}/fields",
        {"name": "f"},
        "id name type description instructions required position options columns labels extract",
    ),
    ("POST", "/parsers/{p}/fields/reorder", {}, "fieldIds"),
    ("PUT", "/parsers/{p}/fields", {}, "fields deleteOthers"),
    ("POST", "/parsers/{p}/duplicate", {}, "name description"),
    (
        "POST",
        "/classifiers",
        {"name": "n", "routing": {}},
        "name description isActive acceptedFileTypes routing",
    ),
    ("PATCH", "/classifiers/{c}", {}, "name description routing splitDocuments emailParsing"),
    ("POST", "/classifiers/{c}/documents/{d}/route", {}, "targetParserId"),
]


@pytest.mark.extended
@pytest.mark.postgres
@pytest.mark.parametrize(
    ("method", "path", "base", "keys"), _BODIES, ids=[f"{method} {path}" for method, path, _, _ in _BODIES]
)
def test_values_of_any_type_are_taken_or_refused_by_name(
    make_installation: MakeInstallation,
    postgres_database: str,
    method: str,
    path: str,
    base: dict[str, Any],
    keys: str,
) -> None:
    inst = make_installation(catalog_url=postgres_database, rate_limit_minute=0, rate_limit_day=0)
    with serving(inst) as api:
        p = api.parser()
        d = api.upload(p)
        routing = {"rules": [{"label": "Invoice", "targetParserId": p}]}
        c = api.post("/classifiers", json={"name": "Mail", "routing": routing}).json()["id"]
        where = path.format(p=p, d=d, c=c)
        sent = json.loads(json.dumps(base).replace("{d}", d))
        for key in keys.split():
            for value in _VALUES:
                answer = send(api, method, where, json.dumps({**sent, key: value}))
                assert answer.status_code < 500, (key, value, answer.text)
                if answer.status_code >= 400:
                    refused(answer, answer.status_code)
        for value in _VALUES:
            if not isinstance(value, dict) and not (value is None and path.endswith("duplicate")):
                with nothing_changes(api):
                    refused(send(api, method, where, json.dumps(value)), 400)


def test_both_and_neither_of_two_ids(shared: Api) -> None:
    p = shared.parser()
    d = shared.upload(p)
    one = "Provide exactly one of documentId or externalId"
    with nothing_changes(shared):
        for body in ({}, {"documentId": d, "externalId": "x"}):
            refused(shared.post(f"/process/{p}/reprocess", json=body), 400, one)
            refused(shared.get(f"/process/{p}/files/data", params=body), 400, one)
        for ids in ({}, {"parserId": p, "classifierId": new_id()}):
            words = "Provide exactly one of parserId or classifierId"
            refused(shared.post("/process/urls", json={"urls": ["https://example.org/"], **ids}), 400, words)
            refused(shared.post("/process/files", files={"file": ("a.txt", b"a")}, data=ids), 400, words)
        for empty in ("{}", '{"documentIds":[]}', '{"documentIds":[],"externalIds":[]}'):
            answer = send(shared, "POST", f"/parsers/{p}/documents/delete", empty)
            refused(answer, 400, "Provide at least one of documentIds or externalIds")


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("limit=0", "limit"), ("limit=101", "limit"), ("limit=-1", "limit"), ("limit=x", "limit"),
        ("page=0", "page"), ("page=1e9", "page"), ("page=1.0", "page"), ("limit=5.0", "limit"),
        ("page=%2B1", "page"), ("page=1_0", "page"), ("page=%201", "page"),
        ("page=99999999999999999999", "page"),
        ("sort=x", "sort"), ("sort=field:Total.desc", "sort"), ("status=nope", "status"),
        ("folderId=x", "folderId"), ("folderId=%00", "folderId"), ("q=%00", "q"), ("q=" + "a" * 2000, "q"),
        ("assigneeId=x", "assigneeId"), ("reviewStageId=x", "reviewStageId"),
        ("createdFrom=x", "createdFrom"), ("createdFrom=0000-01-01", "createdFrom"),
        ("createdFrom=9999-12-31T23:59:59-14:00", "createdFrom"),
        ("createdTo=0001-01-01T00:00:00%2B14:00", "createdTo"), ("createdTo=99999-01-01", "createdTo"),
        ("createdTo=２026-01-01T00:00:00Z", "createdTo"), ("page=٣", "page"), ("sort=relevance", "sort"),
        ("assigneeId=０1a2023b-cb1a-7cff-bfff-a04a539bde26", "assigneeId"), ("externalId=%00", "externalId"),
        ("folderId=", "folderId"), ("includeSubfolders=some", "includeSubfolders"),
    ],
)  # fmt: skip
def test_a_query_that_is_wrong_names_the_place(shared: Api, query: str, path: str) -> None:
    body = refused(shared.get(f"/parsers/{shared.parser()}/documents?{query}"), 400)
    assert body["details"][0]["path"] == path


def test_odd_queries_find_what_they_ask_for(shared: Api) -> None:
    p = shared.parser()
    shared.upload(p, name="100%_é.txt")
    for query, total in (
        ("q=%25_", 1),
        ("q=%27%3B--", 0),
        ("q=%ff", 0),
        ("q=%ED%A0%80", 0),
        ("q=%F0%9F%98%80", 0),
        ("page=1000000000&limit=100", 1),
        ("createdFrom=0001-01-01T00:00:00Z&createdTo=9999-12-31T23:59:59Z", 1),
        ("createdFrom=2020-01-01", 1),
        ("createdTo=2020-01-01T00:00:00", 0),
        ("createdTo=2020-01-01T00:00:00%2B14:00", 0),
        ("externalId=" + "x" * 5000, 0),
    ):
        answer = shared.get(f"/parsers/{p}/documents?{query}")
        assert answer.status_code == 200, (query, answer.text)
        assert answer.json()["pagination"]["total"] == total, query


def test_filters_that_are_wrong_or_costly(lite: Api) -> None:
    p = lite.parser()
    lite.upload(p, b"Number: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\n")
    lite.process(p)
    search = f"/parsers/{p}/documents/search"
    fine: dict[str, Any] = {"field": "Total", "operator": "equals", "value": 1}
    assert lite.post(search, json={"filters": [fine] * 20}).status_code == 200
    refused(lite.post(search, json={"filters": [fine] * 21}), 400)
    changes: list[dict[str, Any]] = [
        {"field": "Nope"}, {"field": "x" * 100_000}, {"field": "$custom."},
        {"field": "$custom." + "a." * 3000},
        {"operator": "nope"}, {"operator": []}, {"operator": "in"}, {"operator": "between", "value": [1]},
        {"operator": "in", "value": ["1"] * 100_000}, {"value": {"a": 1}}, {"value": "9" * 100_000},
        {"operator": "matches_regex", "value": "("}, {"operator": "matches_regex", "value": r"(a)\1"},
        {"operator": "matches_regex", "value": "((a{1,1000}){1,1000}){1,1000}"},
        {"operator": "matches_regex", "value": "(" * 5000},
    ]  # fmt: skip
    for change in changes:
        refused(lite.post(search, json={"filters": [{**fine, **change}]}), 400)
    begin = time.monotonic()
    bomb = {"field": "Number", "operator": "matches_regex", "value": "(a+)+$"}
    assert lite.post(search, json={"filters": [bomb]}).json()["pagination"]["total"] == 0
    assert time.monotonic() - begin < 30, "a pattern that backtracks never ends"
    for body in ({"sort": "field:Nope.asc"}, {"sort": "field:Line Items.asc"}, {"sort": "id; drop"}):
        refused(lite.post(search, json=body), 400)
    for odd in (10**60, 1e308, "1e999999", "9999-12-31T23:59:59-14:00"):
        for field in ("Total", "Number", "$pageCount", "$createdAt", "$custom.a'\"]"):
            sent = {"filters": [{"field": field, "operator": "greater_than", "value": odd}]}
            assert lite.post(search, json=sent).status_code in (200, 400), (field, odd)


@pytest.mark.parametrize("wait", ["nan", "inf", "-1", "61", "1e400", "x", ""])
def test_a_wait_that_would_never_end(shared: Api, wait: str) -> None:
    p = shared.parser()
    with nothing_changes(shared):
        refused(shared.post(f"/process/{p}/files?wait={wait}", files={"file": ("a.txt", b"a")}), 400)
