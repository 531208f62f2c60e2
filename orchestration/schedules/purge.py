"""The daily clean-up."""

from __future__ import annotations

from dagster import DefaultScheduleStatus, ScheduleDefinition

from orchestration.jobs.purge_runs import purge_runs

daily_purge = ScheduleDefinition(
    name="daily_purge",
    job=purge_runs,
    cron_schedule="17 3 * * *",
    default_status=DefaultScheduleStatus.RUNNING,
    description="Removes old runs every night.",
)
