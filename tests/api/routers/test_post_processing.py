"""Post-processing and lookup tables over HTTP."""

from __future__ import annotations

import pytest

from tests.constants import SetConstants
from tests.server.served import Api

CSV = "number,note\nA-1,Größe\n".encode()
LOOKUP = {
    "type": "lookup",
    "table": "notes",
    "match": [{"field": "Number", "column": "number"}],
    "write": [{"field": "Line Items.Description", "column": "note"}],
    "mode": "exact",
    "onMissing": "keep",
}
TRIM = {"type": "transform", "field": "Number", "transform": "trim"}


@pytest.fixture
def api(shared: Api, set_constants: SetConstants) -> Api:
    set_constants(max_lookup_table_bytes=1000)
    return shared


def put_table(api: Api, parser_id: str, data: bytes = CSV, name: str = "notes") -> dict[str, object]:
    answer = api.put(
        f"/parsers/{parser_id}/lookup-tables/{name}", content=data, headers={"Content-Type": "text/csv"}
    )
    assert answer.status_code == 200, answer.text
    body: dict[str, object] = answer.json()
    return body


def test_steps_are_set_and_shown(api: Api) -> None:
    where = f"/parsers/{(parser_id := api.parser())}/post-processing"
    assert api.get(where).json() == {"steps": []}
    put_table(api, parser_id)
    answer = api.put(where, json={"steps": [TRIM, LOOKUP]})
    assert (answer.status_code, answer.json()) == (200, {"steps": [TRIM, LOOKUP]})
    assert api.get(where).json() == {"steps": [TRIM, LOOKUP]}
    wrong = api.put(where, json={"steps": [{**TRIM, "field": "X"}, {**TRIM, "transform": "y"}]})
    assert wrong.status_code == 400
    assert [one["path"] for one in wrong.json()["details"]] == ["steps.0.field", "steps.1.transform"]
    bodies: list[object] = [{}, {"steps": None}, {"steps": {}}, {"steps": [], "more": 1}, [], None]
    for body in bodies:
        assert api.put(where, json=body).status_code == 400, body


def test_tables_are_sent_as_csv_or_as_a_file(api: Api) -> None:
    parser_id = api.parser()
    made = put_table(api, parser_id)
    assert made == {"name": "notes", "columns": ["number", "note"], "rows": 1, "updatedAt": made["updatedAt"]}
    where = f"/parsers/{parser_id}/lookup-tables"
    more = api.put(f"{where}/other.1", files={"file": ("x.csv", b"\xef\xbb\xbfa;b\n1;2\n3;4\n")})
    assert (more.json()["columns"], more.json()["rows"]) == (["a", "b"], 2)
    listed = api.get(where).json()
    assert [one["name"] for one in listed["data"]] == ["notes", "other.1"]
    assert listed["pagination"] == {"page": 1, "limit": 50, "total": 2, "pageCount": 1}
    assert [one["name"] for one in api.get(where, params={"page": 2, "limit": 1}).json()["data"]] == [
        "other.1"
    ]
    assert api.delete(f"{where}/other.1").json()["success"] is True
    assert api.delete(f"{where}/other.1").status_code == 404


@pytest.mark.parametrize(
    ("content", "kind", "status", "message"),
    [
        (b"", "text/csv", 400, "The lookup table is empty: it needs a line with the names of its columns"),
        (b"a,b\n1\n", "text/csv; charset=utf-8", 400, "Line 2 of the lookup table has 1 values"),
        (b"a\n" * 600, "text/csv", 413, "Request body too large: at most 1000 bytes"),
        (b"{}", "application/json", 400, "Send the table as text/csv"),
        (b"a\n", None, 400, "Send the table as text/csv"),
        (b"--x--", "multipart/form-data; boundary=x", 400, "Send exactly one file"),
    ],
)
def test_bad_tables(api: Api, content: bytes, kind: str | None, status: int, message: str) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    answer = api.put(f"/parsers/{api.parser()}/lookup-tables/notes", content=content, headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.json()["message"].startswith(message)


def test_files_and_names_have_limits(api: Api) -> None:
    where = f"/parsers/{api.parser()}/lookup-tables"
    assert api.put(f"{where}/n", files={"file": ("x.csv", b"a\n" * 600)}).status_code == 413
    two = [("file", ("x.csv", b"a\n")), ("file", ("y.csv", b"a\n"))]
    assert api.put(f"{where}/n", files=two).json()["message"] == "Send exactly one file"
    for name in ("a%20b", "a" * 65, ".a", "%C3%A4"):
        answer = api.put(f"{where}/{name}", content=CSV, headers={"Content-Type": "text/csv"})
        assert answer.status_code == 400, name


def test_a_table_in_use_is_not_deleted(api: Api) -> None:
    parser_id = api.parser()
    put_table(api, parser_id)
    api.put(f"/parsers/{parser_id}/post-processing", json={"steps": [LOOKUP]})
    answer = api.delete(f"/parsers/{parser_id}/lookup-tables/notes")
    assert (answer.status_code, answer.json()["message"]) == (
        409,
        "The lookup table 'notes' is used by the parser's post-processing",
    )
