"""What clients need to follow all changes: documents of a team by the moment of their last one."""

from alembic import op

revision = "0043"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_documents_team_id_updated_at", "documents", ["team_id", "updated_at", "id"])
