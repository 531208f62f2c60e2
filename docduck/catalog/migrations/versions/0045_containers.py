"""Which documents came of the same mail, archive or PDF."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

_KNOWN = sa.text("container_id IS NOT NULL")


def upgrade() -> None:
    op.add_column("documents", sa.Column("container_id", sa.Uuid(as_uuid=False)))
    if op.get_bind().dialect.name == "sqlite":
        source = "replace(json_extract({column}, '$.{key}'), '-', '')"
    else:
        source = "({column} ->> '{key}')::uuid"
    for column, key in (("source_detail", "mail"), ("split", "sourceDocumentId")):
        value = source.format(column=column, key=key)
        op.execute(f"UPDATE documents SET container_id = {value} WHERE {value} IS NOT NULL")
    op.execute(
        "UPDATE documents SET container_id = id WHERE container_id IS NULL "
        "AND id IN (SELECT container_id FROM documents WHERE container_id IS NOT NULL)"
    )
    op.create_index(
        "ix_documents_container_id",
        "documents",
        ["container_id"],
        postgresql_where=_KNOWN,
        sqlite_where=_KNOWN,
    )
