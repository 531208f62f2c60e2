"""The door from Dagster to docduck."""

from __future__ import annotations

from functools import lru_cache

from dagster import ConfigurableResource, InitResourceContext

from docduck.service.installation import Installation, open_installation
from resources.run_process import note_process


@lru_cache(maxsize=1)
def installation() -> Installation:
    """The installation that the environment names, opened once per process."""
    return open_installation()


class DocduckResource(ConfigurableResource[None]):
    """Gives jobs, assets and sensors the installation; a run that uses it notes which process it is."""

    def setup_for_execution(self, context: InitResourceContext) -> None:
        if context.run is not None and context.instance is not None:
            note_process(context.instance, context.run)

    @property
    def installation(self) -> Installation:
        return installation()
