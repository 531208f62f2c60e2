"""The sensor that logs documents that wait too long for their reviewer."""

import datetime as dt
import json

from dagster import (
    DefaultSensorStatus,
    ResourceParam,
    SensorDefinition,
    SensorEvaluationContext,
    SkipReason,
    sensor,
)

from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.reviews.waiting import WaitingDocument, overdue_documents


def overdue_reviews_sensor(minimum_interval_seconds: int) -> SensorDefinition:
    """Return the sensor; it logs each document once for each stage that it waits too long in."""

    @sensor(
        name="overdue_reviews",
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description="Logs documents that wait too long in a review stage, each once.",
    )
    def overdue_reviews(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SkipReason:
        found = overdue_documents(installation, after=_last(context.cursor))
        for one in found:
            context.log.warning(_message(one))
        if found:
            since, key = found[-1].key
            context.update_cursor(json.dumps([since.isoformat(), key]))
        return SkipReason(f"{len(found)} documents have become overdue.")

    return overdue_reviews


def _last(cursor: str | None) -> tuple[dt.datetime, str] | None:
    """Return the key of the last document that was logged."""
    if not cursor:
        return None
    since, key = json.loads(cursor)
    return dt.datetime.fromisoformat(since), key


def _message(one: WaitingDocument) -> str:
    return (
        f"{one.parser}: {one.name} ({one.document_id}) waits in review stage '{one.stage}' for "
        f"{one.assignee or 'somebody to be assigned'} since {clock.iso(one.since)}"
    )
