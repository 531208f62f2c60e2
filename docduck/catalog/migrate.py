"""Bringing the catalog's tables up to date."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from docduck.catalog.database import Catalog
from docduck.errors import InputError

_LOCK = 0x646F6364


def migrate(catalog: Catalog) -> None:
    """Create or upgrade all tables; several processes may call it at once.

    Raises InputError when the catalog was written by a newer docduck.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with catalog.engine.begin() as connection:
        if not catalog.is_sqlite:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        _refuse_newer(connection, config)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _refuse_newer(connection: Connection, config: Config) -> None:
    present = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if present is not None and present not in known:
        raise InputError(
            f"The catalog is at version {present}, which this docduck does not know: "
            "it was written by a newer one. Upgrade docduck, or point DOCDUCK_HOME at another folder."
        )
