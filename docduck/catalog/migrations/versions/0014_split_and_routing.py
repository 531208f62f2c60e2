"""Parts remember the file that they were split from; documents of classifiers are queued."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_QUEUED = sa.text("status = 'queued'")


def upgrade() -> None:
    op.add_column("documents", sa.Column("split_sha256", sa.String(length=64), nullable=True))
    op.add_column(
        "documents", sa.Column("keep_whole", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_index(op.f("ix_documents_split_sha256"), "documents", ["split_sha256"])
    _create_queue(sa.text("coalesce(parser_id, classifier_id)"))


def downgrade() -> None:
    _create_queue("parser_id")
    op.drop_index(op.f("ix_documents_split_sha256"), "documents")
    op.drop_column("documents", "keep_whole")
    op.drop_column("documents", "split_sha256")


def _create_queue(target: str | sa.TextClause) -> None:
    op.drop_index("ix_documents_queue", "documents")
    op.create_index(
        "ix_documents_queue",
        "documents",
        ["slow", target, "queued_at", "id"],
        postgresql_where=_QUEUED,
        sqlite_where=_QUEUED,
    )
