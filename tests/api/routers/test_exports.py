"""Exports over the API: kinds of files, links, selections, layouts."""

from __future__ import annotations

import datetime as dt
import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from docduck import clock
from docduck.catalog.models import AuditEntry, Document, Export, StoredFile
from docduck.service.outputs.file_exports import release_expired_exports
from docduck.service.parsers.parsers import ParserView, delete_parser
from docduck.service.upkeep.housekeeping import sweep
from tests.api.request.hostile import refused
from tests.client.conftest import Caller
from tests.conftest import MakeInstallation
from tests.constants import SetConstants
from tests.exports.cells import read_cell
from tests.server.served import Api, serving
from tests.service.outputs.world import expected, make_world


class World:
    """A served parser with three documents."""

    def __init__(self, api: Api, parser: ParserView, ids: list[str]) -> None:
        self.api, self.parser, self.ids = api, parser, ids
        self.url = f"/parsers/{parser.id}/exports"
        self.layouts = f"/parsers/{parser.id}/export-layouts"

    def export(self, **body: Any) -> Any:
        found = self.api.post(self.url, json=body)
        assert found.status_code == 200, found.text
        return found

    def names(self, **body: Any) -> list[str]:
        return [one["document"]["id"] for one in self.export(**body).json()]


@pytest.fixture(scope="module")
def world(shared: Api) -> World:
    return World(shared, *make_world(shared.inst))


@pytest.mark.parametrize(
    ("format", "scope", "extension", "content_type"),
    [
        ("json", None, "json", "application/json"),
        ("xml", "all_flat", "xml", "application/xml"),
        ("csv", "table", "csv", "text/csv; charset=utf-8"),
        ("csv", "all_sheets", "zip", "application/zip"),
        ("xlsx", None, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("parquet", "fields_only", "parquet", "application/vnd.apache.parquet"),
    ],
)
def test_a_file_is_of_its_kind(
    world: World, format: str, scope: str | None, extension: str, content_type: str
) -> None:
    body = {"format": format, **({"scope": scope} if scope else {})}
    found = world.export(**body, **({"tableName": "Line Items"} if scope == "table" else {}))
    assert read_cell(format, scope, found.content) == expected(format, scope, world.ids)
    assert found.headers["content-disposition"].startswith('attachment; filename="bills-2')
    assert found.headers["content-disposition"].endswith(f'.{extension}"')
    assert found.headers["content-type"] == content_type
    assert found.headers["x-document-count"] == "3"
    assert "x-skipped-documents" not in found.headers


def test_defaults_and_counts(world: World) -> None:
    for found in (world.api.post(world.url), world.api.post(world.url, json={})):
        assert (found.status_code, len(found.json()), found.headers["x-row-count"]) == (200, 3, "3")
    assert world.export(format="xlsx").headers["x-row-count"] == "7"
    assert world.export(format="csv").headers["x-row-count"] == "5"


def test_selections(world: World) -> None:
    one, two, _three = world.ids
    assert world.names(documentIds=[two.upper(), one]) == [one, two]
    paid = {"field": "Paid", "operator": "equals", "value": False}
    assert world.names(filters=[paid]) == [two]
    missing = "00000000-0000-0000-0000-000000000000"
    found = refused(world.api.post(world.url, json={"documentIds": [missing], "externalIds": ["A"]}), 404)
    assert found["notFound"] == [
        {"type": "documentId", "value": missing},
        {"type": "externalId", "value": "A"},
    ]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"format": "pdf"}, None),
        ({"scope": "everything"}, None),
        ({"documentIds": []}, None),
        ({"documentIds": ["x"]}, "Invalid documentIds.0"),
        ({"filters": [{"field": "$folderId", "operator": "equals", "value": "x"}]}, "Invalid value"),
        ({"scope": "table"}, "tableName is required, as the parser has 2 tables: Line Items, Taxes"),
        ({"tableName": "Total"}, "Unknown table: Total. The parser's tables: Line Items, Taxes"),
        ({"filters": [{"field": "Total", "operator": "exists"}] * 21}, None),
        ({"onlyNew": True}, None),
    ],
)
def test_what_is_refused(world: World, body: Any, message: str | None) -> None:
    refused(world.api.post(world.url, json=body), 400, message)


def test_too_many_documents(world: World, set_constants: SetConstants) -> None:
    set_constants(max_export_documents=2)
    found = refused(world.api.post(world.url, json={}), 400)
    assert found["message"].startswith("An export may have 2 documents, and this one would have 3")
    assert len(world.names(documentIds=world.ids[:2])) == 2


def test_a_full_disk_leaves_neither_file_nor_record(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(world.api.inst.files.hashes())
    with world.api.inst.catalog.read_session() as session:
        known = set(session.scalars(select(Export.id)))

    def fail(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(world.api.inst.files, "put", fail)
    found = world.api.post(f"{world.url}?delivery=link", json={"format": "csv"})
    assert found.status_code >= 500
    assert set(world.api.inst.files.hashes()) == before
    with world.api.inst.catalog.read_session() as session:
        assert set(session.scalars(select(Export.id))) == known


def test_skipped_documents_are_listed(world: World) -> None:
    new = world.api.upload(world.parser.id, name="new.txt")
    rejected = world.api.upload(world.parser.id, content=b"x", name="x.txt")
    with world.api.inst.catalog.transaction() as session:
        row = session.get(Document, rejected)
        assert row is not None
        row.status = "rejected"
    found = world.export(documentIds=[rejected, world.ids[0], new])
    assert [one["document"]["id"] for one in found.json()] == world.ids[:1]
    assert found.headers["x-skipped-documents"] == f"{new},{rejected}"
    link = world.api.post(f"{world.url}?delivery=link", json={"documentIds": [new]}).json()
    assert (link["documentCount"], link["skippedDocuments"]) == (0, [new])


def test_a_link_leads_to_the_file_until_it_expires(world: World) -> None:
    api = world.api
    found = api.post(f"{world.url}?delivery=link", json={"format": "xlsx"})
    link = found.json()
    assert found.status_code == 200
    assert list(link) == [
        *("success", "format", "scope", "fileName", "contentType", "documentCount", "rowCount"),
        *("url", "expiresAt"),
    ]
    assert (link["format"], link["scope"], link["documentCount"], link["rowCount"]) == (
        *("xlsx", "all_sheets", 3, 7),
    )
    fetched = api.get(link["url"], headers={"Authorization": ""})
    assert fetched.status_code == 200
    assert fetched.headers["content-disposition"] == f'attachment; filename="{link["fileName"]}"'
    assert fetched.headers["content-type"] == link["contentType"]
    assert read_cell("xlsx", None, fetched.content) == expected("xlsx", None, world.ids)
    assert api.get(link["url"][:-1] + "x").status_code == 403
    assert api.get(link["url"].replace("/export/", "/file/")).status_code == 403
    assert release_expired_exports(api.inst) == 0
    export_id = link["url"].partition("/export/")[2][:36]
    with api.inst.catalog.transaction() as session:
        row = session.get(Export, export_id)
        assert row is not None and row.sha256 is not None
        sha256, row.expires_at = row.sha256, clock.now() - dt.timedelta(seconds=1)
    assert api.get(link["url"]).status_code == 404
    sweep(api.inst)
    with api.inst.catalog.read_session() as session:
        assert session.scalar(select(StoredFile.refs).where(StoredFile.sha256 == sha256)) == 0
    assert api.get(link["url"]).status_code == 404


def test_the_same_request_again_gets_the_same_answer(world: World) -> None:
    headers = {"Idempotency-Key": "export-1"}
    first = world.api.post(world.url, json={"format": "csv"}, headers=headers)
    again = world.api.post(world.url, json={"format": "csv"}, headers=headers)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.content == first.content
    for name in ("content-disposition", "content-type", "x-document-count", "x-row-count"):
        assert again.headers[name] == first.headers[name]


def test_large_files_are_streamed(make_installation: MakeInstallation, tmp_path: Path) -> None:
    inst = make_installation(idempotency_max_bytes=100, rate_limit_minute=0)
    parser, ids = make_world(inst)
    with serving(inst) as api:
        plain = {"Accept-Encoding": "identity"}
        found = api.post(f"/parsers/{parser.id}/exports", json={"format": "xml"}, headers=plain)
        assert int(found.headers["content-length"]) == len(found.content) > 100
        assert read_cell("xml", None, found.content) == expected("xml", None, ids)


def test_exports_are_in_the_audit_log(world: World) -> None:
    world.export(format="csv", scope="fields_only")
    with world.api.inst.catalog.read_session() as session:
        entry = session.scalars(
            select(AuditEntry).order_by(AuditEntry.at.desc(), AuditEntry.id.desc())
        ).first()
        assert entry is not None
        assert (entry.action, entry.resource_id) == ("parser.exported", world.parser.id)
        assert entry.actor.startswith("key ")
        assert (entry.details or {})["scope"] == "fields_only"


def test_layouts_of_a_parser(world: World) -> None:
    api, columns = world.api, [{"field": "Total", "header": "Summe"}, {"field": "$name"}]
    made = api.post(world.layouts, json={"name": "Books", "format": "csv", "columns": columns})
    assert made.status_code == 201
    layout = made.json()
    assert {**layout, "id": "", "createdAt": "", "updatedAt": ""} == {
        **{"id": "", "name": "Books", "format": "csv", "scope": "all_flat", "tableName": None},
        **{"columns": [{**columns[0]}, {"field": "$name", "header": None}], "warnings": []},
        **{"createdAt": "", "updatedAt": ""},
    }
    url = f"{world.layouts}/{layout['id']}"
    assert api.get(url).json() == layout
    assert api.get(world.layouts).json()["data"] == [layout]
    rows = world.export(layoutId=layout["id"], documentIds=[world.ids[1]]).text.lstrip("\ufeff").splitlines()
    assert rows == ["Summe,document_name", "-3,doc-1.txt"]
    refused(api.post(world.layouts, json={"name": "Books"}), 409)
    refused(api.post(world.url, json={"layoutId": layout["id"], "format": "csv"}), 400)
    changed = api.patch(url, json={"scope": "fields_only", "format": "xlsx", "columns": None}).json()
    assert (changed["scope"], changed["format"], changed["columns"]) == ("fields_only", "xlsx", None)
    refused(api.patch(url, json={"columns": [{"field": "Line Items.Text"}]}), 400)
    assert api.delete(url).json() == {"success": True, "id": layout["id"]}
    refused(api.get(url), 404, "Export layout not found")
    refused(api.post(world.url, json={"layoutId": layout["id"]}), 404, "Export layout not found")


def test_nothing_of_another_parser_is_exported(world: World) -> None:
    api = world.api
    other, _ = make_world(api.inst, "Other")
    layout = api.post(world.layouts, json={"name": "mine"}).json()["id"]
    for method in ("GET", "PATCH", "DELETE"):
        path = f"/parsers/{other.id}/export-layouts/{layout}"
        refused(api.request(method, path, json={} if method == "PATCH" else None), 404)
    refused(api.post(f"/parsers/{other.id}/exports", json={"layoutId": layout}), 404)
    found = api.post(f"/parsers/{other.id}/exports", json={"documentIds": world.ids})
    refused(found, 400, "Parser ID mismatch")
    link = api.post(f"/parsers/{other.id}/exports?delivery=link", json={}).json()["url"]
    delete_parser(api.inst, other.team_id, other.id)
    assert api.get(link).status_code == 404


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_the_client_saves_exports(world: World, kind: str, tmp_path: Path) -> None:
    ask = Caller(kind, world.api.address, world.api.key)
    parser_id = world.parser.id
    kept = ask(lambda c: c.exports.create(parser_id, format="csv", scope="fields_only"))
    assert (kept.path, kept.document_count, kept.row_count) == (None, 3, 3)
    assert read_cell("csv", "fields_only", kept.content)[""][0]["document_id"] == world.ids[0]
    saved = ask(lambda c: c.exports.create(parser_id, format="xlsx", to=tmp_path))
    assert (saved.path, saved.content) == (tmp_path / saved.file_name, b"")
    assert read_cell("xlsx", None, saved.path.read_bytes()) == expected("xlsx", None, world.ids)
    named = ask(lambda c: c.exports.create(parser_id, document_ids=[world.ids[2]], to=tmp_path / "one.json"))
    assert [one["data"]["Number"] for one in json.loads(named.path.read_text())] == ["C-3"]
    link = ask(lambda c: c.exports.link(parser_id, format="parquet"))
    assert world.api.get(link["url"]).content[:2] == b"PK"
    with pytest.raises(Exception, match="Unknown table"):
        ask(lambda c: c.exports.create(parser_id, table_name="x", to=tmp_path / "no"))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([saved.file_name, "one.json"])


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_the_client_gives_typed_frames(world: World, kind: str) -> None:
    ask = Caller(kind, world.api.address, world.api.key)
    fields = ask(lambda c: c.documents.to_polars(world.parser.id))
    assert list(fields["document_id"]) == world.ids and list(fields["Number"])[2] == "C-3"
    rows = ask(lambda c: c.documents.to_polars(world.parser.id, "Line Items"))
    assert set(rows["document_id"]) <= set(world.ids) and rows["row_number"].dtype.is_integer()
    chosen = [{"field": "Number", "operator": "equals", "value": "C-3"}]
    assert ask(lambda c: c.documents.to_polars(world.parser.id, filters=chosen)).height == 1


@pytest.mark.parametrize("delivery", ["file", "link"])
def test_only_new_has_each_document_once(make_installation: MakeInstallation, delivery: str) -> None:
    with serving(make_installation(idempotency_max_bytes=1)) as api:
        parser, ids = make_world(api.inst)[:2]
        url = f"/parsers/{parser.id}/exports"

        def exported(name: str | None, key: str | None = None, **more: Any) -> Any:
            body = {"onlyNew": name, "format": "json", **more}
            params = {"delivery": delivery} if delivery == "link" else {}
            headers = {"Idempotency-Key": key} if key else {}
            return api.post(url, json=body, params=params, headers=headers)

        def count(answer: Any) -> int:
            assert answer.status_code == 200, answer.text
            told = answer.json() if delivery == "link" else answer.headers
            return int(told["documentCount" if delivery == "link" else "x-document-count"])

        assert count(exported("books", documentIds=ids[:1])) == 1
        assert count(exported("books", "once")) == len(ids) - 1
        assert count(exported("books", "once")) == len(ids) - 1, "the same again"
        assert count(exported("books")) == 0
        assert [count(exported("others")), count(exported(None)), count(exported(None))] == [len(ids)] * 3
