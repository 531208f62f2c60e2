"""The job that removes old runs, which Dagster keeps for ever, and stored files that nothing refers to."""

import datetime as dt

from dagster import (
    Config,
    DagsterInstance,
    DagsterRunStatus,
    OpExecutionContext,
    ResourceParam,
    RunsFilter,
    op,
)
from pydantic import Field

from dagster_docduck.private_dagster import ComputeLogManager
from dagster_docduck.retries import job_of, retrying, scheduled
from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.upkeep.housekeeping import sweep

_FINISHED = [DagsterRunStatus.SUCCESS, DagsterRunStatus.FAILURE, DagsterRunStatus.CANCELED]


def purge_older_than(instance: DagsterInstance, before: dt.datetime) -> int:
    """Remove finished runs last changed before ``before``, with their events and output; return how many.

    A table's last materialisation is kept: without its run, the table would look never materialised.
    """
    kept = {
        record.asset_entry.last_materialization_record.run_id
        for record in instance.get_asset_records()
        if record.asset_entry.last_materialization_record is not None
    }
    runs = instance.get_runs(RunsFilter(statuses=_FINISHED, updated_before=before))
    old = [run.run_id for run in runs if run.run_id not in kept]
    for run_id in old:
        instance.delete_run(run_id)
        if isinstance(instance.compute_log_manager, ComputeLogManager):
            instance.compute_log_manager.delete_logs(prefix=[run_id])
    return len(old)


class PurgeConfig(Config):
    """Which runs to keep."""

    keep_days: float | None = Field(
        None, gt=0, description="Age after which runs are removed; the setting keep_runs_days if not given"
    )


@op(pool="upkeep")
def purge(
    context: OpExecutionContext, config: PurgeConfig, installation: ResourceParam[Installation]
) -> None:
    """Remove old runs, and files without documents."""
    days = config.keep_days or installation.settings.keep_runs_days
    with retrying():
        runs = purge_older_than(context.instance, clock.now() - dt.timedelta(days=days))
        files = sweep(installation)
    context.log.info(f"Removed {runs} runs and {files} stored files")
    context.add_output_metadata({"runs": runs, "files": files})


purge_runs = job_of(
    purge, "purge_runs", "Removes old runs with their logs, and stored files without documents."
)

DAILY_PURGE = scheduled(purge_runs, "daily_purge", "17 3 * * *", "Removes old runs every night.")
