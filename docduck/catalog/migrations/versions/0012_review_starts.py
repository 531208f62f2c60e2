"""When a document's review stage became in progress."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_IN_PROGRESS = sa.text("status = 'in_progress'")


def upgrade() -> None:
    op.add_column("document_stages", sa.Column("started_at", sa.DateTime(timezone=True), nullable=True))
    op.execute(
        "UPDATE document_stages SET started_at = "
        "(SELECT updated_at FROM documents WHERE documents.id = document_stages.document_id) "
        "WHERE status <> 'pending' AND status <> 'skipped'"
    )
    op.create_index(
        "ix_document_stages_started_at",
        "document_stages",
        ["started_at", "id"],
        postgresql_where=_IN_PROGRESS,
        sqlite_where=_IN_PROGRESS,
    )


def downgrade() -> None:
    op.drop_index("ix_document_stages_started_at", "document_stages")
    op.drop_column("document_stages", "started_at")
