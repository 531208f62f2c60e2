"""Uploading files: what is taken and refused, and that a refusal leaves nothing."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from docduck.catalog.models import Document
from docduck.ids import new_id
from docduck.service.accounts.accounts import limit_team
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.processing.processing import process_queue
from tests.api.request.hostile import nothing_changes, refused
from tests.conftest import MakeInstallation
from tests.documents.detection.test_sniff import LARGE
from tests.server.served import Api, serving
from tests.service.sources.mails import mail, paper

TEXT = b"Number: A-1\nTotal: 12.50\n"


def files(*names: str) -> list[tuple[str, tuple[str, bytes]]]:
    return [("file", (name, TEXT + name.encode())) for name in names]


def test_a_file_becomes_a_queued_document(shared: Api) -> None:
    parser_id = shared.parser()
    answer = shared.post(
        f"/process/{parser_id}/files",
        files={"file": ("Rechnung Ä.txt", TEXT)},
        data={"externalIds": '["E-1"]', "custom": '[{"order": {"no": 7}}]'},
    )
    assert answer.status_code == 200
    body = answer.json()
    item = body["result"][0]
    assert body["success"] is True and len(body["result"]) == 1
    assert item["id"] == item["documentId"]
    assert item["operationName"].startswith("operations/")
    assert {key: item[key] for key in ("name", "isProcessed", "status", "message", "pageCount")} == {
        "name": "Rechnung Ä.txt",
        "isProcessed": False,
        "status": "processing",
        "message": "Document queued for processing",
        "pageCount": None,
    }
    assert item["externalId"] == "E-1" and item["custom"] == {"order": {"no": 7}}
    assert shared.get(item["url"], headers={"Authorization": ""}).content == TEXT
    with shared.inst.catalog.read_session() as session:
        row = session.get_one(Document, item["id"])
        assert (row.status, row.source, row.size) == ("queued", "api", len(TEXT))
        assert item["operationName"] == f"operations/{row.operation_id}"


def test_large_files_are_known_by_all_of_their_content(lite: Api) -> None:
    parser_id = lite.parser(acceptedFileTypes=sorted({kind for _, kind in LARGE.values()}))
    sent = [("file", (name, content)) for name, (content, _) in LARGE.items()]
    answer = lite.post(f"/process/{parser_id}/files", files=sent)
    assert answer.status_code == 200, answer.text
    with lite.inst.catalog.read_session() as session:
        kinds = {row.name: row.content_type for row in session.scalars(select(Document))}
    assert kinds == {name: kind for name, (_, kind) in LARGE.items()}


@pytest.mark.parametrize("part", ["file", "files", "file[]", "files[]"])
def test_several_files_by_each_name_of_the_part(shared: Api, part: str) -> None:
    parser_id = shared.parser()
    sent = [(part, (f"{i}.txt", TEXT + bytes([65 + i]))) for i in range(20)]
    answer = shared.post("/process/files", files=sent, data={"parserId": parser_id})
    result = answer.json()["result"]
    assert [item["name"] for item in result] == [f"{i}.txt" for i in range(20)]
    assert {(item["parserId"], item["classifierId"], item["routing"]) for item in result} == {
        (parser_id, None, None)
    }


def test_waiting_gives_the_values(lite: Api) -> None:
    parser_id = lite.parser()
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(0.05):
            lite.process(parser_id)

    reader = threading.Thread(target=run)
    reader.start()
    try:
        answer = lite.post(f"/process/{parser_id}/files?wait=30", files={"file": ("a.txt", TEXT)})
    finally:
        ended.set()
        reader.join()
    item = answer.json()["result"][0]
    assert item["isProcessed"] is True and item["status"] == "processed" and item["pageCount"] == 1
    assert set(item["data"]) == {"Number", "Total", "Line Items"}
    assert item["data"]["Total"] == 12.5


def test_waiting_for_a_mail_ends_when_all_that_came_of_it_is_read(lite: Api) -> None:
    parser_id = lite.parser()
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(0.05):
            lite.process(parser_id)

    reader = threading.Thread(target=run)
    reader.start()
    data = mail([("a.txt", paper("A-1")), ("b.txt", paper("A-2"))])
    try:
        answer = lite.post(f"/process/{parser_id}/files?wait=30", files={"file": ("mail.eml", data)})
    finally:
        ended.set()
        reader.join()
    item = answer.json()["result"][0]
    assert (item["status"], item["data"]["Number"]) == ("processed", "A-1")
    where = f"/process/{parser_id}/files/data?documentId="
    parts = lite.get(where + item["documentId"]).json()["metadata"]["parts"]
    assert parts[0] == item["documentId"]
    found = [lite.get(where + part).json() for part in parts]
    assert [one["data"]["Number"] for one in found] == ["A-1", "A-2"]


def test_waiting_ends_without_a_result(lite: Api) -> None:
    answer = lite.post(f"/process/{lite.parser()}/files?wait=0.3", files={"file": ("a.txt", TEXT)})
    item = answer.json()["result"][0]
    assert item["status"] == "processing" and item["isProcessed"] is False and "data" not in item


MULTIPART = {"Content-Type": "multipart/form-data; boundary=BB"}


def multipart(parts: list[tuple[str, str | None, bytes]], end: bytes = b"--BB--\r\n") -> bytes:
    body = b""
    for field, file_name, content in parts:
        disposition = f'form-data; name="{field}"'
        if file_name is not None:
            disposition += f'; filename="{file_name}"'
        head = f"--BB\r\nContent-Disposition: {disposition}\r\nContent-Length: 3\r\n\r\n"
        body += head.encode() + content + b"\r\n"
    return body + end


BAD_FORMS: list[tuple[dict[str, Any], int, str]] = [
    ({"externalIds": '["a", "b"]'}, 400, "externalIds length must match the number of files"),
    ({"custom": "[]"}, 400, "custom length must match the number of files"),
    ({"externalIds": "[1]"}, 400, "externalIds.0 must be a text or null"),
    ({"externalIds": '"a"'}, 400, "externalIds must be a JSON array, with one item for each file"),
    ({"externalIds": "["}, 400, "externalIds: Malformed JSON"),
    ({"custom": "[5]"}, 400, "custom.0 must be an object or null"),
    ({"custom": json.dumps([{"a": "x" * 17_000}])}, 400, "custom.0 must have at most 16384 bytes as JSON"),
    ({"custom": '[{"a":{"b":{"c":{"d":{"e":{}}}}}}]'}, 400, "custom.0 must not be nested deeper than 5"),
    ({"folderId": "root"}, 400, "Invalid folderId"),
    ({"folderId": new_id()}, 404, "Folder not found"),
]


@pytest.mark.parametrize(("form", "status", "message"), BAD_FORMS)
def test_what_goes_with_the_files_is_checked(shared: Api, form: Any, status: int, message: str) -> None:
    parser_id = shared.parser()
    with nothing_changes(shared):
        answer = shared.post(f"/process/{parser_id}/files", files=files("a.txt"), data=form)
    assert refused(answer, status)["message"].startswith(message)


def test_an_inactive_parser(shared: Api) -> None:
    parser_id = shared.parser()
    update_parser(shared.inst, shared.inst.team_id, parser_id, ParserChanges(is_active=False))
    with nothing_changes(shared):
        answer = shared.post(f"/process/{parser_id}/files", files=files("a.txt"))
    refused(answer, 400, "Parser is inactive")


def test_external_ids_are_unique(shared: Api) -> None:
    path = f"/process/{shared.parser()}/files"
    sent: dict[str, Any] = {"files": files("a.txt"), "data": {"externalIds": '["E-1"]'}}
    assert shared.post(path, **sent).status_code == 200
    with nothing_changes(shared):
        for given in ('["E-2", "E-2"]', '["E-3", "E-1"]'):
            answer = shared.post(path, files=files("b.txt", "c.txt"), data={"externalIds": given})
            assert refused(answer, 400)["message"].startswith("externalId already exists: E-")
    assert shared.post(f"/process/{shared.parser()}/files", **sent).status_code == 200


def test_types_that_are_not_taken(shared: Api) -> None:
    parser_id, only_pdf = shared.parser(), shared.parser(acceptedFileTypes=["application/pdf"])
    program = {"file": ("a.exe", b"MZ\x90\x00" + bytes(200))}
    with nothing_changes(shared):
        body = refused(shared.post(f"/process/{parser_id}/files", files=program), 415)
        assert body["message"].startswith("Unsupported file type: ")
        answer = shared.post(f"/process/{only_pdf}/files", files=files("a.txt"))
        refused(answer, 415, "Unsupported file type: text/plain")


def test_limits_of_size_and_number(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_file_bytes=1000, max_upload_bytes=1000, max_upload_files=3)
    with serving(inst) as api:
        parser_id = api.parser()
        path = f"/process/{parser_id}/files"
        with nothing_changes(api):
            refused(api.post(path, files={"file": ("a.txt", b"x" * 1001)}), 413, "File too large")
            together = [("file", (f"{i}.txt", bytes([65 + i]) * 600)) for i in range(2)]
            refused(api.post(path, files=together), 413, "File too large")
            many = api.post(path, files=files("1", "2", "3", "4"))
            refused(many, 400, "An upload may have at most 3 files")
        assert api.post(path, files=files("1", "2", "3")).status_code == 200


BROKEN: list[tuple[dict[str, str], bytes, str]] = [
    ({"Content-Type": "multipart/form-data"}, multipart([]), "Send files as multipart/form-data"),
    ({"Content-Type": "application/json"}, b"{}", "Send files as multipart/form-data"),
    ({}, TEXT, "Send files as multipart/form-data"),
    (MULTIPART, multipart([("file", "a", TEXT)], end=b""), "The upload ends before its closing boundary"),
    (MULTIPART, multipart([("file", "a", TEXT)])[:-20], "The upload ends before its closing boundary"),
    (MULTIPART, b"nonsense", "The upload is not valid multipart/form-data"),
    (MULTIPART, b"", "The upload ends before its closing boundary"),
    (MULTIPART, multipart([]), "Send at least one file, in a part named file"),
    (MULTIPART, multipart([("file", "", b"")]), "Send at least one file, in a part named file"),
    (MULTIPART, multipart([("file", None, TEXT)]), "The part 'file' must be a file, with a filename"),
    (MULTIPART, multipart([("other", "a.txt", TEXT)]), "'other' is not a part for files: name it 'file'"),
    (
        MULTIPART,
        multipart([("file", "a", TEXT), ("folderId", None, b"\xff")]),
        "The field 'folderId' is not UTF-8",
    ),
    (MULTIPART, multipart([("x", None, b"1")]), "Unknown property: x"),
]


@pytest.mark.parametrize(("headers", "body", "message"), BROKEN)
def test_broken_bodies(shared: Api, headers: dict[str, str], body: bytes, message: str) -> None:
    parser_id = shared.parser()
    with nothing_changes(shared):
        answer = shared.post(f"/process/{parser_id}/files", content=body, headers=headers)
    assert refused(answer, 400)["message"].startswith(message)


def test_a_part_that_lies_about_its_length_is_taken_by_its_boundary(lite: Api) -> None:
    parser_id = lite.parser()
    answer = lite.post(
        f"/process/{parser_id}/files", content=multipart([("file", "a.txt", TEXT)]), headers=MULTIPART
    )
    assert answer.status_code == 200
    assert [lite.inst.files.path(one).read_bytes() for one in lite.inst.files.hashes()] == [TEXT]


def test_uploads_wait_outside_while_the_queue_is_full(make_installation: MakeInstallation) -> None:
    with serving(make_installation(max_backlog=3, known_seconds=0)) as api:
        parser_id, other = api.parser(), api.parser("Others")
        two = multipart([("file", "a.txt", TEXT), ("file", "b.txt", TEXT + b"b")])
        for _ in range(2):
            answer = api.post(f"/process/{parser_id}/files", content=two, headers=MULTIPART)
            assert answer.status_code == 200, "the limit is of the queue, not of an upload"
        for target in (parser_id, other):
            kept = set(api.inst.files.hashes())
            answer = api.post(
                f"/process/{target}/files", content=multipart([("file", "c.txt", b"c")]), headers=MULTIPART
            )
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
            assert "3 documents wait to be read (DOCDUCK_MAX_BACKLOG)" in answer.json()["message"]
            assert set(api.inst.files.hashes()) == kept
        process_queue(api.inst)
        answer = api.post(
            f"/process/{parser_id}/files", content=multipart([("file", "c.txt", b"c")]), headers=MULTIPART
        )
        assert answer.status_code == 200


def test_uploads_beyond_the_quota_are_refused(any_inst: Installation) -> None:
    limit_team(any_inst, any_inst.team_id, documents_per_day=3)
    with serving(any_inst) as api:
        parser_id, other = api.parser(), api.parser("Others")

        def send(target: str, *names: str) -> httpx.Response:
            body = multipart([("file", f"{name}.txt", name.encode()) for name in names])
            return api.post(f"/process/{target}/files", content=body, headers=MULTIPART)

        first, _ = (item["documentId"] for item in send(parser_id, "a", "b").json()["result"])
        kept = set(any_inst.files.hashes())
        answer = send(other, "c", "d")
        assert answer.status_code == 429
        body = answer.json()
        assert body["message"].startswith(
            "The team's quota of 3 documents a day has no room for 2 more: 2 were taken in today. "
            "It starts anew at "
        )
        assert 0 < body["retryAfter"] <= 86_400
        assert answer.headers["Retry-After"] == str(body["retryAfter"])
        assert set(any_inst.files.hashes()) == kept
        assert send(other, "c").status_code == 200
        delete_documents(any_inst, any_inst.team_id, [first])
        assert send(parser_id, "e").status_code == 429, "documents that are deleted count all the same"
        limit_team(any_inst, any_inst.team_id, documents_per_day=0)
        assert send(parser_id, "e").status_code == 200


def test_two_uploads_at_once_do_not_both_get_what_is_left(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit_team(any_inst, any_inst.team_id, documents_per_day=1)
    monkeypatch.setattr("docduck.service.uploads.file_uploads.check_quota", lambda *_: None)
    with serving(any_inst) as api:
        parser_id = api.parser()

        def send(name: str) -> int:
            body = multipart([("file", name, name.encode())])
            return api.post(f"/process/{parser_id}/files", content=body, headers=MULTIPART).status_code

        with ThreadPoolExecutor(4) as threads:
            assert sorted(threads.map(send, "abcd")) == [200, 429, 429, 429]


def test_a_connector_names_itself(lite: Api) -> None:
    parser_id = lite.parser()
    answer = lite.post(f"/process/{parser_id}/files", files=files("a"), headers={"X-Source": "Zapier"})
    document_id = answer.json()["result"][0]["id"]
    metadata = lite.get(f"/parsers/{parser_id}/documents/{document_id}").json()["metadata"]
    assert (metadata["source"], metadata["sourceDetail"]) == ("integration", {"connector": "zapier"})
    odd = lite.post(f"/process/{parser_id}/files", files=files("b"), headers={"X-Source": "x" * 65})
    assert odd.status_code == 400
