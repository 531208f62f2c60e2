"""An installation: its settings, catalog, file store and warehouse."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import and_, select
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from docduck import tracing
from docduck.catalog.database import Catalog, is_disk_full
from docduck.catalog.migrate import migrate
from docduck.catalog.models import OAuthGrant, Parser, Team
from docduck.errors import DocduckError, InputError, Transient
from docduck.files import FileStore
from docduck.files.access import make_home
from docduck.files.store import open_files
from docduck.local_model.choice import check_model
from docduck.service.core.home_identity import (
    HomeUse,
    check_home,
    check_reading_home,
    check_shared,
    check_version,
)
from docduck.settings import CATALOG_FILE, Settings
from docduck.settings import settings as process_settings
from docduck.warehouse.opening import check_lake, open_warehouse

if TYPE_CHECKING:
    from docduck.service.core.key_usage import KeyUsage
    from docduck.service.core.rate_counters import RateCounters
    from docduck.warehouse.warehouse import Warehouse
    from docduck.workers.side_workers import SideWorkers

_REDIS_SECONDS = 1

DEFAULT_TEAM = "default"

_OTHER_CONNECTIONS = 10
"""Catalog connections besides those of requests: health checks, counters and the like."""


@dataclass(frozen=True)
class Installation:
    """An open installation. ``team_id`` is the team used when nobody is signed in.

    A home that ``only_reads`` has no tables: those of the catalog's home get the rows of what it reads.
    """

    settings: Settings
    catalog: Catalog
    team_id: str
    only_reads: bool = False

    @cached_property
    def files(self) -> FileStore:
        return open_files(self.settings)

    @cached_property
    def warehouse(self) -> Warehouse:
        return open_warehouse(self.settings, self._schemas_of_teams)

    def _schemas_of_teams(self) -> dict[str, list[str]]:
        """Return the slugs of each team's parsers, which are the names of its schemas, by the team's slug."""
        with self.catalog.read_session() as session:
            pairs = session.execute(
                select(Team.slug, Parser.slug)
                .join(Parser, and_(Parser.team_id == Team.id, Parser.deleted_at.is_(None)))
                .order_by(Parser.slug)
            ).all()
        schemas: dict[str, list[str]] = {}
        for team, schema in pairs:
            schemas.setdefault(team, []).append(schema)
        return schemas

    @cached_property
    def rate_counts(self) -> RateCounters:
        """The counters of requests per API key."""
        from docduck.service.core import rate_counters

        if self.settings.rate_limit_redis_url is not None:
            from docduck.service.core.redis_counters import RedisCounters

            address = self.settings.rate_limit_redis_url.get_secret_value()
            return RedisCounters(address, _REDIS_SECONDS)
        if self.catalog.is_sqlite:
            return rate_counters.SqliteCounters(self.settings.home.absolute() / rate_counters.FILE_NAME)
        return rate_counters.CatalogCounters(self.catalog)

    @cached_property
    def key_uses(self) -> KeyUsage:
        """The writer of the times at which API keys were last used."""
        from docduck.service.core.key_usage import KeyUsage

        return KeyUsage(self.catalog)

    @cached_property
    def grant_uses(self) -> KeyUsage:
        """The writer of the times at which OAuth grants were last used."""
        from docduck.service.core.key_usage import KeyUsage

        return KeyUsage(self.catalog, OAuthGrant)

    @cached_property
    def side_workers(self) -> SideWorkers:
        """This process's workers for everything but pictures and the processing of documents."""
        from docduck.workers.side_workers import SideWorkers

        return SideWorkers(self.settings.side_workers)

    @cached_property
    def picture_workers(self) -> SideWorkers:
        """This process's worker for people who look at pages."""
        from docduck.workers.side_workers import SideWorkers

        return SideWorkers(1)

    @cached_property
    def home_use(self) -> HomeUse:
        """The thread that notes that the home is in use."""
        return HomeUse(self.catalog, self.settings)

    def close(self) -> None:
        """Close all connections and end the side workers."""
        for name in (
            "home_use",
            "side_workers",
            "picture_workers",
            "key_uses",
            "grant_uses",
            "rate_counts",
            "warehouse",
        ):
            if name in self.__dict__:
                getattr(self, name).close()
        self.catalog.close()


def is_set_up(settings: Settings | None = None) -> bool:
    """Return whether there is a catalog, so that ``open_installation`` creates none."""
    settings = settings or process_settings()
    return settings.catalog_url is not None or (settings.home / CATALOG_FILE).exists()


def open_installation(
    settings: Settings | None = None, *, adopt: bool = False, only_reads: bool = False
) -> Installation:
    """Open the installation; create the home, the catalog and the default team if missing.

    Several processes may do so at once. With ``adopt``, the catalog of another home becomes this home's; with
    ``only_reads``, this home reads its documents and leaves the rest to it.
    Raise InputError if the home or the catalog can't be used, the catalog belongs to another home, or traces
    can't be sent, Conflict if that is in use, Transient if the catalog's server can't be reached.
    """
    settings = settings or process_settings()
    tracing.start()
    if settings.lake_url is not None:
        check_lake(settings)
    check_model(settings)
    if only_reads:
        check_shared(settings)
    try:
        make_home(settings.home, settings.analytics_group)
        if not only_reads:
            settings.inbox.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(
            f"The home folder {settings.home} can't be used: {error.strerror}; "
            "point DOCDUCK_HOME at a folder that can be written",
            "DOCDUCK_HOME",
        ) from error
    try:
        catalog = Catalog(settings.catalog_address, _connections(settings))
    except (ArgumentError, NoSuchModuleError) as error:
        raise InputError(
            "DOCDUCK_CATALOG_URL is no SQLAlchemy address; write it as "
            "postgresql+psycopg2://user:password@host/database",
            "DOCDUCK_CATALOG_URL",
        ) from error
    try:
        return _opened_to_read(settings, catalog) if only_reads else _opened(settings, catalog, adopt)
    except DocduckError:
        catalog.close()
        raise
    except DBAPIError as error:
        catalog.close()
        raise _unusable(catalog, error) from error


def _connections(settings: Settings) -> int:
    """Return the largest number of catalog connections that a process needs."""
    return settings.api_threads + settings.search_threads + settings.correction_threads + _OTHER_CONNECTIONS


def _opened(settings: Settings, catalog: Catalog, adopt: bool) -> Installation:
    migrate(catalog)
    with catalog.transaction() as session:
        check_home(session, settings, adopt)
        team = session.scalar(select(Team).where(Team.slug == DEFAULT_TEAM))
        if team is None:
            team = Team(name="Default", slug=DEFAULT_TEAM)
            session.add(team)
            session.flush()
        team_id = team.id
    inst = Installation(settings, catalog, team_id)
    if settings.catalog_url is not None:
        _ = inst.home_use
    return inst


def _opened_to_read(settings: Settings, catalog: Catalog) -> Installation:
    check_version(catalog)
    with catalog.read_session() as session:
        check_reading_home(session, settings)
        team_id = session.scalars(select(Team.id).where(Team.slug == DEFAULT_TEAM)).one()
    return Installation(settings, catalog, team_id, only_reads=True)


def _unusable(catalog: Catalog, error: DBAPIError) -> InputError | Transient:
    reason = str(error.orig).strip().splitlines()[0]
    if is_disk_full(error.orig):
        database = catalog.engine.url.database
        return Transient(f"The catalog {database} can't be used: {reason}. Its disk may be full")
    if catalog.is_sqlite and "locked" not in reason:
        return InputError(
            f"The catalog {catalog.engine.url.database} can't be used: {reason}; it must be docduck's own "
            "SQLite file, in a folder that can be written"
        )
    place = catalog.engine.url.render_as_string(hide_password=True)
    return Transient(f"The catalog {place} can't be used: {reason}")
