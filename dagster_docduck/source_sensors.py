"""The sensors of sources: each requests a run when its source holds new documents."""

from typing import Any, Protocol

from dagster import (
    DagsterInstance,
    DefaultSensorStatus,
    ResourceParam,
    RunRequest,
    SensorDefinition,
    SensorEvaluationContext,
    SensorResult,
    SkipReason,
    sensor,
)

from docduck.service.core.installation import Installation
from docduck.service.runs.processing_runs import Run
from docduck.service.sources.intake import inspect_source
from docduck.service.sources.sources import Source

_SEEN = "new:"
"""Begins the cursor of a tick that found new documents."""


class ReadingRuns(Protocol):
    """The runs of a project that read documents."""

    def live(self, instance: DagsterInstance) -> Run | None:
        """Return a run that reads documents, or is about to."""

    def retry_seconds(self, instance: DagsterInstance) -> float:
        """Return the seconds to wait before another run if the last ones failed."""

    def request(self, instance: DagsterInstance, source: Source) -> RunRequest:
        """Return the request of a run for new documents of a source."""


def source_sensor(
    name: str,
    source: Source,
    runs: ReadingRuns,
    minimum_interval_seconds: int,
    *,
    is_backstop: bool = False,
    **target: Any,
) -> SensorDefinition:
    """Return the sensor of ``source``; ``target`` says what its runs are for, as Dagster's sensors do.

    With ``is_backstop``, a service starts runs for new documents; the sensor does so for those that are still
    there at its next tick.
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
    ) -> SensorResult | SkipReason:
        if run := runs.live(context.instance):
            return SkipReason(f"Run {run.id[:8]} ingests from {source.place}.")
        last = context.cursor or ""
        state = inspect_source(installation, source, last.removeprefix(_SEEN))
        context.update_cursor(f"{_SEEN if state.new else ''}{state.signature}")
        if not state.new:
            return SkipReason(state.message)
        if is_backstop and not last.startswith(_SEEN):
            return SkipReason(f"{state.message} The service is about to start a run.")
        if run := runs.live(context.instance):
            return SkipReason(f"{state.message} Run {run.id[:8]} ingests them.")
        if seconds := runs.retry_seconds(context.instance):
            return SkipReason(f"{state.message} The last runs failed; trying again in {seconds:.0f} s.")
        return SensorResult(run_requests=[runs.request(context.instance, source)])

    return look_for_documents
