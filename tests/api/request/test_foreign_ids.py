"""Ids of other teams and of parsers that a key may not use; ids in any case."""

from __future__ import annotations

from typing import Any

from tests.api.request.hostile import nothing_changes, refused
from tests.server.served import Api


def test_ids_in_any_case(shared: Api) -> None:
    p = shared.parser()
    folder = shared.post(f"/parsers/{p}/folders", json={"name": "A"}).json()["id"]
    P, F = p.upper(), folder.upper()
    one = shared.upload(P, b"Number: 1", folderId=F)
    sent = {"parserId": P, "folderId": F}
    two = shared.post("/process/files", files={"file": ("b.txt", b"Number: 2")}, data=sent)
    assert two.status_code == 200 and two.json()["result"][0]["parserId"] == p
    for method, path in (
        ("GET", f"/parsers/{P}"),
        ("GET", f"/parsers/{P}/folders/{F}"),
        ("GET", f"/parsers/{P}/documents?folderId={F}"),
        ("GET", f"/parsers/{P}/documents/{one.upper()}"),
        ("GET", f"/parsers/{P}/documents/{one.upper()}/history"),
        ("GET", f"/process/{P}/files/data?documentId={one.upper()}"),
        ("DELETE", f"/parsers/{P}/documents/{one.upper()}"),
        ("DELETE", f"/parsers/{P}/folders/{F}"),
    ):
        assert shared.request(method, path).status_code == 200, (method, path)


def test_ids_of_other_teams_are_not_there(shared: Api) -> None:
    mine = shared.parser()
    d = shared.upload(mine, externalIds='["E-1"]')
    folder = shared.post(f"/parsers/{mine}/folders", json={"name": "A"}).json()["id"]
    uploaded = shared.post(f"/process/{mine}/files", files={"file": ("b.txt", b"b")}).json()["result"][0]
    with shared.other_team() as other:
        theirs = other.post("/parsers", json={"name": "Theirs"}).json()["id"]
        d2 = other.upload(theirs)
        attempts: list[tuple[str, str, dict[str, Any]]] = [
            ("GET", f"/parsers/{theirs}/documents/{d}", {}),
            ("PATCH", f"/parsers/{theirs}/documents/{d}", {"json": {"name": "x"}}),
            ("PATCH", f"/parsers/{theirs}/documents/{d}/data", {"json": {"data": {}}}),
            ("DELETE", f"/parsers/{theirs}/documents/{d}", {}),
            ("POST", f"/parsers/{theirs}/documents/{d}/reprocess", {}),
            ("GET", f"/parsers/{theirs}/documents/{d}/history", {}),
            ("PATCH", f"/parsers/{theirs}/documents", {"json": {"documentIds": [d2, d], "custom": {}}}),
            ("PATCH", f"/parsers/{theirs}/documents", {"json": {"documentIds": [d2], "folderId": folder}}),
            ("PATCH", f"/parsers/{theirs}/documents/{d2}", {"json": {"folderId": folder}}),
            ("POST", f"/parsers/{theirs}/documents/delete", {"json": {"documentIds": [d2, d]}}),
            ("POST", f"/parsers/{theirs}/documents/delete", {"json": {"externalIds": ["E-1"]}}),
            ("POST", f"/process/{theirs}/reprocess", {"json": {"documentId": d}}),
            ("POST", f"/process/{theirs}/reprocess", {"json": {"externalId": "E-1"}}),
            ("GET", f"/process/{theirs}/files/data?documentId={d}", {}),
            ("GET", f"/process/{theirs}/files/data?externalId=E-1", {}),
            ("POST", f"/parsers/{theirs}/folders", {"json": {"name": "x", "parentId": folder}}),
            ("DELETE", f"/parsers/{theirs}/folders/{folder}?deleteDocuments=true", {}),
            ("POST", f"/parsers/{theirs}/fields/suggest", {"json": {"documentId": d}}),
            ("POST", "/process/files", {"files": {"file": ("a.txt", b"a")}, "data": {"parserId": mine}}),
            ("POST", "/process/urls", {"json": {"parserId": mine, "urls": ["https://example.org/"]}}),
            (
                "POST",
                f"/process/{theirs}/files",
                {"files": {"file": ("a.txt", b"a")}, "data": {"folderId": folder}},
            ),
            ("GET", f"/{uploaded['operationName']}", {}),
        ]
        with nothing_changes(shared):
            for method, path, more in attempts:
                body = refused(other.request(method, path, **more), 404)
                assert body["notFound"], path
                assert "Invoices" not in body["message"]
        assert [one["name"] for one in other.get("/parsers").json()["data"]] == ["Theirs"]


def test_a_key_for_one_parser_reaches_no_other(shared: Api) -> None:
    open_, closed = shared.parser("Open"), shared.parser("Closed")
    d = shared.upload(closed, externalIds='["E"]')
    operation = shared.post(f"/process/{closed}/files", files={"file": ("b.txt", b"b")}).json()["result"][0]
    with shared.using(shared.key_with(parser_ids=[open_])) as limited, nothing_changes(shared):
        for method, path, more in (
            ("POST", "/process/files", {"files": {"file": ("a.txt", b"1")}, "data": {"parserId": closed}}),
            (
                "POST",
                "/process/files",
                {"files": {"file": ("a.txt", b"1")}, "data": {"parserId": closed.upper()}},
            ),
            ("POST", "/process/urls", {"json": {"parserId": closed, "urls": ["https://example.org/"]}}),
            ("GET", f"/{operation['operationName']}", {}),
            ("POST", "/parsers", {"json": {"name": "x"}}),
            ("POST", f"/parsers/{open_}/duplicate", {}),
        ):
            sent: dict[str, Any] = dict(more)
            refused(limited.request(method, path, **sent), 403, "Access denied")
        refused(limited.get(f"/process/{open_}/files/data", params={"externalId": "E"}), 404)
        for method, path in (
            ("GET", f"/parsers/{open_}/documents/{d}"),
            ("DELETE", f"/parsers/{open_}/documents/{d}"),
            ("GET", f"/process/{open_}/files/data?documentId={d}"),
        ):
            refused(limited.request(method, path), 400, "Parser ID mismatch")
