"""The audit log over HTTP."""

from __future__ import annotations

from docduck.ids import new_id
from tests.api.request.hostile import refused
from tests.server.served import Api


def test_who_changed_what(lite: Api) -> None:
    parser_id = lite.parser()
    assert lite.patch(f"/parsers/{parser_id}", json={"name": "Bills"}).status_code == 200
    answer = lite.get("/audit-log", params={"resourceId": parser_id, "action": "parser.updated"})
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
        ({"to": entry["at"][:10], "action": "parser.updated"}, 1),
        ({"to": "9999-12-31T23:59:59.999Z", "resourceType": "parser"}, 2),
    ):
        assert lite.get("/audit-log", params=params).json()["pagination"]["total"] == total, params
    for wrong in ({"resourceId": "x"}, {"from": "today"}, {"page": "0"}, {"limit": "101"}, {"who": "me"}):
        assert lite.get("/audit-log", params=wrong).status_code == 400, wrong


def test_it_is_the_team_s_and_for_keys_of_all_parsers(lite: Api) -> None:
    parser_id = lite.parser()
    with lite.using(lite.key_with(parser_ids=[parser_id])) as limited, lite.other_team() as strangers:
        refused(limited.get("/audit-log"), 403, "Access denied")
        listed = strangers.get("/audit-log").json()["data"]
        assert [one["action"] for one in listed] == ["key.created"]
        assert strangers.get("/audit-log", params={"resourceId": parser_id}).json()["data"] == []
