"""The schedules of exports in the pipeline file."""

from __future__ import annotations

from collections.abc import Iterable

from dagster import DefaultScheduleStatus, ScheduleDefinition

from docduck.ids import snake_case
from docduck.service.pipeline.pipeline_spec import ExportSpec
from orchestration.jobs.export import export


def export_schedules(exports: Iterable[ExportSpec]) -> list[ScheduleDefinition]:
    """Return a schedule for each export with a cron line."""
    return [_schedule(one, one.schedule) for one in exports if one.schedule]


def _schedule(spec: ExportSpec, cron: str) -> ScheduleDefinition:
    values = {
        "parser": spec.parser,
        "format": spec.format,
        "scope": spec.scope,
        "table": spec.table,
        "layout": spec.layout,
        "filters": list(spec.filters) or None,
        "only_new": spec.name if spec.only_new else None,
        "folder": str(spec.folder) if spec.folder else None,
        "file": spec.file,
    }
    config = {key: value for key, value in values.items() if value is not None}
    return ScheduleDefinition(
        name=f"export_{snake_case(spec.name)}",
        job=export,
        cron_schedule=cron,
        run_config={"ops": {"write_exports": {"config": config}}},
        default_status=DefaultScheduleStatus.RUNNING,
        description=f"Export '{spec.name}' of the pipeline file.",
    )
