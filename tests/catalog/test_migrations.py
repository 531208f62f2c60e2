from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import select, text, update

from docduck import clock
from docduck.catalog import migrate as migrate_module
from docduck.catalog.migrate import HEAD, migrate
from docduck.catalog.models import Base, Document, DocumentResult, Parser, PendingCorrection, Webhook
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.new_documents import upload
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import NewParser, create_parser, delete_parser
from docduck.service.processing.document_queue import backlogs
from docduck.service.webhooks.secrets import rotate_secret, signing_keys
from docduck.service.webhooks.signing import secret_key
from tests.service.core.documents import add, complete, make_parser
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


def test_corrections_that_are_owed_survive_an_upgrade(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    (document_id,) = add(any_inst, parser)
    complete(any_inst, parser)
    set_values(any_inst, any_inst.team_id, parser.id, document_id, {"Number": "B-2"})
    _downgrade(any_inst, "0007")
    migrate(any_inst.catalog)
    with any_inst.catalog.read_session() as session:
        result = session.get_one(DocumentResult, document_id)
        (number, *_) = (str(field.id) for field in parser.fields)
        assert (result.values[number], (result.read_values or {})[number]) == ("B-2", "A-1")
        assert session.get(PendingCorrection, document_id) is not None


def test_names_of_an_older_catalog_get_their_keys(any_inst: Installation) -> None:
    parser = make_parser(any_inst, "ÄRGER")
    locale = {"readingLocale": {"language": "sv", "decimalSeparator": ","}}
    names = ["STRASSE.txt", "straße.txt", "ok.txt", "É.txt"]
    for name in names:
        upload(any_inst, any_inst.team_id, parser.id, name.encode(), name)
    with any_inst.catalog.engine.begin() as connection:
        connection.execute(update(Parser).values(settings=locale))
    _downgrade(any_inst, "0008")
    migrate(any_inst.catalog)
    with any_inst.catalog.read_session() as session:
        rows = session.execute(select(Document.name, Document.name_key, Document.file_name)).all()
        assert sorted(rows) == sorted((name, name.casefold(), name) for name in names)
        row = session.get(Parser, parser.id)
        assert row is not None
        assert row.name_key == "ärger"
        assert row.settings == {"readingLocale": {"decimalSeparator": ","}}
    upload(any_inst, any_inst.team_id, parser.id, b"new", "new.txt")
    assert len(list_documents(any_inst, any_inst.team_id, parser.slug, q="s").rows) == 2


def test_the_named_head_is_the_newest_migration() -> None:
    scripts = ScriptDirectory(str(Path(migrate_module.__file__).parent / "migrations"))
    assert scripts.get_current_head() == HEAD


def test_a_catalog_of_a_newer_version_is_refused(any_inst: Installation) -> None:
    with any_inst.catalog.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InputError, match=r"9999.*newer"):
        migrate(any_inst.catalog)


def test_documents_of_before_have_no_parser_revision(any_inst: Installation) -> None:
    parser = create_parser(any_inst, any_inst.team_id, NewParser(template_key="invoice"))
    document_id = upload(any_inst, any_inst.team_id, parser.id, b"Total: 5", "a.txt")
    _downgrade(any_inst, "0006")
    migrate(any_inst.catalog)
    assert get_document(any_inst, any_inst.team_id, document_id).parser_revision is None


def _downgrade(inst: Installation, to: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate_module.__file__).parent / "migrations"))
    with inst.catalog.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, to)


def test_every_table_belongs_to_a_team() -> None:
    shared = {"teams", "users", "stored_files", "oauth_clients", "rate_counts", "home"}
    # They belong to a user.
    shared |= {"password_resets", "user_identities"}
    # Found by the team's parser or document only.
    shared |= {"search_entries", "search_texts", "search_values", "search_shapes", "document_counts"}
    shared |= {"pending_texts", "exported_documents"}
    # Found by their digest, or by the team's grant.
    shared |= {"oauth_tokens"}
    without = {table.name for table in Base.metadata.tables.values() if "team_id" not in table.c}
    assert without == shared


def test_a_webhook_s_previous_secret_survives_an_upgrade(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    webhook_id, first = subscribe(any_inst, parser.id, "https://example.org/", ["*"])
    rotate_secret(any_inst, any_inst.team_id, parser.id, webhook_id)
    _downgrade(any_inst, "0026")
    migrate(any_inst.catalog)
    with any_inst.catalog.read_session() as session:
        webhook = session.get_one(Webhook, webhook_id)
        assert signing_keys(any_inst.settings, webhook, clock.now())[1] == secret_key(first)


def test_an_upgrade_has_the_tables_of_all_parsers_written_again(any_inst: Installation) -> None:
    live = create_parser(any_inst, any_inst.team_id, NewParser(template_key="invoice"))
    gone = create_parser(any_inst, any_inst.team_id, NewParser(name="Gone", fields=[]))
    delete_parser(any_inst, any_inst.team_id, gone.id)
    with any_inst.catalog.engine.begin() as connection:
        connection.execute(text("DELETE FROM projections"))
    _downgrade(any_inst, "0005")
    migrate(any_inst.catalog)
    assert [*backlogs(any_inst)] == [live.id]
    sync_warehouse(any_inst)
    assert backlogs(any_inst) == {}
