"""Uploads to a classifier: what is taken and refused, and the results of routing in the response."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import func, select

from docduck.catalog.models import Document
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.expansion_job import EXPANSION
from docduck.ids import new_id
from docduck.workers.pool import WorkerPool
from tests.api.request.hostile import nothing_changes, refused
from tests.api.routers.test_classifiers import classifier, ended
from tests.conftest import MakeInstallation
from tests.constants import SetConstants
from tests.server.served import Api, serving
from tests.waiting import wait_for

TEXT = b"Number: A-1\nTotal: 12.50\n"
ROUTING = ("category", "targetParserId", "targetParserName", "reasoning", "error")


@pytest.fixture
def quick(shared: Api, set_constants: SetConstants) -> Api:
    """An API that doesn't wait for documents to be routed."""
    set_constants(classify_inline_seconds=0)
    return shared


def send(api: Api, classifier_id: str, *names: str, **form: str) -> Any:
    sent = [("file", (name, TEXT + name.encode())) for name in names]
    return api.post("/process/files", files=sent, data={"classifierId": classifier_id, **form})


def test_documents_wait_to_be_routed(quick: Api) -> None:
    classifier_id, _ = classifier(quick, "Invoice")
    form = {"externalIds": '["E-1", null]', "custom": '[null, {"a": 1}]'}
    answer = send(quick, classifier_id.upper(), "a.txt", "b.txt", **form)
    assert answer.status_code == 200, answer.text
    first, second = answer.json()["result"]
    assert {key: first[key] for key in ("status", "isProcessed", "parserId", "classifierId", "routing")} == {
        "status": "processing",
        "isProcessed": False,
        "parserId": None,
        "classifierId": classifier_id,
        "routing": {"status": "pending", **dict.fromkeys(ROUTING)},
    }
    assert (first["externalId"], second["externalId"], second["custom"]) == ("E-1", None, {"a": 1})
    assert first["operationName"] != second["operationName"]
    operation = quick.get(f"/{first['operationName']}").json()
    assert (operation["status"], operation["done"]) == ("processing", False)
    with quick.inst.catalog.read_session() as session:
        row = session.get_one(Document, first["documentId"])
        assert (row.parser_id, row.classifier_id, row.status) == (None, classifier_id, "queued")
        assert (row.routing_status, row.source, row.folder_id) == ("pending", "api", None)
    with quick.using(quick.key_with(parser_ids=[quick.parser()])) as limited:
        assert limited.get(f"/{first['operationName']}").status_code == 403
    assert quick.get(first["url"], headers={"Authorization": ""}).content == TEXT + b"a.txt"


def test_external_ids_are_unique_among_what_waits(quick: Api) -> None:
    classifier_id, (parser_id,) = classifier(quick, "Invoice")
    other, _ = classifier(quick, "Other", name="Other")
    ids = '["E-1"]'
    first = send(quick, classifier_id, "a.txt", externalIds=ids).json()["result"][0]["documentId"]
    again = send(quick, classifier_id, "b.txt", externalIds=ids)
    assert (again.status_code, again.json()["message"]) == (400, "externalId already exists: E-1")
    twice = send(quick, classifier_id, "b.txt", "c.txt", externalIds='["x", "x"]')
    assert (twice.status_code, twice.json()["message"]) == (400, "externalId already exists: x")
    assert send(quick, other, "b.txt", externalIds=ids).status_code == 200
    ended(quick, first, "skipped")
    where = f"/classifiers/{classifier_id}/documents/{first}/route"
    assert quick.post(where, json={"targetParserId": parser_id}).status_code == 200
    second = send(quick, classifier_id, "b.txt", externalIds=ids).json()["result"][0]["documentId"]
    ended(quick, second, "skipped")
    moved = quick.post(where.replace(first, second), json={"targetParserId": parser_id}).json()
    assert moved["externalId"] == "E-1-2"


def test_what_is_refused(quick: Api) -> None:
    classifier_id, (parser_id,) = classifier(quick, "Invoice", acceptedFileTypes=["application/pdf"])
    folder = quick.post(f"/parsers/{parser_id}/folders", json={"name": "A"}).json()["id"]
    by_url = {"classifierId": classifier_id, "urls": ["https://example.org/a"]}
    no_folder = "folderId is not allowed with classifierId"
    forms: list[tuple[dict[str, str], int, str]] = [
        ({"folderId": folder}, 400, no_folder),
        ({"externalIds": '["a", "b"]'}, 400, "externalIds length must match the number of files"),
        ({"classifierId": new_id()}, 404, "Classifier not found"),
        ({"classifierId": "x"}, 400, "Invalid classifierId"),
        ({"parserId": parser_id}, 400, "Provide exactly one of parserId or classifierId"),
        ({}, 415, "Unsupported file type: text/plain"),
    ]
    elsewhere = quick.key_with(parser_ids=[quick.parser()])
    with quick.other_team() as strangers, quick.using(elsewhere) as limited, nothing_changes(quick):
        for form, status, message in forms:
            refused(send(quick, classifier_id, "a.txt", **form), status, message)
        refused(quick.post("/process/urls", json={**by_url, "folderId": folder}), 400, no_folder)
        for client, status in ((strangers, 404), (limited, 403)):
            refused(send(client, classifier_id, "a.txt"), status)
            refused(client.post("/process/urls", json=by_url), status)
    quick.patch(f"/classifiers/{classifier_id}", json={"isActive": False})
    for answer in (send(quick, classifier_id, "a.pdf"), quick.post("/process/urls", json=by_url)):
        details = refused(answer, 400, "Classifier is inactive")["details"]
        assert details[0]["path"] == "classifierId"


INVOICE = b"INVOICE\n\nNumber: A-1\nInvoice date: 2026-01-02\nTotal: 12.50\n"
OTHER = b"Minutes of the garden club. We talked about roses and tulips.\n"


def test_the_response_says_where_documents_went(shared: Api) -> None:
    classifier_id, (parser_id,) = classifier(shared, "Invoice")
    sent = [("file", ("a.txt", INVOICE)), ("file", ("b.txt", OTHER))]
    answer = shared.post("/process/files", files=sent, data={"classifierId": classifier_id})
    assert answer.status_code == 200, answer.text
    routed, skipped = answer.json()["result"]
    assert (routed["parserId"], routed["classifierId"]) == (parser_id, classifier_id)
    assert routed["routing"] == {
        "status": "routed",
        "category": "Invoice",
        "targetParserId": parser_id,
        "targetParserName": "Invoice",
        "reasoning": "It is 'Invoice' because it is titled 'INVOICE'.",
        "error": None,
    }
    assert (routed["status"], "data" in routed) == ("processing", False)
    assert (skipped["status"], skipped["parserId"]) == ("skipped", None)
    assert (skipped["routing"]["status"], skipped["message"]) == ("skipped", "Document is skipped")
    (row,) = shared.get(f"/classifiers/{classifier_id}/documents?status=routed").json()["data"]
    assert (row["id"], row["routing"]["targetDocumentId"]) == (routed["documentId"], routed["documentId"])


def test_waiting_returns_the_data_of_the_target_parser(shared: Api) -> None:
    classifier_id, (parser_id,) = classifier(shared, "Invoice")
    ended = threading.Event()

    def work() -> None:
        while not ended.is_set():
            shared.process()

    run = threading.Thread(target=work)
    run.start()
    try:
        sent = {"file": ("a.txt", INVOICE)}
        waited = shared.post("/process/files?wait=60", files=sent, data={"classifierId": classifier_id})
    finally:
        ended.set()
        run.join()
    (item,) = waited.json()["result"]
    assert (item["isProcessed"], item["status"], item["parserId"]) == (True, "processed", parser_id)
    assert item["data"]["Number"] == "A-1" and item["routing"]["status"] == "routed"
    data = shared.get(f"/process/{parser_id}/files/data", params={"documentId": item["documentId"]}).json()
    assert data["data"] == item["data"]


def test_documents_that_are_not_classified_in_time_are_pending(make_installation: MakeInstallation) -> None:
    with serving(make_installation(classify_inline_seconds=0.001)) as api:
        classifier_id, (parser_id,) = classifier(api, "Invoice")
        sent = {"file": ("a.txt", INVOICE)}
        answer = api.post("/process/files", files=sent, data={"classifierId": classifier_id})
        (item,) = answer.json()["result"]
        assert item["routing"]["status"] == "pending"
        api.process()
        shown = api.get(f"/parsers/{parser_id}/documents/{item['documentId']}").json()
        assert shown["data"]["Number"] == "A-1"


def test_uploads_that_wait_to_be_classified_keep_no_other_request_waiting(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(api_threads=2, classify_inline_seconds=20)
    with serving(inst) as api:
        classifier_id, _ = classifier(api, "Invoice")
        limits = worker_limits(inst.settings)
        with ThreadPoolExecutor(4) as threads:
            with inst.side_workers.pool("busy", inst.team_id, lambda: WorkerPool(EXPANSION, 1, limits)):
                waiting = [threads.submit(send, api, classifier_id, f"{n}.txt") for n in range(4)]
                wait_for(lambda: documents_of(api, classifier_id) == 4)
                assert api.get("/parsers", timeout=10).status_code == 200
                assert not any(one.done() for one in waiting)
            assert {one.result().status_code for one in waiting} == {200}


def documents_of(api: Api, classifier_id: str) -> int:
    with api.inst.catalog.read_session() as session:
        mine = Document.classifier_id == classifier_id
        return session.scalar(select(func.count()).select_from(Document).where(mine)) or 0
