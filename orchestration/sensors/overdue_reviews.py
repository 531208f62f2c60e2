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
        documents = overdue_documents(installation, after=_last(context.cursor))
        for document in documents:
            context.log.warning(_message(document))
        if documents:
            since, key = documents[-1].key
            context.update_cursor(json.dumps([since.isoformat(), key]))
        return SkipReason(f"{len(documents)} documents have become overdue.")

    return overdue_reviews


def _last(cursor: str | None) -> tuple[dt.datetime, str] | None:
    """Return the key of the last document that was logged."""
    if not cursor:
        return None
    since, key = json.loads(cursor)
    return dt.datetime.fromisoformat(since), key


def _message(document: WaitingDocument) -> str:
    return (
        f"{document.parser}: {document.name} ({document.document_id}) waits in review stage "
        f"'{document.stage}' for {document.assignee or 'somebody to be assigned'} "
        f"since {clock.iso(document.since)}"
    )
