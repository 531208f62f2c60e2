"""The job that removes old runs, which Dagster keeps for ever, and stored files that nothing refers to."""

import datetime as dt

from dagster import DagsterInstance, DagsterRunStatus, OpExecutionContext, ResourceParam, RunsFilter, job, op

from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.upkeep.housekeeping import sweep
from orchestration.private_dagster import ComputeLogManager

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


@op
def purge(context: OpExecutionContext, installation: ResourceParam[Installation]) -> None:
    """Remove runs older than the setting keep_runs_days, and files without documents."""
    before = clock.now() - dt.timedelta(days=installation.settings.keep_runs_days)
    runs = purge_older_than(context.instance, before)
    files = sweep(installation)
    context.log.info(f"Removed {runs} runs and {files} stored files")
    context.add_output_metadata({"runs": runs, "files": files})


@job(description="Removes old runs with their logs, and stored files without documents.")
def purge_runs() -> None:
    """Remove old runs and unused files."""
    purge()
