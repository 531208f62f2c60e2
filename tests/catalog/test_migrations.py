from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, text

from docduck.catalog import migrate as migrate_module
from docduck.catalog.database import Catalog
from docduck.catalog.migrate import HEAD, migrate, version
from docduck.catalog.models import Base
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from tests.service.core.documents import make_parser
from tests.service.webhooks.receiver import subscribe


@pytest.mark.filterwarnings(
    "ignore:Skipped unsupported reflection of expression-based index",
    "ignore:autogenerate skipping metadata-specified expression-based index",
)
def test_the_migrations_make_exactly_the_models(any_inst: Installation) -> None:
    with any_inst.catalog.engine.connect() as connection:
        opts = {"compare_type": True, "include_name": _is_of_the_models}
        context = MigrationContext.configure(connection, opts=opts)
        assert compare_metadata(context, Base.metadata) == []


def _is_of_the_models(name: str | None, _kind: object, _parents: object) -> bool:
    """All but what the models can't say: indexes of texts."""
    return not str(name).startswith(("search_index", "ix_search_texts"))


def test_migrating_again_changes_nothing(any_inst: Installation) -> None:
    migrate(any_inst.catalog)
    with any_inst.catalog.engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == [HEAD]


def test_a_catalog_from_before_the_first_release_is_refused_and_left_alone(any_inst: Installation) -> None:
    with any_inst.catalog.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0020'"))
        connection.execute(text("DROP TABLE saved_queries"))
        tables = inspect(connection).get_table_names()
    with pytest.raises(InputError, match=r"version 0020, .*nothing was changed.*DOCDUCK_HOME.*version 0032"):
        migrate(any_inst.catalog)
    with any_inst.catalog.engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == ["0020"]
        assert inspect(connection).get_table_names() == tables


_LATER = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "9999", "HEAD"


def upgrade() -> None:
    op.add_column("webhooks", sa.Column("note", sa.String(), nullable=False, server_default="none"))
"""


def test_a_later_migration_upgrades_a_catalog(
    any_inst: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(any_inst)
    subscribe(any_inst, parser.id, "https://example.org/", ["*"])
    shutil.copytree(migrate_module._MIGRATIONS, tmp_path / "migrations")
    later = _LATER.replace("HEAD", migrate_module.HEAD)
    (tmp_path / "migrations" / "versions" / "9999_notes.py").write_text(later)
    monkeypatch.setattr(migrate_module, "_MIGRATIONS", tmp_path / "migrations")
    monkeypatch.setattr(migrate_module, "HEAD", "9999")
    migrate(any_inst.catalog)
    with any_inst.catalog.engine.connect() as connection:
        assert version(connection) == "9999"
        assert connection.execute(text("SELECT note FROM webhooks")).scalars().all() == ["none"]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def empty_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'catalog.sqlite'}"
    return str(request.getfixturevalue("postgres_database"))


def _start_migration(address: str, code: str = "") -> subprocess.Popen[bytes]:
    program = (
        "import os, sys\n"
        "from docduck.catalog.database import Catalog\n"
        "from docduck.catalog.migrate import migrate\n"
        f"{code}\n"
        "migrate(Catalog(sys.argv[1], 5))\n"
    )
    return subprocess.Popen([sys.executable, "-c", program, address])


def test_processes_that_migrate_at_once_create_the_catalog_once(empty_address: str) -> None:
    processes = [_start_migration(empty_address) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    _check_catalog(empty_address)


def test_a_migration_that_is_killed_half_way_leaves_nothing_behind(empty_address: str) -> None:
    kill = (
        "from sqlalchemy import Engine, event\n"
        "@event.listens_for(Engine, 'before_cursor_execute')\n"
        "def kill(connection, cursor, statement, *rest):\n"
        "    if 'CREATE TABLE documents' in statement:\n"
        "        os.kill(os.getpid(), 9)\n"
    )
    assert _start_migration(empty_address, kill).wait(60) == -9
    engine = create_engine(empty_address)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == []
    engine.dispose()
    assert _start_migration(empty_address).wait(60) == 0
    _check_catalog(empty_address)


def _check_catalog(address: str) -> None:
    catalog = Catalog(address, 5)
    with catalog.engine.connect() as connection:
        assert version(connection) == HEAD
        assert {*Base.metadata.tables} <= {*inspect(connection).get_table_names()}
    catalog.close()


def test_the_named_head_is_the_newest_migration() -> None:
    scripts = ScriptDirectory(str(Path(migrate_module.__file__).parent / "migrations"))
    assert scripts.get_current_head() == HEAD


def test_a_catalog_of_a_newer_version_is_refused(any_inst: Installation) -> None:
    with any_inst.catalog.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InputError, match=r"9999.*newer"):
        migrate(any_inst.catalog)


def test_every_table_belongs_to_a_team() -> None:
    shared = {"teams", "users", "stored_files", "oauth_clients", "rate_counts", "home", "reading_homes"}
    # They belong to a user.
    shared |= {"password_resets", "user_identities"}
    # Found by the team's parser or document only.
    shared |= {"search_entries", "search_texts", "search_values", "search_shapes", "document_counts"}
    shared |= {"pending_texts", "exported_documents"}
    # Found by their digest, or by the team's grant.
    shared |= {"oauth_tokens"}
    without = {table.name for table in Base.metadata.tables.values() if "team_id" not in table.c}
    assert without == shared
