"""The sensor that reloads the definitions when parsers or the pipeline file have changed."""

from collections.abc import Sequence
from pathlib import Path

from dagster import DefaultSensorStatus, SensorDefinition, SensorEvaluationContext, SkipReason, sensor

from dagster_docduck.assets.project import current_signature
from dagster_docduck.orchestration.reload import reload_definitions
from dagster_docduck.resources.installation import installation_of


def catalog_changed_sensor(
    home: Path, loaded: str, problems: Sequence[str], minimum_interval_seconds: int
) -> SensorDefinition:
    """Return the sensor; the definitions of ``home`` were made when the project's signature was ``loaded``.

    ``problems`` say what the definitions leave out; each tick repeats them.
    """

    @sensor(
        name="catalog_changed",
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description="Reloads the definitions after a change of parsers or of the pipeline file.",
    )
    def catalog_changed(context: SensorEvaluationContext) -> SkipReason:
        # Not a resource: for those, Dagster opens an instance at every tick.
        if current_signature(installation_of(home)) == loaded:
            return SkipReason(" ".join(["The definitions are up to date.", *problems]))
        return SkipReason(reload_definitions(context.code_location_origin))

    return catalog_changed
