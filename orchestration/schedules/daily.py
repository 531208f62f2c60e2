"""The schedules of upkeep, every night."""

from __future__ import annotations

from dagster import DefaultScheduleStatus, ScheduleDefinition

from dagster_docduck.orchestration.jobs.purge_runs import purge_runs
from dagster_docduck.orchestration.jobs.retention import retention

DAILY_SCHEDULES = [
    ScheduleDefinition(
        name="daily_retention",
        job=retention,
        cron_schedule="47 2 * * *",
        default_status=DefaultScheduleStatus.RUNNING,
        description="Deletes documents that are older than their parsers keep them, every night.",
    ),
    ScheduleDefinition(
        name="daily_purge",
        job=purge_runs,
        cron_schedule="17 3 * * *",
        default_status=DefaultScheduleStatus.RUNNING,
        description="Removes old runs every night.",
    ),
]
