"""Operations, as uploads name them."""

from __future__ import annotations

import uuid
from typing import Any

from docduck.catalog.models import Document
from docduck.service.processing.processing import RunOptions, process_queue
from tests.api.request.hostile import refused
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving


def uploaded(api: Api, parser_id: str, content: bytes = b"Number: A-1\nTotal: 12.50\n") -> dict[str, Any]:
    answer = api.post(f"/process/{parser_id}/files", files={"file": ("a.txt", content)})
    assert answer.status_code == 200, answer.text
    item: dict[str, Any] = answer.json()["result"][0]
    return item


def test_an_operation_tells_its_document_and_once_read_its_run(lite: Api) -> None:
    parser_id = lite.parser()
    item = uploaded(lite, parser_id)
    answer = lite.get(f"/{item['operationName']}")
    assert answer.status_code == 200
    assert answer.json() == {
        "name": item["operationName"],
        "done": False,
        "documentId": item["documentId"],
        "status": "processing",
        "runId": None,
        "runUrl": None,
    }
    run_id = str(uuid.uuid4())
    process_queue(lite.inst, RunOptions(idle_seconds=0, run_id=run_id))
    found = lite.get(f"/{item['operationName']}").json()
    read = {"done": True, "status": "processed", "runId": run_id, "runUrl": None}
    assert found == {**read, "name": item["operationName"], "documentId": item["documentId"]}
    empty = uploaded(lite, parser_id, b"")
    lite.process(parser_id)
    found = lite.get(f"/{empty['operationName']}").json()
    assert (found["done"], found["status"], found["error"]) == (True, "failed", "File is empty")


def test_the_run_is_linked_where_dagster_is_known(make_installation: MakeInstallation) -> None:
    with serving(make_installation(dagster_url="http://127.0.0.1:9/dagster/")) as api:
        parser_id = api.parser()
        item = uploaded(api, parser_id)
        process_queue(api.inst, RunOptions(idle_seconds=0, run_id="abc"))
        found = api.get(f"/{item['operationName']}").json()
        assert found["runUrl"] == "http://127.0.0.1:9/dagster/runs/abc"


def test_reading_again_shows_the_last_run(lite: Api) -> None:
    parser_id = lite.parser()
    document_id = uploaded(lite, parser_id)["documentId"]
    process_queue(lite.inst, RunOptions(idle_seconds=0, run_id="first"))
    assert lite.get(f"/{operation_of(lite, document_id)}").json()["runId"] == "first"
    again = lite.post(f"/process/{parser_id}/reprocess", json={"documentId": document_id})
    assert again.status_code == 200
    process_queue(lite.inst, RunOptions(idle_seconds=0, run_id="second"))
    assert lite.get(f"/{operation_of(lite, document_id)}").json()["runId"] == "second"


def operation_of(api: Api, document_id: str) -> str:
    with api.inst.catalog.read_session() as session:
        row = session.get(Document, document_id)
        assert row is not None
        return f"operations/{row.operation_id}"


def test_strangers_and_limited_keys_see_nothing(lite: Api) -> None:
    parser_id = lite.parser()
    item = uploaded(lite, parser_id)
    path = f"/{item['operationName']}"
    gone = "019f4d5e-0000-7000-8000-000000000000"
    missing = [{"type": "operationId", "value": gone}]
    refused(lite.get(f"/operations/{gone}"), 404, "Operation not found", notFound=missing)
    other = lite.parser("Others")
    for status, caller in [
        (404, lite.other_team()),
        (403, lite.using(lite.key_with(parser_ids=[other]))),
        (403, lite.using(lite.key_with(["documents:write"]))),
        (200, lite.using(lite.key_with(["documents:read"], [parser_id]))),
    ]:
        with caller:
            assert caller.get(path).status_code == status
