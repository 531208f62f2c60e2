"""The page of the team's audit log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from docduck import clock
from docduck.ids import new_id
from docduck.service.accounts.accounts import add_member, create_team, create_user
from docduck.service.core.audit import record
from tests.server.served import Api
from tests.web.browser import PASSWORD
from tests.web.browsing import make_user

PATH = "/team/audit"


@contextmanager
def visiting(api: Api, name: str) -> Iterator[httpx.Client]:
    """A browser in which a user has signed in."""
    with httpx.Client(base_url=api.address, trust_env=False, timeout=30) as client:
        form = {"email": f"{name.lower()}@example.org", "password": PASSWORD, "next": "/"}
        assert client.post("/sign-in", data=form).status_code == 303
        yield client


def entries(api: Api, number: int, action: str = "parser.updated", team: str | None = None) -> None:
    """Record entries of a part of the system."""
    with api.inst.catalog.transaction() as session:
        resources = [(new_id(), {"changed": [f"<b>{at}</b>"]}) for at in range(number)]
        record(session, team or api.inst.team_id, "retention", action, "parser", resources)


def test_entries_are_filtered(api: Api) -> None:
    ann = make_user(api.inst, role="admin")
    parser_id = api.parser()
    assert api.patch(f"/parsers/{parser_id}", json={"name": "Bills"}).status_code == 200
    entries(api, 1, "document.deleted")
    today = f"{clock.now():%Y-%m-%d}"
    with visiting(api, "Ann") as user:
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


def test_pages_of_the_list(api: Api) -> None:
    make_user(api.inst, role="owner")
    entries(api, 51)
    with visiting(api, "Ann") as user:
        first = user.get(PATH, params={"actor": "retention"}).text
        assert "Page 1 of 2" in first and first.count("<time ") == 50
        assert 'href="/team/audit?actor=retention&amp;page=2"' in first
        second = user.get(PATH, params={"actor": "retention", "page": 2}).text
        assert second.count("<time ") == 1 and "Newer" in second and "Older" not in second


@pytest.mark.parametrize("role", ["member", "reviewer"])
def test_it_needs_its_permission(api: Api, role: str) -> None:
    make_user(api.inst, role=role)
    with visiting(api, "Ann") as user:
        assert user.get(PATH).status_code == 403
        assert 'href="/team/audit"' not in user.get("/documents").text


def test_other_teams_see_nothing_of_it(api: Api) -> None:
    parser_id = api.parser()
    other = create_team(api.inst, "A team of others").id
    eve = create_user(api.inst, "eve@example.org", "Eve", PASSWORD)
    add_member(api.inst, other, eve.id, "owner")
    entries(api, 1, "field.deleted", team=other)
    with visiting(api, "Eve") as user:
        shown = user.get(PATH).text
        assert "field.deleted" in shown and "parser.created" not in shown and parser_id not in shown
        assert "0 entries" in user.get(PATH, params={"resource": parser_id}).text


def test_visitors_sign_in_first(api: Api) -> None:
    with httpx.Client(base_url=api.address, trust_env=False, timeout=30) as visitor:
        answer = visitor.get(PATH)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=%2Fteam%2Faudit")
