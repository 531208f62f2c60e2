"""The installation as a Dagster resource."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from dagster import InitResourceContext, ResourceDefinition

from docduck.owner import this_process
from docduck.service.core.installation import Installation, open_installation

PROCESS_TAG = ".dagster/docduck_process"
"""The tag with a run's process, by which a run whose process is gone is recognised.

Dagster's UI and GraphQL API leave out tags that begin with ``.dagster/``, which is not documented.
When the code server dies together with its runs, Dagster's default launcher leaves them "started" for hours.
"""


@lru_cache(maxsize=1)
def this_installation() -> Installation:
    """Return the installation of the environment's home, opened once per process."""
    return open_installation()


def installation_resource(open_it: Callable[[], Installation]) -> ResourceDefinition:
    """Return the installation as a resource, opened on use; a run that uses it is tagged with its process."""

    def tagged(context: InitResourceContext) -> Installation:
        if context.run is not None and context.instance is not None:
            context.instance.add_run_tags(context.run.run_id, {PROCESS_TAG: this_process()})
        return open_it()

    return ResourceDefinition(tagged, description="The docduck installation: catalog, files, warehouse.")
