"""The sensors of sources: each requests a run when its source holds new documents."""

from collections.abc import Iterator
from typing import Any

from dagster import (
    AssetKey,
    AssetObservation,
    DagsterInstance,
    DefaultSensorStatus,
    MetadataValue,
    ResourceParam,
    RunRequest,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    sensor,
)

from dagster_docduck.reading_runs import ReadingRuns
from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.sources.intake import inspect_source
from docduck.service.sources.ledger_pages import TakenDocuments, taken_documents
from docduck.service.sources.sources import Source

_SEEN = "new:"
"""Begins the cursor of a tick that found new documents."""


def source_sensor(
    name: str,
    source: Source,
    key: AssetKey,
    runs: ReadingRuns,
    minimum_interval_seconds: int,
    *,
    is_backstop: bool = False,
    **target: Any,
) -> SensorDefinition:
    """Return the sensor of ``source``; ``target`` says what its runs are for, as Dagster's sensors do.

    It observes the asset ``key`` of the source whenever documents were taken from it. With ``is_backstop``, a
    service starts runs for new documents; the sensor does so for those that are still there at its next tick.
    """

    @sensor(
        name=name,
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description=f"Looks for new documents in {source.place}.",
        **target,
    )
    def look_for_documents(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SensorResult:
        observed, _, last = (context.cursor or "").partition(" ")
        taken = taken_documents(installation, source.name)
        now_observed = f"{taken.number}@{clock.iso(taken.last)}"
        decision, last = look(context.instance, installation, last)
        context.update_cursor(f"{now_observed} {last}")
        return SensorResult(
            run_requests=[decision] if isinstance(decision, RunRequest) else [],
            skip_reason=decision if isinstance(decision, str) else None,
            asset_events=[] if now_observed == observed else list(_observation(key, taken)),
        )

    def look(instance: DagsterInstance, inst: Installation, last: str) -> tuple[RunRequest | str, str]:
        """Return the request of a run, or why there is none, and the rest of the cursor."""
        if run := runs.live(instance):
            return f"Run {run.id[:8]} ingests from {source.place}.", last
        state = inspect_source(inst, source, last.removeprefix(_SEEN))
        cursor = f"{_SEEN if state.new else ''}{state.signature}"
        if not state.new:
            return state.message, cursor
        if is_backstop and not last.startswith(_SEEN):
            return f"{state.message} The service is about to start a run.", cursor
        if run := runs.live(instance):
            return f"{state.message} Run {run.id[:8]} ingests them.", cursor
        if seconds := runs.retry_seconds(instance):
            return f"{state.message} The last runs failed; trying again in {seconds:.0f} s.", cursor
        if not runs.may_request(inst, instance):
            return f"{state.message} Another sensor has just requested a run.", cursor
        return runs.request(instance, source), cursor

    return look_for_documents


def _observation(key: AssetKey, taken: TakenDocuments) -> Iterator[AssetObservation]:
    """Yield the number and the time of the last document that were taken from a source, if any was."""
    if taken.last is not None:
        metadata: dict[str, Any] = {
            "documents": MetadataValue.int(taken.number),
            "last_document": MetadataValue.timestamp(taken.last),
        }
        yield AssetObservation(key, metadata=metadata)
