"""When a document's review stage became in progress."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("document_stages", sa.Column("started_at", sa.DateTime(timezone=True), nullable=True))
    op.execute(
        "UPDATE document_stages SET started_at = "
        "(SELECT updated_at FROM documents WHERE documents.id = document_stages.document_id) "
        "WHERE status <> 'pending' AND status <> 'skipped'"
    )


def downgrade() -> None:
    op.drop_column("document_stages", "started_at")
