from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Inspector, Row, create_engine, inspect, select, text, update
from sqlalchemy.exc import IntegrityError

from docduck.catalog import migrate as migrate_module
from docduck.catalog import releases as releases_module
from docduck.catalog.database import Catalog
from docduck.catalog.migrate import HEAD, migrate, version
from docduck.catalog.models import Base, Classifier, ReviewStage, WarehouseOutbox
from docduck.catalog.releases import RELEASES
from docduck.errors import InputError
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import list_parsers
from docduck.service.reviews.stage_changes import create_stage
from docduck.settings import Settings
from tests.catalog.old_catalogs import FIRST, VERSIONS, check_home, create_old
from tests.service.core.documents import make_parser
from tests.service.webhooks.receiver import subscribe
from tests.web.browser import member


def schema_of(address: str) -> dict[str, Any]:
    """Return all that a database has but the order of its columns and the names of its foreign keys."""
    engine = create_engine(address)
    with engine.connect() as connection:
        inspector = inspect(connection)
        schema = {name: _table(inspector, name) for name in inspector.get_table_names()}
        statements = _SQLITE_REST if engine.dialect.name == "sqlite" else _POSTGRESQL_REST
        rest = [sorted(map(_words, connection.execute(text(statement)))) for statement in statements]
    engine.dispose()
    return {**schema, "": rest}


_SQLITE_REST = [
    "SELECT name, sql FROM sqlite_master WHERE type <> 'table'",
    "SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'",
    "SELECT name, sql LIKE '%AUTOINCREMENT%', sql LIKE '%WITHOUT ROWID%' FROM sqlite_master",
]
_POSTGRESQL_REST = [
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "SELECT prosrc FROM pg_proc WHERE prosrc LIKE '%search_entries%'",
    "SELECT relname, relpersistence FROM pg_class WHERE relnamespace = 'public'::regnamespace",
]


def _words(row: Row[Any]) -> str:
    return " ".join(" ".join(map(str, row)).replace('"', "").split())


def _table(inspector: Inspector, name: str) -> dict[str, Any]:
    columns = {
        column["name"]: (str(column["type"]), column["nullable"], column["default"])
        for column in inspector.get_columns(name)
    }
    keys = inspector.get_foreign_keys(name)
    return {
        "columns": columns,
        "key": inspector.get_pk_constraint(name),
        "references": sorted(
            (key["constrained_columns"], key["referred_table"], key["options"]) for key in keys
        ),
        "unique": sorted(map(str, inspector.get_unique_constraints(name))),
        "checks": sorted(map(str, inspector.get_check_constraints(name))),
    }


@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
def test_an_upgraded_catalog_is_like_a_new_one(empty_address: str) -> None:
    upgraded = {}
    for version_ in VERSIONS if empty_address.startswith("sqlite") else [FIRST]:
        create_old(empty_address, version_)
        _migrate(empty_address)
        upgraded[version_] = schema_of(empty_address)
        _empty(empty_address)
    _migrate(empty_address)
    new = schema_of(empty_address)
    assert {version_ for version_, schema in upgraded.items() if schema != new} == set()


def test_the_oldest_migration_has_its_catalog() -> None:
    assert migrate_module._VERSIONS[0] == FIRST
    assert {*VERSIONS} <= {*migrate_module._VERSIONS}


def _migrate(address: str) -> None:
    catalog = Catalog(address, 5)
    migrate(catalog)
    catalog.close()


def _empty(address: str) -> None:
    engine = create_engine(address)
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    if engine.dialect.name == "sqlite":
        Path(str(engine.url.database)).unlink()


def test_migrating_again_changes_nothing(any_inst: Installation) -> None:
    migrate(any_inst.catalog)
    with any_inst.catalog.engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == [HEAD]


def test_a_catalog_that_is_too_old_is_refused_and_left_alone(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with any_inst.catalog.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0020'"))
        connection.execute(text("DROP TABLE saved_queries"))
        tables = inspect(connection).get_table_names()
    with pytest.raises(InputError, match=r"version 0020, .*nothing was changed\. No release .*DOCDUCK_HOME"):
        migrate(any_inst.catalog)
    releases = {"0.1.0": "0010", "0.2.0": "0010", "0.3.0": "0021", **RELEASES}
    monkeypatch.setattr(releases_module, "RELEASES", releases)
    with pytest.raises(InputError, match=r"nothing was changed\. Install docduck 0\.2\.0 "):
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
        assert version(any_inst.catalog) == "9999"
        assert connection.execute(text("SELECT note FROM webhooks")).scalars().all() == ["none"]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def empty_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'catalog.sqlite'}"
    return str(request.getfixturevalue("postgres_database"))


def test_an_old_home_is_opened_with_all_it_has(empty_address: str, tmp_path: Path) -> None:
    for version_ in VERSIONS if empty_address.startswith("sqlite") else [FIRST]:
        create_old(empty_address, version_)
        check_home(Settings(home=tmp_path / version_, catalog_url=empty_address))
        _empty(empty_address)


def test_page_ranges_of_before_are_in_lower_case(empty_address: str, tmp_path: Path) -> None:
    create_old(empty_address)
    pages, split = "LAST, 2N+1", {"enabled": True, "mode": "pageRanges", "pageRanges": "1-Last"}
    engine = create_engine(empty_address)
    with engine.begin() as connection:
        settings = json.dumps({"parsePages": pages, "splitDocuments": split})
        connection.execute(text("UPDATE parsers SET settings = :settings"), {"settings": settings})
        splitting = {"split": json.dumps(split)}
        connection.execute(text("UPDATE classifiers SET split_documents = :split"), splitting)
    engine.dispose()
    inst = open_installation(Settings(home=tmp_path / "home", catalog_url=empty_address))
    (parser,) = list_parsers(inst, inst.team_id)
    settings_ = read_settings(parser.settings)
    assert (settings_.parse_pages, settings_.split_documents.page_ranges) == ("last, 2n+1", "1-last")
    with inst.catalog.read_session() as session:
        (classifier,) = session.scalars(select(Classifier))
        assert (classifier.split_documents or {})["pageRanges"] == "1-last"
    inst.close()


def test_a_field_whose_column_became_that_of_all_documents_has_another(
    empty_address: str, tmp_path: Path
) -> None:
    create_old(empty_address)
    engine = create_engine(empty_address)
    with engine.begin() as connection:
        columns = 'SELECT "column" FROM parser_fields WHERE table_id IS NULL ORDER BY position'
        first, *others = connection.scalars(text(columns)).all()
        rename = 'UPDATE parser_fields SET "column" = :new WHERE "column" = :old AND table_id IS NULL'
        connection.execute(text(rename), {"new": "duplicate_of", "old": first})
    engine.dispose()
    inst = open_installation(Settings(home=tmp_path / "home", catalog_url=empty_address))
    (parser,) = list_parsers(inst, inst.team_id)
    assert {"duplicate_of_2", *others} <= {*parser.columns.values()}
    assert "duplicate_of" not in parser.columns.values()
    with inst.catalog.read_session() as session:
        waiting = session.scalars(select(WarehouseOutbox.document_id)).all()
    assert parser.id in waiting, "its tables are written again"
    inst.close()


def _start_migration(address: str, code: str = "") -> subprocess.Popen[bytes]:
    program = (
        "import os, sys\n"
        "from docduck.catalog.database import Catalog\n"
        "from docduck.catalog.migrate import migrate\n"
        f"{code}\n"
        "migrate(Catalog(sys.argv[1], 5))\n"
    )
    return subprocess.Popen([sys.executable, "-c", program, address])


def test_what_failed_checks_mean_is_one_of_the_known_words(any_inst: Installation) -> None:
    parser, ann = make_parser(any_inst), member(any_inst, "ann")
    create_stage(any_inst, any_inst.team_id, parser.id, {"name": "Check", "reviewer_id": ann})
    with pytest.raises(IntegrityError), any_inst.catalog.transaction() as session:
        session.execute(update(ReviewStage).values(on_failed_checks="ignore"))


def test_processes_that_migrate_at_once_create_the_catalog_once(empty_address: str) -> None:
    processes = [_start_migration(empty_address) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
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
    _migrate(empty_address)
    _check_catalog(empty_address)


def _check_catalog(address: str) -> None:
    catalog = Catalog(address, 5)
    with catalog.engine.connect() as connection:
        assert version(catalog) == HEAD
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
    shared |= {"pending_texts", "exported_documents", "reading_durations"}
    # Found by their digest, or by the team's grant.
    shared |= {"oauth_tokens"}
    without = {table.name for table in Base.metadata.tables.values() if "team_id" not in table.c}
    assert without == shared
