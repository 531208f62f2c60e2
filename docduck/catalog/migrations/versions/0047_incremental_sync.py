"""What clients need to follow all changes: documents of a team by their last change, and deleted ones."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

_ID = sa.Uuid(as_uuid=False)


def upgrade() -> None:
    op.create_index("ix_documents_team_id_updated_at", "documents", ["team_id", "updated_at", "id"])
    op.create_table(
        "deleted_documents",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("team_id", _ID, sa.ForeignKey("teams.id", ondelete="CASCADE"), nullable=False),
        sa.Column("parser_id", _ID),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=False, index=True),
        sa.Index("ix_deleted_documents_team_id_deleted_at", "team_id", "deleted_at", "id"),
    )
    op.execute(
        "INSERT INTO deleted_documents (id, team_id, parser_id, deleted_at) "
        "SELECT id, team_id, parser_id, deleted_at FROM binned_documents"
    )
