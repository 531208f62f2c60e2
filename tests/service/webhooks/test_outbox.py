"""Which events are written, and that they describe the document as it was."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import Document, WebhookSnapshot
from docduck.catalog.models.webhooks import WEBHOOK_EVENTS
from docduck.fields import Field
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents import status_transitions, webhook_outbox
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.documents.status_transitions import Event, Remark, Transition, apply_transitions, record
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parsers import delete_parser, get_parser, set_fields
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.results import store_outcomes
from docduck.service.webhooks.payload import MAX_BYTES
from docduck.service.webhooks.webhook_changes import update_webhook
from docduck.service.webhooks.webhooks import delete_webhook, list_webhooks
from docduck.statuses import Status
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, complete, extraction, make_parser
from tests.service.core.people import make_member
from tests.service.reviews.reviews_world import approved, read_one, rejected, restarted, stage
from tests.service.webhooks.receiver import INSECURE, Receiver, deliver, deliveries, subscribe


def events_of(inst: Installation, document_id: str) -> list[str]:
    return [one.event for one in deliveries(inst) if one.document_id == document_id]


def test_a_document_without_review_is_processed_and_exported(each_inst: Installation) -> None:
    parser = make_parser(each_inst)
    subscribe(each_inst, parser.id, "http://127.0.0.1/a")
    document_id = read_one(each_inst, parser)
    assert events_of(each_inst, document_id) == ["document.processed", "document.exported"]
    set_values(each_inst, parser.team_id, parser.id, document_id, {"Number": "B"})
    assert events_of(each_inst, document_id)[2:] == ["document.updated"]
    reprocess(each_inst, parser.team_id, [document_id])
    assert len(events_of(each_inst, document_id)) == 3
    complete(each_inst, parser)
    assert events_of(each_inst, document_id)[3:] == ["document.processed", "document.exported"]
    with pytest.raises(RuntimeError), each_inst.catalog.transaction() as session:
        row = session.get_one(Document, document_id)
        apply_transitions(session, Event.REPROCESSED, [Transition.of(row)], "me")
        record(session, Remark.CORRECTED, [Transition.of(row)], "me")
        raise RuntimeError
    assert len(events_of(each_inst, document_id)) == 5, "a change that is rolled back tells nothing"


def test_a_review_is_told_step_by_step(lite: Installation) -> None:
    parser = make_parser(lite)
    ann, bob = make_member(lite), make_member(lite, "Bob")
    stage(lite, parser, "Books", ann)
    stage(lite, parser, "CFO", bob)
    subscribe(lite, parser.id, "http://127.0.0.1/a")
    document_id = read_one(lite, parser)
    assert events_of(lite, document_id) == ["document.processed", "document.in_review"]
    approved(lite, parser, document_id, ann)
    assert len(events_of(lite, document_id)) == 2
    rejected(lite, parser, document_id, bob)
    restarted(lite, parser, document_id, bob)
    approved(lite, parser, document_id, ann)
    approved(lite, parser, document_id, bob)
    assert events_of(lite, document_id)[2:] == [
        "document.rejected",
        "document.in_review",
        "document.approved",
        "document.exported",
    ]


def test_failures_and_refusals_are_told_without_values(lite: Installation, receiver: Receiver) -> None:
    parser = make_parser(lite)
    subscribe(lite, parser.id, receiver.url())
    (failed, skipped) = add(lite, parser, 2)
    (first, second) = claim(lite, [ClaimRequest(parser.id, 2)], "me")
    assert (first.document_id, second.document_id) == (failed, skipped)
    with lite.catalog.transaction() as session:
        rows = {one.id: one for one in session.scalars(select(Document))}
        step = Transition.of(rows[failed], changes={"error": "File is empty"})
        apply_transitions(session, Event.EXTRACTION_FAILED, [step], "me")
        apply_transitions(session, Event.GATE_REFUSED, [Transition.of(rows[skipped])], "me")
    assert events_of(lite, failed) == ["document.failed"]
    assert events_of(lite, skipped) == ["document.skipped"]
    deliver(lite)
    (payload,) = (one.payload for one in receiver.received if one.event == "document.failed")
    assert payload["extracted_data"] == {}
    assert (payload["metadata"]["status"], payload["metadata"]["error"]) == ("failed", "File is empty")


def test_every_documented_event_of_documents_can_happen() -> None:
    fired = {name for names in status_transitions._WEBHOOK_EVENTS.values() for name in names}
    assert fired | {"webhook.test"} == set(WEBHOOK_EVENTS)


def test_only_active_webhooks_that_subscribe_get_an_event(lite: Installation) -> None:
    parser, other = make_parser(lite), make_parser(lite, "Others")
    default, _ = subscribe(lite, parser.id, "http://127.0.0.1/a", ["document.exported"])
    subscribe(lite, parser.id, "http://127.0.0.1/b", ["document.failed"])
    paused, _ = subscribe(lite, parser.id, "http://127.0.0.1/c", is_active=False)
    subscribe(lite, other.id, "http://127.0.0.1/d")
    read_one(lite, parser)
    assert [(one.webhook_id, one.event) for one in deliveries(lite)] == [(default, "document.exported")]
    update_webhook(lite, parser.team_id, parser.id, paused, {"is_active": True})
    assert len(deliveries(lite)) == 1, "what happened before is not told later"
    read_one(lite, make_parser(lite, "None"))
    with lite.catalog.read_session() as session:
        assert len(session.scalars(select(WebhookSnapshot)).all()) == 1, "there is no webhook to tell"


def test_a_payload_is_the_document_at_the_event(
    make_installation: MakeInstallation, receiver: Receiver
) -> None:
    lite = make_installation(base_url="https://docs.example.org/duck/", **INSECURE)
    parser = make_parser(lite)
    subscribe(lite, parser.id, receiver.url(), ["document.exported"])
    document_id = read_one(lite, parser)
    then = get_document(lite, parser.team_id, document_id)
    set_values(lite, parser.team_id, parser.id, document_id, {"Number": "later", "Line Items": []})
    update_document(lite, parser.team_id, parser.id, document_id, {"name": "later", "custom": {"a": 1}})
    fields = [one.model_copy(update={"name": f"New {one.name}"}) for one in parser.fields]
    set_fields(lite, parser.team_id, parser.id, [*fields[1:], Field(name="More")])
    deliver(lite)
    (got,) = receiver.received
    assert got.payload["extracted_data"] == then.data
    assert list(got.payload["extracted_data"]) == ["Number", "Total", "Tags", "Line Items"]
    assert got.payload.keys() == {"extracted_data", "metadata"}
    metadata = got.payload["metadata"]
    stable = {name: metadata.pop(name) for name in ("createdAt", "updatedAt", "timestamp", "workflowId")}
    assert all(stable.values())
    assert metadata == {
        "id": document_id,
        "name": "doc-0.txt",
        "url": f"https://docs.example.org/duck/documents/{document_id}",
        "isProcessed": True,
        "assignee": None,
        "event": "document.exported",
        "teamId": parser.team_id,
        "teamSlug": "default",
        "parserId": parser.id,
        "externalId": None,
        "custom": None,
        "status": "processed",
        "source": "api",
        "folderId": None,
        "pageCount": 1,
        "error": None,
        "review": {
            "isRequired": False,
            "status": "not_required",
            "assignee": None,
            "currentStage": None,
            "stages": [],
        },
    }


def test_the_review_is_as_it_was_after_the_change(lite: Installation, receiver: Receiver) -> None:
    parser = make_parser(lite)
    ann = make_member(lite)
    stage(lite, parser, "Books", ann)
    subscribe(lite, parser.id, receiver.url(), ["document.in_review", "document.rejected"])
    document_id = read_one(lite, parser)
    rejected(lite, parser, document_id, ann, "no order")
    restarted(lite, parser, document_id, ann)
    deliver(lite)
    receiver.wait(3)
    found = sorted((one.payload["metadata"] for one in receiver.received), key=lambda one: one["updatedAt"])
    assert [(one["status"], one["review"]["status"]) for one in found] == [
        ("in_review", "in_progress"),
        ("rejected", "rejected"),
        ("in_review", "in_progress"),
    ]
    assert [one["assignee"] and one["assignee"]["id"] for one in found] == [ann, None, ann]
    assert [one["review"]["stages"][0]["comment"] for one in found] == [None, "no order", None]
    assert found[0]["review"]["currentStage"]["name"] == "Books"


def test_odd_texts_arrive_as_they_are_and_values_as_text_if_wished(
    lite: Installation, receiver: Receiver
) -> None:
    parser = make_parser(lite)
    exported = ["document.exported"]
    _, secret = subscribe(lite, parser.id, receiver.url("/typed"), exported)
    subscribe(lite, parser.id, receiver.url("/text"), exported, value_format="string")
    text = 'Größe "5" \\ \u2028 😀 <a>\t\u0007'
    read_one(lite, parser, number=text, total=1234.5, rows=1)
    deliver(lite)
    (typed,), (as_text,) = receiver.at("/typed"), receiver.at("/text")
    values = typed.verify(secret)["extracted_data"]
    assert (values["Number"], values["Total"]) == (text, 1234.5)
    assert as_text.payload["extracted_data"] == {
        "Number": text,
        "Total": "1234.5",
        "Tags": ["a", "b"],
        "Line Items": [{"Description": "item 0", "Amount": "0.0"}],
    }


@pytest.mark.parametrize("length", [MAX_BYTES, webhook_outbox.MAX_VALUES_LENGTH + 100])
def test_a_payload_that_is_too_large_is_sent_without_values(
    lite: Installation, receiver: Receiver, length: int
) -> None:
    parser = make_parser(lite)
    _, secret = subscribe(lite, parser.id, receiver.url(), ["document.exported"])
    read_one(lite, parser, number="x" * length)
    deliver(lite)
    payload = receiver.received[0].verify(secret)
    assert (payload["extracted_data"], payload["metadata"]["truncated"]) == (None, True)
    assert payload["metadata"]["status"] == "processed"


def test_a_deleted_parser_s_webhooks_are_gone_with_what_they_owe(lite: Installation) -> None:
    parser = make_parser(lite)
    subscribe(lite, parser.id, "http://127.0.0.1/a")
    read_one(lite, parser)
    copy = duplicate_parser(lite, parser.team_id, parser.id)
    assert list_webhooks(lite, parser.team_id, copy.id) == []
    delete_parser(lite, parser.team_id, parser.id)
    assert deliveries(lite) == []


@pytest.mark.postgres
@pytest.mark.parametrize("remove", ["webhook", "parser"])
def test_a_webhook_that_is_deleted_meanwhile_does_not_stop_a_document(
    make_installation: Any, postgres_catalog: str, remove: str
) -> None:
    inst = make_installation(catalog_url=postgres_catalog, allow_insecure_webhooks=True)
    parser = make_parser(inst)
    webhook_id, _ = subscribe(inst, parser.id, "http://127.0.0.1/a")
    add(inst, parser)
    (one,) = claim(inst, [ClaimRequest(parser.id, 1)], "me")
    work: dict[str, Callable[[], object]] = {
        "webhook": lambda: delete_webhook(inst, parser.team_id, parser.id, webhook_id),
        "parser": lambda: delete_parser(inst, parser.team_id, parser.id),
    }
    deleting = threading.Thread(target=work[remove])
    real = webhook_outbox.subscribers

    def then_deleted(*arguments: Any) -> Any:
        found = real(*arguments)
        deleting.start()
        deleting.join(0.3)
        assert deleting.is_alive(), "it waits for the transaction"
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webhook_outbox, "subscribers", then_deleted)
        now = get_parser(inst, parser.team_id, parser.id)
        store_outcomes(inst, [ExtractionOutcome(one, now, extraction())], "me")
    deleting.join(20)
    with inst.catalog.read_session() as session:
        assert session.get_one(Document, one.document_id).status == Status.PROCESSED
    assert deliveries(inst) == []
