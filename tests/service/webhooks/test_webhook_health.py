"""What is told of webhooks that have not delivered."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import text, update

from docduck import clock
from docduck.catalog.models import WebhookDelivery
from docduck.service.core.installation import Installation
from docduck.service.upkeep import health
from docduck.service.upkeep.status import status
from docduck.service.webhooks.webhook_changes import update_webhook
from docduck.service.webhooks.webhook_health import troubled_webhooks
from tests.service.core.documents import make_parser
from tests.service.core.people import make_team
from tests.service.reviews.reviews_world import read_one
from tests.service.webhooks.receiver import Receiver, deliver, deliveries, subscribe


def test_only_what_is_not_delivered_is_told(lite: Installation, receiver: Receiver) -> None:
    parser = make_parser(lite)
    ways = {"/fine": 204, "/down": 500, "/gone": 410}
    receiver.answer = lambda one: (ways[one.path], {})
    ids = {path: subscribe(lite, parser.id, receiver.url(path), ["document.exported"])[0] for path in ways}
    assert troubled_webhooks(lite) == []
    read_one(lite, parser)
    deliver(lite)
    down, gone = sorted(troubled_webhooks(lite, lite.team_id), key=lambda one: one.url)
    assert (down.id, down.parser, down.status) == (ids["/down"], parser.slug, "active")
    assert (down.pending, down.failed, down.oldest is None) == (1, 0, False)
    assert down.failing_since is not None
    assert (gone.id, gone.status) == (ids["/gone"], "disabled")
    assert (gone.pending, gone.failed, gone.oldest) == (0, 1, None)
    assert {one.id for one in status(lite, lite.team_id).webhooks} == {down.id, gone.id}
    assert troubled_webhooks(lite, make_team(lite)) == []


def test_the_age_is_that_of_the_oldest_that_is_not_paused(
    each_inst: Installation, receiver: Receiver
) -> None:
    parser = make_parser(each_inst)
    for path in ("/active", "/paused"):
        webhook_id, _ = subscribe(each_inst, parser.id, receiver.url(path), ["document.exported"])
    for name in ("first", "second"):
        read_one(each_inst, parser, name)
    first = min(deliveries(each_inst), key=lambda one: one.created_at)
    with each_inst.catalog.transaction() as session:
        session.execute(
            update(WebhookDelivery)
            .where(WebhookDelivery.snapshot_id == first.snapshot_id)
            .values(created_at=clock.now() - dt.timedelta(hours=2))
        )
        session.execute(
            update(WebhookDelivery)
            .where(WebhookDelivery.webhook_id == webhook_id)
            .values(created_at=clock.now() - dt.timedelta(hours=9))
        )
    found = health.deliveries(each_inst)
    assert (found.pending, found.failed, found.disabled) == (4, 0, 0)
    assert 9 * 3600 <= found.oldest_seconds < 9 * 3600 + 60
    update_webhook(each_inst, each_inst.team_id, parser.id, webhook_id, {"is_active": False})
    found = health.deliveries(each_inst)
    assert found.pending == 2
    assert 2 * 3600 <= found.oldest_seconds < 2 * 3600 + 60
    deliver(each_inst)
    found = health.deliveries(each_inst)
    assert (found.pending, found.oldest_seconds) == (0, 0)


def test_open_deliveries_are_found_by_their_index(inst: Installation) -> None:
    sql = (
        "SELECT webhook_id, count(*) FROM webhook_deliveries WHERE status <> 'succeeded' GROUP BY webhook_id"
    )
    with inst.catalog.read_session() as session:
        plan = session.execute(text(f"EXPLAIN QUERY PLAN {sql}")).all()
    assert "ix_webhook_deliveries_open" in str(plan)
