"""Who may open and send what: every route of the pages with every kind of user."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import httpx
import pytest

from docduck.ids import new_id
from docduck.service.accounts.accounts import create_team
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.invitations import invite
from docduck.service.accounts.keys import create_key
from docduck.service.accounts.password_reset import start_reset
from docduck.service.accounts.permissions import ROLES
from docduck.service.classifiers.classifiers import create_classifier
from docduck.service.classifiers.example_changes import add_examples
from docduck.service.core.installation import Installation, open_installation
from docduck.service.folders.folder_changes import create_folder
from docduck.service.outputs.saved_queries import save_query
from docduck.service.parsers.lookup_tables import put_lookup_table
from docduck.service.parsers.parsers import get_parser
from docduck.service.reviews.stage_changes import create_stage
from docduck.service.webhooks.webhook_changes import create_webhook
from docduck.settings import Settings
from tests.server.app_routes import app_routes
from tests.server.served import Api, serving
from tests.web.browser import Browser, form_token, member

WEBHOOK = "https://example.org/"
VISITORS = ("owner", "admin", "member", "reviewer", "no_team", "other_team", "visitor")
MANAGERS_ONLY = (200, 200, 403, 403, 404, 200, 303)
"""The owner of another team sees the page of that team."""

OF_PARSERS = (200, 200, 200, 403, 404, 404, 303)
"""A page of a parser of the team."""

EVERY_USER = (200, 200, 200, 200, 200, 200, 303)
EVERYBODY = (200,) * 7

PAGES: Mapping[str, tuple[int, ...]] = {
    "/": EVERY_USER,
    "/profile": EVERY_USER,
    "/team": MANAGERS_ONLY,
    "/team/members": MANAGERS_ONLY,
    "/team/keys": MANAGERS_ONLY,
    "/team/audit": MANAGERS_ONLY,
    "/dagster": (307, 307, 403, 403, 403, 403, 303),
    "/team/new": (403,) * 6 + (303,),
    "/sign-in": (303,) * 6 + (200,),
    "/forgot-password": EVERYBODY,
    "/invitations/{token}": EVERYBODY,
    "/first-user/{token}": (404,) * 7,
    "/password-reset/{token}": EVERYBODY,
    "/static/docduck.css": EVERYBODY,
    "/counts": (200, 200, 200, 200, 404, 200, 401),
    "/form-token": (200,) * 6 + (401,),
    "/palette": (200, 200, 200, 200, 404, 200, 401),
    "/bin": (200, 200, 200, 403, 404, 200, 303),
    "/documents": (200, 200, 200, 200, 404, 200, 303),
    "/documents/{document_id}": (200, 200, 200, 200, 404, 404, 303),
    "/documents/selection": (200, 200, 200, 200, 404, 200, 401),
    "/documents/{document_id}/thumbnail": (200, 200, 200, 200, 404, 404, 401),
    "/documents/{document_id}/original": (200, 200, 200, 200, 404, 404, 401),
    "/documents/progress": (200, 200, 200, 200, 404, 200, 303),
    "/add-documents": (200, 200, 200, 403, 404, 200, 303),
    "/documents/{document_id}/pages/{number}/picture": (200, 200, 200, 200, 404, 404, 401),
    "/documents/{document_id}/pages/{number}/words": (200, 200, 200, 200, 404, 404, 401),
    "/documents/{document_id}/why/{field_id}": (404, 404, 404, 404, 404, 404, 303),
    "/documents/{document_id}/reading": (200, 200, 200, 200, 404, 404, 303),
    "/documents/{document_id}/pages/count": (200, 200, 200, 200, 404, 404, 401),
    "/documents/{document_id}/find": (200, 200, 200, 200, 404, 404, 401),
    "/parsers": (200, 200, 200, 403, 404, 200, 303),
    "/parsers/new": (200, 200, 200, 403, 404, 200, 303),
    "/parsers/{parser_ref}/fields": (200, 200, 200, 403, 404, 404, 303),
    "/parsers/{parser_ref}/settings": OF_PARSERS,
    "/parsers/{parser_ref}/folders": OF_PARSERS,
    "/parsers/{parser_ref}/review-stages": OF_PARSERS,
    "/parsers/{parser_ref}/post-processing": OF_PARSERS,
    "/parsers/{parser_ref}/accuracy": OF_PARSERS,
    "/parsers/{parser_ref}/lessons": OF_PARSERS,
    "/parsers/{parser_ref}/alike/{document_id}": OF_PARSERS,
    "/parsers/{parser_ref}/alike/{document_id}/{other_id}": (404, 404, 404, 403, 404, 404, 303),
    "/parsers/{parser_ref}/exports": OF_PARSERS,
    "/parsers/{parser_ref}/webhooks": OF_PARSERS,
    "/parsers/{parser_ref}/webhooks/{webhook_id}": OF_PARSERS,
    "/parsers/{parser_ref}/webhooks/{webhook_id}/deliveries/{delivery_id}": (
        *(404, 404, 404, 403, 404, 404, 303),
    ),
    "/parsers/{parser_ref}/exports/layouts/{layout_id}": OF_PARSERS,
    "/parsers/{parser_ref}/try": OF_PARSERS,
    "/parsers/{parser_ref}/suggestions": OF_PARSERS,
    "/classifiers": (200, 200, 200, 403, 404, 200, 303),
    "/classifiers/new": (200, 200, 200, 403, 404, 200, 303),
    "/classifiers/{classifier_id}/documents": OF_PARSERS,
    "/classifiers/{classifier_id}/rules": OF_PARSERS,
    "/classifiers/{classifier_id}/examples": OF_PARSERS,
    "/classifiers/{classifier_id}/settings": OF_PARSERS,
    "/query": (200, 200, 200, 403, 404, 200, 303),
    "/help": EVERY_USER,
    "/help/{name}": (404,) * 6 + (303,),
    "/help/{name}/{picture}": (404,) * 6 + (303,),
    "/tables": (200, 200, 200, 403, 404, 200, 303),
    "/tables/{schema}/{name}": (404, 404, 404, 403, 404, 404, 303),
    "/tables/{schema}/{name}/file": (404, 404, 404, 403, 404, 404, 303),
    "/sources": (200, 200, 200, 403, 404, 200, 303),
    "/sources/ledger": (200, 200, 200, 403, 404, 200, 303),
    "/usage": (200, 200, 200, 403, 404, 200, 303),
    "/profile/connections": EVERY_USER,
    "/team/connections": MANAGERS_ONLY,
    "/oauth/authorize": (400,) * 6 + (303,),
    "/review": (200, 200, 200, 200, 404, 200, 303),
    "/review/batch": (200, 200, 200, 200, 404, 200, 303),
    "/review/values": (200, 200, 200, 200, 404, 200, 303),
    "/sign-in/provider": (404,) * 7,
    "/sign-in/provider/callback": (404,) * 7,
}
"""The status of each page by kind of visitor."""

CHANGED, WRONG = 303, 400
WRONG_OF_PARSERS = (WRONG, WRONG, WRONG, 403, 404, 404, 303)
"""A form of a parser of the team."""

FORMS: Mapping[str, tuple[int, ...]] = {
    "/team": (WRONG, WRONG, 403, 403, 404, WRONG, 303),
    "/team/new": (403,) * 6 + (303,),
    "/team/invitations": (WRONG, WRONG, 403, 403, 404, WRONG, 303),
    "/team/invitations/{invitation_id}/revoke": (303, 303, 403, 403, 404, 404, 303),
    "/team/members/{user_id}/role": (303, 303, 403, 403, 404, 404, 303),
    "/team/members/{user_id}/remove": (303, 303, 403, 403, 404, 404, 303),
    "/team/keys": (WRONG, WRONG, 403, 403, 404, WRONG, 303),
    "/team/keys/{key_id}/revoke": (303, 303, 403, 403, 404, 404, 303),
    "/team/keys/{key_id}/rotate": (200, 200, 403, 403, 404, 404, 303),
    "/profile/name": (WRONG,) * 6 + (303,),
    "/profile/password": (WRONG,) * 6 + (303,),
    "/invitations/{token}/join": (403,) * 6 + (303,),
    "/choose-team": (404,) * 6 + (303,),
    "/oauth/authorize/decision": (403,) * 6 + (303,),
    "/oauth/authorize/team": (403,) * 6 + (303,),
    "/profile/connections/{grant_id}/revoke": (404,) * 6 + (303,),
    "/team/connections/{grant_id}/revoke": (404, 404, 403, 403, 404, 404, 303),
    "/add-documents": (WRONG, WRONG, WRONG, 403, 404, WRONG, 303),
    "/bin": (WRONG, WRONG, WRONG, 403, 404, WRONG, 303),
    "/bin/undo": (303, 303, 303, 403, 404, 303, 303),
    "/documents": (409, 409, 409, 403, 404, 404, 303),
    "/documents/actions": (409, 409, 409, 403, 404, 404, 401),
    "/documents/originals": (WRONG, WRONG, WRONG, WRONG, 404, WRONG, 303),
    "/documents/views": (WRONG, WRONG, WRONG, WRONG, 404, WRONG, 303),
    "/documents/views/{view_id}/delete": (404, 404, 404, 404, 404, 404, 303),
    "/documents/{document_id}/approve": (409, 409, 409, 409, 404, 404, 303),
    "/documents/{document_id}/assign": (303, 303, 303, 303, 404, 404, 303),
    "/documents/{document_id}/cancel": (303, 303, 303, 403, 404, 404, 303),
    "/documents/{document_id}/changes": (403, 403, 403, 403, 404, 404, 401),
    "/documents/{document_id}/undo": (403, 403, 403, 403, 404, 404, 401),
    "/documents/{document_id}/undo-approval": (409, 409, 409, 409, 404, 404, 303),
    "/documents/{document_id}/checks": (403, 403, 403, 403, 404, 404, 401),
    "/documents/{document_id}/learned": (200, 200, 200, 200, 404, 404, 401),
    "/documents/{document_id}/hold": (409, 409, 409, 409, 404, 404, 303),
    "/documents/{document_id}/take-up": (409, 409, 409, 409, 404, 404, 303),
    "/review/batch/approve": (200, 200, 200, 200, 404, 200, 303),
    "/review/batch/undo": (200, 200, 200, 200, 404, 200, 303),
    "/review/values/{document_id}": (403, 403, 403, 403, 404, 404, 303),
    "/documents/{document_id}/read-again": (409, 409, 409, 403, 404, 404, 303),
    "/documents/{document_id}/reject": (409, 409, 409, 409, 404, 404, 303),
    "/documents/{document_id}/reset": (409, 409, 409, 409, 404, 404, 303),
    "/parsers/new": (WRONG, WRONG, WRONG, 403, 404, WRONG, 303),
    "/parsers/{parser_ref}/fields": (WRONG, WRONG, WRONG, 403, 404, 404, 303),
    "/parsers/{parser_ref}/fields/all/read-again": (303, 303, 303, 403, 404, 404, 303),
    "/parsers/{parser_ref}/fields/{field_id}": (WRONG, WRONG, WRONG, 403, 404, 404, 303),
    "/parsers/{parser_ref}/settings": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/settings/upload-page": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/settings/copy": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/settings/delete": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/folders": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/folders/{folder_id}": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/review-stages": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/review-stages/{stage_id}": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/post-processing": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/post-processing/try": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/post-processing/{number}": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/post-processing/lookup-tables": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/post-processing/lookup-tables/{table}/delete": (303, 303, 303, 403, 404, 404, 303),
    "/parsers/{parser_ref}/alike/{document_id}": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/suggestions/ask": (404, 404, 404, 403, 404, 404, 303),
    "/parsers/{parser_ref}/accuracy/modes/{document_id}": (409, 409, 409, 403, 404, 404, 303),
    "/parsers/{parser_ref}/lessons/{lesson_id}/remove": (404, 404, 404, 403, 404, 404, 303),
    "/parsers/{parser_ref}/webhooks": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/webhooks/{webhook_id}": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/webhooks/{webhook_id}/deliveries/{delivery_id}/retry": (
        *(404, 404, 404, 403, 404, 404, 303),
    ),
    "/parsers/{parser_ref}/exports": (200, 200, 200, 403, 404, 404, 303),
    "/parsers/{parser_ref}/exports/layouts/{layout_id}": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/try": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/try/file": WRONG_OF_PARSERS,
    "/parsers/{parser_ref}/suggestions": (303, 303, 303, 403, 404, 404, 303),
    "/sources/replay": (404, 404, 404, 403, 404, 404, 303),
    "/classifiers/new": (WRONG, WRONG, WRONG, 403, 404, WRONG, 303),
    "/classifiers/{classifier_id}/route": WRONG_OF_PARSERS,
    "/classifiers/{classifier_id}/rules": WRONG_OF_PARSERS,
    "/classifiers/{classifier_id}/examples": WRONG_OF_PARSERS,
    "/classifiers/{classifier_id}/examples/{document_id}/remove": (303, 303, 303, 403, 404, 404, 303),
    "/classifiers/{classifier_id}/settings": WRONG_OF_PARSERS,
    "/classifiers/{classifier_id}/settings/delete": WRONG_OF_PARSERS,
    "/query": (WRONG, WRONG, WRONG, 403, 404, WRONG, 303),
    "/query/file": (WRONG, WRONG, WRONG, 403, 404, WRONG, 303),
    "/query/saved": (WRONG, WRONG, WRONG, 403, 404, WRONG, 303),
    "/query/saved/{query_id}/delete": (200, 200, 200, 403, 404, 404, 303),
}
"""The status of each form, sent without values but with the form token, by kind of visitor."""

ACTIONS = {
    "read-again": (409, 409, 409, 403, 404, 404, 303),
    "assign": (303, 303, 303, 303, 404, 404, 303),
    "move": (303, 303, 303, 403, 404, 404, 303),
    "delete": (303, 303, 303, 403, 404, 404, 303),
}
"""The status of each action on chosen documents, by kind of visitor."""

SENT_BY_VISITORS = {
    *("/sign-in", "/forgot-password", "/first-user/{token}", "/invitations/{token}"),
    "/password-reset/{token}",
}
"""Forms that need no session; tests of their own send them."""

ONCE = {"/documents/{document_id}/cancel"}
"""Forms that can't be sent twice: of those who may, the owner alone sends them."""

ENDING = {"/sign-out", "/profile/sign-out"}
"""Forms that end the session; tests of their own send them."""

JSON: Mapping[str, Mapping[str, object]] = {
    "/documents/{document_id}/changes": {"seen": ""},
    "/documents/{document_id}/undo": {"seen": ""},
    "/documents/{document_id}/checks": {},
    "/documents/{document_id}/learned": {},
    "/parsers/{parser_ref}/accuracy/modes/{document_id}": {},
    "/review/batch/approve": {"documents": {"nothing": ""}},
    "/review/batch/undo": {"documents": {"nothing": ""}},
    "/review/values/{document_id}": {"path": "", "text": "", "seen": ""},
}
"""What scripts send, whose form token is in a header."""

MULTIPART = {
    "/add-documents",
    "/parsers/{parser_ref}/try/file",
    "/parsers/new",
    "/parsers/{parser_ref}/post-processing/lookup-tables",
}
"""Forms with files."""

OF_EACH_KIND = {*JSON, *MULTIPART, "/profile/name", "/sign-in"}
"""Forms that are read in each of the ways that there are."""

ELSEWHERE = (
    "/api/",
    "/.well-known/",
    "/oauth/register/",
    "/oauth/revoke/",
    "/oauth/token/",
    "/dagster/{path:path}/",
    "/docs/",
    "/upload/",
    "/uploads/",
    "/files/",
    "/healthz",
    "/mcp",
    "/readyz",
    "/metrics",
)
"""Routes that are no pages for users, with tests of their own."""


def routes(inst: Installation, method: str) -> set[str]:
    return {
        route.path.replace("/static/{name}", "/static/docduck.css")
        for route in app_routes(inst)
        if method in (route.methods or ()) and not f"{route.path}/".startswith(ELSEWHERE)
    }


def test_every_page_and_form_has_its_line(inst: Installation) -> None:
    assert routes(inst, "GET") == set(PAGES)
    assert routes(inst, "POST") == set(FORMS) | SENT_BY_VISITORS | ENDING
    assert len(VISITORS) == len(ROLES) + 3


class People:
    """A user of each kind, signed in, and what they may try to reach."""

    def __init__(self, api: Api) -> None:
        inst = api.inst
        strangers = create_team(inst, "Strangers")
        ids = {role: member(inst, role, role) for role in ROLES}
        ids["no_team"] = member(inst, "no_team", None)
        ids["other_team"] = member(inst, "other_team", "owner", strangers.id)
        self.owner = TeamUser(inst.team_id, ids["owner"], frozenset(), None, ids["owner"], "owner")
        parser_id = api.parser()
        self.api, self.inst = api, inst
        self.values = {
            "parser_id": parser_id,
            "parser_ref": parser_id,
            "layout_id": "new",
            "webhook_id": create_webhook(inst, inst.team_id, parser_id, {"url": WEBHOOK})[0].id,
            "delivery_id": new_id(),
            "view_id": new_id(),
            "lesson_id": new_id(),
            "field_id": str(get_parser(inst, inst.team_id, parser_id).fields[0].id),
            "other_id": new_id(),
            "number": "1",
            "grant_id": new_id(),
            "folder_id": create_folder(inst, inst.team_id, parser_id, {"name": "2026"}).id,
            "stage_id": create_stage(inst, inst.team_id, parser_id, {"name": "Books"}).id,
            "table": "vendors",
            "schema": "invoices",
            "picture": "nothing.png",
            "name": "nothing",
        }
        self.renew()
        self.save_query()
        self.save_table()
        rules = [{"label": "Bill", "targetParserId": parser_id}]
        classifier = create_classifier(inst, inst.team_id, {"name": "Mail", "routing": {"rules": rules}})
        self.rule_id = classifier.rules[0].id
        self.values["classifier_id"] = classifier.id
        self.save_example()
        self.reset = start_reset(inst, "owner@example.org").token
        self.browsers = {name: Browser(api.address) for name in VISITORS}
        for name, user_id in ids.items():
            self.browsers[name].enter(inst, user_id)
        self.tokens = {name: form_token(self.browsers[name].get("/profile")) for name in ids}

    def renew(self) -> None:
        """Make another of each thing that forms change or use up."""
        name = f"user-{new_id()}"
        invited = invite(self.inst, self.owner, f"{name}@example.com", "member")
        self.values |= {
            "token": invited.token,
            "invitation_id": invited.invitation.id,
            "user_id": member(self.inst, name),
            "key_id": create_key(self.inst, self.inst.team_id, name).key.id,
            "document_id": self.api.upload(self.values["parser_id"]),
        }

    def save_query(self) -> None:
        saved = save_query(self.inst, self.inst.team_id, "Numbers", "SELECT 1", "user")
        self.values["query_id"] = saved.id

    def save_table(self) -> None:
        put_lookup_table(self.inst, self.inst.team_id, self.values["parser_id"], "vendors", b"name\nA\n")

    def save_example(self) -> None:
        ids = [self.values["document_id"]]
        add_examples(self.inst, self.inst.team_id, self.values["classifier_id"], self.rule_id, ids)

    def path(self, path: str) -> str:
        values = {**self.values, "token": self.reset} if path.startswith("/password-reset") else self.values
        return path.format(**values)

    def page(self, path: str) -> str:
        """The address of a page, with the query that it needs."""
        query = f"?document={self.values['document_id']}" if path.endswith("/suggestions") else ""
        return self.path(path) + query

    def send(self, path: str, name: str, action: str = "read-again") -> int:
        browser = self.browsers[name]
        if "{query_id}" in path:
            self.save_query()
        if "/examples/" in path:
            self.save_example()
        if "{table}" in path:
            self.save_table()
        data = {"role": "reviewer"} if "/members/" in path else {}
        if path == "/documents":
            data = {"document": self.values["document_id"], "action": action}
        token = self.tokens.get(name, "")
        if path in JSON:
            headers = {"X-Form-Token": token}
            return browser.post(self.path(path), json=JSON[path], headers=headers).status_code
        if path == "/documents/actions":
            body = {"action": action, "documents": [self.values["document_id"]]}
            headers = {"X-Form-Token": token}
            return browser.post(path, json=body, headers=headers).status_code
        return browser.post(self.path(path), data={**data, "form_token": token}).status_code


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    """What tests try to reach that change nothing."""
    inst = open_installation(Settings(home=tmp_path_factory.mktemp("pages")))
    with serving(inst) as api:
        made = People(api)
        yield made
        for browser in made.browsers.values():
            browser.close()
    inst.close()


@pytest.fixture
def people(untouched: People) -> Iterator[People]:
    """The same users, and things that the test may change."""
    before = dict(untouched.values)
    untouched.renew()
    yield untouched
    untouched.values = before


def test_every_page_opens_for_those_who_may(untouched: People) -> None:
    found = {}
    for path in PAGES:
        pages = [untouched.browsers[name].get(untouched.page(path)) for name in VISITORS]
        found[path] = tuple(page.status_code for page in pages)
        check_harmless(pages[0])
    assert found == PAGES


def check_harmless(page: httpx.Response) -> None:
    """The page names no other host, and loads no scripts but its own."""
    text = page.text.replace("http://www.w3.org/2000/svg", "").replace("/*", "")
    # An example, and the address of the webhook.
    text = text.replace("Such as https://www.example.org", "").replace(WEBHOOK, "")
    assert "//" not in text, page.url
    assert page.text.count("<script") == len(re.findall(r'<script [a-z="]*\s*src="/static/', page.text))
    assert " style=" not in page.text
    if page.headers.get("content-type", "").startswith("text/html"):
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "unsafe" not in page.headers["content-security-policy"]
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["referrer-policy"] == "strict-origin"


@pytest.mark.parametrize("path", FORMS)
def test_every_form_is_taken_from_those_who_may(request: pytest.FixtureRequest, path: str) -> None:
    expected = dict(zip(VISITORS, FORMS[path], strict=True))
    changes = any(expected[name] in (200, 303) for name in VISITORS if name != "visitor")
    people: People = request.getfixturevalue("people" if changes else "untouched")
    found = {}
    # Those who may not come first: they must not find the work done.
    for name in sorted(VISITORS, key=lambda name: expected[name] in (200, 303) and name != "visitor"):
        if name == "admin" and expected["owner"] in (200, 303):
            continue
        if name == "member" and path in ONCE:
            continue
        found[name] = people.send(path, name)
    assert found == {name: expected[name] for name in found}


@pytest.mark.parametrize(("action", "statuses"), ACTIONS.items())
def test_documents_are_changed_by_those_who_may(
    people: People, action: str, statuses: tuple[int, ...]
) -> None:
    # Those who may come last, and one of them alone, as it can't be done twice.
    found = {name: people.send("/documents", name, action) for name in reversed(VISITORS[2:])}
    assert found == dict(zip(VISITORS[2:], statuses[2:], strict=True))


def test_every_form_of_users_needs_the_form_token(untouched: People) -> None:
    browser = untouched.browsers["owner"]
    admins = {"form_token": untouched.tokens["admin"]}
    wrong: Sequence[dict[str, str]] = (admins, {}, {"form_token": "0" * 64})
    for path in (*FORMS, *ENDING):
        files = {"file": ("a.txt", b"Number: 1")} if path in MULTIPART else None
        for data in wrong if path in OF_EACH_KIND else wrong[:1]:
            assert browser.post(untouched.path(path), data=data, files=files).status_code == 403, path
    assert browser.get("/profile").status_code == 200


def test_no_form_is_taken_from_another_site(untouched: People) -> None:
    browser = untouched.browsers["owner"]
    data = {"form_token": untouched.tokens["owner"]}
    origins = [{"Origin": one} for one in ("https://evil.example", "null", "http://[")]
    wrong = ({"Sec-Fetch-Site": "same-site"}, *origins)
    for path in (*FORMS, *ENDING, *SENT_BY_VISITORS):
        for headers in wrong if path in OF_EACH_KIND else wrong[:1]:
            assert browser.post(untouched.path(path), data=data, headers=headers).status_code == 403, path
