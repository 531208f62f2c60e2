"""Names that sort without regard to case, and the names that documents' files came with."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
_STEP = 10_000
_LANGUAGES = ("auto", "de", "en", "es", "fr", "it", "nl", "pl", "pt")


def upgrade() -> None:
    for table in ("documents", "parsers"):
        op.add_column(table, sa.Column("name_key", _BYTEWISE, nullable=False, server_default=""))
    op.add_column("documents", sa.Column("file_name", sa.String(), nullable=False, server_default=""))
    op.add_column(
        "documents", sa.Column("is_renamed", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    if op.get_bind().dialect.name == "sqlite":
        _fill_sqlite()
    else:
        _fill_postgresql()
    op.drop_index("ix_documents_parser_id_name", "documents")
    op.create_index("ix_documents_parser_id_name_key", "documents", ["parser_id", "name_key", "id"])
    _drop_unknown_languages()


def _fill_sqlite() -> None:
    connection = op.get_bind()
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.create_function("docduck_casefold", 1, str.casefold, deterministic=True)
    connection.exec_driver_sql("UPDATE documents SET file_name = name, name_key = docduck_casefold(name)")
    connection.exec_driver_sql("UPDATE parsers SET name_key = docduck_casefold(name)")


def _fill_postgresql() -> None:
    connection = op.get_bind()
    # Nothing changes that the index of documents knows.
    connection.exec_driver_sql("ALTER TABLE documents DISABLE TRIGGER documents_updated")
    connection.exec_driver_sql('UPDATE documents SET file_name = name, name_key = lower(name COLLATE "C")')
    connection.exec_driver_sql('UPDATE parsers SET name_key = lower(name COLLATE "C")')
    for table in ("documents", "parsers"):
        other = connection.exec_driver_sql(f"SELECT id, name FROM {table} WHERE name ~ '[^ -~]'").all()
        for start in range(0, len(other), _STEP):
            connection.execute(
                sa.text(f"UPDATE {table} SET name_key = :key WHERE id = :id"),
                [{"id": row.id, "key": row.name.casefold()} for row in other[start : start + _STEP]],
            )
    connection.exec_driver_sql("ALTER TABLE documents ENABLE TRIGGER documents_updated")


def _drop_unknown_languages() -> None:
    """Remove languages from the parsers' settings that were accepted and had no effect."""
    connection = op.get_bind()
    parsers = sa.table("parsers", sa.column("id", sa.Uuid(as_uuid=False)), sa.column("settings", _JSON))
    for parser_id, settings in connection.execute(sa.select(parsers.c.id, parsers.c.settings)).all():
        locale = settings.get("readingLocale") if isinstance(settings, dict) else None
        if isinstance(locale, dict) and locale.get("language", "auto") not in _LANGUAGES:
            del locale["language"]
            connection.execute(parsers.update().where(parsers.c.id == parser_id).values(settings=settings))


def downgrade() -> None:
    op.drop_index("ix_documents_parser_id_name_key", "documents")
    op.create_index("ix_documents_parser_id_name", "documents", ["parser_id", "name", "id"])
    for table, columns in (
        ("parsers", ("name_key",)),
        ("documents", ("name_key", "file_name", "is_renamed")),
    ):
        for column in columns:
            op.drop_column(table, column)
