"""HEAD works where GET does: the same status and headers, and no body."""

from __future__ import annotations

import re

from docduck.server.app import create_app
from tests.api.request.test_closed_requests import World
from tests.server.served import Api

_OTHERWISE = {"x-request-id", "date", "content-length"}
_COUNTED = {"x-ratelimit-remaining", "x-ratelimit-reset"}


def test_head_answers_like_get(shared: Api) -> None:
    world = World(shared)
    item = shared.get(f"/parsers/{world.ids['parserId']}/documents/{world.ids['documentId']}").json()
    paths = [
        re.sub(r"\{(\w+)\}", lambda found: world.ids[found[1]], path)
        for path, operations in create_app(shared.inst).openapi()["paths"].items()
        if "get" in operations
    ]
    paths = [f"{path}?externalId=none" if path.endswith("/data") else path for path in paths]
    others = ["/api/v1/openapi.json", "/v1/parsers", "/docs", "/docs/swagger-ui.css", "/nowhere"]
    assert len(paths) > 10
    for path in [*paths, *others, item["url"].removeprefix(shared.address)]:
        # Links in answers differ, and with them the lengths of compressed ones.
        plain = {"Accept-Encoding": "identity"}
        got = shared.get(f"{shared.address}{path}", headers=plain)
        head = shared.head(f"{shared.address}{path}", headers=plain)
        assert (head.status_code, head.content) == (got.status_code, b""), path
        same = got.headers.keys() - _OTHERWISE - _COUNTED
        assert {name: head.headers.get(name) for name in same} == {name: got.headers[name] for name in same}
        if path != "/metrics" and not path.endswith("/nowhere") and got.status_code == 200:
            assert head.headers["content-length"] == str(len(got.content)), path


def test_head_needs_a_key_and_a_path_that_answers_get(shared: Api) -> None:
    assert shared.head("/parsers", headers={"Authorization": ""}).status_code == 401
    refused = shared.head(f"/process/{shared.parser()}/reprocess")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    other = shared.put(f"/parsers/{shared.parser()}")
    assert other.headers["allow"] == "GET, HEAD, PATCH, DELETE"
    with shared.using(shared.key_with(["documents:read"])) as limited:
        assert limited.head("/parsers").status_code == 403
