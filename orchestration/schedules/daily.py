"""The schedules of upkeep, every night."""

from __future__ import annotations

from dagster import DefaultScheduleStatus, JobDefinition, ScheduleDefinition

from orchestration.jobs.purge_runs import purge_runs
from orchestration.jobs.retention import retention


def daily_schedules() -> list[ScheduleDefinition]:
    """Return the schedules of the jobs ``retention`` and ``purge_runs``."""
    return [
        _daily(
            "daily_retention",
            retention,
            "47 2 * * *",
            "Deletes documents that are older than their parsers keep them, every night.",
        ),
        _daily("daily_purge", purge_runs, "17 3 * * *", "Removes old runs every night."),
    ]


def _daily(name: str, job: JobDefinition, cron: str, description: str) -> ScheduleDefinition:
    return ScheduleDefinition(
        name=name,
        job=job,
        cron_schedule=cron,
        default_status=DefaultScheduleStatus.RUNNING,
        description=description,
    )
