"""Fields over HTTP."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from docduck.ids import new_id
from tests.api.request.hostile import nothing_changes, refused
from tests.server.served import Api

KEYS = {
    *("id", "name", "type", "description", "instructions", "required", "position", "options", "columns"),
    *("labels", "extract"),
}
TABLE = {
    "name": "Items",
    "type": "table",
    "columns": [{"id": "c_item", "name": "Item"}, {"id": "c_price", "name": "Price", "type": "currency"}],
}
SCALARS = "'text', 'number', 'date', 'boolean', 'currency', 'choice'"
SAMPLE = b"Invoice Number: A-17\nInvoice Date: 2024-03-05\nTotal: 119.00 EUR\n"


def parser(api: Api, *fields: dict[str, Any]) -> str:
    answer = api.post("/parsers", json={"name": "p", "fields": fields})
    assert answer.status_code == 201, answer.text
    return f"/parsers/{answer.json()['id']}/fields"


def changed(answer: Any, status: int = 200) -> list[str]:
    """The names of the fields after a change."""
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert set(body) == {"fields", "reprocessRecommended"}
    return [one["name"] for one in body["fields"]]


def test_fields_from_their_creation_to_their_deletion(shared: Api) -> None:
    where = parser(shared, {"name": "A"}, TABLE)
    body = shared.get(where).json()
    assert set(body) == {"fields", "data", "pagination"}
    plain, table = body["fields"]
    assert set(plain) == set(table) == set(table["columns"][0]) == KEYS
    assert plain == {
        **{"id": plain["id"], "name": "A", "type": "text", "description": None, "instructions": None},
        **{"required": False, "position": 0, "options": [], "columns": [], "labels": [], "extract": True},
    }
    facts = [(one["id"], one["name"], one["type"], one["position"]) for one in table["columns"]]
    assert facts == [("c_item", "Item", "text", 0), ("c_price", "Price", "currency", 1)]
    copy = parser(shared, *body["fields"])
    assert shared.get(copy).json() == body, "fields that were shown can be sent"

    full = {
        **{"id": "my-id_1", "name": " Größe 規模 ", "type": "choice", "description": "what", "labels": ["S"]},
        **{"instructions": "how", "required": True, "position": 1, "options": ["a", "b"], "extract": False},
    }
    answer = shared.post(where, json=full)
    assert changed(answer, 201) == ["A", "Größe 規模", "Items"]
    assert answer.json()["fields"][1] == {**full, "name": "Größe 規模", "columns": []}
    refused(shared.post(where, json={"name": "a"}), 409, "Field already exists")
    again = shared.patch(f"{where}/my-id_1", json=answer.json()["fields"][1])
    assert again.json() == answer.json()
    assert changed(shared.patch(f"{where}/A", json={"name": "B", "position": None, "id": None}))[0] == "B"
    refused(shared.patch(f"{where}/B", json={"name": "items"}), 409, "Field already exists")
    order = {"fieldIds": ["Items", "b", "my-id_1"]}
    assert changed(shared.post(f"{where}/reorder", json=order)) == ["Items", "B", "Größe 規模"]
    words = "fieldIds must name every field exactly once"
    wrong = refused(shared.post(f"{where}/reorder", json={"fieldIds": []}), 400, words)
    assert wrong["details"] == [{"path": "fieldIds", "message": words}]
    put = {"fields": [{"name": "B", "type": "date"}, {"name": "New"}]}
    assert changed(shared.put(where, json=put)) == ["Items", "B", "Größe 規模", "New"]
    assert changed(shared.put(where, json={**put, "deleteOthers": True})) == ["B", "New"]
    twice = shared.put(where, json={"fields": [{"name": "B"}, {"name": "b"}, {"id": "c"}]})
    details = refused(twice, 400, "fields.1.name: 'B' is given twice")["details"]
    assert [one["path"] for one in details] == ["fields.1.name", "fields.2.name"]
    assert changed(shared.delete(f"{where}/b")) == ["New"]
    for answer in (shared.patch(f"{where}/B", json={}), shared.delete(f"{where}/B")):
        assert refused(answer, 404, "Field not found")["notFound"] == [{"type": "fieldId", "value": "B"}]


def test_a_list_is_an_envelope_and_its_fields(shared: Api) -> None:
    listed = shared.get(parser(shared, {"name": "A"}, TABLE)).json()
    assert listed["data"] == listed["fields"]
    assert [one["name"] for one in listed["data"]] == ["A", "Items"]
    assert listed["pagination"] == {"page": 1, "limit": 2, "total": 2, "pageCount": 1}


def test_it_is_told_whether_documents_should_be_read_again(shared: Api) -> None:
    where = parser(shared, {"name": "A"})
    assert shared.patch(f"{where}/A", json={"type": "number"}).json()["reprocessRecommended"] is False
    shared.upload(where.split("/")[2])
    assert shared.patch(f"{where}/A", json={"type": "text"}).json()["reprocessRecommended"] is True


def test_names_in_paths(shared: Api) -> None:
    names = ["Debit/Credit", "50 % + VAT?", "Größe", "a.b", "#1", "規模", "search", "x\\y", "A  B"]
    where = parser(shared, *({"name": name} for name in names))
    ids = {one["name"]: one["id"] for one in shared.get(where).json()["fields"]}
    for name in names:
        ref = ids[name] if name == "search" else quote(name, safe="")
        answer = shared.patch(f"{where}/{ref}", json={"description": name})
        assert answer.status_code == 200, name
        found = next(one for one in answer.json()["fields"] if one["id"] == ids[name])
        assert found["description"] == name
    for name in names:
        ref = ids[name] if name == "search" else quote(f" {name.upper()} ", safe="")
        assert shared.delete(f"{where}/{ref}").status_code == 200, name
    assert shared.get(where).json()["fields"] == []


@pytest.mark.parametrize(
    ("body", "message", "place"),
    [
        ({"name": None}, "name: must be a string", "name"),
        ({"name": "  "}, "name: must not be blank", "name"),
        ({"name": "a\tb"}, "name: must not hold control characters", "name"),
        ({"name": "x" * 256}, "name: must have at most 255 characters", "name"),
        ({"type": "Text"}, f"type: must be {SCALARS}, 'list' or 'table'", "type"),
        ({"type": None}, f"type: must be {SCALARS}, 'list' or 'table'", "type"),
        ({"required": None}, "required: must be true or false", "required"),
        ({"position": -1}, "position: must be at least 0", "position"),
        ({"options": [""]}, "options.0: must have at least 1 character", "options.0"),
        ({"options": None}, "options: must be an array", "options"),
        ({"columns": None}, "columns: must be an array", "columns"),
        ({"id": "../x"}, "id: must match the pattern ^[A-Za-z0-9_-]{1,64}$", "id"),
        ({"type": "choice"}, None, "options"),
        (
            {"type": "table", "columns": [{"name": "a", "type": "table"}]},
            f"columns.0.type: must be {SCALARS} or 'list'",
            "columns.0.type",
        ),
        (
            {"type": "table", "columns": [{"name": "a", "columns": [{"name": "b"}]}]},
            "columns.0.columns: must have at most 0 items",
            "columns.0.columns",
        ),
        ({"type": "table", "columns": [{}]}, "columns.0.name: is required", "columns.0.name"),
    ],
)
def test_wrong_fields(shared: Api, body: dict[str, Any], message: str | None, place: str) -> None:
    where = parser(shared, {"name": "A"})
    with nothing_changes(shared):
        for answer in (shared.post(where, json=body), shared.patch(f"{where}/A", json=body)):
            assert refused(answer, 400, message)["details"][0]["path"] == place


def test_suggest(shared: Api) -> None:
    where = parser(shared)
    answer = shared.post(f"{where}/suggest", files={"file": ("sample.txt", SAMPLE)})
    assert answer.status_code == 200, answer.text
    found = answer.json()["fields"]
    assert [one["name"] for one in found] == ["Invoice Number", "Invoice Date", "Total"]
    assert [one["position"] for one in found] == [0, 1, 2]
    assert found[0] == {
        **{"name": "Invoice Number", "type": "text", "description": None, "instructions": None},
        **{"required": False, "position": 0, "options": [], "labels": [], "extract": True, "columns": []},
    }
    (seen,) = answer.json()["found"]
    assert (seen["Invoice Number"], seen["Total"]["value"]) == (
        {"value": "A-17", "page": 1, "confidence": seen["Invoice Number"]["confidence"], "rowCount": None},
        119,
    )
    assert answer.json()["foundOn"] == {"Invoice Number": 1, "Invoice Date": 1, "Total": 1}
    document = shared.upload(where.split("/")[2], SAMPLE)
    assert shared.post(f"{where}/suggest", json={"documentId": document}).json() == answer.json()
    in_a_form = {"documentId": (None, document)}
    assert shared.post(f"{where}/suggest", files=in_a_form).json() == answer.json()
    whole = shared.post("/parsers", json={"name": "Suggested", "fields": found}).json()["fields"]
    assert [{key: value for key, value in one.items() if key != "id"} for one in whole] == found
    with shared.using(shared.key_with(["fields:write"])) as blind:
        refused(blind.post(f"{where}/suggest", json={"documentId": document}), 403, "Access denied")


def test_samples_that_are_refused(shared: Api) -> None:
    where = parser(shared)
    suggest = f"{where}/suggest"
    elsewhere, gone = shared.upload(shared.parser(), SAMPLE), new_id()
    sample, two = {"file": ("a.txt", SAMPLE)}, [("file", ("a.txt", b"a")), ("file", ("b.txt", b"b"))]
    one_sample = "Provide exactly one of file or documentId"
    requests: list[tuple[dict[str, Any], int, str]] = [
        ({"json": {"documentId": elsewhere}}, 400, "Parser ID mismatch"),
        ({"json": {"documentId": gone}}, 404, "Document not found"),
        ({"json": {"documentId": "x"}}, 400, "Invalid documentId"),
        ({"json": {"documentId": None}}, 400, one_sample),
        ({}, 400, one_sample),
        ({"data": {"documentId": gone}, "files": sample}, 400, one_sample),
        ({"files": two}, 400, one_sample),
        ({"files": {"documentId": (None, "x")}}, 400, "Invalid documentId"),
        ({"files": {"file": ("a.pdf", b"")}}, 400, "a.pdf: File is empty"),
        ({"files": {"file": ("a.pdf", b"%PDF-1.7 no")}}, 400, "a.pdf: File is damaged or not readable"),
    ]
    for request, status, message in requests:
        refused(shared.post(suggest, **request), status, message)
    unknown = refused(shared.post(suggest, files={"file": ("a.bin", bytes(range(256)))}), 415)
    assert unknown["message"].startswith("Unsupported file type: ")
