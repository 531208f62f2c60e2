"""Managing webhooks: what is stored, refused, shown and audited, and what is deleted when."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import select, update

from docduck import clock
from docduck.catalog.models import Webhook, WebhookDelivery, WebhookSnapshot
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.deletion import delete_documents
from docduck.service.upkeep.expired_rows import delete_expired_rows
from docduck.service.upkeep.housekeeping import sweep
from docduck.service.webhooks.delivery_log import list_deliveries, resend_export, retry_delivery
from docduck.service.webhooks.delivery_queue import claim
from docduck.service.webhooks.secrets import (
    delete_expired_secrets,
    get_own_headers,
    get_secret,
    rotate_secret,
)
from docduck.service.webhooks.webhook_changes import create_webhook, update_webhook
from docduck.service.webhooks.webhooks import MASK, delete_webhook, get_webhook, list_webhooks
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, complete, make_parser
from tests.service.core.people import make_team
from tests.service.reviews.reviews_world import audited, read_one
from tests.service.webhooks.receiver import Receiver, deliver, deliveries, expire_secrets, subscribe

URL = "https://example.org/hook"


def create(inst: Installation, parser_id: str, **new: Any) -> Any:
    given: Any = {"url": URL, **new}
    return create_webhook(inst, inst.team_id, parser_id, given)[0]


def test_a_new_webhook_has_defaults_and_a_secret(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    made, secret = create_webhook(any_inst, any_inst.team_id, parser.id, {"url": URL})
    assert (made.events, made.status, made.value_format) == (["document.exported"], "active", "typed")
    assert (made.name, made.description, made.headers) == ("", "", {})
    assert get_secret(any_inst, any_inst.team_id, parser.id, made.id) == secret
    assert list_webhooks(any_inst, any_inst.team_id, parser.slug) == [made]
    assert get_webhook(any_inst, any_inst.team_id, parser.id, made.id.upper()) == made


def test_secrets_and_headers_are_stored_sealed_and_shown_masked(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    made, secret = create_webhook(
        any_inst, any_inst.team_id, parser.id, {"url": URL, "headers": {"X-Key": "s3cret", "X-B": "c"}}
    )
    assert made.headers == {"X-Key": MASK, "X-B": MASK}
    with any_inst.catalog.read_session() as session:
        row = session.get_one(Webhook, made.id)
        stored = f"{row.headers} {row.sealed_secret}"
    assert "s3cret" not in stored and secret not in stored
    changed = update_webhook(
        any_inst, any_inst.team_id, parser.id, made.id, {"headers": {"x-key": MASK, "X-C": "d"}}
    )
    assert changed.headers == {"x-key": MASK, "X-C": MASK}
    found = get_own_headers(any_inst, any_inst.team_id, parser.id, made.id)
    assert found == {"x-key": "s3cret", "X-C": "d"}
    with pytest.raises(InputError, match="has no header X-New"):
        update_webhook(any_inst, any_inst.team_id, parser.id, made.id, {"headers": {"X-New": MASK}})
    assert "s3cret" not in str(audited(any_inst, made.id))


def test_one_webhook_s_secret_does_not_open_in_another(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    one, two = create(any_inst, parser.id), create(any_inst, parser.id, events=["*"])
    with any_inst.catalog.transaction() as session:
        stolen = session.get_one(Webhook, one.id).sealed_secret
        session.get_one(Webhook, two.id).sealed_secret = stolen
    with pytest.raises(Exception, match="can't be decrypted"):
        get_secret(any_inst, any_inst.team_id, parser.id, two.id)


def test_the_same_url_and_events_are_in_conflict(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    create(any_inst, parser.id, events=["document.failed", "document.exported"])
    with pytest.raises(Conflict):
        create(any_inst, parser.id, events=["document.exported", "document.failed", "document.failed"])
    other = create(any_inst, parser.id, events=["*"])
    with pytest.raises(Conflict):
        update_webhook(
            any_inst,
            any_inst.team_id,
            parser.id,
            other.id,
            {"events": ["document.exported", "document.failed"]},
        )
    create(any_inst, make_parser(any_inst, "Other").id, events=["*"])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"events": []}, "must not be empty"),
        ({"events": ["document.exported", "x"]}, "Unknown event: x"),
        ({"value_format": "x"}, "valueFormat: must be 'typed' or 'string'"),
        ({"name": "a\nb"}, "control characters"),
        ({"name": "x" * 256}, "255 characters"),
        ({"description": "x" * 2001}, "2000 characters"),
        ({"headers": {"A B": "c"}}, "is not the name of a header"),
        ({"headers": {"": "c"}}, "is not the name of a header"),
        ({"headers": {"Größe": "c"}}, "is not the name of a header"),
        ({"headers": {"A": "b\r\nX: y"}}, "printable ASCII"),
        ({"headers": {"A": ""}}, "printable ASCII"),
        ({"headers": {"A": " b"}}, "printable ASCII"),
        ({"headers": {"A": "ü"}}, "printable ASCII"),
        ({"headers": {"A": "x" * 5000}}, "printable ASCII"),
        ({"headers": {"A": "1", "a": "2"}}, "given twice"),
        ({"headers": {"Host": "x"}}, "is set by docduck"),
        ({"headers": {"Content-Type": "x"}}, "is set by docduck"),
        ({"headers": {"Webhook-Signature": "x"}}, "is set by docduck"),
        ({"headers": {"svix-id": "x"}}, "is set by docduck"),
        ({"headers": {f"X-{number}": "a" for number in range(21)}}, "20 headers"),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(
    inst: Installation, changes: dict[str, Any], words: str
) -> None:
    parser = make_parser(inst)
    with pytest.raises(InputError, match=words):
        create(inst, parser.id, **changes)
    assert list_webhooks(inst, inst.team_id, parser.id) == []
    made = create(inst, parser.id)
    with pytest.raises(InputError, match=words):
        update_webhook(inst, inst.team_id, parser.id, made.id, changes)
    assert get_webhook(inst, inst.team_id, parser.id, made.id) == made


def test_a_parser_has_a_limit_of_webhooks(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_webhooks=2)
    parser = make_parser(inst)
    for number in range(2):
        create(inst, parser.id, url=f"{URL}/{number}")
    with pytest.raises(InputError, match="may have 2 webhooks"):
        create(inst, parser.id)


def test_other_teams_and_parsers_see_nothing(any_inst: Installation) -> None:
    parser, other = make_parser(any_inst), make_parser(any_inst, "Other")
    made = create(any_inst, parser.id)
    theirs = make_team(any_inst)
    for team, parser_id in ((theirs, parser.id), (any_inst.team_id, other.id), (any_inst.team_id, new_id())):
        for ask in (
            lambda team=team, p=parser_id: get_webhook(any_inst, team, p, made.id),
            lambda team=team, p=parser_id: get_secret(any_inst, team, p, made.id),
            lambda team=team, p=parser_id: rotate_secret(any_inst, team, p, made.id),
            lambda team=team, p=parser_id: update_webhook(any_inst, team, p, made.id, {"name": "x"}),
            lambda team=team, p=parser_id: delete_webhook(any_inst, team, p, made.id),
            lambda team=team, p=parser_id: list_deliveries(any_inst, team, p, made.id),
        ):
            with pytest.raises(NotFound):
                ask()
    assert get_webhook(any_inst, any_inst.team_id, parser.id, made.id) == made


def test_changes_are_audited(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    made = create(any_inst, parser.id)
    update_webhook(any_inst, any_inst.team_id, parser.id, made.id, {"name": "ERP"}, "key x")
    update_webhook(any_inst, any_inst.team_id, parser.id, made.id, {"name": "ERP"}, "key x")
    update_webhook(any_inst, any_inst.team_id, parser.id, made.id, {"headers": {"A": "b"}})
    update_webhook(any_inst, any_inst.team_id, parser.id, made.id, {"headers": {"A": "c"}})
    update_webhook(any_inst, any_inst.team_id, parser.id, made.id, {"is_active": False})
    rotate_secret(any_inst, any_inst.team_id, parser.id, made.id)
    delete_webhook(any_inst, any_inst.team_id, parser.id, made.id)
    found = audited(any_inst, made.id)
    assert [action for action, _ in found] == [
        "webhook.created",
        *["webhook.updated"] * 4,
        "webhook.secret_rotated",
        "webhook.deleted",
    ]
    assert [details["changed"] for _, details in found[1:5]] == [
        ["name"],
        ["headers"],
        ["headers"],
        ["status"],
    ]


def test_the_log_has_pages_and_a_filter(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    webhook_id, _ = subscribe(any_inst, parser.id, URL, ["document.exported"])
    ids = add(any_inst, parser, 5)
    complete(any_inst, parser)
    with any_inst.catalog.transaction() as session:
        first = WebhookDelivery.document_id == ids[0]
        session.execute(update(WebhookDelivery).where(first).values(status="failed"))
    page = list_deliveries(any_inst, any_inst.team_id, parser.id, webhook_id, page=2, limit=2)
    assert (len(page.rows), page.total) == (2, 5)
    (failed,) = list_deliveries(any_inst, any_inst.team_id, parser.id, webhook_id, "failed").rows
    assert (failed.document_id, failed.event) == (ids[0], "document.exported")
    with pytest.raises(InputError, match="status must be one of"):
        list_deliveries(any_inst, any_inst.team_id, parser.id, webhook_id, "lost")


def test_a_delivery_that_is_being_sent_is_not_retried(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    webhook_id, _ = subscribe(any_inst, parser.id, URL, ["document.exported"])
    read_one(any_inst, parser)
    (one,) = claim(any_inst, {webhook_id: 1}, "me")
    with pytest.raises(Conflict, match="at this moment"):
        retry_delivery(any_inst, any_inst.team_id, parser.id, webhook_id, one.id)
    for unknown in (new_id(), "x"):
        with pytest.raises(NotFound, match="Delivery not found"):
            retry_delivery(any_inst, any_inst.team_id, parser.id, webhook_id, unknown)


def test_an_export_is_sent_again_with_the_present_values(each_inst: Installation, receiver: Receiver) -> None:
    parser = make_parser(each_inst)
    document_id = read_one(each_inst, parser)
    with pytest.raises(Conflict, match="No active webhook"):
        resend_export(each_inst, each_inst.team_id, parser.id, document_id)
    subscribe(each_inst, parser.id, receiver.url(), ["document.exported"])
    set_values(each_inst, each_inst.team_id, parser.id, document_id, {"Number": "B-2"})
    resend_export(each_inst, each_inst.team_id, parser.id, document_id)
    deliver(each_inst)
    assert receiver.events == ["document.exported"]
    assert receiver.received[0].payload["extracted_data"]["Number"] == "B-2"
    (queued,) = add(each_inst, parser, prefix="queued")
    with pytest.raises(Conflict, match="Document is queued"):
        resend_export(each_inst, each_inst.team_id, parser.id, queued)


def snapshots(inst: Installation) -> int:
    with inst.catalog.read_session() as session:
        return len(session.scalars(select(WebhookSnapshot.id)).all())


def deleted_snapshots(inst: Installation) -> int:
    return delete_expired_rows(inst)["webhook_snapshots"]


def test_ended_deliveries_are_deleted_at_their_age(each_inst: Installation, receiver: Receiver) -> None:
    parser = make_parser(each_inst)
    subscribe(each_inst, parser.id, receiver.url(), ["document.exported"])
    read_one(each_inst, parser, "old")
    read_one(each_inst, parser, "new")
    deliver(each_inst)
    read_one(each_inst, parser, "pending")
    assert (deleted_snapshots(each_inst), snapshots(each_inst)) == (0, 3)
    old, _, pending = deliveries(each_inst)
    with each_inst.catalog.transaction() as session:
        long_ago = clock.now() - dt.timedelta(days=31)
        for one in (old, pending):
            mine = WebhookSnapshot.id == one.snapshot_id
            session.execute(update(WebhookSnapshot).where(mine).values(created_at=long_ago))
    sweep(each_inst)
    assert (snapshots(each_inst), len(deliveries(each_inst))) == (2, 2)
    assert old.id not in {one.id for one in deliveries(each_inst)}


def test_a_deleted_document_s_values_go_unsent(each_inst: Installation, receiver: Receiver) -> None:
    parser = make_parser(each_inst)
    webhook_id, _ = subscribe(each_inst, parser.id, receiver.url(), ["document.exported"])
    document_id = read_one(each_inst, parser)
    delete_documents(each_inst, each_inst.team_id, [document_id])
    assert deliver(each_inst) == 0
    assert deleted_snapshots(each_inst) == 1
    assert (snapshots(each_inst), len(receiver.received)) == (0, 0)
    read_one(each_inst, parser, "more")
    delete_webhook(each_inst, each_inst.team_id, parser.id, webhook_id)
    assert deliveries(each_inst) == []
    assert (deleted_snapshots(each_inst), snapshots(each_inst)) == (1, 0)


def test_an_expired_secret_is_deleted(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    made = create(any_inst, parser.id)
    rotate_secret(any_inst, any_inst.team_id, parser.id, made.id)
    delete_expired_secrets(any_inst)
    with any_inst.catalog.transaction() as session:
        assert len(session.get_one(Webhook, made.id).previous_secrets or ()) == 1
        expire_secrets(session)
    delete_expired_secrets(any_inst)
    with any_inst.catalog.read_session() as session:
        assert session.get_one(Webhook, made.id).previous_secrets is None
