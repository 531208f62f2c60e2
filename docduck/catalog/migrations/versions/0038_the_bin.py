"""Documents that were deleted on the pages, until they are restored or deleted for good."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

_ID = sa.Uuid(as_uuid=False)
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "binned_documents",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("team_id", _ID, sa.ForeignKey("teams.id", ondelete="CASCADE"), nullable=False),
        sa.Column("parser_id", _ID, sa.ForeignKey("parsers.id", ondelete="CASCADE")),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("batch_id", _ID, nullable=False, index=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("deleted_at", _MOMENT, nullable=False, index=True),
        sa.Column("deleted_by", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(64), sa.ForeignKey("stored_files.sha256"), nullable=False, index=True),
        sa.Column("split_sha256", sa.String(64)),
        sa.Column("markdown_sha256", sa.String(64), sa.ForeignKey("stored_files.sha256"), index=True),
        sa.Column("snapshot", sa.JSON().with_variant(postgresql.BYTEA(), "postgresql"), nullable=False),
        sa.Index("ix_binned_documents_team_id_deleted_at", "team_id", "deleted_at", "id"),
        sa.Index("ix_binned_documents_parser_id_created_at", "parser_id", "created_at"),
    )
