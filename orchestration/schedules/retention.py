"""The daily deletion of expired documents."""

from __future__ import annotations

from dagster import DefaultScheduleStatus, ScheduleDefinition

from orchestration.jobs.retention import retention

daily_retention = ScheduleDefinition(
    name="daily_retention",
    job=retention,
    cron_schedule="47 2 * * *",
    default_status=DefaultScheduleStatus.RUNNING,
    description="Deletes documents that are older than their parsers keep them, every night.",
)
