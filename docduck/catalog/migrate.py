"""Creation and migration of the catalog's tables."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from docduck.catalog.creation import create_tables
from docduck.catalog.database import Catalog
from docduck.catalog.releases import THIS_RELEASE, upgrades_from
from docduck.errors import InputError

_MIGRATIONS = Path(__file__).parent / "migrations"

_VERSIONS = sorted(path.name[:4] for path in (_MIGRATIONS / "versions").glob("[0-9]*.py"))

HEAD = _VERSIONS[-1]
"""The newest migration; a catalog at this version is opened without importing Alembic."""

_LOCK = 0x646F6364


def migrate(catalog: Catalog) -> None:
    """Create or upgrade all tables; safe to call from several processes at once.

    Raise InputError, and change nothing, if the catalog was written by a newer docduck, or by one that is too
    old.
    """
    if version(catalog) == HEAD:
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    with catalog.engine.begin() as connection:
        if not catalog.is_sqlite:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        present = _version(connection)
        if present is not None and present not in _VERSIONS:
            raise InputError(_unknown_version(present))
        config.attributes["connection"] = connection
        if present is None:
            create_tables(connection)
            command.stamp(config, "head")
        else:
            command.upgrade(config, "head")


def version(catalog: Catalog) -> str | None:
    """Return the catalog's migration; None for an empty database."""
    with catalog.reading() as connection:
        return _version(connection)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _unknown_version(present: str) -> str:
    if present < _VERSIONS[0]:
        release = upgrades_from(present)
        remedy = (
            "No release upgrades it: point DOCDUCK_HOME at a new folder and take the documents in again."
            if release is None
            else f"Install docduck {release} (pip install docduck=={release}), open the home once with it, "
            "as by docduck status, and then with this docduck."
        )
        return (
            f"The catalog is at version {present}, which docduck {THIS_RELEASE} is too new to upgrade; "
            f"nothing was changed. {remedy}"
        )
    return (
        f"The catalog is at version {present}, which this docduck does not know: "
        "it was written by a newer one. Upgrade docduck, or point DOCDUCK_HOME at another folder."
    )
