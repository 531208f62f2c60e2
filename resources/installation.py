"""The installation as a Dagster resource."""

from pathlib import Path
from threading import Lock

from dagster import ConfigurableResource, DagsterRun, InitResourceContext
from pydantic import Field

from docduck.owner import is_dead, this_process
from docduck.service.core.installation import Installation, open_installation
from docduck.settings import read_settings

PROCESS_TAG = ".dagster/docduck_process"
"""The tag with a run's process, by which a run whose process is gone is recognised.

Dagster's UI and GraphQL API leave out tags that begin with ``.dagster/``, which is not documented.
When the code server dies together with its runs, Dagster's default launcher leaves them "started" for hours.
"""

_opened: dict[Path, Installation] = {}
_opening = Lock()


class InstallationResource(ConfigurableResource[Installation]):
    """The docduck installation of a home: its catalog, files and warehouse.

    It is opened on use, once per process. A run that uses it is tagged with its process.
    """

    home: str | None = Field(
        default=None,
        description="docduck's home folder; DOCDUCK_HOME of the environment if not given",
    )

    def create_resource(self, context: InitResourceContext) -> Installation:
        """Return the open installation, which ops take as ``ResourceParam[Installation]``."""
        if context.run is not None and context.instance is not None:
            context.instance.add_run_tags(context.run.run_id, {PROCESS_TAG: this_process()})
        return installation_of(read_settings().home if self.home is None else Path(self.home))


def installation_of(home: Path) -> Installation:
    """Return the installation of a home, opened once per process with the environment's settings."""
    home = home.absolute()
    with _opening:
        if home not in _opened:
            _opened[home] = open_installation(read_settings().model_copy(update={"home": home}))
        return _opened[home]


def use_installation(inst: Installation) -> InstallationResource:
    """Return the resource of an installation that is open already."""
    home = inst.settings.home.absolute()
    with _opening:
        _opened[home] = inst
    return InstallationResource(home=str(home))


def is_lost(run: DagsterRun) -> bool:
    """Return whether the run's process is known to be gone; False if it can't be seen from here.

    Only for runs in one process: with another executor than docduck's, the last step's process is noted.
    """
    noted = run.tags.get(PROCESS_TAG)
    return noted is not None and is_dead(noted)
