"""New catalogs: the tables of the models, with the triggers and indexes that these can't say.

The migrations make the same of an older catalog.
"""

from __future__ import annotations

import logging

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from docduck.catalog.models import Base

_log = logging.getLogger(__name__)


def create_tables(connection: Connection) -> None:
    """Create all tables, triggers and indexes in an empty database."""
    Base.metadata.create_all(connection, checkfirst=False)
    is_sqlite = connection.dialect.name == "sqlite"
    for statement in _SQLITE if is_sqlite else _POSTGRESQL:
        connection.exec_driver_sql(statement)
    if not is_sqlite:
        _index_trigrams(connection)


def _index_trigrams(connection: Connection) -> None:
    try:
        with connection.begin_nested():
            connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            connection.exec_driver_sql(
                "CREATE INDEX ix_search_texts_trigrams ON search_texts USING gin "
                "(name gin_trgm_ops, external_id gin_trgm_ops, body gin_trgm_ops)"
            )
    except DBAPIError as error:
        _log.warning(
            "searches of texts will be slow, as the extension pg_trgm can't be made: %s",
            str(error.orig).strip(),
        )


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
        body, name, external_id, content='search_texts', content_rowid='number',
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
    # Counts may be lost with a crash, and so cost no write to the log.
    "ALTER TABLE rate_counts SET UNLOGGED",
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
