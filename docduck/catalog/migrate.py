"""Migration of the catalog's tables."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from docduck.catalog.database import Catalog
from docduck.errors import InputError

HEAD = "0032"
"""The newest migration; a catalog at this version is opened without importing Alembic."""

_LOCK = 0x646F6364


def migrate(catalog: Catalog) -> None:
    """Create or upgrade all tables; safe to call from several processes at once.

    Raise InputError if the catalog was written by a newer docduck.
    """
    with catalog.engine.connect().execution_options(docduck_reading=True) as connection:
        if version(connection) == HEAD:
            return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with catalog.engine.begin() as connection:
        if not catalog.is_sqlite:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        present = version(connection)
        if present not in {None, *(s.revision for s in ScriptDirectory.from_config(config).walk_revisions())}:
            raise InputError(
                f"The catalog is at version {present}, which this docduck does not know: "
                "it was written by a newer one. Upgrade docduck, or point DOCDUCK_HOME at another folder."
            )
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def version(connection: Connection) -> str | None:
    """Return the catalog's migration; None for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
