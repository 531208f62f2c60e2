from __future__ import annotations

from typing import Any

from docduck.ids import new_id
from tests.server.served import Api


def test_documents_of_any_parsers_are_shown_reread_cancelled_and_deleted(api: Api) -> None:
    bills, orders = api.parser("Bills"), api.parser("Orders")
    bill, order = api.upload(bills), api.upload(orders)
    shown = api.get(f"/documents/{bill.upper()}").json()
    assert (shown["id"], shown["parserId"], shown["metadata"]["status"]) == (bill, bills, "queued")
    history = api.get(f"/documents/{bill}/history").json()
    assert [entry["event"] for entry in history["data"]] == ["stored"]
    assert history == api.get(f"/parsers/{bills}/documents/{bill}/history").json()

    both = {"documentIds": [bill, order, bill]}
    assert api.post("/documents/cancel", json=both).json() == {"success": True, "cancelled": 2}
    assert api.get("/documents", params={"status": "failed"}).json()["data"][0]["error"] == "Cancelled"
    assert api.post("/documents/cancel", json=both).status_code == 409
    unknown = api.post("/documents/reprocess", json={"documentIds": [bill, new_id()]})
    assert unknown.status_code == 404 and unknown.json()["notFound"][0]["type"] == "documentId"
    assert api.get(f"/documents/{bill}").json()["status"] == "failed", "all or none"
    assert api.post("/documents/reprocess", json=both).json() == {"success": True, "queued": 2}
    assert api.post("/documents/reprocess", json=both).status_code == 409
    assert api.post("/documents/delete", json=both).json()["deleted"] == 2
    assert api.get(f"/documents/{bill}").status_code == 404
    refused: list[dict[str, Any]] = [
        {},
        {"documentIds": []},
        {"documentIds": ["x"]},
        {**both, "colour": "red"},
    ]
    for wrong in refused:
        assert api.post("/documents/delete", json=wrong).status_code == 400, wrong
    assert api.get("/documents/x").status_code == 400
    for action in ("cancel", "delete", "reprocess"):
        assert api.get(f"/documents/{action}").status_code == 405


def test_all_documents_of_a_parser_are_read_again(api: Api) -> None:
    parser = api.parser("Bills")
    for number in range(3):
        api.upload(parser, f"Number: {number}".encode())
    path = "/parsers/bills/documents/reprocess"
    assert api.post(path).json() == {"success": True, "queued": 0}, "they are in progress"
    api.process(parser)
    assert api.post(path, json={"statuses": ["failed"]}).json()["queued"] == 0
    assert api.post(path, json={"discardCorrections": True}).json()["queued"] == 3
    refused = api.post(path, json={"statuses": ["queued"]})
    assert refused.status_code == 400
    assert refused.json()["message"] == "Documents that are 'queued' can't be processed again"
    assert api.get(path).status_code == 405


def test_a_key_reaches_the_documents_of_its_parsers_alone(api: Api) -> None:
    bills, orders = api.parser("Bills"), api.parser("Orders")
    bill, order = api.upload(bills), api.upload(orders)
    with api.using(api.key_with(parser_ids=[orders])) as limited:
        assert limited.get(f"/documents/{order}").status_code == 200
        for path in (f"/documents/{bill}", f"/documents/{bill}/history"):
            assert limited.get(path).status_code == 404
        for action in ("cancel", "delete", "reprocess"):
            answer = limited.post(f"/documents/{action}", json={"documentIds": [order, bill]})
            assert answer.status_code == 404, action
            assert answer.json()["notFound"] == [{"type": "documentId", "value": bill}]
        assert limited.post(f"/parsers/{bills}/documents/reprocess").status_code == 403
    with api.using(api.key_with(["documents:read"])) as reader:
        assert reader.get(f"/documents/{bill}").status_code == 200
        for action in ("cancel", "delete", "reprocess"):
            assert reader.post(f"/documents/{action}", json={"documentIds": [bill]}).status_code == 403
    with api.other_team() as strangers:
        assert strangers.get(f"/documents/{bill}").status_code == 404
        assert strangers.post("/documents/delete", json={"documentIds": [bill]}).status_code == 404
    assert api.get("/documents").json()["pagination"]["total"] == 2
