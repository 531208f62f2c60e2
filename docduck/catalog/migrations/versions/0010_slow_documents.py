"""Documents that take long wait in a queue of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_QUEUED = sa.text("status = 'queued'")


def upgrade() -> None:
    op.add_column("documents", sa.Column("slow", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index(
        "ix_documents_queue",
        "documents",
        ["slow", "parser_id", "queued_at", "id"],
        postgresql_where=_QUEUED,
        sqlite_where=_QUEUED,
    )
    op.drop_index("ix_documents_parser_id_status_queued_at", "documents")


def downgrade() -> None:
    op.create_index(
        "ix_documents_parser_id_status_queued_at", "documents", ["parser_id", "status", "queued_at", "id"]
    )
    op.drop_index("ix_documents_queue", "documents")
    op.drop_column("documents", "slow")
