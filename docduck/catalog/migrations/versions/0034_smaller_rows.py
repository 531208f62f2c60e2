"""Less space for each document: compressed values, and indexes without what no query looks for."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

_COMPRESSED = {"document_results": ("values", "read_values", "evidence"), "webhook_snapshots": ("values",)}
_UNUSED = {
    "documents": ("folder_id", "assignee_id", "split_sha256", "sha256", "parser_id_sha256"),
    "document_events": ("team_id", "document_id_at"),
    "document_results": ("team_id",),
    "intake_entries": ("team_id",),
    "stored_files": ("released_at",),
}
_KNOWN = {"documents": ("folder_id", "assignee_id", "split_sha256"), "stored_files": ("released_at",)}
"""Columns that are null in most rows, which their indexes leave out."""
_SEARCH_INDEX = """CREATE VIRTUAL TABLE search_index USING fts5(
    body, name, external_id, content='search_texts', content_rowid='number',
    tokenize='trigram case_sensitive 1', columnsize=0)"""
"""The first column's places are stored without its number, and most are in the body."""


def upgrade() -> None:
    for table, names in _UNUSED.items():
        for name in names:
            op.drop_index(f"ix_{table}_{name}", table)
    for table, names in _KNOWN.items():
        for name in names:
            where = sa.text(f"{name} IS NOT NULL")
            op.create_index(f"ix_{table}_{name}", table, [name], postgresql_where=where, sqlite_where=where)
    op.create_index("ix_documents_sha256_parser_id", "documents", ["sha256", "parser_id"])
    op.create_index("ix_document_events_document_id", "document_events", ["document_id"])
    if op.get_bind().dialect.name == "sqlite":
        # Plain values are read, too, so no row is written again.
        op.execute("DROP TABLE search_index")
        op.execute(_SEARCH_INDEX)
        op.execute("INSERT INTO search_index (search_index) VALUES ('rebuild')")
        return
    for table, names in _COMPRESSED.items():
        # In one statement, which rewrites the table once.
        changes = [f'ALTER "{name}" TYPE bytea USING convert_to("{name}"::text, \'UTF8\')' for name in names]
        op.execute(f"ALTER TABLE {table} {', '.join(changes)}")
