"""Webhooks that would lead inward: refused when they are set, or when they are sent."""

from __future__ import annotations

import pytest

from docduck.errors import InputError
from docduck.outbound.resolving import Connecting
from docduck.service.core.installation import Installation
from docduck.service.webhooks.delivery import deliver_due
from docduck.service.webhooks.webhook_changes import NOT_HTTPS, create_webhook, update_webhook
from tests.outbound.test_forbidden import TRICKS
from tests.outbound.web import Resolving, running
from tests.service.core.documents import make_parser
from tests.service.reviews.reviews_world import read_one
from tests.service.webhooks.receiver import attempts_of, deliveries, subscribe


def test_forbidden_urls_are_refused_when_they_are_set(inst: Installation) -> None:
    parser = make_parser(inst)
    made, _ = create_webhook(inst, inst.team_id, parser.id, {"url": "https://example.org/"})
    for trick in TRICKS:
        url = trick.replace("{port}", "8443").replace("http://", "https://", 1)
        with pytest.raises(InputError, match="URL"):
            create_webhook(inst, inst.team_id, parser.id, {"url": url})
        with pytest.raises(InputError, match="URL"):
            update_webhook(inst, inst.team_id, parser.id, made.id, {"url": url})


def test_webhooks_need_https(inst: Installation) -> None:
    parser = make_parser(inst)
    for url in ("http://example.org/", "HTTP://example.org", "ftp://example.org/", "example.org", ""):
        with pytest.raises(InputError) as caught:
            create_webhook(inst, inst.team_id, parser.id, {"url": url})
        assert (caught.value.message, caught.value.path) == (NOT_HTTPS, "url")


def test_a_name_that_resolves_inward_is_not_sent_to(inst: Installation) -> None:
    parser = make_parser(inst)
    inward = [["127.0.0.1"], ["10.0.0.5"], ["169.254.169.254"], ["93.184.216.34", "::1"]]
    with running() as (_, canary):
        subscribe(inst, parser.id, f"https://hooks.example.org:{canary.port}/", ["document.exported"])
        for number, found in enumerate(inward):
            read_one(inst, parser, f"{number}")
            deliver_due(inst, 30, Connecting(Resolving({}, default=found)))
        assert canary.connections == 0
    for delivery in deliveries(inst):
        assert attempts_of(delivery) == [(None, "its address is not allowed")]
        assert delivery.status == "pending"
