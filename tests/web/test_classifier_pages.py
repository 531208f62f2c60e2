"""The pages of classifiers: the list, new ones, documents, rules, examples and settings."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from markupsafe import escape
from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.errors import Conflict, NotFound
from docduck.service.classifiers.classifiers import (
    ClassifierView,
    get_classifier,
    update_classifier,
)
from docduck.service.classifiers.example_changes import list_examples
from docduck.service.classifiers.routed_documents import RoutedDocumentQuery, list_routed_documents
from docduck.web.classifiers import router
from tests.server.served import Api
from tests.service.classifiers.classifiers_world import make_classifier, mark_routed, unrouted
from tests.web.browser import Browser
from tests.web.pages import HOSTILE, entered, form_of

SHOWN = str(escape(HOSTILE))


def now(api: Api, made: ClassifierView) -> ClassifierView:
    return get_classifier(api.inst, api.inst.team_id, made.id)


def ended(api: Api, document_id: str, status: str, error: str | None = None) -> None:
    """The classifier skipped the document, or could not route it."""
    values: dict[str, Any] = {"status": status, "routing_status": status, "error": error}
    with api.inst.catalog.transaction() as session:
        session.execute(update(Document).where(Document.id == document_id).values(**values))


def names(api: Api, made: ClassifierView, **query: Any) -> dict[str, str | None]:
    """The parsers of a classifier's documents by their names."""
    found = list_routed_documents(api.inst, api.inst.team_id, made.id, RoutedDocumentQuery(**query))
    return {one.name: one.parser_id for one in found.rows}


def rules_of(made: ClassifierView) -> list[tuple[str, str, str]]:
    return [(one.id, one.label, one.target_parser_id) for one in made.rules]


def send(browser: Browser, path: str, **typed: Any) -> httpx.Response:
    """Send the form that is on the page ``path`` and leads to it, with changes."""
    return browser.post(path, data={**form_of(browser.get(path), path), **typed})


def test_a_classifier_is_created(lite: Api, ann: Browser) -> None:
    assert "Create a parser first" in ann.get("/classifiers/new").text
    bills, notes = lite.parser("Bills"), lite.parser(HOSTILE)
    typed: dict[str, Any] = {
        "name": HOSTILE,
        "description": "Line 1\r\nLine 2",
        "rule_id": ["", "", ""],
        "rule_label": ["Bill", " ", HOSTILE],
        "rule_parser": [bills, notes, notes],
        "fallback": bills,
        "instructions": "Reminders are bills",
    }
    wrong = send(ann, "/classifiers/new", **{**typed, "name": ""})
    assert wrong.status_code == 400 and 'id="name-note" class="error"' in wrong.text
    assert "Reminders are bills" in wrong.text and wrong.text.count(f'value="{SHOWN}"') == 1
    no_parser = send(ann, "/classifiers/new", **{**typed, "rule_parser": ["", "", notes]})
    assert no_parser.status_code == 400 and 'id="rules.0-note"' in no_parser.text
    assert "Choose the parser of the rule" in no_parser.text
    none = send(ann, "/classifiers/new", **{**typed, "rule_label": ["", "", ""]})
    assert none.status_code == 400 and 'role="alert"' in none.text
    done = send(ann, "/classifiers/new", **typed)
    assert done.status_code == 303
    made = get_classifier(lite.inst, lite.inst.team_id, done.headers["location"].split("/")[2])
    assert (made.name, made.description) == (HOSTILE, "Line 1\nLine 2")
    assert [(one.label, one.target_parser_id) for one in made.rules] == [("Bill", bills), (HOSTILE, notes)]
    assert (made.fallback_parser_id, made.instructions) == (bills, "Reminders are bills")
    for tab in ("documents", "rules", "examples", "settings"):
        page = ann.get(f"/classifiers/{made.id}/{tab}").text
        assert SHOWN in page and "<script>alert" not in page and "<img" not in page, tab
    assert SHOWN in ann.get("/classifiers").text


def test_a_conflict_stays_one(lite: Api, ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise Conflict("Somebody else was faster", "name")

    monkeypatch.setattr(router, "create_classifier", refuse)
    typed = {"rule_label": "Bill", "rule_parser": lite.parser("Bills")}
    told = send(ann, "/classifiers/new", name="Mail", **typed)
    assert told.status_code == 409 and "Somebody else was faster" in told.text


def test_rules_keep_their_ids_and_errors_are_told_at_the_rule(lite: Api, ann: Browser) -> None:
    made, (a, b) = make_classifier(lite.inst, "A", "B")
    path = f"/classifiers/{made.id}/rules"
    assert send(ann, path).status_code == 303
    assert rules_of(now(lite, made)) == rules_of(made), "a form that is sent as it is changes nothing"
    form = form_of(ann.get(path), path)
    form["rule_label"][:3] = ["Alpha", "", "New"]
    form["rule_parser"][2] = b.id
    assert ann.post(path, data=form).status_code == 303
    first, new = now(lite, made).rules
    assert (first.id, first.label, first.target_parser_id) == (made.rules[0].id, "Alpha", a.id)
    assert (new.label, new.target_parser_id) == ("New", b.id)
    form = form_of(ann.get(path), path)
    form["rule_label"][1] = "ALPHA"
    wrong = ann.post(path, data=form)
    assert wrong.status_code == 400 and 'id="rules.1-note"' in wrong.text
    assert "is also that of" in wrong.text and 'value="ALPHA"' in wrong.text
    form["rule_id"][0] = made.rules[1].id
    assert ann.post(path, data=form).status_code == 400
    assert rules_of(now(lite, made)) == [(first.id, "Alpha", a.id), (new.id, "New", b.id)]


def test_what_waits_for_a_decision_is_routed_by_hand(lite: Api, ann: Browser) -> None:
    made, (a, b) = make_classifier(lite.inst, "A", "B")
    ids = unrouted(lite.inst, made, "unseen", "skipped", HOSTILE, "routed")
    ended(lite, ids[1], "skipped")
    ended(lite, ids[2], "failed", HOSTILE)
    mark_routed(lite.inst, ids[3], a, "A")
    assert ">2</a>" in ann.get("/classifiers").text
    path = f"/classifiers/{made.id}/documents"
    page = ann.get(path, params={"status": "undecided"}).text
    assert "2 documents" in page and "unseen" not in page and SHOWN in page and "<script>alert" not in page
    assert "1 document<" in ann.get(path, params={"q": "skip"}).text
    assert f'value="{ids[0]}"' not in ann.get(path).text, "a document that is still to be routed"
    assert ann.get(path, params={"status": "lost"}).status_code == 400
    route = f"/classifiers/{made.id}/route"
    for wrong in ({"document": ids[1]}, {"target": b.id}, {"document": ids[1], "target": lite.parser("C")}):
        assert ann.submit(route, path, **wrong).status_code == 400
    done = ann.submit(route, path, document=ids[1:3], target=b.id, status="undecided", q="")
    assert done.headers["location"] == f"{path}?status=undecided&routed=2"
    assert "read again: 2." in ann.get(done.headers["location"]).text
    assert names(lite, made, undecided=True) == {}
    assert names(lite, made)["skipped"] == names(lite, made)[HOSTILE] == b.id
    assert {one.name for one in list_examples(lite.inst, lite.inst.team_id, made.id)} == {"skipped", HOSTILE}
    again = ann.submit(route, path, document=[ids[0], ids[1]], target=b.id)
    assert again.status_code == 400 and "Routed: 1. Not routed: 1. Document is already" in again.text


def test_files_are_uploaded_to_be_routed(lite: Api, ann: Browser) -> None:
    made, _ = make_classifier(lite.inst, "A")
    page, path = f"/classifiers/{made.id}/documents", "/add-documents"
    shown = form_of(ann.get(page), path)
    token = {name: shown[name][0] for name in ("form_token", "to")}
    files = [("file", (name, b"text")) for name in ("a.txt", "b.txt")]
    assert ann.post(path, data=token, files=files).status_code == 303
    assert names(lite, made) == {"a.txt": None, "b.txt": None}
    update_classifier(lite.inst, lite.inst.team_id, made.id, {"is_active": False})
    assert "it takes no documents" in ann.get(page).text
    assert ann.post(path, data=token, files=files).status_code == 400


def test_examples_are_added_and_removed(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser("Bills", markdownParsing={"enabled": True})
    document = lite.upload(parser_id, b"Bill of May\n", name=HOSTILE)
    lite.process(parser_id)
    made, _ = make_classifier(lite.inst, "A")
    rules = [{"label": HOSTILE, "targetParserId": parser_id}]
    made = update_classifier(lite.inst, lite.inst.team_id, made.id, {"routing": {"rules": rules}})
    path, rule = f"/classifiers/{made.id}/examples", made.rules[0].id
    page = ann.get(path, params={"rule": rule, "q": "script"})
    assert SHOWN in page.text and "<script>alert" not in page.text
    assert "no such documents" in ann.get(path, params={"rule": rule, "q": "nothing"}).text
    assert ann.submit(path, path, rule=rule).status_code == 400
    done = ann.submit(path, path, rule=rule, document=document)
    assert done.headers["location"] == f"{path}?rule={rule}"
    after = ann.get(done.headers["location"]).text
    assert "in use" in after and "no such documents" in after, "it is not offered again"
    assert ann.submit(f"{path}/{document}/remove", path).status_code == 303
    assert list_examples(lite.inst, lite.inst.team_id, made.id) == []


def test_settings_are_changed_and_errors_are_told_at_the_control(lite: Api, ann: Browser) -> None:
    lite.inst.settings.models_file.write_text("large: {preset: openai, model: big}")
    made, _ = make_classifier(lite.inst, "A")
    path = f"/classifiers/{made.id}/settings"
    shown = '<option value="large">large: big, documents leave this machine</option>'
    assert shown in ann.get(path).text
    assert send(ann, path).status_code == 303
    assert now(lite, made) == made, "a form that is sent as it is changes nothing"
    wrong = send(ann, path, **{"splitDocuments.enabled": "yes", "name": "Post"})
    assert wrong.status_code == 400 and 'id="splitDocuments.everyXPages-note" class="error"' in wrong.text
    assert 'value="Post"' in wrong.text and now(lite, made) == made
    assert send(ann, path, name=" ").status_code == 400
    typed: dict[str, Any] = {
        "name": "Post",
        "isActive": [],
        "acceptedFileTypes": ["application/pdf"],
        "model": "large",
        "splitDocuments.enabled": "yes",
        "splitDocuments.mode": "partitionKey",
        "splitDocuments.partitionKey": "the customer's number",
        "emailParsing.parseEmailBody": "no",
        "emailParsing.senderFilter.mode": "allow",
        "emailParsing.senderFilter.rules": "ann@example.org\r\nexample.com",
    }
    assert send(ann, path, **typed).headers["location"] == f"{path}?saved=true"
    changed = now(lite, made)
    assert (changed.name, changed.is_active) == ("Post", False)
    assert changed.settings["acceptedFileTypes"] == ["application/pdf"]
    assert changed.settings["model"] == "large"
    lite.inst.settings.models_file.unlink()
    assert '<option value="large" selected>large: no longer set up</option>' in ann.get(path).text
    assert changed.settings["splitDocuments"] == {
        "enabled": True,
        "mode": "partitionKey",
        "partitionKey": "the customer's number",
        "partitionKeySource": "custom",
    }
    assert changed.settings["emailParsing"]["parseEmailBody"] is False
    assert len(changed.settings["emailParsing"]["senderFilter"]["rules"]) == 2
    assert "Who changed this" not in ann.get(path).text, "for those who may read the audit log"


def test_a_classifier_is_deleted_by_its_name(lite: Api, ann: Browser) -> None:
    made, (a,) = make_classifier(lite.inst, "A")
    ids = unrouted(lite.inst, made, "waiting", "routed")
    mark_routed(lite.inst, ids[1], a, "A")
    path = f"/classifiers/{made.id}/settings/delete"
    wrong = ann.submit(path, **{"delete.name": "mail"})
    assert wrong.status_code == 400 and "Type the name of the classifier" in wrong.text
    assert ann.submit(path, **{"delete.name": "Mail"}).headers["location"] == "/classifiers"
    with pytest.raises(NotFound):
        now(lite, made)
    assert "There are no classifiers yet" in ann.get("/classifiers").text
    assert [row["name"] for row in lite.get(f"/parsers/{a.id}/documents").json()["data"]] == ["routed"]


def test_owners_find_who_changed_it(lite: Api) -> None:
    made, _ = make_classifier(lite.inst, "A")
    with entered(lite, "owner") as owner:
        page = owner.get(f"/classifiers/{made.id}/settings").text
        assert f'href="/team/audit?resource={made.id}"' in page
        assert "classifier.created" in owner.get(f"/team/audit?resource={made.id}").text


def test_rules_that_were_changed_meanwhile_are_not_overwritten(lite: Api, ann: Browser) -> None:
    made, (bills,) = make_classifier(lite.inst, "Bill")
    path = f"/classifiers/{made.id}/rules"
    form = form_of(ann.get(path), path)
    rules = [*made.routing["rules"], {"label": "Note", "targetParserId": bills.id}]
    update_classifier(lite.inst, lite.inst.team_id, made.id, {"routing": {"rules": rules}})
    for _ in range(2):
        refused = ann.post(path, data={**form, "instructions": "Reminders are bills"})
        assert refused.status_code == 409 and "changed the rules meanwhile" in refused.text
        assert "Reminders are bills" in refused.text
        form["shown"] = form_of(refused, path)["shown"]
    assert [rule.label for rule in now(lite, made).rules] == ["Bill", "Note"]
    assert send(ann, path, instructions="Reminders are bills").status_code == 303
    assert now(lite, made).instructions == "Reminders are bills"
