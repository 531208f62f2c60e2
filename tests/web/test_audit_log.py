"""The page of the team's audit log."""

from __future__ import annotations

from docduck import clock
from docduck.ids import new_id
from docduck.service.core.audit import record
from tests.server.served import Api
from tests.web.browsing import make_user
from tests.web.pages import entered

PATH = "/team/audit"


def entries(api: Api, number: int, action: str = "parser.updated") -> None:
    """Record entries of a part of the system."""
    with api.inst.catalog.transaction() as session:
        resources = [(new_id(), {"changed": [f"<b>{at}</b>"]}) for at in range(number)]
        record(session, api.inst.team_id, "retention", action, "parser", resources)


def test_entries_are_filtered(lite: Api) -> None:
    ann = make_user(lite.inst)
    parser_id = lite.parser()
    assert lite.patch(f"/parsers/{parser_id}", json={"name": "Bills"}).status_code == 200
    entries(lite, 1, "document.deleted")
    today = f"{clock.now():%Y-%m-%d}"
    with entered(lite, "admin") as user:
        shown = user.get(PATH).text
        assert "parser.updated" in shown and "document.deleted" in shown and "tests" in shown
        assert "&lt;b&gt;0&lt;/b&gt;" in shown and "<b>0" not in shown
        assert 'href="/team/audit"' in shown, "in the navigation"
        for params, number in (
            ({"action": "parser.updated"}, 1),
            ({"resource": parser_id}, 2),
            ({"resource": parser_id, "action": "parser.updated"}, 1),
            ({"actor": "retention"}, 1),
            ({"actor": ann, "type": "parser"}, 0),
            ({"type": "parser", "from": today, "to": today}, 3),
            ({"to": "2020-01-31"}, 0),
            ({"from": "9999-12-31"}, 0),
            ({"actor": "", "action": "parser.updated", "from": "", "to": ""}, 1),
        ):
            told = f"{number} {'entry' if number == 1 else 'entries'}<"
            assert told in user.get(PATH, params=params).text, params
        for wrong in ({"from": "today"}, {"to": "2026-02-30"}, {"resource": "x"}):
            assert user.get(PATH, params=wrong).status_code == 400, wrong
        entries(lite, 50)
        first = user.get(PATH, params={"actor": "retention"}).text
        assert "Page 1 of 2" in first and first.count("<time ") == 50
        assert 'href="/team/audit?actor=retention&amp;page=2"' in first
        second = user.get(PATH, params={"actor": "retention", "page": 2}).text
        assert second.count("<time ") == 1 and "Newer" in second and "Older" not in second
