"""Indexes for a team's documents by time, and for the pages of a source's ledger."""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_documents_team_id_created_at",
        "documents",
        ["team_id", "created_at", "id", "status", "parser_id", "page_count"],
    )
    op.drop_index("ix_documents_team_id", "documents")
    op.create_index(
        "ix_intake_entries_outcome", "intake_entries", ["team_id", "source", "outcome", "updated_at", "id"]
    )
    op.create_index("ix_intake_entries_latest", "intake_entries", ["team_id", "source", "updated_at", "id"])
    op.drop_index("ix_intake_entries_source_outcome", "intake_entries")


def downgrade() -> None:
    op.create_index("ix_intake_entries_source_outcome", "intake_entries", ["source", "outcome"])
    op.drop_index("ix_intake_entries_latest", "intake_entries")
    op.drop_index("ix_intake_entries_outcome", "intake_entries")
    op.create_index("ix_documents_team_id", "documents", ["team_id"])
    op.drop_index("ix_documents_team_id_created_at", "documents")
