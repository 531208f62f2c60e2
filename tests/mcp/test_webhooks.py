"""Webhooks that an agent tries, and deliveries that it sends again."""

from __future__ import annotations

import json

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
    (day,) = lite.call("get_usage")["days"]
    assert (day["parserId"], day["documents"]) == (world.parser, 2)
    assert lite.stranger().call("get_usage")["days"] == []
