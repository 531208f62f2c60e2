"""What keeps lists and searches of documents fast: entries, texts, values, exact counts.

Documents that are there already get their entry and are counted here; their texts and values are
indexed by housekeeping.
"""

import logging

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_log = logging.getLogger(__name__)

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")


def _uuid(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Uuid(as_uuid=False), nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "search_entries",
        sa.Column("number", _NUMBER, autoincrement=True, nullable=False),
        _uuid("document_id"),
        _uuid("parser_id", nullable=True),
        _uuid("folder_id", nullable=True),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("shape_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_search_entries")),
        sa.UniqueConstraint("document_id", name=op.f("uq_search_entries_document_id")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "search_texts",
        sa.Column("number", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_search_texts")),
    )
    op.create_table(
        "search_values",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", _BYTEWISE, nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("key", "value", "number", name=op.f("pk_search_values")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "search_shapes",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        _uuid("parser_id"),
        sa.Column("fields", _JSON, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_shapes")),
    )
    op.create_index(op.f("ix_search_shapes_parser_id"), "search_shapes", ["parser_id"])
    op.create_table(
        "document_counts",
        _uuid("parser_id"),
        _uuid("folder_id"),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("documents", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("parser_id", "folder_id", "status", "shard", name=op.f("pk_document_counts")),
    )
    if op.get_bind().dialect.name == "sqlite":
        _upgrade_sqlite()
    else:
        _upgrade_postgresql()
    for leading in ("created_at", "status", "folder_id", "shape_id"):
        further = () if leading == "created_at" else ("created_at",) if leading != "shape_id" else ()
        op.create_index(
            f"ix_search_entries_parser_id_{leading}",
            "search_entries",
            ["parser_id", leading, *further, "number"],
        )


_ENTRIES_OF_ALL = """
INSERT INTO search_entries (document_id, parser_id, folder_id, status, created_at, shape_id)
SELECT id, parser_id, folder_id, status, created_at, 0 FROM documents ORDER BY created_at, id
"""
_COUNTS_OF_ALL = """
INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
SELECT parser_id, coalesce(folder_id, {none}), status, 0, count(*) FROM documents
WHERE parser_id IS NOT NULL GROUP BY 1, 2, 3
"""

_SQLITE_NONE = f"'{'0' * 32}'"
_SQLITE_COUNT = (
    """
INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
SELECT {row}.parser_id, coalesce({row}.folder_id, """
    + _SQLITE_NONE
    + """), {row}.status, 0, {by}
WHERE {row}.parser_id IS NOT NULL
ON CONFLICT (parser_id, folder_id, status, shard) DO UPDATE SET documents = documents + excluded.documents;
"""
)
_SQLITE = [
    """CREATE VIRTUAL TABLE search_index USING fts5(
        name, external_id, body, content='search_texts', content_rowid='number',
        tokenize='trigram case_sensitive 1', columnsize=0)""",
    """CREATE TRIGGER search_texts_inserted AFTER INSERT ON search_texts BEGIN
        INSERT INTO search_index (rowid, name, external_id, body)
        VALUES (new.number, new.name, new.external_id, new.body);
    END""",
    """CREATE TRIGGER search_texts_deleted AFTER DELETE ON search_texts BEGIN
        INSERT INTO search_index (search_index, rowid, name, external_id, body)
        VALUES ('delete', old.number, old.name, old.external_id, old.body);
    END""",
    """CREATE TRIGGER search_texts_updated AFTER UPDATE ON search_texts BEGIN
        INSERT INTO search_index (search_index, rowid, name, external_id, body)
        VALUES ('delete', old.number, old.name, old.external_id, old.body);
        INSERT INTO search_index (rowid, name, external_id, body)
        VALUES (new.number, new.name, new.external_id, new.body);
    END""",
    """CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN
        INSERT INTO search_entries (document_id, parser_id, folder_id, status, created_at, shape_id)
        VALUES (new.id, new.parser_id, new.folder_id, new.status, new.created_at, 0);"""
    + _SQLITE_COUNT.format(row="new", by=1)
    + "END",
    """CREATE TRIGGER documents_updated AFTER UPDATE OF parser_id, folder_id, status, created_at ON documents
    WHEN old.status <> new.status OR old.folder_id IS NOT new.folder_id
        OR old.parser_id IS NOT new.parser_id OR old.created_at <> new.created_at
    BEGIN
        UPDATE search_entries SET parser_id = new.parser_id, folder_id = new.folder_id, status = new.status,
            created_at = new.created_at,
            shape_id = CASE WHEN old.parser_id IS new.parser_id THEN shape_id ELSE 0 END
        WHERE document_id = new.id;"""
    + _SQLITE_COUNT.format(row="old", by=-1)
    + _SQLITE_COUNT.format(row="new", by=1)
    + "END",
    """CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN
        DELETE FROM search_texts
        WHERE number = (SELECT number FROM search_entries WHERE document_id = old.id);
        DELETE FROM search_entries WHERE document_id = old.id;"""
    + _SQLITE_COUNT.format(row="old", by=-1)
    + "END",
]


def _upgrade_sqlite() -> None:
    op.execute(_ENTRIES_OF_ALL)
    op.execute(_COUNTS_OF_ALL.format(none=_SQLITE_NONE))
    for statement in _SQLITE:
        op.get_bind().exec_driver_sql(statement)


_PG_NONE = "'00000000-0000-0000-0000-000000000000'::uuid"
_PG_COUNT = f"""
    INSERT INTO document_counts (parser_id, folder_id, status, shard, documents)
    SELECT parser_id, coalesce(folder_id, {_PG_NONE}), status, pg_backend_pid(), {{by}}
    FROM {{rows}} GROUP BY 1, 2, 3
    ON CONFLICT (parser_id, folder_id, status, shard)
    DO UPDATE SET documents = document_counts.documents + excluded.documents;
"""
_PG_CHANGED = """
    SELECT {row}.* FROM old_rows o JOIN new_rows n USING (id)
    WHERE (o.status, o.folder_id, o.parser_id) IS DISTINCT FROM (n.status, n.folder_id, n.parser_id)
"""
_POSTGRESQL = [
    """CREATE FUNCTION documents_inserted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO search_entries (document_id, parser_id, folder_id, status, created_at, shape_id)
    SELECT id, parser_id, folder_id, status, created_at, 0 FROM new_rows ORDER BY created_at, id;"""
    + _PG_COUNT.format(by="count(*)", rows="new_rows WHERE parser_id IS NOT NULL")
    + "RETURN NULL; END $$",
    """CREATE FUNCTION documents_updated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE search_entries e SET parser_id = n.parser_id, folder_id = n.folder_id, status = n.status,
        created_at = n.created_at, shape_id = CASE WHEN e.parser_id = n.parser_id THEN e.shape_id ELSE 0 END
    FROM old_rows o JOIN new_rows n USING (id)
    WHERE e.document_id = n.id AND (o.status, o.folder_id, o.parser_id, o.created_at)
        IS DISTINCT FROM (n.status, n.folder_id, n.parser_id, n.created_at);
    IF FOUND THEN"""
    + _PG_COUNT.format(
        by="sum(by)",
        rows=f"""(
        SELECT parser_id, folder_id, status, -1 AS by FROM ({_PG_CHANGED.format(row="o")}) AS before
        UNION ALL
        SELECT parser_id, folder_id, status, 1 FROM ({_PG_CHANGED.format(row="n")}) AS after
        ) AS steps WHERE parser_id IS NOT NULL""",
    )
    + "END IF; RETURN NULL; END $$",
    """CREATE FUNCTION documents_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM search_texts t USING search_entries e, old_rows o
    WHERE e.document_id = o.id AND t.number = e.number;
    DELETE FROM search_entries e USING old_rows o WHERE e.document_id = o.id;"""
    + _PG_COUNT.format(by="-count(*)", rows="old_rows WHERE parser_id IS NOT NULL")
    + "RETURN NULL; END $$",
    """CREATE TRIGGER documents_inserted AFTER INSERT ON documents
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION documents_inserted()""",
    """CREATE TRIGGER documents_updated AFTER UPDATE ON documents
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION documents_updated()""",
    """CREATE TRIGGER documents_deleted AFTER DELETE ON documents
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION documents_deleted()""",
]


def _upgrade_postgresql() -> None:
    op.execute(_ENTRIES_OF_ALL)
    op.execute(_COUNTS_OF_ALL.format(none=_PG_NONE))
    connection = op.get_bind()
    for statement in _POSTGRESQL:
        connection.exec_driver_sql(statement)
    try:
        with connection.begin_nested():
            connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            connection.exec_driver_sql(
                "CREATE INDEX ix_search_texts_trigrams ON search_texts USING gin "
                "(name gin_trgm_ops, external_id gin_trgm_ops, body gin_trgm_ops)"
            )
    except sa.exc.DBAPIError as error:
        _log.warning(
            "searches of texts will be slow, as the extension pg_trgm can't be made: %s",
            str(error.orig).strip(),
        )


def downgrade() -> None:
    connection = op.get_bind()
    of_table = "" if connection.dialect.name == "sqlite" else " ON documents"
    for moment in ("inserted", "updated", "deleted"):
        op.execute(f"DROP TRIGGER documents_{moment}{of_table}")
        if connection.dialect.name != "sqlite":
            op.execute(f"DROP FUNCTION documents_{moment}()")
    if connection.dialect.name == "sqlite":
        op.execute("DROP TABLE search_index")
    for table in ("document_counts", "search_shapes", "search_values", "search_texts", "search_entries"):
        op.drop_table(table)
