"""Events are sent to a webhook again, each under one message id."""

from __future__ import annotations

import datetime as dt

import pytest

from docduck import clock
from docduck.errors import Forbidden, InputError, NotFound
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.event_log import list_events
from docduck.service.webhooks import replay as replay_module
from docduck.service.webhooks.delivery_log import list_deliveries
from docduck.service.webhooks.replay import EventRange, Replayed, replay
from docduck.service.webhooks.webhook_changes import create_webhook, update_webhook
from tests.service.core.documents import add_read, make_parser
from tests.service.core.people import make_team
from tests.service.webhooks.receiver import Receiver, deliver, subscribe


def counts(replayed: Replayed) -> tuple[int, int, int]:
    return replayed.deliveries, replayed.pending, replayed.skipped


def test_events_from_before_the_webhook_are_sent_once(each_inst: Installation, receiver: Receiver) -> None:
    inst, team = each_inst, each_inst.team_id
    parser, other = make_parser(inst), make_parser(inst, "Others")
    began = clock.now()
    first = add_read(inst, parser, number="A-1")
    gone = add_read(inst, parser, "gone")
    add_read(inst, other)
    delete_documents(inst, team, [gone])
    webhook, _ = subscribe(inst, parser.id, receiver.url(), ["document.exported"])
    everything = EventRange(created_from=began)
    assert counts(replay(inst, team, webhook, everything)) == (1, 0, 1)
    assert counts(replay(inst, team, webhook, everything)) == (0, 1, 1), "it waits already"
    set_values(inst, team, parser.id, first, {"Number": "B-2"})
    deliver(inst)
    (sent,) = receiver.received
    assert (sent.event, sent.payload["metadata"]["id"]) == ("document.exported", first)
    assert sent.payload["extracted_data"]["Number"] == "A-1", "as it was when the replay began"
    assert counts(replay(inst, team, webhook, everything)) == (1, 0, 1)
    deliver(inst)
    ids = {one.headers["webhook-id"] for one in receiver.received}
    assert len(receiver.received) == 2 and len(ids) == 1, "receivers know it by its message id"
    processed = next(row for row in list_events(inst, team).rows if row.event == "document.processed")
    assert counts(replay(inst, team, webhook, EventRange(processed.id))) == (1, 0, 0)
    deliver(inst)
    assert receiver.events[2:] == ["document.processed"], "one that is named needs no subscription"
    of_team, _ = create_webhook(inst, team, None, {"url": receiver.url("/team"), "events": ["*"]})
    assert counts(replay(inst, team, of_team.id, everything)) == (5, 0, 2)
    deliver(inst)
    assert len(receiver.at("/team")) == 5
    shown = list_deliveries(inst, team, None, of_team.id).rows
    assert {row.event_id for row in shown} <= {row.id for row in list_events(inst, team).rows}


def test_an_event_that_was_delivered_is_sent_as_it_was(each_inst: Installation, receiver: Receiver) -> None:
    inst, team, parser = each_inst, each_inst.team_id, make_parser(each_inst)
    webhook, _ = subscribe(inst, parser.id, receiver.url("/a"), ["document.exported"])
    later, _ = subscribe(inst, parser.id, receiver.url("/b"), ["document.failed"])
    document_id = add_read(inst, parser, number="A-1")
    set_values(inst, team, parser.id, document_id, {"Number": "B-2"})
    deliver(inst)
    (exported,) = list_events(inst, team, event="document.exported").rows
    for hook in (webhook, later):
        assert counts(replay(inst, team, hook, EventRange(exported.id))) == (1, 0, 0)
    deliver(inst)
    numbers = [one.payload["extracted_data"]["Number"] for one in receiver.received]
    assert numbers == ["A-1"] * 3
    update_webhook(inst, team, parser.id, webhook, {"is_active": False})
    assert counts(replay(inst, team, webhook, EventRange(exported.id))) == (1, 0, 0)
    assert deliver(inst) == 0, "it waits while the webhook is paused"
    update_webhook(inst, team, parser.id, webhook, {"is_active": True})
    assert deliver(inst) == 1


def test_what_can_t_be_replayed(lite: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    inst, team = lite, lite.team_id
    parser, other = make_parser(inst), make_parser(inst, "Others")
    webhook, _ = subscribe(inst, parser.id, "http://127.0.0.1/a")
    of_team, _ = create_webhook(inst, team, None, {"url": "http://127.0.0.1/b"})
    add_read(inst, other)
    elsewhere = list_events(inst, team).rows[0].id
    for event_id in (elsewhere, new_id()):
        with pytest.raises(NotFound, match="Event not found"):
            replay(inst, team, webhook, EventRange(event_id))
    for hook, of in ((new_id(), team), ("x", team), (webhook, make_team(inst))):
        with pytest.raises(NotFound, match="Webhook not found"):
            replay(inst, of, hook, EventRange(elsewhere))
    for hook in (webhook, of_team.id):
        with pytest.raises(Forbidden):
            replay(inst, team, hook, EventRange(elsewhere), only=[other.id])
    add_read(inst, parser)
    monkeypatch.setattr(replay_module, "MOST_EVENTS", 1)
    since = clock.now() - dt.timedelta(days=1)
    with pytest.raises(InputError, match="These are 2 events; at most 1 can be sent at once"):
        replay(inst, team, webhook, EventRange(created_from=since))
    assert counts(replay(inst, team, webhook, EventRange(created_from=since, created_to=since))) == (0, 0, 0)
