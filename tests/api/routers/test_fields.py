"""Fields over HTTP."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from docduck.ids import new_id
from tests.api.request.hostile import refused
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


def changed(answer: Any, status: int = 200) -> tuple[list[str], bool]:
    """The names of the fields after a change, and what it says of reading again."""
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert set(body) == {"fields", "reprocessRecommended"}
    assert [one["position"] for one in body["fields"]] == list(range(len(body["fields"])))
    return [one["name"] for one in body["fields"]], body["reprocessRecommended"]


def test_list(api: Api) -> None:
    where = parser(api, {"name": "A"}, TABLE)
    body = api.get(where).json()
    assert set(body) == {"fields"}
    plain, table = body["fields"]
    assert set(plain) == set(table) == set(table["columns"][0]) == KEYS
    assert plain == {
        "id": plain["id"],
        "name": "A",
        "type": "text",
        "description": None,
        "instructions": None,
        "required": False,
        "position": 0,
        "options": [],
        "columns": [],
        "labels": [],
        "extract": True,
    }
    facts = [(one["id"], one["name"], one["type"], one["position"]) for one in table["columns"]]
    assert facts == [("c_item", "Item", "text", 0), ("c_price", "Price", "currency", 1)]


def test_add(api: Api) -> None:
    where = parser(api)
    assert changed(api.post(where, json={}), 201) == (["Field"], False)
    assert changed(api.post(where, json={"type": "number"}), 201)[0] == ["Field", "Field 2"]
    full = {
        "id": "my-id_1",
        "name": " Größe 規模 ",
        "type": "choice",
        "description": "what",
        "instructions": "how",
        "required": True,
        "position": 1,
        "options": ["a", "b"],
        "labels": ["Size"],
        "extract": False,
    }
    answer = api.post(where, json=full)
    assert changed(answer, 201)[0] == ["Field", "Größe 規模", "Field 2"]
    shown = answer.json()["fields"][1]
    assert shown == {**full, "name": "Größe 規模", "columns": []}
    assert changed(api.post(where, json={"name": "Last", "position": 99}), 201)[0][-1] == "Last"
    assert changed(api.post(where, json={**TABLE, "position": 0}), 201)[0][0] == "Items"
    assert api.get(where).json()["fields"] == api.post(where, json={"name": "x"}).json()["fields"][:-1]


def test_a_field_that_was_shown_can_be_sent(api: Api) -> None:
    where = parser(api, {"name": "A"}, TABLE)
    fields = api.get(where).json()["fields"]
    for one in fields:
        assert changed(api.patch(f"{where}/{one['id']}", json=one)) == (["A", "Items"], False)
    assert api.get(where).json()["fields"] == fields
    copy = parser(api, *fields)
    assert api.get(copy).json()["fields"] == fields


def test_update(api: Api) -> None:
    where = parser(api, {"name": "A", "description": "d"}, {"name": "B"}, TABLE)
    before = api.get(where).json()["fields"]
    answer = api.patch(f"{where}/a", json={"name": "New", "description": None, "required": True})
    assert changed(answer)[0] == ["New", "B", "Items"]
    assert answer.json()["fields"][0] == {**before[0], "name": "New", "description": None, "required": True}
    field_id = before[0]["id"]
    assert changed(api.patch(f"{where}/{field_id}", json={"position": 2}))[0] == ["B", "Items", "New"]
    assert changed(api.patch(f"{where}/{field_id}", json={"position": 0, "name": "NEW"}))[0][0] == "NEW"
    assert changed(api.patch(f"{where}/{field_id}", json={"position": None, "id": None}))[0][0] == "NEW"
    choice = api.patch(f"{where}/NEW", json={"type": "choice", "options": ["x"]}).json()["fields"][0]
    assert (choice["type"], choice["options"], choice["id"]) == ("choice", ["x"], field_id)


def test_names_in_paths(api: Api) -> None:
    names = ["Debit/Credit", "50 % + VAT?", "Größe", "a.b", "#1", "規模", "search", "x\\y", "A  B"]
    where = parser(api, *({"name": name} for name in names))
    ids = {one["name"]: one["id"] for one in api.get(where).json()["fields"]}
    for name in names:
        ref = ids[name] if name == "search" else quote(name, safe="")
        answer = api.patch(f"{where}/{ref}", json={"description": name})
        assert answer.status_code == 200, name
        found = next(one for one in answer.json()["fields"] if one["id"] == ids[name])
        assert found["description"] == name
    for name in names:
        ref = ids[name] if name == "search" else quote(f" {name.upper()} ", safe="")
        assert api.delete(f"{where}/{ref}").status_code == 200, name
    assert api.get(where).json()["fields"] == []


def test_columns_are_the_whole_list(api: Api) -> None:
    where = parser(api, TABLE, {"name": "Other"})

    def change(*columns: dict[str, Any]) -> list[tuple[str, str]]:
        answer = api.patch(f"{where}/Items", json={"columns": list(columns)})
        assert answer.status_code == 200, answer.text
        shown = answer.json()["fields"][0]["columns"]
        assert [one["position"] for one in shown] == list(range(len(shown)))
        return [(one["id"], one["name"]) for one in shown]

    added = change({"name": "New", "id": "c_new"}, {"name": "price"}, {"id": "c_item", "name": "Article"})
    assert added == [("c_new", "New"), ("c_price", "price"), ("c_item", "Article")]
    swapped = change({"id": "c_price", "name": "Article"}, {"id": "c_item", "name": "price"})
    assert swapped == [("c_price", "Article"), ("c_item", "price")]
    assert change({"name": "Only"})[0][1] == "Only"
    assert change() == []
    assert change({"id": "c_other", "name": "Back"}) == [("c_other", "Back")]
    refused(
        api.patch(f"{where}/Items", json={"columns": [{"id": "c_price", "name": "Back"}]}),
        409,
        "Field already exists",
    )


def test_a_table_becomes_a_value_and_back(api: Api) -> None:
    where = parser(api, TABLE)
    plain = api.patch(f"{where}/Items", json={"type": "text"}).json()["fields"][0]
    assert (plain["type"], plain["columns"]) == ("text", [])
    again = api.patch(f"{where}/Items", json={"type": "table", "columns": [{"name": "Item"}]}).json()
    assert [one["name"] for one in again["fields"][0]["columns"]] == ["Item"]


def test_delete(api: Api) -> None:
    where = parser(api, {"name": "A"}, {"name": "B"}, TABLE)
    first = api.get(where).json()["fields"][0]["id"]
    assert changed(api.delete(f"{where}/{first}")) == (["B", "Items"], False)
    assert changed(api.delete(f"{where}/items")) == (["B"], False)
    missing = refused(api.delete(f"{where}/{first}"), 404, "Field not found")
    assert missing["notFound"] == [{"type": "fieldId", "value": first}]
    assert changed(api.post(where, json={"name": "A"}), 201)[0] == ["B", "A"]
    refused(api.post(where, json={"id": first}), 409, "Field already exists")


def test_reorder(api: Api) -> None:
    where = parser(api, {"name": "A"}, {"name": "B"}, {"name": "C"})
    a, b, c = (one["id"] for one in api.get(where).json()["fields"])
    assert changed(api.post(f"{where}/reorder", json={"fieldIds": [c, a, b]})) == (["C", "A", "B"], False)
    assert changed(api.post(f"{where}/reorder", json={"fieldIds": ["b", c, "A"]}))[0] == ["B", "C", "A"]
    words = "fieldIds must name every field exactly once"
    for wrong in ([], [a, b], [a, b, c, a], [a, a, b], [a, b, "nothing"], [a, b, c, "nothing"]):
        body = refused(api.post(f"{where}/reorder", json={"fieldIds": wrong}), 400, words)
        assert body["details"] == [{"path": "fieldIds", "message": words}]
    assert api.post(f"{where}/reorder", json={}).status_code == 400
    assert api.post(f"{where}/reorder", json={"fieldIds": [1, 2]}).status_code == 400
    answer = api.post(f"{where}/reorder", json={"fieldIds": [a, b, c], "and": 1})
    refused(answer, 400, "Unknown property: and")


def test_when_to_read_again(api: Api) -> None:
    where = parser(api, {"name": "A"}, TABLE)
    parser_id = where.split("/")[2]
    assert changed(api.patch(f"{where}/A", json={"type": "number"}))[1] is False
    document = api.upload(parser_id)
    for body in (
        {"name": "AA"},
        {"name": "A"},
        {"type": "text"},
        {"description": "d"},
        {"instructions": "i"},
        {"required": True},
        {"type": "choice", "options": ["a"]},
        {"options": ["b"]},
        {"labels": ["l"]},
        {"extract": False},
    ):
        ref = api.get(where).json()["fields"][0]["id"]
        assert changed(api.patch(f"{where}/{ref}", json=body))[1] is True, body
        assert changed(api.patch(f"{where}/{ref}", json=body))[1] is False, body
    columns = api.get(where).json()["fields"][1]["columns"]
    assert changed(api.patch(f"{where}/Items", json={"columns": columns[::-1]}))[1] is False
    assert changed(api.patch(f"{where}/Items", json={"columns": columns[:1]}))[1] is True
    assert changed(api.patch(f"{where}/A", json={"position": 1}))[1] is False
    ids = [one["id"] for one in api.get(where).json()["fields"]]
    assert changed(api.post(f"{where}/reorder", json={"fieldIds": ids[::-1]}))[1] is False
    assert changed(api.post(where, json={"name": "New"}), 201)[1] is True
    assert changed(api.delete(f"{where}/New"))[1] is True
    api.delete(f"/parsers/{parser_id}/documents/{document}")
    assert changed(api.post(where, json={"name": "New"}), 201)[1] is False


def test_what_documents_are_parted_by_follows_renames(api: Api) -> None:
    where = parser(api, {"name": "No."}, TABLE)
    parser_path = where.removesuffix("/fields")

    def key(**split: Any) -> str:
        answer = api.patch(parser_path, json={"splitDocuments": split} if split else {})
        return str(answer.json()["settings"]["splitDocuments"]["partitionKey"])

    assert key(partitionKey="No.") == "No."
    api.patch(f"{where}/No.", json={"name": "Number"})
    assert key() == "Number"
    assert key(partitionKey="Items.Price") == "Items.Price"
    api.patch(f"{where}/Items", json={"name": "Rows"})
    api.patch(f"{where}/Rows", json={"columns": [{"id": "c_price", "name": "Amount"}]})
    assert key() == "Rows.Amount"
    key(partitionKey="Number", partitionKeySource="custom")
    api.patch(f"{where}/Number", json={"name": "No."})
    assert key() == "Number"


def test_documents_keep_what_they_had(api: Api) -> None:
    parser_id = api.parser()
    document = api.upload(parser_id)
    api.process(parser_id)
    assert api.delete(f"/parsers/{parser_id}/fields/Number").status_code == 200
    data = api.get(f"/process/{parser_id}/files/data", params={"documentId": document}).json()["data"]
    assert data["Total"] == 12.5


@pytest.mark.parametrize(
    ("body", "message", "place"),
    [
        ({"name": None}, "name: must be a string", "name"),
        ({"name": 1}, "name: must be a string", "name"),
        ({"name": ""}, "name: must have at least 1 character", "name"),
        ({"name": "  "}, "name: must not be blank", "name"),
        ({"name": "a\tb"}, "name: must not hold control characters", "name"),
        ({"name": "x" * 256}, "name: must have at most 255 characters", "name"),
        (
            {"type": "Text"},
            f"type: must be {SCALARS}, 'list' or 'table'",
            "type",
        ),
        ({"type": None}, None, "type"),
        ({"description": 5}, "description: must be a string", "description"),
        ({"required": "yes"}, "required: must be true or false", "required"),
        ({"required": None}, "required: must be true or false", "required"),
        ({"position": -1}, "position: must be at least 0", "position"),
        ({"position": 1.5}, "position: must be an integer", "position"),
        ({"position": "1"}, "position: must be an integer", "position"),
        ({"options": "a"}, "options: must be an array", "options"),
        ({"options": [""]}, "options.0: must have at least 1 character", "options.0"),
        ({"options": None}, "options: must be an array", "options"),
        ({"columns": None}, "columns: must be an array", "columns"),
        ({"id": "a b"}, "id: must match the pattern ^[A-Za-z0-9_-]{1,64}$", "id"),
        ({"id": "../x"}, "id: must match the pattern ^[A-Za-z0-9_-]{1,64}$", "id"),
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
    before = shared.get(where).json()
    for answer in (shared.post(where, json=body), shared.patch(f"{where}/A", json=body)):
        told = refused(answer, 400, message or answer.json()["message"])
        assert told["details"][0]["path"] == place
    assert shared.get(where).json() == before


@pytest.mark.parametrize(
    ("body", "message", "place"),
    [
        ({"type": "choice"}, "is a choice and needs options", "options"),
        ({"type": "choice", "options": []}, "is a choice and needs options", "options"),
        (
            {"type": "text", "columns": [{"name": "a"}]},
            "has columns, but its type is text, not table",
            "columns",
        ),
        ({"type": "table", "columns": [{"name": "a"}, {"name": " A"}]}, "names 'A' twice", "columns"),
        (
            {"type": "table", "columns": [{"id": "x", "name": "a"}, {"id": "x", "name": "b"}]},
            "has the id 'x' twice",
            "columns",
        ),
        (
            {"type": "table", "columns": [{"name": "a", "type": "choice"}]},
            "is a choice and needs options",
            "columns.0.options",
        ),
    ],
)
def test_fields_that_fit_not_together(shared: Api, body: dict[str, Any], message: str, place: str) -> None:
    where = parser(shared, {"name": "A"})
    before = shared.get(where).json()
    for answer in (shared.post(where, json=body), shared.patch(f"{where}/A", json=body)):
        assert answer.status_code == 400
        assert message in answer.json()["message"]
        assert [one["path"] for one in answer.json()["details"]] == [place]
        assert "fields.0" not in answer.text
    assert shared.get(where).json() == before


def test_all_wrong_keys_are_told(shared: Api) -> None:
    where = parser(shared)
    body = {"name": 5, "type": "x", "columns": [{"name": "a"}, {"name": "", "required": 1}]}
    details = shared.post(where, json=body).json()["details"]
    assert {one["path"] for one in details} == {"name", "type", "columns.1.name", "columns.1.required"}


def test_what_exists_already(api: Api) -> None:
    where = parser(api, {"name": "Total", "id": "t1"}, TABLE)
    for answer in (
        api.post(where, json={"name": " TOTAL "}),
        api.post(where, json={"id": "t1"}),
        api.post(where, json={"id": "c_item"}),
        api.post(where, json={"type": "table", "columns": [{"name": "a", "id": "t1"}]}),
        api.post(where, json={"id": "n", "type": "table", "columns": [{"name": "a", "id": "n"}]}),
        api.patch(f"{where}/Items", json={"name": "total"}),
        api.patch(f"{where}/Items", json={"columns": [{"id": "t1", "name": "a"}]}),
    ):
        refused(answer, 409, "Field already exists")
    refused(api.patch(f"{where}/Items", json={"id": "other"}), 400, "The id of a field can't be changed")
    assert len(api.get(where).json()["fields"]) == 2


def test_many_fields_are_set_at_once(api: Api) -> None:
    where = parser(api, {"name": "A"}, {"id": "b", "name": "B", "labels": ["Bee"]}, TABLE)
    wanted: list[dict[str, Any]] = [
        {"name": "New", "type": "date"},
        {"id": "b", "name": "Better"},
        {"name": " a ", "description": "The first"},
    ]
    assert changed(api.put(where, json={"fields": wanted}))[0] == ["a", "Better", "Items", "New"]
    first, second, table, _ = api.get(where).json()["fields"]
    assert first["description"] == "The first"
    assert (second["id"], second["labels"]) == ("b", ["Bee"])
    assert [column["name"] for column in table["columns"]] == ["Item", "Price"]
    assert changed(api.put(where, json={"fields": wanted}))[0] == ["a", "Better", "Items", "New"]
    only = {"fields": [{"name": "Total", "type": "currency"}, {"id": "b"}], "deleteOthers": True}
    assert changed(api.put(where, json=only))[0] == ["Total", "Better"]


def test_fields_are_all_set_or_none(shared: Api) -> None:
    where = parser(shared, {"id": "a", "name": "A"}, {"id": "b", "name": "B"})
    before = shared.get(where).json()
    wanted = [
        {"name": "A", "description": "fine"},
        {"name": "B", "type": "choice"},
        {"name": "a"},
        {"id": "c"},
        {"id": "b", "name": "A"},
        {"id": "x", "name": "B"},
    ]
    twice = refused(
        shared.put(where, json={"fields": wanted[:1] + wanted[2:]}), 400, "fields.1.name: 'A' is given twice"
    )
    assert [one["path"] for one in twice["details"]] == [
        "fields.1.name",
        "fields.2.name",
        "fields.3.name",
        "fields.4.id",
    ]
    assert twice["details"][2]["message"] == "Field already exists"
    answer = shared.put(where, json={"fields": wanted[:2]})
    assert answer.status_code == 400
    assert answer.json()["details"][0]["path"] == "fields.1.options"
    assert shared.get(where).json() == before


def test_what_is_not_there(shared: Api) -> None:
    where, gone = parser(shared, {"name": "A"}), new_id()
    for answer in (shared.patch(f"{where}/B", json={}), shared.delete(f"{where}/B")):
        assert refused(answer, 404, "Field not found")["notFound"] == [{"type": "fieldId", "value": "B"}]
    for answer in (
        shared.get(f"/parsers/{gone}/fields"),
        shared.post(f"/parsers/{gone}/fields", json={}),
        shared.post(f"/parsers/{gone}/fields/reorder", json={"fieldIds": []}),
        shared.post(f"/parsers/{gone}/fields/suggest", json={"documentId": gone}),
        shared.patch(f"/parsers/{gone}/fields/A", json={}),
        shared.delete(f"/parsers/{gone}/fields/A"),
    ):
        refused(answer, 404, "Parser not found")
    refused(shared.get("/parsers/nowhere/fields"), 400, "Invalid parserId")
    refused(shared.put(f"{where}/A", json={}), 405, "Method not allowed")
    refused(shared.put(f"/parsers/{gone}/fields", json={"fields": [{"name": "A"}]}), 404, "Parser not found")


def test_edits_at_the_same_time_are_all_kept(api: Api) -> None:
    where = parser(api, *({"name": f"old {n}"} for n in range(4)))

    def edit(number: int) -> int:
        if number % 2:
            return api.post(where, json={"name": f"new {number}"}).status_code
        body = {"description": f"d {number}"}
        return api.patch(f"{where}/old%20{number // 2}", json=body).status_code

    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(edit, range(8))) == [200] * 4 + [201] * 4
    fields = api.get(where).json()["fields"]
    assert [one["description"] for one in fields[:4]] == ["d 0", "d 2", "d 4", "d 6"]
    assert sorted(one["name"] for one in fields[4:]) == ["new 1", "new 3", "new 5", "new 7"]
    assert [one["position"] for one in fields] == list(range(8))


def test_suggest(api: Api) -> None:
    where = parser(api)
    sample = {"file": ("sample.txt", SAMPLE)}
    answer = api.post(f"{where}/suggest", files=sample)
    assert answer.status_code == 200, answer.text
    found = answer.json()["fields"]
    assert [one["name"] for one in found] == ["Invoice Number", "Invoice Date", "Total"]
    assert [one["position"] for one in found] == [0, 1, 2]
    assert found[0] == {
        "name": "Invoice Number",
        "type": "text",
        "description": None,
        "instructions": None,
        "required": False,
        "position": 0,
        "options": [],
        "labels": [],
        "extract": True,
        "columns": [],
    }
    (seen,) = answer.json()["found"]
    assert (seen["Invoice Number"], seen["Total"]["value"]) == (
        {"value": "A-17", "page": 1, "confidence": seen["Invoice Number"]["confidence"], "rowCount": None},
        119,
    )
    assert answer.json()["foundOn"] == {"Invoice Number": 1, "Invoice Date": 1, "Total": 1}
    assert changed(api.post(where, json=found[0]), 201)[0] == [found[0]["name"]]
    document = api.upload(where.split("/")[2], SAMPLE)
    assert api.post(f"{where}/suggest", json={"documentId": document}).json() == answer.json()
    in_a_form = {"documentId": (None, document)}
    assert api.post(f"{where}/suggest", files=in_a_form).json() == answer.json()
    whole = api.post("/parsers", json={"name": "Suggested", "fields": found}).json()["fields"]
    assert [{key: value for key, value in one.items() if key != "id"} for one in whole] == found


def test_samples_that_are_refused(shared: Api, tmp_path: Path) -> None:
    where, other = parser(shared), parser(shared)
    elsewhere = shared.upload(other.split("/")[2], SAMPLE)
    suggest = f"{where}/suggest"
    gone = new_id()
    refused(shared.post(suggest, json={"documentId": elsewhere}), 400, "Parser ID mismatch")
    missing = refused(shared.post(suggest, json={"documentId": gone}), 404, "Document not found")
    assert missing["notFound"] == [{"type": "documentId", "value": gone}]
    refused(shared.post(suggest, json={"documentId": "x"}), 400, "documentId: must be a UUID")
    one_sample = "Provide exactly one of file or documentId"
    neither: list[dict[str, Any]] = [{"json": {}}, {}, {"json": {"documentId": None}}]
    for request in neither:
        refused(shared.post(suggest, **request), 400, one_sample)
    sample = {"file": ("a.txt", SAMPLE)}
    refused(shared.post(suggest, data={"documentId": gone}, files=sample), 400, one_sample)
    assert shared.post(suggest, json=[]).status_code == 400
    refused(shared.post(suggest, json={"documentId": gone, "file": "x"}), 400, "Unknown property: file")
    two = [("file", ("a.txt", b"a")), ("file", ("b.txt", b"b"))]
    refused(shared.post(suggest, files=two), 400, one_sample)
    refused(shared.post(suggest, files={"documentId": (None, "x")}), 400, "documentId: must be a UUID")
    refused(shared.post(suggest, files={"other": (None, "x")}), 400, "Unknown property: other")
    refused(shared.post(suggest, files={"file": ("a.pdf", b"")}), 400, "a.pdf: File is empty")
    damaged = refused(
        shared.post(suggest, files={"file": ("a.pdf", b"%PDF-1.7 nothing")}),
        400,
        "a.pdf: File is damaged or not readable",
    )
    assert damaged["details"][0]["path"] == "file"
    unknown = shared.post(suggest, files={"file": ("a.bin", bytes(range(256)))})
    assert unknown.status_code == 415
    assert unknown.json()["message"].startswith("Unsupported file type: ")


def test_who_may(api: Api) -> None:
    where = parser(api, {"name": "A"})
    parser_id = where.split("/")[2]
    document = api.upload(parser_id, SAMPLE)
    calls: list[tuple[str, str, dict[str, Any], str]] = [
        ("GET", where, {}, "parsers:read"),
        ("POST", where, {"json": {}}, "fields:write"),
        ("POST", f"{where}/suggest", {"json": {"documentId": document}}, "fields:write"),
        ("PATCH", f"{where}/A", {"json": {"name": "B"}}, "fields:write"),
        ("POST", f"{where}/reorder", {"json": {"fieldIds": ["B", "Field"]}}, "fields:write"),
        ("DELETE", f"{where}/B", {}, "fields:write"),
    ]
    other = api.parser("Other")
    for method, path, how, permission in calls:
        refused(api.request(method, path, **how, headers={"Authorization": ""}), 401, "Missing API key")
        with api.other_team() as stranger:
            refused(stranger.request(method, path, **how), 404, "Parser not found")
        with api.using(api.key_with(parser_ids=[other])) as elsewhere:
            refused(elsewhere.request(method, path, **how), 403, "Access denied")
        lacking = [one for one in ("parsers:read", "parsers:write", "fields:write") if one != permission]
        with api.using(api.key_with([*lacking, "documents:read"])) as weak:
            refused(weak.request(method, path, **how), 403, "Access denied")
    with api.using(api.key_with(["fields:write"])) as blind:
        refused(blind.post(f"{where}/suggest", json={"documentId": document}), 403, "Access denied")
    for method, path, how, permission in calls:
        with api.using(api.key_with([permission, "documents:read"], [parser_id])) as allowed:
            assert allowed.request(method, path, **how).status_code in (200, 201), (method, path)
