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


def test_a_new_webhook_has_defaults_and_a_secret(inst: Installation) -> None:
    parser = make_parser(inst)
    made, secret = create_webhook(inst, inst.team_id, parser.id, {"url": URL})
    assert (made.events, made.status, made.value_format) == (["document.exported"], "active", "typed")
    assert (made.name, made.description, made.headers) == ("", "", {})
    assert get_secret(inst, inst.team_id, parser.id, made.id) == secret
    assert list_webhooks(inst, inst.team_id, parser.slug) == [made]
    assert get_webhook(inst, inst.team_id, parser.id, made.id.upper()) == made


def test_secrets_and_headers_are_stored_sealed_and_shown_masked(inst: Installation) -> None:
    parser = make_parser(inst)
    made, secret = create_webhook(
        inst, inst.team_id, parser.id, {"url": URL, "headers": {"X-Key": "s3cret", "X-B": "c"}}
    )
    assert made.headers == {"X-Key": MASK, "X-B": MASK}
    with inst.catalog.read_session() as session:
        row = session.get_one(Webhook, made.id)
        stored = f"{row.headers} {row.sealed_secret}"
    assert "s3cret" not in stored and secret not in stored
    changed = update_webhook(inst, inst.team_id, parser.id, made.id, {"headers": {"x-key": MASK, "X-C": "d"}})
    assert changed.headers == {"x-key": MASK, "X-C": MASK}
    found = get_own_headers(inst, inst.team_id, parser.id, made.id)
    assert found == {"x-key": "s3cret", "X-C": "d"}
    with pytest.raises(InputError, match="has no header X-New"):
        update_webhook(inst, inst.team_id, parser.id, made.id, {"headers": {"X-New": MASK}})
    assert "s3cret" not in str(audited(inst, made.id))
    other = create(inst, parser.id, events=["*"])
    with inst.catalog.transaction() as session:
        stolen = session.get_one(Webhook, made.id).sealed_secret
        session.get_one(Webhook, other.id).sealed_secret = stolen
    with pytest.raises(Exception, match="can't be decrypted"):
        get_secret(inst, inst.team_id, parser.id, other.id)


def test_the_same_url_and_events_are_in_conflict_and_a_parser_has_so_many(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(max_webhooks=2)
    parser = make_parser(inst)
    create(inst, parser.id, events=["document.failed", "document.exported"])
    with pytest.raises(Conflict):
        create(inst, parser.id, events=["document.exported", "document.failed", "document.failed"])
    other = create(inst, parser.id, events=["*"])
    same: Any = {"events": ["document.exported", "document.failed"]}
    with pytest.raises(Conflict):
        update_webhook(inst, inst.team_id, parser.id, other.id, same)
    with pytest.raises(InputError, match="may have 2 webhooks"):
        create(inst, parser.id, url=f"{URL}/more")
    create(inst, make_parser(inst, "Other").id, events=["*"])


WRONG: list[tuple[dict[str, Any], str]] = [
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
]


def test_what_is_wrong_is_refused_and_changes_nothing(inst: Installation) -> None:
    parser, other = make_parser(inst), make_parser(inst, "Other")
    made = create(inst, other.id)
    for changes, words in WRONG:
        with pytest.raises(InputError, match=words):
            create(inst, parser.id, **changes)
        with pytest.raises(InputError, match=words):
            update_webhook(inst, inst.team_id, other.id, made.id, changes)
    assert list_webhooks(inst, inst.team_id, parser.id) == []
    assert get_webhook(inst, inst.team_id, other.id, made.id) == made


def test_other_teams_and_parsers_see_nothing(inst: Installation) -> None:
    parser, other = make_parser(inst), make_parser(inst, "Other")
    made = create(inst, parser.id)
    theirs = make_team(inst)
    for team, parser_id in ((theirs, parser.id), (inst.team_id, other.id), (inst.team_id, new_id())):
        for ask in (
            lambda team=team, p=parser_id: get_webhook(inst, team, p, made.id),
            lambda team=team, p=parser_id: get_secret(inst, team, p, made.id),
            lambda team=team, p=parser_id: rotate_secret(inst, team, p, made.id),
            lambda team=team, p=parser_id: update_webhook(inst, team, p, made.id, {"name": "x"}),
            lambda team=team, p=parser_id: delete_webhook(inst, team, p, made.id),
            lambda team=team, p=parser_id: list_deliveries(inst, team, p, made.id),
        ):
            with pytest.raises(NotFound):
                ask()
    assert get_webhook(inst, inst.team_id, parser.id, made.id) == made


def test_changes_are_audited(inst: Installation) -> None:
    parser = make_parser(inst)
    made = create(inst, parser.id)
    update_webhook(inst, inst.team_id, parser.id, made.id, {"name": "ERP"}, "key x")
    update_webhook(inst, inst.team_id, parser.id, made.id, {"name": "ERP"}, "key x")
    update_webhook(inst, inst.team_id, parser.id, made.id, {"headers": {"A": "b"}})
    update_webhook(inst, inst.team_id, parser.id, made.id, {"headers": {"A": "c"}})
    update_webhook(inst, inst.team_id, parser.id, made.id, {"is_active": False})
    rotate_secret(inst, inst.team_id, parser.id, made.id)
    delete_webhook(inst, inst.team_id, parser.id, made.id)
    found = audited(inst, made.id)
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


def test_the_log_has_pages_and_a_filter(inst: Installation) -> None:
    parser = make_parser(inst)
    webhook_id, _ = subscribe(inst, parser.id, URL, ["document.exported"])
    ids = add(inst, parser, 5)
    complete(inst, parser)
    with inst.catalog.transaction() as session:
        first = WebhookDelivery.document_id == ids[0]
        session.execute(update(WebhookDelivery).where(first).values(status="failed"))
    page = list_deliveries(inst, inst.team_id, parser.id, webhook_id, page=2, limit=2)
    assert (len(page.rows), page.total) == (2, 5)
    (failed,) = list_deliveries(inst, inst.team_id, parser.id, webhook_id, "failed").rows
    assert (failed.document_id, failed.event) == (ids[0], "document.exported")
    with pytest.raises(InputError, match="status must be one of"):
        list_deliveries(inst, inst.team_id, parser.id, webhook_id, "lost")


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


def test_an_export_is_sent_again_with_the_present_values(lite: Installation, receiver: Receiver) -> None:
    parser = make_parser(lite)
    document_id = read_one(lite, parser)
    with pytest.raises(Conflict, match="No active webhook"):
        resend_export(lite, lite.team_id, parser.id, document_id)
    subscribe(lite, parser.id, receiver.url(), ["document.exported"])
    set_values(lite, lite.team_id, parser.id, document_id, {"Number": "B-2"})
    resend_export(lite, lite.team_id, parser.id, document_id)
    deliver(lite)
    assert receiver.events == ["document.exported"]
    assert receiver.received[0].payload["extracted_data"]["Number"] == "B-2"
    (queued,) = add(lite, parser, prefix="queued")
    with pytest.raises(Conflict, match="Document is queued"):
        resend_export(lite, lite.team_id, parser.id, queued)


def snapshots(inst: Installation) -> int:
    with inst.catalog.read_session() as session:
        return len(session.scalars(select(WebhookSnapshot.id)).all())


def deleted_snapshots(inst: Installation) -> int:
    return delete_expired_rows(inst)["webhook_snapshots"]


def test_ended_deliveries_are_deleted_at_their_age(lite: Installation, receiver: Receiver) -> None:
    parser = make_parser(lite)
    subscribe(lite, parser.id, receiver.url(), ["document.exported"])
    read_one(lite, parser, "old")
    read_one(lite, parser, "new")
    deliver(lite)
    read_one(lite, parser, "pending")
    assert (deleted_snapshots(lite), snapshots(lite)) == (0, 3)
    old, _, pending = deliveries(lite)
    with lite.catalog.transaction() as session:
        long_ago = clock.now() - dt.timedelta(days=31)
        for one in (old, pending):
            mine = WebhookSnapshot.id == one.snapshot_id
            session.execute(update(WebhookSnapshot).where(mine).values(created_at=long_ago))
    sweep(lite)
    assert (snapshots(lite), len(deliveries(lite))) == (2, 2)
    assert old.id not in {one.id for one in deliveries(lite)}


def test_a_deleted_document_s_values_go_unsent(lite: Installation, receiver: Receiver) -> None:
    parser = make_parser(lite)
    webhook_id, _ = subscribe(lite, parser.id, receiver.url(), ["document.exported"])
    document_id = read_one(lite, parser)
    delete_documents(lite, lite.team_id, [document_id])
    assert deliver(lite) == 0
    assert deleted_snapshots(lite) == 1
    assert (snapshots(lite), len(receiver.received)) == (0, 0)
    read_one(lite, parser, "more")
    delete_webhook(lite, lite.team_id, parser.id, webhook_id)
    assert deliveries(lite) == []
    assert (deleted_snapshots(lite), snapshots(lite)) == (1, 0)


def test_an_expired_secret_is_deleted(inst: Installation) -> None:
    parser = make_parser(inst)
    made = create(inst, parser.id)
    rotate_secret(inst, inst.team_id, parser.id, made.id)
    delete_expired_secrets(inst)
    with inst.catalog.transaction() as session:
        assert len(session.get_one(Webhook, made.id).previous_secrets or ()) == 1
        expire_secrets(session)
    delete_expired_secrets(inst)
    with inst.catalog.read_session() as session:
        assert session.get_one(Webhook, made.id).previous_secrets is None
