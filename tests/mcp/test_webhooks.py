"""Webhooks that an agent tries, and deliveries that it sends again."""

from __future__ import annotations

import json

from docduck.mcp.views import USAGE, NoOptions
from tests.mcp.served import Agent
from tests.mcp.world import make_world


def test_deliveries_are_listed_and_sent_again(lite: Agent) -> None:
    world = make_world(lite)
    named = {"parserId": world.parser, "webhookId": world.webhook}
    shown = lite.call("list_webhook_deliveries", **named)
    (delivery,) = shown["data"]
    assert (delivery["id"], delivery["status"]) == (world.delivery, "pending")
    assert delivery["documentId"] == world.other_document
    assert lite.call("list_webhook_deliveries", **named, status="failed")["data"] == []
    assert lite.call("retry_webhook_delivery", **named, deliveryId=world.delivery) == {"success": True}
    assert "not found" in lite.error("retry_webhook_delivery", **named, deliveryId=world.document)


def test_a_trial_tells_what_the_receiver_answered(lite: Agent) -> None:
    world = make_world(lite)
    named = {"parserId": world.parser, "webhookId": world.webhook}
    tried = lite.call("test_webhook", **named)
    assert tried["success"] is False
    assert tried["error"]
    assert "whsec_" not in json.dumps(tried)
    assert len(lite.call("list_webhook_deliveries", **named)["data"]) == 1
    assert "event" in lite.error("test_webhook", **named, event="document.eaten")


def test_usage_is_the_team_s(lite: Agent) -> None:
    world = make_world(lite)
    (month,) = lite.call("get_usage")["months"]
    assert (month["parserId"], month["documents"], month["pages"]) == (world.parser, 2, 2)
    assert lite.stranger().call("get_usage")["months"] == []


def test_usage_is_added_up_by_month() -> None:
    days = [
        {"day": day, "parserId": parser, "parserName": parser.upper(), "documents": 1, "pages": 2}
        for day, parser in (
            ("2026-02-02", "a"),
            ("2026-02-02", "b"),
            ("2026-02-01", "a"),
            ("2026-01-31", "a"),
        )
    ]
    shown = USAGE.show({"days": days, "models": []}, NoOptions())
    assert [(row["month"], row["parserName"], row["documents"], row["pages"]) for row in shown["months"]] == [
        ("2026-02", "A", 2, 4),
        ("2026-02", "B", 1, 2),
        ("2026-01", "A", 1, 2),
    ]
