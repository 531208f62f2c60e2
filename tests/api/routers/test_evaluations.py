"""The accuracy of a parser, over the API."""

from __future__ import annotations

from docduck.ids import new_id
from tests.api.request.hostile import refused
from tests.server.served import Api


def test_corrected_documents_are_read_again(api: Api) -> None:
    parser = api.parser()
    at = f"/parsers/{parser}"
    refused(api.post(f"{at}/evaluations"), 400, "The parser has no approved or corrected documents yet")
    right = api.upload(parser, b"Number: A-1\nTotal: 12.50\n")
    other = api.upload(parser, b"Number: B-2\nTotal: 30.00\n")
    api.process(parser)
    corrected = api.patch(f"{at}/documents/{right}/data", json={"data": {"Total": 99}})
    assert corrected.status_code == 200, corrected.text
    found = api.post(f"{at}/evaluations")
    assert found.status_code == 200, found.text
    told = found.json()
    assert (told["documents"], told["evaluatedDocuments"]) == (1, [right])
    assert (told["failedDocuments"], told["remainingDocuments"]) == ([], [])
    assert {one["name"] for one in told["fields"]} >= {"Number", "Total"}
    (total,) = [one for one in told["fields"] if one["name"] == "Total"]
    assert (total["before"]["values"], total["before"]["right"]) == (1, 0)
    named = api.post(f"{at}/evaluations", json={"documentIds": [right]}).json()
    assert named["evaluatedDocuments"] == [right]
    gone = refused(api.post(f"{at}/evaluations", json={"documentIds": [other]}), 404)
    assert gone["notFound"] == [{"type": "documentId", "value": other}]
    for ids in ([], ["x"], [new_id()] * 51):
        assert api.post(f"{at}/evaluations", json={"documentIds": ids}).status_code == 400, ids
    with api.using(api.key_with(["parsers:read"])) as limited:
        refused(limited.post(f"{at}/evaluations"), 403)
