"""Documents over HTTP: of a parser, and of a team by their ids."""

from __future__ import annotations

from typing import Any

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from sqlalchemy import select, update

from docduck.catalog.models import Document, StoredLayout
from docduck.errors import EncryptedFile, WrongPassword
from docduck.ids import new_id
from docduck.service.corrections.corrections import set_values
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.processing import process_queue
from docduck.service.processing.results import store_outcomes
from tests.api.request.hostile import nothing_changes, refused
from tests.documents.formats.files import lines_page, pdf
from tests.server.served import Api
from tests.service.core.documents import add, complete, extraction, make_parser, upload
from tests.service.core.people import make_member, put_in_review
from tests.service.documents.test_document_changes import make_folder
from tests.waiting import wait_for

REVIEW = {
    "isRequired": False,
    "status": "not_required",
    "assignee": None,
    "currentStage": None,
    "stages": [],
}
NO_EVIDENCE: dict[str, Any] = {
    **{"confidence": None, "page": None, "locations": [], "rawText": None, "source": None},
    **{"edited": False, "editedBy": None, "editedAt": None},
}
DATA = {
    "Number": "A-1",
    "Total": 12.5,
    "Tags": ["a", "b"],
    "Line Items": [{"Description": "item 0", "Amount": 0.0}, {"Description": "item 1", "Amount": 1.0}],
}


class World:
    """A parser with one processed document."""

    def __init__(self, api: Api) -> None:
        self.api, self.inst = api, api.inst
        self.parser = make_parser(api.inst)
        (self.id,) = add(api.inst, self.parser)
        complete(api.inst, self.parser)
        self.path = f"/parsers/{self.parser.id}/documents/{self.id}"
        self.all = f"/parsers/{self.parser.id}/documents"
        self.process = f"/process/{self.parser.id}"

    def get(self) -> dict[str, Any]:
        answer = self.api.get(self.path)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def data(self, **query: str) -> Any:
        return self.api.get(f"{self.process}/files/data", params=query)


@pytest.fixture
def world(lite: Api) -> World:
    return World(lite)


def not_found(kind: str, value: str) -> list[dict[str, str]]:
    return [{"type": kind, "value": value}]


def test_the_place_of_a_correction_is_there_or_being_looked_for(lite: Api) -> None:
    parser_id = lite.parser()
    document_id = lite.upload(parser_id, b"Number: A-1\nTotal: 12.50\nReference B-7\n")
    lite.process(parser_id)
    path = f"/parsers/{parser_id}/documents/{document_id}"
    changes = {"Number": "B-7", "Line Items": [{"Description": "Reference", "Amount": None}]}
    metadata = lite.patch(f"{path}/data", json={"data": changes}).json()["metadata"]
    assert metadata["field_metadata"]["Number"]["locations"] == []
    assert metadata["locating"] == ["Number", "Line Items.Description"]

    def shown() -> dict[str, Any]:
        return dict(lite.get(path).json()["metadata"])

    wait_for(lambda: not shown()["locating"])
    places = shown()["field_metadata"]
    assert places["Number"]["locations"] and places["Line Items"][0]["Description"]["locations"]
    lite.patch(f"{path}/data", json={"data": {"Total": None}})
    assert lite.get(path).json()["metadata"]["locating"] == []


def test_a_document_is_shown_whole(world: World) -> None:
    found = world.get()
    metadata = found.pop("metadata")
    for moment in ("createdAt", "updatedAt"):
        assert metadata[moment] == found.pop(moment)
    assert found.pop("version")
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
    box = {"left": 0.1, "top": 0.2, "width": 0.3, "height": 0.05}
    assert evidence["Number"] == {
        **NO_EVIDENCE,
        **{"confidence": 0.9, "page": 1, "locations": [{"page": 1, "bbox": box, "text": "A-1"}]},
        **{"rawText": "A-1", "source": "text"},
    }
    assert evidence["Tags"] == NO_EVIDENCE
    assert evidence.keys() == DATA.keys()
    assert [set(row) for row in evidence["Line Items"]] == [{"Description", "Amount"}] * 2
    del metadata["createdAt"], metadata["updatedAt"]
    same = ["id", "name", "externalId", "custom", "status", "isProcessed", "isFailed", "pageCount"]
    same += ["review", "contentType", "source", "folderId"]
    assert metadata == {
        **{key: found[key] for key in same},
        "fileName": "doc-0.txt",
        "markdownUrl": None,
        "isApproved": False,
        "isRejected": False,
        "locating": [],
        "unsureBelow": 0.9,
        "sourceDetail": {},
        "classifierId": None,
        "split": None,
        "classification": None,
        "parts": [],
        "duplicateOf": [],
        "warnings": [],
        "statusReason": None,
        "needsPassword": False,
        "parserRevision": 1,
        "modelUsage": [],
        "waiting": None,
        "progress": None,
    }


def test_a_value_is_explained(world: World) -> None:
    def explained(**query: str | int) -> Any:
        return world.api.get(f"{world.path}/explanation", params=query)

    found = explained(field="Number").json()
    assert (found["field"], found["row"], found["value"], found["confidence"]) == ("Number", None, "A-1", 0.9)
    assert found["sentences"][0] == "It was read from the page; “A-1” is printed on page 1, top left."
    assert found["sentences"][-1] == "Of values that are read with such evidence, 90 of 100 are right."
    cell = explained(field="Line Items.Description", row=2).json()
    assert (cell["field"], cell["row"], cell["value"]) == ("Line Items.Description", 2, "item 1")
    for query, status, message in (
        ({"field": "Nothing"}, 404, "There is no value 'Nothing'"),
        ({"field": "Line Items.Description"}, 400, "say which row"),
        ({"field": "Line Items.Description", "row": 9}, 404, "has no row 9"),
    ):
        answer = explained(**query)
        assert (answer.status_code, message in answer.text) == (status, True)
    queued = upload(world.inst, world.inst.team_id, world.parser.slug, b"Number: 1", "b.txt")
    unread = world.api.get(f"{world.all}/{queued}/explanation", params={"field": "Number"})
    assert unread.status_code == 404 and "has no values" in unread.text


def test_a_queued_document_tells_why_it_waits_and_can_be_cancelled(world: World) -> None:
    ids = [upload(world.inst, world.inst.team_id, world.parser.slug, b"x", f"{n}.txt") for n in "abc"]
    path = f"{world.all}/{ids[2]}"
    metadata = world.api.get(path).json()["metadata"]
    assert metadata["duplicateOf"] == ids[:2]
    waiting = metadata["waiting"]
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


def test_values_are_found_by_either_id(world: World) -> None:
    world.api.patch(world.path, json={"externalId": "A/1 ä"})
    by_id, by_name = world.data(documentId=world.id), world.data(externalId="A/1 ä")
    assert by_id.status_code == 200
    assert by_id.json()["data"] == by_name.json()["data"] == DATA
    assert set(by_id.json()) == {"data", "metadata"}
    assert by_id.json()["metadata"]["externalId"] == "A/1 ä"
    refused(world.data(externalId="B"), 404, "Document not found", notFound=not_found("externalId", "B"))
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
def test_what_each_status_shows(shared: Api, status: str, told: str, shown: bool) -> None:
    world = World(shared)
    error = {"error": "File is damaged or not readable"} if status == "failed" else {}
    with world.inst.catalog.transaction() as session:
        changed = update(Document).where(Document.id == world.id)
        session.execute(changed.values(status=status, **error))
    found = world.data(documentId=world.id).json()
    metadata = found["metadata"]
    assert metadata["status"] == told
    assert found["data"] == (DATA if shown else {})
    assert bool(metadata["field_metadata"]) == metadata["isProcessed"] == shown
    assert metadata["isFailed"] == (status == "failed")
    assert (metadata["isApproved"], metadata["isRejected"]) == (status == "approved", status == "rejected")
    whole = world.get()
    assert whole["status"] == whole["metadata"]["status"] == status
    for answer in (found, whole):
        assert {key: answer[key] for key in answer.keys() & {"error"}} == error


def test_the_review_is_told(world: World) -> None:
    ann = make_member(world.inst)
    stages = (("First", "in_progress"), ("Second", "pending"))
    first, second = put_in_review(world.inst, world.id, *stages, assignee_id=ann)
    review = world.get()["review"]
    assert (review["isRequired"], review["status"]) == (True, "in_progress")
    assert (review["assignee"]["id"], review["assignee"]["name"]) == (ann, "Ann")
    words = "look at First"
    current = {"id": first, "name": "First", "reviewerInstructions": words, "position": 1}
    assert review["currentStage"] == current
    assert review["stages"][1] == {
        **{"id": second, "name": "Second", "reviewerInstructions": "look at Second", "position": 2},
        **{"status": "pending", "assignee": None, "approvedAt": None, "rejectedAt": None, "comment": None},
    }


def test_a_document_is_changed(world: World) -> None:
    folder, ann = make_folder(world.inst, world.parser), make_member(world.inst)
    custom = {"Ünï": [1, 2.5, None, {"a": True}]}
    changes = {"name": " Bill ", "externalId": "A-17", "custom": custom}
    answer = world.api.patch(world.path, json={**changes, "folderId": folder.upper(), "assigneeId": ann})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["name"], found["externalId"], found["custom"]) == ("Bill", "A-17", custom)
    assert (found["folderId"], found["folder"]["name"]) == (folder, "Paid")
    assert found["review"]["assignee"]["id"] == ann
    names = ("externalId", "custom", "folderId", "assigneeId")
    cleared = world.api.patch(world.path, json=dict.fromkeys(names)).json()
    assert [cleared[name] for name in names[:3]] == [None] * 3
    assert (cleared["review"]["assignee"], cleared["folder"]) == (None, None)
    assert world.api.patch(world.path, json={}).json()["updatedAt"] == cleared["updatedAt"]
    bad: list[Any] = [
        *({"name": None}, {"name": ""}, {"name": 5}, {"externalId": ""}, {"externalId": 7}, {"custom": []}),
        *({"folderId": "x"}, {"assigneeId": 7}, {"status": "approved"}, []),
    ]
    with nothing_changes(world.api):
        for body in bad:
            refused(world.api.patch(world.path, json=body), 400)
    (second,) = add(world.inst, world.parser, prefix="second")
    world.api.patch(f"{world.all}/{second}", json={"externalId": "taken"})
    answer = world.api.patch(world.path, json={"externalId": "taken"})
    refused(answer, 409, "externalId already exists: taken")
    unknown = new_id()
    for name, kind in (("folderId", "Folder"), ("assigneeId", "Assignee")):
        answer = world.api.patch(world.path, json={name: unknown})
        refused(answer, 404, f"{kind} not found", notFound=not_found(name, unknown))


def test_assigning_needs_the_permission_for_reviews(world: World) -> None:
    ann = make_member(world.inst)
    bulk = {"documentIds": [world.id]}
    with world.api.using(world.api.key_with(["documents:read", "documents:write"])) as client:
        for assignee in (ann, None):
            named = {"assigneeId": assignee}
            refused(client.patch(world.path, json={**named, "name": "Bill"}), 403, "Access denied")
            refused(client.patch(world.all, json={**bulk, **named}), 403, "Access denied")
            refused(client.post(f"{world.all}/bulk-update", json={**bulk, **named}), 403, "Access denied")
        assert client.patch(world.all, json={**bulk, "custom": None}).status_code == 200
    with world.api.using(world.api.key_with(["documents:write", "reviews:write"])) as client:
        assert client.patch(world.path, json={"assigneeId": ann}).status_code == 200


@pytest.mark.parametrize(("method", "more"), [("PATCH", ""), ("POST", "/bulk-update")])
def test_many_documents_are_changed(shared: Api, method: str, more: str) -> None:
    world = World(shared)
    ids = [world.id, *add(world.inst, world.parser, 2, "more")]
    shared.patch(f"{world.all}/{ids[2]}", json={"externalId": "X"})
    put_in_review(world.inst, ids[0], ("First", "in_progress"), assignee_id=make_member(world.inst))
    body = {"documentIds": ids[:2], "externalIds": ["X"], "assigneeId": None, "custom": {"a": 1}}
    answer = shared.request(method, f"{world.all}{more}", json=body)
    assert answer.status_code == 200, answer.text
    message = "Cannot remove the assignee while a review stage is in progress"
    failed = [{"id": ids[0], "code": "assignee_required", "message": message}]
    assert answer.json() == {"success": True, "updated": 2, "ids": ids[1:], "failed": failed}
    unknown = new_id()
    body = {"documentIds": [ids[1], unknown], "externalIds": ["no"], "custom": {"a": 2}}
    missing = not_found("documentId", unknown) + not_found("externalId", "no")
    refused(shared.request(method, f"{world.all}{more}", json=body), 404, notFound=missing)
    assert shared.get(f"{world.all}/{ids[1]}").json()["custom"] == {"a": 1}


def test_documents_are_deleted(world: World) -> None:
    for url in (f"{world.process}/documents/delete", f"{world.all}/delete"):
        ids = add(world.inst, world.parser, 2, url[1:8])
        world.api.patch(f"{world.all}/{ids[1]}", json={"externalId": "X"})
        unknown = new_id()
        answer = world.api.post(url, json={"documentIds": [*ids, unknown], "externalIds": ["X", "Y"]})
        missing = not_found("documentId", unknown) + not_found("externalId", "Y")
        refused(answer, 404, "Document not found", notFound=missing)
        answer = world.api.post(url, json={"documentIds": [ids[0].upper()], "externalIds": ["X"]})
        assert answer.status_code == 200, answer.text
        assert answer.json() == {"success": True, "deleted": 2, "ids": ids}
        refused(world.api.post(url, json={"documentIds": None}), 400)
    assert world.api.delete(world.path).json() == {"success": True, "deleted": 1, "ids": [world.id]}
    refused(world.api.get(world.path), 404, "Document not found", notFound=not_found("documentId", world.id))


def test_a_split_is_undone(world: World) -> None:
    refused(world.api.post(f"{world.path}/split/undo"), 409, "The document was not split from a PDF")
    settings = {"splitDocuments": {"enabled": True, "everyXPages": 1}}
    assert world.api.patch(f"/parsers/{world.parser.id}", json=settings).status_code == 200
    data = pdf(lines_page(("Number: S-1",)), lines_page(("Number: S-2",)))
    document_id = upload(world.inst, world.inst.team_id, world.parser.slug, data, "b.pdf")
    process_queue(world.inst)
    (row,) = world.api.get(world.all, params={"q": "b (p. 2).pdf"}).json()["data"]
    split = world.api.get(f"{world.all}/{row['id']}").json()["metadata"]["split"]
    assert (split["sourceDocumentId"], split["index"], split["total"]) == (document_id, 2, 2)
    assert split["pages"] == "2"
    answer = world.api.post(f"{world.all}/{row['id']}/split/undo")
    assert answer.json() == {"success": True, "documentId": document_id, "status": "processing"}


def test_a_document_is_read_again_without_its_corrections_if_told_so(world: World) -> None:
    world.api.patch(world.path, json={"externalId": "A"})
    set_values(world.inst, world.inst.team_id, world.parser.id, world.id, {"Number": "B-2"})
    done = {"success": True, "documentId": world.id, "status": "processing"}
    ways: list[tuple[str, dict[str, Any]]] = [
        (f"{world.path}/reprocess", {}),
        (f"{world.process}/reprocess", {"documentId": world.id}),
        (f"{world.process}/reprocess", {"externalId": "A"}),
    ]
    for url, named in ways:
        set_values(world.inst, world.inst.team_id, world.parser.id, world.id, {"Number": "B-2"})
        for more, number in (({}, "B-2"), ({"discardCorrections": True}, "A-1")):
            assert world.api.post(url, json={**named, **more}).json() == done
            again = world.api.post(url, json=named)
            refused(again, 409, "Document is already being processed")
            complete(world.inst, world.parser)
            assert world.get()["data"]["Number"] == number
        refused(world.api.post(url, json={**named, "discardCorrections": 1}), 400)
    assert world.api.post(f"{world.path}/reprocess").json() == done
    for bad in ({"documentId": "x"}, {"documentId": 7}, {"externalId": ""}):
        refused(world.api.post(f"{world.process}/reprocess", json=bad), 400)
    answer = world.api.post(f"{world.process}/reprocess", json={"externalId": "B"})
    refused(answer, 404, "Document not found", notFound=not_found("externalId", "B"))


def test_a_document_that_failed_is_read_with_a_password_or_filled_in_by_hand(world: World) -> None:
    closed = pdf(lines_page(("Number: A-7",)), encrypt=StandardEncryption("secret 1"))
    document = upload(world.inst, world.inst.team_id, world.parser.slug, closed, "a.pdf")
    complete(world.inst, world.parser, error=EncryptedFile())
    path = f"{world.all}/{document}"
    metadata = world.api.get(path).json()["metadata"]
    assert (metadata["needsPassword"], metadata["statusReason"]) == (True, "File is password protected")
    assert world.api.get(metadata["url"]).content == closed, "its original can be had"
    refused(world.api.post(f"{path}/reprocess", json={"password": ""}), 400)
    refused(world.api.post(f"{path}/reprocess", json={"password": "ä" * 100}), 400)
    for url, named in (
        (f"{path}/reprocess", {}),
        (f"{world.process}/reprocess", {"documentId": document}),
        ("/documents/reprocess", {"documentIds": [document]}),
    ):
        assert world.api.post(url, json={**named, "password": "secret 1"}).status_code == 200
        complete(world.inst, world.parser, error=WrongPassword())
    assert "secret 1" not in world.api.get(path).text
    refused(world.api.patch(f"{path}/data", json={"data": {"Total": "much"}}), 400)
    filled = world.api.patch(f"{path}/data", json={"data": {"Number": "A-7"}}).json()
    assert (filled["status"], filled["data"]["Number"], filled.get("error")) == ("processed", "A-7", None)
    assert filled["metadata"]["field_metadata"]["Number"]["edited"]
    events = world.api.get(f"{path}/history").json()["data"]
    assert [event["event"] for event in events[-2:]] == ["filled", "extracted"]


def test_values_are_put_right_and_confirmed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docduck.service.corrections.pending_corrections.learn", lambda *given, **more: {})
    ann, bob = make_member(world.inst), make_member(world.inst, "Bob")
    confirmed = world.api.post(f"{world.path}/confirm", json={"reviewerId": bob}).json()
    assert confirmed["data"] == DATA
    evidence = confirmed["metadata"]["field_metadata"]
    for entry in (evidence["Tags"], evidence["Line Items"][0]["Amount"]):
        assert (entry["edited"], entry["editedBy"], entry["confidence"]) == (True, bob, 1.0)
    again = world.api.post(f"{world.path}/confirm").json()
    assert again["updatedAt"] == confirmed["updatedAt"], "again changes nothing"
    total = next(str(field.id) for field in world.parser.fields if field.name == "Total")
    body = {"data": {"Number": None, total: 99, "Line Items": [{"Amount": 5}]}, "reviewerId": ann}
    answer = world.api.patch(f"{world.path}/data", json=body)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    rows = [{"Description": None, "Amount": 5}]
    assert found["data"] == {"Number": None, "Total": 99, "Tags": ["a", "b"], "Line Items": rows}
    evidence = found["metadata"]["field_metadata"]
    assert (evidence["Number"]["edited"], evidence["Number"]["locations"]) == (True, [])
    assert (evidence["Total"]["edited"], evidence["Total"]["editedBy"]) == (True, ann)
    assert (evidence["Total"]["confidence"], evidence["Total"]["source"]) == (1.0, "user")
    replaced = world.api.put(f"{world.path}/data", json={"data": {"Tags": ["x"]}}).json()
    assert replaced["data"] == {"Number": None, "Total": None, "Tags": ["x"], "Line Items": []}
    history = world.api.get(f"{world.path}/history").json()
    assert history["pagination"] == {"page": 1, "limit": 50, "total": 6, "pageCount": 1}
    assert [(one["event"], one["actor"]) for one in history["data"][2:5]] == [
        ("extracted", history["data"][2]["actor"]),
        ("confirmed", bob),
        ("corrected", ann),
    ]


def test_wrong_values_and_reviewers_are_told(world: World) -> None:
    wrong = {"Nothing": 1, "Total": "12", "Tags": "a", "Line Items": [{"Amount": True}]}
    answer = world.api.patch(f"{world.path}/data", json={"data": wrong})
    told = refused(answer, 400, known=["Number", "Total", "Tags", "Line Items"])
    assert [one["path"] for one in told["details"]] == [
        *("data.Nothing", "data.Total", "data.Tags", "data.Line Items.0.Amount"),
    ]
    unknown = {"reviewerId": new_id()}
    for method, path, body in (("PATCH", "data", {"data": {"Total": 1}}), ("POST", "confirm", {})):
        answer = world.api.request(method, f"{world.path}/{path}", json={**body, **unknown})
        missing = not_found("reviewerId", unknown["reviewerId"])
        refused(answer, 404, "Reviewer not found", notFound=missing)
    shapeless: list[Any] = [{}, {"data": []}, {"data": None}]
    for body in shapeless:
        refused(world.api.put(f"{world.path}/data", json=body), 400)
    assert world.get()["data"] == DATA
    put_in_review(world.inst, world.id, ("First", "approved"))
    for answer in (
        world.api.post(f"{world.path}/confirm"),
        world.api.put(f"{world.path}/data", json={"data": {"Total": 1}}),
    ):
        refused(answer, 409, "Document is approved; reset its review first")


@pytest.mark.slow
def test_the_answer_does_not_wait_for_the_lesson_and_none_is_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("docduck.api.routers.documents.documents.process_pending", lambda inst: 0)
        assert world.api.patch(f"{world.path}/data", json={"data": {"Number": "B"}}).status_code == 200
    with world.inst.catalog.read_session() as session:
        assert session.query(StoredLayout).count() == 0
    assert process_pending(world.inst) == 1
    with world.inst.catalog.read_session() as session:
        assert session.query(StoredLayout).count() == 1


def test_markdown_is_linked_where_the_parser_asks_for_it(world: World) -> None:
    (document_id,) = add(world.inst, world.parser, prefix="markdown")
    (one,) = claim(world.inst, [ClaimRequest(world.parser.id, 1)], "me")
    stored = world.inst.files.put_bytes(b"# A-1")
    outcome = ExtractionOutcome(
        one, world.parser, extraction(), markdown_sha256=stored.sha256, markdown_size=stored.size
    )
    store_outcomes(world.inst, [outcome], "me")
    path = f"{world.all}/{document_id}"
    assert world.api.get(path).json()["metadata"]["markdownUrl"] is None
    settings = ParserChanges(settings={"markdownParsing": {"enabled": True}})
    update_parser(world.inst, world.inst.team_id, world.parser.id, settings)
    url = world.api.get(path).json()["metadata"]["markdownUrl"]
    answer = world.api.get(url, headers={"Authorization": ""})
    assert (answer.status_code, answer.text) == (200, "# A-1")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert 'attachment; filename="markdown-0.md"' in answer.headers["content-disposition"]


def test_documents_of_any_parsers_are_shown_reread_cancelled_and_deleted(lite: Api) -> None:
    bills, orders = lite.parser("Bills"), lite.parser("Orders")
    bill, order = lite.upload(bills), lite.upload(orders)
    shown = lite.get(f"/documents/{bill.upper()}").json()
    assert (shown["id"], shown["parserId"], shown["metadata"]["status"]) == (bill, bills, "queued")
    history = lite.get(f"/documents/{bill}/history").json()
    assert [entry["event"] for entry in history["data"]] == ["stored"]
    assert history == lite.get(f"/parsers/{bills}/documents/{bill}/history").json()

    both = {"documentIds": [bill, order, bill]}
    assert lite.post("/documents/cancel", json=both).json() == {"success": True, "cancelled": 2}
    assert lite.get("/documents", params={"status": "failed"}).json()["data"][0]["error"] == "Cancelled"
    refused(lite.post("/documents/cancel", json=both), 409)
    unknown = refused(lite.post("/documents/reprocess", json={"documentIds": [bill, new_id()]}), 404)
    assert unknown["notFound"][0]["type"] == "documentId"
    assert lite.get(f"/documents/{bill}").json()["status"] == "failed", "all or none"
    assert lite.post("/documents/reprocess", json=both).json() == {"success": True, "queued": 2}
    refused(lite.post("/documents/reprocess", json=both), 409)
    with lite.other_team() as strangers:
        refused(strangers.get(f"/documents/{bill}"), 404)
        for action in ("cancel", "delete", "reprocess"):
            refused(strangers.post(f"/documents/{action}", json={"documentIds": [bill]}), 404)
            refused(lite.get(f"/documents/{action}"), 405)
    with lite.using(lite.key_with(parser_ids=[orders])) as limited:
        assert limited.get(f"/documents/{order}").status_code == 200
        for path in (f"/documents/{bill}", f"/documents/{bill}/history"):
            refused(limited.get(path), 404)
        for action in ("cancel", "delete", "reprocess"):
            answer = limited.post(f"/documents/{action}", json={"documentIds": [order, bill]})
            refused(answer, 404, notFound=not_found("documentId", bill))
    gone = lite.post("/documents/delete", json=both).json()
    assert gone == {"success": True, "deleted": 2, "ids": [bill, order]}
    refused(lite.get(f"/documents/{bill}"), 404)
    empty: list[dict[str, Any]] = [{}, {"documentIds": []}, {"documentIds": ["x"]}]
    for wrong in empty:
        refused(lite.post("/documents/delete", json=wrong), 400)


def test_all_documents_of_a_parser_are_read_again(lite: Api) -> None:
    parser = lite.parser("Bills")
    for number in range(3):
        lite.upload(parser, f"Number: {number}".encode())
    path = "/parsers/bills/documents/reprocess"
    assert lite.post(path).json() == {"success": True, "queued": 0}, "they are in progress"
    lite.process(parser)
    assert lite.post(path, json={"statuses": ["failed"]}).json()["queued"] == 0
    assert lite.post(path, json={"discardCorrections": True}).json()["queued"] == 3
    answer = lite.post(path, json={"statuses": ["queued"]})
    refused(answer, 400, "Documents that are 'queued' can't be processed again")
