"""The door from Dagster to docduck."""

from __future__ import annotations

from functools import lru_cache

from dagster import InitResourceContext, ResourceDefinition

from docduck.service.core.installation import Installation, open_installation
from resources.run_process import note_process


@lru_cache(maxsize=1)
def this_installation() -> Installation:
    """The installation that the environment names, opened once per process."""
    return open_installation()


def installation_resource(inst: Installation) -> ResourceDefinition:
    """Gives jobs, assets and sensors the installation; a run that uses it notes its process."""

    def give(context: InitResourceContext) -> Installation:
        if context.run is not None and context.instance is not None:
            note_process(context.instance, context.run)
        return inst

    return ResourceDefinition(give, description="The docduck installation: catalog, files, warehouse.")
