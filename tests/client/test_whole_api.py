"""Both clients against the real server: every operation, from a parser's creation to its deletion."""

from __future__ import annotations

import datetime as dt
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docduck import client, clock
from docduck.server.app import create_app
from docduck.service.core.installation import Installation, open_installation
from docduck.service.outputs.warehouse_sync import publish, sync_warehouse
from docduck.settings import Settings
from tests.client.conftest import Caller, Reply, Seen, Server
from tests.conftest import MakeInstallation
from tests.server.served import FIELDS, Api, serving
from tests.service.core.people import make_member
from tools.client.__main__ import sources
from tools.client.resources import resources_source


@pytest.fixture
def api(make_installation: MakeInstallation) -> Iterator[Api]:
    with serving(make_installation(rate_limit_minute=0)) as api:
        yield api


@pytest.fixture(params=["sync", pytest.param("async", marks=pytest.mark.extended)])
def ask(request: pytest.FixtureRequest, api: Api) -> Caller:
    return Caller(request.param, api.address, api.key)


def page(number: str, total: str) -> bytes:
    return f"INVOICE\nNumber: {number}\nTotal: {total}\n".encode()


def rows(inst: Installation) -> list[tuple[Any, ...]]:
    """The status of the document a in the warehouse, and whether it has the moment of its approval."""
    sync_warehouse(inst)
    publish(inst, force=True)
    sql = "SELECT status, approved_at IS NOT NULL FROM bills.documents WHERE external_id = 'a'"
    return list(inst.warehouse.query(sql).rows)


@pytest.mark.slow
def test_a_walk_through_everything(api: Api, ask: Caller, tmp_path: Path) -> None:
    fields = [field.model_dump(mode="json", exclude={"position"}) for field in FIELDS]
    assert ask(lambda c: c.me.get())["team"]["id"] == api.inst.team_id
    parser = ask(lambda c: c.parsers.create("Bills", description="What we owe", fields=fields))
    parser_id = parser["id"]
    assert [field["name"] for field in parser["fields"]] == ["Number", "Total", "Line Items"]
    ready_made = ask(lambda c: c.parsers.create("Receipts", template_key="receipt"))
    assert {one["id"] for one in ask(lambda c: c.parsers.list(limit=1))} == {parser_id, ready_made["id"]}
    assert ask(lambda c: c.parsers.page(q="bil"))["pagination"]["total"] == 1

    path = tmp_path / "a.txt"
    path.write_bytes(page("A-1", "12.50"))
    uploaded = ask(
        lambda c: c.process.files(
            parser_id,
            path,
            ("b.txt", page("B-2", "119.00")),
            external_ids=["a", "b"],
            custom=[{"order": 1}, None],
        )
    )
    a, b = [item["documentId"] for item in uploaded]
    assert [item["externalId"] for item in uploaded] == ["a", "b"]
    assert ask(lambda c: c.process.data(parser_id, a))["data"] == {}
    listed = ask(lambda c: c.documents.list(status="queued", limit=1))
    assert {(one["id"], one["parserId"]) for one in listed} == {(a, parser_id), (b, parser_id)}
    with pytest.raises(client.StillProcessing):
        ask(lambda c: c.wait(parser_id, a, timeout=0))
    reader = threading.Thread(target=api.process, args=(parser_id,))
    reader.start()
    found = ask(lambda c: c.wait(parser_id, a, timeout=120))
    reader.join()
    assert (found["metadata"]["status"], found["data"]["Total"]) == ("processed", 12.5)
    assert ask(lambda c: c.process.data(parser_id, external_id="b"))["data"]["Number"] == "B-2"
    assert ask(lambda c: c.process.operation(uploaded[0]["operationName"]))["done"]

    names = [row["name"] for row in ask(lambda c: c.documents.list(parser_id, sort="name.asc", limit=1))]
    assert names == ["a.txt", "b.txt"]
    large = [{"field": "Total", "operator": "greater_than", "value": 100}]
    assert [row["id"] for row in ask(lambda c: c.documents.search(parser_id, filters=large))] == [b]
    assert ask(lambda c: c.documents.search_page(parser_id, "A-1"))["pagination"]["total"] == 1
    whole = ask(lambda c: c.documents.get(parser_id, a))
    with urllib.request.urlopen(whole["url"]) as answer:
        assert answer.read() == path.read_bytes()

    folder = ask(lambda c: c.folders.create(parser_id, "2026", color="#1f77b4"))
    below = ask(lambda c: c.folders.create(parser_id, "January", parent_id=folder["id"]))
    assert [one["id"] for one in ask(lambda c: c.folders.list(parser_id))] == [folder["id"], below["id"]]
    assert len(ask(lambda c: c.folders.list(parser_id, parent_id="root"))) == 1
    ask(lambda c: c.folders.update(parser_id, below["id"], name="Jan"))
    assert ask(lambda c: c.folders.get(parser_id, below["id"]))["pathLabel"] == "2026 / Jan"

    changed = ask(
        lambda c: c.documents.update(parser_id, a, name="first.txt", custom=None, folder_id=below["id"])
    )
    assert (changed["name"], changed["custom"], changed["externalId"]) == ("first.txt", None, "a")
    assert [one["id"] for one in ask(lambda c: c.documents.list(parser_id, folder_id="root"))] == [b]
    in_bulk = ask(lambda c: c.documents.bulk_update(parser_id, [a], external_ids=["b"], custom={"x": 1}))
    assert (in_bulk["updated"], in_bulk["failed"]) == (2, [])

    with pytest.raises(client.PreconditionFailed):
        ask(lambda c: c.documents.update_data(parser_id, a, {"Total": 9}, if_match=changed["version"]))
    version = ask(lambda c: c.documents.get(parser_id, a))["version"]
    corrected = ask(lambda c: c.documents.update_data(parser_id, a, {"Total": 13}, if_match=version))
    assert (corrected["data"]["Total"], corrected["data"]["Number"]) == (13, "A-1")
    assert corrected["metadata"]["field_metadata"]["Total"]["edited"]
    replaced = ask(lambda c: c.documents.replace_data(parser_id, a, {"Number": "X"}))
    assert (replaced["data"]["Total"], replaced["data"]["Number"]) == (None, "X")
    confirmed = ask(lambda c: c.documents.confirm(parser_id, b))
    assert confirmed["metadata"]["field_metadata"]["Total"]["edited"]
    again = ask(lambda c: c.documents.reprocess(parser_id, a))
    assert again["status"] == "processing"
    with pytest.raises(client.Conflict, match="already being processed"):
        ask(lambda c: c.documents.reprocess(parser_id, external_id="a"))
    api.process(parser_id)
    assert ask(lambda c: c.wait(parser_id, a))["data"]["Number"] == "X", "what people set stays"
    ask(lambda c: c.documents.reprocess(parser_id, a, discard_corrections=True))
    api.process(parser_id)
    assert ask(lambda c: c.wait(parser_id, a))["data"]["Total"] == 12.5
    ask(lambda c: c.documents.reprocess(parser_id, a))
    cancelled = ask(lambda c: c.documents.cancel(parser_id, a))
    assert (cancelled["status"], cancelled["error"]) == ("failed", "Cancelled")
    ask(lambda c: c.documents.reprocess(parser_id, a))
    api.process(parser_id)
    with pytest.raises(client.Conflict, match="was not split"):
        ask(lambda c: c.documents.undo_split(parser_id, a))
    events = ask(lambda c: c.documents.history(parser_id, a))
    assert events["data"] and events["data"][0]["fromStatus"] is None

    ann, bob = make_member(api.inst), make_member(api.inst, "Bob")
    assert [one["id"] for one in ask(lambda c: c.review_stages.reviewers(parser_id))] == [ann, bob]
    books = ask(lambda c: c.review_stages.create(parser_id, "Books", reviewer_id=ann))
    high = [{"field": "Total", "condition": "extracted_value", "operator": ">", "value": 10}]
    cfo = ask(
        lambda c: c.review_stages.create(
            parser_id, "CFO", reviewer_id=bob, review_type="conditional", rules=high
        )
    )
    ask(lambda c: c.review_stages.update(parser_id, cfo["id"], reviewer_instructions="Ask for the order"))
    assert ask(lambda c: c.review_stages.get(parser_id, cfo["id"]))["position"] == 2
    ask(lambda c: c.documents.reprocess(parser_id, a))
    api.process(parser_id)
    in_review = ask(lambda c: c.documents.get(parser_id, a))
    assert (in_review["status"], in_review["review"]["assignee"]["id"]) == ("in_review", ann)
    assert rows(api.inst) == [("in_review", False)]
    seen = ask(lambda c: c.reviews.approve(parser_id, a, ann))["review"]
    assert seen["currentStage"]["reviewerInstructions"] == "Ask for the order"
    with pytest.raises(client.PermissionDenied):
        ask(lambda c: c.reviews.reject(parser_id, a, ann))
    assert ask(lambda c: c.reviews.reject(parser_id, a, bob, "no order"))["metadata"]["isRejected"]
    assert rows(api.inst) == [("rejected", False)]
    ask(lambda c: c.reviews.reset(parser_id, a, bob))
    assert ask(lambda c: c.reviews.assign(parser_id, a, bob))["review"]["assignee"]["id"] == bob
    ask(lambda c: c.reviews.approve(parser_id, a, bob))
    assert ask(lambda c: c.reviews.approve(parser_id, a, bob))["metadata"]["isApproved"]
    assert rows(api.inst) == [("approved", True)]
    events = ask(lambda c: c.documents.history(parser_id, a, limit=100))
    assert [one["event"] for one in events["data"]][-10:] == [
        *("review_owed", "stage_approved", "stage_started", "rejected", "review_reset", "stage_started"),
        *("assigned", "stage_approved", "stage_started", "approved"),
    ]
    assert ask(lambda c: c.review_stages.delete(parser_id, books["id"]))["success"]
    assert ask(lambda c: c.review_stages.delete(parser_id, cfo["id"]))["success"]
    assert ask(lambda c: c.review_stages.list(parser_id)) == []

    added = ask(lambda c: c.fields.add(parser_id, {"name": "Due Date", "type": "date"}))
    assert added["reprocessRecommended"]
    ask(lambda c: c.fields.update(parser_id, "Due Date", {"name": "Due"}))
    ask(lambda c: c.fields.put(parser_id, [{"name": "Due", "labels": ["Due on"]}]))
    ask(lambda c: c.fields.reorder(parser_id, ["Due", "Number", "Total", "Line Items"]))
    assert [one["name"] for one in ask(lambda c: c.fields.list(parser_id))][:2] == ["Due", "Number"]
    assert len(ask(lambda c: c.fields.delete(parser_id, "Due"))["fields"]) == 3
    from_file = ask(lambda c: c.fields.suggest(parser_id, file=path))
    assert "Total" in [one["name"] for one in from_file["fields"]]
    assert ask(lambda c: c.fields.suggest(parser_id, document_id=a)) == from_file

    table = ask(lambda c: c.post_processing.put_table(parser_id, "codes", ("x.csv", b"a,b\n1,2\n")))
    assert (table["columns"], table["rows"]) == (["a", "b"], 1)
    assert [one["name"] for one in ask(lambda c: c.post_processing.tables(parser_id))] == ["codes"]
    step = {"type": "transform", "field": "Number", "transform": "trim"}
    assert ask(lambda c: c.post_processing.set(parser_id, [step])) == [step]
    assert ask(lambda c: c.post_processing.get(parser_id)) == [step]
    ask(lambda c: c.post_processing.delete_table(parser_id, "codes"))
    hook = ask(lambda c: c.webhooks.create(parser_id, "https://hooks.invalid/", name="ERP"))
    h = hook["id"]
    assert ask(lambda c: c.webhooks.secret(parser_id, h)) == hook["secret"]
    assert ask(lambda c: c.webhooks.update(parser_id, h, headers={"A": "b"}))["headers"] == {"A": "***"}
    assert ask(lambda c: c.webhooks.rotate_secret(parser_id, h))["secret"] != hook["secret"]
    assert not ask(lambda c: c.webhooks.test(parser_id, h, event="document.failed"))["success"]
    ask(lambda c: c.webhooks.resend_export(parser_id, a))
    (sent,) = ask(lambda c: c.webhooks.deliveries(parser_id, h, limit=1))
    assert (sent["event"], sent["documentId"], sent["status"]) == ("document.exported", a, "pending")
    ask(lambda c: c.webhooks.retry(parser_id, h, sent["id"]))
    assert [one["id"] for one in ask(lambda c: c.webhooks.list(parser_id))] == [h]
    assert ask(lambda c: c.webhooks.get(parser_id, h))["name"] == "ERP"
    assert ask(lambda c: c.webhooks.delete(parser_id, h))["success"]
    of_all = ask(lambda c: c.webhooks.create(None, "https://hooks.invalid/all", events=["document.failed"]))[
        "id"
    ]
    assert [(one["id"], one["parserId"]) for one in ask(lambda c: c.webhooks.list(None))] == [(of_all, None)]
    assert ask(lambda c: c.webhooks.secret(None, of_all)).startswith("whsec_")
    assert ask(lambda c: c.webhooks.rotate_secret(None, of_all))["secret"]
    assert not ask(lambda c: c.webhooks.test(None, of_all))["success"]
    assert ask(lambda c: c.webhooks.update(None, of_all, name="All"))["name"] == "All"
    assert ask(lambda c: c.webhooks.get(None, of_all))["events"] == ["document.failed"]
    assert ask(lambda c: c.webhooks.deliveries(None, of_all)) == []
    happened = ask(lambda c: c.events.list(parser_id=parser_id, limit=7))
    failed = [one for one in happened if one["event"] == "document.failed"]
    assert [one["documentId"] for one in failed] == [a], "it was cancelled once"
    assert ask(lambda c: c.webhooks.replay(of_all, event_id=failed[0]["id"]))["deliveries"] == 1
    since = failed[0]["createdAt"]
    assert ask(lambda c: c.webhooks.replay(of_all, created_from=since))["pending"] == 1
    with pytest.raises(client.NotFound):
        ask(lambda c: c.webhooks.retry(None, of_all, of_all))
    assert ask(lambda c: c.webhooks.delete(None, of_all))["success"]
    log = ask(lambda c: c.audit_log.list(resource_id=parser_id))
    assert log[0]["action"] == "lookup_table.deleted"

    updated = ask(lambda c: c.parsers.update(parser_id, description="", parse_pages="1"))
    assert (updated["description"], updated["settings"]["parsePages"]) == ("", "1")
    copy = ask(lambda c: c.parsers.duplicate(parser_id, name="Copy"))
    assert copy["counts"] == {"totalDocuments": 0, "folders": 2}

    assert ask(lambda c: c.documents.delete(parser_id, external_ids=["b"]))["ids"] == [b]
    since = clock.now() - dt.timedelta(minutes=5)
    assert [one["id"] for one in ask(lambda c: c.documents.deletions(since=since, limit=1))] == [b]
    gone = ask(lambda c: c.folders.delete(parser_id, folder["id"], delete_documents=True))
    assert (gone["deletedFolders"], gone["deletedDocuments"]) == (2, 1)
    assert ask(lambda c: c.documents.list(parser_id)) == []
    ask(lambda c: c.parsers.delete(parser_id))
    with pytest.raises(client.NotFound) as caught:
        ask(lambda c: c.parsers.get(parser_id))
    assert caught.value.not_found == ({"type": "parserId", "value": parser_id},)


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_classifier_and_its_documents(make_installation: MakeInstallation, kind: str) -> None:
    with serving(make_installation(rate_limit_minute=0, classify_inline_seconds=0)) as api:
        parser_id = api.parser()
        ask = Caller(kind, api.address, api.key)
        rules = [{"label": "Invoice", "targetParserId": parser_id}]
        made = ask(lambda c: c.classifiers.create("Mail", {"rules": rules}))["id"]
        (item,) = ask(lambda c: c.process.files_to_classifier(made, ("a.txt", b"x")))
        assert (item["routing"] or {})["status"] == "pending"
        rows = ask(lambda c: c.classifiers.documents(made, status="pending", limit=1))
        assert [row["id"] for row in rows] == [item["documentId"]]
        with pytest.raises(client.Conflict, match="already being processed"):
            ask(lambda c: c.classifiers.route(made, item["id"], parser_id))
        changed = ask(lambda c: c.classifiers.update(made, name="Post"))
        assert changed["counts"]["totalDocuments"] == 1
        assert [one["name"] for one in ask(lambda c: c.classifiers.list(limit=1))] == ["Post"]
        ask(lambda c: c.classifiers.delete(made))
        with pytest.raises(client.NotFound, match="Classifier not found"):
            ask(lambda c: c.classifiers.get(made))


def test_an_upload_whose_answer_was_lost_is_not_made_twice(
    api: Api, ask: Caller, server: Server, pauses: list[float]
) -> None:
    parser_id = api.parser()

    def forwarded(seen: Seen) -> Reply:
        headers: dict[str, str] = {
            name: seen.headers[name] for name in ("content-type", "idempotency-key") if name in seen.headers
        }
        url = f"{api.address}{seen.path}?{seen.query}"
        answer = api.request(seen.method, url, headers=headers, content=seen.body)
        return Reply(answer.status_code, answer.content, hang_up=len(server.seen) == 1)

    server.answer(forwarded)
    (item,) = ask(lambda c: c.process.files(parser_id, ("a.txt", b"x")), base_url=server.address)
    assert (len(server.seen), len(pauses)) == (2, 1)
    assert [one["id"] for one in ask(lambda c: c.documents.list(parser_id))] == [item["documentId"]]


def test_a_file_that_is_too_large_is_told_while_it_is_sent(
    make_installation: MakeInstallation, tmp_path: Path
) -> None:
    path = tmp_path / "large.txt"
    path.write_bytes(b"x" * 30_000_000)
    with serving(make_installation(max_file_bytes=100_000)) as api:
        parser_id = api.parser()
        for kind in ("sync", "async"):
            with pytest.raises(client.BadRequest, match="File too large") as caught:
                Caller(kind, api.address, api.key)(lambda c: c.process.files(parser_id, path), retries=0)
            assert caught.value.status == 413


ALIASES = {
    *("documents.bulk_update_by_patch", "documents.delete_one", "documents.list_of_team"),
    *("documents.reprocess_one", "process.delete"),
    *(
        f"upload_pages.{act}_of_{of}"
        for act in ("delete", "get", "put", "renew")
        for of in ("classifier", "parser")
    ),
    *(
        f"webhooks.{act}_of_team"
        for act in (
            *("create", "delete", "deliveries", "get", "list"),
            *("retry", "rotate_secret", "secret", "test", "update"),
        )
    ),
}
"""Operations whose method has another name, or that are other ways to what the client does as well."""


def test_every_operation_has_a_method(openapi: dict[str, Any]) -> None:
    with client.Client("http://x", "k") as offered:
        names = {
            operation["operationId"]
            for operations in openapi["paths"].values()
            for operation in operations.values()
            if "security" in operation
        }
        missing = {name for name in names if not _has(offered, *name.split("."))}
    assert missing == ALIASES


def _has(offered: client.Client, resource: str, method: str) -> bool:
    return hasattr(getattr(offered, resource, None), method)


def test_types_and_resources_are_generated_from_the_openapi_document(openapi: dict[str, Any]) -> None:
    for path, source in sources(openapi):
        assert path.read_text("utf-8") == source, "run python -m tools.client"


def test_a_new_route_is_a_new_method(openapi: dict[str, Any]) -> None:
    folder = openapi["paths"]["/api/v1/parsers/{parserId}/folders/{folderId}"]["get"]
    route = {**folder, "operationId": "cover_sheets.read", "description": "Return `folderId`'s cover sheet."}
    paths = {**openapi["paths"], "/api/v1/parsers/{parserId}/sheets/{folderId}": {"get": route}}
    source = resources_source({**openapi, "paths": paths})
    assert (
        "class CoverSheets(Resource[M]):\n"
        '    """``client.cover_sheets``."""\n\n'
        '    @operation("GET", "/parsers/{parser_id}/sheets/{folder_id}")\n'
        "    def read(self, parser_id: str, folder_id: str) -> types.Folder:\n"
        '        """Return ``folder_id``\'s cover sheet."""\n'
    ) in source
    assert "        self.cover_sheets: CoverSheets[M] = CoverSheets(runner, retries)\n" in source


@pytest.fixture(scope="module")
def openapi(tmp_path_factory: pytest.TempPathFactory) -> Any:
    inst = open_installation(Settings(home=tmp_path_factory.mktemp("home")))
    try:
        return create_app(inst).openapi()
    finally:
        inst.close()
