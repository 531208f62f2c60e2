"""Jobs that are tried again, their steps or runs, and their schedules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dagster import (
    DefaultScheduleStatus,
    GraphDefinition,
    JobDefinition,
    OpDefinition,
    RetryRequested,
    ScheduleDefinition,
)

from docduck.errors import DocduckError

MAX_RETRIES = 3
RETRY_SECONDS = 20.0

RETRY_TAGS = {"dagster/max_retries": str(MAX_RETRIES), "dagster/retry_on_asset_or_op_failure": "false"}
"""Tags of jobs that Dagster starts again if their process ends; a step that fails decides for itself."""

NO_RETRY_TAGS = {"dagster/max_retries": "0"}
"""Tags of jobs that are not started again: a sensor starts a run while documents are queued."""


@contextmanager
def retrying() -> Iterator[None]:
    """Have Dagster try the step again after an error that is temporary."""
    try:
        yield
    except DocduckError as error:
        if not error.retryable:
            raise
        raise RetryRequested(max_retries=MAX_RETRIES, seconds_to_wait=RETRY_SECONDS) from error


def job_of(step: OpDefinition, name: str, description: str, config: Any = None) -> JobDefinition:
    """Return the job of a single step."""
    graph = GraphDefinition(name=name, node_defs=[step])
    return graph.to_job(description=description, config=config, tags=RETRY_TAGS)


def scheduled(job: JobDefinition, name: str, cron: str, description: str) -> ScheduleDefinition:
    """Return a schedule of a job, which runs unless somebody stops it."""
    return ScheduleDefinition(
        name=name,
        job=job,
        cron_schedule=cron,
        default_status=DefaultScheduleStatus.RUNNING,
        description=description,
    )
