"""``docduck webhooks``."""

from __future__ import annotations

import pytest

from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import get_parser
from tests.cli.conftest import Docduck
from tests.service.core.documents import make_parser
from tests.service.reviews.reviews_world import read_one
from tests.service.webhooks.receiver import Receiver, deliver


def test_a_webhook_from_its_creation_to_its_deletion(
    docduck: Docduck, inst: Installation, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(inst)
    monkeypatch.setenv("ERP_TOKEN", "Bearer t0ken")
    made = docduck(
        *("webhooks", "create", "invoices", receiver.url(), "--name", "ERP"),
        *("--event", "document.exported", "--header", "Authorization=ERP_TOKEN", "--json"),
    ).json
    webhook, secret = made["id"], made["secret"]
    assert made["headers"] == {"Authorization": "***"}
    assert docduck("webhooks", "secret", "invoices", webhook).out == f"{secret}\n"
    assert docduck("webhooks", "list", "invoices", "--json").json[0]["id"] == webhook
    assert receiver.url() in docduck("webhooks", "list", "invoices").out
    shown = docduck("webhooks", "show", "invoices", webhook).out
    assert f"ERP ({webhook})" in shown and "Headers: Authorization\n" in shown and "t0ken" not in shown

    assert docduck("webhooks", "test", "invoices", webhook).out.startswith("204 in ")
    assert receiver.received[0].verify(secret)["metadata"]["event"] == "webhook.test"
    assert receiver.received[0].headers["authorization"] == "Bearer t0ken"
    receiver.answer = lambda _: (500, {})
    failed = docduck("webhooks", "test", "invoices", webhook, "--event", "document.failed")
    assert (failed.code, failed.err) == (1, "Error: The test failed: the server answered 500\n")

    document_id = read_one(inst, parser)
    deliver(inst)
    (row,) = docduck("webhooks", "deliveries", "invoices", webhook, "--json").json["data"]
    assert (row["documentId"], row["status"], len(row["attempts"])) == (document_id, "pending", 1)
    table = docduck("webhooks", "deliveries", "invoices", webhook, "--status", "pending").out
    assert "the server answered 500" in table and table.endswith("1 of 1\n")
    receiver.answer = lambda _: (200, {})
    assert docduck("webhooks", "retry", "invoices", webhook, row["id"]).code == 0
    assert docduck("webhooks", "resend", "invoices", document_id).code == 0
    deliver(inst)
    assert receiver.events[-2:] == ["document.exported", "document.exported"]

    rotated = docduck("webhooks", "secret", "invoices", webhook, "--rotate").out.strip()
    assert rotated.startswith("whsec_") and rotated != secret
    changed = docduck("webhooks", "update", "invoices", webhook, "--paused", "--event", "*", "--json").json
    assert (changed["status"], changed["events"], changed["name"]) == ("paused", ["*"], "ERP")
    assert docduck("webhooks", "delete", "invoices", webhook).out == f"Deleted webhook {webhook}\n"
    made = docduck("webhooks", "create", "*", receiver.url("/all"), "--json")
    assert made.code == 0, made.err
    of_all = made.json
    assert of_all["parserId"] is None
    assert docduck("webhooks", "list", "*", "--json").json[0]["id"] == of_all["id"]
    assert docduck("webhooks", "show", "invoices", of_all["id"]).code == 2
    events = docduck(
        "webhooks", "events", "--parser", "invoices", "--event", "document.exported", "--json"
    ).json
    assert {one["documentId"] for one in events["data"]} == {document_id}
    assert document_id in docduck("webhooks", "events").out
    replay = ("webhooks", "replay", of_all["id"])
    assert docduck(*replay, "--event", events["data"][0]["id"]).out.startswith("1 sent, 0 were waiting")
    since = docduck(*replay, "--since", events["data"][0]["createdAt"], "--json").json
    assert (since["deliveries"], since["pending"]) == (1, 1)
    assert docduck("webhooks", "delete", "*", of_all["id"]).code == 0
    gone = docduck("webhooks", "show", "invoices", webhook)
    assert gone.code == 2
    assert gone.err == f"Error: Webhook not found: {webhook} (docduck webhooks list PARSER shows all)\n"


def test_what_is_wrong_is_told(docduck: Docduck, inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    make_parser(inst)
    monkeypatch.delenv("NOWHERE", raising=False)
    for arguments, words in (
        (("ftp://a",), "URL is not allowed: ftp://a"),
        (("https://example.org", "--event", "x"), "Unknown event: x"),
        (("https://example.org", "--header", "A"), "must be NAME=VARIABLE"),
        (("https://example.org", "--header", "A=NOWHERE"), "the environment variable NOWHERE is not set"),
    ):
        told = docduck("webhooks", "create", "invoices", *arguments)
        assert told.code == 2 and words in told.err, told
    assert docduck("webhooks", "list", "invoices", "--json").json == []


def test_the_status_tells_what_was_not_delivered(
    docduck: Docduck, inst: Installation, receiver: Receiver
) -> None:
    make_parser(inst)
    webhook = docduck("webhooks", "create", "invoices", receiver.url(), "--json").json["id"]
    assert "webhooks" not in docduck("status").out.lower()
    receiver.answer = lambda _: (410, {})
    read_one(inst, get_parser(inst, inst.team_id, "invoices"))
    (waiting,) = docduck("status", "--json").json["webhooks"]
    assert (waiting["id"], waiting["status"], waiting["pending"]) == (webhook, "active", 1)
    deliver(inst)
    (gone,) = docduck("status", "--json").json["webhooks"]
    assert (gone["status"], gone["pending"], gone["oldest"], gone["failed"]) == ("disabled", 0, None, 1)
    assert "disabled" in docduck("status").out
