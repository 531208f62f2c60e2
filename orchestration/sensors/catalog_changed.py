"""The sensor that reloads the definitions when parsers or the pipeline file have changed."""

from collections.abc import Sequence

from dagster import (
    DefaultSensorStatus,
    ResourceParam,
    SensorDefinition,
    SensorEvaluationContext,
    SkipReason,
    sensor,
)

from assets.project import current_signature
from docduck.service.core.installation import Installation
from orchestration.reload import reload_definitions


def catalog_changed_sensor(
    loaded: str, problems: Sequence[str], minimum_interval_seconds: int
) -> SensorDefinition:
    """Return the sensor; the definitions were made when the project's signature was ``loaded``.

    ``problems`` say what the definitions leave out; each tick repeats them.
    """

    @sensor(
        name="catalog_changed",
        minimum_interval_seconds=minimum_interval_seconds,
        default_status=DefaultSensorStatus.RUNNING,
        description="Reloads the definitions after a change of parsers or of the pipeline file.",
    )
    def catalog_changed(
        context: SensorEvaluationContext, installation: ResourceParam[Installation]
    ) -> SkipReason:
        signature = current_signature(installation)
        if signature == loaded:
            return SkipReason(" ".join(["The definitions are up to date.", *problems]))
        return SkipReason(reload_definitions(context.code_location_origin))

    return catalog_changed
