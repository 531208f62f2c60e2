"""Webhooks of all parsers of a team, present and future."""

from __future__ import annotations

import pytest

from docduck.errors import Conflict, InputError, NotFound
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import delete_parser
from docduck.service.webhooks.delivery_log import list_deliveries, resend_export
from docduck.service.webhooks.webhook_changes import MAX_WEBHOOKS, create_webhook, update_webhook
from docduck.service.webhooks.webhook_health import troubled_webhooks
from docduck.service.webhooks.webhooks import delete_webhook, get_webhook, list_webhooks
from tests.service.core.documents import make_parser
from tests.service.core.people import make_team
from tests.service.reviews.reviews_world import read_one
from tests.service.webhooks.receiver import Receiver, deliver, subscribe


def test_events_of_all_parsers_are_sent(each_inst: Installation, receiver: Receiver) -> None:
    inst, team = each_inst, each_inst.team_id
    before = make_parser(inst, "Before")
    strangers = make_parser(inst, "Strangers", make_team(inst))
    new = {"url": receiver.url("/team"), "events": ["document.exported"]}
    webhook, secret = create_webhook(inst, team, None, new)
    create_webhook(inst, team, None, {**new, "url": receiver.url("/paused"), "is_active": False})
    subscribe(inst, before.id, receiver.url("/parser"))
    after = make_parser(inst, "After")
    ids = [read_one(inst, parser, parser.slug) for parser in (before, after)]
    read_one(inst, strangers)
    deliver(inst)
    sent = receiver.at("/team")
    assert sorted(one.verify(secret)["metadata"]["id"] for one in sent) == sorted(ids)
    parsers = {one.payload["metadata"]["id"]: one.payload["metadata"]["parserId"] for one in sent}
    assert parsers == {ids[0]: before.id, ids[1]: after.id}
    assert {one.event for one in sent} == {"document.exported"}
    assert not receiver.at("/paused") and {
        one.payload["metadata"]["id"] for one in receiver.at("/parser")
    } == {ids[0]}
    assert list_deliveries(inst, team, None, webhook.id).total == 2
    resend_export(inst, team, after.id, ids[1])
    assert list_deliveries(inst, team, None, webhook.id).total == 3
    delete_parser(inst, team, before.id)
    assert get_webhook(inst, team, None, webhook.id).parser_id is None
    assert [(one.parser, one.pending) for one in troubled_webhooks(inst, team)] == [(None, 1)]


def test_they_are_apart_from_those_of_parsers(each_inst: Installation) -> None:
    inst, team, parser = each_inst, each_inst.team_id, make_parser(each_inst)
    new = {"url": "https://example.org/a"}
    webhook, _ = create_webhook(inst, team, None, new)
    of_parser, _ = create_webhook(inst, team, parser.id, new)
    assert list_webhooks(inst, team, None) == [webhook]
    assert list_webhooks(inst, team, parser.id) == [of_parser]
    for owner, hook in ((parser.id, webhook), (None, of_parser)):
        with pytest.raises(NotFound, match="Webhook not found"):
            get_webhook(inst, team, owner, hook.id)
    other = make_team(inst)
    assert list_webhooks(inst, other, None) == []
    for act in (get_webhook, delete_webhook):
        with pytest.raises(NotFound):
            act(inst, other, None, webhook.id)
    with pytest.raises(Conflict, match="exists already"):
        create_webhook(inst, team, None, new)
    for number in range(MAX_WEBHOOKS - 1):
        create_webhook(inst, team, None, {"url": f"https://example.org/{number}"})
    with pytest.raises(InputError, match=f"A team may have {MAX_WEBHOOKS} webhooks"):
        create_webhook(inst, team, None, {"url": "https://example.org/b"})
    changed = update_webhook(inst, team, None, webhook.id, {"is_active": False})
    assert (changed.status, delete_webhook(inst, team, None, webhook.id)) == ("paused", webhook.id)
