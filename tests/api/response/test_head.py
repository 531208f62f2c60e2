"""HEAD works where GET does: the same status and headers, and no body."""

from __future__ import annotations

import re

from docduck.server.app import create_app
from tests.server.served import Api

_OTHERWISE = {"x-request-id", "date", "content-length"}
_COUNTED = {"x-ratelimit-remaining", "x-ratelimit-reset"}


def test_head_answers_like_get(lite: Api) -> None:
    parser_id = lite.parser()
    folder = lite.post(f"/parsers/{parser_id}/folders", json={"name": "Paid"}).json()
    item = lite.post(f"/process/{parser_id}/files", files={"file": ("a.txt", b"Number: 1")}).json()["result"][
        0
    ]
    lite.process(parser_id)
    routing = {"rules": [{"label": "Invoice", "targetParserId": parser_id}]}
    classifier = lite.post("/classifiers", json={"name": "Mail", "routing": routing}).json()
    stage = lite.post(f"/parsers/{parser_id}/review-stages", json={"name": "Books"}).json()
    url = {"url": "https://example.org/hook"}
    webhook = lite.post(f"/parsers/{parser_id}/webhooks", json=url).json()
    layout = lite.post(f"/parsers/{parser_id}/export-layouts", json={"name": "Books"}).json()
    ids = {
        "webhookId": webhook["id"],
        "stageId": stage["id"],
        "layoutId": layout["id"],
        "classifierId": classifier["id"],
        "parserId": parser_id,
        "documentId": item["documentId"],
        "folderId": folder["id"],
        "operationId": item["operationName"].removeprefix("operations/"),
    }
    paths = [
        re.sub(r"\{(\w+)\}", lambda found: ids[found[1]], path)
        for path, operations in create_app(lite.inst).openapi()["paths"].items()
        if "get" in operations
    ]
    paths = [f"{path}?externalId=none" if path.endswith("/data") else path for path in paths]
    others = ["/api/v1/openapi.json", "/v1/parsers", "/docs", "/docs/swagger-ui.css", "/nowhere"]
    assert len(paths) > 10
    for path in [*paths, *others, item["url"].removeprefix(lite.address)]:
        got = lite.get(f"{lite.address}{path}")
        head = lite.head(f"{lite.address}{path}")
        assert (head.status_code, head.content) == (got.status_code, b""), path
        same = got.headers.keys() - _OTHERWISE - _COUNTED
        assert {name: head.headers.get(name) for name in same} == {name: got.headers[name] for name in same}
        if path != "/metrics" and not path.endswith("/nowhere") and got.status_code == 200:
            assert head.headers["content-length"] == str(len(got.content)), path


def test_head_needs_a_key_and_a_path_that_answers_get(lite: Api) -> None:
    assert lite.head("/parsers", headers={"Authorization": ""}).status_code == 401
    refused = lite.head(f"/process/{lite.parser()}/reprocess")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    other = lite.put(f"/parsers/{lite.parser()}")
    assert other.headers["allow"] == "GET, HEAD, PATCH, DELETE"
    with lite.using(lite.key_with(["documents:read"])) as limited:
        assert limited.head("/parsers").status_code == 403


def test_the_document_does_not_repeat_itself(lite: Api) -> None:
    paths = create_app(lite.inst).openapi()["paths"]
    assert not [path for path, operations in paths.items() if "head" in operations]
