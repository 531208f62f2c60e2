"""The first user, and the start page: what was read, what waits, and what to do next."""

from __future__ import annotations

import re

from docduck.service.accounts.audit_log import find_audit_entries
from docduck.service.accounts.first_user import first_user_token
from docduck.service.outputs.saved_queries import save_query
from docduck.service.parsers.parsers import NewParser, create_parser
from tests.server.served import FIELDS, Api
from tests.web.browser import PASSWORD, Browser, member
from tests.web.pages import entered

FORM = {"email": "Ann@Example.org ", "name": "Ann", "password": PASSWORD}


def test_the_first_user_is_created_once(api: Api) -> None:
    token = first_user_token(api.inst)
    with Browser(api.address) as browser, Browser(api.address) as other:
        assert browser.get(f"/first-user/{'0' * 64}").status_code == 404
        assert browser.post("/first-user/no", data=FORM).status_code == 404
        link = f"/first-user/{token}"
        assert "You are the first user here" in browser.get(link).text
        short = browser.post(link, data={**FORM, "password": "short"})
        assert short.status_code == 400 and 'value="Ann"' in short.text and "short" not in short.text
        assert browser.post(link, data={**FORM, "email": "nobody"}).status_code == 400
        assert browser.post(link, data=FORM, headers={"Origin": "https://evil.example"}).status_code == 403
        created = browser.post(link, data=FORM)
        assert (created.status_code, created.headers["location"]) == (303, "/")
        assert "are owner of this team" in browser.get("/").text
        assert other.get(link).status_code == 404
        assert other.post(link, data={**FORM, "email": "eve@example.org"}).status_code == 404
        assert other.sign_in("ann@example.org").status_code == 303
    assert first_user_token(api.inst) is None
    told = [entry.action for entry in find_audit_entries(api.inst, api.inst.team_id).rows]
    assert "member.added" in told


def labels(page: str) -> list[str]:
    return re.findall(r'<li><a href="[^"]+">([^<]+)</a>:', page)


def test_reviewers_are_not_led_to_queries(lite: Api) -> None:
    lite.upload(lite.parser())
    with entered(lite, "reviewer") as browser:
        found = browser.get("/").text
        assert "/query" not in found and "Connect an agent" in labels(found)


def test_the_list_of_next_steps_shrinks(lite: Api, ann: Browser) -> None:
    assert labels(ann.get("/").text) == ["Make a parser", "Connect an agent"]
    parser = lite.parser("Bills <b>")
    assert labels(ann.get("/").text) == ["Send documents", "Connect an agent"]
    document = lite.upload(parser)
    lite.process()
    found = ann.get("/").text
    assert labels(found) == [
        *("Read documents of your own", "Look at the values", "Query the tables", "Connect an agent"),
    ]
    assert f'<a href="/documents/{document}">' in found
    assert "Bills &lt;b&gt;" in found
    assert re.search(r"Number</span> \S+", found)
    save_query(lite.inst, lite.inst.team_id, "Numbers", "SELECT 1", "user")
    assert "Query the tables" not in labels(ann.get("/").text)


def test_a_reviewer_sees_what_waits(lite: Api) -> None:
    parser = create_parser(lite.inst, lite.inst.team_id, NewParser(name="Bills", fields=FIELDS)).id
    reviewer = member(lite.inst, "rob", "reviewer")
    stage = {"name": "Check", "reviewerId": reviewer}
    assert lite.post(f"/parsers/{parser}/review-stages", json=stage).status_code == 201
    with Browser(lite.address) as browser:
        browser.enter(lite.inst, reviewer)
        assert 'href="/review"><strong>' not in browser.get("/").text
        lite.upload(parser)
        lite.process()
        found = browser.get("/").text
        assert '<a href="/review"><strong>1</strong> document waits for your review</a>' in found
        assert labels(found) == ["Look at the values", "Connect an agent"]
