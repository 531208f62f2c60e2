"""The events of a team's documents."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import Limit, QueryParameters
from docduck.api.route import ResourceRouter, listed_parsers
from docduck.api.schemas.base import FeedPage
from docduck.api.schemas.documents import Cursor
from docduck.catalog.models.webhooks import WEBHOOK_EVENTS
from docduck.service.core.property_types import LowerBound, Uuid
from docduck.service.documents.event_log import EventView, list_events

router = ResourceRouter("/events", "Events", read="documents:read")


class EventList(QueryParameters):
    """The parameters of the list of events."""

    parser_id: Uuid | None = Field(None, description="Only of this parser's documents")
    event: str | None = Field(
        None, description="Only this kind of event", json_schema_extra={"enum": [*WEBHOOK_EVENTS]}
    )
    since: LowerBound | None = Field(None, description="Only events at this moment or later")
    limit: Limit = 50
    cursor: Cursor = None


@router.get("", summary="List events")
def list_(call: CurrentCall, query: Annotated[EventList, Query()]) -> FeedPage[EventView]:
    """Return what happened to documents in the last 30 days, the oldest first, as webhooks are told.

    Keep `nextCursor` and send it the next time: no event is missed, and none comes twice.
    """
    sent = query.sent_values()
    only = listed_parsers(call.caller, sent.pop("parser_id", None))
    return FeedPage[EventView].of_page(list_events(*call.team, **sent, only=only))
