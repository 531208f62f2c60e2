"""The audit log over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docduck.ids import new_id
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving


@pytest.fixture
def api(make_installation: MakeInstallation) -> Iterator[Api]:
    with serving(make_installation()) as served:
        yield served


def test_who_changed_what(api: Api) -> None:
    parser_id = api.parser()
    assert api.patch(f"/parsers/{parser_id}", json={"name": "Bills"}).status_code == 200
    answer = api.get("/audit-log", params={"resourceId": parser_id, "action": "parser.updated"})
    assert answer.status_code == 200
    (entry,) = answer.json()["data"]
    assert answer.json()["pagination"] == {"page": 1, "limit": 50, "total": 1, "pageCount": 1}
    key_id = entry["actor"]["id"]
    assert entry == {
        "id": entry["id"],
        "at": entry["at"],
        "actor": {"type": "key", "id": key_id, "name": "tests"},
        "action": "parser.updated",
        "resourceType": "parser",
        "resourceId": parser_id,
        "details": {"changed": ["name"], "before": {"name": "Invoices"}, "after": {"name": "Bills"}},
    }
    for params, total in (
        ({"actor": key_id}, 1),
        ({"actor": new_id()}, 0),
        ({"resourceType": "parser"}, 2),
        ({"from": entry["at"], "action": "parser.updated"}, 1),
        ({"to": "2020-01-01T00:00:00Z"}, 0),
        ({"to": "9999-12-31T23:59:59.999Z", "resourceType": "parser"}, 2),
    ):
        assert api.get("/audit-log", params=params).json()["pagination"]["total"] == total, params
    for wrong in ({"resourceId": "x"}, {"from": "today"}, {"page": "0"}, {"limit": "101"}, {"who": "me"}):
        assert api.get("/audit-log", params=wrong).status_code == 400, wrong


def test_who_may_read_it(api: Api) -> None:
    parser_id = api.parser()
    others = [one for one in ("parsers:read", "parsers:write", "documents:read")]
    with (
        api.using(api.key_with(others)) as without,
        api.using(api.key_with(parser_ids=[parser_id])) as limited,
        api.using(api.key_with(["audit:read"])) as allowed,
        api.other_team() as strangers,
    ):
        for client in (without, limited):
            answer = client.get("/audit-log")
            assert (answer.status_code, answer.json()["message"]) == (403, "Access denied")
        assert allowed.get("/audit-log", params={"resourceId": parser_id}).json()["pagination"]["total"] == 1
        listed = strangers.get("/audit-log").json()["data"]
        assert [one["action"] for one in listed] == ["key.created"]
        assert strangers.get("/audit-log", params={"resourceId": parser_id}).json()["data"] == []
