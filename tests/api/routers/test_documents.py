from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import select, update

from docduck.catalog.models import Document, StoredLayout
from docduck.ids import new_id
from docduck.service.corrections.corrections import set_values
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.document_changes import update_document
from docduck.service.outputs.folder_exports import export_to_folder
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.processing import process_queue
from docduck.service.processing.results import store_outcomes
from tests.api.request.hostile import refused
from tests.documents.formats.files import lines_page, pdf
from tests.server.served import Api
from tests.service.core.documents import add, complete, extraction, make_parser, upload
from tests.service.core.people import make_member, make_team, put_in_review
from tests.service.documents.test_document_changes import make_folder

REVIEW = {
    "isRequired": False,
    "status": "not_required",
    "assignee": None,
    "currentStage": None,
    "stages": [],
}
NO_EVIDENCE: dict[str, Any] = {
    "confidence": None,
    "page": None,
    "locations": [],
    "rawText": None,
    "source": None,
    "edited": False,
    "editedBy": None,
    "editedAt": None,
}
DATA = {
    "Number": "A-1",
    "Total": 12.5,
    "Tags": ["a", "b"],
    "Line Items": [{"Description": "item 0", "Amount": 0.0}, {"Description": "item 1", "Amount": 1.0}],
}


class World:
    """A parser with one processed document, and another parser."""

    def __init__(self, api: Api) -> None:
        self.api, self.inst = api, api.inst
        self.parser, self.other = make_parser(api.inst), make_parser(api.inst, "Orders")
        (self.id,) = add(api.inst, self.parser)
        complete(api.inst, self.parser)
        self.path = f"/parsers/{self.parser.id}/documents/{self.id}"
        self.all = f"/parsers/{self.parser.id}/documents"
        self.process = f"/process/{self.parser.id}"

    def put_in(self, status: str, **more: Any) -> None:
        with self.inst.catalog.transaction() as session:
            session.execute(update(Document).where(Document.id == self.id).values(status=status, **more))

    def get(self) -> dict[str, Any]:
        answer = self.api.get(self.path)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def data(self, **query: str) -> Any:
        return self.api.get(f"{self.process}/files/data", params=query)


@pytest.fixture
def world(api: Api) -> World:
    return World(api)


@pytest.fixture
def small(lite: Api) -> World:
    """The same on SQLite alone."""
    return World(lite)


def not_found(kind: str, value: str) -> list[dict[str, str]]:
    return [{"type": kind, "value": value}]


def test_a_document_is_shown_whole(world: World) -> None:
    found = world.get()
    metadata = found.pop("metadata")
    for moment in ("createdAt", "updatedAt"):
        assert metadata[moment] == found.pop(moment)
    url = found.pop("url")
    assert url.startswith(f"{world.api.address}/files/file/{world.id}?expires=")
    assert found == {
        "id": world.id,
        "parserId": world.parser.id,
        "name": "doc-0.txt",
        "externalId": None,
        "custom": None,
        "status": "processed",
        "folderId": None,
        "source": "api",
        "contentType": "text/plain",
        "isProcessed": True,
        "isFailed": False,
        "pageCount": 1,
        "confidence": 0.9,
        "review": REVIEW,
        "folder": None,
        "data": DATA,
    }
    assert metadata.pop("url").split("?")[0] == url.split("?")[0]
    assert metadata.pop("thumbnail").startswith(f"{world.api.address}/files/thumbnail/{world.id}?")
    evidence = metadata.pop("field_metadata")
    assert evidence["Number"] == {
        "confidence": 0.9,
        "page": 1,
        "locations": [
            {"page": 1, "bbox": {"left": 0.1, "top": 0.2, "width": 0.3, "height": 0.05}, "text": "A-1"}
        ],
        "rawText": "A-1",
        "source": "text",
        "edited": False,
        "editedBy": None,
        "editedAt": None,
    }
    assert evidence["Tags"] == NO_EVIDENCE
    assert evidence.keys() == DATA.keys()
    assert [set(row) for row in evidence["Line Items"]] == [{"Description", "Amount"}] * 2
    del metadata["createdAt"], metadata["updatedAt"]
    assert metadata == {
        "id": world.id,
        "name": "doc-0.txt",
        "fileName": "doc-0.txt",
        "externalId": None,
        "custom": None,
        "status": "processed",
        "isProcessed": True,
        "isFailed": False,
        "markdownUrl": None,
        "pageCount": 1,
        "isApproved": False,
        "isRejected": False,
        "unsureBelow": 0.9,
        "review": REVIEW,
        "contentType": "text/plain",
        "source": "api",
        "sourceDetail": {},
        "folderId": None,
        "classifierId": None,
        "split": None,
        "classification": None,
        "duplicateOf": [],
        "warnings": [],
        "parserRevision": 1,
        "waiting": None,
        "progress": None,
    }


def test_a_queued_document_tells_why_it_waits_and_can_be_cancelled(world: World) -> None:
    ids = [upload(world.inst, world.inst.team_id, world.parser.slug, b"x", f"{n}.txt") for n in "abc"]
    path = f"{world.all}/{ids[2]}"
    waiting = world.api.get(path).json()["metadata"]["waiting"]
    assert waiting.keys() == {"since", "position", "reason"}
    assert (waiting["position"], waiting["reason"]) == (3, "waiting for a run to start; behind 2 documents")
    answer = world.api.post(f"{path}/cancel")
    assert answer.status_code == 200
    found = answer.json()
    assert (found["status"], found["error"], found["metadata"]["waiting"]) == ("failed", "Cancelled", None)
    refused(world.api.post(f"{path}/cancel"), 409, "Document is not in progress")
    assert world.api.delete(f"/parsers/{world.parser.id}").status_code == 200
    with world.inst.catalog.read_session() as session:
        assert set(session.scalars(select(Document.status).where(Document.id.in_(ids)))) == {"failed"}


def test_duplicates_name_existing_documents(world: World) -> None:
    twins = [upload(world.inst, world.inst.team_id, world.parser.slug, b"twin", f"{n}.txt") for n in "abc"]

    def shown(document_id: str) -> Any:
        return world.api.get(f"{world.all}/{document_id}").json()["metadata"]["duplicateOf"]

    assert [shown(one) for one in twins] == [[], twins[:1], twins[:2]]
    assert world.api.delete(f"{world.all}/{twins[0]}").status_code == 200
    assert [shown(one) for one in twins[1:]] == [[], twins[1:2]]


def test_a_deleted_field_is_left_in_the_data_alone(world: World) -> None:
    fields = f"/parsers/{world.parser.id}/fields"
    before = world.get()
    columns = [{"name": "Description"}]
    assert world.api.patch(f"{fields}/Line Items", json={"columns": columns}).status_code == 200
    for name in ("Number", "Tags"):
        assert world.api.delete(f"{fields}/{name}").status_code == 200
    assert world.api.post(fields, json={"name": "tags", "type": "boolean"}).status_code == 201
    expected = {**DATA, "tags": None}
    for found in (world.get(), world.data(documentId=world.id).json()):
        assert found["data"] == expected
        evidence = found["metadata"]["field_metadata"]
        assert evidence == {**before["metadata"]["field_metadata"], "tags": NO_EVIDENCE}
    exported = export_to_folder(world.inst, world.parser.team_id, world.parser.id).path
    assert exported is not None
    rows = json.loads(exported.read_text())
    assert rows[0]["data"] == {
        "Total": 12.5,
        "Line Items": [{"Description": "item 0"}, {"Description": "item 1"}],
        "tags": None,
    }
    search = f"{world.all}/search"
    assert world.api.post(search, json={"q": "A-1"}).json()["data"] == []
    filters = [{"field": "Number", "operator": "exists"}]
    refused(world.api.post(search, json={"filters": filters}), 400, "Unknown field: Number")
    changed = world.api.patch(f"{world.path}/data", json={"data": {"Number": "A-2"}})
    refused(changed, 400, "There is no field 'Number'", known=["Total", "Line Items", "tags"])
    assert world.api.put(f"{world.path}/data", json={"data": {"Total": 1}}).json()["data"].keys() == {
        "Total",
        "Line Items",
        "tags",
    }


def test_a_deleted_field_is_gone_once_its_documents_are_read_again(small: World) -> None:
    fields = f"/parsers/{small.parser.id}/fields"
    for name in ("Tags", "Line Items"):
        assert small.api.delete(f"{fields}/{name}").status_code == 200
    # A new field of the same name hides what is left of the former one.
    assert small.api.post(fields, json={"name": "Tags"}).status_code == 201
    found = small.get()
    assert found["data"] == {**DATA, "Tags": None}
    assert small.api.post(f"{small.path}/reprocess").status_code == 200
    complete(small.inst, small.parser)
    assert small.get()["data"].keys() == {"Number", "Total", "Tags"}


def test_values_are_found_by_either_id(world: World) -> None:
    update_document(world.inst, world.inst.team_id, world.parser.id, world.id, {"external_id": "A/1 ä"})
    by_id, by_name = world.data(documentId=world.id), world.data(externalId="A/1 ä")
    assert by_id.status_code == 200
    assert by_id.json()["data"] == by_name.json()["data"] == DATA
    assert set(by_id.json()) == {"data", "metadata"}
    assert by_id.json()["metadata"]["externalId"] == "A/1 ä"
    refused(world.data(externalId="B"), 404, "Document not found", notFound=not_found("externalId", "B"))
    for query in ({}, {"documentId": world.id, "externalId": "A"}):
        refused(world.data(**query), 400, "Provide exactly one of documentId or externalId")
    refused(world.data(documentId="x"), 400, "Invalid documentId")


@pytest.mark.parametrize(
    ("status", "told", "shown"),
    [
        ("uploading", "processing", False),
        ("queued", "processing", False),
        ("processing", "processing", False),
        ("processed", "processed", True),
        ("in_review", "in_review", True),
        ("approved", "approved", True),
        ("rejected", "rejected", True),
        ("skipped", "skipped", False),
        ("failed", "failed", False),
    ],
)
def test_what_each_status_shows(small: World, status: str, told: str, shown: bool) -> None:
    small.put_in(status, error="File is damaged or not readable" if status == "failed" else None)
    found = small.data(documentId=small.id).json()
    metadata = found["metadata"]
    assert metadata["status"] == told
    assert found["data"] == (DATA if shown else {})
    assert bool(metadata["field_metadata"]) == metadata["isProcessed"] == shown
    assert metadata["isFailed"] == (status == "failed")
    assert (metadata["isApproved"], metadata["isRejected"]) == (status == "approved", status == "rejected")
    assert found.get("error") == ("File is damaged or not readable" if status == "failed" else None)
    assert ("error" in found) == (status == "failed")
    whole = small.get()
    assert whole["status"] == whole["metadata"]["status"] == status
    assert ("error" in whole) == (status == "failed")


def test_the_review_is_told(world: World) -> None:
    ann = make_member(world.inst)
    first, second = put_in_review(
        world.inst, world.id, ("First", "in_progress"), ("Second", "pending"), assignee_id=ann
    )
    review = world.get()["review"]
    person = review["assignee"]
    assert (person["id"], person["name"]) == (ann, "Ann")
    assert review["currentStage"] == {
        "id": first,
        "name": "First",
        "reviewerInstructions": "look at First",
        "position": 1,
    }
    assert review["stages"][1] == {
        "id": second,
        "name": "Second",
        "reviewerInstructions": "look at Second",
        "position": 2,
        "status": "pending",
        "assignee": None,
        "approvedAt": None,
        "rejectedAt": None,
        "comment": None,
    }
    assert (review["isRequired"], review["status"]) == (True, "in_progress")


def test_documents_of_others_are_not_told_of(world: World) -> None:
    elsewhere = world.path.replace(world.parser.id, world.other.id)
    strangers = make_team(world.inst)
    theirs = make_parser(world.inst, "Theirs", strangers)
    (their_document,) = add(world.inst, theirs)
    unknown = new_id()
    calls: list[tuple[str, str, Any]] = [
        ("GET", "", None),
        ("PATCH", "", {}),
        ("DELETE", "", None),
        ("GET", "/history", None),
    ]
    calls += [
        ("POST", "/split/undo", None),
        ("POST", "/reprocess", None),
        ("PATCH", "/data", {"data": {}}),
        ("PUT", "/data", {"data": {}}),
    ]
    for method, path, body in calls:
        call: dict[str, Any] = {} if body is None else {"json": body}
        refused(world.api.request(method, elsewhere + path, **call), 400, "Parser ID mismatch")
        for one in (unknown, their_document):
            answer = world.api.request(method, f"{world.all}/{one}{path}", **call)
            refused(answer, 404, "Document not found", notFound=not_found("documentId", one))
        for parser_id in (unknown, theirs.id):
            answer = world.api.request(method, f"/parsers/{parser_id}/documents/{world.id}{path}", **call)
            refused(answer, 404, "Parser not found", notFound=not_found("parserId", parser_id))
        refused(world.api.request(method, f"{world.all}/x{path}", **call), 400, "Invalid documentId")
    refused(
        world.api.get(f"/process/{world.other.id}/files/data", params={"documentId": world.id}),
        400,
        "Parser ID mismatch",
    )
    assert world.get()["status"] == "processed"


def test_a_key_for_other_parsers_is_denied(world: World) -> None:
    with world.api.using(world.api.key_with(parser_ids=[world.other.id])) as client:
        for method, path in (
            ("GET", world.path),
            ("GET", f"{world.process}/files/data?documentId={world.id}"),
            ("POST", f"{world.process}/reprocess"),
            ("POST", f"{world.path}/split/undo"),
            ("POST", f"{world.process}/documents/delete"),
            ("POST", f"{world.all}/delete"),
            ("DELETE", world.path),
        ):
            refused(client.request(method, path), 403, "Access denied")


def test_a_document_is_changed(world: World) -> None:
    folder, ann = make_folder(world.inst, world.parser), make_member(world.inst)
    answer = world.api.patch(
        world.path,
        json={
            "name": " Bill ",
            "externalId": "A-17",
            "custom": {"Ünï": [1, 2.5, None, {"a": True}]},
            "folderId": folder.upper(),
            "assigneeId": ann,
        },
    )
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["name"], found["externalId"], found["folderId"]) == ("Bill", "A-17", folder)
    assert found["custom"] == {"Ünï": [1, 2.5, None, {"a": True}]}
    assert found["folder"]["name"] == "Paid"
    assert found["review"]["assignee"]["id"] == ann
    again = world.api.patch(world.path, json={"custom": {"b": 1}}).json()
    assert (again["custom"], again["externalId"]) == ({"b": 1}, "A-17")
    names = ("externalId", "custom", "folderId", "assigneeId")
    cleared = world.api.patch(world.path, json=dict.fromkeys(names)).json()
    assert [cleared[name] for name in names[:3]] == [None] * 3
    assert cleared["review"]["assignee"] is None
    assert cleared["folder"] is None
    before = world.get()
    same = world.api.patch(world.path, json={})
    assert same.status_code == 200
    assert same.json()["updatedAt"] == before["updatedAt"]


def test_assigning_needs_the_permission_for_reviews(world: World) -> None:
    ann = make_member(world.inst)
    bulk = {"documentIds": [world.id]}
    with world.api.using(world.api.key_with(["documents:read", "documents:write"])) as client:
        for assignee in (ann, None):
            named = {"assigneeId": assignee}
            refused(client.patch(world.path, json={**named, "name": "Bill"}), 403, "Access denied")
            refused(client.patch(world.all, json={**bulk, **named}), 403, "Access denied")
            refused(client.post(f"{world.all}/bulk-update", json={**bulk, **named}), 403, "Access denied")
        assert client.patch(world.path, json={"custom": {"a": 1}}).status_code == 200
        assert client.patch(world.all, json={**bulk, "custom": None}).status_code == 200
    assert world.get()["review"]["assignee"] is None
    with world.api.using(world.api.key_with(["documents:write", "reviews:write"])) as client:
        assert client.patch(world.path, json={"assigneeId": ann}).status_code == 200


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"status": "approved"}, "Unknown property: status"),
        ({"name": None}, None),
        ({"name": ""}, None),
        ({"name": "a\tb"}, None),
        ({"name": "x" * 256}, None),
        ({"name": 5}, None),
        ({"externalId": ""}, None),
        ({"externalId": 7}, None),
        ({"custom": []}, None),
        ({"custom": {"a": "x" * 17_000}}, "custom must have at most 16384 bytes as JSON"),
        ({"custom": {"a": {"b": {"c": {"d": {"e": {}}}}}}}, "custom must not be nested deeper than 5 levels"),
        ({"folderId": "x"}, None),
        ({"assigneeId": 7}, None),
        ([], None),
    ],
)
def test_a_bad_change_is_refused(small: World, body: Any, message: str | None) -> None:
    before = small.get()["updatedAt"]
    answer = small.api.patch(small.path, json=body)
    assert answer.status_code == 400, answer.text
    assert message is None or answer.json()["message"] == message
    assert small.get()["updatedAt"] == before


def test_a_change_that_meets_something_else_is_refused(world: World) -> None:
    (second,) = add(world.inst, world.parser, prefix="second")
    world.api.patch(f"{world.all}/{second}", json={"externalId": "taken"})
    answer = world.api.patch(world.path, json={"externalId": "taken"})
    refused(answer, 409, "externalId already exists: taken")
    unknown = new_id()
    foreign = make_folder(world.inst, world.other)
    for folder in (unknown, foreign):
        answer = world.api.patch(world.path, json={"folderId": folder})
        refused(answer, 404, "Folder not found", notFound=not_found("folderId", folder))
    answer = world.api.patch(world.path, json={"assigneeId": unknown})
    refused(answer, 404, "Assignee not found", notFound=not_found("assigneeId", unknown))
    put_in_review(world.inst, world.id, ("First", "in_progress"), assignee_id=make_member(world.inst))
    answer = world.api.patch(world.path, json={"assigneeId": None})
    refused(answer, 409, "Cannot remove the assignee while a review stage is in progress")


@pytest.mark.parametrize("alias", [False, True])
def test_many_documents_are_changed(world: World, alias: bool) -> None:
    def change(body: Any) -> Any:
        if alias:
            return world.api.post(f"{world.all}/bulk-update", json=body)
        return world.api.patch(world.all, json=body)

    ids = [world.id, *add(world.inst, world.parser, 2, "more")]
    update_document(world.inst, world.inst.team_id, world.parser.id, ids[2], {"external_id": "X"})
    put_in_review(world.inst, ids[0], ("First", "in_progress"), assignee_id=make_member(world.inst))
    answer = change({"documentIds": ids[:2], "externalIds": ["X"], "assigneeId": None, "custom": {"a": 1}})
    assert answer.status_code == 200, answer.text
    message = "Cannot remove the assignee while a review stage is in progress"
    assert answer.json() == {
        "success": True,
        "updated": 2,
        "ids": ids[1:],
        "failed": [{"id": ids[0], "message": message}],
    }
    unknown = new_id()
    answer = change({"documentIds": [ids[1], unknown], "externalIds": ["no"], "custom": {"a": 2}})
    missing = not_found("documentId", unknown) + not_found("externalId", "no")
    refused(answer, 404, "Document not found", notFound=missing)
    assert world.api.get(f"{world.all}/{ids[1]}").json()["custom"] == {"a": 1}
    refused(change({"custom": {}}), 400, "Provide at least one of documentIds or externalIds")
    nothing = "Provide at least one of folderId, assigneeId or custom"
    refused(change({"documentIds": ids}), 400, nothing)
    refused(change({"documentIds": ids, "custom": None, "name": "x"}), 400, "Unknown property: name")
    assert change({"documentIds": [new_id()] * 501, "custom": None}).status_code == 400
    (elsewhere,) = add(world.inst, world.other)
    refused(change({"documentIds": [ids[1], elsewhere], "custom": {}}), 400, "Parser ID mismatch")


@pytest.mark.parametrize("path", ["process", "all"])
def test_documents_are_deleted(world: World, path: str) -> None:
    url = f"{world.process}/documents/delete" if path == "process" else f"{world.all}/delete"
    ids = [world.id, *add(world.inst, world.parser, 2, "more")]
    world.api.patch(f"{world.all}/{ids[1]}", json={"externalId": "X"})
    message = "Provide at least one of documentIds or externalIds"
    empty: list[Any] = [
        {},
        {"documentIds": []},
        {"documentIds": [], "externalIds": []},
        {"documentIds": None},
    ]
    for body in empty:
        refused(world.api.post(url, json=body), 400, message)
    unknown = new_id()
    answer = world.api.post(url, json={"documentIds": [*ids, unknown], "externalIds": ["X", "Y"]})
    missing = not_found("documentId", unknown) + not_found("externalId", "Y")
    refused(answer, 404, "Document not found", notFound=missing)
    (elsewhere,) = add(world.inst, world.other)
    refused(world.api.post(url, json={"documentIds": [ids[0], elsewhere]}), 400, "Parser ID mismatch")
    assert world.api.post(url, json={"documentIds": ["x"]}).status_code == 400
    answer = world.api.post(url, json={"documentIds": [ids[0].upper()], "externalIds": ["X"]})
    assert answer.status_code == 200, answer.text
    assert answer.json() == {"success": True, "deleted": 2, "ids": ids[:2]}
    assert world.api.get(world.path).status_code == 404
    assert world.api.patch(f"{world.all}/{ids[2]}", json={"externalId": "X"}).status_code == 200


def test_a_path_takes_its_methods_only(small: World) -> None:
    for path in (f"{small.process}/documents/delete", f"{small.process}/reprocess"):
        answer = small.api.get(path)
        refused(answer, 405, "Method not allowed")
        assert answer.headers["allow"] == "POST"
    answer = small.api.post(small.path)
    refused(answer, 405, "Method not allowed")
    assert answer.headers["allow"] == "GET, HEAD, PATCH, DELETE"


def test_a_document_is_deleted_while_it_is_read(world: World) -> None:
    (waiting,) = add(world.inst, world.parser, prefix="waiting")
    claims = claim(world.inst, [ClaimRequest(world.parser.id, 10)], "me")
    answer = world.api.delete(f"{world.all}/{waiting}")
    assert answer.json() == {"success": True, "deleted": 1, "ids": [waiting]}
    assert (
        store_outcomes(
            world.inst, [ExtractionOutcome(one, world.parser, extraction()) for one in claims], "me"
        ).stored
        == []
    )
    assert world.api.delete(f"{world.all}/{waiting}").status_code == 404


def test_a_split_is_undone(world: World) -> None:
    refused(world.api.post(f"{world.path}/split/undo"), 409, "The document was not split from a PDF")
    settings = {"splitDocuments": {"enabled": True, "everyXPages": 1}}
    assert world.api.patch(f"/parsers/{world.parser.id}", json=settings).status_code == 200
    data = pdf(lines_page(("Number: S-1",)), lines_page(("Number: S-2",)))
    document_id = upload(world.inst, world.inst.team_id, world.parser.slug, data, "b.pdf")
    process_queue(world.inst)
    answer = world.api.get(world.all, params={"q": "b (p. 2).pdf"}).json()["data"]
    (second,) = (one["id"] for one in answer)
    split = world.api.get(f"{world.all}/{second}").json()["metadata"]["split"]
    assert (split["sourceDocumentId"], split["index"], split["total"], split["pages"]) == (
        document_id,
        2,
        2,
        "2",
    )
    answer = world.api.post(f"{world.all}/{second}/split/undo")
    assert answer.json() == {"success": True, "documentId": document_id, "status": "processing"}
    assert world.api.get(f"{world.all}/{second}").status_code == 404
    refused(
        world.api.post(f"{world.all}/{document_id}/split/undo"), 409, "The document was not split from a PDF"
    )


def test_a_document_is_read_again(world: World) -> None:
    update_document(world.inst, world.inst.team_id, world.parser.id, world.id, {"external_id": "A"})
    done = {"success": True, "documentId": world.id, "status": "processing"}
    assert world.api.post(f"{world.path}/reprocess").json() == done
    refused(world.api.post(f"{world.path}/reprocess", json={}), 409, "Document is already being processed")
    complete(world.inst, world.parser)
    for body in ({"documentId": world.id}, {"externalId": "A"}):
        assert world.api.post(f"{world.process}/reprocess", json=body).json() == done
        refused(
            world.api.post(f"{world.process}/reprocess", json=body),
            409,
            "Document is already being processed",
        )
        complete(world.inst, world.parser)
    one_of_two = "Provide exactly one of documentId or externalId"
    for body in ({}, {"documentId": world.id, "externalId": "A"}):
        refused(world.api.post(f"{world.process}/reprocess", json=body), 400, one_of_two)
    for bad in ({"documentId": "x"}, {"documentId": 7}, {"externalId": ""}):
        assert world.api.post(f"{world.process}/reprocess", json=bad).status_code == 400
    answer = world.api.post(f"{world.process}/reprocess", json={"externalId": "B"})
    refused(answer, 404, "Document not found", notFound=not_found("externalId", "B"))
    refused(world.api.post(f"{world.path}/reprocess", json={"x": 1}), 400, "Unknown property: x")


@pytest.mark.parametrize("path", ["parsers", "process"])
def test_what_people_set_stays_unless_it_is_to_be_discarded(world: World, path: str) -> None:
    url, named = (
        (f"{world.path}/reprocess", {})
        if path == "parsers"
        else (f"{world.process}/reprocess", {"documentId": world.id})
    )
    set_values(world.inst, world.inst.team_id, world.parser.id, world.id, {"Number": "B-2"})
    for more, number in (
        ({}, "B-2"),
        ({"discardCorrections": False}, "B-2"),
        ({"discardCorrections": True}, "A-1"),
    ):
        assert world.api.post(url, json={**named, **more}).status_code == 200
        complete(world.inst, world.parser)
        found = world.get()
        assert found["data"]["Number"] == number
        assert found["metadata"]["field_metadata"]["Number"]["edited"] is (number == "B-2")
    assert world.api.post(url, json={**named, "discardCorrections": 1}).status_code == 400


def test_values_are_put_right(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docduck.service.corrections.pending_corrections.learn", lambda *given, **more: {})
    ann = make_member(world.inst)
    total = next(str(field.id) for field in world.parser.fields if field.name == "Total")
    body = {"data": {"Number": None, total: 99, "Line Items": [{"Amount": 5}]}, "reviewerId": ann}
    answer = world.api.patch(f"{world.path}/data", json=body)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["data"] == {
        "Number": None,
        "Total": 99,
        "Tags": ["a", "b"],
        "Line Items": [{"Description": None, "Amount": 5}],
    }
    evidence = found["metadata"]["field_metadata"]
    assert (evidence["Number"]["edited"], evidence["Number"]["locations"]) == (True, [])
    assert [set(row) for row in evidence["Line Items"]] == [{"Description", "Amount"}]
    assert (evidence["Total"]["edited"], evidence["Total"]["editedBy"]) == (True, ann)
    assert (evidence["Total"]["confidence"], evidence["Total"]["source"]) == (1.0, "user")
    assert not world.get()["isFailed"]
    replaced = world.api.put(f"{world.path}/data", json={"data": {"Tags": ["x"]}}).json()
    assert replaced["data"] == {"Number": None, "Total": None, "Tags": ["x"], "Line Items": []}
    history = world.api.get(f"{world.path}/history").json()
    assert [one["event"] for one in history["data"]] == [
        "stored",
        "claimed",
        "extracted",
        "corrected",
        "corrected",
    ]
    assert history["data"][3]["actor"] == ann
    assert history["pagination"] == {"page": 1, "limit": 50, "total": 5, "pageCount": 1}


def test_all_values_are_confirmed(world: World) -> None:
    before = world.get()["data"]
    ann = make_member(world.inst)
    answer = world.api.post(f"{world.path}/confirm", json={"reviewerId": ann})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["data"] == before
    evidence = found["metadata"]["field_metadata"]
    cells = [cell for row in evidence["Line Items"] for cell in row.values()]
    for entry in (evidence["Number"], evidence["Total"], evidence["Tags"], *cells):
        assert (entry["edited"], entry["editedBy"], entry["confidence"]) == (True, ann, 1.0)
    again = world.api.post(f"{world.path}/confirm").json()
    assert again["updatedAt"] == found["updatedAt"], "again changes nothing"
    history = world.api.get(f"{world.path}/history").json()
    assert [one["event"] for one in history["data"]] == ["stored", "claimed", "extracted", "confirmed"]


def test_not_everybody_confirms_everything(small: World) -> None:
    reviewer = new_id()
    answer = small.api.post(f"{small.path}/confirm", json={"reviewerId": reviewer})
    refused(answer, 404, "Reviewer not found", notFound=not_found("reviewerId", reviewer))
    refused(small.api.post(f"{small.path}/confirm", json={"x": 1}), 400, "Unknown property: x")
    small.put_in("approved")
    refused(small.api.post(f"{small.path}/confirm"), 409, "Document is approved; reset its review first")


def test_wrong_values_are_all_told(small: World) -> None:
    wrong = {"Nothing": 1, "Total": "12", "Tags": "a", "Line Items": [{"Amount": True}]}
    answer = small.api.patch(f"{small.path}/data", json={"data": wrong})
    assert answer.status_code == 400
    assert [one["path"] for one in answer.json()["details"]] == [
        "data.Nothing",
        "data.Total",
        "data.Tags",
        "data.Line Items.0.Amount",
    ]
    reviewer = new_id()
    answer = small.api.patch(f"{small.path}/data", json={"data": {"Total": 1}, "reviewerId": reviewer})
    refused(answer, 404, "Reviewer not found", notFound=not_found("reviewerId", reviewer))
    refused(small.api.patch(f"{small.path}/data", json={"data": {}, "x": 1}), 400, "Unknown property: x")
    shapeless: list[Any] = [{}, {"data": []}, {"data": None}]
    for body in shapeless:
        assert small.api.put(f"{small.path}/data", json=body).status_code == 400
    assert small.get()["data"] == DATA


@pytest.mark.parametrize("status", ["uploading", "queued", "processing", "approved"])
def test_values_are_not_changed_while_the_status_forbids_it(small: World, status: str) -> None:
    small.put_in(status)
    for method in ("PATCH", "PUT"):
        answer = small.api.request(method, f"{small.path}/data", json={"data": {"Total": 1}})
        assert answer.status_code == 409, answer.text
    assert small.api.patch(f"{small.path}/data", json={"data": {"Nothing": 1}}).status_code == 409


@pytest.mark.slow
def test_the_answer_does_not_wait_for_the_lesson_and_none_is_lost(
    small: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("docduck.api.routers.documents.documents.process_pending", lambda inst: 0)
        assert small.api.patch(f"{small.path}/data", json={"data": {"Number": "B"}}).status_code == 200
    with small.inst.catalog.read_session() as session:
        assert session.query(StoredLayout).count() == 0
    assert process_pending(small.inst) == 1
    with small.inst.catalog.read_session() as session:
        assert session.query(StoredLayout).count() == 1


def test_markdown_is_linked_where_the_parser_asks_for_it(world: World) -> None:
    (document_id,) = add(world.inst, world.parser, prefix="markdown")
    (one,) = claim(world.inst, [ClaimRequest(world.parser.id, 1)], "me")
    stored = world.inst.files.put_bytes(b"# A-1")
    reading = ExtractionOutcome(
        one, world.parser, extraction(), markdown_sha256=stored.sha256, markdown_size=stored.size
    )
    store_outcomes(world.inst, [reading], "me")
    path = f"{world.all}/{document_id}"
    assert world.api.get(path).json()["metadata"]["markdownUrl"] is None
    settings = ParserChanges(settings={"markdownParsing": {"enabled": True}})
    update_parser(world.inst, world.inst.team_id, world.parser.id, settings)
    url = world.api.get(path).json()["metadata"]["markdownUrl"]
    answer = world.api.get(url, headers={"Authorization": ""})
    assert (answer.status_code, answer.text) == (200, "# A-1")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert 'attachment; filename="markdown-0.md"' in answer.headers["content-disposition"]
